"""Which records belong together: links from a record to earlier ones, each with its reason.

Links are a pure function of the ledger up to the record's own gameweek and point backwards only. So they are the same
whenever they are computed, and a record's links never change once they are there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pydantic import TypeAdapter

from backroom_pipeline.ledger.answers import claims
from backroom_pipeline.ledger.rows import ClaimRow
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments import standing_claims
from backroom_pipeline.memory.model import AllOf, FreeText, MemoryRecord, Role, Terms
from backroom_pipeline.memory.records import committed_records
from backroom_pipeline.memory.store import Link

_WEEKLY: dict[Role, str] = {"coach": "ranking", "assistant": "sheet", "manager": "narrative"}
_ACTS = frozenset({"play_chip_in", "sell_player", "buy_player"})
"""Promises of one act: the week that keeps them is their verdict. Others are kept quietly every week."""
_terms: TypeAdapter[Terms] = TypeAdapter(Terms)


def subject(terms: Terms) -> str | None:
    """What a promise is about, the same for all promises of one kind about one player, club or chip."""
    if isinstance(terms, FreeText):
        return None
    if isinstance(terms, AllOf):
        parts = [subject(part) for part in terms.parts]
        return " and ".join(sorted(part for part in parts if part)) or None
    about = [str(value) for name in ("player_id", "club", "position", "chip") if (value := getattr(terms, name, None))]
    return " ".join([terms.kind, *about])


def terms_of(claim: ClaimRow) -> Terms:
    return _terms.validate_json(claim.terms_json)


def links_for(ledger: Ledger, manager: str, role: Role, records: Sequence[MemoryRecord]) -> dict[str, list[Link]]:
    """The links of some records of one store, by record id; an empty list for a record that belongs to no other."""
    owed = committed_records(ledger, manager, role)
    linked: dict[str, dict[str, str]] = {record.id: {} for record in records}
    weekly = [record for record in owed if record.category == _WEEKLY[role]]
    for earlier, later in pairwise(weekly):
        if later.id in linked and earlier.season == later.season:
            linked[later.id][earlier.id] = f"the {later.category} of the gameweek before, {earlier.gameweek}"
    if role == "manager":
        _link_promises(ledger, manager, owed, records, linked)
    return {record_id: [Link(*link) for link in sorted(found.items())] for record_id, found in linked.items()}


def _link_promises(
    ledger: Ledger,
    manager: str,
    owed: Sequence[MemoryRecord],
    records: Sequence[MemoryRecord],
    linked: dict[str, dict[str, str]],
) -> None:
    narratives = {(record.season, record.gameweek): record for record in owed if record.category == "narrative"}
    promises = {(r.season, r.gameweek, r.ordinal): r for r in owed if r.category == "commitment"}
    last_said: dict[tuple[str, str], MemoryRecord] = {}
    for claim in claims(ledger, manager):
        promise = promises.get((claim.season, claim.gameweek, claim.ordinal))
        about = subject(terms_of(claim))
        if promise is None:
            continue
        if promise.id in linked:
            made_with = narratives[claim.season, claim.gameweek]
            linked[promise.id][made_with.id] = "the decision it was made with"
        if about is None:
            continue
        earlier = last_said.get((claim.season, about))
        if promise.id in linked and earlier is not None:
            linked[promise.id][earlier.id] = f"the same subject in gameweek {earlier.gameweek}"
        last_said[claim.season, about] = promise
    for thread in (record for record in records if record.category == "thread"):
        for said in thread.source.rpartition("/")[2].split("+"):
            gameweek, _, ordinal = said.partition(".")
            promise = promises.get((thread.season, int(gameweek), int(ordinal)))
            if promise is not None:
                linked[thread.id][promise.id] = f"said in gameweek {gameweek}"
    new_narratives = [record for record in narratives.values() if record.id in linked]
    for season in sorted({record.season for record in new_narratives}):
        through = max(record.gameweek for record in new_narratives if record.season == season)
        for standing in standing_claims(ledger, manager, season, through + 1, include_closed=True):
            promise = promises.get((season, standing.made_in, standing.ordinal))
            kept = standing.kept[:1] if standing.claim.terms.kind in _ACTS else ()
            verdicts = [
                *((gameweek, "broken") for gameweek in standing.broken),
                *((gameweek, "kept") for gameweek in kept),
            ]
            for gameweek, verdict in verdicts:
                narrative = narratives.get((season, gameweek))
                if promise and narrative and narrative.id in linked and gameweek > standing.made_in:
                    linked[narrative.id][promise.id] = f"a promise of gameweek {standing.made_in}, {verdict} here"
