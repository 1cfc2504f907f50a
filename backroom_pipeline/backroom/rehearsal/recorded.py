"""A season of the official API on record: what each endpoint said at an instant.

The player lists are real captures, byte for byte. Fixture lists, points and player histories are put together from
tables of the same season: ``fixtures_history.parquet`` (the gameweek of each match as then known),
``fixtures_final.csv`` (scores), ``live_player_fixture.parquet`` (a row per player per match). The tables do not have
the points of a match line by line, so ``explain`` gives them all under minutes.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from backroom_pipeline.feeds.protocol import FeedError

CAPTURE = re.compile(r"GW(\d+)-(\d{4}-\d{2}-\d{2}T\d{4})Z\.json\.gz")
MATCH_LENGTH = timedelta(hours=3)
WHOLE = (
    *("minutes", "goals_scored", "assists", "clean_sheets", "goals_conceded", "own_goals", "penalties_saved"),
    *("penalties_missed", "yellow_cards", "red_cards", "saves", "bonus", "bps", "clearances_blocks_interceptions"),
    *("recoveries", "tackles", "defensive_contribution", "starts", "total_points"),
)
ONE_DECIMAL = ("influence", "creativity", "threat", "ict_index")
TWO_DECIMALS = ("expected_goals", "expected_assists", "expected_goal_involvements", "expected_goals_conceded")
Row = dict[str, Any]


@dataclass(frozen=True)
class Capture:
    """A player list as it stood at ``taken``, before the deadline of ``gameweek``."""

    gameweek: int
    taken: datetime
    path: Path

    @cached_property
    def content(self) -> bytes:
        return gzip.decompress(self.path.read_bytes())


def tables_beside(captures: Path) -> Path:
    """The folder of tables that goes with a folder of captures: captures-2025-26 and official-2025-26."""
    return captures.resolve().parent / captures.resolve().name.replace("captures", "official")


def captures_in(folder: Path) -> tuple[Capture, ...]:
    """The captures of a folder, in order of time. Raises FeedError where there are none."""
    found = (
        Capture(int(name[1]), datetime.strptime(name[2], "%Y-%m-%dT%H%M").replace(tzinfo=UTC), path)
        for path in sorted(folder.glob("*.json.gz"))
        if (name := CAPTURE.fullmatch(path.name))
    )
    captures = tuple(sorted(found, key=lambda capture: capture.taken))
    if not captures:
        raise FeedError(
            f"There are no captures in {folder.resolve()}. They are files such as GW07-2025-10-03T1703Z.json.gz, each "
            "the bootstrap-static of that instant."
        )
    return captures


class RecordedSeason:
    """The captures of ``captures`` and the tables of ``tables``. Raises FeedError where one is missing."""

    def __init__(self, captures: Path, tables: Path) -> None:
        self.captures = captures_in(captures)
        self._tables = tables

    def payload(self, endpoint: str, now: datetime) -> bytes | None:
        """What the API said at ``now``; None for an endpoint it did not have."""
        match endpoint.strip("/").split("/"):
            case ["bootstrap-static"]:
                taken = [capture for capture in self.captures if capture.taken <= now]
                return taken[-1].content if taken else None
            case ["fixtures"]:
                return json.dumps(self._fixture_list(now)).encode()
            case ["event", gameweek, "live"]:
                return json.dumps(self._live(int(gameweek), now)).encode()
            case ["element-summary", player]:
                return json.dumps(self._summary(int(player), now)).encode()
            case ["event-status"]:
                return b'{"status": [], "leagues": ""}'
            case _:
                return None

    def player_rows(self, gameweek: int) -> list[Row]:
        """Every player's matches of a gameweek."""
        return self._rows_by_gameweek.get(gameweek, [])

    def fixture_rows(self, now: datetime) -> list[Row]:
        """The fixture list of the newest copy at ``now``."""
        stamps = [stamp for stamp in self._copies if datetime.fromisoformat(stamp) <= now]
        return self._copies[max(stamps) if stamps else min(self._copies)]

    def _fixture_list(self, now: datetime) -> list[Row]:
        rows: list[Row] = []
        for copied in self.fixture_rows(now):
            final = self._final_fixtures[copied["id"]]
            kickoff = datetime.fromisoformat(final["kickoff_time"])
            played = kickoff + MATCH_LENGTH <= now
            moved = {"event": int(final["event"]), "kickoff_time": final["kickoff_time"]} if played else {}
            rows.append(
                {
                    **copied,
                    **moved,
                    "code": int(final["code"]),
                    "finished": played,
                    "team_h_score": int(float(final["team_h_score"])) if played else None,
                    "team_a_score": int(float(final["team_a_score"])) if played else None,
                }
            )
        return rows

    def _live(self, gameweek: int, now: datetime) -> Row:
        by_player: dict[int, list[Row]] = defaultdict(list)
        for row in self.player_rows(gameweek):
            if _played(row, now):
                by_player[row["element"]].append(row)
        return {"elements": [_live_element(player, by_player[player]) for player in sorted(by_player)]}

    def _summary(self, player: int, now: datetime) -> Row:
        played = [row for rows in self._rows_by_gameweek.values() for row in rows if row["element"] == player]
        history = [
            {
                **{name: row[name] for name in ("element", "fixture", "round", "kickoff_time", "was_home", "value")},
                **_figures([row]),
            }
            for row in sorted(played, key=lambda row: row["kickoff_time"])
            if _played(row, now)
        ]
        return {"fixtures": [], "history": history, "history_past": []}

    @cached_property
    def _rows_by_gameweek(self) -> dict[int, list[Row]]:
        by_gameweek: dict[int, list[Row]] = defaultdict(list)
        for row in self._parquet("live_player_fixture.parquet"):
            by_gameweek[row["round"]].append(row)
        return dict(by_gameweek)

    @cached_property
    def _copies(self) -> dict[str, list[Row]]:
        """Each dated copy of the fixture list by its time."""
        copies: dict[str, list[Row]] = defaultdict(list)
        for row in self._parquet("fixtures_history.parquet"):
            stamp = row.pop("snapshot_time")
            del row["source"]
            row["event"] = None if row["event"] is None or row["event"] != row["event"] else int(row["event"])
            copies[stamp].append(row)
        return dict(copies)

    @cached_property
    def _final_fixtures(self) -> dict[int, dict[str, str]]:
        with self._table("fixtures_final.csv").open(encoding="utf-8", newline="") as lines:
            return {int(row["id"]): row for row in csv.DictReader(lines)}

    def _parquet(self, name: str) -> list[Row]:
        import duckdb

        with duckdb.connect() as connection:
            found = connection.execute("SELECT * FROM read_parquet(?)", [str(self._table(name))])
            columns = [column[0] for column in found.description]
            return [dict(zip(columns, row, strict=True)) for row in found.fetchall()]

    def _table(self, name: str) -> Path:
        path = self._tables / name
        if not path.is_file():
            raise FeedError(f"The rehearsal needs {name} in {self._tables.resolve()}. Name the folder with --tables.")
        return path


def _live_element(player: int, rows: list[Row]) -> Row:
    explain = [
        {
            "fixture": row["fixture"],
            "stats": [{"identifier": "minutes", "value": row["minutes"], "points": row["total_points"]}],
        }
        for row in sorted(rows, key=lambda row: row["kickoff_time"])
    ]
    return {"id": player, "stats": _figures(rows), "explain": explain, "modified": False}


def _figures(rows: list[Row]) -> Row:
    """Figures over matches, written as the API writes them: decimals as text."""
    summed: Row = {name: sum(row[name] for row in rows) for name in WHOLE}
    summed |= {name: f"{sum(row[name] for row in rows):.1f}" for name in ONE_DECIMAL}
    return summed | {name: f"{sum(row[name] for row in rows):.2f}" for name in TWO_DECIMALS}


def _played(row: Row, now: datetime) -> bool:
    return datetime.fromisoformat(row["kickoff_time"]) + MATCH_LENGTH <= now
