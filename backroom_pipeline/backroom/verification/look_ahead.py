"""Nothing later than a cutoff reaches a briefing: the archive is rewritten after it, and not a byte may change."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from backroom_pipeline.backroom.prompts import public_text
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.archive_season import MEMBER_FOLDER, seasons_held
from backroom_pipeline.fpl.rules import load_rules
from backroom_pipeline.memory.model import Role

READERS: tuple[Role, ...] = ("coach", "manager")
"""Between them their public parts hold everything public: the briefing, and the statistics of the whole pool."""
DECIMALS = ("expected_goals", "expected_assists", "expected_goals_conceded", "ict_index")
Row = dict[str, Any]
Briefing = dict[Role, str]
"""The sha256 of the public part of each reader's prompt."""


@dataclass(frozen=True)
class LookAheadAudit:
    """Gameweeks audited, and those whose briefing changed with what came after them."""

    season: str
    gameweeks: tuple[int, ...]
    changed: tuple[tuple[int, str], ...]
    """Gameweek and what was rewritten; none where nobody looks ahead."""
    controls: int
    controls_changed: int
    """The same rewriting seen from the gameweek after: there it must show, or the audit would prove nothing."""

    @property
    def passed(self) -> bool:
        return not self.changed and self.controls_changed == self.controls


def audit_look_ahead(
    path: Path,
    season: str,
    gameweeks: Iterable[int] | None = None,
    on_gameweek: Callable[[int], None] = lambda gameweek: None,
) -> LookAheadAudit:
    """Rewrite every fact after each cutoff, twice over, and compare the bytes of the briefing. Raises FeedError."""
    untouched = ArchiveFeed(path)
    every = untouched.season(season).gameweeks
    audited = tuple(every if gameweeks is None else gameweeks)
    members = _Members.read(path, season)
    changed: list[tuple[int, str]] = []
    controls = shown = 0
    for gameweek in audited:
        on_gameweek(gameweek)
        expected = briefing_sha256(untouched, season, gameweek)
        with TemporaryDirectory(prefix="backroom-look-ahead-") as folder:
            otherwise = ArchiveFeed(members.gone_otherwise(gameweek).write(Path(folder) / "otherwise.whl"))
            ended = ArchiveFeed(members.ended_before(gameweek).write(Path(folder) / "ended.whl"))
            if briefing_sha256(otherwise, season, gameweek) != expected:
                changed.append((gameweek, "everything after the cutoff went otherwise"))
            if briefing_sha256(ended, season, gameweek) != expected:
                changed.append((gameweek, "nothing after the cutoff ever happened"))
            if gameweek + 1 in every:
                controls += 1
                after = gameweek + 1
                shown += briefing_sha256(otherwise, season, after) != briefing_sha256(untouched, season, after)
    return LookAheadAudit(season, audited, tuple(changed), controls, shown)


def briefing_sha256(feed: ArchiveFeed, season: str, gameweek: int) -> Briefing:
    """The briefing of a gameweek as a feed gives it, as hashes."""
    told = feed.season(season)
    facts = feed.facts(season, gameweek)
    rules = load_rules(season).with_windows(told.chips)
    opening = gameweek == min(told.gameweeks)
    return {role: sha256(public_text(role, facts, rules, opening=opening).encode()).hexdigest() for role in READERS}


