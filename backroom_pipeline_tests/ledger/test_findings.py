"""Findings are events: kept once with both texts, never in the way of a decision, checked like every other row."""

from __future__ import annotations

from typing import Any

import pytest

from backroom_pipeline.ledger.calls import calls, end_attempt, put_text, start_attempt
from backroom_pipeline.ledger.findings import Finding, findings, parsed_claims, record_findings
from backroom_pipeline.ledger.rows import JudgeKey
from backroom_pipeline.ledger.spending import spent
from backroom_pipeline.ledger.store import Ledger, LedgerConflict
from backroom_pipeline.ledger.usage import usage
from backroom_pipeline.memory.model import Claim, FreeText, NoHits
from backroom_pipeline_tests.ledger.rows import SEASON, attempt, ended, play


def finding(**changes: Any) -> Finding:
    values: dict[str, Any] = {
        "season": SEASON,
        "gameweek": 2,
        "manager": "opus",
        "kind": "claim",
        "earlier_id": "earlier",
        "earlier_season": SEASON,
        "earlier_gameweek": 1,
        "earlier_text": "No hits.",
        "later_id": "later",
        "later_text": "Two hits are fine.",
        "found_by": "terms",
        "reason": "A hit of 8 points in gameweek 2 is more than the 0 allowed.",
        **changes,
    }
    return Finding(**values)


BROKEN = finding(kind="decision", later_id="narrative", later_text="Paid 8 points for transfers.", openly=False)
QUOTED = finding(
    kind="quote", later_id="narrative", later_text="no hits", later_start=12, found_by="near-verbatim", similarity=0.9
)


def test_a_finding_is_read_back_with_both_texts_and_the_time_it_was_recorded(ledger: Ledger) -> None:
    assert record_findings(ledger, [finding(), BROKEN, QUOTED]) == 3
    found = findings(ledger, SEASON)
    assert [each.model_copy(update={"recorded_at": None}) for each in found] == [finding(), BROKEN, QUOTED]
    assert all(each.recorded_at is not None for each in found)


def test_what_was_found_before_is_not_found_again(ledger: Ledger) -> None:
    record_findings(ledger, [finding(), BROKEN])
    again = finding(reason="Said in other words.", found_by="negation", similarity=0.7)
    assert record_findings(ledger, [again, BROKEN, QUOTED]) == 1
    assert findings(ledger, SEASON, kind="claim")[0].reason == finding().reason


def test_one_text_may_quote_one_record_twice(ledger: Ledger) -> None:
    assert record_findings(ledger, [QUOTED, QUOTED.model_copy(update={"later_start": 90})]) == 2
    assert [each.later_start for each in findings(ledger, SEASON)] == [12, 90]


def test_findings_are_asked_for_by_gameweek_manager_and_kind(ledger: Ledger) -> None:
    record_findings(ledger, [finding(), BROKEN, finding(gameweek=3), finding(manager="grok")])
    assert len(findings(ledger, SEASON, 2)) == 3
    assert findings(ledger, SEASON, 2, "grok")[0].manager == "grok"
    assert [each.kind for each in findings(ledger, SEASON, kind="decision")] == ["decision"]
    assert findings(ledger, "2024-25") == []


@pytest.mark.parametrize(
    "impossible",
    [
        finding(openly=True),
        finding(kind="decision"),
        finding(found_by="model"),
        finding(attempt_id="opus-judge-2-1"),
    ],
)
def test_only_a_decision_is_open_or_not_and_only_a_model_has_a_call_behind_it(
    ledger: Ledger, impossible: Finding
) -> None:
    with pytest.raises(LedgerConflict):
        record_findings(ledger, [impossible])


def test_what_a_judge_costs_is_spent_in_the_gameweek(ledger: Ledger) -> None:
    call = attempt("opus", 2).model_copy(update={"role": "judge", "attempt_id": "opus-judge-2-1"})
    start_attempt(ledger, call)
    end_attempt(ledger, ended(call.attempt_id, put_text(ledger, "{}"), cost=41))
    assert spent(ledger, SEASON, 2).known == 41
    assert calls(ledger, SEASON, 2, role="judge")[0].attempt.role == "judge"
    assert usage(ledger, JudgeKey(season=SEASON, gameweek=2, manager="opus")).cost_micro_dollars == 41


def test_a_claim_whose_terms_were_read_from_its_words_is_told_from_one_that_came_with_terms(ledger: Ledger) -> None:
    typed = Claim(text="No hits.", terms=NoHits(kind="no_hits"))
    words = Claim(text="No hits from me.", terms=FreeText(kind="free_text"))
    mood = Claim(text="I trust my early research.", terms=FreeText(kind="free_text"))
    said = (typed, words, mood)
    play(ledger, 1, {"opus": 60}, claims=said, kept=(typed, words.model_copy(update={"terms": typed.terms}), mood))
    assert parsed_claims(ledger, SEASON, "opus") == {(1, 1)}


def test_a_finding_without_its_decision_or_its_call_is_a_fault(ledger: Ledger) -> None:
    play(ledger, 1, {"opus": 60}, score=False)
    by_model = {"found_by": "model", "attempt_id": "nobody"}
    record_findings(ledger, [finding(), finding(gameweek=1, **by_model)])
    assert ledger.verify() == [
        f"opus has a finding of kind claim in gameweek 2 ({SEASON}), which it did not decide.",
        f"A finding of opus in gameweek 1 ({SEASON}) names the call nobody, which was never made.",
    ]
