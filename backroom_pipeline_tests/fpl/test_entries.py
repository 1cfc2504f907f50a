"""Case R14: the free-transfer counter explains every hit of 51 real teams of 2025/26."""

from __future__ import annotations

from typing import Any

from backroom_pipeline.fpl.model import OwnedPlayer, TeamState
from backroom_pipeline.fpl.rules import FREE_TRANSFER_CHIPS, Rules
from backroom_pipeline.fpl.squad import free_transfers_after
from backroom_pipeline_tests.fpl.real_team import CHIP_NAMES

ENTERED = (OwnedPlayer(player_id=1, purchase_price=50),)


def hit_errors(entries: list[dict[str, Any]], rules: Rules) -> tuple[int, int]:
    """Team gameweeks in which the counter does not give the official hit cost, of how many."""
    wrong = total = 0
    for entry in entries:
        chips = {chip["event"]: CHIP_NAMES[chip["name"]] for chip in entry["chips"]}
        state = TeamState()
        for week in entry["current"]:
            gameweek, made = week["event"], week["event_transfers"]
            chip = chips.get(gameweek)
            free = not state.owned or chip in FREE_TRANSFER_CHIPS
            paid = 0 if free else max(0, made - state.free_transfers)
            wrong += paid * rules.hit_cost != week["event_transfers_cost"]
            total += 1
            state = TeamState(owned=ENTERED, free_transfers=free_transfers_after(state, chip, made, rules, gameweek))
    return wrong, total


def test_r14_the_counter_gives_every_official_hit_of_51_teams_in_38_gameweeks(entries, rules) -> None:
    assert hit_errors(entries, rules) == (0, 51 * 38)


def test_r14_without_the_top_up_for_gameweek_16_it_would_not(entries, rules) -> None:
    wrong, _ = hit_errors(entries, rules.model_copy(update={"top_ups": {}}))
    assert wrong == 63


def test_resetting_the_counter_after_a_chip_would_not_either(entries, rules) -> None:
    wrong, _ = hit_errors(entries, rules.model_copy(update={"free_transfers_after_chip": "reset"}))
    assert wrong > 0
