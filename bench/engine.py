"""How long the engine takes to apply a legal sheet and to score it, over a season already played.

``python -m bench.engine [--state data/state/house]``: every decision of the ledger, applied and scored again.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.backroom.contracts import ManagerDecision
from backroom_pipeline.fpl.lineup import gameweek_performances, score_lineup
from backroom_pipeline.fpl.squad import apply_sheet
from backroom_pipeline.league import load_league, state_dir
from backroom_pipeline.ledger.answers import answers, team_state
from backroom_pipeline.ledger.facts import gameweek_results
from backroom_pipeline.memory.commitments import standing_claims


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--league", default="house")
    parser.add_argument("--state", type=Path, default=None, help="the league's folder; data/state/LEAGUE by default")
    parser.add_argument("--json", action="store_true", help="accepted for uniformity; the output is always JSON")
    arguments = parser.parse_args()
    league = load_league(arguments.league)
    season = league.seasons[-1]
    applied: list[float] = []
    scored: list[float] = []
    stood: list[float] = []
    with Contest.open(league, arguments.state or state_dir(league), read_only=True) as contest:
        for row in answers(contest.ledger, season, role="manager"):
            week = contest.week(season, row.gameweek)
            state = team_state(contest.ledger, season, row.gameweek, row.manager)
            sheet = ManagerDecision.model_validate_json(row.answer_json).sheet
            results = gameweek_results(contest.ledger, season, row.gameweek)
            assert results is not None, "a played season has results"
            performances = gameweek_performances(results.performances)
            positions = {player: week.pool[player].position for player in sheet.player_ids}
            start = time.process_time()
            apply_sheet(state, sheet, week.pool, week.rules, row.gameweek)
            middle = time.process_time()
            score_lineup(sheet, performances, positions)
            applied.append(middle - start)
            scored.append(time.process_time() - middle)
        last = max(row.gameweek for row in answers(contest.ledger, season, role="manager"))
        claims = 0
        for slug in league.slugs:
            start = time.process_time()
            claims += len(standing_claims(contest.ledger, slug, season, last + 1, include_closed=True))
            stood.append(time.process_time() - start)
    figures = {
        "sheets": len(applied),
        "apply_sheet_cpu_ms_mean": round(1000 * sum(applied) / len(applied), 3),
        "score_lineup_cpu_ms_mean": round(1000 * sum(scored) / len(scored), 3),
        "managers": len(stood),
        "claims": claims,
        "standing_claims_cpu_ms_max": round(1000 * max(stood), 1),
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
