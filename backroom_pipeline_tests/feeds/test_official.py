"""The live feed against a loopback API that serves real captures: what it takes, what it refuses, what it keeps."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest

from backroom_pipeline.backroom.rehearsal.loopback import Answer
from backroom_pipeline.backroom.rehearsal.recorded import RecordedSeason
from backroom_pipeline.feeds.official import API_URL, API_URL_VARIABLE, OfficialFeed
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.feeds.snapshot_store import SnapshotStore
from backroom_pipeline.feeds.snapshots import SnapshotFeed
from backroom_pipeline.ledger.facts import record_gameweek, record_results, record_season
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline_tests.feeds.live_api import SEASON, Scene, scene

BOOTSTRAP = "bootstrap-static/"
UPDATING = b'"The game is being updated."'
TABLES = ("seasons", "gameweeks", "pool", "fixtures", "results", "performances")


@pytest.fixture(scope="session")
def recorded(captures: Path, official: Path) -> RecordedSeason:
    return RecordedSeason(captures, official)


@pytest.fixture
def live(recorded: RecordedSeason, tmp_path: Path) -> Iterator[Scene]:
    with scene(recorded, tmp_path) as set_up:
        yield set_up.stand_before(7)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.duckdb") as opened:
        yield opened


def rows_in(ledger: Ledger) -> dict[str, object]:
    return {table: ledger.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"] for table in TABLES}


def changed(live: Scene, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The capture with a change to it."""
    document = json.loads(live.bootstrap())
    change(document)
    return json.dumps(document, ensure_ascii=False).encode()


def test_facts_are_those_of_the_capture(live: Scene) -> None:
    facts = live.feed().facts(SEASON, 7)
    haaland = next(player for player in facts.players if player.id == 430)
    element = next(e for e in json.loads(live.bootstrap())["elements"] if e["id"] == 430)
    assert (haaland.web_name, haaland.price, haaland.club) == ("Haaland", element["now_cost"], "MCI")
    assert haaland.season.points == element["total_points"]
    assert haaland.season.matches == 6
    assert haaland.recent.matches == 5
    assert haaland.recent.points < haaland.season.points
    assert facts.cutoff == live.now < facts.deadline == datetime(2025, 10, 3, 17, 30, tzinfo=UTC)
    assert facts.fitness_known
    assert len(facts.fixtures) == 380


def test_no_news_is_fit_and_a_stated_chance_is_kept(live: Scene) -> None:  # CASES R21
    chances = {e["id"]: e["chance_of_playing_next_round"] for e in json.loads(live.bootstrap())["elements"]}
    facts = live.feed().facts(SEASON, 7)
    assert {player.id: player.chance_of_playing for player in facts.players} == chances
    assert all(player.status == "a" for player in facts.players if player.chance_of_playing is None)


def test_the_opening_week_carries_last_seasons_totals_and_says_so(live: Scene) -> None:  # CASES R20
    facts = live.stand_before(1).feed().facts(SEASON, 1)
    best = max(facts.players, key=lambda player: player.season.points)
    assert (best.web_name, best.season.points) == ("M.Salah", 344)
    assert facts.statistics_season == "2024-25"
    assert all(player.recent.points == player.recent.matches == 0 for player in facts.players)
    assert "2024-25" in facts.notes[0]


