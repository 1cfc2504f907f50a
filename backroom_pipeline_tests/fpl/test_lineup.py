"""Automatic substitutions, the armband and chips, on gameweeks whose official answer is known (cases R1 to R11)."""

from __future__ import annotations

import pytest

from backroom_pipeline.fpl.lineup import gameweek_performances, score_lineup
from backroom_pipeline.fpl.model import LineupScore, MatchPerformance, Performance, Position, Stats, TeamSheet
from backroom_pipeline_tests.fpl.real_team import SEASONS

LETTERS: dict[str, Position] = {"G": "GK", "D": "DEF", "M": "MID", "F": "FWD"}


def score(starting: str, bench: str, captain: int, vice_captain: int, chip=None) -> LineupScore:
    """Score players written ``id:position/minutes/points``."""
    performances: dict[int, Performance] = {}
    positions: dict[int, Position] = {}

    def read(players: str) -> tuple[int, ...]:
        ids: list[int] = []
        for player in players.split():
            id, rest = player.split(":")
            letter, minutes, points = rest.split("/")
            ids.append(int(id))
            positions[int(id)] = LETTERS[letter]
            performances[int(id)] = Performance(points=int(points), minutes=int(minutes), played=int(minutes) > 0)
        return tuple(ids)

    sheet = TeamSheet(starting=read(starting), bench=read(bench), captain=captain, vice_captain=vice_captain, chip=chip)
    return score_lineup(sheet, performances, positions)


def pairs(score: LineupScore) -> list[tuple[int, int]]:
    return [(substitution.out, substitution.came_in) for substitution in score.substitutions]


def test_r1_the_formation_blocks_the_first_man_on_the_bench() -> None:
    scored = score(
        "199:G/90/2 237:D/90/4 168:D/90/6 470:D/0/0 233:M/90/10 55:M/90/2 359:M/87/10 289:M/89/8 109:F/90/9 "
        "263:F/60/12 307:F/90/6",
        "1:G/90/1 75:M/72/2 10:D/90/0 241:D/0/0",
        captain=359,
        vice_captain=289,
    )
    assert pairs(scored) == [(470, 10)]
    assert (scored.points, scored.bench_points) == (79, 3)


def test_r5_the_vice_captain_takes_the_armband_and_gaps_are_filled_from_the_back() -> None:
    scored = score(
        "383:G/90/1 495:D/90/3 36:D/31/1 350:D/90/1 335:D/0/0 328:M/0/0 99:M/90/13 514:M/90/12 182:M/90/18 "
        "136:M/88/2 617:F/73/2",
        "445:G/0/0 148:F/20/1 533:D/85/4 306:F/90/12",
        captain=328,
        vice_captain=514,
    )
    assert pairs(scored) == [(335, 148), (328, 533)]
    assert (scored.points, scored.bench_points) == (70, 12)
    assert scored.captain == 514
    assert [scored.multipliers[id] for id in (514, 328, 306)] == [2, 0, 0]


@pytest.mark.parametrize(
    ("season", "gameweek", "substitutions", "points", "bench_points"),
    [
        pytest.param("2021-22", 3, [(470, 10)], 79, 3, id="R1-formation-blocks-first-bench-man"),
        pytest.param("2020-21", 5, [(127, 152)], 69, 3, id="R2-second-gap-stays-open"),
        pytest.param("2020-21", 4, [(112, 12), (104, 395), (457, 501)], 66, 9, id="R3-goalkeeper-and-two-others"),
        pytest.param("2020-21", 37, [(279, 211)], 46, 1, id="R4-reserve-goalkeeper-did-not-play-either"),
        pytest.param("2024-25", 15, [(335, 148), (328, 533)], 70, 12, id="R5-vice-captain-doubled"),
        pytest.param("2020-21", 16, [(389, 589), (276, 449)], 38, 0, id="R6-nobody-doubled"),
        pytest.param("2025-26", 18, [], 62, 0, id="R7-bench-boost-counts-all-fifteen-once"),
        pytest.param("2023-24", 35, [], 76, 0, id="R7-bench-boost-of-another-season"),
        pytest.param("2022-23", 7, [], 0, 0, id="R8-every-match-postponed"),
    ],
)
def test_a_known_gameweek_is_scored_as_the_official_game_did(
    real_season, season, gameweek, substitutions, points, bench_points
) -> None:
    real = real_season(season)
    official = real.gameweeks[gameweek - 1]
    scored = score_lineup(official.sheet, gameweek_performances(real.performances[gameweek]), real.positions)
    assert (pairs(scored), scored.points, scored.bench_points) == (substitutions, points, bench_points)
    assert (official.points, official.bench_points) == (points, bench_points)


