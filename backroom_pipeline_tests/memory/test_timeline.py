"""The course of a promise in words."""

from __future__ import annotations

from backroom_pipeline.memory.commitments.timeline import Course, weeks_in_words
from backroom_pipeline.memory.model import Claim, NoHits, StandingClaim


def test_weeks_in_a_row_are_a_range() -> None:
    assert weeks_in_words((2, 4, 5, 6, 11)) == "2, 4 to 6, 11"
    assert weeks_in_words((3, 4)) == "3 to 4"
    assert weeks_in_words(()) == ""


def test_a_course_tells_kept_broken_and_ending() -> None:
    claim = Claim(text="No hits before gameweek 10.", terms=NoHits(kind="no_hits", last=9))
    standing = StandingClaim(
        record_id="a", manager="opus", made_in=3, ordinal=0, claim=claim, kept=(4, 5, 6), broken=(7,), open=False
    )
    assert (
        Course(standing=standing, ending="lapsed after 9").sentence
        == "made in 3, kept 3 times (4 to 6), broken in 7, lapsed after 9"
    )
    once = standing.model_copy(update={"kept": (4,), "broken": ()})
    assert Course(standing=once, ending="open").sentence == "made in 3, kept once (4), open"
