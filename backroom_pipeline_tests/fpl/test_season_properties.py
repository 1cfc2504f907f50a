"""What holds in every season, real or made up: random teams, random transfers, sheets legal and illegal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom_pipeline.fpl.lineup import FORMATION, automatic_substitutions
from backroom_pipeline.fpl.model import (
    POSITIONS,
    Applied,
    Breach,
    Chip,
    IllegalSheet,
    Player,
    TeamSheet,
    TeamState,
)
from backroom_pipeline.fpl.rules import FREE_TRANSFER_CHIPS, Rules, load_rules, seasons
from backroom_pipeline.fpl.squad import apply_sheet, free_transfers_after, sale_price
from backroom_pipeline_tests.fpl.squads import OPENING
from backroom_pipeline_tests.fpl.test_properties import BY_POSITION, POOL, is_legal, markets, sheets

CHIPS_OR_NONE = st.sampled_from([None, None, None, "wildcard", "free_hit", "bench_boost", "triple_captain"])


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """The rules of a real season, or ones that no season had yet."""
    real = load_rules(draw(st.sampled_from(seasons())))
    if draw(st.booleans()):
        return real
    cap = draw(st.integers(1, 7))
    gameweeks = st.integers(2, 38)
    return real.model_copy(
        update={
            "free_transfer_cap": cap,
            "free_transfers_after_chip": draw(st.sampled_from(["kept", "reset"])),
            "top_ups": draw(st.dictionaries(gameweeks, st.integers(0, cap), max_size=3)),
            "unlimited_gameweeks": tuple(draw(st.lists(gameweeks, max_size=2, unique=True))),
            "hit_cost": draw(st.integers(1, 8)),
            "transfers_cap": draw(st.integers(0, 20)),
            "club_limit": draw(st.integers(1, 5)),
        }
    )


@dataclass(frozen=True)
class PlayedWeek:
    """A legal gameweek: the team before it, what was handed in, and what became of it."""

    rules: Rules
    gameweek: int
    market: dict[int, Player]
    before: TeamState
    sheet: TeamSheet
    applied: Applied


@st.composite
def played_seasons(draw: st.DrawFn) -> list[PlayedWeek]:
    """Some gameweeks of one team: an opening squad, then a few swaps a week in a moving market."""
    rules = draw(any_rules())
    first = draw(st.integers(1, 32))
    weeks: list[PlayedWeek] = []
    state, sheet, market = TeamState(), OPENING, POOL
    kept = OPENING
    for gameweek in range(first, first + draw(st.integers(2, 6))):
        try:
            applied = apply_sheet(state, sheet, market, rules, gameweek)
        except IllegalSheet:
            sheet = kept  # nobody comes or goes: legal whatever the market does
            applied = apply_sheet(state, sheet, market, rules, gameweek)
        weeks.append(PlayedWeek(rules, gameweek, market, state, sheet, applied))
        state = applied.state_after
        if sheet.chip != "free_hit":
            kept = sheet.model_copy(update={"chip": None})
        market = draw(markets())
        sheet = draw(swaps(kept, max_swaps=6)).model_copy(update={"chip": draw(CHIPS_OR_NONE)})
    return weeks


@st.composite
def swaps(draw: st.DrawFn, sheet: TeamSheet, max_swaps: int) -> TeamSheet:
    """The sheet with up to so many players exchanged for others of their position."""
    leaving = draw(st.lists(st.sampled_from(sheet.player_ids), max_size=max_swaps, unique=True))
    return with_swaps(sheet, draw(replacements(sheet, leaving)))


def replacements(sheet: TeamSheet, leaving: list[int]) -> st.SearchStrategy[list[tuple[int, int]]]:
    """A newcomer of the same position for each who leaves, all of them different."""

    def outsiders(player: int) -> list[int]:
        return [other for other in BY_POSITION[POOL[player].position] if other not in sheet.player_ids]

    choices = st.tuples(*(st.sampled_from(outsiders(player)) for player in leaving))
    distinct = choices.filter(lambda chosen: len(set(chosen)) == len(chosen))
    return distinct.map(lambda chosen: list(zip(leaving, chosen, strict=True)))


def with_swaps(sheet: TeamSheet, pairs: list[tuple[int, int]]) -> TeamSheet:
    for out, came_in in pairs:
        place = {out: came_in}
        sheet = TeamSheet(
            starting=tuple(place.get(player, player) for player in sheet.starting),
            bench=tuple(place.get(player, player) for player in sheet.bench),
            captain=place.get(sheet.captain, sheet.captain),
            vice_captain=place.get(sheet.vice_captain, sheet.vice_captain),
            chip=sheet.chip,
        )
    return sheet


@given(played_seasons())
def test_no_money_appears_or_is_lost_from_week_to_week(weeks: list[PlayedWeek]) -> None:
    for week in weeks:
        bill, after = week.applied.bill, week.applied.state_after
        paid = {owned.player_id: owned.purchase_price for owned in week.before.owned}
        assert bill.bank_before == (week.before.bank if week.before.owned else week.rules.budget)
        assert bill.bank_after == bill.bank_before + sum(t.price for t in bill.sold) - sum(t.price for t in bill.bought)
        assert min(bill.bank_after, after.bank) >= 0
        assert all(t.price == sale_price(paid[t.player_id], week.market[t.player_id].price) for t in bill.sold)
        for owned in after.owned:  # who stays keeps his purchase price, who comes has the market's
            assert owned.purchase_price == paid.get(owned.player_id, week.market[owned.player_id].price)


@given(st.integers(38, 150), st.integers(30, 160))
def test_a_sale_keeps_half_of_a_rise_and_none_of_a_fall(bought_at: int, now: int) -> None:
    sold_at = sale_price(bought_at, now)
    if now <= bought_at:
        assert sold_at == now
    else:
        assert 2 * (sold_at - bought_at) in (now - bought_at, now - bought_at - 1)


@given(played_seasons())
def test_the_counter_is_never_below_zero_nor_above_the_cap_and_only_the_excess_is_paid(
    weeks: list[PlayedWeek],
) -> None:
    for week in weeks:
        bill, rules = week.applied.bill, week.rules
        made = len(bill.bought)
        assert 0 <= bill.free_transfers_after <= rules.free_transfer_cap
        assert bill.free_transfers_after == week.applied.state_after.free_transfers
        free = (
            not week.before.owned
            or week.sheet.chip in FREE_TRANSFER_CHIPS
            or week.gameweek in rules.unlimited_gameweeks
        )
        assert bill.paid_transfers == (0 if free else max(0, made - week.before.free_transfers))
        assert bill.hit_points == rules.hit_cost * bill.paid_transfers
        assert free or made <= rules.transfers_cap


@given(any_rules(), st.integers(1, 37), st.integers(0, 7), st.integers(0, 25), CHIPS_OR_NONE)
def test_saving_is_never_worse_and_a_transfer_never_costs_more_than_one(
    rules: Rules, gameweek: int, saved: int, made: int, chip: Chip | None
) -> None:
    def left(saved: int, made: int) -> int:
        state = TeamState(owned=ENTERED.owned, free_transfers=min(saved, rules.free_transfer_cap))
        return free_transfers_after(state, chip, made, rules, gameweek)

    assert 0 <= left(saved, made) <= rules.free_transfer_cap
    assert left(saved, made) <= left(saved + 1, made)
    assert left(saved, made + 1) <= left(saved, made) <= left(saved, made + 1) + 1


ENTERED = apply_sheet(TeamState(), OPENING, POOL, load_rules("2025-26"), 1).state_after


@given(played_seasons(), markets(), st.data())
def test_a_free_hit_gives_back_squad_prices_and_bank_exactly(
    weeks: list[PlayedWeek], market: dict[int, Player], data: st.DataObject
) -> None:
    rules = weeks[-1].rules
    state = weeks[-1].applied.state_after
    sheet = data.draw(sheets(st.just("free_hit")))
    gameweek = min(weeks[-1].gameweek + 2, rules.last_gameweek)
    try:
        applied = apply_sheet(state, sheet, market, rules, gameweek)
    except IllegalSheet:
        return
    after = applied.state_after
    assert (after.owned, after.bank) == (state.owned, state.bank)
    assert after.chips_played[:-1] == state.chips_played
    assert applied.bill.hit_points == 0
    expected = 1 if rules.free_transfers_after_chip == "reset" else state.free_transfers
    assert after.free_transfers == rules.top_ups.get(gameweek + 1, expected)


@given(any_rules(), markets(), st.data())
def test_a_batch_of_swaps_in_any_order_is_one_answer(
    rules: Rules, market: dict[int, Player], data: st.DataObject
) -> None:
    """Also where a swap on its own could not be paid for, or would have four of a club for a moment (B6)."""
    leaving = data.draw(st.lists(st.sampled_from(OPENING.player_ids), min_size=1, max_size=6, unique=True))
    pairs = data.draw(replacements(OPENING, leaving))
    outcomes: list[object] = []
    for order in (pairs, data.draw(st.permutations(pairs))):
        owned = data.draw(st.permutations(ENTERED.owned))
        pool = dict(data.draw(st.permutations(list(market.items()))))
        state = ENTERED.model_copy(update={"owned": tuple(owned)})
        try:
            outcomes.append(apply_sheet(state, with_swaps(OPENING, list(order)), pool, rules, 9))
        except IllegalSheet as illegal:
            outcomes.append(sorted((breach.code, breach.sentence) for breach in illegal.breaches))
    assert outcomes[0] == outcomes[1]


@given(any_rules(), sheets(), sheets(), markets(), st.integers(1, 38))
def test_a_sheet_is_refused_exactly_when_a_rule_is_broken(
    rules: Rules, opening: TeamSheet, sheet: TeamSheet, market: dict[int, Player], gameweek: int
) -> None:
    for state in (TeamState(), ENTERED):
        for candidate in (sheet, opening.model_copy(update={"chip": sheet.chip})):
            try:
                apply_sheet(state, candidate, market, rules, gameweek)
                breaches: tuple[Breach, ...] = ()
            except IllegalSheet as illegal:
                breaches = illegal.breaches
            assert all(breach.sentence.endswith(".") for breach in breaches)
            assert bool(breaches) == any(broken(state, candidate, market, rules, gameweek))


def broken(state: TeamState, sheet: TeamSheet, pool: dict[int, Player], rules: Rules, gameweek: int) -> Iterator[bool]:
    """The rule book once more, for sheets of the right shape and in the plainest words."""
    owned = {one.player_id: one.purchase_price for one in state.owned}
    bought = [player for player in sheet.player_ids if player not in owned]
    sold = [player for player in owned if player not in sheet.player_ids]
    clubs = Counter(pool[player].club for player in sheet.player_ids)
    yield any(clubs[pool[player].club] > rules.club_limit for player in bought)
    money = (state.bank if owned else rules.budget) + sum(sale_price(owned[p], pool[p].price) for p in sold)
    yield sum(pool[player].price for player in bought) > money
    free = not owned or sheet.chip in FREE_TRANSFER_CHIPS or gameweek in rules.unlimited_gameweeks
    yield not free and len(bought) > rules.transfers_cap
    if sheet.chip:
        yield not any(w.chip == sheet.chip and w.first <= gameweek <= w.last for w in rules.chips)
        yield gameweek in rules.gameweeks_without_chips
        yield not owned and sheet.chip in FREE_TRANSFER_CHIPS


def benched_captain(sheet: TeamSheet) -> TeamSheet:
    return sheet.model_copy(update={"captain": sheet.bench[1]})


def benched_vice(sheet: TeamSheet) -> TeamSheet:
    return sheet.model_copy(update={"vice_captain": sheet.bench[2]})


def one_armband(sheet: TeamSheet) -> TeamSheet:
    return sheet.model_copy(update={"vice_captain": sheet.captain})


def goalkeeper_last(sheet: TeamSheet) -> TeamSheet:
    return sheet.model_copy(update={"bench": (*sheet.bench[1:], sheet.bench[0])})


def two_goalkeepers(sheet: TeamSheet) -> TeamSheet:
    out = next(player for player in sheet.starting if POOL[player].position != "GK" and player != sheet.captain)
    starting = tuple(sheet.bench[0] if player == out else player for player in sheet.starting)
    return sheet.model_copy(update={"starting": starting, "bench": (out, *sheet.bench[1:])})


def nobody_by_that_id(sheet: TeamSheet) -> TeamSheet:
    return sheet.model_copy(update={"bench": (*sheet.bench[:3], 9999)})


def the_same_twice(sheet: TeamSheet) -> TeamSheet:
    return sheet.model_copy(update={"bench": (*sheet.bench[:3], sheet.starting[5])})


def fourteen(sheet: TeamSheet) -> TeamSheet:
    return sheet.model_copy(update={"bench": sheet.bench[:3]})


def a_sixth_defender(sheet: TeamSheet) -> TeamSheet:
    out = next(p for p in (*sheet.bench, *sheet.starting) if POOL[p].position == "MID")
    another = next(p for p in BY_POSITION["DEF"] if p not in sheet.player_ids)
    return with_swaps(sheet, [(out, another)])


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (benched_captain, "captain_not_starting"),
        (benched_vice, "vice_not_starting"),
        (one_armband, "captain_is_vice"),
        (goalkeeper_last, "bench_order"),
        (two_goalkeepers, "formation"),
        (nobody_by_that_id, "unknown_player"),
        (the_same_twice, "duplicate_player"),
        (fourteen, "squad_size"),
        (a_sixth_defender, "squad_shape"),
    ],
)
@settings(max_examples=30)
@given(rules=any_rules(), sheet=sheets(st.none()), market=markets(), entered=st.booleans())
def test_a_spoiled_sheet_is_refused_for_its_fault_in_every_season(
    spoil: Callable[[TeamSheet], TeamSheet],
    code: str,
    rules: Rules,
    sheet: TeamSheet,
    market: dict[int, Player],
    entered: bool,
) -> None:
    with pytest.raises(IllegalSheet) as refused:
        apply_sheet(ENTERED if entered else TeamState(), spoil(sheet), market, rules, 9)
    assert code in {breach.code for breach in refused.value.breaches}


@given(sheets(st.none()), st.data())
def test_where_eleven_who_played_can_stand_in_the_same_formation_they_do(sheet: TeamSheet, data: st.DataObject) -> None:
    """A gap whose own position is on the bench, and played, never stays a gap."""
    played = frozenset(data.draw(st.sets(st.sampled_from(sheet.player_ids))))
    positions = {player: POOL[player].position for player in sheet.player_ids}
    substitutions = automatic_substitutions(sheet, played, positions)
    eleven = {*sheet.starting} - {s.out for s in substitutions} | {s.came_in for s in substitutions}
    assert is_legal(eleven, positions)
    for position in POSITIONS:
        fewest, _ = FORMATION[position]
        gaps = [player for player in eleven - played if positions[player] == position]
        waiting = [p for p in sheet.bench if p in played and p not in eleven and positions[p] == position]
        assert not (gaps and waiting)
        # A gap is left to keep the minimum, or because nobody who played is left to come in.
        if gaps and position != "GK" and any(p in played and p not in eleven for p in sheet.bench[1:]):
            assert sum(positions[player] == position for player in eleven) == fewest
