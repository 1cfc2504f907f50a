"""Which records belong together: links from a record to earlier ones, each with its reason.

Links are a pure function of the ledger up to the record's own gameweek and point backwards only. So they are the same
whenever they are computed, and a record's links never change once they are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from pydantic import TypeAdapter

from backroom_pipeline.ledger.answers import claims
from backroom_pipeline.ledger.rows import AnswerKey, ClaimRow
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments import DecisionFacts, decisions_before, judge, stand
from backroom_pipeline.memory.model import (
    AllOf,
    Category,
    Claim,
    FreeText,
    MemoryRecord,
    PlayChipIn,
    Role,
    StandingClaim,
    Terms,
)
from backroom_pipeline.memory.records import claim_record_id, committed_weeks, records_of
from backroom_pipeline.memory.view import Link

_WEEKLY: dict[Role, Category] = {"coach": "ranking", "assistant": "sheet", "manager": "narrative"}
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
    return _read(claim.terms_json)[0]


@lru_cache(maxsize=4096)
def _read(terms_json: str) -> tuple[Terms, str | None]:
    """Terms and their subject. The same promises are read again every week."""
    terms = _terms.validate_json(terms_json)
    return terms, subject(terms)


def links_for(ledger: Ledger, manager: str, role: Role, records: Sequence[MemoryRecord]) -> dict[str, list[Link]]:
    """The links of some records of one store, by record id; an empty list for a record that belongs to no other.

    What it costs grows with the records asked for, and with the claims of their seasons only.
    """
    linked: dict[str, dict[str, str]] = {record.id: {} for record in records}
    for season in sorted({record.season for record in records if record.season}):
        asked = [record for record in records if record.season == season]
        _link_weekly(ledger, manager, role, season, asked, linked)
        if role == "manager":
            _link_promises(ledger, manager, season, asked, linked)
    return {record_id: [Link(*link) for link in sorted(found.items())] for record_id, found in linked.items()}


def _link_weekly(
    ledger: Ledger,
    manager: str,
    role: Role,
    season: str,
    asked: Iterable[MemoryRecord],
    linked: dict[str, dict[str, str]],
) -> None:
    """A week's record to the one before it; and a manager's promises to the decision they were made with."""
    weeks = committed_weeks(ledger, manager, role, season)

    def records_of_week(gameweek: int) -> tuple[MemoryRecord, ...]:
        key = AnswerKey(season=season, gameweek=gameweek, manager=manager, role=role)
        return records_of(ledger, key, weeks[gameweek])

    for gameweek in sorted({record.gameweek for record in asked}):
        if gameweek not in weeks:
            continue
        own = records_of_week(gameweek)
        weekly = _weekly(own)
        for promise in own:
            if promise.category == "commitment" and promise.id in linked:
                linked[promise.id][weekly.id] = "the decision it was made with"
        before = max((week for week in weeks if week < gameweek), default=None)
        if before is not None and weekly.id in linked:
            earlier = _weekly(records_of_week(before))
            when = f"of the gameweek before, {before}" if before == gameweek - 1 else f"before, of gameweek {before}"
            linked[weekly.id][earlier.id] = f"the {weekly.category} {when}"


def _weekly(records: Iterable[MemoryRecord]) -> MemoryRecord:
    return next(record for record in records if record.category in _WEEKLY.values())


def _link_promises(
    ledger: Ledger, manager: str, season: str, asked: Sequence[MemoryRecord], linked: dict[str, dict[str, str]]
) -> None:
    """Promises to earlier ones about the same, threads to what they are made of, decisions to what they decide."""
    made = claims(ledger, manager, season)
    last = max(record.gameweek for record in asked)
    last_said: dict[str, ClaimRow] = {}
    promised = {(record.gameweek, record.ordinal): record for record in asked if record.category == "commitment"}
    for claim in made:
        terms, about = _read(claim.terms_json)
        if about is None or claim.gameweek > last:
            continue
        earlier, promise = last_said.get(about), promised.get((claim.gameweek, claim.ordinal))
        if earlier is not None and promise is not None and promise.id == claim_record_id(claim):
            linked[promise.id][claim_record_id(earlier)] = f"{_shared(terms)} in gameweek {earlier.gameweek}"
        last_said[about] = claim
    by_place = {(claim.gameweek, claim.ordinal): claim for claim in made}
    for record in asked:
        if record.category == "thread":
            for said in record.source.rpartition("/")[2].split("+"):
                gameweek, _, ordinal = said.partition(".")
                if claim := by_place.get((int(gameweek), int(ordinal))):
                    linked[record.id][claim_record_id(claim)] = f"said in gameweek {gameweek}"
    narratives = {record.gameweek: record for record in asked if record.category == "narrative"}
    if narratives:
        decisions = decisions_before(ledger, season, last + 1, manager)
        for place, facts in enumerate(decisions, 1):
            if narrative := narratives.get(facts.gameweek):
                for claim, verdict in _decided(made, decisions[:place]):
                    reason = f"a promise of gameweek {claim.gameweek}, {verdict} here"
                    linked[narrative.id][claim_record_id(claim)] = reason


def _decided(made: Sequence[ClaimRow], decisions: Sequence[DecisionFacts]) -> Iterable[tuple[ClaimRow, str]]:
    """The earlier promises that the last of the decisions breaks, or keeps by the one act they were about.

    Most promises are ruled out by judging that one decision; only for the others their whole history is gone through.
    """
    facts = decisions[-1]
    for claim in made:
        if claim.gameweek >= facts.gameweek:
            break
        terms = terms_of(claim)
        verdict = judge(terms, claim.gameweek, facts)
        if verdict != "broken" and (verdict != "kept" or terms.kind not in _ACTS):
            continue
        standing = stand(_standing(claim, terms), decisions, facts.gameweek + 1)
        if facts.gameweek in standing.broken or standing.kept[:1] == (facts.gameweek,):
            yield claim, verdict


def _standing(claim: ClaimRow, terms: Terms) -> StandingClaim:
    return StandingClaim(
        record_id=claim_record_id(claim),
        manager=claim.manager,
        made_in=claim.gameweek,
        ordinal=claim.ordinal,
        claim=Claim(text=claim.text, terms=terms),
    )


def _shared(terms: Terms) -> str:
    if isinstance(terms, PlayChipIn):
        return "the same plan"
    return "the same stance on the same player" if getattr(terms, "player_id", None) else "the same subject"
