"""One season as the archive holds it: the members of the wheel, read once and indexed, nothing judged yet.

The wheel of the package ``airsenal`` is read as a zip file: it is never installed or imported, and of its data only the
members named here are opened.
"""

from __future__ import annotations

import csv
import json
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from operator import add
from pathlib import Path
from typing import Any

from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.fpl.model import Position, Stats

Row = dict[str, Any]

MEMBER_FOLDER = "airsenal/data/"
# Assistant managers (element type 5, 2024/25 only) are not players: CASES R32.
POSITION_OF_ELEMENT_TYPE: dict[int, Position] = {1: "GK", 2: "DEF", 3: "MID", 4: "FWD"}

# Names of the figures: in Stats, in the per-match rows, in the bootstrap.
_WHOLE_FIGURES = (
    ("minutes", "minutes", "minutes"),
    ("starts", "starts", "starts"),
    ("points", "points", "total_points"),
    ("goals", "goals", "goals_scored"),
    ("assists", "assists", "assists"),
    ("clean_sheets", "clean_sheets", "clean_sheets"),
    ("conceded", "conceded", "goals_conceded"),
    ("own_goals", "own_goals", "own_goals"),
    ("penalties_saved", "penalties_saved", "penalties_saved"),
    ("penalties_missed", "penalties_missed", "penalties_missed"),
    ("yellow_cards", "yellow_cards", "yellow_cards"),
    ("red_cards", "red_cards", "red_cards"),
    ("saves", "saves", "saves"),
    ("bonus", "bonus", "bonus"),
    ("bps", "bps", "bps"),
    ("defensive_contribution", "defensive_contribution", "defensive_contribution"),
)
_DECIMAL_FIGURES = (
    ("xg", "expected_goals", "expected_goals"),
    ("xa", "expected_assists", "expected_assists"),
    ("xgc", "expected_goals_conceded", "expected_goals_conceded"),
    ("ict", "ict_index", "ict_index"),
)
Figures = tuple[int, ...]
"""Matches, the whole figures, then the decimal ones in hundredths: integers, so that sums are exact."""
NO_FIGURES: Figures = (0,) * (1 + len(_WHOLE_FIGURES) + len(_DECIMAL_FIGURES))


def stats(figures: Figures) -> Stats:
    """Figures as the model states them."""
    if figures is NO_FIGURES:
        return Stats()
    whole = 1 + len(_WHOLE_FIGURES)
    named: dict[str, Any] = {"matches": figures[0]}
    named.update(zip((name for name, _, _ in _WHOLE_FIGURES), figures[1:whole], strict=True))
    named.update(zip((name for name, _, _ in _DECIMAL_FIGURES), (n / 100 for n in figures[whole:]), strict=True))
    return Stats(**named)


def api_figures(row: Mapping[str, Any], matches: int) -> Figures:
    """Figures of a row under the official API's names, over so many matches; what an older season lacks is 0."""
    return (
        matches,
        *(int(row.get(name) or 0) for _, _, name in _WHOLE_FIGURES),
        *(_hundredths(row.get(name)) for _, _, name in _DECIMAL_FIGURES),
    )


def total(figures: Sequence[Figures]) -> Figures:
    """The sum over matches."""
    summed = NO_FIGURES
    for match in figures:
        summed = tuple(map(add, summed, match))
    return summed


@dataclass(frozen=True, slots=True)
class Registered:
    """Who a player is: what does not change within a season."""

    id: int
    code: int
    web_name: str
    position: Position
    key: str
    """Under which the per-match rows are filed: the Opta code, in older seasons the full name; empty without rows."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match of the final fixture list."""

    id: int
    gameweek: int | None
    kickoff: datetime | None
    home: str
    away: str
    home_difficulty: int
    away_difficulty: int
    home_goals: int | None
    away_goals: int | None


@dataclass(frozen=True, slots=True)
class Appearance:
    """A row of one player in one match. ``price``, ``selected`` and ``club`` are as of the gameweek's deadline."""

    player_id: int
    fixture_id: int
    gameweek: int
    kickoff: datetime
    club: str
    price: int
    selected: int
    figures: Figures


@dataclass(frozen=True, slots=True)
class Listed:
    """A player as a dated snapshot lists him."""

    player_id: int
    club: str
    price: int
    selected: int
    news: str
    chance: int | None


