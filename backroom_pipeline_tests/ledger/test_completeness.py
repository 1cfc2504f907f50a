"""A gameweek is over when everybody has everything, by the newest results."""

from __future__ import annotations

from backroom_pipeline.ledger.completeness import Incomplete, incomplete
from backroom_pipeline.ledger.facts import record_results
from backroom_pipeline.ledger.memory_rows import index_records, record_outcomes
from backroom_pipeline.ledger.rows import MemoryIndexRow, OutcomeRow
from backroom_pipeline.ledger.standings import record_scores
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline_tests.ledger.rows import SEASON, play, results, scored

FIELD = ("opus", "gpt-5")


def remember(ledger: Ledger, manager: str) -> None:
    row = MemoryIndexRow(
        record_id=f"{manager}-narrative", manager=manager, role="manager", category="narrative", season=SEASON,
        gameweek=1, ordinal=0, pinned=False, source=f"answers/{SEASON}/1/{manager}/manager", text_sha256="text",
    )  # fmt: skip
    index_records(ledger, [row])


def judge(ledger: Ledger, manager: str, version: int = 1) -> None:
    row = OutcomeRow(
        record_id=f"{manager}-narrative", manager=manager, role="manager", season=SEASON, gameweek=1,
        scoring_version=version, verdict="mixed", net_points=40, rank=1, of=2, season_total=40,
    )  # fmt: skip
    record_outcomes(ledger, [row])


def finish(ledger: Ledger) -> None:
    play(ledger, 1, {"opus": 50, "gpt-5": 40})
    for manager in FIELD:
        remember(ledger, manager)
        judge(ledger, manager)


def test_a_gameweek_nobody_has_begun_lacks_everything_for_everybody(ledger: Ledger) -> None:
    everything = ("decision", "memory", "score", "outcome")
    assert incomplete(ledger, SEASON, 1, FIELD) == [Incomplete("opus", everything), Incomplete("gpt-5", everything)]


def test_a_finished_gameweek_lacks_nothing_and_the_next_one_everything(ledger: Ledger) -> None:
    finish(ledger)
    assert incomplete(ledger, SEASON, 1, FIELD) == []
    assert [manager.manager for manager in incomplete(ledger, SEASON, 2, FIELD)] == list(FIELD)


def test_a_manager_that_was_not_there_is_named_with_all_it_lacks(ledger: Ledger) -> None:
    finish(ledger)
    (missing,) = incomplete(ledger, SEASON, 1, (*FIELD, "sonnet"))
    assert missing.sentence == "sonnet has no decision, no memory, no score, no outcome."


def test_a_week_cut_off_before_the_outcomes_is_not_over(ledger: Ledger) -> None:
    play(ledger, 1, {"opus": 50, "gpt-5": 40})
    for manager in FIELD:
        remember(ledger, manager)
    judge(ledger, "gpt-5")
    assert incomplete(ledger, SEASON, 1, FIELD) == [Incomplete("opus", ("outcome",))]


def test_restated_results_open_the_gameweek_again_until_scores_and_outcomes_follow(ledger: Ledger) -> None:
    finish(ledger)
    version = record_results(ledger, results(1, points=9))
    assert incomplete(ledger, SEASON, 1, ("opus",)) == [Incomplete("opus", ("score", "outcome"))]
    record_scores(ledger, [scored("opus", 1, 51, version)])
    judge(ledger, "opus", version)
    assert incomplete(ledger, SEASON, 1, ("opus",)) == []
