"""What a sheet does to a team and every rule it can break, on a made-up pool (cases B1 to B33)."""

from __future__ import annotations

import pytest

from backroom_pipeline.fpl.model import (
    ChipPlay,
    ChipWindow,
    IllegalSheet,
    OwnedPlayer,
    TeamSheet,
    TeamState,
    Trade,
)
from backroom_pipeline.fpl.squad import apply_sheet, chips_left, chips_playable, sale_price
from backroom_pipeline_tests.fpl.squads import OPENING, made_up_pool, repriced, swapped

POOL = made_up_pool()


@pytest.fixture
def opened(rules) -> TeamState:
    """The team after its opening week: fifteen players at 5.0 and 25.0 in the bank."""
    return apply_sheet(TeamState(), OPENING, POOL, rules, 1).state_after


def breach_codes(*args) -> list[str]:
    with pytest.raises(IllegalSheet) as illegal:
        apply_sheet(*args)
    return [breach.code for breach in illegal.value.breaches]


def playing(sheet: TeamSheet, chip) -> TeamSheet:
    return sheet.model_copy(update={"chip": chip})


@pytest.mark.parametrize(
    ("purchase", "now", "sale"),
    [(75, 78, 76), (50, 54, 52), (50, 53, 51), (50, 47, 47), (75, 73, 73), (60, 61, 60), (60, 60, 60)],
)
def test_b3_b24_half_of_a_rise_is_lost_rounded_down_and_all_of_a_fall(purchase, now, sale) -> None:
    assert sale_price(purchase, now) == sale


def test_an_opening_squad_is_free_and_leaves_one_free_transfer(rules) -> None:
    for gameweek in (1, 7):
        applied = apply_sheet(TeamState(), OPENING, POOL, rules, gameweek)
        assert (applied.bill.hit_points, applied.bill.paid_transfers) == (0, 0)
        assert (applied.bill.bank_before, applied.bill.bank_after) == (1000, 250)
        assert applied.state_after.free_transfers == 1
        assert [owned.player_id for owned in applied.state_after.owned] == sorted(OPENING.player_ids)


def test_an_opening_squad_is_paid_from_the_budget_of_the_rules(rules) -> None:
    poorer = rules.model_copy(update={"budget": 760})
    assert apply_sheet(TeamState(), OPENING, POOL, poorer, 1).bill.bank_after == 10


def test_b15_a_hit_costs_four_and_leaves_one_free_transfer(rules, opened) -> None:
    bill = apply_sheet(opened, swapped(OPENING, p305=316, p409=418), POOL, rules, 2).bill
    assert (bill.paid_transfers, bill.hit_points) == (1, 4)
    assert (bill.free_transfers_before, bill.free_transfers_after) == (1, 1)


def test_saved_transfers_grow_by_one_a_week_up_to_five(rules, opened) -> None:
    saved = []
    state = opened
    for gameweek in range(2, 9):
        state = apply_sheet(state, OPENING, POOL, rules, gameweek).state_after
        saved.append(state.free_transfers)
    assert saved == [2, 3, 4, 5, 5, 5, 5]


def test_everybody_has_five_free_transfers_for_gameweek_16_even_after_a_chip(rules, opened) -> None:
    for chip in (None, "wildcard", "free_hit"):
        sheet = playing(swapped(OPENING, p305=316), chip)
        assert apply_sheet(opened, sheet, POOL, rules, 15).state_after.free_transfers == 5
        assert apply_sheet(opened, sheet, POOL, rules, 14).state_after.free_transfers == 1
    assert apply_sheet(opened, OPENING, POOL, rules, 15).bill.free_transfers_before == 1


@pytest.mark.parametrize("chip", ["wildcard", "free_hit"])
def test_transfers_under_a_wildcard_or_free_hit_cost_nothing_and_keep_the_counter(rules, opened, chip) -> None:
    state = opened.model_copy(update={"free_transfers": 3})
    bill = apply_sheet(state, playing(swapped(OPENING, p305=316, p306=317, p409=418), chip), POOL, rules, 5).bill
    assert (len(bill.bought), bill.paid_transfers, bill.hit_points, bill.free_transfers_after) == (3, 0, 0, 3)


def test_b1_b8_a_free_hit_gives_back_squad_purchase_prices_and_bank(rules, opened) -> None:
    dearer = repriced(POOL, p305=60, p316=90)
    applied = apply_sheet(opened, playing(swapped(OPENING, p305=316), "free_hit"), dearer, rules, 5)
    assert applied.bill.sold == (Trade(player_id=305, price=55),)
    assert applied.bill.bank_after == 250 + 55 - 90
    assert applied.state_after.owned == opened.owned
    assert applied.state_after.bank == opened.bank
    assert applied.state_after.chips_played == (ChipPlay(chip="free_hit", gameweek=5),)
    week_after = apply_sheet(applied.state_after, OPENING, dearer, rules, 6)
    assert week_after.bill.bought == ()


