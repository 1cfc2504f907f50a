"""Two promises that cannot both be honoured, found by their terms: intervals, bounds and choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from backroom_pipeline.fpl.model import Position
from backroom_pipeline.memory.commitments.decision import half
from backroom_pipeline.memory.commitments.given import let_off
from backroom_pipeline.memory.commitments.verdicts import formation_fits
from backroom_pipeline.memory.model import (
    LAST_GAMEWEEK,
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
    SingleTerms,
    StartPlayer,
    Terms,
)

FORMATIONS = tuple(f"{d}-{m}-{10 - d - m}" for d in (3, 4, 5) for m in (2, 3, 4, 5) if 1 <= 10 - d - m <= 3)


class Said(NamedTuple):
    """A promise and the gameweek it was made in."""

    terms: Terms
    made_in: int


class Context(NamedTuple):
    """What the game knows beside the terms: who plays where."""

    clubs: Mapping[int, str] = {}
    positions: Mapping[int, Position] = {}


class _Pair(NamedTuple):
    """Two single promises with the weeks in which both bind, from the later one's gameweek on."""

    first: int
    last: int
    one: tuple[int, int]
    """The earlier one's weeks from then on."""
    other: tuple[int, int]
    context: Context

    @property
    def both_open(self) -> bool:
        """Whether either still has weeks to bind in."""
        return self.one[0] <= self.one[1] and self.other[0] <= self.other[1]

    @property
    def overlap(self) -> bool:
        return self.first <= self.last

    @property
    def weeks(self) -> str:
        return f"gameweek {self.first}" if self.first == self.last else f"gameweeks {self.first} to {self.last}"


def conflict(earlier: Said, later: Said, context: Context | None = None) -> str | None:
    """Why the later promise cannot stand beside the earlier one, in a sentence; None when it can.

    Conditions count: a promise is let off by what the other one states ("he is out, so ..."). Free text never conflicts
    here.
    """
    context = context or Context()
    if later.made_in < earlier.made_in:
        earlier, later = later, earlier
    ones, others = _parts(earlier.terms), _parts(later.terms)
    for one in ones:
        for other in others:
            if let_off(one, other) or let_off(other, one):
                continue
            pair = _pair(one, earlier.made_in, other, later.made_in, context)
            if not pair.both_open:
                continue
            reason = _clash(one, other, pair) or _clash(other, one, pair._replace(one=pair.other, other=pair.one))
            if reason:
                return reason
    return _taken_together(ones, others, later.made_in, context) or _taken_together(
        others, ones, later.made_in, context
    )


def _parts(terms: Terms) -> tuple[SingleTerms, ...]:
    if not isinstance(terms, AllOf):
        return (terms,)
    return tuple(
        part.model_copy(
            update={
                "first": max(part.first, terms.first),
                "last": min(part.last, terms.last),
                "when": part.when or terms.when,
                "unless": part.unless or terms.unless,
                "until_chip": part.until_chip or terms.until_chip,
            }
        )
        for part in terms.parts
    )


def _taken_together(
    ones: tuple[SingleTerms, ...], others: tuple[SingleTerms, ...], now: int, context: Context
) -> str | None:
    """Why the parts of one promise cannot stand together beside a limit: players of one club, both armbands."""
    for limit in ones:
        if isinstance(limit, ClubLimit) and limit.at_most is not None and limit.when is limit.unless is None:
            clubs = Counter(
                context.clubs[player] for player in _wanted(others, limit, now, context) if player in context.clubs
            )
            number = clubs[limit.club] if limit.club is not None else max(clubs.values(), default=0)
            if number > limit.at_most:
                return f"{number} players of one club are more than the {limit.at_most} allowed."
        if isinstance(limit, CaptainPair):
            wearers = {part.vice: part.player_id for part in others if isinstance(part, CaptainPlayer)}
            clubs_of = [context.clubs.get(wearers.get(vice) or 0) for vice in (False, True)]
            if None not in clubs_of and (clubs_of[0] == clubs_of[1]) != limit.same_club:
                return "Captain and vice captain are named against the promise about their clubs."
    return None


def _wanted(parts: tuple[SingleTerms, ...], limit: ClubLimit, now: int, context: Context) -> set[int]:
    """Players that the promises put into the team in a week of the limit, as far as it counts them."""
    wanted: set[int] = set()
    for part in parts:
        if max(part.first, limit.first, now) > min(part.last, limit.last) or _has_conditions(part):
            continue
        if isinstance(part, StartPlayer) and part.starting and not part.or_player_ids:
            wanted.add(part.player_id)
        if isinstance(part, KeepPlayer | BuyPlayer) and not limit.starting_only:
            wanted.add(part.player_id)
        if isinstance(part, SellPlayer) and part.replacement_id is not None and not limit.starting_only:
            wanted.add(part.replacement_id)
    return {player for player in wanted if limit.position is None or context.positions.get(player) == limit.position}


