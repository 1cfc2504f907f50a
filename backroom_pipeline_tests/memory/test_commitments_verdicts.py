"""Each rule of the labelled cases, on typed terms."""

import pytest

from backroom_pipeline.fpl.model import ChipPlay
from backroom_pipeline.memory.commitments import judge
from backroom_pipeline.memory.model import (
    AllOf,
    AvoidPlayer,
    BankMoney,
    BankTransfers,
    BuyPlayer,
    CaptainPair,
    CaptainPlayer,
    Claim,
    ClubLimit,
    Condition,
    Formation,
    FreeText,
    HoldChip,
    KeepPlayer,
    MaxTransfers,
    NeverCaptain,
    NoHits,
    PlayChipIn,
    SellPlayer,
    StartPlayer,
)
from backroom_pipeline_tests.memory.decisions import (
    BENCHED_DEFENDER,
    BENCHED_MIDFIELDER,
    DEFENDER,
    KEEPER,
    KEEPER_2,
    OUTSIDER,
    OUTSIDER_2,
    STRIKER,
    STRIKER_2,
    decision,
    swapped,
)


def hold(chip="wildcard", **rest):
    return HoldChip(kind="hold_chip", chip=chip, **rest)


def play(chip="bench_boost", **rest):
    return PlayChipIn(kind="play_chip_in", chip=chip, **rest)


def keep(player=STRIKER, **rest):
    return KeepPlayer(kind="keep_player", player_id=player, **rest)


def captain(player=STRIKER, **rest):
    return CaptainPlayer(kind="captain_player", player_id=player, **rest)


def played(chip, gameweek):
    return (ChipPlay(chip=chip, gameweek=gameweek),)


class TestWindows:
    def test_a_promise_is_silent_outside_its_gameweeks_and_before_it_was_made(self):
        promise = keep(OUTSIDER, first=6, last=9)
        verdicts = [judge(promise, 5, decision(gameweek)) for gameweek in (5, 6, 9, 10)]
        assert verdicts == ["not_applicable", "broken", "broken", "not_applicable"]
        assert judge(keep(OUTSIDER), 9, decision(8)) == "not_applicable"

    def test_without_a_window_it_lasts_from_the_week_it_was_made_in_to_the_end_of_the_season(self):
        assert judge(keep(OUTSIDER), 5, decision(5)) == "broken"
        assert judge(keep(OUTSIDER), 5, decision(38)) == "broken"

    def test_a_claim_is_judged_by_its_terms_and_an_opinion_is_unclear_always(self):
        assert judge(Claim(text="Haaland stays.", terms=keep()), 1, decision()) == "kept"
        assert judge(FreeText(kind="free_text", last=3), 1, decision(8)) == "unclear"


class TestConditions:
    @pytest.mark.parametrize(
        ("condition", "week"),
        [
            (Condition(player_out=STRIKER), {"unavailable": [STRIKER]}),
            (Condition(player_fit=STRIKER), {}),
            (Condition(out_at_least=2), {"unavailable": [STRIKER, KEEPER]}),
            (Condition(out_at_most=1), {"unavailable": [STRIKER]}),
            (Condition(owns=STRIKER), {}),
            (Condition(owns_not=OUTSIDER), {}),
            (Condition(free_transfers_at_least=3), {"free_transfers_before": 3}),
            (Condition(free_transfers_at_most=1), {}),
            (Condition(chip="free_hit"), {"chip": "free_hit"}),
            (Condition(chip_used="wildcard"), {"chips_played_before": played("wildcard", 5)}),
        ],
    )
    def test_a_met_condition_binds_and_a_met_exception_frees(self, condition, week):
        promise = {"kind": "no_hits"}
        assert judge(NoHits(**promise, when=condition), 1, decision(**week, hit_points=4)) == "broken"
        assert judge(NoHits(**promise, unless=condition), 1, decision(**week, hit_points=4)) == "not_applicable"

    @pytest.mark.parametrize(
        "condition",
        [
            Condition(player_out=STRIKER),
            Condition(player_fit=KEEPER),
            Condition(out_at_least=2),
            Condition(out_at_most=0),
            Condition(owns=OUTSIDER),
            Condition(owns_not=STRIKER),
            Condition(free_transfers_at_least=2),
            Condition(free_transfers_at_most=0),
            Condition(chip="free_hit"),
            Condition(chip_used="wildcard"),
            Condition(player_fit=STRIKER, player_out=STRIKER),
        ],
    )
    def test_an_unmet_condition_is_silent_and_an_unmet_exception_binds(self, condition):
        week = decision(unavailable=[KEEPER], hit_points=4)
        assert judge(NoHits(kind="no_hits", when=condition), 1, week) == "not_applicable"
        assert judge(NoHits(kind="no_hits", unless=condition), 1, week) == "broken"

    def test_players_sold_this_week_count_among_those_out_and_players_bought_do_not(self):
        promise = NoHits(kind="no_hits", unless=Condition(out_at_least=1))
        assert judge(promise, 1, swapped(out=5, into=OUTSIDER, hit_points=4, unavailable=[5])) == "not_applicable"
        assert judge(promise, 1, swapped(out=5, into=OUTSIDER, hit_points=4, unavailable=[OUTSIDER])) == "broken"

    def test_fitness_is_that_of_the_player_concerned(self):
        promise = captain(STRIKER_2, only_if_fit=True)
        assert judge(promise, 1, decision(unavailable=[STRIKER_2])) == "not_applicable"
        assert judge(promise, 1, decision(unavailable=[STRIKER])) == "broken"


