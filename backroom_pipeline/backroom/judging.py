"""A language model as judge of what the rules cannot tell: asked once for a decision, and only where a league wants it.

It is an extra. Where it cannot answer, that is noted and the gameweek goes on without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from backroom_pipeline.backroom.prompts import DATA_IS_DATA, render
from backroom_pipeline.fpl.model import Breach, Frozen
from backroom_pipeline.ledger.rows import JudgeKey
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments.contradictions import Undecided
from backroom_pipeline.models.blocks import data_block
from backroom_pipeline.models.call import CallBudget, CannotAnswer, ask
from backroom_pipeline.models.prompt import Prompt
from backroom_pipeline.models.spec import ModelSpec
from backroom_pipeline.models.spending import Guard

PATIENCE = CallBudget(transport=1, content=1, longest_wait=30.0)
"""Less than for a decision: nobody waits long for an extra."""
TIMEOUT_SECONDS = 120
LONGEST_ANSWER_TOKENS = 8192
"""Reasoning included. Without a limit a spend cap would have to hold the longest answer the vendor can give."""


class PairVerdict(Frozen):
    """How the later promise of a pair stands to the earlier one."""

    pair: int
    verdict: Literal["contradiction", "consistent", "unrelated", "update"]
    reason: Annotated[str, Field(min_length=1, max_length=600)]


class Judgement(Frozen):
    """What a judge answers: a verdict for every pair it was given."""

    verdicts: Annotated[tuple[PairVerdict, ...], Field(max_length=64)]


@dataclass(frozen=True)
class Judged:
    """What came of asking, or of not asking."""

    note: str
    """For whoever watches: off, nothing to ask, how many pairs were judged, or why not."""
    verdicts: tuple[tuple[Undecided, PairVerdict], ...] = ()
    attempt_id: str | None = None
    cost_micro_dollars: int | None = None
    """Of the call; None where it is unknown or nobody was asked."""


OFF = Judged("off")
NOTHING_TO_ASK = Judged("nothing to ask")


def judge_spec(model: str) -> ModelSpec:
    """The judge a league names by its LiteLLM id."""
    return ModelSpec(model=model, options={"timeout": TIMEOUT_SECONDS, "max_tokens": LONGEST_ANSWER_TOKENS})


def judged(
    ledger: Ledger,
    key: JudgeKey,
    spec: ModelSpec,
    pairs: Sequence[Undecided],
    budget: CallBudget = PATIENCE,
    guard: Guard | None = None,
) -> Judged:
    """The judge's verdicts on all pairs of a decision in one call, replayed where it answered them before.

    Never raises for a judge that cannot answer: the note says why.
    """
    if not pairs:
        return NOTHING_TO_ASK

    def check(judgement: Judgement) -> list[Breach]:
        given = sorted(verdict.pair for verdict in judgement.verdicts)
        if given == list(range(1, len(pairs) + 1)):
            return []
        sentence = f"Give exactly one verdict for each pair from 1 to {len(pairs)}; you gave them for {given}."
        return [Breach(code="pairs_missed", sentence=sentence)]

    try:
        asked = ask(ledger, key, judge_prompt(pairs), spec, Judgement, check, budget, guard)
    except CannotAnswer as problem:
        return Judged(f"not available: {problem.reason}")
    ordered = sorted(asked.value.verdicts, key=lambda verdict: verdict.pair)
    return Judged(
        note=f"{spec.model} judged {len(pairs)} pair{'' if len(pairs) == 1 else 's'}",
        verdicts=tuple(zip(pairs, ordered, strict=True)),
        attempt_id=asked.attempt_id,
        cost_micro_dollars=asked.cost_micro_dollars,
    )


def judge_prompt(pairs: Sequence[Undecided]) -> Prompt:
    """The same words for every league and gameweek, then the pairs."""
    rows = [
        (number, pair.earlier.made_in, pair.earlier.claim.text, pair.later.made_in, pair.later.claim.text)
        for number, pair in enumerate(pairs, start=1)
    ]
    return Prompt(
        system=render("system_judge", data_is_data=DATA_IS_DATA),
        public=render("judge"),
        private=data_block("pairs", ("pair", "earlier_gameweek", "earlier", "later_gameweek", "later"), rows),
    )