def _has_conditions(part: SingleTerms) -> bool:
    return part.only_if_fit or part.when is not None or part.unless is not None


def _pair(one: SingleTerms, made_one: int, other: SingleTerms, made_other: int, context: Context) -> _Pair:
    now = made_other
    weeks_one = (max(one.first, made_one, now), one.last)
    weeks_other = (max(other.first, now), other.last)
    return _Pair(max(weeks_one[0], weeks_other[0]), min(weeks_one[1], weeks_other[1]), weeks_one, weeks_other, context)


def _clash(one: SingleTerms, other: SingleTerms, pair: _Pair) -> str | None:
    rule = _RULES.get((type(one), type(other)))
    return rule(one, other, pair) if rule else None


def _inside(act: tuple[int, int], ban: tuple[int, int]) -> bool:
    """Whether every week in which the act may still happen lies in the ban."""
    return act[0] <= act[1] and ban[0] <= act[0] and act[1] <= ban[1]


def _hold_play(one: HoldChip, other: PlayChipIn, pair: _Pair) -> str | None:
    same = one.chip == other.chip or one.chip == "any"
    if same and _inside(pair.other, pair.one):
        return f"The {_words(other.chip)} cannot be both held and played in {_span(pair.other)}."
    return None


def _play_play(one: PlayChipIn, other: PlayChipIn, pair: _Pair) -> str | None:
    if "any" in (one.chip, other.chip):
        return None
    if one.chip == other.chip:
        weeks = sorted((*pair.one, *pair.other))
        if half(weeks[0]) != half(weeks[-1]):
            return None
        if not pair.overlap:
            return f"There is one {_words(one.chip)} a half, and it is promised to two different times."
        if None not in (one.captain_id, other.captain_id) and one.captain_id != other.captain_id:
            return f"The {_words(one.chip)} is promised to two different captains."
        return None
    if pair.one == pair.other and pair.first == pair.last:
        return f"Two chips are promised for {pair.weeks}, and only one can be played."
    return None


def _captain_for_chip(one: CaptainPlayer, other: PlayChipIn, pair: _Pair) -> str | None:
    bound = one.when is not None and one.when.chip == other.chip and one.player_id is not None
    if bound and other.captain_id is not None and other.captain_id not in (one.player_id, *one.or_player_ids):
        return f"The {_words(other.chip)} is promised to two different captains."
    return None


def _never_captain_for_chip(one: NeverCaptain, other: PlayChipIn, pair: _Pair) -> str | None:
    if other.captain_id is None or one.vice or not _inside(pair.other, pair.one):
        return None
    of_club = one.club is not None and pair.context.clubs.get(other.captain_id) == one.club
    if of_club or one.player_id == other.captain_id:
        return f"The {_words(other.chip)} goes on somebody who is never to be captain."
    return None


def _hits(one: NoHits, other: NoHits, pair: _Pair) -> str | None:
    if pair.overlap and other.at_least_points > one.at_most_points:
        return f"A hit of {other.at_least_points} points in {pair.weeks} is more than the {one.at_most_points} allowed."
    return None


def _transfers(one: MaxTransfers, other: MaxTransfers, pair: _Pair) -> str | None:
    speak_of_chip = (one.when and one.when.chip) == (other.when and other.when.chip)
    if pair.overlap and other.at_least > one.limit and (speak_of_chip or one.in_chip_weeks):
        return f"{other.at_least} transfers in {pair.weeks} are more than the {one.limit} allowed."
    return None


def _banking(one: BankTransfers, other: MaxTransfers, pair: _Pair) -> str | None:
    if not pair.overlap or not other.at_least:
        return None
    saving_free = other.when is None or other.when.free_transfers_at_least is None
    if one.save_until is not None and (
        saving_free or (other.when and (other.when.free_transfers_at_least or 0) < one.save_until)
    ):
        return f"Transfers in {pair.weeks} are spent while free ones are being saved up."
    return None


def _no_transfers(one: MaxTransfers, other: SellPlayer | BuyPlayer, pair: _Pair) -> str | None:
    if one.limit == 0 and one.when is None and _inside(pair.other, pair.one):
        return f"A transfer in {_span(pair.other)} breaks the promise to make none."
    return None


