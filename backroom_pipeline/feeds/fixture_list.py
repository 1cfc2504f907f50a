"""The fixture list as it stood at a point in time, for seasons whose dated copies are on record.

A final list gives away later doubles and blanks (CASES R23). ``fixture_lists/<season>.yaml`` records what changed and
the first dated copy that shows each change.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any, Generic, TypeVar

import yaml

T = TypeVar("T")


@dataclass(frozen=True)
class Changing(Generic[T]):
    """A value that changed over time: the instants it took effect, in order, and what it was from each on."""

    since: tuple[datetime, ...]
    values: tuple[T, ...]

    def at(self, instant: datetime) -> T:
        """The value at ``instant``; the first one also stands for the time before it."""
        return self.values[max(bisect_right(self.since, instant) - 1, 0)]


@dataclass(frozen=True)
class DatedFixtureList:
    """Dated copies of one season's fixture list, kept as what changed between them."""

    copies: tuple[datetime, ...]
    moves: dict[int, Changing[int | None]]
    difficulty_at_home: dict[str, Changing[int]]
    difficulty_away: dict[str, Changing[int]]

    def copy_before(self, cutoff: datetime) -> datetime:
        """The date of the newest copy not later than ``cutoff`` (of the first one where there is none)."""
        return self.copies[max(bisect_right(self.copies, cutoff) - 1, 0)]

    def gameweek(self, fixture_id: int, final: int | None, cutoff: datetime) -> int | None:
        """The gameweek a match was in at ``cutoff``; ``final`` for a match that never moved."""
        moved = self.moves.get(fixture_id)
        return moved.at(cutoff) if moved else final

    def difficulties(self, home: str, away: str, cutoff: datetime) -> tuple[int, int]:
        """How hard the match was rated at ``cutoff`` for the home club and for the away club."""
        return self.difficulty_away[away].at(cutoff), self.difficulty_at_home[home].at(cutoff)


@cache
def dated_fixture_list(season: str) -> DatedFixtureList | None:
    """The dated fixture list of a season such as ``2025-26``, or None where no copies are on record."""
    file = files("backroom_pipeline.feeds") / "fixture_lists" / f"{season}.yaml"
    if not file.is_file():
        return None
    recorded = yaml.safe_load(file.read_text(encoding="utf-8"))
    facing: dict[str, dict[str, list[dict[str, Any]]]] = recorded["difficulty_of_facing"]
    return DatedFixtureList(
        copies=tuple(recorded["copies"]),
        moves={move["fixture"]: _changing(move["gameweeks"], "gameweek") for move in recorded["moves"]},
        difficulty_at_home={club: _changing(rated["at_home"], "difficulty") for club, rated in facing.items()},
        difficulty_away={club: _changing(rated["away"], "difficulty") for club, rated in facing.items()},
    )


def _changing(entries: Sequence[dict[str, Any]], key: str) -> Changing[Any]:
    return Changing(tuple(entry["from"] for entry in entries), tuple(entry[key] for entry in entries))
