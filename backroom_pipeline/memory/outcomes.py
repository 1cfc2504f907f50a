"""How a gameweek turned out for the records that led to it: by place in the field, never by a points threshold."""

from __future__ import annotations

from backroom_pipeline.ledger.standings import place_in, season_total, week_scores
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.model import Outcome, OutcomeVerdict, Role
from backroom_pipeline.memory.records import week_records

_JUDGED: tuple[Role, ...] = ("assistant", "manager")
"""The coach ranks without seeing a squad, so no team's points judge it."""


def verdict_of(rank: int, of: int) -> OutcomeVerdict:
    """The best third of the field succeeded, the worst third failed; thirds are of whole places, so 6 of 8 is mixed."""
    if rank * 3 <= of:
        return "success"
    if (of - rank + 1) * 3 <= of:
        return "failure"
    return "mixed"


def outcome_of_week(ledger: Ledger, season: str, gameweek: int, manager: str) -> Outcome | None:
    """How the gameweek turned out for the manager; None until it is scored. Equal points share the better place."""
    field = week_scores(ledger, season, gameweek)
    own = next((score for score in field if score.manager == manager), None)
    if own is None:
        return None
    rank = place_in(field, own)
    return Outcome(
        verdict=verdict_of(rank, len(field)),
        season=season,
        gameweek=gameweek,
        net_points=own.net_points,
        rank=rank,
        of=len(field),
        season_total=season_total(ledger, season, gameweek, manager),
        scoring_version=own.scoring_version,
    )


def outcomes_of_week(ledger: Ledger, season: str, gameweek: int, manager: str) -> dict[Role, dict[str, Outcome]]:
    """The outcome of every record that led to the gameweek's sheet, by role and record id; empty until it is scored."""
    outcome = outcome_of_week(ledger, season, gameweek, manager)
    if outcome is None:
        return {}
    owed = week_records(ledger, season, gameweek, manager)
    return {role: {record.id: outcome for record in owed.get(role, ())} for role in _JUDGED}
