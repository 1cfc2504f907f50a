"""The season files: every value has a source and agrees with what the official game said."""

from __future__ import annotations

import json

import pytest
import yaml
from pydantic import ValidationError

from backroom_pipeline.fpl import rules as rules_module
from backroom_pipeline.fpl.model import ChipWindow
from backroom_pipeline.fpl.rules import Rules, SourcedValue, UnknownSeason, load_rules, seasons
from backroom_pipeline.fpl.scoring import Scoring
from backroom_pipeline_tests.fpl.real_team import CHIP_NAMES, ELEMENT_TYPES


@pytest.mark.parametrize("season", ["2024-25", "2025-26"])
def test_the_season_file_agrees_with_the_official_bootstrap(season, real_season) -> None:
    rules = load_rules(season)
    bootstrap = real_season(season).bootstrap
    settings = bootstrap["game_settings"]

    assert rules.last_gameweek == bootstrap["events"][-1]["id"]
    assert rules.budget == settings["squad_total_spend"]
    assert rules.club_limit == settings["squad_team_limit"]
    assert rules.squad_size == settings["squad_squadsize"]
    assert rules.transfers_cap == settings["transfers_cap"]
    assert rules.free_transfer_cap == settings["max_extra_free_transfers"] + 1
    assert rules.squad == {
        ELEMENT_TYPES[kind["id"]]: kind["squad_select"]
        for kind in bootstrap["element_types"]
        if kind["id"] in ELEMENT_TYPES
    }
    official = [
        ChipWindow(chip=CHIP_NAMES[chip["name"]], first=chip["start_event"], last=chip["stop_event"])
        for chip in bootstrap["chips"]
        if chip["name"] in CHIP_NAMES
    ]
    assert rules.with_windows(official) == rules


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
    ],
)
def test_windows_outside_the_season_or_over_each_other_are_refused(rules, windows) -> None:
    with pytest.raises(ValidationError, match="wildcard"):
        rules.with_windows(windows)
