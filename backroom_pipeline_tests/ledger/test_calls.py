"""Every call to a model leaves a row before and a row after, so that a crash asks nothing twice."""

from __future__ import annotations

import pytest

from backroom_pipeline.ledger.calls import (
    calls,
    end_attempt,
    next_number,
    put_text,
    start_attempt,
    stored_results,
    text,
)
from backroom_pipeline.ledger.rows import AttemptResult
from backroom_pipeline.ledger.store import Ledger, LedgerConflict, LedgerError
from backroom_pipeline_tests.ledger.rows import FIRST_DEADLINE, SEASON, attempt, ended


@pytest.mark.parametrize("words", ["", "Ødegaard \x00 \U0001f9e4 “due”\r\n", "x" * 300_000])
def test_a_text_comes_back_to_the_letter_and_is_kept_once(ledger: Ledger, words: str) -> None:
    sha256 = put_text(ledger, words)
    assert put_text(ledger, words) == sha256
    assert text(ledger, sha256) == words
    assert ledger.rows("SELECT count(*) AS n FROM texts") == [{"n": 1}]


def test_a_text_that_is_not_there_is_named(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="no text with sha256 abc"):
        text(ledger, "abc")


def test_a_call_without_an_end_is_pending(ledger: Ledger) -> None:
    start_attempt(ledger, attempt("opus"))
    (call,) = calls(ledger, SEASON)
    assert (call.attempt, call.result, call.status) == (attempt("opus"), None, "pending")
    end_attempt(ledger, ended("opus-manager-1-1"))
    (call,) = calls(ledger, SEASON, 1, "opus", "manager")
    assert (call.result, call.status) == (ended("opus-manager-1-1"), "ok")


def test_a_call_ends_once_and_only_after_it_began(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="without having been started"):
        end_attempt(ledger, ended("opus-manager-1-1"))
    start_attempt(ledger, attempt("opus"))
    end_attempt(ledger, ended("opus-manager-1-1"))
    with pytest.raises(LedgerConflict):
        end_attempt(ledger, ended("opus-manager-1-1", cost=0))


def test_an_attempt_number_is_used_once(ledger: Ledger) -> None:
    assert next_number(ledger, SEASON, 1, "opus", "manager") == 1
    start_attempt(ledger, attempt("opus"))
    assert next_number(ledger, SEASON, 1, "opus", "manager") == 2
    assert next_number(ledger, SEASON, 1, "haiku", "manager") == 1
    with pytest.raises(LedgerConflict):
        start_attempt(ledger, attempt("opus").model_copy(update={"attempt_id": "another"}))


def test_what_a_crash_left_is_found_by_its_request_in_order(ledger: Ledger) -> None:
    for number, request in ((2, "r"), (1, "r"), (3, "repair"), (4, "r")):
        start_attempt(ledger, attempt("opus", number=number, request=request))
    start_attempt(ledger, attempt("haiku", request="r"))
    for name in ("opus-manager-1-2", "opus-manager-1-1", "opus-manager-1-3", "haiku-manager-1-1"):
        end_attempt(ledger, ended(name))
    found = stored_results(ledger, SEASON, 1, "opus", "manager", "r")
    assert [(begun.number, result.attempt_id) for begun, result in found] == [
        (1, "opus-manager-1-1"),
        (2, "opus-manager-1-2"),
    ]


def test_a_status_the_ledger_does_not_know_is_refused(ledger: Ledger) -> None:
    start_attempt(ledger, attempt("opus"))
    strange = AttemptResult.model_construct(attempt_id="opus-manager-1-1", status="fine", ended_at=FIRST_DEADLINE)
    with pytest.raises(LedgerConflict, match="CHECK"):
        end_attempt(ledger, strange)
