"""Plays a whole season of the house league in a folder of its own and prints what it took: ``python -m bench.season``.

Every squad of every week is judged again from the ledger, by the rules, after the season.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

IMPORTS = "import time; t = time.perf_counter(); import backroom_pipeline.definitions; print(time.perf_counter() - t)"


def seconds_to_import_definitions() -> float:
    """Median of three fresh processes."""
    return median(
        float(subprocess.run([sys.executable, "-c", IMPORTS], check=True, capture_output=True, text=True).stdout)
        for _ in range(3)
    )


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def play(last: int | None, league_name: str) -> dict[str, Any]:
    """Play the season in this process; seconds and megabytes by gameweek, then what the ledger and stores hold."""
    from backroom_pipeline.defs.season import play_season
    from backroom_pipeline.league import load_league, state_dir

    league = load_league(league_name)
    season = league.seasons[-1]
    weeks: dict[int, dict[str, float]] = {}
    begun = mark = time.perf_counter()

    def on_week(gameweek: int, played: bool, standings: list[Any]) -> None:
        nonlocal mark
        now = time.perf_counter()
        weeks[gameweek] = {"seconds": round(now - mark, 3), "resident_mb": round(resident_megabytes(), 1)}
        mark = now

    play_season(league, season, last=last, on_week=on_week)
    wall = time.perf_counter() - begun
    numbers = sorted(weeks)
    late, early = weeks[numbers[-1]]["seconds"], weeks[numbers[min(1, len(numbers) - 1)]]["seconds"]
    return {
        "season": season,
        "gameweeks": len(weeks),
        "wall_seconds": round(wall, 1),
        "median_week_seconds": round(median(week["seconds"] for week in weeks.values()), 3),
        "last_week_over_second": round(late / early, 2),
        "resident_mb_after_week_2": weeks[numbers[min(1, len(numbers) - 1)]]["resident_mb"],
        "resident_mb_at_end": weeks[numbers[-1]]["resident_mb"],
        "weeks": weeks,
        **held(league, state_dir(league), season),
    }


def held(league: Any, directory: Path, season: str) -> dict[str, Any]:
    """Work counted from what the season left behind, and every decision judged once more."""
    from backroom_pipeline.backroom.contest import Contest
    from backroom_pipeline.backroom.contracts import ManagerDecision
    from backroom_pipeline.fpl.model import IllegalSheet
    from backroom_pipeline.fpl.squad import apply_sheet
    from backroom_pipeline.ledger.answers import answers, team_state
    from backroom_pipeline.ledger.facts import gameweek_results
    from backroom_pipeline.ledger.standings import league_table

    with Contest.open(league, directory, read_only=True) as contest:
        count = {
            table: contest.ledger.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"]
            for table in ("attempts", "answers", "claims", "recalls", "memory_index", "outcomes", "audit")
        }
        decisions = answers(contest.ledger, season, role="manager")
        illegal: list[str] = []
        by_week: dict[int, list[Any]] = defaultdict(list)
        for decision in decisions:
            by_week[decision.key.gameweek].append(decision)
        for gameweek, of_week in sorted(by_week.items()):
            pool, rules = contest.pool(season, gameweek), contest.rules(season)
            for decision in of_week:
                before = team_state(contest.ledger, season, gameweek, decision.key.manager)
                sheet = ManagerDecision.model_validate_json(decision.answer_json).sheet
                try:
                    apply_sheet(before, sheet, pool, rules, gameweek)
                except IllegalSheet as breach:
                    illegal.append(f"{decision.key.path}: {breach}")
        averages = [gameweek_results(contest.ledger, season, week) for week in sorted(by_week)]
        table = league_table(contest.ledger, season)
    points = [row.points for row in table]
    return {
        "managers": {row.slug: row.points for row in table},
        "best": max(points),
        "median": median(points),
        "worst": min(points),
        "official_average": sum(result.average_score or 0 for result in averages if result),
        "decisions": len(decisions),
        "illegal_squads": illegal,
        "rows": count,
        "ledger_mb": round((directory / "ledger.duckdb").stat().st_size / 1e6, 1),
        "memory_mb": round(sum(f.stat().st_size for f in (directory / "memory").rglob("*") if f.is_file()) / 1e6, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--league", default="house")
    parser.add_argument("--to", type=int, default=None, help="last gameweek, for a shorter look")
    parser.add_argument("--keep", type=Path, default=None, help="folder to leave the state in")
    parser.add_argument("--json", action="store_true", help="accepted for uniformity; the output is always JSON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        place = arguments.keep or Path(scratch)
        os.environ["BACKROOM_STATE"] = str(place / "state")
        os.environ["DAGSTER_HOME"] = str(place / "dagster")
        (place / "dagster").mkdir(parents=True, exist_ok=True)
        shutil.copyfile("dagster.yaml", place / "dagster" / "dagster.yaml")
        figures = {"definitions_import_seconds": round(seconds_to_import_definitions(), 2)}
        figures |= play(arguments.to, arguments.league)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
