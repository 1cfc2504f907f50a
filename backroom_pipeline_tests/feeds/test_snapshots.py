"""Replaying a live season from what was kept of it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from backroom_pipeline.backroom.rehearsal.recorded import RecordedSeason
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.feeds.snapshot_store import INDEX, SnapshotStore
from backroom_pipeline.feeds.snapshots import SnapshotFeed
from backroom_pipeline.fpl.model import GameweekFacts
from backroom_pipeline.ledger.canonical import canonical_json
from backroom_pipeline_tests.feeds.live_api import SEASON, Scene, scene


@pytest.fixture(scope="module")
def two_weeks(captures: Path, official: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Gameweek 6 taken twice, the second time with other news, then gameweek 7."""
    with scene(RecordedSeason(captures, official), tmp_path_factory.mktemp("live")) as live:
        yield live


@pytest.fixture(scope="module")
def taken(two_weeks: Scene) -> list[GameweekFacts]:
    live, feed = two_weeks.stand_before(6), two_weeks.feed()
    taken = [feed.facts(SEASON, 6)]
    live.now += timedelta(minutes=30)
    live.instead["bootstrap-static/"] = live.bootstrap().replace(b'"news":""', b'"news":"Seen limping"', 1)
    taken.append(feed.facts(SEASON, 6))
    live.instead.clear()
    live.stand_before(7)
    taken.append(feed.facts(SEASON, 7))
    return taken


def test_every_taking_comes_out_again_to_the_byte_as_of_its_cutoff(
    two_weeks: Scene, taken: list[GameweekFacts]
) -> None:
    assert taken[0] != taken[1]
    for facts in taken:
        replay = SnapshotFeed(SnapshotStore(two_weeks.store.root), as_of=facts.cutoff)
        assert canonical_json(replay.facts(SEASON, facts.gameweek)) == canonical_json(facts)


def test_without_an_instant_the_last_list_strictly_before_the_deadline_counts(
    two_weeks: Scene, taken: list[GameweekFacts]
) -> None:  # CASES B28
    replay = SnapshotFeed(two_weeks.store)
    assert replay.facts(SEASON, 6) == taken[1]
    assert replay.facts(SEASON, 7) == taken[2]


def test_what_was_not_known_at_the_instant_is_not_told(two_weeks: Scene, taken: list[GameweekFacts]) -> None:
    replay = SnapshotFeed(two_weeks.store, as_of=taken[0].cutoff)
    with pytest.raises(FeedError, match="next gameweek of 2025-26 is 6, not 7"):
        replay.facts(SEASON, 7)
    with pytest.raises(FeedError, match="No player list of 2025-26"):
        SnapshotFeed(two_weeks.store, as_of=taken[0].cutoff - timedelta(seconds=1)).facts(SEASON, 6)
    with pytest.raises(FeedError, match="No player list of 2024-25"):
        replay.facts("2024-25", 6)


def test_a_list_kept_days_before_the_deadline_is_too_old_to_stand_for_it(
    captures: Path, official: Path, tmp_path: Path
) -> None:
    with scene(RecordedSeason(captures, official), tmp_path) as live:
        live.stand_before(6).now -= timedelta(days=3)
        live.instead["bootstrap-static/"] = live.recorded.captures[5].content
        early = live.feed().facts(SEASON, 6)
        with pytest.raises(FeedError, match="hours older"):
            SnapshotFeed(live.store).facts(SEASON, 6)
        assert SnapshotFeed(live.store, as_of=early.cutoff).facts(SEASON, 6) == early


def test_a_kept_payload_that_was_changed_is_noticed(two_weeks: Scene, taken: list[GameweekFacts]) -> None:
    store = SnapshotStore(two_weeks.store.root)
    kept = store.newest("fixtures/", taken[2].cutoff)
    assert kept is not None
    path = store.root / kept.file
    content = path.read_bytes()
    try:
        path.write_bytes(content[:-20])
        with pytest.raises(FeedError, match="cannot be read"):
            SnapshotFeed(store).facts(SEASON, 7)
    finally:
        path.write_bytes(content)


def test_a_line_that_a_crash_cut_short_costs_that_line_only(tmp_path: Path, two_weeks: Scene) -> None:
    now = two_weeks.recorded.captures[0].taken
    store = SnapshotStore(tmp_path)
    first = store.keep("fixtures/", b"[1]", now)
    with (tmp_path / INDEX).open("ab") as index:
        index.write(b'{"what": "kept", "at": "20')
    later = SnapshotStore(tmp_path)
    assert later.newest("fixtures/") == first
    second = later.keep("fixtures/", b"[2]", now + timedelta(hours=1))
    assert SnapshotStore(tmp_path).history("fixtures/") == [first, second]
    assert SnapshotStore(tmp_path).newest("fixtures/", now) == first


def test_a_payload_that_comes_again_is_kept_once_and_confirmed(tmp_path: Path, two_weeks: Scene) -> None:
    now = two_weeks.recorded.captures[0].taken
    store = SnapshotStore(tmp_path)
    store.keep("fixtures/", b"[1]", now)
    again = store.keep("fixtures/", b"[1]", now + timedelta(hours=1))
    store.confirm(again, now + timedelta(hours=1))
    assert len(list(tmp_path.rglob("*.gz"))) == 1
    assert [kept.stood_at for kept in (store.newest("fixtures/", now), store.newest("fixtures/")) if kept] == [
        now,
        now + timedelta(hours=1),
    ]


def test_one_folder_holds_several_seasons(captures: Path, official: Path, tmp_path: Path) -> None:
    with scene(RecordedSeason(captures, official), tmp_path) as live:
        live.stand_before(38)
        facts = live.feed().facts(SEASON, 38)
        results = live.feed().results(SEASON, 37)
        folder = official.parent / "captures-2026-27"
        live.now = datetime(2026, 8, 21, 17, 11, tzinfo=UTC)
        live.instead = {
            "bootstrap-static/": gzip.decompress((folder / "GW01-19min-before-deadline.json.gz").read_bytes()),
            "fixtures/": gzip.decompress((folder / "fixtures.json.gz").read_bytes()),
        }
        opening = live.feed().facts("2026-27", 1)
        replay = SnapshotFeed(live.store)
        assert replay.facts(SEASON, 38) == facts
        assert replay.results(SEASON, 37) == results
        assert replay.facts("2026-27", 1) == opening
        assert (replay.season(SEASON).season, replay.season("2026-27").season) == (SEASON, "2026-27")
