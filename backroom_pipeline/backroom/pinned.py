"""Open promises in a prompt: they are not searched for, they are there, ahead of everything that is recalled."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from backroom_pipeline.memory.budget import estimated_tokens
from backroom_pipeline.memory.model import StandingClaim

PINNED_COLUMNS = ("made_in", "text", "terms", "kept", "broken")


class Pinned(NamedTuple):
    """The promises a prompt shows, most binding first, as rows of PINNED_COLUMNS."""

    claims: tuple[StandingClaim, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    tokens: int = 0
    """What the rows take; the rest of the memory section's budget is for what is recalled."""
    left_out: int = 0
    """Open promises there was no room for. They can still be recalled."""


def pinned(standing: Sequence[StandingClaim], budget_tokens: int) -> Pinned:
    """As many of the promises as the budget holds, in the order given.

    When not all fit with their terms, none has terms (null): the words of more promises are worth more than the fine
    print of fewer.
    """
    rows = [_row(claim, with_terms=True) for claim in standing]
    if sum(map(_tokens, rows)) > budget_tokens:
        rows = [_row(claim, with_terms=False) for claim in standing]
    taken = shown = 0
    for row in rows:
        if taken + _tokens(row) > budget_tokens:
            break
        taken += _tokens(row)
        shown += 1
    return Pinned(tuple(standing[:shown]), tuple(rows[:shown]), taken, len(standing) - shown)


def _row(standing: StandingClaim, *, with_terms: bool) -> tuple[Any, ...]:
    terms = standing.claim.terms.model_dump(mode="json", exclude_defaults=True) if with_terms else None
    return (standing.made_in, standing.claim.text, terms, list(standing.kept), list(standing.broken))


def _tokens(row: tuple[Any, ...]) -> int:
    return estimated_tokens(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
