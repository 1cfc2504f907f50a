"""A manager's team before a deadline, and the promises that bind it: what lies on one desk and on nobody else's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backroom_pipeline.backroom.contest import Contest, Week
from backroom_pipeline.backroom.pinned import Pinned, pinned
from backroom_pipeline.fpl.model import Applied, Chip, ChipWindow, Player, TeamSheet, TeamState
from backroom_pipeline.fpl.squad import apply_sheet, chips_left, chips_playable
from backroom_pipeline.ledger.answers import team_state
from backroom_pipeline.memory.commitments import standing_claims

ReadingRole = Literal["assistant", "manager"]


@dataclass(frozen=True)
class Desk:
    """One manager's team before a deadline and the promises that bind it."""

    week: Week
    manager: str
    state: TeamState
    pinned: Pinned

    @property
    def opening(self) -> bool:
        return not self.state.owned

    @property
    def pool(self) -> dict[int, Player]:
        return self.week.pool

    @property
    def chips_left(self) -> tuple[ChipWindow, ...]:
        return chips_left(self.state, self.week.rules, self.week.gameweek)

    @property
    def chips_playable(self) -> tuple[Chip, ...]:
        return chips_playable(self.state, self.week.rules, self.week.gameweek)

    def apply(self, sheet: TeamSheet) -> Applied:
        """The sheet's bill and the team it leaves. Raises IllegalSheet."""
        return apply_sheet(self.state, sheet, self.pool, self.week.rules, self.week.gameweek)


def open_desk(contest: Contest, week: Week, slug: str, role: ReadingRole) -> Desk:
    """The desk as a role may see it; without promises where the league file says so."""
    policy = contest.league.recall_of(role)
    shown = contest.league.memory == "on" and policy.standing_commitments
    promises = standing_claims(contest.ledger, slug, week.season, week.gameweek) if shown else []
    return Desk(
        week=week,
        manager=slug,
        state=team_state(contest.ledger, week.season, week.gameweek, slug),
        pinned=pinned(promises, policy.budget_tokens // (1 if week.profile == "full" else 5)),
    )
