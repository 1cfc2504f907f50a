"""What calls have cost, and what those of unknown cost may have."""

from __future__ import annotations

from backroom_pipeline.ledger.calls import end_attempt, start_attempt
from backroom_pipeline.ledger.spending import CallEstimate, Spent, record_estimate, spent
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline_tests.ledger.rows import SEASON, attempt, ended


def reserved(ledger: Ledger, attempt_id: str, micro_dollars: int) -> None:
    record_estimate(ledger, attempt_id, CallEstimate(micro_dollars, 10, 20, "prices of today"))


def test_nothing_is_spent_before_anybody_is_asked(ledger: Ledger) -> None:
    assert spent(ledger, SEASON) == Spent(0, 0, 0, 0)


def test_the_cost_of_a_gameweek_is_the_sum_of_its_own_calls_and_that_of_a_season_of_all(ledger: Ledger) -> None:
    for manager, gameweek, cost in (("opus", 1, 3_000_000_000), ("haiku", 1, 5), ("opus", 2, 7)):
        start_attempt(ledger, attempt(manager, gameweek))
        end_attempt(ledger, ended(f"{manager}-manager-{gameweek}-1", cost=cost))
    assert spent(ledger, SEASON, 1).total == 3_000_000_005
    assert spent(ledger, SEASON, 2).total == 7
    assert spent(ledger, SEASON).total == 3_000_000_012
    assert spent(ledger, "2024-25").total == 0


def test_a_call_in_the_air_counts_with_its_estimate_until_its_cost_is_known(ledger: Ledger) -> None:
    start_attempt(ledger, attempt("opus", 1))
    reserved(ledger, "opus-manager-1-1", 900)
    assert spent(ledger, SEASON, 1) == Spent(known=0, assumed=900, calls_of_unknown_cost=1, calls_without_a_price=0)
    end_attempt(ledger, ended("opus-manager-1-1", cost=250))
    assert spent(ledger, SEASON, 1) == Spent(known=250, assumed=0, calls_of_unknown_cost=0, calls_without_a_price=0)


def test_a_call_whose_cost_never_became_known_keeps_its_estimate(ledger: Ledger) -> None:
    start_attempt(ledger, attempt("opus", 1))
    reserved(ledger, "opus-manager-1-1", 900)
    end_attempt(ledger, ended("opus-manager-1-1", cost=None))
    assert spent(ledger, SEASON, 1).total == 900


def test_a_call_nobody_could_estimate_is_counted_by_itself(ledger: Ledger) -> None:
    start_attempt(ledger, attempt("opus", 1))
    end_attempt(ledger, ended("opus-manager-1-1", cost=None))
    assert spent(ledger, SEASON, 1) == Spent(known=0, assumed=0, calls_of_unknown_cost=1, calls_without_a_price=1)
