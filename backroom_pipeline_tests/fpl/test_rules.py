"""The season files: every value has a source and agrees with what the official game said."""

from __future__ import annotations

import json

import pytest
import yaml
from pydantic import ValidationError

from backroom_pipeline.fpl import rules as rules_module
from backroom_pipeline.fpl.model import CHIPS, ChipPlay, ChipWindow, OwnedPlayer, TeamState
from backroom_pipeline.fpl.rules import Rules, SourcedValue, UnknownSeason, load_rules, seasons
from backroom_pipeline.fpl.scoring import Scoring
from backroom_pipeline.fpl.squad import chips_left, chips_playable, free_transfers_after
from backroom_pipeline_tests.fpl.real_team import CHIP_NAMES, ELEMENT_TYPES, SEASONS


@pytest.mark.parametrize("season", SEASONS)
def test_the_season_file_agrees_with_the_official_bootstrap(season, real_season) -> None:
    rules = load_rules(season)
    bootstrap = real_season(season).bootstrap
    settings = bootstrap["game_settings"]

    assert rules.last_gameweek == bootstrap["events"][-1]["id"]
    assert rules.budget == settings["squad_total_spend"]
    assert rules.club_limit == settings["squad_team_limit"]
    assert rules.squad_size == settings["squad_squadsize"]
    assert rules.transfers_cap == settings["transfers_cap"]
    # Stated from 2024/25 on; before, one transfer could be saved.
    assert rules.free_transfer_cap == settings.get("max_extra_free_transfers", 1) + 1
    assert rules.squad == {
        ELEMENT_TYPES[kind["id"]]: kind["squad_select"]
        for kind in bootstrap["element_types"]
        if kind["id"] in ELEMENT_TYPES
    }
    official = [
        ChipWindow(chip=CHIP_NAMES[chip["name"]], first=chip["start_event"], last=chip["stop_event"])
        for chip in bootstrap.get("chips", ())
        if chip["name"] in CHIP_NAMES
    ]
    assert rules.with_windows(official) == rules
    stated = bootstrap.get("game_config", {}).get("scoring")
    assert rules.scoring.with_stated(json.dumps(stated) if stated else "") == rules.scoring


@pytest.mark.parametrize("season", SEASONS)
def test_millions_of_teams_played_their_chips_in_these_windows_only(season, real_season) -> None:
    """The bootstrap counts how many teams played each chip in each gameweek: none outside its windows."""
    rules = load_rules(season)
    open_in = {
        (window.chip, gameweek)
        for window in rules.chips
        for gameweek in range(window.first, window.last + 1)
        if gameweek not in rules.gameweeks_without_chips
    }
    played = {
        (CHIP_NAMES[play["chip_name"]], event["id"])
        for event in real_season(season).bootstrap["events"]
        for play in event["chip_plays"]
        if play["num_played"] and play["chip_name"] in CHIP_NAMES
    }
    assert played == open_in


@pytest.mark.parametrize("season", SEASONS)
def test_the_real_team_never_played_a_chip_that_was_not_left(season, real_season) -> None:
    """Covers the second free hit of 2021/22, which most teams had beside the first for a while."""
    state = TeamState(owned=(OwnedPlayer(player_id=1, purchase_price=40),))
    rules = load_rules(season)
    for gameweek, name in sorted(real_season(season).chips.items()):
        if name in CHIP_NAMES:
            assert CHIP_NAMES[name] in chips_playable(state, rules, gameweek), gameweek
            played = (*state.chips_played, ChipPlay(chip=CHIP_NAMES[name], gameweek=gameweek))
            state = state.model_copy(update={"chips_played": played})


def test_free_transfers_are_saved_up_to_two_and_lost_under_a_chip_until_2024_25_then_up_to_five_and_kept() -> None:
    saving = {
        season: (load_rules(season).free_transfer_cap, load_rules(season).free_transfers_after_chip)
        for season in seasons()
    }
    assert saving == {season: (5, "kept") if season >= "2024-25" else (2, "reset") for season in seasons()}