def test_a_postponed_match_is_kept_without_gameweek_and_kickoff(live: Scene) -> None:  # CASES R23, B10
    facts = live.stand_before(32).feed().facts(SEASON, 32)
    postponed = next(match for match in facts.fixtures if match.id == 307)
    assert (postponed.gameweek, postponed.kickoff) == (None, None)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (lambda live: UPDATING, "The game is being updated."),
        (lambda live: b"<html><title>Just a moment</title>", "words instead of data|gave no data"),
        (lambda live: live.bootstrap()[:-1000], "broken JSON"),
        (lambda live: live.bootstrap().replace("ø".encode(), b"\xf8"), "not UTF-8"),
        (lambda live: live.bootstrap().replace("ø".encode(), "\ufffd\ufffd".encode()), r"U\+FFFD .* first in player"),
        (lambda live: live.bootstrap().replace("ø".encode(), rb"\ufffd"), r"U\+FFFD"),
        (lambda live: changed(live, lambda d: d.update(elements=[])), "no players"),
        (lambda live: changed(live, lambda d: d.pop("teams")), "teams: Field required"),
        (lambda live: changed(live, lambda d: d["elements"][5].update(now_cost=None)), r"elements\.5\.now_cost"),
        (lambda live: changed(live, lambda d: d["elements"][5].update(status="x")), r"elements\.5\.status"),
        (lambda live: changed(live, lambda d: d["elements"][5].update(team=99)), "a club it does not list"),
        (lambda live: live.recorded.captures[5].content, "last week: it names gameweek 6"),
        (lambda live: changed(live, _name_as_next(8)), "names gameweek 8 .* contradicts itself"),
        (lambda live: changed(live, _name_as_next(None)), "names no next gameweek"),
    ],
    ids=[
        *("prose", "html", "truncated", "not_utf8", "replacement_character", "escaped_replacement_character"),
        *("no_players", "no_clubs", "no_price", "unknown_status", "unknown_club", "last_week", "wrong_next", "no_next"),
    ],
)
def test_a_bad_payload_is_refused_kept_aside_and_leaves_the_ledger_untouched(
    live: Scene, ledger: Ledger, said: Callable[[Scene], bytes], why: str
) -> None:
    feed = live.feed()
    record_season(ledger, feed.season(SEASON))
    record_gameweek(ledger, feed.facts(SEASON, 7))
    before = rows_in(ledger)
    payload = live.instead[BOOTSTRAP] = said(live)
    with pytest.raises(FeedError, match=why) as refused:
        record_gameweek(ledger, feed.facts(SEASON, 7))
    assert rows_in(ledger) == before
    line = live.store.refused()[-1]
    aside = live.store.root / line["file"]
    assert gzip.decompress(aside.read_bytes()) == payload
    assert str(aside) in str(refused.value)
    # What was believed before is still what a replay finds, and the feed recovers by itself.
    assert SnapshotFeed(live.store).facts(SEASON, 7) == feed_recovered(live, feed)


def feed_recovered(live: Scene, feed: OfficialFeed) -> object:
    live.instead.clear()
    return feed.facts(SEASON, 7)


def _name_as_next(gameweek: int | None) -> Callable[[dict[str, Any]], object]:
    def change(document: dict[str, Any]) -> None:
        for event in document["events"]:
            event["is_next"] = event["id"] == gameweek

    return change


def test_words_are_asked_again_with_growing_patience_and_then_refused(live: Scene) -> None:  # CASES R28
    live.instead[BOOTSTRAP] = Answer(UPDATING, HTTPStatus.SERVICE_UNAVAILABLE)
    with pytest.raises(FeedError, match=r"no data in 5 attempts.*503.*being updated") as refused:
        live.feed().facts(SEASON, 7)
    assert live.api.asked == [BOOTSTRAP] * 5
    assert live.waited == sorted(live.waited)
    assert sum(live.waited) > 20
    assert "Ask again later" in str(refused.value)


def test_an_update_that_ends_in_time_is_sat_out(live: Scene) -> None:
    updating, recorded = [UPDATING, UPDATING], live.api.says
    live.api.says = lambda endpoint: Answer(updating.pop()) if updating else recorded(endpoint)
    assert live.feed().facts(SEASON, 7).gameweek == 7
    assert live.api.asked[:3] == [BOOTSTRAP] * 3
    assert len(live.store.refused()) == 2


