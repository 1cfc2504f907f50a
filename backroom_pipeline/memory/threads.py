"""Consolidation: a standing claim that is repeated becomes a thread with its dates. Nothing is merged away.

A thread is a further record, derived from the claims it names; they stay, pinned, as they are. One is made when the
number of repeats has doubled (2, 4, 8, 16, 32), so a season of saying the same adds five records and not thirty-seven,
and what is made does not depend on how often consolidation runs.
"""

from __future__ import annotations

from backroom_pipeline.ledger.answers import claims
from backroom_pipeline.ledger.rows import ClaimRow
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.associations import terms_of
from backroom_pipeline.memory.model import FreeText, MemoryRecord
from backroom_pipeline.memory.records import thread_record

_SIZES = frozenset({2, 4, 8, 16, 32})


def threads(ledger: Ledger, manager: str) -> list[MemoryRecord]:
    """Every thread the manager's committed claims make, in the order of time."""
    made: list[MemoryRecord] = []
    said: dict[tuple[str, str], list[ClaimRow]] = {}
    for claim in claims(ledger, manager):
        repeats = said.setdefault((claim.season, _meaning(claim)), [])
        if repeats and repeats[-1].gameweek == claim.gameweek:
            continue
        repeats.append(claim)
        if len(repeats) in _SIZES:
            made.append(thread_record(manager, tuple(repeats)))
    return made


def _meaning(claim: ClaimRow) -> str:
    """Equal for claims with the same terms, whenever each of them began to bind."""
    terms = terms_of(claim)
    if isinstance(terms, FreeText):
        return claim.text.casefold()
    return terms.model_dump_json(exclude={"first"} if terms.first <= claim.gameweek else None)