def test_the_second_free_hit_of_2021_22_came_in_gameweek_20_and_the_first_was_kept() -> None:
    rules = load_rules("2021-22")

    def left(*gameweeks: int, at: int) -> list[tuple[int, int]]:
        plays = tuple(ChipPlay(chip="free_hit", gameweek=gameweek) for gameweek in gameweeks)
        windows = chips_left(TeamState(chips_played=plays), rules, at)
        return [(window.first, window.last) for window in windows if window.chip == "free_hit"]

    assert left(at=19) == left(at=25) == [(2, 38), (20, 38)]
    assert left(19, at=26) == [(20, 38)]
    assert left(22, at=26) == [(20, 38)]
    assert left(22, 26, at=30) == []
    owned = (OwnedPlayer(player_id=1, purchase_price=40),)
    once = TeamState(owned=owned, chips_played=(ChipPlay(chip="free_hit", gameweek=15),))
    assert "free_hit" not in chips_playable(once, rules, 19)
    assert "free_hit" in chips_playable(once, rules, 20)


def test_no_chip_counted_in_the_gameweek_without_a_match() -> None:
    """2022/23, gameweek 7: every match postponed, chips given back."""
    owned = TeamState(owned=(OwnedPlayer(player_id=1, purchase_price=40),))
    rules = load_rules("2022-23")
    assert chips_playable(owned, rules, 7) == ()
    assert set(chips_playable(owned, rules, 8)) == set(CHIPS)


@pytest.mark.parametrize(
    ("saved", "made", "next_week"),
    [(1, 0, 2), (1, 9, 1), (2, 0, 2), (2, 1, 2), (2, 2, 1)],
)
def test_r15_unlimited_transfers_of_the_world_cup_use_up_saved_ones(saved, made, next_week) -> None:
    state = TeamState(owned=(OwnedPlayer(player_id=1, purchase_price=40),), free_transfers=saved)
    assert free_transfers_after(state, None, made, load_rules("2022-23"), 17) == next_week


def test_a_season_nobody_wrote_down_is_named_with_what_to_do() -> None:
    with pytest.raises(UnknownSeason, match=r"'1999-00'.*2025-26.*source for every value"):
        load_rules("1999-00")


@pytest.mark.parametrize("season", seasons())
def test_every_value_of_a_season_file_names_its_source(season) -> None:
    path = rules_module.resources.files("backroom_pipeline.fpl") / "seasons" / f"{season}.yaml"
    lines = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert {"season", *lines} == set(Rules.model_fields)
    scoring = lines.pop("scoring")
    assert set(scoring) == set(Scoring.model_fields)
    assert all(len(line["source"]) > 10 for line in (*lines.values(), *scoring.values()))


def test_a_value_without_a_source_is_refused() -> None:
    with pytest.raises(ValidationError, match="source"):
        SourcedValue.model_validate_json(json.dumps({"value": 4}))


def test_windows_of_a_source_replace_the_written_ones_and_none_keep_them(rules) -> None:
    stated = (ChipWindow(chip="wildcard", first=20, last=38), ChipWindow(chip="wildcard", first=2, last=19))
    assert rules.with_windows(stated).chips == stated[::-1]
    assert rules.with_windows(()) is rules


@pytest.mark.parametrize(
    "windows",
    [
        (ChipWindow(chip="wildcard", first=2, last=39),),
        (ChipWindow(chip="wildcard", first=9, last=8),),
        (ChipWindow(chip="wildcard", first=2, last=20), ChipWindow(chip="wildcard", first=20, last=38)),
        (ChipWindow(chip="wildcard", first=2, last=38), ChipWindow(chip="wildcard", first=5, last=20)),
    ],
)
def test_windows_outside_the_season_or_over_each_other_are_refused(rules, windows) -> None:
    with pytest.raises(ValidationError, match="wildcard"):
        rules.with_windows(windows)
