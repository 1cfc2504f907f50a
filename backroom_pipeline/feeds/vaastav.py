"""The layout of vaastav/Fantasy-Premier-League, from a folder or a URL: ``data/<season>/gws/gwN.csv`` and its lists.

The rows are the API's own, a player in a match, as the archive's are, so the archive's as-of rules hold (see
archive.py). What is peculiar to the layout:
- It has no deadlines: 90 minutes before the first kickoff of the gameweek, the rule since 2020/21. A gameweek all of
  whose matches were moved to others is not in it.
- ``players_raw.csv``, ``fixtures.csv`` and ``teams.csv`` are of the day they were last collected. Of players only who
  they are is used (id, code, name, position); a club is read from the match a row is of. Fixtures are the final list.
- A row counts in the gameweek of its ``round``, whatever file it lies in, and once per player and match: files repeat
  rows and hold those of the week before (CASES R25, B20). Rows of a player the lists no longer have are left out.
- ``xP`` is not read: it is not what was forecast before the deadline (CASES B21).
- There are no dated copies: fitness is unknown, price and club are those of the gameweek's own row.
- Last season's totals, for gameweek 1, are those of the ``players_raw.csv`` of the season before, where it is there;
  over how many matches, its rows would tell, and 38 more files are not read for that: it is shown as 0.
"""

from __future__ import annotations

import csv
import io
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.archive_season import (
    POSITION_OF_ELEMENT_TYPE,
    Appearance,
    ArchiveSeason,
    Figures,
    Listed,
    Match,
    Registered,
    Row,
    api_figures,
    utc,
)
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.fpl.model import GameweekResults

if TYPE_CHECKING:
    import httpx

DEADLINE_BEFORE_KICKOFF = timedelta(minutes=90)
NAME_OF_LAYOUT = "vaastav layout"
ATTEMPTS = 2

Rows = list[dict[str, str]]


class VaastavFeed(ArchiveFeed):
    """Seasons of the layout under ``where``: a folder or a URL that holds ``data/``. Files are read once."""

    def __init__(self, where: str | Path) -> None:
        super().__init__(Path(where))
        self._place = Place(str(where))

    @property
    def name(self) -> str:
        return "vaastav"

    @property
    def source(self) -> str:
        return NAME_OF_LAYOUT

    def results(self, season: str, gameweek: int) -> GameweekResults:
        """Official points per player per match, and scores. Raises FeedError where the gameweek is not there whole."""
        results = super().results(season, gameweek)
        if results.scores and not results.performances:
            raise FeedError(
                f"{self._place.where}/data/{season}/gws has no rows of gameweek {gameweek}, though its matches were "
                "played. Update the folder."
            )
        return results

    def _season(self, season: str) -> ArchiveSeason:
        with self._lock:
            if season not in self._seasons:
                self._seasons[season] = VaastavSeason(self._place, season)
            return self._seasons[season]

    def _before(self, season: str) -> ArchiveSeason | None:
        year = int(season[:4])
        before = f"{year - 1}-{year % 100:02d}"
        return self._season(before) if self._place.text(f"data/{before}/players_raw.csv") is not None else None


