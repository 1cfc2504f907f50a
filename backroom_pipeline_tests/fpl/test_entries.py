"""Case R14: the free-transfer counter explains every hit of 51 real teams of 2025/26."""

from __future__ import annotations

from typing import Any

from backroom_pipeline.backroom.verification.free_transfers import HitVerification, verify_hits
from backroom_pipeline.backroom.verification.payloads import read_histories
from backroom_pipeline.fpl.rules import Rules

Histories = list[dict[str, Any]]


def verified(entries: Histories, rules: Rules) -> HitVerification:
    return verify_hits(read_histories(entries), rules)


def test_r14_the_counter_gives_every_official_hit_of_51_teams_in_38_gameweeks(entries: Histories, rules: Rules) -> None:
    found = verified(entries, rules)
    assert (found.entries, found.gameweeks, found.hit_cost_equal) == (51, 51 * 38, 51 * 38)


def test_r14_without_the_top_up_for_gameweek_16_it_would_not(entries: Histories, rules: Rules) -> None:
    assert len(verified(entries, rules.model_copy(update={"top_ups": {}})).mismatches) == 63


def test_resetting_the_counter_after_a_chip_would_not_either(entries: Histories, rules: Rules) -> None:
    assert verified(entries, rules.model_copy(update={"free_transfers_after_chip": "reset"})).mismatches
