"""A prompt, a legal answer, and one short way to put the one and get the other from the scripted model."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tenacity import wait_none

from backroom_pipeline.backroom.contracts import AssistantSheet
from backroom_pipeline.fpl.model import Breach
from backroom_pipeline.ledger.answers import AnswerKey
from backroom_pipeline.ledger.calls import calls
from backroom_pipeline.ledger.rows import CallRow
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.models.call import Asked, CallBudget, ModelSpec, Prompt, ask
from backroom_pipeline.models.spending import Guard
from backroom_pipeline_tests.models.fault_server import FaultServer

KEY = AnswerKey(season="2025-26", gameweek=7, manager="opus", role="assistant")
PROMPT = Prompt(
    system="ROLE: assistant\nAnswer in JSON.", public="## BRIEFING\nGameweek 7.", private="## YOUR TEAM\nNone."
)
SHEET: dict[str, Any] = {
    "sheet": {
        "starting": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        "bench": [12, 13, 14, 15],
        "captain": 11,
        "vice_captain": 10,
        "chip": None,
    },
    "case": "Haaland at home to Burnley is the whole case; Guéhi covers the bench.",
}
GOOD = json.dumps(SHEET, ensure_ascii=False)


def captain_nine_only(answer: AssistantSheet) -> list[Breach]:
    """A check that only a captain with id 9 passes."""
    if answer.sheet.captain == 9:
        return []
    sentence = f"Player {answer.sheet.captain} may not be captain; name 9."
    return [Breach(code="wrong_captain", sentence=sentence, players=(answer.sheet.captain,))]


def sheet_with(**changes: Any) -> str:
    return json.dumps({**SHEET, "sheet": {**SHEET["sheet"], **changes}})


@dataclass
class Room:
    """Asks the scripted model and looks into the ledger."""

    ledger: Ledger
    server: FaultServer
    options: dict[str, Any]
    guard: Guard = field(default_factory=Guard)

    def ask(
        self,
        check: Callable[[AssistantSheet], list[Breach]] = lambda _: [],
        key: AnswerKey = KEY,
        prompt: Prompt = PROMPT,
        budget: CallBudget | None = None,
        model: str = "openai/gpt-4o-mini",
        **options: Any,
    ) -> Asked[AssistantSheet]:
        spec = ModelSpec(model=model, options={**self.options, **options})
        budget = budget or CallBudget(wait=wait_none())
        return ask(self.ledger, key, prompt, spec, AssistantSheet, check, budget, self.guard)

    @property
    def calls(self) -> list[CallRow]:
        return calls(self.ledger, KEY.season)

    @property
    def statuses(self) -> list[str]:
        return [call.status for call in self.calls]

    @property
    def kinds(self) -> list[str]:
        return [call.attempt.kind for call in self.calls]
