"""The archive and the official records the feeds are held against; absent ones skip with a reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.fetch import archive_path
from backroom_pipeline.fpl.model import GameweekFacts, GameweekResults

REPOSITORY = Path(__file__).resolve().parents[2]
SEASON = "2025-26"
GAMEWEEKS = range(1, 39)

FactsOf = Callable[[int], GameweekFacts]
ResultsOf = Callable[[int], GameweekResults]


@pytest.fixture(scope="session")
def archive() -> Path:
    path = archive_path(REPOSITORY / "data" / "archive")
    if not path.is_file():
        pytest.skip(f"no archive at {path}: run `backroom data fetch`")
    return path


@pytest.fixture(scope="session")
def feed(archive: Path) -> ArchiveFeed:
    return ArchiveFeed(archive)


@pytest.fixture(scope="session")
def facts_of(feed: ArchiveFeed) -> FactsOf:
    taken: dict[int, GameweekFacts] = {}

    def facts(gameweek: int) -> GameweekFacts:
        if gameweek not in taken:
            taken[gameweek] = feed.facts(SEASON, gameweek)
        return taken[gameweek]

    return facts


@pytest.fixture(scope="session")
def results_of(feed: ArchiveFeed) -> ResultsOf:
    taken: dict[int, GameweekResults] = {}

    def results(gameweek: int) -> GameweekResults:
        if gameweek not in taken:
            taken[gameweek] = feed.results(SEASON, gameweek)
        return taken[gameweek]

    return results


@pytest.fixture(scope="session")
def official() -> Path:
    """Tables of the official game as it stood before each deadline of 2025/26."""
    folder = (REPOSITORY / ".." / "shared" / "data" / "fpl" / "official-2025-26").resolve()
    if not folder.is_dir():
        pytest.skip(f"no official records at {folder}")
    return folder


@pytest.fixture(scope="session")
def captures(official: Path) -> Path:
    """The official player list as it was captured before each deadline of 2025/26."""
    folder = official.parent / "captures-2025-26"
    if not folder.is_dir():
        pytest.skip(f"no captures at {folder}")
    return folder
