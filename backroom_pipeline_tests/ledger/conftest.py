"""A fresh ledger per test, and real facts of the season 2025-26 where the archive lies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from backroom_pipeline.fpl.model import GameweekFacts, GameweekResults
from backroom_pipeline.ledger.store import Ledger

ARCHIVE = Path(__file__).parents[2] / "data" / "archive"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "ledger.duckdb"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    with Ledger.open(path) as opened:
        yield opened


@pytest.fixture(scope="session")
def real_gameweek() -> tuple[GameweekFacts, GameweekResults]:
    """Gameweek 7 of 2025-26: the world before its deadline, and what happened."""
    from backroom_pipeline.feeds.archive import ArchiveFeed
    from backroom_pipeline.feeds.fetch import archive_path

    wheel = archive_path(ARCHIVE)
    if not wheel.exists():
        pytest.skip(f"the archive is not at {wheel}; fetch it with: backroom data fetch")
    feed = ArchiveFeed(wheel)
    return feed.facts("2025-26", 7), feed.results("2025-26", 7)