class TestCompounds:
    def both(self, *parts, **rest):
        return AllOf(kind="all_of", parts=parts, **rest)

    def test_one_broken_part_breaks_it(self):
        assert judge(self.both(keep(STRIKER), captain(STRIKER_2)), 1, decision()) == "broken"

    def test_kept_when_a_part_applies_and_is_honoured_and_the_other_is_silent(self):
        promise = self.both(keep(STRIKER), captain(STRIKER, only_if_fit=True))
        assert judge(promise, 1, decision(unavailable=[STRIKER], captain=STRIKER_2)) == "kept"

    def test_silent_when_no_part_applies_or_the_whole_does_not(self):
        assert judge(self.both(keep(last=3), captain(last=3)), 1, decision()) == "not_applicable"
        assert judge(self.both(keep(OUTSIDER), captain(OUTSIDER), last=7), 1, decision()) == "not_applicable"


class TestChips:
    def test_a_hold_is_about_the_named_chip_only(self):
        assert judge(hold("wildcard", last=9), 1, decision(chip="bench_boost")) == "kept"
        assert judge(hold("wildcard", last=9), 1, decision(chip="wildcard")) == "broken"
        assert judge(hold("any", last=9), 1, decision(chip="bench_boost")) == "broken"

    def test_a_chip_already_played_cannot_be_held_any_more(self):
        assert judge(hold("wildcard"), 1, decision(chips_played_before=played("wildcard", 5))) == "not_applicable"

    def test_a_play_in_the_other_half_does_not_count(self):
        second_half = decision(22, chips_played_before=played("wildcard", 5))
        assert judge(hold("wildcard"), 20, second_half) == "kept"
        assert judge(play("wildcard", first=22, last=22), 20, second_half) == "broken"
        assert judge(play("wildcard", first=24, last=24), 3, second_half) == "not_applicable"

    @pytest.mark.parametrize(
        ("gameweek", "chip", "before", "verdict"),
        [
            (11, None, (), "not_applicable"),
            (11, "bench_boost", (), "broken"),
            (11, None, played("bench_boost", 9), "broken"),
            (15, "bench_boost", (), "kept"),
            (15, None, (), "broken"),
            (15, "wildcard", (), "broken"),
            (15, None, played("bench_boost", 9), "broken"),
            (16, None, (), "not_applicable"),
            (16, None, played("bench_boost", 15), "not_applicable"),
        ],
    )
    def test_a_named_week_for_a_chip(self, gameweek, chip, before, verdict):
        week = decision(gameweek, chip=chip, chips_played_before=before)
        assert judge(play(first=15, last=15), 8, week) == verdict

    @pytest.mark.parametrize(
        ("gameweek", "chip", "before", "verdict"),
        [
            (13, None, (), "not_applicable"),
            (14, "bench_boost", (), "kept"),
            (15, None, played("bench_boost", 14), "not_applicable"),
            (16, None, (), "broken"),
            (16, None, played("bench_boost", 14), "not_applicable"),
            (16, "bench_boost", (), "kept"),
        ],
    )
    def test_a_range_for_a_chip_is_open_until_its_last_week(self, gameweek, chip, before, verdict):
        week = decision(gameweek, chip=chip, chips_played_before=before)
        assert judge(play(first=13, last=16), 8, week) == verdict

    def test_the_captain_named_with_the_chip_must_match(self):
        promise = play("triple_captain", first=24, last=24, captain_id=STRIKER)
        assert judge(promise, 20, decision(24, chip="triple_captain")) == "kept"
        assert judge(promise, 20, decision(24, chip="triple_captain", captain=STRIKER_2)) == "broken"

    def test_any_chip_will_do_and_one_played_before_the_promise_does_not(self):
        before = played("wildcard", 4)
        promise = play("any", last=9)
        assert judge(promise, 6, decision(8, chip="bench_boost", chips_played_before=before)) == "kept"
        assert judge(promise, 6, decision(9, chips_played_before=before)) == "broken"
        assert judge(promise, 6, decision(9, chips_played_before=played("wildcard", 7))) == "not_applicable"


