"""Every attempt behind an answer counts, and what is unknown is not taken for nothing."""

from __future__ import annotations

from backroom_pipeline.ledger.calls import end_attempt, start_attempt
from backroom_pipeline.ledger.rows import AnswerKey
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.ledger.usage import Usage, usage
from backroom_pipeline_tests.ledger.rows import SEASON, attempt, ended

KEY = AnswerKey(season=SEASON, gameweek=1, manager="opus", role="manager")
TOKENS = '{"prompt_tokens": 900, "completion_tokens": 80}'


def test_attempts_are_summed_for_this_answer_only(ledger: Ledger) -> None:
    for asked in (attempt("opus"), attempt("opus", number=2), attempt("opus", role="coach"), attempt("gpt-5")):
        start_attempt(ledger, asked)
        end_attempt(ledger, ended(asked.attempt_id).model_copy(update={"usage_json": TOKENS}))
    assert usage(ledger, KEY) == Usage(
        attempts=2,
        prompt_tokens=1800,
        completion_tokens=160,
        latency_ms=680,
        cost_micro_dollars=24,
        attempts_of_unknown_cost=0,
    )


def test_a_call_cut_off_in_the_air_counts_as_an_attempt_of_unknown_cost(ledger: Ledger) -> None:
    start_attempt(ledger, attempt("opus"))
    assert usage(ledger, KEY) == Usage(1, None, None, None, None, 1)


def test_an_answer_nobody_was_asked_for_took_no_attempt(ledger: Ledger) -> None:
    assert usage(ledger, KEY).attempts == 0
