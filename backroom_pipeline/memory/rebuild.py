"""Rebuild stores from the ledger: written fresh through the same gateway the live path uses, then put in place.

A new store is finished, and compared with the ledger, beside the old one and takes its place by renaming; a rebuild
that is cut off leaves the old one, also when it is cut off between the two renames (``put_back_interrupted``). Other
stores of the team are not touched.
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
    roles: tuple[Role, ...]
    differences: tuple[Difference, ...]
    """Between the old stores and the ledger."""
    records: int
    """Written; 0 in a dry run."""

    def __str__(self) -> str:
        found = "\n".join(difference.sentence for difference in self.differences) or "No store differs from the ledger."
        stores = ", ".join(self.managers) + ("" if self.roles == ROLES else f" ({', '.join(self.roles)} only)")
        wrote = f"Wrote {self.records} records for {stores}." if self.records else "Nothing was written."
        return f"{found}\n{wrote}"


def rebuild(
    ledger: Ledger,
    root: Path,
    managers: Sequence[str] | None,
    embedder: Embedder,
    *,
    roles: Sequence[Role] | None = None,
    dry_run: bool = False,
) -> Rebuilt:
    """Make stores anew from the ledger: of these managers and these roles, of all where None.

    ``dry_run`` only lists how they differ from the ledger. Raises NotEnrolled for a manager the ledger does not know,
    NoSuchProject for a role no backroom has, StoreError when a new store is not what the ledger says; the old one then
    stays in place.
    """
    put_back_interrupted(root)
    _tidy(root)
    enrolled = enrolled_managers(ledger)
    chosen = tuple(enrolled) if managers is None else tuple(managers)
    of_roles = ROLES if roles is None else tuple(roles)
    for manager in chosen:
        if manager not in enrolled:
            raise NotEnrolled(f"There is no manager {manager} in this ledger; it has {', '.join(enrolled)}.")
    differences = tuple(
        found for manager in chosen for found in differences_of(ledger, root, embedder, manager, of_roles)
    )
    records = 0
    if not dry_run:
        records = sum(_rebuild_store(ledger, root, embedder, manager, role) for manager in chosen for role in of_roles)
    _tidy(root)
    return Rebuilt(managers=chosen, roles=of_roles, differences=differences, records=records)


def records_due(ledger: Ledger, manager: str, role: Role) -> list[MemoryRecord]:
    """Everything that belongs in a store: what answers owe it, and the threads consolidation has made so far."""
    due = records_owed(ledger, manager, role)
    if role == "manager":
        made = {row.record_id for row in indexed_records(ledger, manager, role) if row.category == "thread"}
        due += [thread for thread in threads(ledger, manager) if thread.id in made]
    return due


def differences_of(
    ledger: Ledger, root: Path, embedder: Embedder, manager: str, roles: Sequence[Role] = ROLES
) -> list[Difference]:
    """How a manager's stores differ from the ledger, by role and record."""
    return [found for role in roles for found in _differences(ledger, root, embedder, manager, role)]


def _differences(ledger: Ledger, root: Path, embedder: Embedder, manager: str, role: Role) -> list[Difference]:
    found: list[Difference] = []

    def note(record_id: str, what: What, sentence: str) -> None:
        found.append(Difference(manager, role, record_id, what, f"{manager}'s {role} store {sentence}."))

    try:
        store = Stores(root, embedder).open(manager, role)
        stored = {row.record.id: row for row in store.read()}
        words = {record_id: store.analyse(row.record.text) for record_id, row in stored.items()}
    except StoreError as error:
        note("", "unreadable", f"cannot be read: {str(error).rstrip('.')}")
        return found
    due = {record.id: record for record in records_due(ledger, manager, role)}
    links = links_for(ledger, manager, role, list(due.values()))
    for record in due.values():
        place, row = _place(record), stored.get(record.id)
        if row is None:
            note(record.id, "missing", f"lacks {place}")
        elif row.record.model_copy(update={"links": ()}) != record:
            note(record.id, "altered", f"holds {place} in another form")
        elif row.words != words[record.id]:
            note(record.id, "altered", f"has other words in its index for {place}")
        elif list(row.links or ()) != links[record.id]:
            note(record.id, "not linked", f"has not associated {place}")
    for record_id, row in stored.items():
        if record_id not in due:
            note(record_id, "surplus", f"holds {_place(row.record)}, which no committed row owes it")
    return found


def _rebuild_store(ledger: Ledger, root: Path, embedder: Embedder, manager: str, role: Role) -> int:
    fresh = root / _FRESH
    gateway = Gateway(fresh, ledger, embedder)
    due = records_due(ledger, manager, role)
    gateway.team_create(manager)
    gateway.team_add_member(manager, role)
    gateway.store(Member(manager=manager, role=role), manager, role, due)
    if wrong := _differences(ledger, fresh, embedder, manager, role):
        raise StoreError(f"The new store is not what the ledger says, so the old one stays. {wrong[0].sentence}")
    put_in_place(root, Stores(root, embedder).place(manager, role))
    return len(due)


def put_in_place(root: Path, store: Path) -> None:
    """Let a new store take the place of the old one."""
    place = store.relative_to(root)
    replaced = root / REPLACED / place
    replaced.parent.mkdir(parents=True, exist_ok=True)
    store.parent.mkdir(parents=True, exist_ok=True)
    if store.exists():
        store.rename(replaced)
    (root / _FRESH / place).rename(store)
    shutil.rmtree(replaced, ignore_errors=True)


def _tidy(root: Path) -> None:
    for leftover in (REPLACED, _FRESH):
        shutil.rmtree(root / leftover, ignore_errors=True)


def _place(record: MemoryRecord) -> str:
    return f"the {record.category}" + (f" {record.ordinal} of gameweek {record.gameweek}" if record.gameweek else "")
