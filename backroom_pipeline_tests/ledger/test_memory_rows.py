"""What the ledger keeps about managers and their memory, and that saying it twice adds nothing."""

from __future__ import annotations

from datetime import timedelta

from backroom_pipeline.ledger.managers import enrolled_managers, record_manager
from backroom_pipeline.ledger.memory_rows import (
    AuditRow,
    MemoryIndexRow,
    OutcomeRow,
    RecallRow,
    audit_rows,
    index_records,
    indexed_records,
    outcomes,
    recalls,
    record_audit,
    record_outcomes,
    record_recall,
)
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline_tests.ledger.rows import FIRST_DEADLINE, SEASON

RECALL = RecallRow(
    season=SEASON,
    gameweek=3,
    manager="opus",
    role="manager",
    state="complete",
    reason="5 of 5 records found.",
    questions_json='["Which chips did I hold?"]',
    shown_json='["b","a"]',
    dropped_json="[]",
    expected=5,
    found=5,
    tokens=310,
    recorded_at=FIRST_DEADLINE,
)


def record(record_id: str, ordinal: int = 0, manager: str = "opus") -> MemoryIndexRow:
    return MemoryIndexRow(
        record_id=record_id,
        manager=manager,
        role="manager",
        category="commitment",
        season=SEASON,
        gameweek=1,
        ordinal=ordinal,
        pinned=True,
        source=f"claims/{SEASON}/1/{manager}/{ordinal}",
        text_sha256="t",
    )


def outcome(record_id: str = "a", *, version: int = 1, total: int = 34) -> OutcomeRow:
    return OutcomeRow(
        record_id=record_id,
        manager="opus",
        role="manager",
        season=SEASON,
        gameweek=1,
        scoring_version=version,
        verdict="mixed",
        net_points=34,
        rank=6,
        of=8,
        season_total=total,
    )


def test_a_recall_comes_back_as_it_was_and_the_same_again_is_one(ledger: Ledger) -> None:
    again = RECALL.model_copy(update={"recorded_at": FIRST_DEADLINE + timedelta(minutes=1)})
    other = again.model_copy(update={"state": "partial", "found": 4})
    assert record_recall(ledger, RECALL) == record_recall(ledger, again) != record_recall(ledger, other)
    assert recalls(ledger, SEASON, 3, "opus", "manager") == [RECALL, other]
    assert recalls(ledger, SEASON, 4) == []


def test_a_rebuild_indexes_only_what_is_new(ledger: Ledger) -> None:
    assert index_records(ledger, [record("b", 1), record("a")]) == 2
    assert index_records(ledger, [record("a"), record("b", 1), record("c", manager="haiku")]) == 1
    assert indexed_records(ledger, "opus", "manager") == [record("a"), record("b", 1)]
    assert [row.record_id for row in indexed_records(ledger)] == ["c", "a", "b"]


def test_an_outcome_is_attached_once_and_again_when_it_changes(ledger: Ledger) -> None:
    assert record_outcomes(ledger, [outcome("a"), outcome("b")]) == 2
    assert record_outcomes(ledger, [outcome("a"), outcome("b")]) == 0
    restated, earlier_week_restated = outcome("a", version=2, total=33), outcome("b", total=33)
    assert record_outcomes(ledger, [restated, earlier_week_restated]) == 2
    assert outcomes(ledger, "opus") == {"a": restated, "b": earlier_week_restated}
    assert record_outcomes(ledger, [outcome("a")]) == 1
    assert outcomes(ledger)["a"] == outcome("a")
    assert record_outcomes(ledger, []) == 0


def test_the_audit_trail_keeps_its_order_and_its_refusals(ledger: Ledger) -> None:
    granted = AuditRow(
        at=FIRST_DEADLINE,
        caller_manager="opus",
        caller_role="manager",
        project="context_fpl_mgr_opus",
        verb="recall",
        allowed=True,
        reason="member of the team",
        ids_json='["b","a"]',
    )
    refused = granted.model_copy(
        update={"project": "context_fpl_mgr_haiku", "allowed": False, "at": FIRST_DEADLINE - timedelta(days=1)}
    )
    assert record_audit(ledger, [granted, refused, granted]) == 3
    assert audit_rows(ledger) == [granted, refused, granted]
    assert audit_rows(ledger, project="context_fpl_mgr_haiku") == [refused]
    assert audit_rows(ledger, caller_manager="sonnet") == []


def test_a_changed_model_is_a_new_version_of_the_manager(ledger: Ledger) -> None:
    assert record_manager(ledger, "opus", "Opus", "house/banker", "Saves transfers.") == 1
    assert record_manager(ledger, "opus", "Opus", "house/banker", "Saves transfers.") == 1
    assert record_manager(ledger, "opus", "Opus", "house/gambler") == 2
    assert record_manager(ledger, "haiku", "Haiku", "house/planner") == 1
    assert [(slug, row.model, row.version) for slug, row in enrolled_managers(ledger).items()] == [
        ("haiku", "house/planner", 1),
        ("opus", "house/gambler", 2),
    ]
    assert ledger.rows("SELECT count(*) AS n FROM managers") == [{"n": 3}]
