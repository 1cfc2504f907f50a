"""What a match is worth, on figures of real matches; the whole archive is scored again in the backroom's tests."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backroom_pipeline.fpl.model import MatchPerformance, SeasonFacts, Stats
from backroom_pipeline.fpl.rules import load_rules, seasons
from backroom_pipeline.fpl.scoring import (
    Scoring,
    UnknownScoring,
    bonus_of_match,
    bonus_points,
    match_points,
    points_breakdown,
)

NOW = load_rules("2025-26").scoring
BEFORE = load_rules("2023-24").scoring


@pytest.mark.parametrize(
    ("position", "stats", "points"),
    [
        pytest.param("DEF", Stats(minutes=59), 1, id="R10-59-minutes-of-a-double"),
        pytest.param("DEF", Stats(minutes=20), 1, id="R10-20-minutes-of-the-same-double"),
        pytest.param("DEF", Stats(minutes=60), 2, id="60-minutes"),
        pytest.param("DEF", Stats(minutes=0), 0, id="R11-the-missed-match-of-a-double"),
        pytest.param("DEF", Stats(minutes=90, conceded=2, defensive_contribution=8), 1, id="R11-the-other-match"),
        pytest.param("GK", Stats(minutes=90, conceded=1, yellow_cards=1, saves=2), 1, id="R10-Petrovic-first-match"),
        pytest.param("GK", Stats(minutes=90, conceded=2, saves=2), 1, id="R10-Petrovic-second-match"),
        pytest.param("DEF", Stats(minutes=90, goals=1, conceded=5), 6, id="R10-Richards-first-match"),
        pytest.param("DEF", Stats(minutes=90, conceded=5), 0, id="R10-Richards-second-match"),
        pytest.param("DEF", Stats(minutes=90, conceded=3, own_goals=1), -1, id="B23-own-goal-Pau"),
        pytest.param("DEF", Stats(minutes=68, conceded=4, own_goals=1, red_cards=1), -5, id="B23-own-goal-and-red"),
        pytest.param("DEF", Stats(minutes=65, clean_sheets=1, red_cards=1), 3, id="red-card-after-a-clean-sheet-Konsa"),
        pytest.param("FWD", Stats(yellow_cards=1), -1, id="a-card-from-the-bench-Barnes"),
        pytest.param("MID", Stats(minutes=90, conceded=4, penalties_missed=1), 0, id="penalty-missed-Semenyo"),
        pytest.param(
            "GK",
            Stats(minutes=90, clean_sheets=1, penalties_saved=1, saves=3, bonus=2),
            14,
            id="penalty-saved-Martinez",
        ),
        pytest.param(
            "DEF",
            Stats(minutes=90, assists=1, clean_sheets=1, bonus=3, defensive_contribution=9),
            12,
            id="nine-are-too-few-Gabriel",
        ),
        pytest.param(
            "DEF",
            Stats(minutes=90, clean_sheets=1, bonus=1, defensive_contribution=10),
            9,
            id="ten-of-a-defender-Gabriel",
        ),
        pytest.param("MID", Stats(minutes=90, conceded=2, defensive_contribution=11), 2, id="eleven-are-too-few-Rice"),
        pytest.param(
            "MID", Stats(minutes=90, clean_sheets=1, bonus=2, defensive_contribution=12), 7, id="twelve-of-a-midfielder"
        ),
        pytest.param(
            "FWD", Stats(minutes=90, clean_sheets=1, defensive_contribution=15), 4, id="twelve-of-a-forward-Thiago"
        ),
        pytest.param("GK", Stats(minutes=90, defensive_contribution=20), 2, id="never-of-a-goalkeeper"),
    ],
)
def test_a_match_is_worth_what_the_official_game_gave(position, stats, points) -> None:
    assert match_points(stats, position, NOW) == points


def test_thresholds_of_a_double_hold_match_by_match_not_for_the_sum() -> None:  # CASES R10
    halves = (Stats(minutes=59, saves=2, conceded=1), Stats(minutes=20, saves=2, conceded=2))
    both = Stats(minutes=79, saves=4, conceded=3)
    assert sum(match_points(half, "GK", NOW) for half in halves) == 1 + 1 - 1
    assert match_points(both, "GK", NOW) == 2 + 1 - 1


def test_a_goalkeepers_goal_is_ten_points_from_2024_25_on_and_was_six_before() -> None:
    alisson = Stats(minutes=90, goals=1, conceded=1, saves=2, bonus=2)  # 2020/21, gameweek 36: officially 10
    assert match_points(alisson, "GK", load_rules("2020-21").scoring) == 10
    assert {season: load_rules(season).scoring.goals["GK"] for season in seasons()} == {
        "2020-21": 6,
        "2021-22": 6,
        "2022-23": 6,
        "2023-24": 6,
        "2024-25": 10,
        "2025-26": 10,
        "2026-27": 10,
    }


def test_defensive_contributions_count_from_2025_26_on() -> None:
    hard_work = Stats(minutes=90, conceded=1, defensive_contribution=14)
    worth = {season: match_points(hard_work, "DEF", load_rules(season).scoring) for season in seasons()}
    assert worth == {season: 4 if season >= "2025-26" else 2 for season in seasons()}


def test_the_breakdown_names_what_gave_points_and_nothing_else() -> None:
    konsa = Stats(minutes=65, clean_sheets=1, red_cards=1, defensive_contribution=3)
    assert points_breakdown(konsa, "DEF", NOW) == (("minutes", 2), ("clean_sheets", 4), ("red_cards", -3))
    assert points_breakdown(Stats(), "DEF", NOW) == ()


@pytest.mark.parametrize(
    ("bps", "bonus"),
    [
        pytest.param([30, 30, 30, 24], [3, 3, 3, 0], id="R19-fixture-323-of-2025-26"),
        pytest.param([28, 26, 17, 17, 17, 17, 16], [3, 2, 1, 1, 1, 1, 0], id="R19-fixture-359-of-2025-26"),
        pytest.param([45, 31, 31, 27], [3, 2, 2, 0], id="a-tie-for-second-takes-the-third-place"),
        pytest.param([43, 43, 38, 38, 34], [3, 3, 1, 1, 0], id="a-tie-for-first-takes-the-second-place"),
        pytest.param([5, -1, -3], [3, 2, 1], id="below-zero"),
    ],
)
def test_r19_bonus_goes_by_competition_rank(bps, bonus) -> None:
    awarded = bonus_points(dict(enumerate(bps)), NOW)
    assert [awarded.get(player, 0) for player in range(len(bps))] == bonus


def test_bonus_is_for_those_who_were_on_the_pitch() -> None:
    def row(player: int, minutes: int, bps: int) -> MatchPerformance:
        stats = Stats(matches=1, minutes=minutes, bps=bps)
        return MatchPerformance(player_id=player, fixture_id=1, points=0, minutes=minutes, stats=stats)

    match = [row(1, 0, 0), row(2, 90, -4), row(3, 90, -5), row(4, 0, 0)]
    assert bonus_of_match(match, NOW) == {2: 3, 3: 2}


@given(bps=st.dictionaries(st.integers(1, 40), st.integers(-25, 80), max_size=30))
def test_bonus_follows_bps_and_nothing_else(bps) -> None:
    awarded = bonus_points(bps, NOW)
    for player, bonus in awarded.items():
        better = sum(other > bps[player] for other in bps.values())
        assert bonus == NOW.bonus[better]
    assert all(sum(other > bps[player] for other in bps.values()) >= 3 for player in bps if player not in awarded)


FOUR = ("GKP", "DEF", "MID", "FWD")
STATED = {
    "long_play": 2,
    "short_play": 1,
    "goals_scored": dict(zip(FOUR, (9, 6, 5, 4), strict=True)),
    "clean_sheets": dict(zip(FOUR, (4, 4, 1, 0), strict=True)) | {"MNG": 0},
    "goals_conceded": dict(zip(FOUR, (-1, -1, 0, 0), strict=True)),
    "assists": 4,
    "bonus": 1,
    "special_multiplier": 1,
    "defensive_contribution": dict(zip(FOUR, (0, 3, 2, 2), strict=True)),
    "mng_win": dict.fromkeys(FOUR, 0) | {"MNG": 6},
    "tackles": 0,
}


def test_what_a_source_states_is_followed_and_the_rest_stays() -> None:
    scoring = NOW.with_stated(json.dumps(STATED))
    changed = {name for name in Scoring.model_fields if getattr(scoring, name) != getattr(NOW, name)}
    assert changed == {"goals", "assists", "defensive_contribution"}
    assert (scoring.goals["GK"], scoring.assists) == (9, 4)
    assert match_points(Stats(minutes=60, conceded=1, defensive_contribution=10), "DEF", scoring) == 2 + 3
    assert NOW.with_stated("") is NOW


@pytest.mark.parametrize(
    ("scoring", "stated", "sentence"),
    [
        (NOW, {**STATED, "tackles": 1}, "gives points for tackles"),
        (NOW, {**STATED, "recoveries": dict.fromkeys(FOUR, 0) | {"MID": 1}}, "gives points for recoveries"),
        (BEFORE, STATED, "gives points for defensive contribution"),
        (NOW, {**STATED, "goals_scored": 5}, "states goals scored as 5, not by position"),
        (NOW, {**STATED, "goals_scored": {"DEF": 6}}, "not by position"),
        (NOW, {**STATED, "assists": dict.fromkeys(FOUR, 3)}, "cannot be used"),
        (NOW, {**STATED, "assists": 3.5}, "cannot be read"),
    ],
)
def test_a_scoring_that_cannot_be_followed_is_refused(scoring, stated, sentence) -> None:
    with pytest.raises(UnknownScoring, match=sentence):
        scoring.with_stated(json.dumps(stated))


def test_a_scoring_table_that_is_not_json_is_refused() -> None:
    with pytest.raises(UnknownScoring, match="cannot be read"):
        NOW.with_stated("The game is being updated.")


def test_rules_take_scoring_and_windows_from_the_source() -> None:
    rules = load_rules("2025-26")
    facts = SeasonFacts(
        season="2025-26",
        gameweeks=(1,),
        clubs={},
        chips=rules.chips[:1],
        scoring_json=json.dumps(STATED),
        source="test",
    )
    stated = rules.as_stated(facts)
    assert (stated.chips, stated.scoring.assists) == (rules.chips[:1], 4)
    assert rules.as_stated(facts.model_copy(update={"chips": (), "scoring_json": ""})) == rules
