"""Spend caps: what is reserved before a call, and that no call is made which could break them."""

from __future__ import annotations

import queue
import threading
from typing import Any

import pytest

from backroom_pipeline.ledger.answers import AnswerKey
from backroom_pipeline.ledger.calls import text
from backroom_pipeline.ledger.spending import spent
from backroom_pipeline.models.attempts import AttemptLog, Request
from backroom_pipeline.models.call import CallBudget, CannotAnswer, CapReached, ModelSpec
from backroom_pipeline.models.prices import price_of
from backroom_pipeline.models.spending import Caps, Guard, call_estimate
from backroom_pipeline_tests.models.fault_server import Connection, hang, message, status
from backroom_pipeline_tests.models.room import GOOD, KEY, PROMPT, Room

PRICED: dict[str, Any] = {"price": {"input": 1, "output": 2}, "max_tokens": 500}
"""A micro-dollar a token of the prompt, two a token of the answer."""
USUAL_COST = 1000 * 1 + 200 * 2
"""Of the scripted usage."""


def usual_estimate(room: Room) -> int:
    """What one call of these tests reserves, as recorded with a first one that nothing limits."""
    room.server.will(message(GOOD))
    room.ask(key=key("scout", gameweek=38), **PRICED)
    (row,) = room.ledger.rows("SELECT micro_dollars FROM call_estimates")
    return int(str(row["micro_dollars"]))


def key(manager: str = KEY.manager, gameweek: int = KEY.gameweek) -> AnswerKey:
    return KEY.model_copy(update={"manager": manager, "gameweek": gameweek})


def limit(room: Room, gameweek: int | None = None, season: int | None = None) -> None:
    room.guard = Guard(Caps(gameweek, season))


def test_an_estimate_is_the_prompt_and_the_longest_answer_at_todays_price() -> None:
    spec = ModelSpec(model="openai/gpt-4o-mini", options={"max_tokens": 1000})
    estimate = call_estimate(spec, 10_000)
    assert estimate is not None
    # 10,000 x 0.15 + 1,000 x 0.60
    assert (estimate.micro_dollars, estimate.prompt_tokens, estimate.answer_tokens) == (2_100, 10_000, 1_000)


def test_without_max_tokens_the_longest_answer_is_the_vendors() -> None:
    estimate = call_estimate(ModelSpec(model="openai/gpt-4o-mini"), 10_000)
    assert estimate is not None
    assert (estimate.answer_tokens, estimate.micro_dollars) == (16_384, 1_500 + 9_831)  # 16,384 x 0.6 = 9,830.4


def test_a_prefix_that_is_written_to_the_cache_is_reserved_at_the_price_of_writing() -> None:
    spec = ModelSpec(model="anthropic/claude-opus-5-5", options={"max_tokens": 100})
    plain, marked = call_estimate(spec, 10_000), call_estimate(spec, 10_000, marked=True)
    assert plain is not None
    assert marked is not None
    assert (plain.micro_dollars, marked.micro_dollars) == (42_000, 52_000)


def test_with_the_cap_below_the_next_calls_estimate_no_call_is_made(room: Room) -> None:
    estimate = usual_estimate(room)
    limit(room, gameweek=estimate - 1)
    with pytest.raises(CapReached) as told:
        room.ask(**PRICED)
    assert len(room.server.requests) == 1, "the one before the cap was set"
    assert [call.attempt.manager for call in room.calls] == ["scout"]
    sentence = str(told.value)
    assert "opus's assistant could not answer in gameweek 7 of 2025-26: no call was made" in sentence
    assert "has cost $0.0000" in sentence
    assert f"may cost up to ${estimate / 1e6:.4f}" in sentence
    assert f"the cap is ${(estimate - 1) / 1e6:.4f}" in sentence
    assert "Raise spend_cap_per_gameweek in the league file, or lower max_tokens" in sentence


def test_with_the_cap_at_the_estimate_the_call_is_made_and_the_next_one_is_not(room: Room) -> None:
    limit(room, gameweek=usual_estimate(room))
    room.server.will(message(GOOD))
    room.ask(**PRICED)
    with pytest.raises(CapReached, match=rf"has cost \${USUAL_COST / 1e6:.4f},"):
        room.ask(key=key("sonnet"), **PRICED)
    assert len(room.server.requests) == 2


def test_the_cap_of_a_gameweek_looks_at_that_gameweek_and_the_cap_of_a_season_at_all(room: Room) -> None:
    estimate = usual_estimate(room)
    limit(room, gameweek=estimate)
    room.server.will(message(GOOD), message(GOOD))
    room.ask(key=key(gameweek=7), **PRICED)
    room.ask(key=key(gameweek=8), **PRICED)
    limit(room, season=3 * USUAL_COST + estimate - 1)
    with pytest.raises(CapReached, match=r"season 2025-26 has cost .* Raise spend_cap_per_season"):
        room.ask(key=key(gameweek=9), **PRICED)
    limit(room, season=3 * USUAL_COST + estimate)
    room.server.will(message(GOOD))
    room.ask(key=key(gameweek=9), **PRICED)


def test_an_answer_that_is_stored_already_costs_nothing_under_any_cap(room: Room) -> None:
    room.server.will(message(GOOD))
    first = room.ask(**PRICED)
    limit(room, gameweek=0, season=0)
    again = room.ask(**PRICED)
    assert (again.value, again.attempts, again.replayed_attempts) == (first.value, 0, 1)
    assert len(room.server.requests) == 1


