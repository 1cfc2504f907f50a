"""A real team's 2025/26, replayed sheet by sheet: the official game's own bank, value, hits and transfers."""

from __future__ import annotations

import pytest

from backroom_pipeline.fpl.lineup import gameweek_performances, score_lineup
from backroom_pipeline.fpl.model import Applied, OwnedPlayer, TeamState
from backroom_pipeline.fpl.rules import FREE_TRANSFER_CHIPS, Rules, load_rules
from backroom_pipeline.fpl.squad import apply_sheet, free_transfers_after, sale_price
from backroom_pipeline_tests.fpl.real_team import CHIP_NAMES, SEASONS, OfficialGameweek, RealSeason

ENTERED = (OwnedPlayer(player_id=1, purchase_price=50),)


@pytest.fixture(scope="module")
def season(real_season) -> RealSeason:
    return real_season("2025-26")


@pytest.fixture(scope="module")
def replayed(season: RealSeason) -> list[tuple[OfficialGameweek, TeamState, Applied]]:
    """Each gameweek with the state it was applied to and what became of it."""
    rules = load_rules("2025-26")
    weeks: list[tuple[OfficialGameweek, TeamState, Applied]] = []
    state = TeamState()
    for official in season.gameweeks:
        applied = apply_sheet(state, official.sheet, season.pool_as_traded(official.gameweek), rules, official.gameweek)
        weeks.append((official, state, applied))
        state = applied.state_after
    return weeks


def test_bank_hits_and_counted_transfers_are_the_official_ones_in_all_38_gameweeks(replayed) -> None:
    assert [
        (
            official.gameweek,
            applied.state_after.bank,
            applied.bill.hit_points,
            counted_transfers(official, before, applied),
        )
        for official, before, applied in replayed
    ] == [(week.gameweek, week.bank, week.hit_points, week.transfers) for week, _, _ in replayed]


def counted_transfers(official: OfficialGameweek, before: TeamState, applied: Applied) -> int:
    """As the official game counts them: none for an opening squad, a wildcard or a free hit (case R13)."""
    return 0 if official.sheet.chip in FREE_TRANSFER_CHIPS or not before.owned else len(applied.bill.bought)


def test_points_net_of_hits_add_up_to_the_official_total(season, replayed) -> None:
    total = 0
    for official, _, applied in replayed:
        performances = gameweek_performances(season.performances[official.gameweek])
        total += score_lineup(official.sheet, performances, season.positions).points - applied.bill.hit_points
        assert total == season.official_total(official.gameweek), f"gameweek {official.gameweek}"
    assert len(replayed) == 38


def test_r12_official_team_value_is_market_prices_at_the_deadline_plus_the_permanent_bank(season, replayed) -> None:
    for official, _, applied in replayed:
        pool = season.pool(official.gameweek)
        after = applied.state_after
        assert sum(pool[o.player_id].price for o in after.owned) + after.bank == official.value, official.gameweek


def test_r12_b1_both_free_hits_gave_back_the_team_and_its_bank(replayed) -> None:
    free_hits = [(before, applied) for official, before, applied in replayed if official.sheet.chip == "free_hit"]
    assert [applied.state_after.bank for _, applied in free_hits] == [12, 6]
    for before, applied in free_hits:
        assert (applied.state_after.owned, applied.state_after.bank) == (before.owned, before.bank)
        assert applied.state_after.free_transfers == before.free_transfers


def test_r12_a_free_hit_leaves_its_own_bank_bar_what_changing_ones_mind_cost(season, replayed) -> None:
    """Gameweek 19 left 0.1: player 295 was sold for 4.6 and bought back at 4.8. A sheet has no such detours."""
    left_by_list = {}
    for gameweek in (19, 33):
        rows = [row for row in season.transfers if row["event"] == gameweek]
        bank = replayed[gameweek - 1][2].bill.bank_before
        left_by_list[gameweek] = bank + sum(row["element_out_cost"] - row["element_in_cost"] for row in rows)
    assert left_by_list == {19: 1, 33: 36}
    assert [replayed[gameweek - 1][2].bill.bank_after for gameweek in (19, 33)] == [1 + 48 - 46, 36]


def test_r13_the_transfer_list_of_a_free_hit_week_is_not_what_the_team_owns_afterwards(season, replayed) -> None:
    rows = [row for row in season.transfers if row["event"] == 19]
    assert len(rows) == 30
    assert len({row["element_in"] for row in rows} & {row["element_out"] for row in rows}) == 14
    official, before, applied = replayed[18]
    carried_out = set(before.player_ids)
    for row in rows:
        carried_out = carried_out - {row["element_out"]} | {row["element_in"]}
    assert carried_out == set(official.sheet.player_ids) != set(applied.state_after.player_ids)
    assert (official.transfers, applied.bill.hit_points) == (0, 0)


def test_every_player_was_sold_for_the_price_the_official_game_paid(season, replayed) -> None:
    """Compared where the same player was sold once in the gameweek and not bought in it."""
    compared = 0
    for official, before, applied in replayed:
        rows = [row for row in season.transfers if row["event"] == official.gameweek]
        paid = {row["element_out"]: row["element_out_cost"] for row in rows}
        bought_too = {row["element_in"] for row in rows}
        for trade in applied.bill.sold:
            if trade.player_id not in bought_too:
                assert trade.price == paid[trade.player_id], (official.gameweek, trade.player_id)
                purchase = next(o.purchase_price for o in before.owned if o.player_id == trade.player_id)
                market = season.pool_as_traded(official.gameweek)[trade.player_id].price
                assert trade.price == sale_price(purchase, market)
                compared += 1
    assert compared > 60


@pytest.mark.parametrize("season_name", SEASONS)
def test_r14_hits_of_the_real_team_follow_from_its_free_transfers(real_season, season_name) -> None:
    assert hit_errors(real_season(season_name), load_rules(season_name)) == []


def test_r15_the_world_cup_gameweek_was_unlimited_and_no_api_said_so(real_season) -> None:
    """2022/23: cap of two, a chip leaves one free transfer; nine transfers in gameweek 17 cost nothing."""
    real = real_season("2022-23")
    rules = load_rules("2022-23")
    assert (real.gameweeks[16].transfers, real.gameweeks[16].hit_points) == (9, 0)
    assert 17 in hit_errors(real, rules.model_copy(update={"unlimited_gameweeks": ()}))
    assert hit_errors(real, rules) == []


def hit_errors(real: RealSeason, rules: Rules) -> list[int]:
    """The gameweeks in which the official hit is not what the free-transfer counter says."""
    wrong: list[int] = []
    state = TeamState()
    for week in real.gameweeks:
        chip = CHIP_NAMES.get(real.chips.get(week.gameweek, ""))
        free = not state.owned or chip in FREE_TRANSFER_CHIPS or week.gameweek in rules.unlimited_gameweeks
        paid = 0 if free else max(0, week.transfers - state.free_transfers)
        if paid * rules.hit_cost != week.hit_points:
            wrong.append(week.gameweek)
        left = free_transfers_after(state, chip, week.transfers, rules, week.gameweek)
        state = TeamState(owned=ENTERED, free_transfers=left)
    return wrong