def test_a_server_that_is_not_there_is_a_sentence(live: Scene) -> None:
    with pytest.raises(FeedError, match="the connection failed"):
        live.feed(base_url="http://127.0.0.1:9/api/", attempts=2).facts(SEASON, 7)


def test_a_wrong_address_is_not_asked_again(live: Scene) -> None:
    with pytest.raises(FeedError, match=f"404.*{API_URL_VARIABLE}"):
        live.feed(base_url=live.api.url + "elsewhere/").facts(SEASON, 7)
    assert len(live.api.asked) == 1


def test_what_is_known_is_asked_for_conditionally_and_taken_once(live: Scene, ledger: Ledger) -> None:
    feed = live.feed()
    first = record_gameweek(ledger, feed.facts(SEASON, 7))
    asked = len(live.api.asked)
    assert live.api.answered == {HTTPStatus.OK: asked}
    live.now += timedelta(minutes=5)
    second = record_gameweek(ledger, feed.facts(SEASON, 7))
    # The five gameweeks whose next deadline has passed are settled and not asked for again.
    assert live.api.answered[HTTPStatus.NOT_MODIFIED] == len(live.api.asked) - asked == 3
    assert first == second


def test_a_last_modified_date_is_sent_back(live: Scene) -> None:
    seen: list[httpx.Request] = []
    when = "Fri, 03 Oct 2025 16:00:00 GMT"

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if request.headers.get("if-modified-since") == when:
            return httpx.Response(HTTPStatus.NOT_MODIFIED)
        return httpx.Response(HTTPStatus.OK, content=live.bootstrap(), headers={"Last-Modified": when})

    feed = live.feed(transport=httpx.MockTransport(answer))
    assert feed.season(SEASON) == feed.season(SEASON)
    assert [request.headers.get("if-modified-since") for request in seen] == [None, when]
    assert seen[0].headers["user-agent"].startswith("backroom-pipeline/")


def test_requests_keep_their_distance(live: Scene) -> None:
    live.feed(pause=1.0).facts(SEASON, 7)
    assert len(live.waited) == len(live.api.asked) - 1
    assert all(0 < wait <= 1 for wait in live.waited)


def test_the_address_is_a_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def address(base_url: str | None = None) -> str:
        return OfficialFeed(SnapshotStore(tmp_path), lambda: datetime.now(UTC), base_url=base_url).base_url

    monkeypatch.delenv(API_URL_VARIABLE, raising=False)
    assert address() == API_URL
    monkeypatch.setenv(API_URL_VARIABLE, "http://127.0.0.1:1/api")
    assert address() == "http://127.0.0.1:1/api/"
    assert address("http://127.0.0.1:2/") == "http://127.0.0.1:2/"


def test_every_payload_is_on_disk_before_it_is_read(live: Scene) -> None:
    live.instead["fixtures/"] = b"{"
    with pytest.raises(FeedError, match="fixtures"):
        live.feed().facts(SEASON, 7)
    kept = live.store.newest(BOOTSTRAP)
    assert kept is not None
    assert kept.fetched_at == live.now
    assert live.store.content(kept) == live.bootstrap()
    assert [line["endpoint"] for line in live.store.refused()] == ["fixtures/"]


def test_only_the_coming_gameweek_of_the_season_being_played_can_be_had(live: Scene) -> None:
    feed = live.feed()
    with pytest.raises(FeedError, match=r"next gameweek of 2025-26 is 7, not 8.*Ask for gameweek 7"):
        feed.facts(SEASON, 8)
    with pytest.raises(FeedError, match=r"deadline of gameweek 6 .* passed at 2025-09-27 10:00 UTC.*snapshot"):
        feed.facts(SEASON, 6)
    with pytest.raises(FeedError, match="is playing 2025-26, not 2024-25"):
        feed.facts("2024-25", 7)
    with pytest.raises(FeedError, match="no gameweek 39"):
        feed.facts(SEASON, 39)
    # A question that is wrong says nothing against the payload.
    assert live.store.refused() == []


