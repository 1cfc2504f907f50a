"""Rebuild stores from the ledger: written fresh through the same gateway the live path uses, then put in place.

The new team's database is finished beside the old one and takes its place by renaming; a rebuild that is cut off
leaves the old one, also when it is cut off between the two renames (``put_back_interrupted``).
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from backroom_pipeline.ledger.managers import enrolled_managers
from backroom_pipeline.ledger.memory_rows import indexed_records
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.associations import links_for
from backroom_pipeline.memory.embedder import Embedder
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import ROLES, Member, MemoryRecord, Role
from backroom_pipeline.memory.project import REPLACED, Stores, put_back_interrupted
from backroom_pipeline.memory.records import NotEnrolled, records_owed
from backroom_pipeline.memory.store import StoreError
from backroom_pipeline.memory.threads import threads

_FRESH = ".rebuilding"


What = Literal["missing", "surplus", "altered", "not linked", "unreadable"]


@dataclass(frozen=True)
class Difference:
    """One way in which a store is not what the ledger says."""

    manager: str
    role: Role
    record_id: str
    """Empty where the store as a whole is meant."""
    what: What
    sentence: str


@dataclass(frozen=True)
class Rebuilt:
    """What a rebuild found and did."""

    managers: tuple[str, ...]
    differences: tuple[Difference, ...]
    """Between the old stores and the ledger."""
    records: int
    """Written; 0 in a dry run."""

    def __str__(self) -> str:
        found = "\n".join(difference.sentence for difference in self.differences) or "No store differs from the ledger."
        wrote = (
            f"Wrote {self.records} records for {', '.join(self.managers)}." if self.records else "Nothing was written."
        )
        return f"{found}\n{wrote}"


def rebuild(
    ledger: Ledger, root: Path, managers: Sequence[str] | None, embedder: Embedder, *, dry_run: bool = False
) -> Rebuilt:
    """Make the stores of these managers (all when None) anew from the ledger; ``dry_run`` only lists differences.

    Raises NotEnrolled for a manager the ledger does not know, StoreError when the new stores are not complete; the
    old ones then stay in place.
    """
    put_back_interrupted(root)
    _tidy(root)
    enrolled = enrolled_managers(ledger)
    chosen = tuple(enrolled) if managers is None else tuple(managers)
    for manager in chosen:
        if manager not in enrolled:
            raise NotEnrolled(f"There is no manager {manager} in this ledger; it has {', '.join(enrolled)}.")
    differences = tuple(found for manager in chosen for found in differences_of(ledger, root, embedder, manager))
    if dry_run:
        return Rebuilt(managers=chosen, differences=differences, records=0)
    records = sum(_rebuild_team(ledger, root, embedder, manager) for manager in chosen)
    _tidy(root)
    return Rebuilt(managers=chosen, differences=differences, records=records)


def records_due(ledger: Ledger, manager: str, role: Role) -> list[MemoryRecord]:
    """Everything that belongs in a store: what answers owe it, and the threads consolidation has made so far."""
    due = records_owed(ledger, manager, role)
    if role == "manager":
        made = {row.record_id for row in indexed_records(ledger, manager, role) if row.category == "thread"}
        due += [thread for thread in threads(ledger, manager) if thread.id in made]
    return due


def differences_of(ledger: Ledger, root: Path, embedder: Embedder, manager: str) -> list[Difference]:
    """How the manager's three stores differ from the ledger, by role and record."""
    found: list[Difference] = []
    for role in ROLES:

        def note(record_id: str, what: What, sentence: str, role: Role = role) -> None:
            found.append(Difference(manager, role, record_id, what, f"{manager}'s {role} store {sentence}."))

        try:
            stored = {row.record.id: row for row in Stores(root, embedder).open(manager, role).read()}
        except StoreError as error:
            note("", "unreadable", f"cannot be read: {str(error).rstrip('.')}")
            continue
        due = {record.id: record for record in records_due(ledger, manager, role)}
        links = links_for(ledger, manager, role, list(due.values()))
        for record in due.values():
            place = _place(record)
            if record.id not in stored:
                note(record.id, "missing", f"lacks {place}")
            elif stored[record.id].record.model_copy(update={"links": ()}) != record:
                note(record.id, "altered", f"holds {place} in another form")
            elif list(stored[record.id].links or ()) != links[record.id]:
                note(record.id, "not linked", f"has not associated {place}")
        for record_id, row in stored.items():
            if record_id not in due:
                note(record_id, "surplus", f"holds {_place(row.record)}, which no committed row owes it")
    return found


def _rebuild_team(ledger: Ledger, root: Path, embedder: Embedder, manager: str) -> int:
    fresh = root / _FRESH
    gateway = Gateway(fresh, ledger, embedder)
    gateway.team_create(manager)
    written = 0
    for role in ROLES:
        member = Member(manager=manager, role=role)
        due = records_due(ledger, manager, role)
        gateway.team_add_member(manager, role)
        gateway.store(member, manager, role, due)
        written += len(due)
    put_in_place(root, Stores(root, embedder).team_folder(manager))
    return written


def put_in_place(root: Path, folder: Path) -> None:
    """Let the new database of a team take the place of the old one."""
    replaced = root / REPLACED / folder.name
    replaced.parent.mkdir(parents=True, exist_ok=True)
    if folder.exists():
        folder.rename(replaced)
    (root / _FRESH / folder.name).rename(folder)


def _tidy(root: Path) -> None:
    for leftover in (REPLACED, _FRESH):
        shutil.rmtree(root / leftover, ignore_errors=True)


def _place(record: MemoryRecord) -> str:
    return f"the {record.category}" + (f" {record.ordinal} of gameweek {record.gameweek}" if record.gameweek else "")
