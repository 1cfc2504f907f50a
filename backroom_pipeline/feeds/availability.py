"""Reading a player's availability out of the published chance of playing and news line.

The archive keeps the chance and the news but not the official one-letter status, so it is derived: no chance given, or
100, is available (CASES R21: no news is good news); 25 to 75 is doubtful; at 0 the wording of the news decides between
suspended, unavailable (left the club), not in the squad (eligible for nothing this time), and otherwise injured.
Against the official status before the 38 deadlines of 2025/26 this is right wherever the chance itself is current.
"""

from __future__ import annotations

import re

from backroom_pipeline.fpl.model import Status

_WORDINGS_AT_ZERO: tuple[tuple[Status, re.Pattern[str]], ...] = (
    ("s", re.compile(r"^suspended|\bsuspension\b", re.IGNORECASE)),
    (
        "n",
        re.compile(
            r"\bon international duty\b|\bineligible\b|\bunavailable for selection\b|\bnot available for\b"
            r"|\bwon.?t be considered\b",
            re.IGNORECASE,
        ),
    ),
    (
        "u",
        re.compile(
            r"\bjoined\b|\bloan\b|\bpermanently\b|\bsigned (by|for)\b|\b(departed|left) the club\b", re.IGNORECASE
        ),
    ),
)


def status_from_news(chance: int | None, news: str) -> Status:
    """The official status letter that goes with a chance of playing (percent or None) and a news line."""
    if chance is None or chance >= 100:
        return "a"
    if chance > 0:
        return "d"
    for status, wording in _WORDINGS_AT_ZERO:
        if wording.search(news):
            return status
    return "i"
