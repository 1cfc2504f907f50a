"""Callers who have no business in a store: random requests of other teams' memory, through every verb.

They know everything they should not: the slugs, slugs that look like them, the ids and the very records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, cast

from backroom_pipeline.ledger.memory_rows import audit_rows, indexed_records, outcomes
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.gateway import Gateway, Refused
from backroom_pipeline.memory.model import (
    ROLES,
    Claim,
    HoldChip,
    Member,
    MemoryRecord,
    NoHits,
    Outcome,
    Recall,
    Role,
)
from backroom_pipeline.memory.project import NoSuchProject

Stores = dict[tuple[str, Role], list[MemoryRecord]]
OUTCOME = Outcome(
    verdict="success", season="2025-26", gameweek=1, net_points=99, rank=1, of=8, season_total=99, scoring_version=9
)
NO_ROLES = ("boss", "", "Manager", "manager/../coach", "mgr")


class Attempt(NamedTuple):
    """One request that must be refused, or granted on an empty look-alike of its own."""

    caller: Member
    manager: str
    role: Role
    verb: str


class Report(NamedTuple):
    """What the intruders achieved."""

    attempts: int
    by_verb: dict[str, int]
    refused: int
    granted: int
    """Teams of their own they made, named like others."""
    records_seen: int
    audit_rows: int
    audit_rows_that_fit: int
    """Rows that name the caller, the verb and the refusal of their attempt, in order."""
    records_kept: int
    """Records of all stores that are there afterwards, unchanged, with the links and outcomes they had."""
    records: int


def intrude(ledger: Ledger, gateway: Gateway, managers: Sequence[str], attempts: int, seed: int = 0) -> Report:
    """Make the attempts and count what came of them."""
    chance = Random(seed)
    before, known_before = everything(gateway, managers), _known(ledger)
    slugs = [*managers, *look_alikes(managers)]
    first, seen, refused = len(audit_rows(ledger)), 0, 0
    made: list[tuple[Attempt, bool]] = []
    for _ in range(attempts):
        attempt = _attempt(chance, managers, slugs)
        try:
            answer = _requests(gateway, attempt, before, chance)[attempt.verb]()
        except (Refused, NoSuchProject) as refusal:
            refused += 1
            seen += _mentioned(str(refusal), before)
            made.append((attempt, False))
        else:
            seen += _records_in(answer)
            made.append((attempt, True))
    rows = audit_rows(ledger)[first:]
    fitting = sum(
        (row.caller_manager, row.caller_role, row.verb, row.allowed)
        == (attempt.caller.manager, attempt.caller.role, attempt.verb, granted)
        for row, (attempt, granted) in zip(rows, made, strict=False)
    )
    after = everything(gateway, managers)
    kept = sum(record in after[store] for store, records in before.items() for record in records)
    if known_before != _known(ledger):
        kept = 0
    return Report(
        attempts=attempts,
        by_verb=dict(sorted(Counter(attempt.verb for attempt, _ in made).items())),
        refused=refused,
        granted=attempts - refused,
        records_seen=seen,
        audit_rows=len(rows),
        audit_rows_that_fit=fitting,
        records_kept=kept,
        records=sum(map(len, before.values())),
    )


def look_alikes(managers: Sequence[str]) -> list[str]:
    """Slugs nobody enrolled, most of them hard to tell from one that is."""
    near = [
        change(slug)
        for slug in managers[:3]
        for change in (
            str.upper,
            str.title,
            lambda slug: slug + " ",
            lambda slug: slug + "\u200b",
            lambda slug: slug.replace("o", "\u043e"),
            lambda slug: f"../fpl-team-{slug}",
            lambda slug: f"{slug}/../{slug}",
            lambda slug: f"{slug}' OR '1'='1",
            lambda slug: slug[:-1],
            lambda slug: slug + "_",
        )
    ]
    return [*dict.fromkeys(slug for slug in near if slug not in managers), "", "nobody", "*", "%", "x" * 300]


def everything(gateway: Gateway, managers: Sequence[str]) -> Stores:
    return {
        (manager, role): gateway.get(Member(manager=manager, role=role), manager, role)
        for manager in managers
        for role in ROLES
    }


def _attempt(chance: Random, managers: Sequence[str], slugs: Sequence[str]) -> Attempt:
    manager = chance.choice(managers) if chance.random() < 0.8 else chance.choice(slugs)
    caller = chance.choice([slug for slug in slugs if slug != manager])
    role = cast(Role, chance.choice(NO_ROLES)) if chance.random() < 0.1 else chance.choice(ROLES)
    verb = chance.choice(VERBS)
    if verb in ("team_create", "team_add_member"):
        # These name no caller: whoever runs the league makes teams. A look-alike must not become a way in.
        caller = manager = chance.choice([slug for slug in slugs if slug not in managers])
        role = "manager" if verb == "team_create" else chance.choice(ROLES)
        return Attempt(Member(manager=caller, role=role), manager, role, verb)
    if verb == "conflict_check":
        role = "manager"
    if chance.random() < 0.1 and verb not in ("store", "audit"):
        # At home in a team of its own, if it was made by now, and asking for the records of the one it is named like.
        caller = manager = chance.choice([slug for slug in slugs if slug not in managers])
    return Attempt(Member(manager=caller, role=chance.choice(ROLES)), manager, role, verb)


VERBS = (
    "team_create",
    "team_add_member",
    "store",
    "recall",
    "get",
    "links",
    "conflict_check",
    "outcome_record",
    "associate",
    "consolidate",
    "audit",
)


def _requests(gateway: Gateway, attempt: Attempt, stores: Stores, chance: Random) -> dict[str, Callable[[], object]]:
    caller, manager, role, _ = attempt
    records = stores.get((manager, role)) or stores[chance.choice(list(stores))]
    some = chance.sample(records, min(len(records), chance.randint(1, 4)))
    ids = [record.id for record in some]
    claim = Claim(
        text="My chips wait.",
        terms=chance.choice((HoldChip(kind="hold_chip", chip="any"), NoHits(kind="no_hits"))),
    )
    relabelled = [
        record.model_copy(update={"manager": caller.manager, "role": caller.role}) if chance.random() < 0.5 else record
        for record in some
    ]
    return {
        "team_create": lambda: gateway.team_create(manager),
        "team_add_member": lambda: gateway.team_add_member(manager, role),
        "store": lambda: gateway.store(caller, manager, role, relabelled),
        "recall": lambda: gateway.recall(
            caller, manager, role, [chance.choice(some).text[:80], "captain"], before=("2030-31", 1), expected=ids
        ),
        "get": lambda: gateway.get(caller, manager, role, chance.choice((None, ids))),
        "links": lambda: gateway.links(caller, manager, role, ids),
        "conflict_check": lambda: gateway.conflict_check(caller, manager, claim, at=("2025-26", chance.randint(2, 38))),
        "outcome_record": lambda: gateway.outcome_record(caller, manager, role, dict.fromkeys(ids, OUTCOME)),
        "associate": lambda: gateway.associate(caller, manager, role),
        "consolidate": lambda: gateway.consolidate(caller, manager, role),
        "audit": lambda: gateway.audit(caller, manager, role),
    }


def _records_in(answer: object) -> int:
    """Records, ids of records, or requests that an answer gives away."""
    if isinstance(answer, Recall):
        return len(answer.items) + len(answer.dropped) + answer.found
    return answer if isinstance(answer, int) else len(cast(Any, answer or ()))


def _mentioned(refusal: str, stores: Stores) -> int:
    """Records a refusal quotes. An id the caller brought itself may be named."""
    return sum(record.text in refusal for records in stores.values() for record in records)


def _known(ledger: Ledger) -> tuple[object, object]:
    return indexed_records(ledger), outcomes(ledger)