class TestTransfers:
    def test_hits_are_read_from_the_points_paid(self):
        assert judge(NoHits(kind="no_hits"), 1, swapped(out=5, into=OUTSIDER)) == "kept"
        assert judge(NoHits(kind="no_hits"), 1, decision(hit_points=4)) == "broken"
        assert judge(NoHits(kind="no_hits", at_most_points=4), 1, decision(hit_points=4)) == "kept"
        assert judge(NoHits(kind="no_hits", at_most_points=4), 1, decision(hit_points=8)) == "broken"

    def test_before_my_wildcard_ends_in_the_wildcard_week_itself(self):
        promise = NoHits(kind="no_hits", until_chip="wildcard")
        assert judge(promise, 3, decision(hit_points=4)) == "broken"
        assert judge(promise, 3, decision(hit_points=4, chip="wildcard")) == "not_applicable"
        after = decision(9, hit_points=4, chips_played_before=played("wildcard", 7))
        assert judge(promise, 3, after) == "not_applicable"

    def test_my_wildcard_in_the_second_half_is_the_second_one(self):
        promise = NoHits(kind="no_hits", until_chip="wildcard")
        assert judge(promise, 22, decision(25, hit_points=4, chips_played_before=played("wildcard", 7))) == "broken"

    def test_one_hit_a_month_looks_back_over_four_gameweeks(self):
        promise = NoHits(kind="no_hits", at_most_points=4, over_gameweeks=4)
        assert judge(promise, 1, decision(7, hit_points=0, hits_before={5: 8})) == "kept"
        assert judge(promise, 1, decision(7, hit_points=4)) == "kept"
        assert judge(promise, 1, decision(7, hit_points=4, hits_before={3: 4})) == "kept"
        assert judge(promise, 1, decision(7, hit_points=4, hits_before={4: 4})) == "broken"
        assert judge(promise, 1, decision(7, hit_points=8)) == "broken"

    def test_a_weekly_limit_counts_free_transfers_too(self):
        limit = MaxTransfers(kind="max_transfers", limit=1)
        assert judge(limit, 1, swapped(out=5, into=OUTSIDER)) == "kept"
        assert judge(limit, 1, decision(bought=[5, 6], sold=[50, 51], free_transfers_before=3)) == "broken"
        assert judge(MaxTransfers(kind="max_transfers", limit=2, at_least=2), 1, decision()) == "broken"

    @pytest.mark.parametrize("chip", ["wildcard", "free_hit"])
    def test_a_weekly_limit_is_silent_in_a_wildcard_or_free_hit_week(self, chip):
        many = decision(bought=[2, 3, 4, 5, 6, 7], sold=[50, 51, 52, 53, 54, 55], chip=chip)
        assert judge(MaxTransfers(kind="max_transfers", limit=1), 1, many) == "not_applicable"
        assert judge(MaxTransfers(kind="max_transfers", limit=1, in_chip_weeks=True), 1, many) == "broken"
        about_the_chip = MaxTransfers(kind="max_transfers", limit=5, when=Condition(chip=chip))
        assert judge(about_the_chip, 1, many) == "broken"
        assert judge(about_the_chip, 1, decision()) == "not_applicable"

    def test_leaving_one_unused_is_what_is_left_of_the_free_transfers(self):
        promise = BankTransfers(kind="bank_transfers", leave_unused=1)
        assert judge(promise, 1, decision()) == "kept"
        assert judge(promise, 1, swapped(out=5, into=OUTSIDER)) == "broken"
        assert judge(promise, 1, swapped(out=5, into=OUTSIDER, free_transfers_before=2)) == "kept"

    def test_saving_until_five_forbids_transfers_until_there_are_five(self):
        promise = BankTransfers(kind="bank_transfers", save_until=5)
        assert judge(promise, 1, decision(free_transfers_before=4)) == "kept"
        assert judge(promise, 1, swapped(out=5, into=OUTSIDER, free_transfers_before=4)) == "broken"
        assert judge(promise, 1, swapped(out=5, into=OUTSIDER, free_transfers_before=5)) == "not_applicable"

    def test_a_wildcard_spends_no_free_transfers(self):
        many = decision(bought=[2, 3, 4], sold=[50, 51, 52], chip="wildcard")
        assert judge(BankTransfers(kind="bank_transfers", leave_unused=1), 1, many) == "not_applicable"


