"""The league table and YOUR_FORM: the latest scores, ties by fewer transfers, nothing of the week to come."""

from __future__ import annotations

import pytest

from backroom_pipeline.fpl.model import ChipPlay, LineupScore, Substitution
from backroom_pipeline.ledger.facts import record_results
from backroom_pipeline.ledger.rows import ScoreRow
from backroom_pipeline.ledger.standings import (
    form,
    league_table,
    record_scores,
    scored_gameweeks,
    week_scores,
)
from backroom_pipeline.ledger.store import Ledger, LedgerConflict
from backroom_pipeline_tests.ledger.rows import SEASON, bill, play, results, scored


def places(ledger: Ledger, through: int | None = None) -> list[tuple[int, str, int]]:
    return [(row.rank, row.slug, row.points) for row in league_table(ledger, SEASON, through)]


def test_before_the_first_score_the_table_is_empty(ledger: Ledger) -> None:
    play(ledger, 1, {"opus": 60}, score=False)
    assert league_table(ledger, SEASON) == []
    assert scored_gameweeks(ledger, SEASON) == []


def test_points_are_net_of_hits_and_ranked_so(ledger: Ledger) -> None:
    play(ledger, 1, {"haiku": 58, "opus": 60, "sonnet": 50}, bills={"opus": bill(sold=(1, 2), paid=1)})
    table = league_table(ledger, SEASON)
    assert [(row.rank, row.slug, row.points, row.gross) for row in table] == [
        (1, "haiku", 58, 58),
        (2, "opus", 56, 60),
        (3, "sonnet", 50, 50),
    ]
    assert [(row.hits, row.hit_points, row.transfers) for row in table] == [(0, 0, 0), (1, 4, 2), (0, 0, 0)]


def test_of_equal_teams_the_one_with_fewer_transfers_is_higher(ledger: Ledger) -> None:
    play(ledger, 1, {"a": 50, "b": 50, "c": 50, "d": 40}, bills={"a": bill(sold=(1, 2)), "c": bill(sold=(1,))})
    assert places(ledger) == [(1, "b", 50), (2, "c", 50), (3, "a", 50), (4, "d", 40)]


def test_transfers_under_wildcard_and_free_hit_do_not_count(ledger: Ledger) -> None:
    many = bill(sold=range(1, 9))
    play(
        ledger,
        2,
        {"a": 50, "b": 50, "c": 50, "d": 50},
        bills={"a": many, "b": many, "c": many, "d": bill(sold=(1,))},
        chips={"a": "wildcard", "b": "free_hit", "c": "bench_boost"},
    )
    assert places(ledger) == [(1, "a", 50), (1, "b", 50), (3, "d", 50), (4, "c", 50)]
    assert [row.chips_played for row in league_table(ledger, SEASON)] == [
        (ChipPlay(chip="wildcard", gameweek=2),),
        (ChipPlay(chip="free_hit", gameweek=2),),
        (),
        (ChipPlay(chip="bench_boost", gameweek=2),),
    ]


def test_the_table_of_an_earlier_gameweek_can_be_asked_for(ledger: Ledger) -> None:
    play(ledger, 1, {"opus": 60, "haiku": 50})
    play(ledger, 2, {"opus": 30, "haiku": 70}, chips={"haiku": "wildcard"})
    play(ledger, 3, {"opus": 99, "haiku": 1}, score=False)
    assert places(ledger) == [(1, "haiku", 120), (2, "opus", 90)]
    assert [row.last_points for row in league_table(ledger, SEASON)] == [70, 30]
    assert places(ledger, through=1) == [(1, "opus", 60), (2, "haiku", 50)]
    assert league_table(ledger, SEASON, through=1)[1].chips_played == ()
    assert scored_gameweeks(ledger, SEASON) == [1, 2]
    assert league_table(ledger, "2024-25") == []


def test_a_restated_result_replaces_the_old_score_in_the_table(ledger: Ledger) -> None:
    play(ledger, 1, {"opus": 60, "haiku": 58})
    version = record_results(ledger, results(1, points=3))
    record_scores(ledger, [scored("opus", 1, 55, version), scored("haiku", 1, 58, version)])
    assert places(ledger) == [(1, "haiku", 58), (2, "opus", 55)]
    assert [score.points for score in week_scores(ledger, SEASON, 1)] == [58, 55]
    assert ledger.rows("SELECT count(*) AS n FROM scores") == [{"n": 4}]


