"""How long a committed answer's prompt was: part by part as estimated, and in all as the vendor counted it.

Nothing is stored for it: the ledger has every prompt by its hash, and the usage of every call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from backroom_pipeline.ledger.answers import Answer
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.models.attempts import stored_prompt
from backroom_pipeline.models.prompt import Prompt
from backroom_pipeline.tokens import estimated_tokens

_BLOCK = re.compile(r'<data name="(\w+)">.*?</data>', re.DOTALL)


@dataclass(frozen=True)
class Section:
    """A data block of a prompt, or all the words of one part that stand around its blocks."""

    part: str
    """system, public or private."""
    name: str
    tokens: int


@dataclass(frozen=True)
class PromptTokens:
    """The estimate is the same for every model; what was reported is one vendor's, and None where it said nothing."""

    sections: tuple[Section, ...]
    reported: int | None

    @property
    def estimated(self) -> int:
        return sum(section.tokens for section in self.sections)


def prompt_tokens(ledger: Ledger, row: Answer) -> PromptTokens | None:
    """Of a committed answer; None for one that nobody was asked for."""
    if row.prompt_sha256 is None:
        return None
    usages = ledger.rows("SELECT usage_json FROM attempt_results WHERE attempt_id = ?", [row.attempt_id])
    usage = json.loads(str(usages[0]["usage_json"])) if usages and usages[0]["usage_json"] else {}
    return PromptTokens(tuple(sections(stored_prompt(ledger, row.prompt_sha256))), usage.get("prompt_tokens"))


def sections(prompt: Prompt) -> Iterator[Section]:
    """Every part's words, then its blocks in their order."""
    for part in ("system", "public", "private"):
        text = str(getattr(prompt, part))
        yield Section(part, "words", estimated_tokens(_BLOCK.sub("", text)))
        for block in _BLOCK.finditer(text):
            yield Section(part, block[1], estimated_tokens(block[0]))