class TestPlayers:
    def test_keeping_is_membership_and_the_bench_counts(self):
        assert judge(keep(BENCHED_DEFENDER), 1, decision()) == "kept"
        assert judge(keep(5), 1, swapped(out=5, into=OUTSIDER)) == "broken"
        assert judge(keep(5), 1, swapped(out=5, into=OUTSIDER, chip="wildcard")) == "broken"

    def test_a_free_hit_sells_nobody(self):
        week = swapped(out=5, into=OUTSIDER, chip="free_hit")
        assert judge(keep(5), 1, week) == "not_applicable"
        assert judge(SellPlayer(kind="sell_player", player_id=5, last=8), 1, week) == "broken"
        assert judge(SellPlayer(kind="sell_player", player_id=5, last=9), 1, week) == "not_applicable"

    def test_a_sale_has_until_its_deadline(self):
        promise = SellPlayer(kind="sell_player", player_id=5, last=9)
        assert judge(promise, 5, decision(8)) == "not_applicable"
        assert judge(promise, 5, swapped(8, out=5, into=OUTSIDER)) == "kept"
        assert judge(promise, 5, decision(9)) == "broken"
        gone = decision(9, starting=[1, 2, 3, 4, 6, 7, 8, 9, 10, 11, OUTSIDER])
        assert judge(promise, 5, gone) == "not_applicable"

    def test_a_sale_for_somebody_else_than_promised_is_broken(self):
        promise = SellPlayer(kind="sell_player", player_id=5, replacement_id=OUTSIDER, first=9, last=9)
        assert judge(promise, 5, swapped(9, out=5, into=OUTSIDER)) == "kept"
        assert judge(promise, 5, swapped(9, out=5, into=OUTSIDER_2)) == "broken"

    def test_a_conditional_sale_is_due_in_the_week_the_condition_holds(self):
        promise = SellPlayer(kind="sell_player", player_id=5, when=Condition(player_out=5))
        assert judge(promise, 1, decision()) == "not_applicable"
        assert judge(promise, 1, decision(unavailable=[5])) == "broken"
        assert judge(promise, 1, swapped(out=5, into=OUTSIDER, unavailable=[5])) == "kept"

    def test_a_purchase_has_until_its_deadline(self):
        promise = BuyPlayer(kind="buy_player", player_id=OUTSIDER, last=9)
        assert judge(promise, 5, decision(8)) == "not_applicable"
        assert judge(promise, 5, swapped(8, out=5, into=OUTSIDER)) == "kept"
        assert judge(promise, 5, decision(9)) == "broken"
        assert judge(promise, 5, swapped(9, out=5, into=OUTSIDER, chip="free_hit")) == "broken"
        assert judge(promise, 5, decision(9, starting=[*range(1, 11), OUTSIDER])) == "kept"

    def test_avoiding_is_not_buying_or_not_owning(self):
        avoid = AvoidPlayer(kind="avoid_player", player_id=5)
        assert judge(avoid, 1, decision()) == "kept"
        assert judge(avoid, 1, swapped(out=OUTSIDER, into=5, starting=range(1, 12))) == "broken"
        assert judge(AvoidPlayer(kind="avoid_player", player_id=5, owned=True), 1, decision()) == "broken"

    def test_the_armband_is_the_captain_alone(self):
        assert judge(captain(STRIKER), 1, decision()) == "kept"
        assert judge(captain(STRIKER_2), 1, decision()) == "broken"
        assert judge(captain(STRIKER, vice=True), 1, decision()) == "broken"
        assert judge(captain(STRIKER), 1, decision(captain=STRIKER_2, unavailable=[STRIKER])) == "broken"
        assert judge(captain(5, or_player_ids=(STRIKER,)), 1, decision()) == "kept"
        assert judge(captain(None, club="MCI"), 1, decision()) == "kept"
        assert judge(captain(None, position="MID"), 1, decision()) == "broken"

    def test_never_captain_may_name_a_player_a_club_or_a_position(self):
        def never(**whom):
            return judge(NeverCaptain(kind="never_captain", **whom), 1, decision())

        assert never(player_id=STRIKER) == "broken"
        assert never(player_id=STRIKER_2) == "kept"
        assert never(player_id=STRIKER_2, vice=True) == "broken"
        assert never(club="MCI") == "broken"
        assert never(club="ARS") == "kept"
        assert never(position="FWD") == "broken"

    def test_captain_and_vice_captain_of_one_club(self):
        apart = CaptainPair(kind="captain_pair", same_club=False)
        assert judge(apart, 1, decision()) == "kept"
        assert judge(apart, 1, decision(captain=11)) == "broken"

    def test_starting_is_the_eleven_and_the_bench_is_the_rest(self):
        def start(player, **rest):
            return judge(StartPlayer(kind="start_player", player_id=player, **rest), 1, decision())

        assert start(DEFENDER) == "kept"
        assert start(BENCHED_MIDFIELDER) == "broken"
        assert start(BENCHED_MIDFIELDER, starting=False) == "kept"
        assert start(KEEPER_2, or_player_ids=(KEEPER,)) == "kept"


