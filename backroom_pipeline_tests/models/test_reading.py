"""No malformed text becomes an answer, and no fault goes without a name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom_pipeline.backroom.contracts import AssistantSheet
from backroom_pipeline.models.reading import MOST_BREACHES, Unreadable, read_answer
from backroom_pipeline_tests.models.room import GOOD, SHEET

PATHS: list[tuple[str, ...]] = [("case",), ("sheet",), *(("sheet", name) for name in SHEET["sheet"])]
WRONG = st.sampled_from([7.5, "7", True, [], {}, ["x"], [1.0], -1e400, {"id": 1}, [[1]], "", "\ud800"])


def read(text: str) -> AssistantSheet | Unreadable:
    try:
        return read_answer(text, AssistantSheet)
    except Unreadable as unreadable:
        return unreadable


@settings(deadline=None)
@given(st.sampled_from(PATHS), WRONG)
def test_a_value_of_another_type_is_never_coerced(path: tuple[str, ...], wrong: Any) -> None:
    answer: dict[str, Any] = json.loads(GOOD)
    place = answer
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = wrong
    found = read(json.dumps(answer))
    if isinstance(found, Unreadable):
        assert found.breaches
        assert all(breach.code and breach.sentence for breach in found.breaches)
    else:
        assert found.model_dump(mode="json") == answer


@settings(deadline=None)
@given(st.integers(0, len(GOOD)), st.text(max_size=5), st.integers(0, 40))
def test_a_damaged_answer_is_either_unreadable_or_exactly_what_its_json_says(at: int, put: str, cut: int) -> None:
    damaged = GOOD[:at] + put + GOOD[at + cut :]
    found = read(damaged)
    if isinstance(found, Unreadable):
        assert found.breaches
    else:
        start, end = damaged.index("{"), damaged.rindex("}") + 1
        assert found.model_dump(mode="json") == json.loads(damaged[start:end])


def test_braces_in_the_words_of_an_answer_do_no_harm() -> None:
    words = 'Salah {captain} said "```json {x}```" <think>no</think>'
    assert read_answer(json.dumps({**SHEET, "case": words}), AssistantSheet).case == words


def test_a_model_with_a_hundred_mistakes_is_told_of_a_dozen() -> None:
    with pytest.raises(Unreadable) as told:
        read_answer(json.dumps({**SHEET, **{f"k{number}": 1 for number in range(100)}}), AssistantSheet)
    assert len(told.value.breaches) == MOST_BREACHES + 1
    assert told.value.breaches[-1].sentence == "And 88 more mistakes of form."


def test_an_endless_answer_is_not_read() -> None:
    with pytest.raises(Unreadable, match="300000 characters"):
        read_answer("{" * 300_000, AssistantSheet)
