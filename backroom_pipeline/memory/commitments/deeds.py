"""What a decision did about a promise, in one sentence: the second text of a broken promise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from backroom_pipeline.memory.commitments.decision import DecisionFacts
from backroom_pipeline.memory.commitments.verdicts import judge, parts_of
from backroom_pipeline.memory.model import (
    AllOf,
    AvoidPlayer,
    BankMoney,
    BankTransfers,
    BuyPlayer,
    CaptainPair,
    CaptainPlayer,
    ClubLimit,
    Formation,
    HoldChip,
    KeepPlayer,
    MaxTransfers,
    NeverCaptain,
    NoHits,
    PlayChipIn,
    SellPlayer,
    StartPlayer,
    Terms,
)

_LINES = {"GK": "goalkeeper", "DEF": "defender", "MID": "midfielder", "FWD": "forward"}


def deed(terms: Terms, made_in: int, facts: DecisionFacts, names: Mapping[int, str]) -> str:
    """What the decision did where the promise looks: ``Captain: Salah.`` Of several, what broke it.

    ``names`` are those of the gameweek's pool.
    """
    if isinstance(terms, AllOf):
        broken = [part for part in parts_of(terms) if judge(part, made_in, facts) == "broken"]
        told = [deed(part, made_in, facts, names) for part in broken or terms.parts]
        return " ".join(dict.fromkeys(told))
    tell = _DEEDS.get(type(terms))
    return tell(terms, _Told(facts, names)) if tell else "Decided otherwise."


class _Told:
    """A decision in words."""

    def __init__(self, facts: DecisionFacts, names: Mapping[int, str]) -> None:
        self.facts = facts
        self._names = names

    def name(self, player: int) -> str:
        return self._names.get(player, f"player {player}")

    def names(self, players: Iterable[int], joint: str = "and") -> str:
        named = [self.name(player) for player in players]
        return f" {joint} ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else "".join(named)

    def place(self, player: int) -> str:
        """Where a player is after the decision, and whether that is new."""
        facts, name = self.facts, self.name(player)
        if player in facts.bought:
            return f"Bought {name}."
        if player in facts.sold:
            return f"Sold {name}."
        if player in facts.starting:
            return f"Started {name}."
        if player in facts.bench:
            return f"Benched {name}."
        return f"{name} is not in the squad."


def _chip(terms: HoldChip | PlayChipIn, told: _Told) -> str:
    facts = told.facts
    if facts.chip is None:
        if isinstance(terms, PlayChipIn) and terms.chip in facts.played_in_half:
            return f"The {_words(terms.chip)} was played in gameweek {facts.played_in_half[terms.chip]} already."
        return f"Played no {'chip' if terms.chip == 'any' else _words(terms.chip)}."
    played = f"Played the {_words(facts.chip)}"
    if isinstance(terms, PlayChipIn) and terms.chip not in ("any", facts.chip):
        return f"{played}, not the {_words(terms.chip)}."
    if isinstance(terms, PlayChipIn) and terms.captain_id is not None:
        return f"{played} with {told.name(facts.captain)} as captain."
    return f"{played}."


def _hits(terms: NoHits, told: _Told) -> str:
    facts = told.facts
    weeks = range(facts.gameweek - terms.over_gameweeks + 1, facts.gameweek)
    before = sum(facts.hits_before.get(week, 0) for week in weeks)
    paid = f"Paid {facts.hit_points} points for transfers" if facts.hit_points else "Paid no points for transfers"
    return f"{paid}, after {before} in the {len(weeks)} gameweeks before." if before else f"{paid}."


def _transfers(terms: MaxTransfers, told: _Told) -> str:
    return f"Made {_count(told.facts.transfers, 'transfer')}."


def _kept(terms: KeepPlayer | BuyPlayer, told: _Told) -> str:
    return told.place(terms.player_id)


def _sold(terms: SellPlayer, told: _Told) -> str:
    facts, name = told.facts, told.name(terms.player_id)
    if terms.player_id not in facts.sold_for_good:
        return f"Kept {name}."
    replaced = f", not {told.name(terms.replacement_id)}" if terms.replacement_id is not None else ""
    return f"Sold {name} and bought {told.names(sorted(facts.bought))}{replaced}."


def _avoided(terms: AvoidPlayer, told: _Told) -> str:
    if terms.player_id in told.facts.bought:
        return f"Bought {told.name(terms.player_id)}."
    return f"{told.name(terms.player_id)} is in the squad."


def _captain(terms: CaptainPlayer | NeverCaptain, told: _Told) -> str:
    facts = told.facts
    wearer = facts.vice_captain if terms.vice else facts.captain
    of = ""
    if terms.club is not None:
        of = f" ({facts.clubs.get(wearer, '?')})"
    elif terms.position is not None and wearer in facts.positions:
        of = f" ({_LINES[facts.positions[wearer]]})"
    return f"{'Vice captain' if terms.vice else 'Captain'}: {told.name(wearer)}{of}."


def _pair(terms: CaptainPair, told: _Told) -> str:
    facts = told.facts
    captain, vice = (
        f"{told.name(each)} ({facts.clubs.get(each, '?')})" for each in (facts.captain, facts.vice_captain)
    )
    return f"Captain: {captain}, vice captain: {vice}."


def _started(terms: StartPlayer, told: _Told) -> str:
    facts = told.facts
    everybody = (terms.player_id, *terms.or_player_ids)
    if not terms.starting:
        return f"Started {told.names([player for player in everybody if player in facts.starting] or everybody)}."
    if len(everybody) > 1:
        return f"Started neither {told.names(everybody, 'nor')}."
    if terms.player_id in facts.sold or terms.player_id not in facts.squad:
        return told.place(terms.player_id)
    return f"Benched {told.name(terms.player_id)}."


def _club(terms: ClubLimit, told: _Told) -> str:
    facts = told.facts
    counts: dict[str, int] = {}
    for player in facts.starting if terms.starting_only else facts.squad:
        if terms.position is None or facts.positions.get(player) == terms.position:
            counts[facts.clubs.get(player, "?")] = counts.get(facts.clubs.get(player, "?"), 0) + 1
    club = terms.club or max(sorted(counts), key=lambda name: counts[name], default="?")
    kind = _LINES[terms.position] if terms.position else "player"
    return f"{'Starts' if terms.starting_only else 'Owns'} {_count(counts.get(club, 0), kind)} of {club}."


def _banked(terms: BankTransfers, told: _Told) -> str:
    facts = told.facts
    free = _count(facts.free_transfers_before, "free transfer")
    return f"Made {_count(facts.transfers, 'transfer')} with {free} in hand."


def _money(terms: BankMoney, told: _Told) -> str:
    return f"Left {told.facts.bank_after / 10:.1f} in the bank."


def _formation(terms: Formation, told: _Told) -> str:
    return f"Lined up {told.facts.formation}."


def _count(number: int, thing: str) -> str:
    return f"{number or 'no'} {thing}{'' if number == 1 else 's'}"


def _words(chip: str) -> str:
    return "chip" if chip == "any" else chip.replace("_", " ")


_DEEDS: dict[type, Callable[[Any, _Told], str]] = {
    HoldChip: _chip,
    PlayChipIn: _chip,
    NoHits: _hits,
    MaxTransfers: _transfers,
    KeepPlayer: _kept,
    SellPlayer: _sold,
    BuyPlayer: _kept,
    AvoidPlayer: _avoided,
    CaptainPlayer: _captain,
    NeverCaptain: _captain,
    CaptainPair: _pair,
    StartPlayer: _started,
    ClubLimit: _club,
    BankTransfers: _banked,
    BankMoney: _money,
    Formation: _formation,
}
