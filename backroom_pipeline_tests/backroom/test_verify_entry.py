"""A real team replayed and compared: equal where it should be, and a difference shown where there is one."""

from __future__ import annotations

import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backroom_pipeline.backroom.verification.archived_team import archived_entry, archived_seasons
from backroom_pipeline.backroom.verification.entry import EntryVerification, verify_entry
from backroom_pipeline.backroom.verification.payloads import read_entry
from backroom_pipeline.backroom.verification.season_book import SeasonBook, archive_book
from backroom_pipeline.cli.verify import verify_app
from backroom_pipeline.feeds.fetch import archive_path
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.fpl.rules import load_rules

REPOSITORY = Path(__file__).resolve().parents[2]
SEASONS = ("2020-21", "2021-22", "2022-23", "2023-24", "2024-25", "2025-26")
Lists = dict[str, Any]


@pytest.fixture(scope="module")
def archive() -> Path:
    path = archive_path(REPOSITORY / "data" / "archive")
    if not path.is_file():
        pytest.skip(f"no archive at {path}: run `backroom data fetch`")
    return path


@pytest.fixture(scope="module")
def book_of(archive: Path) -> Callable[[str], SeasonBook]:
    return cache(lambda season: archive_book(archive, season))


@pytest.fixture(scope="module")
def book(book_of: Callable[[str], SeasonBook]) -> SeasonBook:
    return book_of("2025-26")


@pytest.fixture
def lists(archive: Path) -> Lists:
    """The team's picks, transfers and history of 2025/26 as the API gave them, for a test to change."""
    with zipfile.ZipFile(archive) as members:
        return {
            name: json.loads(members.read(f"airsenal/data/airsenal_{member}_2526.json"))
            for name, member in (("picks", "gw"), ("transfers", "transfer"), ("history", "history"))
        }


def verified(lists: Lists, book: SeasonBook) -> EntryVerification:
    return verify_entry(read_entry(lists["picks"], lists["transfers"], lists["history"]), book, load_rules("2025-26"))


def differences(lists: Lists, book: SeasonBook) -> set[tuple[int, str]]:
    return {(check.gameweek, check.field) for check in verified(lists, book).mismatches}


@pytest.mark.parametrize("season", SEASONS)
def test_every_figure_of_a_real_teams_season_is_the_official_one(archive: Path, book_of, season: str) -> None:
    replay = verify_entry(archived_entry(archive, season), book_of(season), load_rules(season))
    assert replay.mismatches == ()
    for field in ("points", "bench_points", "substitutions", "total_points", "transfers", "hit_cost", "bank"):
        assert (replay.equal(field), replay.told(field)) == (38, 38), field
    assert replay.told("squad") == 37  # the opening squad is bought, not traded for
    assert replay.told("value") >= 27


def test_the_archive_has_six_seasons_of_the_team(archive: Path) -> None:
    assert archived_seasons(archive) == SEASONS


def test_all_104_sales_of_the_season_with_dated_prices_are_at_the_official_price(
    archive: Path, book: SeasonBook
) -> None:
    replay = verify_entry(archived_entry(archive, "2025-26"), book, load_rules("2025-26"))
    assert replay.sale_prices_compared == 104
    assert replay.equal("sale_prices") == replay.told("sale_prices") == 30


def test_what_the_picks_cannot_tell_is_said(archive: Path, book_of) -> None:
    replay = verify_entry(archived_entry(archive, "2024-25"), book_of("2024-25"), load_rules("2024-25"))
    assert any("assistant manager" in remark and "36, 37, 38" in remark for remark in replay.remarks)
    replay = verify_entry(archived_entry(archive, "2020-21"), book_of("2020-21"), load_rules("2020-21"))
    assert any("order of the starting eleven" in remark for remark in replay.remarks)


def test_a_wrong_official_figure_is_a_difference_in_its_gameweek(lists: Lists, book: SeasonBook) -> None:
    for week in (lists["picks"][6]["entry_history"], lists["history"]["current"][6]):
        week["points"] += 1
        week["bank"] += 1
        week["event_transfers_cost"] += 4
    assert differences(lists, book) == {
        (7, "points"), (7, "bank"), (7, "hit_cost"), (7, "free_transfers"),
    }  # fmt: skip


def test_a_transfer_left_out_is_missed_in_squad_bank_and_count(lists: Lists, book: SeasonBook) -> None:
    lists["transfers"] = [row for row in lists["transfers"] if row["event"] != 2]
    found = {field for gameweek, field in differences(lists, book) if gameweek == 2}
    assert {"squad", "transfers"} <= found


