"""The comparison with captures and the look-ahead audit: they pass on the real feed, and fail on a false one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backroom_pipeline.backroom.verification import look_ahead
from backroom_pipeline.backroom.verification.captures import verify_captures
from backroom_pipeline.cli import app
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.fpl.model import GameweekFacts, Player
from backroom_pipeline_tests.backroom.conftest import REPOSITORY, SEASON


@pytest.fixture(scope="module")
def captures() -> Path:
    folder = (REPOSITORY / ".." / "shared" / "data" / "fpl" / "official-2025-26").resolve()
    if not folder.is_dir():
        pytest.skip(f"no official captures at {folder}")
    return folder


class FalseFeed(ArchiveFeed):
    """The archive with one player told falsely."""

    def __init__(self, path: Path, player_id: int, **told: object) -> None:
        super().__init__(path)
        self.player_id, self.told = player_id, told

    def facts(self, season: str, gameweek: int) -> GameweekFacts:
        facts = super().facts(season, gameweek)
        return facts.model_copy(update={"players": tuple(self._told(player) for player in facts.players)})

    def _told(self, player: Player) -> Player:
        return player.model_copy(update=self.told) if player.id == self.player_id else player


def test_price_club_points_and_minutes_are_equal_in_every_captured_row(feed: ArchiveFeed, captures: Path) -> None:
    found = verify_captures(feed, SEASON, captures, [2, 20, 27, 38])
    assert found.rows == found.fields["price"].compared > 3000
    for field in ("price", "club", "total_points", "minutes", "fixture_gameweek", "fixture_difficulty"):
        assert found.fields[field].equal == found.fields[field].compared, field
    assert found.fields["chance"].equal >= 0.99 * found.fields["chance"].compared
    assert found.passed
    assert any("gameweeks 2 " in remark for remark in found.remarks)


def test_the_six_who_came_back_to_the_league_are_explained(feed: ArchiveFeed, captures: Path) -> None:
    found = verify_captures(feed, SEASON, captures, [1])
    returned = {difference.of for difference in found.differences if difference.field == "total_points"}
    assert returned == {659, 671, 674, 676, 679, 680}
    assert all(difference.explanation for difference in found.differences)
    assert found.passed


@pytest.mark.parametrize(("field", "told"), [("price", {"price": 1}), ("club", {"club": "XXX"})])
def test_a_single_false_figure_is_found_and_not_excused(
    feed: ArchiveFeed, captures: Path, field: str, told: dict[str, object]
) -> None:
    found = verify_captures(FalseFeed(feed.path, 100, **told), SEASON, captures, [20])
    unexplained = [one for one in found.differences if one.explanation is None]
    assert [(one.gameweek, one.field, one.of) for one in unexplained] == [(20, field, 100)]
    assert not found.passed


def test_captures_that_are_not_there_are_named(feed: ArchiveFeed, tmp_path: Path) -> None:
    with pytest.raises(FeedError, match=r"lack players_asof\.parquet"):
        verify_captures(feed, SEASON, tmp_path)


@pytest.mark.parametrize("gameweek", [4, 33])
def test_the_briefing_keeps_its_bytes_whatever_happens_after_the_cutoff(feed: ArchiveFeed, gameweek: int) -> None:
    audited = look_ahead.audit_look_ahead(feed.path, SEASON, [gameweek])
    assert audited.changed == ()
    assert (audited.controls, audited.controls_changed) == (1, 1)
    assert audited.passed


def test_the_audit_finds_a_feed_that_looks_ahead(feed: ArchiveFeed, monkeypatch: pytest.MonkeyPatch) -> None:
    class LeakingFeed(ArchiveFeed):
        """Its statistics hold the first match of the gameweek it is asked about."""

        def facts(self, season: str, gameweek: int) -> GameweekFacts:
            facts = super().facts(season, gameweek)
            match = next(row for row in self._season(season).appearances[facts.players[0].id] if
                         row.gameweek == gameweek)  # fmt: skip
            knowing = facts.players[0].model_copy(
                update={"season": facts.players[0].season.model_copy(update={"minutes": match.figures[1]})}
            )
            return facts.model_copy(update={"players": (knowing, *facts.players[1:])})

    monkeypatch.setattr(look_ahead, "ArchiveFeed", LeakingFeed)
    audited = look_ahead.audit_look_ahead(feed.path, SEASON, [20])
    assert {gameweek for gameweek, _ in audited.changed} == {20}
    assert not audited.passed


def test_the_command_prints_one_object_with_counts(feed: ArchiveFeed, captures: Path, monkeypatch) -> None:
    monkeypatch.setenv("BACKROOM_ARCHIVE", str(feed.path.parent))
    done = CliRunner().invoke(app, ["data", "verify", "--official", str(captures), "-g", "10", "--no-audit", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["captures"]["fields"]["price"]["equal"] == told["captures"]["rows"] > 700
    assert told["look_ahead"] is None