def test_a_call_whose_cost_is_unknown_counts_with_its_estimate_and_is_named_so(room: Room) -> None:
    estimate = usual_estimate(room)
    limit(room, gameweek=2 * estimate - 1)
    room.server.will(hang)
    with pytest.raises(CannotAnswer):
        room.ask(timeout=0.3, budget=CallBudget(transport=0), **PRICED)
    so_far = spent(room.ledger, KEY.season, KEY.gameweek)
    assert (so_far.known, so_far.assumed, so_far.calls_of_unknown_cost) == (0, estimate, 1)
    with pytest.raises(CapReached, match=rf"\(\${estimate / 1e6:.4f} of it assumed, for calls of unknown cost"):
        room.ask(key=key("sonnet"), **PRICED)


def test_a_call_that_a_dead_process_left_in_the_air_still_counts(room: Room) -> None:
    estimate = usual_estimate(room)
    spec = ModelSpec(model="openai/gpt-4o-mini", options=room.options | PRICED)
    AttemptLog(room.ledger, key("sonnet")).begin(Request(spec, PROMPT, None), "content", Guard().reserve)
    assumed = spent(room.ledger, KEY.season, KEY.gameweek).assumed
    assert assumed > 0
    limit(room, gameweek=estimate + assumed - 1)
    with pytest.raises(CapReached):
        room.ask(**PRICED)


def test_a_turned_away_call_frees_what_it_reserved(room: Room) -> None:
    limit(room, gameweek=usual_estimate(room))
    room.server.will(status(429, "slow down"), message(GOOD))
    assert room.ask(**PRICED).attempts == 2


def test_a_repair_is_a_call_like_any_other(room: Room) -> None:
    limit(room, gameweek=usual_estimate(room) + 10)
    room.server.will(message("not an answer"), message(GOOD))
    with pytest.raises(CapReached) as told:
        room.ask(**PRICED)
    assert len(room.server.requests) == 2
    assert [reason.split(":")[0] for reason in told.value.reasons] == ["invalid"]


def test_more_room_for_an_answer_is_reserved_before_it_is_given(room: Room) -> None:
    limit(room, gameweek=usual_estimate(room) + USUAL_COST + 999)
    room.server.will(message("{", finish_reason="length"), message(GOOD))
    with pytest.raises(CapReached):
        room.ask(**PRICED)
    assert len(room.server.requests) == 2, "500 tokens more at two micro-dollars do not fit"


def test_without_a_price_no_cap_can_be_kept_so_nobody_is_asked(room: Room) -> None:
    limit(room, season=10**9)
    with pytest.raises(CapReached, match=r"nobody knows the price of openai/somebody-elses-model.*price: \{input: 3"):
        room.ask(model="openai/somebody-elses-model")
    assert room.server.requests == []
    limit(room)
    room.server.will(message(GOOD))
    assert room.ask(model="openai/somebody-elses-model").cost_micro_dollars is None
    assert spent(room.ledger, KEY.season).calls_without_a_price == 1


def test_a_house_model_is_asked_under_any_cap(room: Room) -> None:
    limit(room, gameweek=0, season=0)
    request = Request(ModelSpec(model="house/banker"), PROMPT, None)
    assert room.guard.reserve(room.ledger, KEY, request) is None


def test_the_price_a_call_was_reserved_and_paid_with_can_be_read_from_the_ledger(room: Room) -> None:
    room.server.will(message(GOOD))
    room.ask()
    (call,) = room.calls
    assert call.result is not None
    (reserved,) = room.ledger.rows("SELECT price_version FROM call_estimates")
    price = price_of(ModelSpec(model="openai/gpt-4o-mini"))
    assert price is not None
    assert reserved["price_version"] == call.result.cost_source == price.version
    assert text(room.ledger, price.version.rpartition(":")[2]) == price.text


def test_eight_threads_racing_for_the_last_three_slots_get_three(room: Room) -> None:
    estimate = usual_estimate(room)
    limit(room, season=USUAL_COST + 3 * estimate + estimate - 1)
    answer, outcomes = threading.Event(), queue.SimpleQueue[str]()

    def when_told(connection: Connection) -> None:
        answer.wait()
        message(GOOD)(connection)

    room.server.will(*[when_told] * 8)

    def backroom(number: int) -> None:
        try:
            room.ask(key=key(f"manager-{number}"), **PRICED)
        except CapReached:
            outcomes.put("refused")
        else:
            outcomes.put("answered")

    threads = [threading.Thread(target=backroom, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    # Five are refused while three are in the air: none has an answer before all five are out.
    assert [outcomes.get(timeout=60) for _ in range(5)] == ["refused"] * 5
    in_the_air = spent(room.ledger, KEY.season)
    assert (in_the_air.assumed, in_the_air.total) == (3 * estimate, USUAL_COST + 3 * estimate)
    answer.set()
    for thread in threads:
        thread.join()
    assert [outcomes.get_nowait() for _ in range(3)] == ["answered"] * 3
    assert len(room.server.requests) == 1 + 3
    assert spent(room.ledger, KEY.season).total == 4 * USUAL_COST