def test_a_score_comes_back_as_it_was_and_twice_is_once(ledger: Ledger) -> None:
    lineup = LineupScore(
        points=71,
        bench_points=6,
        substitutions=(Substitution(out=10, came_in=12), Substitution(out=3, came_in=14)),
        captain=None,
        multipliers={12: 1, 3: 0, 7: 2},
    )
    score = ScoreRow.of(SEASON, 1, "opus", 1, lineup, hit_points=8)
    assert score.net_points == 63
    assert (record_scores(ledger, [score]), record_scores(ledger, [score])) == (1, 0)
    assert week_scores(ledger, SEASON, 1) == [score]


def test_a_score_does_not_change_under_its_scoring_version(ledger: Ledger) -> None:
    record_scores(ledger, [scored("opus", 1, 60)])
    with pytest.raises(LedgerConflict, match="opus has 60 net points in gameweek 1"):
        record_scores(ledger, [scored("haiku", 1, 50), scored("opus", 1, 61)])
    assert [score.manager for score in week_scores(ledger, SEASON, 1)] == ["opus"]


def test_a_net_score_that_does_not_add_up_is_refused(ledger: Ledger) -> None:
    with pytest.raises(LedgerConflict, match="CHECK"):
        record_scores(ledger, [scored("opus", 1, 60).model_copy(update={"net_points": 61})])


def test_form_shows_five_weeks_newest_first_and_counts_all(ledger: Ledger) -> None:
    for gameweek in range(1, 8):
        play(
            ledger,
            gameweek,
            {"opus": 40 + gameweek, "haiku": 44, "sonnet": 44},
            bills={"opus": bill(sold=(1, 2), paid=1)} if gameweek in (1, 7) else None,
            chips={"opus": "bench_boost"} if gameweek == 6 else None,
        )
    stands = form(ledger, SEASON, 8, "opus")
    assert [(week.gameweek, week.net_points, week.hit_points, week.chip) for week in stands.weeks] == [
        (7, 43, 4, None),
        (6, 46, 0, "bench_boost"),
        (5, 45, 0, None),
        (4, 44, 0, None),
        (3, 43, 0, None),
    ]
    assert (stands.played, stands.total, stands.rank, stands.of) == (7, 300, 3, 3)
    assert (stands.hits, stands.hit_cost) == (2, 8)
    assert stands.chips_played == (ChipPlay(chip="bench_boost", gameweek=6),)


def test_a_gameweek_in_which_a_team_was_carried_over_is_marked_in_table_and_form(ledger: Ledger) -> None:
    play(ledger, 1, {"opus": 60, "haiku": 50})
    play(ledger, 2, {"opus": 30, "haiku": 70}, carried_over=["opus"])
    play(ledger, 3, {"opus": 30, "haiku": 70}, carried_over=["opus"], score=False)
    table = {row.slug: row for row in league_table(ledger, SEASON)}
    assert (table["opus"].carried_over, table["haiku"].carried_over) == ((2,), ())
    assert (table["opus"].label, table["haiku"].label) == ("opus †", "haiku")
    assert (table["haiku"].footnote, table["opus"].footnote) == (
        None,
        "† opus could not decide in gameweek 2; its team was carried over as it was.",
    )
    weeks = form(ledger, SEASON, 4, "opus").weeks
    assert [(week.gameweek, week.carried_over) for week in weeks] == [(2, True), (1, False)]


def test_in_a_week_equal_scores_share_the_better_place(ledger: Ledger) -> None:
    play(ledger, 1, {"a": 50, "b": 50, "c": 40}, bills={"a": bill(sold=(1,))})
    assert {
        slug: (form(ledger, SEASON, 2, slug).weeks[0].rank, form(ledger, SEASON, 2, slug).weeks[0].of) for slug in "abc"
    } == {"a": (1, 3), "b": (1, 3), "c": (3, 3)}


def test_form_sees_nothing_of_its_own_gameweek_or_later(ledger: Ledger) -> None:
    play(ledger, 1, {"opus": 60, "haiku": 50})
    before = form(ledger, SEASON, 2, "opus")
    play(ledger, 2, {"opus": 10, "haiku": 90}, chips={"opus": "wildcard"})
    play(ledger, 3, {"opus": 10, "haiku": 90})
    assert form(ledger, SEASON, 2, "opus") == before
    assert (before.total, before.rank) == (60, 1)


def test_before_the_first_score_form_is_empty(ledger: Ledger) -> None:
    opening = form(ledger, SEASON, 1, "opus")
    assert (opening.played, opening.weeks, opening.total, opening.rank, opening.of) == (0, (), 0, None, 0)
