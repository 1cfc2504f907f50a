"""The verdict on one promise against one decision, by typed terms only.

The rules are those of the labelled cases: a promise that does not bind in a week is not_applicable there, opinions are
unclear always, everything else is kept or broken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backroom_pipeline.fpl.model import CHIPS, Chip, ChipPlay
from backroom_pipeline.memory.commitments.decision import DecisionFacts, half
from backroom_pipeline.memory.model import (
    LAST_GAMEWEEK,
    AllOf,
    AvoidPlayer,
    BankMoney,
    BankTransfers,
    BuyPlayer,
    CaptainPair,
    CaptainPlayer,
    Claim,
    ClubLimit,
    Condition,
    Formation,
    FreeText,
    HoldChip,
    KeepPlayer,
    MaxTransfers,
    NeverCaptain,
    NoHits,
    PlayChipIn,
    SellPlayer,
    SingleTerms,
    StartPlayer,
    Terms,
    Verdict,
)


def judge(claim: Claim | Terms, made_in: int, facts: DecisionFacts) -> Verdict:
    """Whether the decision of ``facts.gameweek`` honours a promise made in gameweek ``made_in``."""
    terms = claim.terms if isinstance(claim, Claim) else claim
    if _is_opinion(terms):
        return "unclear"
    gameweek = facts.gameweek
    if gameweek < made_in or terms.last < max(gameweek, terms.first):
        return "not_applicable"
    # A chip can be wasted before its weeks begin.
    if gameweek < terms.first and not isinstance(terms, PlayChipIn | AllOf):
        return "not_applicable"
    if terms.until_chip is not None and _chip_has_ended_it(terms, made_in, facts):
        return "not_applicable"
    if terms.when is not None and not holds(terms.when, facts):
        return "not_applicable"
    if terms.unless is not None and holds(terms.unless, facts):
        return "not_applicable"
    if isinstance(terms, AllOf):
        return _all_of(terms, made_in, facts)
    if terms.only_if_fit and _nobody_concerned_is_fit(terms, facts):
        return "not_applicable"
    return _JUDGES[type(terms)](terms, made_in, facts)


def holds(condition: Condition, facts: DecisionFacts) -> bool:
    """Whether every part of a condition is so in the week of the decision."""
    c = condition
    return (
        (c.player_out is None or c.player_out in facts.unavailable)
        and (c.player_fit is None or c.player_fit not in facts.unavailable)
        and (c.out_at_least is None or facts.out_of_squad_before >= c.out_at_least)
        and (c.out_at_most is None or facts.out_of_squad_before <= c.out_at_most)
        and (c.owns is None or c.owns in facts.squad)
        and (c.owns_not is None or c.owns_not not in facts.squad)
        and (c.free_transfers_at_least is None or facts.free_transfers_before >= c.free_transfers_at_least)
        and (c.free_transfers_at_most is None or facts.free_transfers_before <= c.free_transfers_at_most)
        and (c.chip is None or facts.chip == c.chip)
        and (c.chip_used is None or c.chip_used in facts.played_in_half)
    )


def released_by(play: ChipPlay, terms: Terms, made_in: int) -> bool:
    """Whether a chip that was played ends a promise that lasts until that chip.

    A play before the promise counts only in the same half: then the chip it waited for was gone already.
    """
    return play.chip == terms.until_chip and (play.gameweek >= made_in or half(play.gameweek) == half(made_in))


def parts_of(terms: AllOf) -> list[SingleTerms]:
    """The single promises of a compound, each with what the whole says of all: its weeks, its condition, fitness."""
    if (terms.first, terms.last, terms.when, terms.only_if_fit) == (1, LAST_GAMEWEEK, None, False):
        return list(terms.parts)
    return [
        part.model_copy(
            update={
                "first": max(part.first, terms.first),
                "last": min(part.last, terms.last),
                "when": _both(terms.when, part.when),
                "only_if_fit": part.only_if_fit or terms.only_if_fit,
            }
        )
        for part in terms.parts
    ]


def _both(whole: Condition | None, part: Condition | None) -> Condition | None:
    if whole is None or part is None:
        return whole or part
    return whole.model_copy(update=part.model_dump(exclude_none=True))


def _is_opinion(terms: Terms) -> bool:
    parts = terms.parts if isinstance(terms, AllOf) else (terms,)
    return all(isinstance(part, FreeText) for part in parts)


def _nobody_concerned_is_fit(terms: Terms, facts: DecisionFacts) -> bool:
    """Whether the player a promise is about is ruled out, or all of those who would do are."""
    named = (
        getattr(terms, "player_id", None),
        getattr(terms, "captain_id", None),
        *getattr(terms, "or_player_ids", ()),
    )
    concerned = {player for player in named if player is not None}
    return bool(concerned) and concerned <= facts.unavailable


def _chip_has_ended_it(terms: Terms, made_in: int, facts: DecisionFacts) -> bool:
    if facts.chip == terms.until_chip:
        return True
    return any(released_by(play, terms, made_in) for play in facts.chips_played_before)


def _honoured(yes: bool) -> Verdict:
    return "kept" if yes else "broken"


def _all_of(terms: AllOf, made_in: int, facts: DecisionFacts) -> Verdict:
    verdicts = [judge(part, made_in, facts) for part in parts_of(terms)]
    if "broken" in verdicts:
        return "broken"
    return "kept" if "kept" in verdicts else "not_applicable"


def _hold_chip(terms: HoldChip, made_in: int, facts: DecisionFacts) -> Verdict:
    if terms.chip == "any":
        if len(facts.played_in_half) == len(CHIPS):
            return "not_applicable"
        return _honoured(facts.chip is None)
    if terms.chip in facts.played_in_half:
        return "not_applicable"
    return _honoured(facts.chip != terms.chip)


def _play_chip_in(terms: PlayChipIn, made_in: int, facts: DecisionFacts) -> Verdict:
    if _played_in_its_weeks(terms, made_in, facts.chips_played_before):
        return "not_applicable"
    if facts.gameweek >= terms.first and facts.chip in _wanted(terms):
        return _honoured(terms.captain_id is None or terms.captain_id == facts.captain)
    return "not_applicable" if _can_still_be_played(terms, facts) else "broken"


def is_settled(terms: PlayChipIn, made_in: int, facts: DecisionFacts) -> bool:
    """Whether with this decision the chip has been played in its weeks, or cannot be any more."""
    plays = _plays_until(facts)
    return _played_in_its_weeks(terms, made_in, plays) or not _can_still_be_played(terms, facts)


def _wanted(terms: PlayChipIn) -> tuple[Chip, ...]:
    return CHIPS if terms.chip == "any" else (terms.chip,)


def _plays_until(facts: DecisionFacts) -> tuple[ChipPlay, ...]:
    today = () if facts.chip is None else (ChipPlay(chip=facts.chip, gameweek=facts.gameweek),)
    return (*facts.chips_played_before, *today)


def _played_in_its_weeks(terms: PlayChipIn, made_in: int, plays: tuple[ChipPlay, ...]) -> bool:
    begins = max(terms.first, made_in)
    return any(play.chip in _wanted(terms) and play.gameweek >= begins for play in plays)


def _can_still_be_played(terms: PlayChipIn, facts: DecisionFacts) -> bool:
    """Whether a copy of the chip is left for the last week of the promise, and with it for some later one."""
    spent = {play.chip for play in _plays_until(facts) if half(play.gameweek) == half(terms.last)}
    return facts.gameweek < terms.last and any(chip not in spent for chip in _wanted(terms))


def _no_hits(terms: NoHits, made_in: int, facts: DecisionFacts) -> Verdict:
    if facts.hit_points < terms.at_least_points:
        return "broken"
    if facts.hit_points == 0:
        return "kept"
    paid = facts.hit_points
    for gameweek in range(facts.gameweek - terms.over_gameweeks + 1, facts.gameweek):
        paid += facts.hits_before.get(gameweek, 0)
    return _honoured(paid <= max(terms.at_most_points, terms.at_least_points))


def _max_transfers(terms: MaxTransfers, made_in: int, facts: DecisionFacts) -> Verdict:
    if facts.squad_frees_transfers and not (terms.in_chip_weeks or (terms.when and terms.when.chip == facts.chip)):
        return "not_applicable"
    return _honoured(terms.at_least <= facts.transfers <= terms.limit)


def _keep_player(terms: KeepPlayer, made_in: int, facts: DecisionFacts) -> Verdict:
    if facts.chip == "free_hit":
        return "not_applicable"
    return _honoured(terms.player_id in facts.squad)


def _sell_player(terms: SellPlayer, made_in: int, facts: DecisionFacts) -> Verdict:
    if terms.player_id in facts.sold_for_good:
        return _honoured(terms.replacement_id is None or terms.replacement_id in facts.bought)
    return "broken" if _is_due(terms, facts) and terms.player_id in facts.owned else "not_applicable"


def _buy_player(terms: BuyPlayer, made_in: int, facts: DecisionFacts) -> Verdict:
    if terms.player_id in facts.owned - facts.squad_before:
        return "kept"
    return _honoured(terms.player_id in facts.owned) if _is_due(terms, facts) else "not_applicable"


def _is_due(terms: SellPlayer | BuyPlayer, facts: DecisionFacts) -> bool:
    """The last chance. A condition without a deadline of its own makes every week in which it holds the last one."""
    return facts.gameweek == terms.last or (terms.when is not None and terms.last == LAST_GAMEWEEK)


def _avoid_player(terms: AvoidPlayer, made_in: int, facts: DecisionFacts) -> Verdict:
    return _honoured(terms.player_id not in (facts.squad if terms.owned else facts.bought))


def _wears(terms: CaptainPlayer | NeverCaptain, facts: DecisionFacts) -> bool:
    wearer = facts.vice_captain if terms.vice else facts.captain
    if terms.club is not None:
        return facts.clubs.get(wearer) == terms.club
    if terms.position is not None:
        return facts.positions.get(wearer) == terms.position
    return wearer == terms.player_id


def _captain_player(terms: CaptainPlayer, made_in: int, facts: DecisionFacts) -> Verdict:
    wearer = facts.vice_captain if terms.vice else facts.captain
    return _honoured(_wears(terms, facts) or wearer in terms.or_player_ids)


def _never_captain(terms: NeverCaptain, made_in: int, facts: DecisionFacts) -> Verdict:
    return _honoured(not _wears(terms, facts))


def _captain_pair(terms: CaptainPair, made_in: int, facts: DecisionFacts) -> Verdict:
    captain, vice = facts.clubs.get(facts.captain), facts.clubs.get(facts.vice_captain)
    return _honoured((captain == vice) == terms.same_club)


def _start_player(terms: StartPlayer, made_in: int, facts: DecisionFacts) -> Verdict:
    starts = terms.player_id in facts.starting or any(other in facts.starting for other in terms.or_player_ids)
    return _honoured(starts == terms.starting)


def _club_limit(terms: ClubLimit, made_in: int, facts: DecisionFacts) -> Verdict:
    counts: dict[str, int] = {}
    for player in facts.starting if terms.starting_only else facts.squad:
        if terms.position is None or facts.positions.get(player) == terms.position:
            club = facts.clubs.get(player, "")
            counts[club] = counts.get(club, 0) + 1
    number = max(counts.values(), default=0) if terms.club is None else counts.get(terms.club, 0)
    return _honoured(
        (terms.at_most is None or number <= terms.at_most) and (terms.at_least is None or number >= terms.at_least)
    )


def _bank_transfers(terms: BankTransfers, made_in: int, facts: DecisionFacts) -> Verdict:
    if facts.squad_frees_transfers:
        return "not_applicable"
    if terms.save_until is not None:
        if facts.free_transfers_before >= terms.save_until:
            return "not_applicable"
        return _honoured(facts.transfers == 0)
    unused = facts.free_transfers_before - facts.transfers
    return _honoured(unused >= (terms.leave_unused or 0))


def _bank_money(terms: BankMoney, made_in: int, facts: DecisionFacts) -> Verdict:
    bank = facts.bank_after
    return _honoured(
        (terms.at_least is None or bank >= terms.at_least) and (terms.at_most is None or bank <= terms.at_most)
    )


_LINES = {"DEF": 0, "MID": 1, "FWD": 2}


def formation_fits(terms: Formation, formation: str) -> bool:
    """Whether a formation honours a promise about formations."""
    fits = True
    if terms.formation is not None:
        fits = formation == terms.formation or formation in terms.or_formations
    if fits and terms.line is not None:
        number = 1 if terms.line == "GK" else int(formation.split("-")[_LINES[terms.line]])
        fits = (terms.at_least is None or number >= terms.at_least) and (
            terms.at_most is None or number <= terms.at_most
        )
    return fits != terms.never


def _formation(terms: Formation, made_in: int, facts: DecisionFacts) -> Verdict:
    return _honoured(formation_fits(terms, facts.formation))


_JUDGES: dict[type, Callable[[Any, int, DecisionFacts], Verdict]] = {
    HoldChip: _hold_chip,
    PlayChipIn: _play_chip_in,
    NoHits: _no_hits,
    MaxTransfers: _max_transfers,
    KeepPlayer: _keep_player,
    SellPlayer: _sell_player,
    BuyPlayer: _buy_player,
    AvoidPlayer: _avoid_player,
    CaptainPlayer: _captain_player,
    NeverCaptain: _never_captain,
    CaptainPair: _captain_pair,
    StartPlayer: _start_player,
    ClubLimit: _club_limit,
    BankTransfers: _bank_transfers,
    BankMoney: _bank_money,
    Formation: _formation,
}