def _keep_sell(one: KeepPlayer, other: SellPlayer, pair: _Pair) -> str | None:
    # Sold before the weeks in which he is to be kept, he would not be there to be kept.
    if one.player_id == other.player_id and pair.overlap and pair.other[1] <= pair.one[1]:
        return f"The player cannot be both kept and sold in {_span(pair.other)}."
    return None


def _keep_avoid(one: KeepPlayer | StartPlayer | CaptainPlayer, other: AvoidPlayer, pair: _Pair) -> str | None:
    if isinstance(one, StartPlayer) and not one.starting:
        return None
    if one.player_id == other.player_id and pair.overlap and not (isinstance(one, CaptainPlayer) and one.or_player_ids):
        return f"The player is wanted in the team and out of it in {pair.weeks}."
    return None


def _buy_avoid(one: BuyPlayer, other: AvoidPlayer, pair: _Pair) -> str | None:
    if one.player_id == other.player_id and _inside(pair.one, pair.other):
        return f"The player cannot be both bought and left alone in {_span(pair.one)}."
    return None


def _replacement_avoided(one: SellPlayer, other: AvoidPlayer, pair: _Pair) -> str | None:
    if one.replacement_id == other.player_id and _inside(pair.one, pair.other):
        return f"The player cannot be both bought and left alone in {_span(pair.one)}."
    return None


def _sell_sell(one: SellPlayer, other: SellPlayer, pair: _Pair) -> str | None:
    replaced_by = (one.replacement_id, other.replacement_id)
    if one.player_id == other.player_id and pair.overlap and None not in replaced_by and len(set(replaced_by)) == 2:
        return "The player is to be replaced by two different players."
    return None


def _captain_benched(one: CaptainPlayer, other: StartPlayer, pair: _Pair) -> str | None:
    benched = not other.starting and not one.or_player_ids and one.player_id == other.player_id
    if benched and not one.vice and pair.overlap and (one.when is None or one.when.chip is None):
        return f"The captain cannot be on the bench in {pair.weeks}."
    return None


def _hit_while_banking(one: BankTransfers, other: NoHits, pair: _Pair) -> str | None:
    if pair.overlap and one.leave_unused and other.at_least_points:
        return f"A hit in {pair.weeks} leaves no free transfer unused."
    return None


def _used_after_sale(one: StartPlayer | CaptainPlayer, other: SellPlayer, pair: _Pair) -> str | None:
    if isinstance(one, StartPlayer) and not one.starting:
        return None
    released = one.when is not None and one.when.owns == one.player_id
    if one.player_id == other.player_id and not one.or_player_ids and not released and pair.one[1] >= other.last:
        return f"The player is needed in {_span(pair.one)} and sold by gameweek {other.last}."
    return None


def _captain_captain(one: CaptainPlayer, other: CaptainPlayer, pair: _Pair) -> str | None:
    if not pair.overlap:
        return None
    if one.vice != other.vice:
        if (
            one.player_id is not None
            and one.player_id == other.player_id
            and not one.or_player_ids + other.or_player_ids
        ):
            return f"One player cannot wear both armbands in {pair.weeks}."
        return None
    if (one.when and one.when.chip) != (other.when and other.when.chip):
        return None
    for this, that in ((one, other), (other, one)):
        if this.player_id is None:
            continue
        allowed = (this.player_id, *this.or_player_ids)
        if any(_may_wear(that, player, pair.context) for player in allowed):
            return None
        return f"The armband is promised to two different players in {pair.weeks}."
    if one.club is not None and other.club is not None and one.club != other.club:
        return f"The armband is promised to two different clubs in {pair.weeks}."
    if one.position is not None and other.position is not None and one.position != other.position:
        return f"The armband is promised to two different positions in {pair.weeks}."
    return None


def _may_wear(terms: CaptainPlayer, player: int, context: Context) -> bool:
    """Whether the player would honour the promise; somebody whose club is not known is given the benefit of doubt."""
    if terms.club is not None:
        return context.clubs.get(player, terms.club) == terms.club
    if terms.position is not None:
        return context.positions.get(player, terms.position) == terms.position
    return player in (terms.player_id, *terms.or_player_ids)


