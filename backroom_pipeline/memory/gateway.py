"""The one door to memory: it takes a manager and a role, never a store; notes every request; and cannot delete."""

from __future__ import annotations

import json
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from backroom_pipeline.ledger.canonical import sha256_of
from backroom_pipeline.ledger.memory_rows import (
    AuditRow,
    MemoryIndexRow,
    OutcomeRow,
    audit_rows,
    index_records,
    known_records,
    outcomes,
    outcomes_of,
    record_audit,
    record_outcomes,
)
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.associations import links_for
from backroom_pipeline.memory.commitments import standing_claims
from backroom_pipeline.memory.commitments.contradictions import contradictions, known_before, new_claims
from backroom_pipeline.memory.embedder import Embedder
from backroom_pipeline.memory.evidence import state_of
from backroom_pipeline.memory.model import (
    ROLES,
    Category,
    Claim,
    Conflict,
    Member,
    MemoryRecord,
    Outcome,
    Recall,
    RecalledItem,
    RecallState,
    Role,
)
from backroom_pipeline.memory.project import NoSuchProject, Stores
from backroom_pipeline.memory.ranking import CONSIDERED, Chosen, RecallSettings, choose
from backroom_pipeline.memory.records import record_id
from backroom_pipeline.memory.search import Asked, search
from backroom_pipeline.memory.store import Link, StoreError
from backroom_pipeline.memory.threads import threads
from backroom_pipeline.memory.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_RECALLABLE: tuple[Category, ...] = ("narrative", "commitment", "sheet", "ranking", "thread")
"""Everything but the identity: who an agent is never has to be brought to mind."""

_aside = ThreadPoolExecutor(16, thread_name_prefix="memory")
"""For what takes its time outside Python while a request goes on: the embedding model, a question to the ledger."""


class Refused(Exception):
    """A request the gateway did not grant. Nothing was read or written, and the refusal is in the audit trail."""


@dataclass
class _Request:
    """What one audit row will say."""

    ids: Sequence[str] = ()
    reason: str = ""
    index: Sequence[MemoryIndexRow] = ()
    """Records the store now holds; noted in the same transaction."""


