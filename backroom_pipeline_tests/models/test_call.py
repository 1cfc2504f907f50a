"""The typed call against a real endpoint on loopback, through LiteLLM itself. Each fault alone is in test_faults.py."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from backroom_pipeline.ledger.answers import AnswerKey
from backroom_pipeline.ledger.calls import text
from backroom_pipeline.models.attempts import AttemptLog, Request, stored_prompt
from backroom_pipeline.models.blocks import Blocks
from backroom_pipeline.models.call import CallBudget, CannotAnswer, ModelSpec
from backroom_pipeline.models.prices import price_of
from backroom_pipeline.models.spending import Guard
from backroom_pipeline_tests.models.fault_server import (
    hang,
    message,
    status,
)
from backroom_pipeline_tests.models.room import GOOD, KEY, PROMPT, SHEET, Room, captain_nine_only, sheet_with


def test_a_legal_answer_is_taken_at_once_and_costs_what_its_usage_says(room: Room) -> None:
    room.server.will(message(GOOD))
    asked = room.ask()
    assert asked.value.model_dump(mode="json") == SHEET
    assert (asked.attempts, asked.replayed_attempts) == (1, 0)
    # 1,000 tokens in at 0.15 and 200 out at 0.60 dollars a million.
    assert asked.cost_micro_dollars == 270
    (call,) = room.calls
    assert call.result is not None
    price = price_of(ModelSpec(model="openai/gpt-4o-mini"))
    assert price is not None
    assert (call.status, call.result.cost_micro_dollars, call.result.cost_source) == ("ok", 270, price.version)
    usage = json.loads(call.result.usage_json or "")
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (1000, 200)
    assert usage["litellm_cost_dollars"] == pytest.approx(0.00027)
    assert text(room.ledger, call.result.answer_sha256 or "") == GOOD
    assert stored_prompt(room.ledger, call.attempt.prompt_sha256) == PROMPT


def test_the_shared_part_of_the_message_comes_first_and_the_schema_is_sent(room: Room) -> None:
    room.server.will(message(GOOD))
    room.ask()
    body = room.server.requests[0]["body"]
    assert [m["role"] for m in body["messages"]] == ["system", "user"]
    assert body["messages"][0]["content"] == PROMPT.system
    assert body["messages"][1]["content"] == PROMPT.public + "\n\n" + PROMPT.private
    assert body["response_format"]["json_schema"]["schema"]["title"] == "AssistantSheet"


def test_a_model_that_hangs_is_given_up_and_its_cost_is_unknown_not_nothing(room: Room) -> None:
    room.server.will(hang, message(GOOD))
    asked = room.ask(timeout=0.3)
    assert asked.cost_micro_dollars is None
    hung, good = room.calls
    assert hung.result is not None
    assert good.status == "ok"
    assert (hung.status, hung.result.cost_micro_dollars, hung.result.cost_source) == ("timeout", None, "unknown")
    assert "did not answer in 0.3 s" in (hung.result.error or "")


def test_a_vendor_that_says_how_long_to_wait_is_obeyed(room: Room) -> None:
    room.server.will(status(429, "slow down", ("retry-after", "0.4")), message(GOOD))
    room.ask()
    first, second = (call.attempt.started_at for call in room.calls)
    assert (second - first).total_seconds() >= 0.4


def test_a_vendor_that_asks_for_an_hour_is_not_waited_for(room: Room) -> None:
    room.server.will(status(429, "come back later", ("retry-after", "3600")))
    with pytest.raises(CannotAnswer, match="come back later"):
        room.ask()
    assert room.statuses == ["transport"]


@pytest.mark.parametrize(
    "said", ["Conversation roles must alternate user/assistant", "Last message must have role `user`"]
)
def test_a_complaint_that_litellm_keeps_to_itself_is_a_fault_like_any_other(room: Room, said: str) -> None:
    room.server.will(*[status(400, said)] * 2)
    with pytest.raises(CannotAnswer, match="brought neither an answer nor an error"):
        room.ask()
    assert room.statuses == ["error"]
    assert not room.server.script, "LiteLLM asks twice, which no option of its own prevents"


def test_the_two_budgets_are_separate(room: Room) -> None:
    overloaded = status(529, "overloaded")
    room.server.will(overloaded, message("no"), overloaded, overloaded, message("no"), overloaded, message(GOOD))
    asked = room.ask()
    assert asked.attempts == 7
    assert room.statuses == ["transport", "invalid", "transport", "transport", "invalid", "transport", "ok"]


def test_after_four_repeats_the_operator_is_told_who_could_not_answer_and_why(room: Room) -> None:
    room.server.will(*[status(503, "down for maintenance")] * 9)
    with pytest.raises(CannotAnswer) as told:
        room.ask()
    assert len(room.server.requests) == 5
    sentence = str(told.value)
    assert "opus's assistant could not answer in gameweek 7 of 2025-26" in sentence
    assert "down for maintenance" in sentence
    assert len(told.value.reasons) == 5


def test_a_chip_that_does_not_exist_is_no_answer(room: Room) -> None:
    room.server.will(message(sheet_with(chip="assistant_manager")), message(GOOD))
    assert room.ask().attempts == 2
    assert room.statuses == ["invalid", "ok"]
    assert "literal_error" in [row["code"] for row in Blocks(room.server.user_texts[1]).rows("breaches")]


def test_an_illegal_answer_goes_back_naming_the_rule_and_the_players(room: Room) -> None:
    room.server.will(message(GOOD), message(sheet_with(captain=8)), message(sheet_with(captain=9)))
    asked = room.ask(check=captain_nine_only)
    assert asked.value.sheet.captain == 9
    assert room.statuses == ["illegal", "illegal", "ok"]
    last = room.server.user_texts[2]
    # Rebuilt from the original: what was wrong with the answer before the last is gone again.
    assert Blocks(last).rows("breaches") == [
        {"code": "wrong_captain", "sentence": "Player 8 may not be captain; name 9.", "players": [8]}
    ]
    assert last.index("## BREACHES") > last.index(PROMPT.private)
    # The part all managers share stays as it was, so the vendor's cache and the one-prompt check hold.
    assert len({call.attempt.public_sha256 for call in room.calls}) == 1


def test_after_two_repairs_the_last_breach_is_in_the_sentence(room: Room) -> None:
    room.server.will(*[message(GOOD)] * 9)
    with pytest.raises(CannotAnswer, match=r"gameweek 7.*in 3 tries.*Player 11 may not be captain"):
        room.ask(check=captain_nine_only)
    assert len(room.server.requests) == 3


def test_an_answer_truncated_again_is_told_to_be_shorter(room: Room) -> None:
    cut = message("{", finish_reason="length")
    room.server.will(cut, cut, message(GOOD))
    room.ask(max_completion_tokens=300)
    assert [request["body"]["max_completion_tokens"] for request in room.server.requests] == [300, 600, 600]
    assert "cut off" in Blocks(room.server.user_texts[2]).rows("breaches")[0]["sentence"]


def test_a_model_without_a_price_is_an_unknown_cost(room: Room) -> None:
    room.server.will(message(GOOD))
    assert room.ask(model="openai/somebody-elses-model").cost_micro_dollars is None


def test_an_answer_that_was_stored_before_a_crash_is_not_asked_for_again(room: Room) -> None:
    room.server.will(message(GOOD))
    first = room.ask()
    # The process dies here, before its answer is committed; the next one asks the same.
    again = room.ask()
    assert (again.attempts, again.replayed_attempts) == (0, 1)
    assert (again.value, again.attempt_id, again.cost_micro_dollars) == (first.value, first.attempt_id, 270)
    assert len(room.server.requests) == 1


def test_a_run_that_died_between_two_repairs_goes_on_where_it_was(room: Room) -> None:
    room.server.will(message(sheet_with(captain=1)), hang)
    with pytest.raises(CannotAnswer):
        room.ask(check=captain_nine_only, timeout=0.3, budget=CallBudget(transport=0))
    room.server.will(message(sheet_with(captain=9)))
    asked = room.ask(check=captain_nine_only)
    assert (asked.attempts, asked.replayed_attempts) == (1, 1)
    assert room.statuses == ["illegal", "timeout", "ok"]
    assert "## BREACHES" in room.server.user_texts[-1]


def test_a_call_that_was_in_the_air_when_the_process_died_is_asked_again_and_its_cost_is_unknown(room: Room) -> None:
    spec = ModelSpec(model="openai/gpt-4o-mini")
    AttemptLog(room.ledger, KEY).begin(Request(spec, PROMPT, None), "content", Guard().reserve)
    assert room.statuses == ["pending"]
    room.server.will(message(GOOD))
    assert room.ask().attempts == 1
    lost, good = room.calls
    assert lost.result is not None
    assert (lost.status, lost.result.cost_source, good.status) == ("error", "unknown", "ok")
    assert "may have been billed" in (lost.result.error or "")


def test_an_answer_whose_check_crashed_is_kept_and_read_again_later(room: Room) -> None:
    def broken(_: Any) -> Any:
        raise ZeroDivisionError

    room.server.will(message(GOOD))
    with pytest.raises(ZeroDivisionError):
        room.ask(check=broken)
    assert room.statuses == ["error"]
    assert room.ask().replayed_attempts == 1
    assert len(room.server.requests) == 1


def test_running_a_failed_step_again_is_a_new_try(room: Room) -> None:
    room.server.will(*[message("no")] * 3)
    with pytest.raises(CannotAnswer):
        room.ask()
    room.server.will(message(GOOD))
    assert room.ask().attempts == 1
    assert room.statuses == ["invalid"] * 3 + ["ok"]


def test_another_prompt_is_another_request(room: Room) -> None:
    room.server.will(message(GOOD), message(sheet_with(captain=3)))
    room.ask()
    asked = room.ask(prompt=PROMPT.model_copy(update={"private": "## YOUR TEAM\nChanged."}))
    assert (asked.attempts, asked.value.sheet.captain) == (1, 3)


def test_another_patience_or_address_is_the_same_request_but_another_temperature_is_not(room: Room) -> None:
    room.server.will(message(GOOD), message(GOOD))
    room.ask()
    assert room.ask(timeout=4).attempts == 0
    assert room.ask(temperature=0.5).attempts == 1


def test_eight_managers_ask_at_once(room: Room) -> None:
    room.server.will(*[message(GOOD)] * 8)
    answered: dict[str, int] = {}

    def manager(slug: str) -> Callable[[], None]:
        key = AnswerKey(season=KEY.season, gameweek=KEY.gameweek, manager=slug, role="assistant")

        def play() -> None:
            answered[slug] = room.ask(key=key).attempts

        return play

    threads = [threading.Thread(target=manager(f"m{number}")) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answered == {f"m{number}": 1 for number in range(8)}
    assert room.statuses == ["ok"] * 8


def test_who_only_imports_the_call_does_not_wait_for_litellm() -> None:
    loaded = "import sys, backroom_pipeline.models.call; print(sorted({'litellm', 'openai'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout == "[]\n"
