"""How a gameweek turned out for the records that led to it: by place in the field, never by a points threshold."""

from __future__ import annotations

from backroom_pipeline.ledger.standings import form, week_scores
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.model import Outcome, OutcomeVerdict, Role
from backroom_pipeline.memory.records import records_owed


def verdict_of(rank: int, of: int) -> OutcomeVerdict:
    """The best third of the field succeeded, the worst third failed; thirds are of whole places, so 6 of 8 is mixed."""
    if rank * 3 <= of:
        return "success"
    if (of - rank + 1) * 3 <= of:
        return "failure"
    return "mixed"


def outcomes_of_week(ledger: Ledger, season: str, gameweek: int, manager: str, role: Role) -> dict[str, Outcome]:
    """The outcome of every record the role wrote about the gameweek, by record id; empty until it is scored.

    Equal points share the better place.
    """
    own = next((score for score in week_scores(ledger, season, gameweek) if score.manager == manager), None)
    if own is None:
        return {}
    stand = form(ledger, season, gameweek + 1, manager)
    week = stand.weeks[0]
    outcome = Outcome(
        verdict=verdict_of(week.rank, week.of),
        season=season,
        gameweek=gameweek,
        net_points=own.net_points,
        rank=week.rank,
        of=week.of,
        season_total=stand.total,
        scoring_version=own.scoring_version,
    )
    owed = records_owed(ledger, manager, role, before=(season, gameweek + 1))
    return {record.id: outcome for record in owed if (record.season, record.gameweek) == (season, gameweek)}