def test_another_sale_price_is_a_difference_even_where_the_bank_would_agree(lists: Lists, book: SeasonBook) -> None:
    row = next(row for row in lists["transfers"] if row["event"] == 7)
    row["element_out_cost"] += 1
    row["element_in_cost"] += 1
    assert (7, "sale_prices") in differences(lists, book)


def test_another_order_of_the_bench_is_another_substitution(lists: Lists, book: SeasonBook) -> None:
    week = next(
        week
        for week in lists["picks"]
        if week["active_chip"] is None
        and len(week["automatic_subs"]) == 1
        and week["picks"][11]["element"] != week["automatic_subs"][0]["element_out"]
    )
    substitution = week["automatic_subs"][0]
    came_in = next(pick for pick in week["picks"] if pick["element"] == substitution["element_in"])
    unused = [pick for pick in week["picks"][12:15] if pick["element"] != substitution["element_out"]]
    for pick in unused:
        swapped = {came_in["element"]: pick["element"], pick["element"]: came_in["element"]}
        changed = json.loads(json.dumps(lists))
        other = next(w for w in changed["picks"] if w["entry_history"]["event"] == week["entry_history"]["event"])
        for one in other["picks"]:
            one["element"] = swapped.get(one["element"], one["element"])
        other["automatic_subs"][0]["element_in"] = pick["element"]
        gameweek = week["entry_history"]["event"]
        assert (gameweek, "squad") not in differences(changed, book)
        assert {(gameweek, "substitutions"), (gameweek, "points")} & differences(changed, book)


def test_history_and_picks_that_contradict_each_other_are_a_difference(lists: Lists, book: SeasonBook) -> None:
    lists["picks"][3]["entry_history"]["value"] += 5
    assert differences(lists, book) == {(4, "picks_history")}


def test_a_chip_is_checked_against_the_windows_of_the_season(lists: Lists, book: SeasonBook) -> None:
    lists["picks"][17]["active_chip"] = "3xc"  # played in gameweek 17 already
    assert (18, "legal") in differences(lists, book)


def test_a_history_may_be_its_list_current_alone(lists: Lists, book: SeasonBook) -> None:
    lists["history"] = lists["history"]["current"]
    assert verified(lists, book).mismatches == ()


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda lists: lists.update(picks=[]), "hold no gameweek"),
        (lambda lists: lists.update(picks="The game is being updated."), "picks are not a list"),
        (lambda lists: lists["picks"][0].pop("entry_history"), "lack 'entry_history'"),
        (lambda lists: lists["picks"][0].update(picks=lists["picks"][0]["picks"][:14]), "14 players, not 15"),
        (lambda lists: lists["history"].update(current=lists["history"]["current"][1:]), "lacks gameweek 1,"),
        (lambda lists: lists["transfers"][0].pop("time"), "transfers lack 'time'"),
        (lambda lists: lists["picks"][4]["picks"][3].update(element=None), "'element' None, which is no whole number"),
        (lambda lists: lists["picks"][0]["automatic_subs"][0].update(element_in=1), r"gameweek 1 name players .*\[1\]"),
    ],
)
def test_lists_that_are_not_the_apis_are_refused_by_name(
    lists: Lists, spoil: Callable[[Lists], object], complaint: str
) -> None:
    spoil(lists)
    with pytest.raises(FeedError, match=complaint):
        read_entry(lists["picks"], lists["transfers"], lists["history"])


def test_picks_of_another_season_are_not_replayed_in_this_one(archive: Path, book: SeasonBook) -> None:
    with pytest.raises(FeedError, match=r"not of 2025-26: a transfer .* made at 2024-.*--season"):
        verify_entry(archived_entry(archive, "2024-25"), book, load_rules("2025-26"))


def saved(lists: Lists, folder: Path) -> list[str]:
    options: list[str] = []
    for name, value in lists.items():
        file = folder / f"{name}.json"
        file.write_text(json.dumps(value), encoding="utf-8")
        options += [f"--{name}", str(file)]
    return options


