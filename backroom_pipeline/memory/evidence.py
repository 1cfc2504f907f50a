"""The state of a store from evidence: what the ledger owes it against what is in it. No score has a say."""

from __future__ import annotations

from collections.abc import Sequence

from backroom_pipeline.ledger.memory_rows import indexed_records
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.model import RecallState, Role
from backroom_pipeline.memory.records import NotEnrolled, records_owed
from backroom_pipeline.memory.store import StoreError, StoreMissing

_NAMED_AT_MOST = 4


def state_of(
    ledger: Ledger, manager: str, role: Role, evidence: set[str] | StoreError, expected: Sequence[str]
) -> tuple[RecallState, str]:
    """One of the four states and a sentence with the figures.

    ``evidence``: the ids in the store, or why they could not be read.
    """
    if isinstance(evidence, StoreMissing) or not evidence:
        given = len(indexed_records(ledger, manager, role))
        if not given:
            return "empty", f"Nothing was ever written for {manager}'s {role}, not even its identity."
        if isinstance(evidence, StoreMissing):
            return "unavailable", f"{manager}'s {role} was given {given} records, but {evidence}"
    if isinstance(evidence, StoreError):
        return "unavailable", f"{manager}'s {role} has a memory that could not be read: {evidence}"
    missing = [record_id for record_id in dict.fromkeys(expected) if record_id not in evidence]
    if missing:
        return "partial", (
            f"{manager}'s {role} lacks {len(missing)} of the {len(expected)} records the ledger owes it: "
            f"{_named(ledger, manager, role, missing)}."
        )
    if not evidence:
        return "partial", f"{manager}'s {role} has lost every record it was given."
    return "complete", f"All {len(expected)} records the ledger owes {manager}'s {role} are there."


def _named(ledger: Ledger, manager: str, role: Role, missing: Sequence[str]) -> str:
    try:
        owed = {record.id: record for record in records_owed(ledger, manager, role)}
    except NotEnrolled:
        owed = {}
    names = [
        f"the {record.category}" + (f" of gameweek {record.gameweek}" if record.gameweek else "")
        for record_id in missing
        if (record := owed.get(record_id))
    ]
    names += [f"record {record_id[:12]}" for record_id in missing if record_id not in owed]
    named = ", ".join(dict.fromkeys(names[:_NAMED_AT_MOST]))
    return f"{named} and {len(names) - _NAMED_AT_MOST} more" if len(names) > _NAMED_AT_MOST else named
