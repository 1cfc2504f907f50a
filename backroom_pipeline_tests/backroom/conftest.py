"""A small league of house models played for two real gameweeks, without Dagster."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.briefing import write_briefing
from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.backroom.facts import take_facts, take_results
from backroom_pipeline.backroom.scoring import attach_outcomes, score_gameweek
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.fetch import archive_path
from backroom_pipeline.league import League, parse_league

REPOSITORY = Path(__file__).resolve().parents[2]
SEASON = "2025-26"
LEAGUE_TEXT = """
name: small
seasons: [2025-26]
managers:
  - {slug: banker, name: Brenda Holt, model: house/banker}
  - {slug: gambler, name: Rafe Delaney, model: house/gambler}
  - {slug: planner, name: Anders Nygaard, model: house/planner}
"""
LEAGUE = parse_league(LEAGUE_TEXT, "small.yaml")
STEPS = (play.rank, play.propose, play.decide, play.remember)


@dataclass(frozen=True)
class Played:
    """A contest with gameweeks 1 and 2 over, and the facts and briefing of gameweek 3 taken."""

    league: League
    directory: Path
    feed: ArchiveFeed


def before_the_deadline(contest: Contest, feed: ArchiveFeed, gameweek: int) -> None:
    take_facts(contest, feed, SEASON, gameweek)
    write_briefing(contest, SEASON, gameweek)


def play_gameweek(contest: Contest, feed: ArchiveFeed, gameweek: int) -> None:
    before_the_deadline(contest, feed, gameweek)
    for slug in contest.league.slugs:
        for step in STEPS:
            step(contest, SEASON, gameweek, slug)
    take_results(contest, feed, SEASON, gameweek)
    score_gameweek(contest, SEASON, gameweek)
    for slug in contest.league.slugs:
        attach_outcomes(contest, SEASON, gameweek, slug)


@pytest.fixture(scope="session")
def feed() -> ArchiveFeed:
    path = archive_path(REPOSITORY / "data" / "archive")
    if not path.is_file():
        pytest.skip(f"no archive at {path}: run `backroom data fetch`")
    return ArchiveFeed(path)


@pytest.fixture(scope="session")
def played(feed: ArchiveFeed, tmp_path_factory: pytest.TempPathFactory) -> Played:
    directory = tmp_path_factory.mktemp("contest")
    with Contest.open(LEAGUE, directory) as contest:
        for gameweek in (1, 2):
            play_gameweek(contest, feed, gameweek)
        before_the_deadline(contest, feed, 3)
    return Played(LEAGUE, directory, feed)


@pytest.fixture
def contest(played: Played, tmp_path: Path) -> Iterator[Contest]:
    """A copy of the played contest that a test may change."""
    import shutil

    shutil.copytree(played.directory, tmp_path / "contest")
    with Contest.open(played.league, tmp_path / "contest") as opened:
        yield opened