def test_a_kept_player_keeps_his_purchase_price_under_a_wildcard(rules, opened) -> None:
    dearer = repriced(POOL, p306=80)
    after = apply_sheet(opened, playing(swapped(OPENING, p305=316), "wildcard"), dearer, rules, 5).state_after
    assert OwnedPlayer(player_id=306, purchase_price=50) in after.owned


def test_b6_two_swaps_that_are_only_legal_together_are_judged_together(rules, opened) -> None:
    """Either purchase alone breaks the budget or the shape, whatever the order."""
    pool = repriced(POOL, p316=290, p419=10)
    sheet = swapped(OPENING, p305=316, p409=419)
    assert apply_sheet(opened, sheet, pool, rules, 2).bill.bank_after == 250 + 50 + 50 - 290 - 10
    defender_for_midfielder = swapped(OPENING, p305=217)
    assert breach_codes(opened, defender_for_midfielder, POOL, rules, 2) == ["squad_shape", "squad_shape"]


def test_a_squad_beyond_its_means_is_told_by_how_much(rules, opened) -> None:
    with pytest.raises(IllegalSheet, match=r"The squad costs 101\.3, 1\.3 more than there is\."):
        apply_sheet(TeamState(), OPENING, repriced(POOL, p305=313), rules, 1)
    with pytest.raises(
        IllegalSheet, match=r"cost 31\.3, 1\.3 more than there is: 25\.0 in the bank and 5\.0 from sales"
    ):
        apply_sheet(opened, swapped(OPENING, p305=316), repriced(POOL, p316=313), rules, 2)


def test_every_breach_is_named_at_once(rules, opened) -> None:
    sheet = TeamSheet(
        starting=(101, 112, 202, 203, 305, 306, 307, 308, 409, 410, 411),
        bench=(213, 204, 315, 999),
        captain=213,
        vice_captain=213,
        chip="free_hit",
    )
    state = opened.model_copy(update={"chips_played": (ChipPlay(chip="free_hit", gameweek=4),)})
    assert breach_codes(state, sheet, POOL, rules, 5) == [
        "unknown_player",
        "formation",
        "formation",
        "bench_order",
        "captain_not_starting",
        "vice_not_starting",
        "captain_is_vice",
        "chip_unavailable",
        "free_hit_consecutive",
    ]


def test_breaches_name_players_by_name_and_id(rules) -> None:
    sheet = swapped(OPENING, p305=306)
    with pytest.raises(IllegalSheet) as illegal:
        apply_sheet(TeamState(), sheet, POOL, rules, 1)
    sentences = {breach.code: breach.sentence for breach in illegal.value.breaches}
    assert sentences["duplicate_player"] == "Player306 (306) is named 2 times."
    assert sentences["squad_shape"] == "A squad has 5 midfielders; this one has 4."


def test_a_sheet_of_the_wrong_size_is_a_breach_not_a_crash(rules) -> None:
    empty = TeamSheet(starting=(), bench=(), captain=1, vice_captain=2)
    assert breach_codes(TeamState(), empty, POOL, rules, 1) == [
        "squad_size",
        *["squad_shape"] * 4,
        "captain_not_starting",
        "vice_not_starting",
    ]


def moved(pool, club: str, *players: int):
    return {id: p.model_copy(update={"club": club}) if id in players else p for id, p in pool.items()}


def test_four_of_a_club_cannot_be_bought_but_can_be_left_by_a_real_transfer(rules, opened) -> None:
    four = moved(POOL, "C04", 306, 307, 308)  # with 305, who was there before
    assert breach_codes(TeamState(), OPENING, four, rules, 1) == ["club_limit"]
    assert apply_sheet(opened, OPENING, four, rules, 2).bill.bought == ()
    assert apply_sheet(opened, swapped(OPENING, p409=418), four, rules, 2).bill.hit_points == 0
    assert breach_codes(opened, swapped(OPENING, p306=316), moved(four, "C04", 316), rules, 2) == ["club_limit"]
    assert apply_sheet(opened, swapped(OPENING, p306=316), four, rules, 2).bill.hit_points == 0


def test_b33_the_cap_on_transfers_holds_only_without_a_wildcard_or_free_hit(rules, opened) -> None:
    capped = rules.model_copy(update={"transfers_cap": 2})
    three = swapped(OPENING, p305=316, p306=317, p409=418)
    assert breach_codes(opened, three, POOL, capped, 5) == ["transfers_cap"]
    for chip in ("wildcard", "free_hit"):
        assert apply_sheet(opened, playing(three, chip), POOL, capped, 5).bill.hit_points == 0
    assert apply_sheet(TeamState(), OPENING, POOL, capped, 5).bill.hit_points == 0


