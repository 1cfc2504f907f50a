"""The archive's facts and results against what the official game said at the time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.availability import status_from_news
from backroom_pipeline.fpl.model import ChipWindow, Player
from backroom_pipeline_tests.feeds.conftest import GAMEWEEKS, SEASON, FactsOf, ResultsOf

DATED = range(4, 39)
"""Gameweeks with a dated snapshot before the deadline."""
Row = Any
Pair = tuple[Player, Row]


@pytest.fixture(scope="module")
def pairs(official: Path, facts_of: FactsOf) -> dict[int, list[Pair]]:
    """Per gameweek, our player beside the official row captured before the same deadline."""
    table = pd.read_parquet(official / "players_asof.parquet")
    teams = pd.read_parquet(official / "teams_asof.parquet")
    table["club"] = table["team"].map(dict(zip(teams["id"], teams["short_name"], strict=True)))
    table["chance"] = table["chance_of_playing_next_round"].astype(object).where(lambda chance: chance.notna(), None)
    paired: dict[int, list[Pair]] = {}
    for gameweek, rows in table.groupby("gw"):
        ours = {player.id: player for player in facts_of(int(gameweek)).players}
        paired[int(gameweek)] = [(ours[row.id], row) for row in rows.itertuples() if row.id in ours]
    return paired


def share(pairs: list[Pair], same: Callable[[Player, Row], bool]) -> float:
    return sum(same(player, row) for player, row in pairs) / len(pairs)


def test_the_pool_holds_exactly_the_players_the_game_listed_before_each_deadline(
    official: Path, facts_of: FactsOf
) -> None:
    listed = pd.read_parquet(official / "players_asof.parquet", columns=["gw", "id"])
    for gameweek in GAMEWEEKS:
        expected = set(listed[listed["gw"] == gameweek]["id"])
        assert {player.id for player in facts_of(gameweek).players} == expected, gameweek


@pytest.mark.parametrize("gameweek", GAMEWEEKS)
def test_price_club_position_and_code_are_the_official_ones(pairs: dict[int, list[Pair]], gameweek: int) -> None:
    positions = {1: "GK", 2: "DEF", 3: "MID", 4: "FWD"}
    assert share(pairs[gameweek], lambda player, row: player.price == row.now_cost) == 1
    assert share(pairs[gameweek], lambda player, row: player.club == row.club) == 1
    assert share(pairs[gameweek], lambda player, row: player.position == positions[row.element_type]) == 1
    assert share(pairs[gameweek], lambda player, row: player.code == row.code) == 1


@pytest.mark.parametrize("gameweek", range(2, 39))
def test_season_statistics_are_the_official_ones_to_date(pairs: dict[int, list[Pair]], gameweek: int) -> None:
    whole = {
        "points": "total_points",
        "minutes": "minutes",
        "starts": "starts",
        "goals": "goals_scored",
        "assists": "assists",
        "clean_sheets": "clean_sheets",
        "conceded": "goals_conceded",
        "saves": "saves",
        "bonus": "bonus",
        "bps": "bps",
        "yellow_cards": "yellow_cards",
        "red_cards": "red_cards",
        "own_goals": "own_goals",
        "defensive_contribution": "defensive_contribution",
    }
    for ours, theirs in whole.items():
        assert share(pairs[gameweek], lambda p, row, a=ours, b=theirs: getattr(p.season, a) == getattr(row, b)) == 1, (
            ours
        )
    decimal = {"xg": "expected_goals", "xa": "expected_assists", "xgc": "expected_goals_conceded", "ict": "ict_index"}
    for ours, theirs in decimal.items():
        near = share(
            pairs[gameweek], lambda p, row, a=ours, b=theirs: abs(getattr(p.season, a) - getattr(row, b)) < 0.001
        )
        assert near == 1, ours


def test_opening_statistics_are_last_seasons_joined_by_permanent_code(
    pairs: dict[int, list[Pair]], facts_of: FactsOf
) -> None:
    opening = facts_of(1)
    assert opening.statistics_season == "2024-25"
    best = max(opening.players, key=lambda player: player.season.points)
    assert (best.web_name, best.season.points) == ("M.Salah", 344)  # CASES R20
    # The six who differ came back to the league after the game had opened, and were shown without a past.
    assert share(pairs[1], lambda player, row: player.season.points == row.total_points) >= 0.99
    assert share(pairs[1], lambda player, row: player.season.minutes == row.minutes) >= 0.99
    assert all(player.recent.matches == 0 for player in opening.players)
    second = facts_of(2)
    assert second.statistics_season == SEASON
    assert max(player.season.minutes for player in second.players) == 90


def test_chance_and_status_are_the_official_ones_where_the_snapshot_is_recent(pairs: dict[int, list[Pair]]) -> None:
    dated = [pair for gameweek in DATED for pair in pairs[gameweek]]
    assert share(dated, lambda player, row: player.chance_of_playing == row.chance) >= 0.99
    assert share(dated, lambda player, row: player.status == row.status) >= 0.99
    current = [(player, row) for player, row in dated if player.chance_of_playing == row.chance]
    assert share(current, lambda player, row: player.status == row.status) == 1
    for gameweek in DATED:
        assert share(pairs[gameweek], lambda player, row: player.chance_of_playing == row.chance) >= 0.96, gameweek


def test_status_follows_from_chance_and_news_in_every_official_row(official: Path) -> None:
    rows = pd.read_parquet(
        official / "players_asof.parquet", columns=["gw", "status", "chance_of_playing_next_round", "news"]
    )
    told = rows.fillna({"news": ""})
    wrong = [
        (row.status, row.news)
        for row in told.itertuples()
        if status_from_news(_chance(row.chance_of_playing_next_round), row.news) != row.status
    ]
    assert wrong == []


def _chance(value: float) -> int | None:
    return None if pd.isna(value) else int(value)


def test_ownership_is_near_the_official_percentage(pairs: dict[int, list[Pair]], facts_of: FactsOf) -> None:
    dated = [pair for gameweek in DATED for pair in pairs[gameweek]]
    assert (
        share(dated, lambda p, row: p.selected_by is not None and abs(p.selected_by - row.selected_by_percent) <= 1)
        >= 0.99
    )
    assert all(player.selected_by is None for player in facts_of(1).players)
    assert max(player.selected_by or 0 for player in facts_of(2).players) > 30


def test_fitness_is_unknown_and_said_to_be_before_the_first_snapshot(facts_of: FactsOf) -> None:
    for gameweek in (1, 2, 3):
        facts = facts_of(gameweek)
        assert not facts.fitness_known
        assert {player.status for player in facts.players} == {"a"}
        assert any("fitness" in note for note in facts.notes)
    for gameweek in DATED:
        facts = facts_of(gameweek)
        assert facts.fitness_known
        assert not any("fitness" in note for note in facts.notes)


def test_facts_are_of_an_instant_before_the_deadline_and_after_the_last_match(
    facts_of: FactsOf, results_of: ResultsOf
) -> None:
    for gameweek in GAMEWEEKS:
        facts = facts_of(gameweek)
        assert facts.deadline - timedelta(hours=10) < facts.cutoff < facts.deadline
        if gameweek > 1:
            before = results_of(gameweek - 1)
            assert before.known_at < facts.deadline
            kickoffs = [f.kickoff for f in facts.fixtures if f.gameweek == gameweek - 1 and f.kickoff]
            assert max(kickoffs) + timedelta(hours=3) < facts.cutoff


@pytest.mark.parametrize(
    ("player_id", "last_gameweek", "club", "next_club"),
    [(580, 19, "TOT", "CRY"), (82, 21, "BOU", "MCI"), (260, 22, "CRY", "MCI")],
    ids=["Johnson", "Semenyo", "Guehi"],
)
def test_a_player_is_at_the_club_of_that_deadline(
    facts_of: FactsOf, player_id: int, last_gameweek: int, club: str, next_club: str
) -> None:  # CASES R17
    clubs = {
        gameweek: next(player.club for player in facts_of(gameweek).players if player.id == player_id)
        for gameweek in (last_gameweek, last_gameweek + 1)
    }
    assert clubs == {last_gameweek: club, last_gameweek + 1: next_club}


def test_no_two_players_share_name_and_club(facts_of: FactsOf) -> None:  # CASES R26
    for gameweek in GAMEWEEKS:
        names = [(player.web_name, player.club) for player in facts_of(gameweek).players]
        assert len(names) == len(set(names)), gameweek


def test_results_are_the_official_points_and_minutes_match_by_match(official: Path, results_of: ResultsOf) -> None:
    table = pd.read_parquet(official / "live_player_fixture.parquet")
    theirs = {
        (row.round, row.element, row.fixture): (row.total_points, row.minutes, row.bps, row.goals_conceded)
        for row in table.itertuples()
    }
    ours = {
        (gameweek, p.player_id, p.fixture_id): (p.points, p.minutes, p.stats.bps, p.stats.conceded)
        for gameweek in GAMEWEEKS
        for p in results_of(gameweek).performances
    }
    assert len(ours) == 29_747
    assert ours == theirs


def test_scores_and_the_field_are_the_official_ones(official: Path, results_of: ResultsOf) -> None:
    fixtures = pd.read_csv(official / "fixtures_final.csv").set_index("id")
    events = pd.read_csv(official / "events_final.csv").set_index("id")
    seen = 0
    for gameweek in GAMEWEEKS:
        results = results_of(gameweek)
        assert results.final
        assert results.average_score == events.loc[gameweek, "average_entry_score"]
        assert results.highest_score == events.loc[gameweek, "highest_score"]
        for score in results.scores:
            row = fixtures.loc[score.fixture_id]
            assert (score.home_goals, score.away_goals) == (row["team_h_score"], row["team_a_score"])
            seen += 1
    assert seen == 380


def test_a_double_gameweek_gives_a_row_per_match_even_where_one_was_missed(results_of: ResultsOf) -> None:
    saliba = [p for p in results_of(26).performances if p.player_id == 6]  # CASES R11
    assert [(p.minutes, p.points) for p in sorted(saliba, key=lambda p: p.fixture_id)] in (
        [(0, 0), (90, 1)],
        [(90, 1), (0, 0)],
    )
    petrovic = [p for p in results_of(33).performances if p.player_id == 67]  # CASES R10
    assert sorted((p.stats.saves, p.points) for p in petrovic) == [(2, 1), (2, 1)]


def test_the_season_has_its_gameweeks_clubs_and_two_sets_of_chips(feed: ArchiveFeed) -> None:
    season = feed.season(SEASON)
    assert season.gameweeks == tuple(GAMEWEEKS)
    assert len(season.clubs) == 20
    assert season.clubs["WOL"] == "Wolves"
    assert set(season.chips) == {
        ChipWindow(chip="wildcard", first=2, last=19),
        ChipWindow(chip="free_hit", first=2, last=19),
        ChipWindow(chip="bench_boost", first=1, last=19),
        ChipWindow(chip="triple_captain", first=1, last=19),
        ChipWindow(chip="wildcard", first=20, last=38),
        ChipWindow(chip="free_hit", first=20, last=38),
        ChipWindow(chip="bench_boost", first=20, last=38),
        ChipWindow(chip="triple_captain", first=20, last=38),
    }
    assert '"long_play": 2' in season.scoring_json
