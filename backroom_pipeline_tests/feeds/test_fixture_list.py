"""Every match in the gameweek it was in at the time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline_tests.feeds.conftest import GAMEWEEKS, FactsOf


def matches_per_club(facts_of: FactsOf, seen_before: int, gameweek: int) -> dict[str, int]:
    facts = facts_of(seen_before)
    counted = Counter({club: 0 for fixture in facts.fixtures for club in (fixture.home, fixture.away)})
    for fixture in facts.fixtures:
        if fixture.gameweek == gameweek:
            counted.update((fixture.home, fixture.away))
    return dict(counted)


def test_gameweeks_and_difficulties_are_those_of_the_last_dated_copy(official: Path, facts_of: FactsOf) -> None:
    copies = pd.read_parquet(official / "fixtures_history.parquet")
    copies["at"] = pd.to_datetime(copies["snapshot_time"], utc=True)
    for gameweek in GAMEWEEKS:
        facts = facts_of(gameweek)
        newest = copies[copies["at"] == copies[copies["at"] <= facts.cutoff]["at"].max()]
        theirs = {
            row.id: (None if pd.isna(row.event) else int(row.event), row.team_h_difficulty, row.team_a_difficulty)
            for row in newest.itertuples()
        }
        ours = {f.id: (f.gameweek, f.home_difficulty, f.away_difficulty) for f in facts.fixtures}
        assert ours == theirs, gameweek


@pytest.mark.parametrize(
    ("fixture", "seen_before", "gameweek"),
    [(307, 29, 31), (307, 30, None), (307, 34, None), (307, 35, 36), (310, 24, 31), (310, 25, 26)]
    + [(moved, seen, gameweek) for moved in (332, 333, 334) for seen, gameweek in ((31, 34), (32, 33))],
)
def test_a_postponed_match_is_moved_only_once_that_was_known(
    facts_of: FactsOf, fixture: int, seen_before: int, gameweek: int | None
) -> None:  # CASES R23
    known = next(known for known in facts_of(seen_before).fixtures if known.id == fixture)
    assert known.gameweek == gameweek
    assert gameweek == seen_before or known.kickoff is None


@pytest.mark.parametrize(
    ("gameweek", "blanks"),
    [(31, {"ARS", "CRY", "MCI", "WOL"}), (34, {"BUR", "BOU", "BHA", "CHE", "LEE", "MCI"}), (30, set())],
)
def test_blanks_are_known_before_their_own_deadline(facts_of: FactsOf, gameweek: int, blanks: set[str]) -> None:
    counted = matches_per_club(facts_of, gameweek, gameweek)  # CASES R24
    assert {club for club, matches in counted.items() if matches == 0} == blanks


@pytest.mark.parametrize(
    ("gameweek", "doubles"),
    [(26, {"ARS", "WOL"}), (33, {"BUR", "BOU", "BHA", "CHE", "LEE", "MCI"}), (36, {"CRY", "MCI"}), (32, set())],
)
def test_doubles_are_known_before_their_own_deadline(facts_of: FactsOf, gameweek: int, doubles: set[str]) -> None:
    counted = matches_per_club(facts_of, gameweek, gameweek)  # CASES R24
    assert {club for club, matches in counted.items() if matches == 2} == doubles


def test_nobody_sees_a_later_double_in_august(facts_of: FactsOf) -> None:
    for gameweek in GAMEWEEKS:
        assert set(matches_per_club(facts_of, 1, gameweek).values()) == {1}


def test_a_season_without_dated_copies_says_that_its_list_is_the_final_one(feed: ArchiveFeed) -> None:
    facts = feed.facts("2024-25", 10)
    assert any("final fixture list" in note for note in facts.notes)
    assert not facts.fitness_known
