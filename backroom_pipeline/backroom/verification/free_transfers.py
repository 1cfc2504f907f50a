"""The free-transfer counter against every hit of many real teams, from their histories alone (CASES R14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backroom_pipeline.backroom.verification.payloads import Entry
from backroom_pipeline.feeds.archive import CHIP_OF_API_NAME
from backroom_pipeline.fpl.model import OwnedPlayer, TeamState
from backroom_pipeline.fpl.rules import FREE_TRANSFER_CHIPS, Rules
from backroom_pipeline.fpl.squad import free_transfers_after

_ENTERED = (OwnedPlayer(player_id=1, purchase_price=0),)
"""A history has no squad; the counter only asks whether there is one."""


@dataclass(frozen=True)
class HitMismatch:
    """A team's gameweek in which the counter does not give the official hit."""

    entry: str
    gameweek: int
    ours: int
    official: int


@dataclass(frozen=True)
class HitVerification:
    """How many team gameweeks there are, and those that differ."""

    entries: int
    gameweeks: int
    mismatches: tuple[HitMismatch, ...]

    @property
    def hit_cost_equal(self) -> int:
        return self.gameweeks - len(self.mismatches)


def verify_hits(entries: Sequence[tuple[str, Entry]], rules: Rules) -> HitVerification:
    """Count every team's free transfers through its season and compare each hit with the official one."""
    gameweeks = 0
    wrong: list[HitMismatch] = []
    for name, entry in entries:
        state = TeamState()
        for week in entry.history:
            chip = CHIP_OF_API_NAME.get(entry.chips.get(week.gameweek, ""))
            free = not state.owned or chip in FREE_TRANSFER_CHIPS or week.gameweek in rules.unlimited_gameweeks
            hit = 0 if free else rules.hit_cost * max(0, week.transfers - state.free_transfers)
            if hit != week.hit_cost:
                wrong.append(HitMismatch(name, week.gameweek, hit, week.hit_cost))
            gameweeks += 1
            left = free_transfers_after(state, chip, week.transfers, rules, week.gameweek)
            state = TeamState(owned=_ENTERED, free_transfers=left)
    return HitVerification(len(entries), gameweeks, tuple(wrong))