class Gateway:
    """Memory of one contest. Threads may share it; each store has one writer at a time, its own backroom."""

    def __init__(self, root: Path, ledger: Ledger, embedder: Embedder, settings: RecallSettings | None = None) -> None:
        """``root`` holds one database per team. The ledger must be open for writing: reads are noted too."""
        self._stores = Stores(root, embedder)
        self._ledger = ledger
        self._embedder = embedder
        self._settings = settings or RecallSettings()
        self._members: frozenset[tuple[str, str]] = frozenset()

    def team_create(self, manager: str) -> None:
        """Make a team for a manager, without members yet. Raises NoSuchProject for a slug that cannot name one."""
        with self._named(Member(manager=manager, role="manager"), manager, "manager", "team_create"):
            self._stores.team_folder(manager).mkdir(parents=True, exist_ok=True)

    def team_add_member(self, manager: str, role: Role) -> None:
        """Give a role of the team its store. Members share fully: each may read and write the others' stores."""
        with self._named(Member(manager=manager, role=role), manager, role, "team_add_member"):
            self._stores.create(manager, role)

    def store(self, caller: Member, manager: str, role: Role, records: Sequence[MemoryRecord]) -> list[str]:
        """Write records, with their links to earlier ones, into one store in one commit; their ids.

        Records that are there already stay as they are.

        Raises Refused for somebody outside the team, or a record that is not this store's or not what its id says;
        StoreError when it cannot be written.
        """
        with self._granted(caller, manager, role, "store") as request:
            request.ids = ids = [record.id for record in records]
            if foreign := [record.id for record in records if not _belongs(record, manager, role)]:
                raise Refused(f"{manager}'s {role} store takes its own records only, unaltered; not {foreign[0]}.")
            self._write(request, manager, role, records)
            return ids

    def recall(
        self,
        caller: Member,
        manager: str,
        role: Role,
        questions: Sequence[str],
        *,
        before: tuple[str, int],
        expected: Sequence[str] = (),
        budget_tokens: int = 1500,
        categories: Sequence[Category] | None = None,
        without: Collection[str] = (),
    ) -> Recall:
        """What the store brings to mind of the time strictly before a (season, gameweek), best first.

        ``expected`` are the ids the ledger owes the store; they decide the state, no score does. A store that cannot
        be read gives the state ``unavailable``, never an exception. ``categories`` None: all but the identity;
        ``without``: records the reader has in front of it anyway. Raises Refused for somebody outside the team.
        """
        with self._granted(caller, manager, role, "recall") as request:
            asked = tuple(dict.fromkeys(question.strip() for question in questions if question.strip()))
            embedding = _aside.submit(self._embedder.embed, asked)
            chosen, found = Chosen((), (), 0), 0
            try:
                store = self._stores.open(manager, role)
                view = store.view()
                until = view.rows_before(*before)
                evidence = set(view.ids[:until])
                found = len(evidence.intersection(expected))
                state, reason = state_of(self._ledger, manager, role, evidence, expected)
                visible = view.visible(until, categories or _RECALLABLE, without)
                words = [store.analyse(question) for question in asked]
                chosen = self._chosen(view, visible, map(Asked, asked, words, embedding.result()), budget_tokens)
            except StoreError as error:
                state, reason = state_of(self._ledger, manager, role, error, expected)
            request.ids = [item.record.id for item in chosen.items]
            request.reason = f"{state}: {reason}"
            # Joined last and from the ledger: a result is never stale, and has no say in what is chosen.
            judging = _aside.submit(outcomes_of, self._ledger, request.ids)
        judged = _outcomes(judging.result())
        return Recall(
            state=state,
            reason=reason,
            questions=asked,
            items=tuple(_with_outcome(item, judged) for item in chosen.items),
            dropped=chosen.dropped,
            expected=len(expected),
            found=found,
            tokens=chosen.tokens,
        )

    def get(self, caller: Member, manager: str, role: Role, ids: Sequence[str] | None = None) -> list[MemoryRecord]:
        """Records by id, or all of them, in the order of time, with links and outcomes. Unknown ids are left out."""
        with self._granted(caller, manager, role, "get") as request:
            found = [stored.record for stored in self._stores.open(manager, role).read(ids=ids)]
            request.ids = [record.id for record in found]
            judged = _outcomes(outcomes(self._ledger, manager, role))
            return [record.model_copy(update={"outcome": judged.get(record.id)}) for record in found]

    def links(self, caller: Member, manager: str, role: Role, ids: Sequence[str]) -> dict[str, list[Link]]:
        """The earlier records each record is linked to, with the reasons."""
        with self._granted(caller, manager, role, "links") as request:
            request.ids = list(ids)
            return {row.record.id: list(row.links or ()) for row in self._stores.open(manager, role).read(ids=ids)}

    def conflict_check(
        self, caller: Member, manager: str, claim: Claim | Sequence[Claim], *, at: tuple[str, int]
    ) -> list[Conflict]:
        """What a new promise, or those of one decision, of gameweek ``at`` contradict: open promises, and each other.

        Compared by their terms first; where one has none, by whether they deny each other. Only commitments enter,
        most binding first; narratives never do.
        """
        with self._granted(caller, manager, "manager", "conflict_check") as request:
            season, gameweek = at
            new = new_claims(manager, season, gameweek, [claim] if isinstance(claim, Claim) else claim)
            standing = standing_claims(self._ledger, manager, season, gameweek)
            embed = self._embedder.embed if self._embedder.dimension else None
            found = contradictions(new, standing, known_before(self._ledger, season, gameweek), embed)
            request.ids = list(dict.fromkeys(conflicting.earlier.record_id for conflicting in found))
            return found

    def outcome_record(self, caller: Member, manager: str, role: Role, outcomes: Mapping[str, Outcome]) -> int:
        """Attach outcomes to the exact records they judge; how many say something new.

        They live in the ledger, beside the scoring version they came from, so a restated result is never stale in a
        store. Raises Refused for a record this store was never given.
        """
        with self._granted(caller, manager, role, "outcome_record") as request:
            request.ids = list(outcomes)
            known = known_records(self._ledger, manager, role, request.ids)
            if unknown := [record for record in outcomes if record not in known]:
                raise Refused(
                    f"{manager}'s {role} store was never given the record {unknown[0]}, so nothing judges it."
                )
            rows = [_outcome_row(record, manager, role, outcome) for record, outcome in outcomes.items()]
            return record_outcomes(self._ledger, rows)

    def associate(self, caller: Member, manager: str, role: Role) -> dict[str, list[Link]]:
        """Link the records that are not associated yet to earlier ones they belong to; the links made.

        ``store`` links what it writes, so this finds work only in a store that was written without. The links follow
        from the ledger alone: it does not matter when, or how often, it runs.
        """
        with self._granted(caller, manager, role, "associate") as request:
            store = self._stores.open(manager, role)
            unlinked = [stored.record for stored in store.read(unlinked=True)]
            if not unlinked:
                return {}
            links = links_for(self._ledger, manager, role, unlinked)
            store.link(links)
            request.ids = list(links)
            return links

    def consolidate(self, caller: Member, manager: str, role: Role) -> list[str]:
        """Add a thread for every standing claim that keeps being repeated; the ids added. Nothing is taken away.

        Only a manager's store holds claims; the others have nothing to consolidate.
        """
        with self._granted(caller, manager, role, "consolidate") as request:
            made = threads(self._ledger, manager) if role == "manager" else []
            there = self._stores.open(manager, role).view().rows if made else {}
            fresh = [record for record in made if record.id not in there]
            request.ids = ids = [record.id for record in fresh]
            if fresh:
                self._write(request, manager, role, fresh)
            return ids

    def audit(self, caller: Member, manager: str, role: Role) -> list[AuditRow]:
        """Every request ever made of one store, refusals included, oldest first."""
        with self._granted(caller, manager, role, "audit"):
            return audit_rows(self._ledger, project=self._stores.project(manager, role).table)

    def store_check(self, manager: str, role: Role, expected: Sequence[str]) -> tuple[RecallState, str]:
        """The state of one store and why, for an operator or a preflight. It shows no record, so it is no request."""
        try:
            evidence: set[str] | StoreError = set(self._stores.open(manager, role).view().rows)
        except StoreError as error:
            evidence = error
        return state_of(self._ledger, manager, role, evidence, expected)

    def members(self, manager: str) -> tuple[Role, ...]:
        """The roles that are members of a manager's team, from the audit trail of their admission."""
        return tuple(role for role in ROLES if self._is_member(manager, role))

    def _write(self, request: _Request, manager: str, role: Role, records: Sequence[MemoryRecord]) -> None:
        """Add records with their links to a store; the ledger's index of them is noted with the request."""
        store = self._stores.open(manager, role)
        embedding = _aside.submit(self._embedder.embed, [record.text for record in records])
        store.write(records, _when_made(embedding), links_for(self._ledger, manager, role, records))
        request.index = [_index_row(record) for record in records]

    def _chosen(self, view: View, visible: NDArray[np.bool_], questions: Iterable[Asked], budget_tokens: int) -> Chosen:
        """The records the questions find, up to the budget, without their outcomes."""
        found = [search(view, visible, question, self._settings, CONSIDERED) for question in questions]
        hits = {view.rows[record_id] for question in found for record_id, _ in question.ranked}
        linked = {view.rows[link.record_id] for row in hits for link in view.links[row] if link.record_id in view.rows}
        records = view.records(sorted(hits | {row for row in linked if visible[row]}))
        links = {view.ids[row]: view.links[row] for row in hits}
        return choose(found, {record.id: record for record in records}, links, budget_tokens, self._settings)

    @contextmanager
    def _granted(self, caller: Member, manager: str, role: Role, verb: str) -> Generator[_Request]:
        """A request of one store by a member of its team; anybody else is refused. Either way it is noted."""
        try:
            with self._named(caller, manager, role, verb) as request:
                if caller.manager != manager:
                    raise Refused(
                        f"{caller.manager}'s {caller.role} is no member of {manager}'s team; teams share nothing."
                    )
                for member in (caller.role, role):
                    if not self._is_member(manager, member):
                        raise Refused(
                            f"{manager}'s {member} is not a member of its team yet; add it with team_add_member."
                        )
                yield request
        except NoSuchProject as error:
            raise Refused(str(error)) from error

    @contextmanager
    def _named(self, caller: Member, manager: str, role: Role, verb: str) -> Generator[_Request]:
        """A request of one store, whoever makes it. Raises NoSuchProject, which is noted as a refusal."""
        try:
            project = self._stores.project(manager, role)
            named = project.team if verb == "team_create" else project.table
        except NoSuchProject:
            with self._noted(caller, f"{manager}/{role}", verb):
                raise
        with self._noted(caller, named, verb) as request:
            yield request

    @contextmanager
    def _noted(self, caller: Member, project: str, verb: str) -> Generator[_Request]:
        """One audit row when the request ends, however it ends."""
        request, allowed = _Request(), True
        try:
            yield request
        except (Refused, NoSuchProject) as refusal:
            allowed, request.reason = False, str(refusal)
            raise
        except Exception as error:
            request.reason = f"failed: {error}"
            raise
        finally:
            row = AuditRow(
                at=self._ledger.now(),
                caller_manager=caller.manager,
                caller_role=caller.role,
                project=project,
                verb=verb,
                allowed=allowed,
                reason=request.reason,
                ids_json=json.dumps(list(request.ids)),
            )
            with self._ledger.transaction():
                index_records(self._ledger, request.index)
                record_audit(self._ledger, [row])

    def _is_member(self, manager: str, role: Role) -> bool:
        """Members are never removed, so what was read once stays true."""
        if (manager, role) not in self._members:
            found = self._ledger.rows(
                "SELECT DISTINCT caller_manager, caller_role FROM audit WHERE verb = 'team_add_member' AND allowed "
                "AND reason = ''"
            )
            self._members = frozenset((str(row["caller_manager"]), str(row["caller_role"])) for row in found)
        return (manager, role) in self._members


