"""Promises that cannot both be honoured, and pairs that only look like it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from backroom_pipeline.memory.commitments import Context, Said, conflict
from backroom_pipeline.memory.commitments.labelled import check_pairs
from backroom_pipeline.memory.commitments.relations import announced, put_off
from backroom_pipeline.memory.model import (
    AllOf,
    AvoidPlayer,
    BankMoney,
    BankTransfers,
    BuyPlayer,
    CaptainPair,
    CaptainPlayer,
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
    Terms,
)

SAKA, PALMER, RAYA, ROEFS = 1, 2, 3, 4
CONTEXT = Context({SAKA: "ARS", PALMER: "CHE"}, {SAKA: "MID", PALMER: "MID", RAYA: "GK", ROEFS: "GK"})


def clash(earlier: Terms, later: Terms, made_in: int = 1, later_in: int = 5) -> bool:
    return conflict(Said(earlier, made_in), Said(later, later_in), CONTEXT) is not None


def hold(chip: Any = "wildcard", **rest: Any) -> HoldChip:
    return HoldChip(kind="hold_chip", chip=chip, **rest)


def play(chip: Any = "wildcard", **rest: Any) -> PlayChipIn:
    return PlayChipIn(kind="play_chip_in", chip=chip, **rest)


def captain(player: int | None = SAKA, **rest: Any) -> CaptainPlayer:
    return CaptainPlayer(kind="captain_player", player_id=player, **rest)


def keep(player: int = SAKA, **rest: Any) -> KeepPlayer:
    return KeepPlayer(kind="keep_player", player_id=player, **rest)


def sell(player: int = SAKA, **rest: Any) -> SellPlayer:
    return SellPlayer(kind="sell_player", player_id=player, **rest)


def buy(player: int = SAKA, **rest: Any) -> BuyPlayer:
    return BuyPlayer(kind="buy_player", player_id=player, **rest)


def avoid(player: int = SAKA, **rest: Any) -> AvoidPlayer:
    return AvoidPlayer(kind="avoid_player", player_id=player, **rest)


def start(player: int = SAKA, **rest: Any) -> StartPlayer:
    return StartPlayer(kind="start_player", player_id=player, **rest)


def hits(**rest: Any) -> NoHits:
    return NoHits(kind="no_hits", **rest)


def transfers(limit: int, **rest: Any) -> MaxTransfers:
    return MaxTransfers(kind="max_transfers", limit=limit, **rest)


def week(gameweek: int) -> dict[str, int]:
    return {"first": gameweek, "last": gameweek}


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (hold(last=8), play(**week(6))),
        (hold("any", last=8), play("bench_boost", **week(6))),
        (play(last=9), hold(last=11)),
        (play(**week(12)), play(**week(15))),
        (play("free_hit", **week(16)), play(**week(16))),
        (play("triple_captain", last=9, captain_id=SAKA), play("triple_captain", **week(6), captain_id=PALMER)),
        (captain(when=Condition(chip="triple_captain")), play("triple_captain", **week(6), captain_id=PALMER)),
        (hits(), hits(at_least_points=4, at_most_points=4, **week(5))),
        (
            hits(at_most_points=4, over_gameweeks=4),
            hits(at_least_points=8, at_most_points=8, **week(5)),
        ),
        (transfers(1), transfers(3, at_least=3, **week(5))),
        (BankTransfers(kind="bank_transfers", save_until=5), transfers(2, at_least=2, **week(6))),
        (transfers(0, last=6), sell(**week(5))),
        (keep(last=9), sell(**week(9))),
        (sell(last=6), keep(last=10)),
        (buy(last=9), avoid(last=12)),
        (avoid(last=12), start(**week(6))),
        (avoid(PALMER, last=12), sell(replacement_id=PALMER, **week(6))),
        (sell(replacement_id=PALMER, **week(9)), sell(replacement_id=RAYA, **week(9))),
        (start(), sell(**week(6))),
        (captain(), captain(PALMER, **week(5))),
        (captain(None, club="ARS"), captain(PALMER, **week(5))),
        (captain(None, position="FWD"), captain(PALMER, **week(5))),
        (NeverCaptain(kind="never_captain", club="CHE"), captain(PALMER, **week(5))),
        (NeverCaptain(kind="never_captain", player_id=SAKA), captain(**week(5))),
        (start(), start(starting=False, **week(7))),
        (start(RAYA, last=8), start(ROEFS, first=5)),
        (
            ClubLimit(kind="club_limit", club="ARS", at_most=2),
            ClubLimit(kind="club_limit", club="ARS", at_least=3),
        ),
        (ClubLimit(kind="club_limit", at_most=2), ClubLimit(kind="club_limit", club="ARS", at_least=3)),
        (BankMoney(kind="bank_money", at_most=5), BankMoney(kind="bank_money", at_least=30)),
        (
            Formation(kind="formation", formation="3-4-3"),
            Formation(kind="formation", formation="4-4-2", first=5, last=5),
        ),
        (
            Formation(kind="formation", line="DEF", at_least=4),
            Formation(kind="formation", formation="3-5-2"),
        ),
        (CaptainPair(kind="captain_pair", same_club=True), CaptainPair(kind="captain_pair", same_club=False)),
        (AllOf(kind="all_of", parts=(captain(), keep()), last=9), sell(**week(8))),
    ],
)
def test_these_cannot_both_be_honoured(earlier: Terms, later: Terms):
    assert clash(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (hold(last=8), play(**week(9))),
        (hold(last=8), play(last=12)),
        (hold(last=8), play("bench_boost", **week(6))),
        (play(**week(12)), play(**week(25))),
        (play(first=13, last=17), play(**week(15))),
        (hits(at_most_points=4), hits(at_least_points=4, at_most_points=4, **week(5))),
        (hits(), hits(at_most_points=4)),
        (transfers(2), transfers(2, at_least=2, **week(5))),
        (transfers(1), transfers(10, at_least=10, when=Condition(chip="wildcard"), **week(5))),
        (keep(last=9), sell(**week(10))),
        (keep(last=9), sell(PALMER, **week(7))),
        (keep(), captain(PALMER)),
        (buy(last=9), avoid(last=8)),
        (captain(last=4), captain(PALMER, **week(5))),
        (captain(or_player_ids=(PALMER,)), captain(PALMER, **week(5))),
        (captain(vice=True), captain(PALMER)),
        (captain(), captain(None, club="ARS")),
        (start(), captain(PALMER)),
        (start(RAYA, or_player_ids=(ROEFS,)), start(ROEFS, **week(5))),
        (start(), start(PALMER)),
        (
            ClubLimit(kind="club_limit", club="ARS", at_most=2),
            ClubLimit(kind="club_limit", club="CHE", at_least=3),
        ),
        (
            ClubLimit(kind="club_limit", club="ARS", at_most=2, starting_only=True),
            ClubLimit(kind="club_limit", club="ARS", at_least=3),
        ),
        (BankMoney(kind="bank_money", at_least=5), BankMoney(kind="bank_money", at_least=15, at_most=15)),
        (
            Formation(kind="formation", line="DEF", at_least=4),
            Formation(kind="formation", line="DEF", at_least=5, at_most=5),
        ),
        (FreeText(kind="free_text"), captain()),
    ],
)
def test_these_can(earlier: Terms, later: Terms):
    assert not clash(earlier, later)


class TestConditions:
    def test_a_stated_exception_lets_the_earlier_promise_off(self):
        promise = hits(unless=Condition(out_at_least=2))
        paid = {"at_least_points": 4, "at_most_points": 4, **week(5)}
        assert not clash(promise, hits(when=Condition(out_at_least=3), **paid))
        assert clash(promise, hits(when=Condition(out_at_least=1), **paid))
        assert clash(promise, hits(when=Condition(out_at_most=0), **paid))
        assert clash(promise, hits(**paid))

    def test_fitness_that_is_stated_counts(self):
        promise = start(only_if_fit=True)
        benched = {"starting": False, **week(5)}
        assert not clash(promise, start(when=Condition(player_out=SAKA), **benched))
        assert clash(promise, start(only_if_fit=True, **benched))

    def test_a_chip_that_is_said_to_be_played_releases(self):
        promise = hits(until_chip="wildcard")
        paid = {"at_least_points": 4, "at_most_points": 4, **week(5)}
        assert not clash(promise, hits(when=Condition(chip_used="wildcard"), **paid))
        assert clash(promise, hits(**paid))

    def test_only_weeks_from_the_later_promise_on_count(self):
        assert clash(captain(last=6), captain(PALMER, first=1, last=6), later_in=6)
        assert not clash(captain(last=6), captain(PALMER, first=1, last=6), later_in=7)

    def test_the_order_in_which_they_are_given_does_not_matter(self):
        one, other = Said(keep(last=9), 1), Said(sell(**week(7)), 5)
        assert conflict(one, other) == conflict(other, one) == "The player cannot be both kept and sold in gameweek 7."


PAIRS = Path(__file__).with_name("pairs.jsonl")
NOT_FOUND = {
    "ac075",  # an exception that no code can test: "unless he's started three in a row"
}


class TestSentences:
    def test_pairs_of_sentences_that_contradict_each_other_are_told_from_those_that_do_not(self):
        compared = check_pairs(PAIRS)
        wrong = {
            answer.id
            for answer in compared.answers
            if (answer.answer == "contradiction") != (answer.expected == "contradiction")
        }
        assert wrong == NOT_FOUND
        assert compared.precision == 1

    def test_a_sale_without_a_week_is_one_of_today_beside_an_earlier_promise(self):
        said = Said(sell(), 5)
        assert announced(said).terms == sell(**week(5))
        assert announced(Said(sell(last=9), 5)).terms == sell(last=9)

    def test_a_sale_put_off_breaks_the_promise_of_an_earlier_one(self):
        assert put_off(Said(sell(**week(6)), 1), Said(sell(**week(9)), 5))
        assert not put_off(Said(sell(last=9), 1), Said(sell(**week(7)), 5))
        assert not put_off(Said(sell(**week(6)), 1), Said(sell(**week(9)), 7))


class TestFilesOfCases:
    def test_files_without_labels_are_answered_without_figures(self, tmp_path: Path):
        file = tmp_path / "pairs.jsonl"
        pair = {"earlier": {"gameweek": 1, "text": "Saka stays."}, "later": {"gameweek": 5, "text": "Saka is sold."}}
        file.write_text(json.dumps({"id": "one", **pair}), encoding="utf-8")
        compared = check_pairs(file)
        assert (compared.pairs, compared.precision, compared.recall, compared.by_axis) == (1, None, None, {})
        assert [(answer.id, answer.expected, answer.answer) for answer in compared.answers] == [
            ("one", None, "contradiction")
        ]

    def test_labels_are_for_scoring_only(self, tmp_path: Path):
        lines = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
        bare = tmp_path / "bare.jsonl"
        kept = ("id", "earlier", "later")
        bare.write_text("\n".join(json.dumps({key: line[key] for key in kept}) for line in lines), encoding="utf-8")
        assert [a.answer for a in check_pairs(bare).answers] == [a.answer for a in check_pairs(PAIRS).answers]

    def test_a_line_that_is_no_case_is_named(self, tmp_path: Path):
        file = tmp_path / "pairs.jsonl"
        file.write_text('{"id": "one"}\n', encoding="utf-8")
        with pytest.raises(ValueError, match=r"Line 1 of .*pairs\.jsonl lacks 'earlier'"):
            check_pairs(file)
        file.write_text("not json\n", encoding="utf-8")
        with pytest.raises(ValueError, match=r"Line 1 of .*pairs\.jsonl is no labelled case"):
            check_pairs(file)
