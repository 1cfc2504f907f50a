"""How promises stand: judged over a season, closed when nothing is left to bind, read from a ledger."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from backroom_pipeline.fpl.model import Bill, ChipPlay, GameweekFacts, Player, Position, TeamSheet, Trade
from backroom_pipeline.ledger.canonical import canonical_json
from backroom_pipeline.ledger.facts import inputs_sha256, record_gameweek
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments import (
    decision_facts,
    in_order_of_weight,
    stand,
    standing_claims,
    without_repeats,
)
from backroom_pipeline.memory.model import (
    AllOf,
    BuyPlayer,
    CaptainPlayer,
    Claim,
    Condition,
    FreeText,
    HoldChip,
    KeepPlayer,
    NoHits,
    PlayChipIn,
    SellPlayer,
    StandingClaim,
    StartPlayer,
    Terms,
)
from backroom_pipeline_tests.memory.decisions import OUTSIDER, STRIKER, STRIKER_2, decision, swapped

SEASON = "2025-26"


def said(terms: Terms, made_in: int = 1, ordinal: int = 0) -> StandingClaim:
    claim = Claim(text=f"promise {made_in}.{ordinal}", terms=terms)
    return StandingClaim(record_id="r", manager="opus", made_in=made_in, ordinal=ordinal, claim=claim)


def captain(player: int = STRIKER, **rest: Any) -> CaptainPlayer:
    return CaptainPlayer(kind="captain_player", player_id=player, **rest)


class TestHistory:
    def test_kept_and_broken_weeks_are_those_since_it_was_made_in_which_it_applied(self):
        season = [decision(1), decision(2), decision(3, captain=STRIKER_2), decision(4, unavailable=[STRIKER])]
        standing = stand(said(captain(only_if_fit=True), made_in=2), season, 5)
        assert (standing.kept, standing.broken, standing.open) == ((2,), (3,), True)

    def test_the_decision_it_was_made_with_counts(self):
        assert stand(said(captain(first=3, last=3), made_in=3), [decision(3)], 4).kept == (3,)

    def test_a_sold_player_breaks_the_promise_to_keep_him_once(self):
        gone = decision(4, starting=[1, 2, 3, 4, OUTSIDER, 6, 7, 8, 9, 10, 11])
        standing = stand(said(KeepPlayer(kind="keep_player", player_id=5)), [swapped(3, out=5, into=OUTSIDER), gone], 5)
        assert (standing.broken, standing.open) == ((3,), False)

    def test_a_player_sold_as_promised_may_come_back_without_breaking_it(self):
        sold, back = swapped(3, out=5, into=OUTSIDER), decision(4)
        standing = stand(said(SellPlayer(kind="sell_player", player_id=5, last=4)), [sold, back], 5)
        assert (standing.kept, standing.broken, standing.open) == ((3,), (), False)


class TestClosing:
    @pytest.mark.parametrize(
        ("terms", "week"),
        [
            (captain(last=4), decision(4)),
            (NoHits(kind="no_hits", until_chip="wildcard"), decision(4, chip="wildcard")),
            (KeepPlayer(kind="keep_player", player_id=5), swapped(4, out=5, into=OUTSIDER)),
            (SellPlayer(kind="sell_player", player_id=5, last=9), swapped(4, out=5, into=OUTSIDER)),
            (BuyPlayer(kind="buy_player", player_id=OUTSIDER, last=9), swapped(4, out=5, into=OUTSIDER)),
            (PlayChipIn(kind="play_chip_in", chip="bench_boost", last=15), decision(4, chip="bench_boost")),
            (HoldChip(kind="hold_chip", chip="wildcard", last=12), decision(4, chip="wildcard")),
            (
                StartPlayer(kind="start_player", player_id=5, when=Condition(owns=5)),
                swapped(4, out=5, into=OUTSIDER),
            ),
            (AllOf(kind="all_of", parts=(captain(last=3), captain(last=4))), decision(4)),
        ],
    )
    def test_lapsed_discharged_and_released_promises_are_closed(self, terms: Terms, week):
        assert not stand(said(terms), [week], 5).open
        assert stand(said(terms), [], 4).open

    @pytest.mark.parametrize(
        ("terms", "week"),
        [
            (captain(last=5), decision(4)),
            (HoldChip(kind="hold_chip", chip="wildcard", last=25), decision(4, chip="wildcard")),
            (HoldChip(kind="hold_chip", chip="any", last=12), decision(4, chip="wildcard")),
            (SellPlayer(kind="sell_player", player_id=5, last=9), swapped(4, out=5, into=OUTSIDER, chip="free_hit")),
            (AllOf(kind="all_of", parts=(captain(last=4), captain(last=5))), decision(4)),
        ],
    )
    def test_what_can_still_bind_stays_open(self, terms: Terms, week):
        assert stand(said(terms), [week], 5).open

    def test_before_my_wildcard_is_over_at_once_when_the_wildcard_had_gone_already(self):
        gone = decision(4, chips_played_before=(ChipPlay(chip="wildcard", gameweek=2),))
        assert not stand(said(NoHits(kind="no_hits", until_chip="wildcard"), made_in=4), [gone], 5).open


class TestOrder:
    def test_what_applies_comes_first_by_the_nearness_of_its_end_then_the_older(self):
        claims = [
            said(FreeText(kind="free_text"), 1, 0),
            said(captain(), 2, 0),
            said(captain(first=9, last=9), 1, 1),
            said(captain(), 1, 2),
            said(SellPlayer(kind="sell_player", player_id=5, last=8), 5, 0),
            said(AllOf(kind="all_of", parts=(captain(last=7), captain(first=9))), 5, 1),
        ]
        ordered = [(c.made_in, c.ordinal) for c in in_order_of_weight(claims, 7)]
        assert ordered == [(5, 0), (1, 2), (2, 0), (5, 1), (1, 1), (1, 0)]

    def test_repeats_fold_into_the_first_with_their_dates(self):
        again = [said(captain(), week) for week in (1, 4, 6)]
        other = said(captain(STRIKER_2), 5)
        (first, second) = without_repeats([*again, other])
        assert (first.made_in, first.repeated_in, second.made_in) == (1, (4, 6), 5)

    def test_a_promise_that_begins_later_is_not_a_repeat(self):
        assert len(without_repeats([said(captain(), 1), said(captain(first=9), 4)])) == 2


FIRST_DEADLINE = datetime(2025, 8, 15, 17, 30, tzinfo=UTC)
POSITIONS: tuple[Position, ...] = ("GK", *("DEF",) * 3, *("MID",) * 4, *("FWD",) * 3, "GK", "DEF", "DEF", "MID")


def world(gameweek: int, out: tuple[int, ...] = ()) -> GameweekFacts:
    deadline = FIRST_DEADLINE + timedelta(weeks=gameweek - 1)
    return GameweekFacts(
        season=SEASON,
        gameweek=gameweek,
        deadline=deadline,
        cutoff=deadline - timedelta(hours=2),
        players=tuple(
            Player(
                id=number,
                code=number,
                web_name=f"P{number}",
                club=f"C{number % 20:02}",
                position=POSITIONS[(number - 1) % 15],
                price=50,
                status="i" if number in out else "d" if number == 3 else "a",
                chance_of_playing=0 if number == 700 else 25 if number == 3 else None,
            )
            for number in range(1, 701)
        ),
        fixtures=(),
        statistics_season="2024-25",
        fitness_known=True,
        source="invented",
    )


def commit(ledger: Ledger, gameweek: int, claims: tuple[Claim, ...] = (), **bill: Any) -> None:
    """One manager's decision: players 1 to 15, as the ledger keeps it."""
    chip = bill.pop("chip", None)
    ids = bill.pop("ids", tuple(range(1, 16)))
    sheet = TeamSheet(starting=ids[:11], bench=ids[11:], captain=ids[8], vice_captain=ids[9], chip=chip)
    values: dict[str, Any] = {
        "sold": (),
        "bought": (),
        "paid_transfers": 0,
        "hit_points": 0,
        "bank_before": 5,
        "bank_after": 5,
        "free_transfers_before": 1,
        "free_transfers_after": 2,
        **bill,
    }
    ledger.append(
        "answers",
        [
            {
                "season": SEASON,
                "gameweek": gameweek,
                "manager": "opus",
                "role": "manager",
                "answer_json": canonical_json({"sheet": sheet.model_dump(), "reasoning": "Because.", "claims": []}),
                "bill_json": canonical_json(Bill(**values)),
                "source": "model",
                "inputs_sha256": inputs_sha256(ledger, SEASON, gameweek),
                "cutoff": FIRST_DEADLINE,
                "committed_at": FIRST_DEADLINE,
            }
        ],
    )
    rows = [
        {
            "season": SEASON,
            "gameweek": gameweek,
            "manager": "opus",
            "ordinal": ordinal,
            "text": claim.text,
            "terms_json": canonical_json(claim.terms),
        }
        for ordinal, claim in enumerate(claims)
    ]
    ledger.append("claims", rows)


