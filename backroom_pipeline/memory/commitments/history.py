"""Promises and decisions read from the ledger: a manager's claims as they stand before a gameweek."""

from __future__ import annotations

from typing import cast
from weakref import WeakKeyDictionary

from pydantic import TypeAdapter

from backroom_pipeline.fpl.model import Bill, ChipPlay, Position, TeamSheet
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments.decision import DecisionFacts
from backroom_pipeline.memory.commitments.standing import in_order_of_weight, stand, without_repeats
from backroom_pipeline.memory.model import Claim, StandingClaim, Terms
from backroom_pipeline.memory.records import record_id

_terms: TypeAdapter[Terms] = TypeAdapter(Terms)

# A committed decision never changes and names the facts it was made on, so what was prepared once stays right.
_prepared: WeakKeyDictionary[Ledger, dict[tuple[str, str], tuple[DecisionFacts, ...]]] = WeakKeyDictionary()

_DECISIONS = """
SELECT gameweek, CAST(sheet AS VARCHAR) AS sheet, bill_json FROM decisions
WHERE season = ? AND manager = ? AND gameweek > ? AND gameweek < ? ORDER BY gameweek
"""

_RULED_OUT = """
SELECT pool.gameweek, list(pool.player_id) AS players
FROM decisions JOIN gameweeks USING (season, gameweek, inputs_sha256) JOIN pool USING (season, gameweek, version)
WHERE season = ? AND manager = ? AND gameweek > ? AND gameweek < ?
    AND (pool.status IN ('i', 's', 'u', 'n') OR pool.chance_of_playing = 0)
GROUP BY pool.gameweek
"""

_SQUADS = """
SELECT pool.gameweek, list(pool.player_id) AS players, list(pool.club) AS clubs, list(pool.position) AS positions
FROM decisions JOIN gameweeks USING (season, gameweek, inputs_sha256) JOIN pool USING (season, gameweek, version)
WHERE season = ? AND manager = ? AND gameweek > ? AND gameweek < ? AND list_contains(?, pool.player_id)
GROUP BY pool.gameweek
"""

_CLAIMS = """
SELECT gameweek, ordinal, text, terms_json FROM claims
WHERE season = ? AND manager = ? AND gameweek < ? ORDER BY gameweek, ordinal
"""


def standing_claims(
    ledger: Ledger, manager: str, season: str, gameweek: int, *, include_closed: bool = False
) -> list[StandingClaim]:
    """The manager's claims of earlier gameweeks of the season, judged over its decisions since, most binding first.

    Open ones only, repeats folded into the first, unless ``include_closed`` asks for every claim ever made.
    """
    decisions = decisions_before(ledger, season, gameweek, manager)
    stood = [stand(made, decisions, gameweek) for made in _claims_before(ledger, manager, season, gameweek)]
    if include_closed:
        return in_order_of_weight(stood, gameweek)
    return in_order_of_weight(without_repeats(claim for claim in stood if claim.open), gameweek)


def decision_facts(ledger: Ledger, season: str, gameweek: int, manager: str) -> DecisionFacts:
    """One committed decision, ready to be judged. Raises LookupError where there is none."""
    for facts in decisions_before(ledger, season, gameweek + 1, manager):
        if facts.gameweek == gameweek:
            return facts
    raise LookupError(
        f"{manager} has no committed decision in gameweek {gameweek} of {season}: play that gameweek first."
    )


def decisions_before(ledger: Ledger, season: str, gameweek: int, manager: str) -> tuple[DecisionFacts, ...]:
    """All committed decisions of the season before ``gameweek``, oldest first."""
    held = _prepared.setdefault(ledger, {})
    known = held.get((season, manager), ())
    latest = known[-1].gameweek if known else 0
    if latest < gameweek - 1:
        known = (*known, *_prepare(ledger, season, manager, latest, gameweek, known))
        held[season, manager] = known
    return tuple(facts for facts in known if facts.gameweek < gameweek)


def decision_just_written(ledger: Ledger, season: str, gameweek: int, manager: str) -> DecisionFacts:
    """The decision of a transaction that is still open. It is not kept for later: it may be taken back."""
    known = decisions_before(ledger, season, gameweek, manager)
    return _prepare(ledger, season, manager, gameweek - 1, gameweek + 1, known)[0]


def _prepare(
    ledger: Ledger, season: str, manager: str, after: int, before: int, known: tuple[DecisionFacts, ...]
) -> list[DecisionFacts]:
    span = (season, manager, after, before)
    rows = ledger.rows(_DECISIONS, span)
    if not rows:
        return []
    sheets = {cast(int, row["gameweek"]): TeamSheet.model_validate_json(cast(str, row["sheet"])) for row in rows}
    bills = {cast(int, row["gameweek"]): Bill.model_validate_json(cast(str, row["bill_json"])) for row in rows}
    owned = sorted({player for sheet in sheets.values() for player in sheet.player_ids})
    ruled_out = {row["gameweek"]: cast("list[int]", row["players"]) for row in ledger.rows(_RULED_OUT, span)}
    squads = {row["gameweek"]: row for row in ledger.rows(_SQUADS, (*span, owned))}

    chips = list(known[-1].chips_played_before) if known else []
    hits = dict(known[-1].hits_before) if known else {}
    previous = known[-1] if known else None
    prepared: list[DecisionFacts] = []
    for gameweek, sheet in sheets.items():
        if previous is not None:
            if previous.chip is not None:
                chips.append(ChipPlay(chip=previous.chip, gameweek=previous.gameweek))
            if previous.hit_points:
                hits[previous.gameweek] = previous.hit_points
        squad, bill = squads[gameweek], bills[gameweek]
        players = cast("list[int]", squad["players"])
        positions = dict(zip(players, cast("list[Position]", squad["positions"]), strict=True))
        # Entering the competition is no transfer.
        bought = frozenset(trade.player_id for trade in bill.bought) if previous is not None else frozenset[int]()
        previous = DecisionFacts(
            gameweek=gameweek,
            chip=sheet.chip,
            captain=sheet.captain,
            vice_captain=sheet.vice_captain,
            starting=frozenset(sheet.starting),
            bench=frozenset(sheet.bench),
            bought=bought,
            sold=frozenset(trade.player_id for trade in bill.sold),
            hit_points=bill.hit_points,
            formation=_formation(sheet, positions),
            bank_after=bill.bank_after,
            free_transfers_before=bill.free_transfers_before,
            chips_played_before=tuple(chips),
            unavailable=frozenset(ruled_out.get(gameweek, [])),
            clubs=dict(zip(players, cast("list[str]", squad["clubs"]), strict=True)),
            positions=positions,
            hits_before=dict(hits),
        )
        prepared.append(previous)
    return prepared


def _formation(sheet: TeamSheet, positions: dict[int, Position]) -> str:
    lines = [positions[player] for player in sheet.starting]
    return "-".join(str(lines.count(line)) for line in ("DEF", "MID", "FWD"))


def _claims_before(ledger: Ledger, manager: str, season: str, gameweek: int) -> list[StandingClaim]:
    claims: list[StandingClaim] = []
    for row in ledger.rows(_CLAIMS, (season, manager, gameweek)):
        made_in, ordinal, text = cast(int, row["gameweek"]), cast(int, row["ordinal"]), cast(str, row["text"])
        claims.append(
            StandingClaim(
                record_id=record_id(manager, "manager", season, made_in, "commitment", ordinal, text),
                manager=manager,
                made_in=made_in,
                ordinal=ordinal,
                claim=Claim(text=text, terms=_terms.validate_json(cast(str, row["terms_json"]))),
            )
        )
    return claims
