"""A clause of a promise, taken apart, and what every reader of clauses asks of it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from backroom_pipeline.fpl.model import Position
from backroom_pipeline.memory.commitments import patterns
from backroom_pipeline.memory.commitments.amounts import negations
from backroom_pipeline.memory.commitments.vocabulary import LINES
from backroom_pipeline.memory.commitments.windows import WindowKind


class Who(NamedTuple):
    """Players named together: all of them ("and") or any of them ("or")."""

    ids: tuple[int, ...]
    either: bool = False


class Clause(NamedTuple):
    """A clause without its window, conditions and asides."""

    text: str
    players: tuple[Who, ...]
    """As mentioned in the clause, or whom "he" is when none is."""
    clubs: tuple[str, ...]
    window: WindowKind
    one_week: bool
    only: bool
    """The act is allowed under a condition only: without it, it must not be done."""
    he: int | None
    """Whom "he" and "his" are about."""
    lasts: bool = False
    """The window was said with "until": of a state."""
    all_season: bool = False
    whole: bool = True
    """The clause is all that the sentence says."""


Draft = dict[str, Any]
"""Fields of terms, with ``kind``."""


def says(pattern: str | re.Pattern[str], text: str) -> bool:
    return patterns.compiled(pattern).search(text) is not None


_COORDINATED = re.compile(r",? (?:and|but|so) |; |, (?=(?:never|not|no|nobody)\b)")


def is_negated(text: str) -> bool:
    """Whether the text says no: an odd number of times in any of its coordinated parts ("not one for it and won't")."""
    return any(negations(part) % 2 == 1 for part in _COORDINATED.split(text))


def position_named(text: str) -> Position | None:
    """The first position that is named, goalkeepers last."""
    return next((position for position, words in LINES if words.found_in(text)), None)


def whole(number: float | None) -> int | None:
    return None if number is None else round(number)