def test_the_deadline_is_the_newest_payloads(live: Scene) -> None:  # CASES R22
    feed = live.feed()
    planned = datetime(2025, 10, 3, 17, 30, tzinfo=UTC)
    assert feed.facts(SEASON, 7).deadline == planned
    live.instead[BOOTSTRAP] = changed(live, lambda d: d["events"][6].update(deadline_time="2025-10-04T10:00:00Z"))
    assert feed.facts(SEASON, 7).deadline == datetime(2025, 10, 4, 10, tzinfo=UTC)


def test_a_week_that_is_still_open_is_planned_past_and_said(live: Scene) -> None:  # CASES B12
    live.instead[BOOTSTRAP] = changed(live, lambda d: d["events"][5].update(finished=False, data_checked=False))
    facts = live.feed().facts(SEASON, 7)
    assert "Gameweek 6 is still open" in facts.notes[0]
    assert max(player.recent.matches for player in facts.players) == 5


def test_a_player_list_from_a_days_old_cache_is_too_old(live: Scene) -> None:
    live.instead[BOOTSTRAP] = Answer(live.bootstrap(), headers={"Age": str(25 * 3600)})
    with pytest.raises(FeedError, match="is 25 hours older"):
        live.feed().facts(SEASON, 7)
    assert [line["endpoint"] for line in live.store.refused()] == [BOOTSTRAP]
    live.instead[BOOTSTRAP] = Answer(live.bootstrap(), headers={"Age": str(23 * 3600)})
    assert live.feed().facts(SEASON, 7).gameweek == 7


def test_results_are_official_points_and_figures_match_by_match(live: Scene, ledger: Ledger) -> None:
    live.stand_before(27)
    results = live.feed().results(SEASON, 26)
    assert results.final
    assert results.average_score == 58
    assert len(results.scores) == 11
    rows = {(row["element"], row["fixture"]): row for row in live.recorded.player_rows(26)}
    assert {(p.player_id, p.fixture_id) for p in results.performances} == set(rows)
    for p in results.performances:
        row = rows[p.player_id, p.fixture_id]
        assert (p.points, p.minutes, p.stats.bps, p.stats.xg) == (
            row["total_points"],
            row["minutes"],
            row["bps"],
            row["expected_goals"],
        )
    saliba = [(p.minutes, p.points) for p in results.performances if p.player_id == 6]
    assert saliba == [(0, 0), (90, 1)]  # CASES R11
    assert record_results(ledger, results) == 1
    assert SnapshotFeed(live.store).results(SEASON, 26) == results


def test_results_that_are_not_final_are_refused_or_marked(live: Scene, ledger: Ledger) -> None:  # CASES R29
    live.stand_before(27)
    live.instead[BOOTSTRAP] = changed(live, lambda d: d["events"][25].update(data_checked=False))
    live.instead["event-status/"] = json.dumps(
        {"status": [{"date": f"2026-02-1{day}", "event": 26, "bonus_added": day < 2} for day in range(3)]}
    ).encode()
    feed = live.feed()
    with pytest.raises(FeedError, match=r"not final: it is finished and its data are not checked, .* for 2 of its 3"):
        record_results(ledger, feed.results(SEASON, 26))
    assert rows_in(ledger)["results"] == 0
    provisional = feed.results(SEASON, 26, provisional=True)
    assert not provisional.final
    assert not any(endpoint.startswith("element-summary") for endpoint in live.api.asked)
    # Once the data are checked, points fetched before that do not become final by themselves.
    live.instead.clear()
    live.now += timedelta(hours=1)
    feed.season(SEASON)
    with pytest.raises(FeedError, match="before its data were checked"):
        SnapshotFeed(live.store).results(SEASON, 26)
    assert feed.results(SEASON, 26).final


