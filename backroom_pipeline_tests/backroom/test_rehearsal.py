"""A whole live season on loopback: what the ledger holds afterwards is what the captures say."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backroom_pipeline.backroom.rehearsal.season import Rehearsal, rehearse
from backroom_pipeline.cli import app
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.fetch import archive_path
from backroom_pipeline.ledger.facts import gameweek_facts, gameweek_results
from backroom_pipeline.ledger.store import Ledger

REPOSITORY = Path(__file__).resolve().parents[2]
RECORDS = (REPOSITORY / ".." / "shared" / "data" / "fpl").resolve()
CAPTURES, TABLES = RECORDS / "captures-2025-26", RECORDS / "official-2025-26"
SEASON = "2025-26"

pytestmark = pytest.mark.skipif(not CAPTURES.is_dir(), reason=f"no captures at {CAPTURES}")


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rehearsal")


@pytest.fixture(scope="module")
def rehearsed(workplace: Path) -> Rehearsal:
    return rehearse(CAPTURES, TABLES, workplace)


def test_the_ledger_of_a_rehearsed_season_says_what_the_captures_say(rehearsed: Rehearsal) -> None:
    assert rehearsed.mismatches == []
    assert (rehearsed.gameweeks, rehearsed.players, rehearsed.fixtures) == (38, 29_646, 38 * 380)
    assert (rehearsed.results, rehearsed.performances) == (37, 29_747 - 841)


def test_deadlines_that_moved_are_the_ones_that_held(rehearsed: Rehearsal) -> None:  # CASES R22
    assert rehearsed.deadlines_moved == 30
    assert rehearsed.moved_and_used == 25


def test_after_every_deadline_last_weeks_story_was_refused(rehearsed: Rehearsal) -> None:
    assert rehearsed.stale_refused == 37


def test_every_week_comes_out_of_the_snapshots_to_the_byte(rehearsed: Rehearsal) -> None:
    assert rehearsed.replays_equal == 38


def test_the_api_is_spared(rehearsed: Rehearsal) -> None:
    assert rehearsed.not_modified > 200
    # Player lists, fixture lists, a file of points a gameweek, and the players of double gameweeks match by match.
    assert rehearsed.snapshots < 300
    assert rehearsed.snapshot_bytes < 10_000_000


def test_live_statistics_and_results_are_those_of_the_archive(rehearsed: Rehearsal, workplace: Path) -> None:
    wheel = archive_path(REPOSITORY / "data" / "archive")
    if not wheel.is_file():
        pytest.skip(f"no archive at {wheel}: run `backroom data fetch`")
    archive = ArchiveFeed(wheel)
    with Ledger.open(workplace / "ledger.duckdb", read_only=True) as ledger:
        for gameweek in (2, 7, 17, 27, 34, 37):
            facts = gameweek_facts(ledger, SEASON, gameweek)
            live = {player.id: player for player in facts.players}
            # A capture from before the nightly change of prices (CASES R30) still has those of the day before.
            same_prices = facts.cutoff.hour >= 2
            past = {player.id: player for player in archive.facts(SEASON, gameweek).players}
            assert live.keys() == past.keys()
            for player_id, player in live.items():
                known = past[player_id]
                assert player.club == known.club, player
                assert player.price == known.price or not same_prices, player
                assert (player.season, player.recent) == (known.season, known.recent), player
        for gameweek in (1, 26, 33, 36):
            results = gameweek_results(ledger, SEASON, gameweek)
            assert results is not None
            archived = archive.results(SEASON, gameweek)
            assert set(results.performances) == set(archived.performances)
            assert results.scores == archived.scores


@pytest.fixture
def opening_weeks(tmp_path: Path) -> Path:
    captures = tmp_path / "captures"
    captures.mkdir()
    for path in sorted(CAPTURES.glob("GW0[12]-*")):
        shutil.copy(path, captures / path.name)
    return captures


def test_the_command_prints_one_object_and_succeeds(opening_weeks: Path) -> None:
    done = CliRunner().invoke(
        app, ["data", "rehearse", "--captures", str(opening_weeks), "--tables", str(TABLES), "--json"]
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["equal"]
    assert (found["gameweeks"], found["players"], found["mismatches"]) == (2, 685 + 699, [])


def test_a_capture_that_the_ledger_does_not_hold_is_counted(opening_weeks: Path, tmp_path: Path) -> None:
    from backroom_pipeline.backroom.rehearsal import season

    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(season.WHOLE, "minutes", "total_points")
        found = rehearse(opening_weeks, TABLES, tmp_path / "work")
    said = json.loads(gzip.decompress(next(opening_weeks.glob("GW02-*")).read_bytes()))
    different = sum(element["minutes"] != element["total_points"] for element in said["elements"])
    assert len([mismatch for mismatch in found.mismatches if mismatch.startswith("GW2 ")]) == different > 0


def test_a_folder_without_captures_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["data", "rehearse", "--captures", str(tmp_path)])
    assert done.exit_code == 1
    assert f"There are no captures in {tmp_path}" in str(done.exception)
