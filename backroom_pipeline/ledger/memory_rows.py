"""What the ledger keeps about memory: recalls, the index of records, outcomes, the audit trail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from backroom_pipeline.ledger.canonical import canonical_json, sha256_of
from backroom_pipeline.ledger.rows import AuditRow, MemoryIndexRow, OutcomeRow, RecallRow
from backroom_pipeline.ledger.store import Ledger, LedgerError

__all__ = [
    "AuditRow",
    "MemoryIndexRow",
    "OutcomeRow",
    "RecallRow",
    "audit_rows",
    "index_records",
    "indexed_records",
    "known_records",
    "outcomes",
    "outcomes_of",
    "recall_with",
    "recalls",
    "record_audit",
    "record_outcomes",
    "record_recall",
]


def record_recall(ledger: Ledger, recall: RecallRow) -> str:
    """Keep what a step brought to mind; its sha256. The same recall asked for again is one row."""
    sha256 = sha256_of(canonical_json(recall.model_dump(exclude={"recorded_at"})))
    ledger.append("recalls", [{**recall.model_dump(), "sha256": sha256}], ignore_existing=True)
    return sha256


def recalls(
    ledger: Ledger,
    season: str,
    gameweek: int | None = None,
    manager: str | None = None,
    role: str | None = None,
) -> list[RecallRow]:
    """Recalls by gameweek, manager and role, in the order they happened."""
    found = ledger.rows(
        "SELECT * EXCLUDE (sha256) FROM recalls WHERE season = ? AND gameweek = coalesce(?, gameweek) "
        "AND manager = coalesce(?, manager) AND role = coalesce(?, role) "
        "ORDER BY gameweek, manager, role, recorded_at, sha256",
        [season, gameweek, manager, role],
    )
    return [RecallRow(**_values(row)) for row in found]


def recall_with(ledger: Ledger, sha256: str) -> RecallRow:
    """The recall a committed answer names. Raises LedgerError when it was never kept."""
    found = ledger.rows("SELECT * EXCLUDE (sha256) FROM recalls WHERE sha256 = ?", [sha256])
    if not found:
        raise LedgerError(f"The ledger holds no recall {sha256}; an answer names one it was not given.")
    return RecallRow(**_values(found[0]))


def index_records(ledger: Ledger, records: Sequence[MemoryIndexRow]) -> int:
    """Note records that a store was given; how many were new. A rebuild gives the same ones again."""
    now = ledger.now()
    return ledger.append(
        "memory_index", [{**record.model_dump(), "indexed_at": now} for record in records], ignore_existing=True
    )


def indexed_records(ledger: Ledger, manager: str | None = None, role: str | None = None) -> list[MemoryIndexRow]:
    """The index by manager, role, season, gameweek, category and ordinal."""
    found = ledger.rows(
        "SELECT * EXCLUDE (indexed_at) FROM memory_index WHERE manager = coalesce(?, manager) "
        "AND role = coalesce(?, role) ORDER BY manager, role, season, gameweek, category, ordinal, record_id",
        [manager, role],
    )
    return [MemoryIndexRow(**_values(row)) for row in found]


def known_records(ledger: Ledger, manager: str, role: str, record_ids: Sequence[str]) -> set[str]:
    """Those of the ids that the role's store was given."""
    found = ledger.rows(
        "SELECT record_id FROM memory_index WHERE manager = ? AND role = ? AND list_contains(?, record_id)",
        [manager, role, list(record_ids)],
    )
    return {str(row["record_id"]) for row in found}


def record_outcomes(ledger: Ledger, judged: Sequence[OutcomeRow]) -> int:
    """Attach outcomes to records; how many were new. An outcome that says what the latest says adds nothing."""
    if not judged:
        return 0
    with ledger.transaction():
        ids = [outcome.record_id for outcome in judged]
        found = ledger.rows(
            "SELECT * EXCLUDE (recorded_at) FROM outcomes WHERE list_contains(?, record_id) ORDER BY version", [ids]
        )
        latest = {str(row["record_id"]): row for row in found}
        rows: list[dict[str, object]] = []
        for outcome in judged:
            before = latest.get(outcome.record_id, {"version": 0})
            version = cast(int, before["version"])
            if {**outcome.model_dump(), "version": version} == before:
                continue
            row: dict[str, object] = {**outcome.model_dump(), "version": version + 1}
            latest[outcome.record_id] = row
            rows.append({**row, "recorded_at": ledger.now()})
        return ledger.append("outcomes", rows)


def outcomes(ledger: Ledger, manager: str | None = None, role: str | None = None) -> dict[str, OutcomeRow]:
    """The latest outcome of each record, by record id."""
    found = ledger.rows(
        "SELECT * EXCLUDE (version, recorded_at) FROM outcomes WHERE manager = coalesce(?, manager) "
        "AND role = coalesce(?, role) ORDER BY season, gameweek, record_id, version",
        [manager, role],
    )
    return {str(row["record_id"]): OutcomeRow(**_values(row)) for row in found}


def outcomes_of(ledger: Ledger, record_ids: Sequence[str]) -> dict[str, OutcomeRow]:
    """The latest outcome of each of a few records, by record id."""
    if not record_ids:
        return {}
    found = ledger.rows(
        f"SELECT * EXCLUDE (recorded_at) FROM outcomes WHERE record_id IN ({', '.join('?' * len(record_ids))})",
        record_ids,
    )
    latest = sorted(found, key=lambda row: cast(int, row.pop("version")))
    return {str(row["record_id"]): OutcomeRow(**_values(row)) for row in latest}


def record_audit(ledger: Ledger, requests: Sequence[AuditRow]) -> int:
    """Add requests to the audit trail, granted and refused ones."""
    return ledger.append("audit", [request.model_dump() for request in requests])


def audit_rows(ledger: Ledger, project: str | None = None, caller_manager: str | None = None) -> list[AuditRow]:
    """The audit trail in the order it was written."""
    found = ledger.rows(
        "SELECT * FROM audit WHERE project = coalesce(?, project) "
        "AND caller_manager = coalesce(?, caller_manager) ORDER BY rowid",
        [project, caller_manager],
    )
    return [AuditRow(**_values(row)) for row in found]


def _values(row: Mapping[str, object]) -> dict[str, Any]:
    return cast(dict[str, Any], row)