def test_r6_nobody_wears_the_armband_when_captain_and_vice_did_not_play(real_season) -> None:
    real = real_season("2020-21")
    scored = score_lineup(real.gameweeks[15].sheet, gameweek_performances(real.performances[16]), real.positions)
    assert scored.captain is None
    assert max(scored.multipliers.values()) == 1


def test_r7_bench_boost_counts_a_captain_on_top_of_all_fifteen(real_season) -> None:
    real = real_season("2025-26")
    official = real.gameweeks[17]
    performances = gameweek_performances(real.performances[18])
    scored = score_lineup(official.sheet, performances, real.positions)
    assert scored.captain == 430
    assert scored.points == sum(performances[id].points for id in official.sheet.player_ids) + performances[430].points


@pytest.mark.parametrize("season", SEASONS)
def test_every_gameweek_of_a_real_season_is_scored_as_the_official_game_did(real_season, season) -> None:
    real = real_season(season)
    for official in real.gameweeks:
        scored = score_lineup(
            official.sheet, gameweek_performances(real.performances[official.gameweek]), real.positions
        )
        substitutions = () if official.sheet.chip == "bench_boost" else official.substitutions
        assert (scored.points, scored.bench_points, scored.substitutions) == (
            official.points,
            official.bench_points,
            substitutions,
        ), f"{season} gameweek {official.gameweek}"


@pytest.mark.parametrize(
    ("season", "gameweek", "player", "statistic", "matches", "points"),
    [
        pytest.param("2025-26", 33, 67, "saves", [2, 2], [1, 1], id="R10-four-saves-in-two-matches-are-no-point"),
        pytest.param("2024-25", 32, 194, "conceded", [5, 5], [6, 0], id="R10-two-for-each-five-conceded"),
        pytest.param("2025-26", 26, 635, "minutes", [59, 20], [1, 1], id="R10-79-minutes-in-two-matches"),
    ],
)
def test_r10_a_double_gameweek_is_the_sum_of_its_matches_not_points_for_summed_statistics(
    real_season, season, gameweek, player, statistic, matches, points
) -> None:
    rows = real_season(season).performances_of(player, gameweek)
    assert [getattr(row.stats, statistic) for row in rows] == matches
    assert [row.points for row in rows] == points
    assert gameweek_performances(rows)[player].points == sum(points)


def test_r11_a_player_who_missed_one_match_of_two_has_played(real_season) -> None:
    rows = real_season("2025-26").performances_of(6, 26)
    assert [(row.minutes, row.points) for row in rows] == [(0, 0), (90, 1)]
    assert gameweek_performances(rows)[6] == Performance(points=1, minutes=90, played=True)


@pytest.mark.parametrize("card", ["yellow_cards", "red_cards"])
def test_a_card_without_a_minute_is_having_played(card) -> None:
    stats = Stats(matches=1).model_copy(update={card: 1})
    booked = MatchPerformance(player_id=1, fixture_id=1, points=-1, minutes=0, stats=stats)
    unused = MatchPerformance(player_id=1, fixture_id=2, points=0, minutes=0, stats=Stats(matches=1))
    assert gameweek_performances([booked, unused])[1].played
    assert not gameweek_performances([unused])[1].played


def test_b24_a_triple_captain_who_did_not_play_hands_three_times_to_the_vice() -> None:
    scored = score(
        "1:G/90/2 2:D/90/2 3:D/90/2 4:D/90/2 5:M/90/2 6:M/90/2 7:M/90/2 8:M/90/7 9:F/0/0 10:F/90/2 11:F/90/2",
        "12:G/90/9 13:M/90/3 14:D/90/9 15:D/90/9",
        captain=9,
        vice_captain=8,
        chip="triple_captain",
    )
    assert scored.multipliers[8] == 3
    assert scored.points == 9 * 2 + 3 * 7 + 3


def test_a_player_without_a_performance_did_not_play() -> None:
    sheet = TeamSheet(starting=tuple(range(1, 12)), bench=(12, 13, 14, 15), captain=2, vice_captain=3)
    positions: dict[int, Position] = {
        **dict.fromkeys((1, 12), "GK"),
        **dict.fromkeys((2, 3, 4, 13, 14), "DEF"),
        **dict.fromkeys((5, 6, 7, 8, 15), "MID"),
        **dict.fromkeys((9, 10, 11), "FWD"),
    }
    scored = score_lineup(sheet, {}, positions)
    assert (scored.points, scored.substitutions, scored.captain) == (0, (), None)
