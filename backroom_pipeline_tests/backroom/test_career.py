"""A second season begins with the memory, the identity and the slugs of the first, whatever model is behind them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.briefing import write_briefing
from backroom_pipeline.backroom.career import career
from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.backroom.facts import take_facts, take_results
from backroom_pipeline.backroom.preflight import preflight
from backroom_pipeline.backroom.scoring import attach_outcomes, score_gameweek
from backroom_pipeline.backroom.why import why
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.league import parse_league
from backroom_pipeline.ledger.memory_rows import recalls
from backroom_pipeline.memory.embedder import load_embedder
from backroom_pipeline.memory.model import Member
from backroom_pipeline.memory.rebuild import rebuild
from backroom_pipeline_tests.backroom.conftest import STEPS

FIRST = """
name: career
seasons: [2024-25]
first_gameweek: 37
managers:
  - {slug: banker, name: Brenda Holt, model: house/banker}
  - {slug: planner, name: Anders Nygaard, model: house/planner}
"""
SECOND = FIRST.replace("[2024-25]", "[2024-25, 2025-26]").replace("house/banker", "house/gambler")
PLAYED = (("2024-25", 37), ("2024-25", 38), ("2025-26", 1), ("2025-26", 2))


@pytest.fixture(scope="module")
def directory(feed: ArchiveFeed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two gameweeks of one season, then two of the next with another model behind the banker."""
    directory = tmp_path_factory.mktemp("career")
    for league, weeks in ((FIRST, PLAYED[:2]), (SECOND, PLAYED[2:])):
        with Contest.open(parse_league(league, "career.yaml"), directory) as contest:
            for season, gameweek in weeks:
                take_facts(contest, feed, season, gameweek)
                write_briefing(contest, season, gameweek)
                assert preflight(contest, season, gameweek) == []
                for slug in contest.league.slugs:
                    for step in STEPS:
                        step(contest, season, gameweek, slug)
                take_results(contest, feed, season, gameweek)
                score_gameweek(contest, season, gameweek)
                for slug in contest.league.slugs:
                    attach_outcomes(contest, season, gameweek, slug)
    return directory


@pytest.fixture
def contest(directory: Path) -> Iterator[Contest]:
    with Contest.open(parse_league(SECOND, "career.yaml"), directory) as opened:
        yield opened


def test_an_opening_week_is_decided_on_last_seasons_memory(contest: Contest) -> None:
    opening = why(contest, "2025-26", 1, "planner", "manager")
    shown = [record for question in opening.questions for record in question.found if record.fate == "shown"]
    assert shown
    assert {record.season for record in shown} == {"2024-25"}
    assert any(record.result and record.result.startswith("RESULT:") for record in shown)
    assert recalls(contest.ledger, "2025-26", 1, "planner", "manager")[0].expected > 3


def test_last_seasons_promises_bind_nobody_in_the_next(contest: Contest) -> None:
    assert why(contest, "2025-26", 1, "planner", "manager").promises == ()


def test_the_team_is_built_from_nothing_again(contest: Contest) -> None:
    opening = play.committed(contest, "2025-26", 1, "planner", "coach", play.CoachRanking)
    assert opening is not None
    assert opening.enablers


def test_there_is_one_identity_and_one_store_for_the_whole_career(contest: Contest) -> None:
    held = contest.gateway.get(Member(manager="banker", role="manager"), "banker", "manager")
    assert [record.text for record in held if record.category == "identity"] == [
        "I am the manager of Brenda Holt. I decide the team of every gameweek, say why, and answer for what I promise."
    ]
    narratives = [(record.season, record.gameweek) for record in held if record.category == "narrative"]
    assert narratives == list(PLAYED)


def test_a_changed_model_is_recorded_and_shown(contest: Contest) -> None:
    lived = career(contest, "banker")
    assert lived.changes == ("house/gambler took over from house/banker in gameweek 1 of 2025-26.",)
    assert [(season.season, season.gameweeks) for season in lived.seasons] == [("2024-25", 2), ("2025-26", 2)]
    assert career(contest, "planner").changes == ()
    opening = why(contest, "2025-26", 1, "banker", "manager")
    assert opening.model == "house/gambler"
    assert {record.model for question in opening.questions for record in question.found} == {"house/banker"}


def test_a_career_is_rebuilt_from_the_ledger_without_a_difference(contest: Contest) -> None:
    dry = rebuild(contest.ledger, contest.directory / "memory", None, load_embedder("local"), dry_run=True)
    assert dry.managers == ("banker", "planner")
    assert dry.differences == ()