@dataclass(frozen=True)
class _Members:
    """The parts of the archive a season is read from, parsed; a rewritten copy shares what it does not change."""

    digits: str
    bootstrap: Row
    fixtures: list[Row]
    details: dict[str, list[Row]]
    columns: tuple[str, ...]
    snapshots: list[Row]
    before: Mapping[str, bytes]
    """The season before, whose totals the opening shows: as it is."""

    @classmethod
    def read(cls, path: Path, season: str) -> _Members:
        year = int(season[2:4])
        digits, before = f"{year}{year + 1}", f"{year - 1}{year}"
        wanted = ("FPL", "fixture_data", "player_details")
        with zipfile.ZipFile(path) as archive:
            bootstrap, fixtures, details = (
                json.loads(archive.read(f"{MEMBER_FOLDER}{stem}_{digits}.json")) for stem in wanted
            )
            history = f"{MEMBER_FOLDER}player_attributes_history_{digits}.csv"
            text = archive.read(history).decode() if history in archive.namelist() else ""
            held = f"20{before[:2]}-{before[2:]}" in seasons_held(path)
            names = [f"{MEMBER_FOLDER}{stem}_{before}.json" for stem in wanted] if held else []
            kept = {name: archive.read(name) for name in names}
        reader = csv.DictReader(io.StringIO(text, newline=""))
        rows: list[Row] = list(reader)
        return cls(digits, bootstrap, fixtures, details, tuple(reader.fieldnames or ()), rows, kept)

    def gone_otherwise(self, gameweek: int) -> _Members:
        """Other results, statistics, prices, news, flags, clubs and deadlines from the deadline on."""
        deadline = self._deadline(gameweek)
        early = [row for row in self.snapshots if _taken(row) < deadline]
        late = [row for row in self.snapshots if _taken(row) >= deadline]
        newest = [row for row in self.snapshots if row["timestamp"] == self.snapshots[-1]["timestamp"]]
        at_deadline = [row | {"timestamp": deadline.isoformat()} for row in newest]
        return self._with(
            bootstrap=self._another_end(gameweek),
            fixtures=[_played_otherwise(row, gameweek) for row in self.fixtures],
            details={key: [_other_row(row, gameweek) for row in rows] for key, rows in self.details.items()},
            snapshots=early + [_other_news(row) for row in (*at_deadline, *late)],
        )

    def ended_before(self, gameweek: int) -> _Members:
        """An archive made at the deadline: no later rows, lists or scores, later matches without a date.

        The rows of the gameweek itself stay for the prices they state as of its deadline; their outcomes are gone.
        """
        deadline = self._deadline(gameweek)
        return self._with(
            bootstrap=self._another_end(gameweek),
            fixtures=[_not_played(row, gameweek) for row in self.fixtures],
            details={
                key: [_other_row(row, gameweek) for row in rows if int(row["gameweek"]) <= gameweek]
                for key, rows in self.details.items()
            },
            snapshots=[row for row in self.snapshots if _taken(row) < deadline],
        )

    def write(self, path: Path) -> Path:
        """The members as an archive the feed can read."""
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in self.before.items():
                archive.writestr(name, content)
            documents = {"FPL": self.bootstrap, "fixture_data": self.fixtures, "player_details": self.details}
            for stem, document in documents.items():
                archive.writestr(f"{MEMBER_FOLDER}{stem}_{self.digits}.json", json.dumps(document))
            if self.columns:
                lines = io.StringIO(newline="")
                writer = csv.DictWriter(lines, self.columns)
                writer.writeheader()
                writer.writerows(self.snapshots)
                name = f"{MEMBER_FOLDER}player_attributes_history_{self.digits}.csv"
                archive.writestr(name, lines.getvalue())
        return path

    def _with(
        self, *, bootstrap: Row, fixtures: list[Row], details: dict[str, list[Row]], snapshots: list[Row]
    ) -> _Members:
        return _Members(self.digits, bootstrap, fixtures, details, self.columns, snapshots, self.before)

    def _deadline(self, gameweek: int) -> datetime:
        event = next(event for event in self.bootstrap["events"] if event["id"] == gameweek)
        return datetime.fromisoformat(event["deadline_time"]).replace(tzinfo=None)

    def _another_end(self, gameweek: int) -> Row:
        """The player list as it would have ended: other totals, prices, flags, clubs, averages, later deadlines."""
        end: Row = {
            "now_cost": 199, "status": "i", "news": "Knock", "chance_of_playing_next_round": 0, "team": 1,
            "team_code": 3, "total_points": 999, "minutes": 9999, "selected_by_percent": "99.9", "form": "9",
            "ep_next": "9", "starts": 99,
        }  # fmt: skip
        events: list[Row] = []
        for event in self.bootstrap["events"]:
            other = event | {"average_entry_score": 1, "highest_score": 2}
            if event["id"] > gameweek:
                later = datetime.fromisoformat(event["deadline_time"]) + timedelta(minutes=15)
                other["deadline_time"] = later.strftime("%Y-%m-%dT%H:%M:%SZ")
            events.append(other)
        elements = [element | end for element in self.bootstrap["elements"]]
        return self.bootstrap | {"elements": elements, "events": events}


def _taken(snapshot: Row) -> datetime:
    return datetime.fromisoformat(snapshot["timestamp"])


def _other_news(snapshot: Row) -> Row:
    return snapshot | {
        "price": "199", "selected": "1", "news": "Suspended until 1 Jan", "chance_of_playing_next_round": "0",
        "team": "ARS",
    }  # fmt: skip


def _other_row(row: Row, gameweek: int) -> Row:
    """Another outcome of a match of the gameweek or later; price and owners of the gameweek are of its deadline."""
    if int(row["gameweek"]) < gameweek:
        return row
    stays = {"gameweek", "value", "selected"} if int(row["gameweek"]) == gameweek else {"gameweek"}
    figures = {key: value + 7 for key, value in row.items() if type(value) is int and key not in stays}
    return row | figures | {key: "9.99" for key in DECIMALS if key in row}


def _played_otherwise(fixture: Row, gameweek: int) -> Row:
    other = fixture | {"team_h_difficulty": 5, "team_a_difficulty": 1}
    if fixture["event"] is not None and fixture["event"] >= gameweek:
        other |= {"team_h_score": 9, "team_a_score": 8, "stats": []}
    return other


def _not_played(fixture: Row, gameweek: int) -> Row:
    other = _played_otherwise(fixture, gameweek)
    if fixture["event"] is None or fixture["event"] > gameweek:
        other |= {"team_h_score": None, "team_a_score": None, "kickoff_time": None}
    return other