class ArchiveSeason:
    """The members of one season, each parsed on first use and kept."""

    def __init__(self, path: Path, season: str) -> None:
        self.path = path
        self.season = season
        self._digits = season[2:4] + season[5:7]
        held = seasons_held(path)
        if season not in held:
            raise FeedError(
                f"The archive {path.name} has no season {season}; it holds {', '.join(held) or 'none'}. "
                "Choose one of those in the league file, or use the official feed."
            )

    @cached_property
    def bootstrap(self) -> Row:
        return json.loads(self._read(self._member("FPL", "json")))

    @property
    def elements(self) -> list[Row]:
        """The player list as the game gave it."""
        return self.bootstrap["elements"]

    @cached_property
    def deadlines(self) -> dict[int, datetime]:
        """Gameweek to its deadline, in order; where a deadline was moved, the one that held."""
        return {event["id"]: utc(event["deadline_time"]) for event in self.bootstrap["events"]}

    @cached_property
    def clubs(self) -> dict[int, str]:
        return {team["id"]: team["short_name"] for team in self.bootstrap["teams"]}

    @cached_property
    def players(self) -> dict[int, Registered]:
        """Every player who was ever listed in the season, by id."""
        key_of = self._keys()
        players = {}
        for element in sorted(self.bootstrap["elements"], key=lambda element: element["id"]):
            position = POSITION_OF_ELEMENT_TYPE.get(element["element_type"])
            if position is None:
                continue
            key = key_of[element["id"]]
            players[element["id"]] = Registered(element["id"], element["code"], element["web_name"], position, key)
        return players

    def _keys(self) -> dict[int, str]:
        """Element id to the key of his rows.

        Two players of one full name (the Ben Davieses of 2020/21 to 2022/23, CASES B11) are told apart by their clubs:
        one has the name for a key, the other a longer form of it or no rows at all.
        """
        elements: list[Row] = self.bootstrap["elements"]
        if any(key[:1] == "p" and key[1:].isdigit() for key in self._details):
            return {element["id"]: element["opta_code"] for element in elements}
        names = {element["id"]: f"{element['first_name']} {element['second_name']}" for element in elements}
        bearers = Counter(names.values())
        keys: dict[int, str] = {}
        for element in elements:
            name, club = names[element["id"]], self.clubs[element["team"]]
            keys[element["id"]] = name
            if bearers[name] > 1:
                longer = (key for key in self._details if key.endswith(element["second_name"]) and key not in bearers)
                of_his_club = (key for key in (name, *longer) if _played_for(club, self._details.get(key, ())))
                keys[element["id"]] = next(of_his_club, "")
        return keys

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        rows = sorted(json.loads(self._read(self._member("fixture_data", "json"))), key=lambda row: row["id"])
        return tuple(
            Match(
                id=row["id"],
                gameweek=row["event"],
                kickoff=utc(row["kickoff_time"]) if row["kickoff_time"] else None,
                home=self.clubs[row["team_h"]],
                away=self.clubs[row["team_a"]],
                home_difficulty=row["team_h_difficulty"],
                away_difficulty=row["team_a_difficulty"],
                home_goals=row["team_h_score"],
                away_goals=row["team_a_score"],
            )
            for row in rows
        )

    @cached_property
    def appearances(self) -> dict[int, tuple[Appearance, ...]]:
        """Player id to his rows in order of play, one a match: an archive may list a row twice (CASES R25)."""
        fixture_ids: dict[tuple[int | None, str, str], int] = {}
        for match in self.matches:
            fixture_ids[match.gameweek, match.home, match.away] = match.id
            fixture_ids[match.gameweek, match.away, match.home] = match.id
        by_player: dict[int, tuple[Appearance, ...]] = {}
        for player in self.players.values():
            by_fixture: dict[int, Appearance] = {}
            for row in self._details.get(player.key, ()):
                gameweek = int(row["gameweek"])
                fixture_id = fixture_ids.get((gameweek, row["played_for"], row["opponent"]))
                if fixture_id is None:
                    raise FeedError(
                        f"The archive has a row of {player.web_name} ({player.id}) in gameweek {gameweek} of "
                        f"{self.season} for {row['played_for']} against {row['opponent']}, a match that is not in its "
                        "fixture list. Fetch the archive again with `backroom data fetch`."
                    )
                by_fixture.setdefault(fixture_id, _appearance(player.id, fixture_id, gameweek, row))
            by_player[player.id] = tuple(sorted(by_fixture.values(), key=lambda row: (row.gameweek, row.kickoff)))
        return by_player

    @cached_property
    def snapshot_times(self) -> tuple[datetime, ...]:
        """When the player list was copied, in order; empty in seasons without dated copies."""
        return tuple(self._snapshot_lines)

    def snapshot(self, taken: datetime) -> dict[int, Listed]:
        """The player list copied at ``taken``, by player id."""
        lines = self._snapshot_lines[taken]
        listed: dict[int, Listed] = {}
        for row in csv.DictReader(lines, fieldnames=self._snapshot_columns):
            player_id = int(row["player_id"])
            chance = row["chance_of_playing_next_round"]
            listed[player_id] = Listed(
                player_id=player_id,
                club=row["team"],
                price=int(row["price"]),
                selected=int(row["selected"] or 0),
                news=row["news"].strip(),
                chance=int(chance) if chance else None,
            )
        return listed

    def totals_by_code(self) -> dict[int, Figures]:
        """Permanent player code to the official totals of the whole season, and the matches with a row."""
        totals: dict[int, Figures] = {}
        elements: dict[int, Row] = {element["id"]: element for element in self.bootstrap["elements"]}
        for player in self.players.values():
            element = elements[player.id]
            matches = len({row["kickoff_time"] for row in self._details.get(player.key, ())})
            totals[player.code] = api_figures(element, matches)
        return totals

    @cached_property
    def assistant_managers(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Points and price of assistant managers (2024/25, CASES R32) by element id and gameweek: never picked here."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for element in self.bootstrap["elements"]:
            if element["element_type"] not in POSITION_OF_ELEMENT_TYPE:
                for row in self._details.get(f"{element['first_name']} {element['second_name']}", ()):
                    key = element["id"], int(row["gameweek"])
                    found[key] = found.get(key, (0, 0))[0] + int(row["points"]), int(row["value"])
        return found

    @property
    def figures_not_on_record(self) -> tuple[str, ...]:
        """In words, the figures the season's player list does not have."""
        known = self.elements[0]
        names = ((figure, name) for figure, _, name in (*_WHOLE_FIGURES, *_DECIMAL_FIGURES))
        return tuple(figure.replace("_", " ") for figure, name in names if name not in known)

    @cached_property
    def _details(self) -> dict[str, list[Row]]:
        return json.loads(self._read(self._member("player_details", "json")))

    @cached_property
    def _snapshot_columns(self) -> list[str]:
        return next(csv.reader(self._snapshot_text[:1]))

    @cached_property
    def _snapshot_lines(self) -> dict[datetime, list[str]]:
        """The lines of each snapshot, unparsed: a gameweek needs one of some 250."""
        by_stamp: dict[str, list[str]] = {}
        for stamp, record in _stamped(self._snapshot_text[1:]):
            by_stamp.setdefault(stamp, []).append(record)
        # The clock of the machine that took them is UTC: 09:14 every day, in summer time as in winter.
        return {datetime.fromisoformat(stamp).replace(tzinfo=UTC): by_stamp[stamp] for stamp in sorted(by_stamp)}

    @cached_property
    def _snapshot_text(self) -> list[str]:
        member = self._member("player_attributes_history", "csv")
        if member not in _members(self.path):
            return []
        return self._read(member).decode("utf-8").splitlines(keepends=True)

    def _member(self, stem: str, suffix: str) -> str:
        return f"{MEMBER_FOLDER}{stem}_{self._digits}.{suffix}"

    def _read(self, member: str) -> bytes:
        with _opened(self.path) as archive:
            try:
                return archive.read(member)
            except (KeyError, zipfile.BadZipFile) as fault:
                raise FeedError(
                    f"The archive {self.path.resolve()} lacks {member} or holds it damaged ({fault}). "
                    "Fetch the archive again with `backroom data fetch`."
                ) from fault


def seasons_held(path: Path) -> tuple[str, ...]:
    """The seasons an archive has player lists, fixtures and per-match rows of. Raises FeedError."""
    members = _members(path)
    held = (
        digits
        for digits in (name[-9:-5] for name in members if name.startswith(f"{MEMBER_FOLDER}FPL_"))
        if {f"{MEMBER_FOLDER}{stem}_{digits}.json" for stem in ("FPL", "fixture_data", "player_details")} <= members
    )
    return tuple(f"20{digits[:2]}-{digits[2:]}" for digits in sorted(held))


def _members(path: Path) -> frozenset[str]:
    with _opened(path) as archive:
        return frozenset(archive.namelist())


def utc(text: str) -> datetime:
    """An instant as the game writes it, 2025-08-15T17:30:00Z."""
    return datetime.fromisoformat(text).astimezone(UTC)


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except FileNotFoundError as fault:
        raise FeedError(f"There is no archive at {path.resolve()}. Fetch it with `backroom data fetch`.") from fault
    except (zipfile.BadZipFile, OSError) as fault:
        raise FeedError(
            f"The archive {path.resolve()} cannot be read ({fault}): it is corrupt or was downloaded by half. "
            "Fetch it again with `backroom data fetch`."
        ) from fault


def _played_for(club: str, rows: Sequence[Row]) -> bool:
    return any(row["played_for"] == club for row in rows)


def _stamped(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """CSV records with the timestamp they begin with; a news line may itself hold a line break."""
    record = ""
    for line in lines:
        record += line
        if record.count('"') % 2 == 0:
            yield record[: record.index(",")], record
            record = ""


def _appearance(player_id: int, fixture_id: int, gameweek: int, row: Mapping[str, Any]) -> Appearance:
    return Appearance(
        player_id=player_id,
        fixture_id=fixture_id,
        gameweek=gameweek,
        kickoff=utc(row["kickoff_time"]),
        club=row["played_for"],
        price=int(row["value"]),
        selected=int(row["selected"]),
        figures=(
            1,
            *(int(row.get(name, 0)) for _, name, _ in _WHOLE_FIGURES),
            *(_hundredths(row.get(name)) for _, name, _ in _DECIMAL_FIGURES),
        ),
    )


def _hundredths(text: str | None) -> int:
    return round(float(text) * 100) if text else 0
