"""The judge of typed promises is exact: it never differs from a plain second judge written from the rules."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom_pipeline.fpl.model import ChipPlay
from backroom_pipeline.memory.commitments import judge
from backroom_pipeline.memory.model import (
    AllOf,
    BuyPlayer,
    CaptainPlayer,
    Condition,
    FreeText,
    MaxTransfers,
    NoHits,
    PlayChipIn,
    SellPlayer,
)
from backroom_pipeline_tests.memory.decisions import OUTSIDER, STRIKER, STRIKER_2, decision, swapped
from backroom_pipeline_tests.memory.random_promises import KINDS, random_case, random_conditional_case
from backroom_pipeline_tests.memory.reference_judge import reference_verdict

PROMISES_PER_KIND = 300
"""Each is judged in every week in which its verdict may turn, five or six of them."""

RULED = {"kept", "broken", "not_applicable"}
VERDICTS_OF: dict[str, set[str]] = {
    **dict.fromkeys(KINDS, RULED),
    "free_text": {"unclear"},
    "all_of": RULED | {"unclear"},
}

thorough = settings(max_examples=PROMISES_PER_KIND, derandomize=True, database=None, deadline=None)


@pytest.mark.parametrize("kind", KINDS)
def test_every_verdict_is_the_one_the_rules_give(kind: str):
    verdicts: Counter[str] = Counter()
    edges: Counter[str] = Counter()

    @thorough
    @given(st.randoms(use_true_random=True))
    def the_two_judges_agree(rng: Random):
        case = random_case(rng, kind)
        for facts in case.decisions:
            expected = reference_verdict(case.terms, case.made_in, facts)
            assert judge(case.terms, case.made_in, facts) == expected, (case.made_in, case.terms, facts)
            verdicts[expected] += 1
            edges["the week it was made in"] += facts.gameweek == case.made_in
            edges["its first week"] += facts.gameweek == case.terms.first
            edges["its last week"] += facts.gameweek == case.terms.last
            edges["a chip last week"] += any(play.gameweek == facts.gameweek - 1 for play in facts.chips_played_before)
            edges["a chip this week"] += facts.chip is not None
            edges["the second half begins"] += facts.gameweek == 20

    the_two_judges_agree()
    assert set(verdicts) == VERDICTS_OF[kind]
    assert min(verdicts.values()) >= 10, f"Too few of a verdict to mean anything: {dict(verdicts)}."
    assert min(edges.values()) >= 20, f"Too few on an edge: {dict(edges)}."


def play(chip: Any, first: int, last: int, **rest: Any) -> PlayChipIn:
    return PlayChipIn(kind="play_chip_in", chip=chip, first=first, last=last, **rest)


def season(gameweek: int, chip: Any = None, **played: int):
    before = tuple(ChipPlay(chip=name, gameweek=week) for name, week in played.items())  # type: ignore[arg-type]
    return decision(gameweek, chip=chip, chips_played_before=before)


def both(*parts: Any, **rest: Any) -> AllOf:
    return AllOf(kind="all_of", parts=parts, **rest)


@pytest.mark.parametrize("field", sorted(Condition.model_fields))
def test_every_condition_binds_or_frees_exactly_where_it_holds(field: str):
    verdicts: Counter[str] = Counter()

    @thorough
    @given(st.randoms(use_true_random=True))
    def the_two_judges_agree(rng: Random):
        case = random_conditional_case(rng, field)
        for facts in case.decisions:
            expected = reference_verdict(case.terms, case.made_in, facts)
            assert judge(case.terms, case.made_in, facts) == expected, (case.made_in, case.terms, facts)
            verdicts[expected] += facts.gameweek >= case.made_in

    the_two_judges_agree()
    assert set(verdicts) == {"kept", "not_applicable"}
    assert min(verdicts.values()) >= 50, f"Too few of a verdict to mean anything: {dict(verdicts)}."


class TestChipsToBePlayed:
    def test_a_chip_spent_in_this_half_can_still_be_played_in_the_part_of_its_weeks_that_lies_in_the_next(self):
        promise = play("wildcard", 6, 25)
        assert judge(promise, 6, season(8, wildcard=2)) == "not_applicable"
        assert judge(promise, 6, season(19, wildcard=2)) == "not_applicable"
        assert judge(promise, 6, season(22, "wildcard")) == "kept"
        assert judge(promise, 6, season(25, wildcard=2)) == "broken"

    def test_played_in_its_weeks_it_is_discharged_for_the_next_half_too(self):
        promise = play("wildcard", 6, 25)
        assert judge(promise, 6, season(10, "wildcard")) == "kept"
        assert [judge(promise, 6, season(week, wildcard=10)) for week in (11, 22, 25)] == ["not_applicable"] * 3

    def test_any_chip_is_discharged_by_the_first(self):
        promise = play("any", 6, 8)
        assert judge(promise, 6, season(7, "free_hit")) == "kept"
        assert judge(promise, 6, season(8, "bench_boost", free_hit=7)) == "not_applicable"

    def test_any_chip_is_not_lost_with_one_that_went_early(self):
        promise = play("any", 13, 16)
        assert judge(promise, 6, season(10, "free_hit")) == "not_applicable"
        assert judge(promise, 6, season(13, free_hit=10)) == "not_applicable"
        assert judge(promise, 6, season(16, free_hit=10)) == "broken"
        none_left = dict.fromkeys(("free_hit", "bench_boost", "triple_captain"), 10)
        assert judge(promise, 6, season(12, "wildcard", **none_left)) == "broken"

    def test_the_player_concerned_is_the_captain_named_with_the_chip(self):
        promise = play("triple_captain", 8, 8, captain_id=STRIKER, only_if_fit=True)
        assert judge(promise, 6, decision(8)) == "broken"
        assert judge(promise, 6, decision(8, unavailable=[STRIKER])) == "not_applicable"


class TestSeveralWhoWouldDo:
    @pytest.mark.parametrize(
        ("out", "verdict"), [([STRIKER], "broken"), ([STRIKER_2], "broken"), ([STRIKER, STRIKER_2], "not_applicable")]
    )
    def test_a_choice_between_players_binds_while_one_of_them_is_fit(self, out: list[int], verdict: str):
        armband = CaptainPlayer(kind="captain_player", player_id=STRIKER, or_player_ids=(STRIKER_2,), only_if_fit=True)
        assert judge(armband, 1, decision(captain=5, unavailable=out)) == verdict


class TestHitsAndPurchases:
    def test_an_announced_hit_counts_against_the_limit_of_the_month_like_any_other(self):
        promise = NoHits(kind="no_hits", at_least_points=4, at_most_points=8, over_gameweeks=4)
        assert judge(promise, 1, decision(hit_points=4, hits_before={6: 4})) == "kept"
        assert judge(promise, 1, decision(hit_points=4, hits_before={6: 8})) == "broken"

    def test_a_conditional_purchase_is_due_in_the_week_the_condition_holds_as_a_sale_is(self):
        promise = BuyPlayer(kind="buy_player", player_id=OUTSIDER, when=Condition(player_out=STRIKER))
        assert judge(promise, 1, decision()) == "not_applicable"
        assert judge(promise, 1, decision(unavailable=[STRIKER])) == "broken"
        assert judge(promise, 1, swapped(out=5, into=OUTSIDER, unavailable=[STRIKER])) == "kept"


class TestWhatIsSaidOfTheWhole:
    def test_a_deadline_of_the_whole_is_the_deadline_of_its_parts(self):
        promise = both(
            SellPlayer(kind="sell_player", player_id=5), BuyPlayer(kind="buy_player", player_id=OUTSIDER), last=9
        )
        assert judge(promise, 5, decision(8)) == "not_applicable"
        assert judge(promise, 5, decision(9)) == "broken"
        assert judge(promise, 5, swapped(9, out=5, into=OUTSIDER)) == "kept"

    def test_a_chip_wasted_before_the_weeks_of_the_whole_breaks_it(self):
        promise = both(play("wildcard", 1, 38), play("bench_boost", 1, 38), first=12, last=15)
        assert judge(promise, 5, season(8, "wildcard")) == "broken"
        assert judge(promise, 5, season(8, "free_hit")) == "not_applicable"

    def test_a_part_whose_weeks_lie_outside_those_of_the_whole_never_binds(self):
        promise = both(play("wildcard", 12, 12), NoHits(kind="no_hits"), first=6, last=9)
        assert judge(promise, 5, season(7)) == "kept"
        assert judge(promise, 5, season(9, wildcard=7)) == "kept"

    def test_fitness_asked_of_the_whole_is_that_of_each_player(self):
        armband = CaptainPlayer(kind="captain_player", player_id=STRIKER)
        vice = CaptainPlayer(kind="captain_player", player_id=STRIKER_2, vice=True)
        promise = both(armband, vice, only_if_fit=True)
        assert judge(promise, 1, decision(captain=5, unavailable=[STRIKER])) == "kept"
        assert judge(promise, 1, decision(captain=5, vice_captain=6, unavailable=[STRIKER])) == "broken"
        assert judge(promise, 1, decision(captain=5, unavailable=[STRIKER, STRIKER_2])) == "not_applicable"

    def test_a_limit_for_the_wildcard_week_may_name_the_week_for_the_whole(self):
        limit = MaxTransfers(kind="max_transfers", limit=1)
        many = decision(bought=[2, 3], sold=[50, 51], chip="wildcard")
        assert judge(both(limit, limit), 1, many) == "not_applicable"
        assert judge(both(limit, limit, when=Condition(chip="wildcard")), 1, many) == "broken"
        fit = limit.model_copy(update={"when": Condition(player_fit=STRIKER)})
        assert judge(both(fit, fit, when=Condition(chip="wildcard")), 1, many) == "broken"

    def test_opinions_together_are_an_opinion_in_every_week(self):
        opinion = FreeText(kind="free_text")
        assert judge(both(opinion, opinion, first=9), 9, decision(8)) == "unclear"
        assert judge(both(opinion, play("wildcard", 9, 9)), 5, decision(8)) == "not_applicable"
