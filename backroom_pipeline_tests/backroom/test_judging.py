"""A model as judge: asked once, about what the rules leave open, at a known cost, and never in the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tenacity import wait_none

from backroom_pipeline.backroom.judging import NOTHING_TO_ASK, Judged, judge_prompt, judge_spec, judged
from backroom_pipeline.ledger.calls import calls
from backroom_pipeline.ledger.rows import JudgeKey
from backroom_pipeline.ledger.spending import spent
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments.contradictions import Undecided, new_claims
from backroom_pipeline.memory.model import Claim, FreeText
from backroom_pipeline.models.blocks import Blocks
from backroom_pipeline.models.call import CallBudget, ModelSpec
from backroom_pipeline_tests.models.fault_server import FaultServer, Reply, hang, message, status

KEY = JudgeKey(season="2025-26", gameweek=7, manager="opus")
SAID = (
    "I trust numbers and nothing else.",
    "My instinct picks the captain from now on.",
    "I never speak of luck.",
    "Luck owes me a goal.",
)


def pairs() -> list[Undecided]:
    earlier = new_claims(
        "opus", "2025-26", 3, [Claim(text=SAID[at], terms=FreeText(kind="free_text")) for at in (0, 2)]
    )
    later = new_claims("opus", "2025-26", 7, [Claim(text=SAID[at], terms=FreeText(kind="free_text")) for at in (1, 3)])
    return [Undecided(one, other, 0.6) for one, other in zip(earlier, later, strict=True)]


def answering(*verdicts: str, numbers: tuple[int, ...] = (1, 2)) -> Reply:
    rows = [
        {"pair": number, "verdict": verdict, "reason": f"Because of pair {number}."}
        for number, verdict in zip(numbers, verdicts, strict=True)
    ]
    return message(json.dumps({"verdicts": rows}))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.duckdb") as opened:
        yield opened


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer().running() as running:
        yield running


@pytest.fixture
def spec(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> ModelSpec:
    monkeypatch.setenv("BACKROOM_TEST_KEY", "not-a-real-key-0123456789")
    options = {"api_base": server.api_base, "api_key_env": "BACKROOM_TEST_KEY", "timeout": 5}
    return ModelSpec(model="openai/gpt-4o-mini", options=options)


def ask_judge(ledger: Ledger, spec: ModelSpec, asked: list[Undecided] | None = None) -> Judged:
    budget = CallBudget(transport=1, content=1, wait=wait_none(), longest_wait=1.0)
    return judged(ledger, KEY, spec, pairs() if asked is None else asked, budget)


def test_all_pairs_go_in_one_call_and_come_back_with_their_verdicts_and_the_cost(
    ledger: Ledger, server: FaultServer, spec: ModelSpec
) -> None:
    server.will(answering("contradiction", "unrelated"))
    found = ask_judge(ledger, spec)
    assert [(pair.later.claim.text, verdict.verdict) for pair, verdict in found.verdicts] == [
        (SAID[1], "contradiction"),
        (SAID[3], "unrelated"),
    ]
    (call,) = calls(ledger, KEY.season)
    assert (call.attempt.role, call.attempt.attempt_id) == ("judge", found.attempt_id)
    assert found.cost_micro_dollars == 270 == spent(ledger, KEY.season, KEY.gameweek).known
    assert found.note == "openai/gpt-4o-mini judged 2 pairs"


def test_the_judge_is_shown_the_sentences_with_their_gameweeks_as_data_and_nothing_else(
    server: FaultServer, ledger: Ledger, spec: ModelSpec
) -> None:
    server.will(answering("consistent", "consistent"))
    ask_judge(ledger, spec)
    rows = Blocks(server.user_texts[0]).rows("pairs")
    assert [(row["earlier_gameweek"], row["earlier"], row["later_gameweek"], row["later"]) for row in rows] == [
        (3, SAID[0], 7, SAID[1]),
        (3, SAID[2], 7, SAID[3]),
    ]
    assert "opus" not in judge_prompt(pairs()).shared_text + server.user_texts[0]


def test_verdicts_may_come_in_any_order(ledger: Ledger, server: FaultServer, spec: ModelSpec) -> None:
    server.will(answering("update", "contradiction", numbers=(2, 1)))
    assert [verdict.verdict for _, verdict in ask_judge(ledger, spec).verdicts] == ["contradiction", "update"]


@pytest.mark.parametrize("numbers", [(1, 1), (1, 3), (0, 1)])
def test_a_verdict_that_is_missing_is_asked_for_once_more(
    ledger: Ledger, server: FaultServer, spec: ModelSpec, numbers: tuple[int, ...]
) -> None:
    server.will(answering("consistent", "consistent", numbers=numbers), answering("consistent", "contradiction"))
    assert len(ask_judge(ledger, spec).verdicts) == 2
    assert "exactly one verdict for each pair from 1 to 2" in server.user_texts[1]


def test_a_judge_that_answered_is_not_asked_again(ledger: Ledger, server: FaultServer, spec: ModelSpec) -> None:
    server.will(answering("contradiction", "unrelated"))
    first = ask_judge(ledger, spec)
    again = ask_judge(ledger, spec)
    assert again == first
    assert len(server.requests) == 1


def test_nothing_to_ask_asks_nobody(ledger: Ledger, server: FaultServer, spec: ModelSpec) -> None:
    assert ask_judge(ledger, spec, []) == NOTHING_TO_ASK
    assert not server.requests
    assert calls(ledger, KEY.season) == []


@pytest.mark.parametrize(
    "replies",
    [
        [status(503, "down for maintenance")] * 2,
        [status(401, "no such key")],
        [message("I would rather not say.")] * 2,
        [message("", finish_reason="content_filter")] * 2,
    ],
    ids=["down", "no key", "no JSON", "refused"],
)
def test_a_judge_that_cannot_answer_is_noted_and_stops_nobody(
    ledger: Ledger, server: FaultServer, spec: ModelSpec, replies: list[Reply]
) -> None:
    server.will(*replies)
    found = ask_judge(ledger, spec)
    assert found.note.startswith("not available: ")
    assert (found.verdicts, found.attempt_id) == ((), None)
    assert calls(ledger, KEY.season)[-1].status != "ok"


def test_a_judge_that_hangs_is_not_waited_for(ledger: Ledger, server: FaultServer, spec: ModelSpec) -> None:
    server.will(hang, hang)
    impatient = spec.model_copy(update={"options": {**spec.options, "timeout": 0.2}})
    assert ask_judge(ledger, impatient).note.startswith("not available: ")


def test_the_judge_of_a_league_is_a_litellm_id_and_its_patience_is_no_part_of_the_question() -> None:
    spec = judge_spec("openai/gpt-4o-mini")
    assert (spec.model, spec.timeout, spec.identity) == ("openai/gpt-4o-mini", 120.0, {"max_tokens": 8192})