def test_files_give_one_object_with_the_named_figures(lists: Lists, tmp_path: Path, monkeypatch, archive: Path) -> None:
    monkeypatch.setenv("BACKROOM_ARCHIVE", str(archive.parent))
    done = CliRunner().invoke(verify_app, ["entry", *saved(lists, tmp_path), "--season", "2025-26", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {
        "gameweeks": 38,
        "points_equal": 38,
        "bench_points_equal": 38,
        "substitutions_equal": 38,
        "hit_cost_equal": 38,
        "bank_equal": 38,
        "mismatches": [],
    }


def test_a_difference_is_exit_code_1_and_named(lists: Lists, tmp_path: Path, monkeypatch, archive: Path) -> None:
    monkeypatch.setenv("BACKROOM_ARCHIVE", str(archive.parent))
    for week in (lists["picks"][9]["entry_history"], lists["history"]["current"][9]):
        week["points_on_bench"] = 99
    done = CliRunner().invoke(verify_app, ["entry", *saved(lists, tmp_path), "--season", "2025-26", "--json"])
    assert done.exit_code == 1
    told = json.loads(done.stdout)
    assert told["bench_points_equal"] == 37
    assert told["mismatches"] == [{"gameweek": 10, "field": "bench_points", "ours": 7, "official": 99}]


def test_files_without_their_season_are_refused(lists: Lists, tmp_path: Path) -> None:
    done = CliRunner().invoke(verify_app, ["entry", *saved(lists, tmp_path)])
    assert done.exit_code == 2
    assert "--season" in done.stderr


class OfficialGame:
    """The official API on loopback, answering from what the archive knows of 2025/26."""

    def __init__(self, lists: Lists, book: SeasonBook, archive: Path) -> None:
        self.lists, self.book = lists, book
        self.asked: list[str] = []
        with zipfile.ZipFile(archive) as members:
            self.bootstrap = json.loads(members.read("airsenal/data/FPL_2526.json"))
            self.fixtures = json.loads(members.read("airsenal/data/fixture_data_2526.json"))
        for event in self.bootstrap["events"]:
            event["data_checked"] = event["id"] <= 12

    def answer(self, path: str) -> object:
        self.asked.append(path)
        if len(self.asked) == 1:
            return "The game is being updated."
        match path.strip("/").split("/"):
            case ["bootstrap-static"]:
                return self.bootstrap
            case ["fixtures"]:
                return self.fixtures
            case ["entry", "742663", "history"]:
                return self.lists["history"]
            case ["entry", "742663", "transfers"]:
                return self.lists["transfers"][::-1]
            case ["entry", "742663", "event", gameweek, "picks"]:
                return self.lists["picks"][int(gameweek) - 1]
            case ["event", gameweek, "live"]:
                performances = self.book.performances(int(gameweek))
                return {
                    "elements": [
                        {
                            "id": player,
                            "stats": {
                                "total_points": one.points,
                                "minutes": one.minutes,
                                "yellow_cards": int(one.played and not one.minutes),
                                "red_cards": 0,
                            },
                        }
                        for player, one in performances.items()
                    ]
                }
            case ["element-summary", player]:
                return {
                    "history": [
                        {"round": gameweek, "value": known.price, **self._match(known.club, gameweek)}
                        for gameweek, known in self.book.rows[int(player)].items()
                    ]
                }
            case _:
                return None

    def _match(self, club: str, gameweek: int) -> dict[str, object]:
        clubs = {team["id"]: team["short_name"] for team in self.bootstrap["teams"]}
        fixture = next(
            row
            for row in self.fixtures
            if row["event"] == gameweek and club in (clubs[row["team_h"]], clubs[row["team_a"]])
        )
        return {"fixture": fixture["id"], "was_home": clubs[fixture["team_h"]] == club}


@pytest.fixture
def official_game(lists: Lists, book: SeasonBook, archive: Path) -> Iterator[tuple[OfficialGame, str]]:
    game = OfficialGame(lists, book, archive)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = game.answer(self.path.removeprefix("/api/"))
            body = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
            self.send_response(200 if answer is not None else 404)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield game, f"http://127.0.0.1:{server.server_port}/api"
    server.shutdown()
    server.server_close()


def test_a_team_of_the_live_api_is_replayed_up_to_the_last_checked_gameweek(official_game, monkeypatch) -> None:
    from backroom_pipeline.backroom.verification import live

    game, address = official_game
    fetch = live.api_fetch(address, pause_seconds=0, wait_seconds=0.01)
    team, book = live.live_entry(fetch, 742663)
    replay = verify_entry(team, book, load_rules(book.season))
    assert (book.season, replay.gameweeks) == ("2025-26", 12)
    assert replay.mismatches == ()
    assert replay.equal("points") == replay.equal("bank") == replay.equal("hit_cost") == 12
    assert len(game.asked) == len(set(game.asked)) + 1  # the answer in prose was asked for again, nothing else


def test_an_unknown_team_is_said_to_be_unknown(official_game) -> None:
    from backroom_pipeline.backroom.verification import live

    _, address = official_game
    with pytest.raises(FeedError, match=r"no .*entry/7/history/"):
        live.live_entry(live.api_fetch(address, pause_seconds=0, wait_seconds=0.01), 7)
