"""How long a season's facts and results take from the archive into a ledger: ``python -m bench.facts``."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.fetch import archive_path
from backroom_pipeline.league import archive_dir
from backroom_pipeline.ledger.facts import record_gameweek, record_results, record_season
from backroom_pipeline.ledger.store import Ledger


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--season", default="2025-26")
    parser.add_argument("--json", action="store_true", help="accepted for uniformity; the output is always JSON")
    season = parser.parse_args().season
    begun = time.perf_counter()
    feed = ArchiveFeed(archive_path(archive_dir()))
    players = performances = 0
    read = written = 0.0
    with tempfile.TemporaryDirectory() as scratch, Ledger.open(Path(scratch) / "ledger.duckdb") as ledger:
        facts_of_season = feed.season(season)
        record_season(ledger, facts_of_season)
        for gameweek in facts_of_season.gameweeks:
            mark = time.perf_counter()
            facts, results = feed.facts(season, gameweek), feed.results(season, gameweek)
            read += time.perf_counter() - mark
            mark = time.perf_counter()
            record_gameweek(ledger, facts)
            record_results(ledger, results)
            written += time.perf_counter() - mark
            players += len(facts.players)
            performances += len(results.performances)
    figures = {
        "season": season,
        "gameweeks": len(facts_of_season.gameweeks),
        "players": players,
        "performances": performances,
        "seconds": round(time.perf_counter() - begun, 2),
        "seconds_reading": round(read, 2),
        "seconds_writing": round(written, 2),
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
