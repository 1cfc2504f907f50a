"""Squads: what a team sheet does to a team, what it costs, and every rule it breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from backroom_pipeline.fpl.lineup import FORMATION, STARTERS
from backroom_pipeline.fpl.model import (
    CHIPS,
    POSITIONS,
    Applied,
    Bill,
    Breach,
    Chip,
    ChipPlay,
    ChipWindow,
    IllegalSheet,
    OwnedPlayer,
    Player,
    Position,
    TeamSheet,
    TeamState,
    Tenths,
    Trade,
)
from backroom_pipeline.fpl.rules import FREE_TRANSFER_CHIPS, Rules

_PLURAL: dict[Position, str] = {"GK": "goalkeepers", "DEF": "defenders", "MID": "midfielders", "FWD": "forwards"}


def apply_sheet(state: TeamState, sheet: TeamSheet, pool: Mapping[int, Player], rules: Rules, gameweek: int) -> Applied:
    """Apply a sheet to the team it was made for: the team after it, and the bill.

    ``pool`` is every player of the gameweek by id, with the price of the moment. The transfers are the difference
    between the sheet's fifteen and the state's, judged as one batch. Raises IllegalSheet naming every breach.
    """
    owned = {player.player_id: player for player in state.owned}
    chosen = sorted(set(sheet.player_ids))
    bought = [player for player in chosen if player not in owned]
    sold = [player for player in sorted(owned) if player not in chosen]
    bank_before = state.bank if owned else rules.budget
    sales = tuple(
        Trade(player_id=player, price=sale_price(owned[player].purchase_price, pool[player].price))
        for player in sold
        if player in pool
    )
    purchases = tuple(Trade(player_id=player, price=pool[player].price) for player in bought if player in pool)
    income = sum(trade.price for trade in sales)
    outlay = sum(trade.price for trade in purchases)

    breaches = (
        *_squad_breaches(sheet, pool, rules, gameweek, sold),
        *_lineup_breaches(sheet, pool),
        *_club_breaches(sheet, pool, rules, bought),
        *_money_breaches(state, bank_before, income, purchases, outlay),
        *_chip_breaches(state, sheet.chip, rules, gameweek),
        *_cap_breaches(state, sheet.chip, rules, gameweek, bought),
    )
    if breaches:
        raise IllegalSheet(breaches)

    free = _transfers_are_free(state, sheet.chip, rules, gameweek)
    paid = 0 if free else max(0, len(bought) - state.free_transfers)
    free_transfers = free_transfers_after(state, sheet.chip, len(bought), rules, gameweek)
    chips_played = (*state.chips_played, *([ChipPlay(chip=sheet.chip, gameweek=gameweek)] if sheet.chip else ()))
    bank_after = bank_before + income - outlay
    if sheet.chip == "free_hit":
        squad_after, permanent_bank = state.owned, state.bank
    else:
        squad_after, permanent_bank = _squad_after(owned, chosen, pool), bank_after
    return Applied(
        state_after=TeamState(
            owned=squad_after, bank=permanent_bank, free_transfers=free_transfers, chips_played=chips_played
        ),
        bill=Bill(
            sold=sales,
            bought=purchases,
            paid_transfers=paid,
            hit_points=paid * rules.hit_cost,
            bank_before=bank_before,
            bank_after=bank_after,
            free_transfers_before=state.free_transfers,
            free_transfers_after=free_transfers,
        ),
    )


def sale_price(purchase: Tenths, now: Tenths) -> Tenths:
    """What a player sells for: half of a rise, rounded down to a tenth; all of a fall is lost."""
    return purchase + (now - purchase) // 2 if now > purchase else now


def free_transfers_after(state: TeamState, chip: Chip | None, made: int, rules: Rules, gameweek: int) -> int:
    """Free transfers for the gameweek after ``gameweek``, in which ``made`` transfers were made.

    One is added each week up to the cap. A wildcard or free hit keeps what there was and adds none (or, in older
    seasons, leaves one). A team that has just entered has one. A top-up overrides all of it. A gameweek of unlimited
    transfers counts as any other: moves nobody pays for use up what was saved.
    """
    if gameweek + 1 in rules.top_ups:
        return rules.top_ups[gameweek + 1]
    if not state.owned:
        return 1
    if chip in FREE_TRANSFER_CHIPS:
        return state.free_transfers if rules.free_transfers_after_chip == "kept" else 1
    return min(rules.free_transfer_cap, max(0, state.free_transfers - made) + 1)


def chips_left(state: TeamState, rules: Rules, gameweek: int) -> tuple[ChipWindow, ...]:
    """The chip windows that can still be used in ``gameweek`` or later."""
    return tuple(window for window in _unused(state, rules) if window.last >= gameweek)


def chips_playable(state: TeamState, rules: Rules, gameweek: int) -> tuple[Chip, ...]:
    """The chips that are legal in ``gameweek``."""
    return tuple(chip for chip in CHIPS if not tuple(_chip_breaches(state, chip, rules, gameweek)))


def _squad_after(
    owned: Mapping[int, OwnedPlayer], chosen: Iterable[int], pool: Mapping[int, Player]
) -> tuple[OwnedPlayer, ...]:
    """The fifteen in order of id; who stays keeps the price once paid for him."""
    return tuple(
        owned[player] if player in owned else OwnedPlayer(player_id=player, purchase_price=pool[player].price)
        for player in chosen
    )


def _transfers_are_free(state: TeamState, chip: Chip | None, rules: Rules, gameweek: int) -> bool:
    return not state.owned or chip in FREE_TRANSFER_CHIPS or gameweek in rules.unlimited_gameweeks


def _unused(state: TeamState, rules: Rules) -> tuple[ChipWindow, ...]:
    """The copies of chips not played yet. Of several copies that fit a play, it used the one that is lost first."""
    unused = list(rules.chips)
    for play in state.chips_played:
        fitting = [window for window in unused if _fits(window, play.chip, play.gameweek)]
        if fitting:
            unused.remove(min(fitting, key=lambda window: (window.last, window.first)))
    return tuple(unused)


def _fits(window: ChipWindow, chip: Chip, gameweek: int) -> bool:
    return window.chip == chip and window.first <= gameweek <= window.last


def _squad_breaches(
    sheet: TeamSheet, pool: Mapping[int, Player], rules: Rules, gameweek: int, sold: Iterable[int]
) -> Iterator[Breach]:
    substitutes = rules.squad_size - STARTERS
    if (len(sheet.starting), len(sheet.bench)) != (STARTERS, substitutes):
        yield Breach(
            code="squad_size",
            sentence=f"A sheet has {STARTERS} starters and {substitutes} on the bench; "
            f"this one has {len(sheet.starting)} and {len(sheet.bench)}.",
        )
    named = Counter(sheet.player_ids)
    for player, times in named.items():
        if times > 1:
            yield Breach(
                code="duplicate_player",
                sentence=f"{_name(player, pool)} is named {times} times.",
                players=(player,),
            )
    unknown = tuple(player for player in named if player not in pool)
    for player in unknown:
        yield Breach(
            code="unknown_player",
            sentence=f"There is no player with id {player} in gameweek {gameweek}.",
            players=(player,),
        )
    for player in sold:
        if player not in pool:
            yield Breach(
                code="unknown_player",
                sentence=f"Player {player} is owned but has no price in the facts of gameweek {gameweek}, "
                f"so he cannot be sold.",
                players=(player,),
            )
    counts = Counter(pool[player].position for player in named if player in pool)
    for position, wanted in rules.squad.items():
        # With unknown players a shortage cannot be judged: they may be the missing ones.
        if counts[position] > wanted or (counts[position] < wanted and not unknown):
            yield Breach(
                code="squad_shape",
                sentence=f"A squad has {wanted} {_PLURAL[position]}; this one has {counts[position]}.",
                players=tuple(p for p in named if p in pool and pool[p].position == position),
            )


def _lineup_breaches(sheet: TeamSheet, pool: Mapping[int, Player]) -> Iterator[Breach]:
    starting = [player for player in dict.fromkeys(sheet.starting) if player in pool]
    complete = len(starting) == STARTERS
    counts = Counter(pool[player].position for player in starting)
    for position in POSITIONS:
        fewest, most = FORMATION[position]
        if counts[position] > most or (counts[position] < fewest and complete):
            span = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            yield Breach(
                code="formation",
                sentence=f"The starting eleven has {span} {_PLURAL[position]}; this one has {counts[position]}.",
                players=tuple(player for player in starting if pool[player].position == position),
            )
    if sheet.bench and sheet.bench[0] in pool and pool[sheet.bench[0]].position != "GK":
        yield Breach(
            code="bench_order",
            sentence=f"The goalkeeper is first on the bench; here it is {_name(sheet.bench[0], pool)}.",
            players=(sheet.bench[0],),
        )
    if sheet.captain not in sheet.starting:
        yield Breach(
            code="captain_not_starting",
            sentence=f"The captain, {_name(sheet.captain, pool)}, is not in the starting eleven.",
            players=(sheet.captain,),
        )
    if sheet.vice_captain not in sheet.starting:
        yield Breach(
            code="vice_not_starting",
            sentence=f"The vice captain, {_name(sheet.vice_captain, pool)}, is not in the starting eleven.",
            players=(sheet.vice_captain,),
        )
    if sheet.captain == sheet.vice_captain:
        yield Breach(
            code="captain_is_vice",
            sentence=f"{_name(sheet.captain, pool)} is both captain and vice captain.",
            players=(sheet.captain,),
        )


def _club_breaches(
    sheet: TeamSheet, pool: Mapping[int, Player], rules: Rules, bought: Iterable[int]
) -> Iterator[Breach]:
    """Judged on the squad after the batch, for the clubs bought from: a real transfer can leave four, legally."""
    squad = [player for player in dict.fromkeys(sheet.player_ids) if player in pool]
    for club in dict.fromkeys(pool[player].club for player in bought if player in pool):
        members = tuple(player for player in squad if pool[player].club == club)
        if len(members) > rules.club_limit:
            yield Breach(
                code="club_limit",
                sentence=f"{len(members)} players are of {club}, {rules.club_limit} are allowed: "
                f"{', '.join(_name(player, pool) for player in members)}.",
                players=members,
            )


def _money_breaches(
    state: TeamState, bank: Tenths, income: Tenths, purchases: tuple[Trade, ...], outlay: Tenths
) -> Iterator[Breach]:
    there_is = bank + income
    if outlay > there_is:
        what = "The players bought cost" if state.owned else "The squad costs"
        whence = f": {_money(bank)} in the bank and {_money(income)} from sales" if state.owned else ""
        yield Breach(
            code="over_budget",
            sentence=f"{what} {_money(outlay)}, {_money(outlay - there_is)} more than there is{whence}.",
            players=tuple(trade.player_id for trade in purchases),
        )


def _chip_breaches(state: TeamState, chip: Chip | None, rules: Rules, gameweek: int) -> Iterator[Breach]:
    if chip is None:
        return
    name = chip.replace("_", " ")
    fitting = [window for window in rules.chips if _fits(window, chip, gameweek)]
    if gameweek in rules.gameweeks_without_chips:
        yield Breach(
            code="chip_not_in_window",
            sentence=f"No chip can be played in gameweek {gameweek}, in which there is no match.",
        )
    elif not fitting:
        windows = (window for window in rules.chips if window.chip == chip)
        spans = " and ".join(f"{window.first}-{window.last}" for window in windows) or "none"
        yield Breach(
            code="chip_not_in_window",
            sentence=f"The {name} cannot be played in gameweek {gameweek} (its gameweeks: {spans}).",
        )
    elif not any(_fits(window, chip, gameweek) for window in _unused(state, rules)):
        spans = " and ".join(f"{window.first}-{window.last}" for window in fitting)
        yield Breach(
            code="chip_unavailable",
            sentence=f"The {name} of gameweeks {spans} has been played already.",
        )
    elif not state.owned and chip in FREE_TRANSFER_CHIPS:
        yield Breach(
            code="chip_unavailable",
            sentence=f"The {name} cannot be played with an opening squad, whose transfers are free anyway.",
        )
    if chip == "free_hit" and any(play.chip == chip and play.gameweek == gameweek - 1 for play in state.chips_played):
        yield Breach(
            code="free_hit_consecutive",
            sentence=f"A free hit was played in gameweek {gameweek - 1}; never two in consecutive gameweeks.",
        )


def _cap_breaches(
    state: TeamState, chip: Chip | None, rules: Rules, gameweek: int, bought: list[int]
) -> Iterator[Breach]:
    if len(bought) > rules.transfers_cap and not _transfers_are_free(state, chip, rules, gameweek):
        yield Breach(
            code="transfers_cap",
            sentence=f"{len(bought)} transfers are more than the {rules.transfers_cap} allowed "
            f"without a wildcard or free hit.",
            players=tuple(bought),
        )


def _name(player: int, pool: Mapping[int, Player]) -> str:
    return f"{pool[player].web_name} ({player})" if player in pool else f"player {player}"


def _money(tenths: Tenths) -> str:
    return f"{tenths // 10}.{tenths % 10}"