def _belongs(record: MemoryRecord, manager: str, role: Role) -> bool:
    computed = record_id(
        record.manager, record.role, record.season, record.gameweek, record.category, record.ordinal, record.text
    )
    return (record.manager, record.role, record.id) == (manager, role, computed)


def _when_made(embedding: Future[list[list[float]]]) -> Iterator[list[float]]:
    yield from embedding.result()


def _outcomes(found: Mapping[str, OutcomeRow]) -> dict[str, Outcome]:
    of_no_outcome = {"record_id", "manager", "role"}
    return {record: Outcome(**row.model_dump(exclude=of_no_outcome)) for record, row in found.items()}


def _with_outcome(item: RecalledItem, judged: Mapping[str, Outcome]) -> RecalledItem:
    record = item.record.model_copy(update={"outcome": judged.get(item.record.id)})
    return item.model_copy(update={"record": record})


def _index_row(record: MemoryRecord) -> MemoryIndexRow:
    return MemoryIndexRow(
        record_id=record.id,
        text_sha256=sha256_of(record.text),
        **record.model_dump(exclude={"id", "text", "links", "outcome"}),
    )


def _outcome_row(record: str, manager: str, role: Role, outcome: Outcome) -> OutcomeRow:
    return OutcomeRow(record_id=record, manager=manager, role=role, **outcome.model_dump())