@pytest.mark.parametrize(
    ("chip", "gameweek", "played", "codes"),
    [
        ("wildcard", 1, [], ["chip_not_in_window"]),
        ("wildcard", 19, [("wildcard", 3)], ["chip_unavailable"]),
        ("wildcard", 20, [("wildcard", 3)], []),
        ("bench_boost", 38, [("bench_boost", 1), ("bench_boost", 20)], ["chip_unavailable"]),
        ("free_hit", 20, [("free_hit", 19)], ["free_hit_consecutive"]),
        ("free_hit", 21, [("free_hit", 19)], []),
        ("triple_captain", 19, [], []),
        ("wildcard", 20, [("free_hit", 19)], []),
    ],
)
def test_b25_a_chip_is_playable_once_in_each_window(rules, opened, chip, gameweek, played, codes) -> None:
    state = opened.model_copy(update={"chips_played": tuple(ChipPlay(chip=c, gameweek=g) for c, g in played)})
    assert (chip in chips_playable(state, rules, gameweek)) is (codes == [])
    if codes:
        assert breach_codes(state, playing(OPENING, chip), POOL, rules, gameweek) == codes
    else:
        assert apply_sheet(state, playing(OPENING, chip), POOL, rules, gameweek)


def test_an_opening_squad_has_no_use_for_a_wildcard_or_free_hit_even_for_a_late_entrant(rules) -> None:
    assert chips_playable(TeamState(), rules, 5) == ("bench_boost", "triple_captain")
    assert breach_codes(TeamState(), playing(OPENING, "free_hit"), POOL, rules, 5) == ["chip_unavailable"]


def test_b25_an_unused_chip_of_the_first_set_is_lost_and_the_second_set_stays(rules, opened) -> None:
    assert len(chips_left(opened, rules, 19)) == 8
    assert len(chips_left(opened, rules, 20)) == 4
    played = opened.model_copy(update={"chips_played": (ChipPlay(chip="wildcard", gameweek=4),)})
    assert ChipWindow(chip="wildcard", first=2, last=19) not in chips_left(played, rules, 5)
    assert ChipWindow(chip="wildcard", first=20, last=38) in chips_left(played, rules, 5)


def test_r15_in_a_gameweek_of_unlimited_transfers_nobody_pays(rules, opened) -> None:
    nine = swapped(OPENING, p202=216, p203=217, p204=218, p305=316, p306=317, p307=318, p308=319, p409=418, p410=419)
    assert apply_sheet(opened, nine, POOL, rules, 17).bill.hit_points == 32
    world_cup = rules.model_copy(update={"unlimited_gameweeks": (17,)})
    assert apply_sheet(opened, nine, POOL, world_cup, 17).bill.hit_points == 0


def test_a_player_who_left_the_facts_cannot_be_sold_unpriced(rules, opened) -> None:
    without = {id: player for id, player in POOL.items() if id != 305}
    with pytest.raises(IllegalSheet, match="305 is owned but has no price in the facts of gameweek 2"):
        apply_sheet(opened, swapped(OPENING, p305=316), without, rules, 2)


def test_b4_a_late_entrant_pays_the_price_of_the_day_it_enters(rules) -> None:
    risen = repriced(POOL, p305=58)
    owned = apply_sheet(TeamState(), OPENING, risen, rules, 9).state_after.owned
    assert OwnedPlayer(player_id=305, purchase_price=58) in owned


def test_b7_a_chip_without_a_transfer_is_played_and_changes_nobody(rules, opened) -> None:
    for chip in ("bench_boost", "free_hit", "wildcard"):
        applied = apply_sheet(opened, playing(OPENING, chip), POOL, rules, 5)
        assert (applied.bill.sold, applied.bill.bought, applied.bill.hit_points) == ((), (), 0)
        assert applied.state_after.owned == opened.owned
        assert applied.state_after.chips_played == (ChipPlay(chip=chip, gameweek=5),)


def test_b16_a_team_without_a_squad_may_buy_fifteen_at_once(rules) -> None:
    assert len(apply_sheet(TeamState(), OPENING, POOL, rules, 1).bill.bought) == 15


def test_b19_an_owned_player_is_sold_at_its_sale_price_and_not_at_the_market_price(rules, opened) -> None:
    dearer = repriced(POOL, p305=57)
    bill = apply_sheet(opened, swapped(OPENING, p305=316), dearer, rules, 2).bill
    assert bill.sold == (Trade(player_id=305, price=53),)
    assert bill.bank_after == 250 + 53 - 50
