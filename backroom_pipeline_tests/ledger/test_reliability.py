"""How reliable a model was is counted from its attempts, an answer once."""

from __future__ import annotations

from backroom_pipeline.ledger.answers import commit_answer
from backroom_pipeline.ledger.calls import end_attempt, start_attempt
from backroom_pipeline.ledger.facts import record_gameweek
from backroom_pipeline.ledger.managers import record_manager
from backroom_pipeline.ledger.reliability import Reliability, reliability
from backroom_pipeline.ledger.rows import AttemptStatus
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline_tests.ledger.rows import SEASON, attempt, decision, ended, facts, state


def tried(ledger: Ledger, role: str, *ends: AttemptStatus, unknown_cost: bool = False) -> None:
    for number, status in enumerate(ends, start=1):
        asked = attempt("opus", role=role, number=number)
        start_attempt(ledger, asked)
        told = {"status": status, "latency_ms": 100 * number}
        if unknown_cost:
            told |= {"cost_micro_dollars": None, "cost_source": "unknown"}
        end_attempt(ledger, ended(asked.attempt_id).model_copy(update=told))


def only(ledger: Ledger) -> Reliability:
    (row,) = reliability(ledger, SEASON)
    return row


def test_an_answer_counts_once_however_often_it_was_tried(ledger: Ledger) -> None:
    tried(ledger, "coach", "ok")
    tried(ledger, "assistant", "timeout", "transport", "invalid", "illegal", "ok")
    tried(ledger, "manager", "refused", "refused")
    row = only(ledger)
    assert (row.answers, row.attempts) == (3, 8)
    assert (row.first_try, row.repaired, row.refused, row.timed_out, row.broken, row.unanswered) == (1, 1, 1, 1, 1, 1)


def test_a_repeat_after_a_broken_connection_is_no_repair(ledger: Ledger) -> None:
    tried(ledger, "coach", "transport", "ok")
    row = only(ledger)
    assert (row.first_try, row.repaired, row.broken) == (0, 0, 1)


def test_a_call_in_the_air_at_a_crash_is_broken_and_of_unknown_cost(ledger: Ledger) -> None:
    start_attempt(ledger, attempt("opus"))
    row = only(ledger)
    assert (row.broken, row.unanswered, row.attempts_of_unknown_cost, row.cost) == (1, 1, 1, None)


def test_latency_is_told_by_rank_and_unknown_costs_are_not_summed_as_nothing(ledger: Ledger) -> None:
    tried(ledger, "coach", "invalid", "invalid", "ok")
    tried(ledger, "assistant", "ok", unknown_cost=True)
    row = only(ledger)
    assert (row.latency_p50_ms, row.latency_p95_ms) == (100, 300)
    assert row.attempts_of_unknown_cost == 1
    assert row.cost == 36


def test_a_team_carried_over_without_a_call_counts_for_the_model_its_manager_had(ledger: Ledger) -> None:
    record_manager(ledger, "opus", "Opus", "vendor/old")
    record_manager(ledger, "opus", "Opus", "vendor/new")
    row = decision(record_gameweek(ledger, facts(3)), "opus", 3, carried_over=True)
    commit_answer(ledger, row, state_after=state())
    told = only(ledger)
    assert (told.model, told.carried_over, told.gameweeks, told.answers, told.attempts) == ("vendor/new", 1, 1, 0, 0)
    assert (told.cost, told.cost_per_gameweek) == (None, None)


def test_the_judge_of_promises_is_no_answer(ledger: Ledger) -> None:
    tried(ledger, "judge", "ok")
    assert reliability(ledger, SEASON) == []
