"""Open promises take their place in the memory section before anything is recalled."""

from __future__ import annotations

import json

from backroom_pipeline.backroom.pinned import PINNED_COLUMNS, pinned
from backroom_pipeline.memory.budget import estimated_tokens
from backroom_pipeline.memory.model import Claim, KeepPlayer, StandingClaim


def promise(number: int) -> StandingClaim:
    claim = Claim(
        text=f"I keep player number {number} until the season is over, whatever anybody says of him.",
        terms=KeepPlayer(kind="keep_player", player_id=number),
    )
    return StandingClaim(record_id=str(number), manager="opus", made_in=1, ordinal=number, claim=claim, kept=(2, 3))


def test_promises_that_fit_are_shown_with_their_terms() -> None:
    shown = pinned([promise(1), promise(2)], 1500)
    assert [dict(zip(PINNED_COLUMNS, row, strict=True))["terms"] for row in shown.rows] == [
        {"kind": "keep_player", "player_id": 1},
        {"kind": "keep_player", "player_id": 2},
    ]
    assert shown.left_out == 0


def test_more_promises_are_shown_without_terms_before_any_is_left_out() -> None:
    promises = [promise(number) for number in range(1, 25)]
    everything = pinned(promises, 100_000)
    shown = pinned(promises, everything.tokens - 1)
    assert len(shown.rows) == 24
    assert all(row[PINNED_COLUMNS.index("terms")] is None for row in shown.rows)


def test_what_does_not_fit_is_counted_and_the_most_binding_are_there() -> None:
    promises = [promise(number) for number in range(1, 200)]
    shown = pinned(promises, 1500)
    assert shown.claims == tuple(promises[: len(shown.rows)])
    assert shown.left_out == 199 - len(shown.rows) > 0
    text = "".join(json.dumps(row, separators=(",", ":")) for row in shown.rows)
    assert 1450 < estimated_tokens(text) == shown.tokens <= 1500


def test_no_budget_shows_nothing() -> None:
    assert pinned([promise(1)], 0).rows == ()
    assert pinned([], 1500).tokens == 0
