"""How far a season is and what it took, from the ledger alone."""

from __future__ import annotations

from typing import Any

from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.ledger.calls import calls
from backroom_pipeline.ledger.completeness import incomplete
from backroom_pipeline.ledger.spending import spent
from backroom_pipeline.ledger.standings import league_table, scored_gameweeks


def overview(contest: Contest, season: str) -> dict[str, Any]:
    """Gameweeks played, what the one in progress lacks, who leads, calls by status, cost, memory records.

    And whose team was carried over in which of them.
    """
    scored = scored_gameweeks(contest.ledger, season)
    ahead = [week for of, week in contest.league.gameweeks if of == season and week not in scored]
    current = ahead[0] if ahead else None
    begun = current is not None and bool(
        contest.ledger.rows("SELECT 1 FROM answers WHERE season = ? AND gameweek = ? LIMIT 1", [season, current])
    )
    table = league_table(contest.ledger, season)
    asked = calls(contest.ledger, season)
    by_status: dict[str, int] = {}
    for call in asked:
        by_status[call.status] = by_status.get(call.status, 0) + 1
    money = spent(contest.ledger, season)
    return {
        "season": season,
        "gameweeks_played": len(scored),
        "next_gameweek": current,
        "stopped_half_way": [m.sentence for m in incomplete(contest.ledger, season, current, contest.league.slugs)]
        if begun and current is not None
        else [],
        "leader": table[0].slug if table else None,
        "carried_over": {row.slug: list(row.carried_over) for row in table if row.carried_over},
        "calls": by_status,
        "cost_micro_dollars": money.known,
        "calls_of_unknown_cost": money.calls_of_unknown_cost,
        "assumed_for_them_micro_dollars": money.assumed,
        "memory_records": contest.ledger.rows("SELECT count(*) AS n FROM memory_index")[0]["n"],
    }
