"""No malformed text becomes an answer, and no fault goes without a name."""

from __future__ import annotations

import contextlib
import json
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom_pipeline.backroom.contracts import AssistantSheet
from backroom_pipeline.models.reading import LONGEST_ANSWER, MOST_BREACHES, Unreadable, read_answer
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
        assert found.model_dump(mode="json") in objects_in(damaged)


def objects_in(text: str) -> list[object]:
    """Every JSON object that stands in the text, wherever it begins; a stray brace before it is prose."""
    found: list[object] = []
    for brace in re.finditer("{", text):
        with contextlib.suppress(ValueError):
            found.append(json.JSONDecoder().raw_decode(text, brace.start())[0])
    return found


@pytest.mark.parametrize("before", ["{", "{ ", "{}x{"])
def test_a_stray_brace_before_the_answer_is_prose(before: str) -> None:
    found = read(before + GOOD)
    assert isinstance(found, Unreadable) or found.model_dump(mode="json") == json.loads(GOOD)


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


def test_a_second_answer_that_breaks_off_leaves_it_open_which_one_is_meant() -> None:
    with pytest.raises(Unreadable, match="2 JSON objects"):
        read_answer(f"{GOOD}\nor rather\n{GOOD[:90]}", AssistantSheet)
    assert read_answer(f'```json\n{GOOD}\n```\nwhere {{"sheet" is the team', AssistantSheet).case == SHEET["case"]


N = LONGEST_ANSWER - 100
SLOW_TO_READ = {
    "thoughts without end": "x" + "<think>" * (N // 7),
    "empty objects": "{}" * (N // 2),
    "fenced objects": "``` {} " * (N // 7),
    "braces": "{" * N,
    "keys, one of them twice": "{" + ",".join(f'"k{number}":1' for number in range(N // 12)) + ',"k15000":2}',
}


@pytest.mark.parametrize("text", SLOW_TO_READ.values(), ids=SLOW_TO_READ)
def test_no_answer_takes_long_to_be_read(text: str) -> None:
    began = time.process_time()
    with pytest.raises(Unreadable):
        read_answer(text, AssistantSheet)
    assert time.process_time() - began < 1
