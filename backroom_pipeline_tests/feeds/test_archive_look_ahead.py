"""Nothing from after the cutoff reaches the facts: the archive is rewritten after a deadline and asked again."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline_tests.feeds.conftest import SEASON

FOLDER = "airsenal/data/"
EVERY = 30
"""One player in so many is kept, so that an archive can be rewritten in a moment."""
Change = Callable[["Contents"], None]


@dataclass
class Contents:
    """The members the feed reads, parsed, with fewer players."""

    documents: dict[str, Any] = field(default_factory=dict)
    columns: list[str] = field(default_factory=list)
    snapshots: list[dict[str, str]] = field(default_factory=list)

    @property
    def bootstrap(self) -> dict[str, Any]:
        return self.documents["FPL_2526.json"]

    @property
    def details(self) -> dict[str, list[dict[str, Any]]]:
        return self.documents["player_details_2526.json"]

    @property
    def fixtures(self) -> list[dict[str, Any]]:
        return self.documents["fixture_data_2526.json"]

    def write(self, path: Path) -> Path:
        lines = io.StringIO(newline="")
        writer = csv.DictWriter(lines, self.columns)
        writer.writeheader()
        writer.writerows(self.snapshots)
        with zipfile.ZipFile(path, "w") as archive:
            for name, document in self.documents.items():
                archive.writestr(FOLDER + name, json.dumps(document))
            archive.writestr(f"{FOLDER}player_attributes_history_2526.csv", lines.getvalue())
        return path


@pytest.fixture(scope="module")
def original(archive: Path) -> str:
    """A smaller archive as JSON text, to be parsed afresh by every test that changes it."""
    documents: dict[str, Any] = {}
    with zipfile.ZipFile(archive) as members:
        for season in ("2425", "2526"):
            for stem in ("FPL", "fixture_data", "player_details"):
                name = f"{stem}_{season}.json"
                documents[name] = json.loads(members.read(FOLDER + name))
        text = members.read(f"{FOLDER}player_attributes_history_2526.csv").decode()
    elements = documents["FPL_2526.json"]["elements"]
    kept = {row["opta_code"] for row in elements if row["id"] % EVERY == 1}
    for season in ("2425", "2526"):
        bootstrap, details = documents[f"FPL_{season}.json"], documents[f"player_details_{season}.json"]
        bootstrap["elements"] = [row for row in bootstrap["elements"] if row["opta_code"] in kept]
        names = {f"{row['first_name']} {row['second_name']}" for row in bootstrap["elements"]}
        documents[f"player_details_{season}.json"] = {
            key: rows for key, rows in details.items() if key in kept or (season == "2425" and key in names)
        }
    reader = csv.DictReader(io.StringIO(text, newline=""))
    snapshots = [row for row in reader if row["opta_code"] in kept]
    return json.dumps([documents, list(reader.fieldnames or ()), snapshots])


@pytest.fixture
def facts_after(original: str, tmp_path: Path) -> Callable[..., str]:
    """The facts of a gameweek as JSON text, after a change to the archive."""

    def facts(gameweek: int, *changes: Change) -> str:
        contents = Contents(*json.loads(original))
        for change in changes:
            change(contents)
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        return ArchiveFeed(contents.write(folder / "archive.whl")).facts(SEASON, gameweek).model_dump_json()

    return facts


def deadline_of(contents: Contents, gameweek: int) -> datetime:
    text = next(event["deadline_time"] for event in contents.bootstrap["events"] if event["id"] == gameweek)
    return datetime.fromisoformat(text)


def other_outcomes_from(gameweek: int) -> Change:
    """Every match of ``gameweek`` and later ends otherwise; later prices and ownership differ too."""

    def change(contents: Contents) -> None:
        for rows in contents.details.values():
            for row in rows:
                if row["gameweek"] < gameweek:
                    continue
                as_of_deadline = {"gameweek"} | ({"value", "selected"} if row["gameweek"] == gameweek else set())
                for key, value in row.items():
                    if isinstance(value, int) and key not in as_of_deadline:
                        row[key] = value + 7
                    elif key.startswith("expected_") or key == "ict_index":
                        row[key] = "9.99"
        for fixture in contents.fixtures:
            if fixture["event"] is not None and fixture["event"] >= gameweek:
                fixture.update(team_h_score=9, team_a_score=8, stats=[])
            fixture.update(team_h_difficulty=5, team_a_difficulty=1)

    return change


def other_news_from(gameweek: int) -> Change:
    """Whatever was copied at the deadline or later says something else, and there is a copy at the very deadline."""

    def change(contents: Contents) -> None:
        deadline = deadline_of(contents, gameweek).replace(tzinfo=None)
        before = [row for row in contents.snapshots if datetime.fromisoformat(row["timestamp"]) < deadline]
        after = [row for row in contents.snapshots if datetime.fromisoformat(row["timestamp"]) >= deadline]
        newest = [row for row in contents.snapshots if row["timestamp"] == contents.snapshots[-1]["timestamp"]]
        at_deadline = [{**row, "timestamp": deadline.isoformat()} for row in newest]
        for row in (*after, *at_deadline):
            row.update(
                price="199", selected="1", news="Suspended until 1 Jan", chance_of_playing_next_round="0", team="ARS"
            )
        contents.snapshots[:] = before + at_deadline + after

    return change


def another_end_of_season(contents: Contents) -> None:
    """The totals, prices and flags the season ended with are others."""
    for element in contents.bootstrap["elements"]:
        element.update(now_cost=199, status="i", news="Knock", chance_of_playing_next_round=0, team=1, team_code=3)
        element.update(total_points=999, minutes=9999, selected_by_percent="99.9", form="9", ep_next="9", starts=99)
    for event in contents.bootstrap["events"]:
        event.update(average_entry_score=1, highest_score=2)


def nothing_played_from(gameweek: int) -> Change:
    """The archive ends with the deadline: later rows are gone and later matches have no score.

    The rows of the gameweek itself stay, for they state prices as of its deadline; their outcomes are gone.
    """

    def change(contents: Contents) -> None:
        for key, rows in contents.details.items():
            contents.details[key] = [row for row in rows if row["gameweek"] <= gameweek]
        other_outcomes_from(gameweek)(contents)
        moved_later = [row for row in contents.fixtures if (row["event"] or 99) > gameweek]
        for fixture in moved_later:
            fixture.update(team_h_score=None, team_a_score=None)
            fixture.update(kickoff_time=fixture["kickoff_time"].replace("T1", "T0"))
            if fixture["id"] in (307, 310, 332, 333, 334):
                fixture.update(event=None, kickoff_time=None)

    return change


def later_deadlines_move(gameweek: int) -> Change:
    def change(contents: Contents) -> None:
        for event in contents.bootstrap["events"]:
            if event["id"] > gameweek:
                event["deadline_time"] = event["deadline_time"].replace(":30:00Z", ":45:00Z")

    return change


@pytest.mark.parametrize("gameweek", [1, 2, 3, 4, 13, 21, 25, 33, 38])
def test_facts_are_the_same_bytes_whatever_happened_afterwards(facts_after: Callable[..., str], gameweek: int) -> None:
    untouched = facts_after(gameweek)
    assert facts_after(gameweek, other_outcomes_from(gameweek), another_end_of_season) == untouched
    assert facts_after(gameweek, other_news_from(gameweek), later_deadlines_move(gameweek)) == untouched
    assert facts_after(gameweek, nothing_played_from(gameweek)) == untouched


@pytest.mark.parametrize("gameweek", [5, 13])
def test_the_same_changes_show_in_the_facts_of_the_following_gameweek(
    facts_after: Callable[..., str], gameweek: int
) -> None:
    untouched = facts_after(gameweek + 1)
    assert facts_after(gameweek + 1, other_outcomes_from(gameweek)) != untouched
    assert facts_after(gameweek + 1, other_news_from(gameweek)) != untouched


def test_a_dated_price_is_not_overruled_by_the_row_of_the_gameweek(facts_after: Callable[..., str]) -> None:
    def dearer_rows(contents: Contents) -> None:
        for rows in contents.details.values():
            for row in rows:
                row["value"] += 10

    assert facts_after(10, dearer_rows) == facts_after(10)
    assert facts_after(2, dearer_rows) != facts_after(2)


def test_rows_listed_twice_count_once(facts_after: Callable[..., str]) -> None:  # CASES R25
    def list_twice(contents: Contents) -> None:
        for key, rows in contents.details.items():
            contents.details[key] = [row for row in rows for _ in range(2)]
        contents.snapshots[:] = [row for row in contents.snapshots for _ in range(2)]

    for gameweek in (1, 12):
        assert facts_after(gameweek, list_twice) == facts_after(gameweek)


def test_a_line_break_inside_a_news_line_is_part_of_the_news(facts_after: Callable[..., str]) -> None:
    def break_the_news(contents: Contents) -> None:
        for row in contents.snapshots:
            row.update(news='Knee injury,\n"no date" given', chance_of_playing_next_round="0")

    assert r"Knee injury,\n\"no date\" given" in facts_after(10, break_the_news)