def _never_captain(one: NeverCaptain, other: CaptainPlayer, pair: _Pair) -> str | None:
    if one.vice != other.vice or not pair.overlap:
        return None
    wearers = () if other.player_id is None else (other.player_id, *other.or_player_ids)
    banned = [
        player
        for player in wearers
        if player == one.player_id
        or (one.club is not None and pair.context.clubs.get(player) == one.club)
        or (one.position is not None and pair.context.positions.get(player) == one.position)
    ]
    if wearers and len(banned) == len(wearers):
        return f"The armband goes to somebody who is never to have it in {pair.weeks}."
    if other.club is not None and other.club == one.club:
        return f"The armband goes to a club that is never to have it in {pair.weeks}."
    if other.position is not None and other.position == one.position:
        return f"The armband goes to a position that is never to have it in {pair.weeks}."
    return None


def _start_start(one: StartPlayer, other: StartPlayer, pair: _Pair) -> str | None:
    if not pair.overlap:
        return None
    ones, others = {one.player_id, *one.or_player_ids}, {other.player_id, *other.or_player_ids}
    if one.starting != other.starting:
        starters, benched = (ones, others) if one.starting else (others, ones)
        if starters <= benched:
            return f"The player is to start and not to start in {pair.weeks}."
        return None
    keepers = all(pair.context.positions.get(player) == "GK" for player in ones | others)
    if one.starting and keepers and not ones & others:
        return f"Two goalkeepers are promised the one place in {pair.weeks}."
    return None


def _clubs(one: ClubLimit, other: ClubLimit, pair: _Pair) -> str | None:
    if not pair.overlap or one.at_most is None or other.at_least is None:
        return None
    same_club = one.club == other.club or one.club is None
    covered = one.position in (None, other.position) and (other.starting_only or not one.starting_only)
    if same_club and covered and other.at_least > one.at_most:
        return f"{other.at_least} players of one club in {pair.weeks} are more than the {one.at_most} allowed."
    return None


def _money(one: BankMoney, other: BankMoney, pair: _Pair) -> str | None:
    if pair.overlap and one.at_most is not None and other.at_least is not None and other.at_least > one.at_most:
        return f"{other.at_least / 10} in the bank in {pair.weeks} is more than the {one.at_most / 10} allowed."
    return None


def _formations(one: Formation, other: Formation, pair: _Pair) -> str | None:
    if pair.overlap and not any(formation_fits(one, f) and formation_fits(other, f) for f in FORMATIONS):
        return f"No formation honours both promises in {pair.weeks}."
    return None


def _pairs(one: CaptainPair, other: CaptainPair, pair: _Pair) -> str | None:
    if pair.overlap and one.same_club != other.same_club:
        return f"Captain and vice captain are promised to be and not to be of one club in {pair.weeks}."
    return None


def _words(chip: str) -> str:
    return "chip" if chip == "any" else chip.replace("_", " ")


def _span(weeks: tuple[int, int]) -> str:
    first, last = weeks
    return f"gameweek {first}" if first >= last else f"gameweeks {first} to {min(last, LAST_GAMEWEEK)}"


_RULES: dict[tuple[type, type], Callable[[Any, Any, _Pair], str | None]] = {
    (HoldChip, PlayChipIn): _hold_play,
    (PlayChipIn, PlayChipIn): _play_play,
    (CaptainPlayer, PlayChipIn): _captain_for_chip,
    (NeverCaptain, PlayChipIn): _never_captain_for_chip,
    (NoHits, NoHits): _hits,
    (MaxTransfers, MaxTransfers): _transfers,
    (BankTransfers, MaxTransfers): _banking,
    (MaxTransfers, SellPlayer): _no_transfers,
    (MaxTransfers, BuyPlayer): _no_transfers,
    (KeepPlayer, SellPlayer): _keep_sell,
    (KeepPlayer, AvoidPlayer): _keep_avoid,
    (StartPlayer, AvoidPlayer): _keep_avoid,
    (CaptainPlayer, AvoidPlayer): _keep_avoid,
    (BuyPlayer, AvoidPlayer): _buy_avoid,
    (SellPlayer, AvoidPlayer): _replacement_avoided,
    (SellPlayer, SellPlayer): _sell_sell,
    (CaptainPlayer, StartPlayer): _captain_benched,
    (BankTransfers, NoHits): _hit_while_banking,
    (StartPlayer, SellPlayer): _used_after_sale,
    (CaptainPlayer, SellPlayer): _used_after_sale,
    (CaptainPlayer, CaptainPlayer): _captain_captain,
    (NeverCaptain, CaptainPlayer): _never_captain,
    (StartPlayer, StartPlayer): _start_start,
    (ClubLimit, ClubLimit): _clubs,
    (BankMoney, BankMoney): _money,
    (Formation, Formation): _formations,
    (CaptainPair, CaptainPair): _pairs,
}