def test_matches_that_do_not_add_up_to_the_gameweek_are_refused(live: Scene) -> None:
    live.stand_before(27)
    summary = json.loads(live.recorded.payload("element-summary/6/", live.now) or b"")
    summary["history"][-1]["total_points"] += 1
    summary["history"][-1]["round"] = 26
    live.instead["element-summary/6/"] = json.dumps(summary).encode()
    with pytest.raises(FeedError, match=r"player 6 in gameweek 26 .* do not add up"):
        live.feed().results(SEASON, 26)


def test_the_last_gameweek_has_results_after_the_season(live: Scene) -> None:
    live.stand_before(38)
    live.now += timedelta(days=3)

    def after_the_season(document: dict[str, Any]) -> None:
        for event in document["events"]:
            event |= {"is_next": False, "finished": True, "data_checked": True}

    live.instead[BOOTSTRAP] = changed(live, after_the_season)
    results = live.feed().results(SEASON, 38)
    assert (len(results.performances), len(results.scores), results.final) == (841, 10, True)
    with pytest.raises(FeedError, match=r"deadline of gameweek 38 .* passed"):
        live.feed().facts(SEASON, 38)


def test_a_running_double_gameweek_is_told_apart_as_far_as_points_are_explained(live: Scene) -> None:  # CASES R10
    live.stand_before(27)
    live.instead[BOOTSTRAP] = changed(live, lambda d: d["events"][25].update(data_checked=False))
    points = json.loads(live.recorded.payload("event/26/live/", live.now) or b"")
    player = next(element for element in points["elements"] if len(element["explain"]) == 2)
    first, second = player["explain"]
    first["stats"] = [
        {"identifier": "minutes", "value": 59, "points": 1},
        {"identifier": "goals_scored", "value": 1, "points": 5},
    ]
    second["stats"] = [{"identifier": "minutes", "value": 20, "points": 1}]
    player["stats"] |= {"minutes": 79, "goals_scored": 1, "total_points": 7, "expected_goals": "0.70"}
    live.instead["event/26/live/"] = json.dumps(points).encode()
    results = live.feed().results(SEASON, 26, provisional=True)
    told = [p for p in results.performances if p.player_id == player["id"]]
    assert [(p.minutes, p.points, p.stats.goals) for p in told] == [(59, 6, 1), (20, 1, 0)]
    assert [p.stats.xg for p in told] == [0, 0]


def test_assistant_managers_are_no_players(live: Scene) -> None:  # CASES R32
    live.instead[BOOTSTRAP] = changed(live, lambda d: d["elements"][5].update(element_type=5))
    manager = json.loads(live.bootstrap())["elements"][5]["id"]
    players = {player.id for player in live.feed().facts(SEASON, 7).players}
    assert manager not in players
    assert len(players) == 741


def test_a_season_that_has_not_begun_can_be_taken(official: Path, tmp_path: Path) -> None:
    folder = official.parent / "captures-2026-27"
    says = {
        BOOTSTRAP: gzip.decompress((folder / "GW01-19min-before-deadline.json.gz").read_bytes()),
        "fixtures/": gzip.decompress((folder / "fixtures.json.gz").read_bytes()),
    }
    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=says[request.url.path[1:]]))
    now = datetime(2026, 8, 21, 17, 11, tzinfo=UTC)
    feed = OfficialFeed(SnapshotStore(tmp_path), lambda: now, base_url="http://api.test/", pause=0, transport=transport)
    facts = feed.facts("2026-27", 1)
    assert (len(facts.players), len(facts.fixtures), facts.statistics_season) == (600, 380, "2025-26")
    assert facts.deadline - facts.cutoff == timedelta(minutes=19)
    assert feed.season("2026-27").gameweeks == tuple(range(1, 39))
    says["event-status/"] = b'{"status": [], "leagues": ""}'
    with pytest.raises(FeedError, match="Gameweek 1 of 2026-27 is not final"):
        feed.results("2026-27", 1)