class VaastavSeason(ArchiveSeason):
    """One season of the layout, each file read on first use and kept."""

    def __init__(self, place: Place, season: str) -> None:
        self.path = Path(place.where)
        self.season = season
        self._place = place

    @cached_property
    def bootstrap(self) -> Row:
        """The lists in the shape of the API's player list, as far as they go."""
        gameweeks = sorted({match.gameweek for match in self.matches if match.gameweek is not None})
        unplayed = {match.gameweek for match in self.matches if match.home_goals is None}
        return {
            "events": [
                {"id": week, "average_entry_score": 0, "highest_score": 0, "finished": week not in unplayed}
                for week in gameweeks
            ],
            "teams": self._rows("teams.csv"),
            "elements": self.elements,
        }

    @property
    def elements(self) -> list[Row]:
        return list(self._rows("players_raw.csv"))

    @cached_property
    def deadlines(self) -> dict[int, datetime]:
        first: dict[int, datetime] = {}
        for match in self.matches:
            if match.gameweek is not None and match.kickoff is not None:
                first[match.gameweek] = min(match.kickoff, first.get(match.gameweek, match.kickoff))
        return {gameweek: first[gameweek] - DEADLINE_BEFORE_KICKOFF for gameweek in sorted(first)}

    @cached_property
    def clubs(self) -> dict[int, str]:
        return {int(team["id"]): team["short_name"] for team in self._rows("teams.csv")}

    @cached_property
    def players(self) -> dict[int, Registered]:
        listed = sorted(self._rows("players_raw.csv"), key=lambda row: int(row["id"]))
        return {
            int(row["id"]): Registered(int(row["id"]), int(row["code"]), row["web_name"], position, row["id"])
            for row in listed
            if (position := POSITION_OF_ELEMENT_TYPE.get(int(row["element_type"]))) is not None
        }

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        rows = sorted(self._rows("fixtures.csv"), key=lambda row: int(row["id"]))
        return tuple(
            Match(
                id=int(row["id"]),
                gameweek=_whole(row["event"]),
                kickoff=utc(row["kickoff_time"]) if row["kickoff_time"] else None,
                home=self.clubs[int(row["team_h"])],
                away=self.clubs[int(row["team_a"])],
                home_difficulty=int(row["team_h_difficulty"]),
                away_difficulty=int(row["team_a_difficulty"]),
                home_goals=_whole(row["team_h_score"]),
                away_goals=_whole(row["team_a_score"]),
            )
            for row in rows
        )

    @cached_property
    def appearances(self) -> dict[int, tuple[Appearance, ...]]:
        matches = {match.id: match for match in self.matches}
        found: dict[tuple[int, int], Appearance] = {}
        for row in self._gameweek_rows:
            player_id, match = int(row["element"]), matches.get(int(row["fixture"]))
            if player_id not in self.players:
                continue
            if match is None:
                raise FeedError(
                    f"{self._place.where}/data/{self.season}/gws has a row of player {player_id} in match "
                    f"{row['fixture']}, which fixtures.csv does not list: the files are of different days. "
                    "Update the folder."
                )
            found.setdefault((player_id, match.id), _appearance(row, match))
        by_player: dict[int, list[Appearance]] = {player_id: [] for player_id in self.players}
        for (player_id, _), appearance in sorted(found.items(), key=lambda one: (one[1].gameweek, one[1].kickoff)):
            by_player[player_id].append(appearance)
        return {player_id: tuple(rows) for player_id, rows in by_player.items()}

    @cached_property
    def snapshot_times(self) -> tuple[datetime, ...]:
        return ()

    def snapshot(self, taken: datetime) -> dict[int, Listed]:
        raise FeedError(f"The {NAME_OF_LAYOUT} has no dated copies of the player list, none of {taken.isoformat()}.")

    def totals_by_code(self) -> dict[int, Figures]:
        rows = {int(row["id"]): row for row in self._rows("players_raw.csv")}
        return {player.code: api_figures(rows[player.id], 0) for player in self.players.values()}

    @cached_property
    def assistant_managers(self) -> dict[tuple[int, int], tuple[int, int]]:
        managers = {
            int(row["id"])
            for row in self._rows("players_raw.csv")
            if int(row["element_type"]) not in POSITION_OF_ELEMENT_TYPE
        }
        return {
            (int(row["element"]), int(row["round"])): (int(row["total_points"]), int(row["value"]))
            for row in self._gameweek_rows
            if int(row["element"]) in managers
        }

    @cached_property
    def _gameweek_rows(self) -> Rows:
        """The rows of every gameweek file there is, in order; a season that is being played has some of them."""
        gameweeks = sorted({match.gameweek for match in self.matches if match.gameweek is not None})
        texts = (self._place.text(f"data/{self.season}/gws/gw{gameweek}.csv") for gameweek in gameweeks)
        return [row for text in texts if text is not None for row in csv.DictReader(io.StringIO(text, newline=""))]

    def _rows(self, file: str) -> Rows:
        if file not in self._lists:
            path = f"data/{self.season}/{file}"
            text = self._place.text(path)
            if text is None:
                raise FeedError(
                    f"{self._place.where} has no {path}. Name the folder or URL that holds `data/`, and a season it "
                    "has."
                )
            self._lists[file] = list(csv.DictReader(io.StringIO(text, newline="")))
        return self._lists[file]

    @cached_property
    def _lists(self) -> dict[str, Rows]:
        return {}


def _appearance(row: dict[str, str], match: Match) -> Appearance:
    return Appearance(
        player_id=int(row["element"]),
        fixture_id=match.id,
        gameweek=int(row["round"]),
        kickoff=utc(row["kickoff_time"]),
        club=match.home if row["was_home"] == "True" else match.away,
        price=int(row["value"]),
        selected=int(row["selected"]),
        figures=api_figures(row, 1),
    )


def _whole(text: str) -> int | None:
    """A number that the layout may write as 3.0, or leave empty."""
    return int(float(text)) if text else None


class Place:
    """A folder or a URL that files are read under."""

    def __init__(self, where: str) -> None:
        self.where = where.rstrip("/")

    def text(self, path: str) -> str | None:
        """A file's text; None where there is no such file. Raises FeedError for one that cannot be read."""
        named = f"{self.where}/{path}"
        content = self._download(named) if named.startswith(("http://", "https://")) else _file(Path(named))
        if content is None:
            return None
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            raise FeedError(
                f"{named} is not UTF-8 at byte {fault.start}. Save it as UTF-8, or fetch it again."
            ) from fault

    def _download(self, url: str) -> bytes | None:
        import httpx
        from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

        asking = Retrying(
            stop=stop_after_attempt(ATTEMPTS),
            wait=wait_exponential(max=10),
            retry=retry_if_exception_type(httpx.TransportError),
            reraise=True,
        )
        try:
            response = asking(self._client.get, url)
            if response.status_code == httpx.codes.NOT_FOUND:
                return None
            return response.raise_for_status().content
        except httpx.HTTPError as fault:
            raise FeedError(
                f"{url} cannot be fetched ({fault}). Check the address, or use a folder on disk."
            ) from fault

    @cached_property
    def _client(self) -> httpx.Client:
        import httpx

        return httpx.Client(follow_redirects=True, timeout=30)


def _file(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
