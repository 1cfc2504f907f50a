"""Six seasons scored again: points of every row, bonus of every match, and a difference where there is one."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from backroom_pipeline.backroom.verification import scoring as verification
from backroom_pipeline.backroom.verification.scoring import Difference, verifiable_seasons, verify_scoring
from backroom_pipeline.cli.verify import verify_app
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.fpl.model import GameweekResults
from backroom_pipeline.fpl.rules import Rules, load_rules

ROWS = {
    "2020-21": 24_365,
    "2021-22": 25_447,
    "2022-23": 26_467,
    "2023-24": 29_725,
    "2024-25": 27_283,
    "2025-26": 29_747,
}
"""A row is a player in a match of his club, played or not, counted once (CASES R25)."""


class Altered(ArchiveFeed):
    """The archive with one player's points and another one's bonus of one match changed."""

    def results(self, season: str, gameweek: int) -> GameweekResults:
        results = super().results(season, gameweek)
        if gameweek != 3:
            return results
        first, *rest = results.performances
        best = next(one for one in rest if one.stats.bonus == 3)
        changed = best.model_copy(
            update={"stats": best.stats.model_copy(update={"bonus": 2}), "points": best.points - 1}
        )
        others = (changed if one is best else one for one in rest)
        return results.model_copy(
            update={"performances": (first.model_copy(update={"points": first.points + 1}), *others)}
        )


def test_the_seasons_that_are_scored_again_are_those_with_rules(feed: ArchiveFeed) -> None:
    assert verifiable_seasons(feed) == tuple(ROWS)


@pytest.mark.parametrize("season", ROWS)
def test_every_row_and_every_bonus_is_what_the_official_game_gave(season: str, feed: ArchiveFeed) -> None:
    verified = verify_scoring(feed, season)
    assert (verified.rows, verified.matches) == (ROWS[season], 380)
    assert (verified.rows_equal, verified.bonus_equal) == (verified.rows, verified.matches)
    assert verified.differences == ()
    assert verified.scoring_stated == (season >= "2024-25")
    assert verified.assistant_managers == (20 if season == "2024-25" else 0)


def test_a_point_and_a_bonus_that_differ_are_named(feed: ArchiveFeed) -> None:
    altered = Altered(feed.path)
    verified = verify_scoring(altered, "2020-21")
    first, *rest = feed.results("2020-21", 3).performances
    best = next(one for one in rest if one.stats.bonus == 3)
    assert set(verified.differences) == {
        Difference(3, first.fixture_id, first.player_id, "points", first.points, first.points + 1),
        Difference(3, best.fixture_id, best.player_id, "bonus", 3, 2),
    }
    assert (verified.rows_equal, verified.bonus_equal) == (ROWS["2020-21"] - 1, 379)


def test_the_command_ends_with_1_where_a_rule_is_wrong(feed: ArchiveFeed, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a goalkeeper's goal worth ten in 2020/21, exactly one row differs: Alisson's at West Bromwich."""

    def of_today(season: str) -> Rules:
        rules = load_rules(season)
        ten = rules.scoring.model_copy(update={"goals": {**rules.scoring.goals, "GK": 10}})
        return rules.model_copy(update={"scoring": ten})

    monkeypatch.setenv("BACKROOM_ARCHIVE", str(feed.path.parent))
    monkeypatch.setattr(verification, "load_rules", of_today)
    ended = CliRunner().invoke(verify_app, ["scoring", "--season", "2020-21", "--json"])
    assert ended.exit_code == 1
    [season] = json.loads(ended.stdout)["seasons"]
    assert season["differences"] == [
        {"gameweek": 36, "fixture_id": 353, "player_id": 252, "figure": "points", "ours": 14, "official": 10}
    ]


def test_the_command_prints_the_counts_and_ends_with_0(feed: ArchiveFeed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKROOM_ARCHIVE", str(feed.path.parent))
    ended = CliRunner().invoke(verify_app, ["scoring", "--season", "2020-21", "--json"])
    assert ended.exit_code == 0, ended.output
    printed = json.loads(ended.stdout)
    assert {name: printed[name] for name in ("rows", "rows_equal", "matches", "bonus_equal")} == {
        "rows": 24_365,
        "rows_equal": 24_365,
        "matches": 380,
        "bonus_equal": 380,
    }


def test_season_and_all_exclude_each_other() -> None:
    ended = CliRunner().invoke(verify_app, ["scoring", "--season", "2020-21", "--all"])
    assert ended.exit_code == 2
    assert "not both" in ended.output


def test_a_source_that_scores_what_nothing_here_counts_is_refused(
    feed: ArchiveFeed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "load_rules", lambda season: load_rules("2024-25"))
    with pytest.raises(FeedError, match=r"scoring of 2025-26 cannot be followed.*defensive contribution"):
        verify_scoring(feed, "2025-26")