class TestSquad:
    def limit(self, facts=None, **terms):
        return judge(ClubLimit(kind="club_limit", **terms), 1, facts or decision())

    def test_a_club_is_counted_over_all_fifteen_unless_the_claim_says_starts(self):
        benched = decision(starting=[*range(2, 12), 12], bench=[1, 13, 14, 15])
        assert self.limit(club="ARS", at_most=2) == "broken"
        assert self.limit(club="ARS", at_most=2, facts=benched) == "broken"
        assert self.limit(club="ARS", at_most=2, starting_only=True, facts=benched) == "kept"
        assert self.limit(club="ARS", at_least=3) == "kept"
        assert self.limit(club="ARS", at_least=4) == "broken"
        assert self.limit(club="ARS", at_most=0, position="FWD") == "kept"

    def test_no_club_named_is_any_club(self):
        assert self.limit(at_most=2) == "broken"
        assert self.limit(at_most=3) == "kept"

    def test_money_limits_are_inclusive(self):
        def bank(**terms):
            return judge(BankMoney(kind="bank_money", **terms), 1, decision(bank_after=10))

        assert bank(at_least=10) == "kept"
        assert bank(at_least=11) == "broken"
        assert bank(at_most=10) == "kept"
        assert bank(at_most=9) == "broken"

    def test_the_formation_is_defenders_midfielders_forwards(self):
        def shape(fielded, **terms):
            return judge(Formation(kind="formation", **terms), 1, decision(formation=fielded))

        assert shape("3-4-3", formation="3-4-3") == "kept"
        assert shape("4-4-2", formation="3-4-3") == "broken"
        assert shape("4-4-2", formation="3-4-3", or_formations=("4-4-2",)) == "kept"
        assert shape("4-4-2", formation="4-4-2", never=True) == "broken"
        assert shape("3-5-2", line="DEF", at_least=4) == "broken"
        assert shape("5-4-1", line="FWD", at_most=1) == "kept"