class TestLedger:
    def test_a_decision_is_read_with_its_bill_its_facts_and_what_came_before(self, tmp_path: Path):
        with Ledger.open(tmp_path / "ledger.duckdb") as ledger:
            for gameweek in (1, 2, 3):
                record_gameweek(ledger, world(gameweek, out=(5, 40)))
            commit(ledger, 1, bought=tuple(Trade(player_id=number, price=50) for number in range(1, 16)))
            commit(ledger, 2, chip="bench_boost", hit_points=4)
            # The facts change after the decision: it is judged on those it was made on.
            record_gameweek(ledger, world(2, out=(6,)))
            ids = (*range(1, 5), 20, *range(6, 16))
            commit(ledger, 3, ids=ids, sold=(Trade(player_id=5, price=50),), bought=(Trade(player_id=20, price=50),))

            opening = decision_facts(ledger, SEASON, 1, "opus")
            assert (opening.transfers, opening.formation, opening.hits_before) == (0, "3-4-3", {})
            assert decision_facts(ledger, SEASON, 2, "opus").unavailable == {5, 40, 700}
            third = decision_facts(ledger, SEASON, 3, "opus")
            assert (third.bought, third.sold, third.out_of_squad_before) == ({20}, {5}, 1)
            assert (third.hits_before, third.chips_played_before) == (
                {2: 4},
                (ChipPlay(chip="bench_boost", gameweek=2),),
            )
            assert third.clubs[20] == "C00"
            assert third.bank_after == 5

    def test_a_week_without_a_decision_is_named(self, tmp_path: Path):
        with (
            Ledger.open(tmp_path / "ledger.duckdb") as ledger,
            pytest.raises(LookupError, match="opus has no committed decision in gameweek 4"),
        ):
            decision_facts(ledger, SEASON, 4, "opus")

    def test_open_claims_stand_before_a_gameweek_and_all_of_them_when_asked(self, tmp_path: Path):
        with Ledger.open(tmp_path / "ledger.duckdb") as ledger:
            for gameweek in (1, 2):
                record_gameweek(ledger, world(gameweek))
            commit(ledger, 1, (Claim(text="Nine.", terms=captain(9)), Claim(text="Once.", terms=captain(9, last=1))))
            before = standing_claims(ledger, "opus", SEASON, 2)
            assert [(c.claim.text, c.kept) for c in before] == [("Nine.", (1,))]
            assert len(standing_claims(ledger, "opus", SEASON, 2, include_closed=True)) == 2
            commit(ledger, 2, (Claim(text="Nine again.", terms=captain(9)),))
            (folded,) = standing_claims(ledger, "opus", SEASON, 3)
            assert (folded.kept, folded.repeated_in) == ((1, 2), (2,))
            assert [c.kept for c in standing_claims(ledger, "opus", SEASON, 2)] == [(1,)]

    def test_thirty_seven_weeks_of_six_claims_each_are_judged_the_same_every_time(self, tmp_path: Path):
        path = tmp_path / "ledger.duckdb"
        with Ledger.open(path) as ledger:
            for gameweek in range(1, 38):
                record_gameweek(ledger, world(gameweek, out=tuple(range(100, 250))))
                claims = tuple(
                    Claim(text=f"Promise {number} of {gameweek}.", terms=terms)
                    for number, terms in enumerate(
                        (
                            captain(9, only_if_fit=True, first=gameweek),
                            KeepPlayer(kind="keep_player", player_id=gameweek % 15 + 1, first=gameweek),
                            NoHits(kind="no_hits", at_most_points=gameweek),
                            HoldChip(kind="hold_chip", chip="wildcard", unless=Condition(out_at_least=gameweek)),
                            AllOf(kind="all_of", parts=(captain(9, first=gameweek), captain(9, last=38))),
                            FreeText(kind="free_text"),
                        )
                    )
                )
                commit(ledger, gameweek, claims)
        with Ledger.open(path, read_only=True) as ledger:
            ledger.rows("SELECT count(*) FROM claims")
            claims = standing_claims(ledger, "opus", SEASON, 38)
            assert sum(len(claim.kept) for claim in claims) > 1000
            # The first time reads the decisions, later ones have them.
            assert standing_claims(ledger, "opus", SEASON, 38) == claims
