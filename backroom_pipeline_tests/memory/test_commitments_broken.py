"""What a decision did about a promise is told in a sentence, and whether the manager owns up to it."""

from __future__ import annotations

from typing import Any

import pytest

from backroom_pipeline.fpl.model import ChipPlay
from backroom_pipeline.memory.commitments import judge
from backroom_pipeline.memory.commitments.deeds import deed
from backroom_pipeline.memory.commitments.openness import is_open
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
from backroom_pipeline_tests.memory.decisions import (
    BENCHED_DEFENDER,
    DEFENDER,
    KEEPER,
    KEEPER_2,
    MIDFIELDER,
    OUTSIDER,
    OUTSIDER_2,
    STRIKER,
    STRIKER_2,
    STRIKER_3,
    decision,
    swapped,
)

NAMES = {
    KEEPER: "Raya", KEEPER_2: "Dúbravka", DEFENDER: "Gabriel", BENCHED_DEFENDER: "Esteve", MIDFIELDER: "Saka",
    STRIKER: "Haaland", STRIKER_2: "Okafor", STRIKER_3: "Santos", OUTSIDER: "Salah", OUTSIDER_2: "Kudus",
}  # fmt: skip
SALAH_FOR_SAKA = swapped(out=MIDFIELDER, into=OUTSIDER)
HOLD = HoldChip(kind="hold_chip", chip="wildcard")
BOOST = PlayChipIn(kind="play_chip_in", chip="bench_boost", first=8, last=8)
KEEP = KeepPlayer(kind="keep_player", player_id=MIDFIELDER)
SELL = SellPlayer(kind="sell_player", player_id=MIDFIELDER, last=8)

DEEDS: list[tuple[Terms, Any, str]] = [
    (HOLD, decision(chip="wildcard"), "Played the wildcard."),
    (BOOST, decision(), "Played no bench boost."),
    (BOOST, decision(chip="free_hit"), "Played the free hit, not the bench boost."),
    (
        BOOST,
        decision(chips_played_before=(ChipPlay(chip="bench_boost", gameweek=4),)),
        "The bench boost was played in gameweek 4 already.",
    ),
    (
        PlayChipIn(kind="play_chip_in", chip="triple_captain", captain_id=STRIKER_2, first=8, last=8),
        decision(chip="triple_captain"),
        "Played the triple captain with Haaland as captain.",
    ),
    (NoHits(kind="no_hits"), decision(hit_points=8), "Paid 8 points for transfers."),
    (
        NoHits(kind="no_hits", at_most_points=4, over_gameweeks=4),
        decision(hit_points=4, hits_before={6: 4}),
        "Paid 4 points for transfers, after 4 in the 3 gameweeks before.",
    ),
    (NoHits(kind="no_hits", at_least_points=4, at_most_points=4), decision(), "Paid no points for transfers."),
    (MaxTransfers(kind="max_transfers", limit=0), SALAH_FOR_SAKA, "Made 1 transfer."),
    (KEEP, SALAH_FOR_SAKA, "Sold Saka."),
    (KEEP.model_copy(update={"player_id": OUTSIDER}), decision(), "Salah is not in the squad."),
    (SELL, decision(), "Kept Saka."),
    (
        SELL.model_copy(update={"replacement_id": OUTSIDER_2}),
        SALAH_FOR_SAKA,
        "Sold Saka and bought Salah, not Kudus.",
    ),
    (BuyPlayer(kind="buy_player", player_id=OUTSIDER, last=8), decision(), "Salah is not in the squad."),
    (AvoidPlayer(kind="avoid_player", player_id=OUTSIDER), SALAH_FOR_SAKA, "Bought Salah."),
    (AvoidPlayer(kind="avoid_player", player_id=MIDFIELDER, owned=True), decision(), "Saka is in the squad."),
    (CaptainPlayer(kind="captain_player", player_id=MIDFIELDER), decision(), "Captain: Haaland."),
    (CaptainPlayer(kind="captain_player", player_id=STRIKER, vice=True), decision(), "Vice captain: Okafor."),
    (CaptainPlayer(kind="captain_player", club="ARS"), decision(), "Captain: Haaland (MCI)."),
    (NeverCaptain(kind="never_captain", position="FWD"), decision(), "Captain: Haaland (forward)."),
    (
        CaptainPair(kind="captain_pair", same_club=True),
        decision(),
        "Captain: Haaland (MCI), vice captain: Okafor (CHE).",
    ),
    (StartPlayer(kind="start_player", player_id=BENCHED_DEFENDER), decision(), "Benched Esteve."),
    (StartPlayer(kind="start_player", player_id=MIDFIELDER), SALAH_FOR_SAKA, "Sold Saka."),
    (StartPlayer(kind="start_player", player_id=STRIKER, starting=False), decision(), "Started Haaland."),
    (
        StartPlayer(kind="start_player", player_id=KEEPER_2, or_player_ids=(BENCHED_DEFENDER,)),
        decision(),
        "Started neither Dúbravka nor Esteve.",
    ),
    (ClubLimit(kind="club_limit", club="ARS", at_most=2), decision(), "Owns 3 players of ARS."),
    (
        ClubLimit(kind="club_limit", at_most=1, position="FWD", starting_only=True),
        decision(),
        "Starts 2 forwards of CHE.",
    ),
    (
        BankTransfers(kind="bank_transfers", save_until=3),
        swapped(out=MIDFIELDER, into=OUTSIDER, free_transfers_before=2),
        "Made 1 transfer with 2 free transfers in hand.",
    ),
    (BankMoney(kind="bank_money", at_least=15), decision(), "Left 1.0 in the bank."),
    (Formation(kind="formation", formation="4-4-2"), decision(), "Lined up 3-4-3."),
    (AllOf(kind="all_of", parts=(KEEP, NoHits(kind="no_hits"))), SALAH_FOR_SAKA, "Sold Saka."),
]


@pytest.mark.parametrize(("terms", "facts", "sentence"), DEEDS, ids=[f"{case[0].kind}: {case[2]}" for case in DEEDS])
def test_what_breaks_a_promise_is_told(terms: Terms, facts: Any, sentence: str) -> None:
    assert judge(terms, 2, facts) == "broken"
    assert deed(terms, 2, facts, NAMES) == sentence


def test_somebody_the_pool_does_not_name_is_told_by_number() -> None:
    assert deed(KEEP, 2, SALAH_FOR_SAKA, {}) == f"Sold player {MIDFIELDER}."


SAKA = Claim(text="Saka stays in my squad until gameweek ten.", terms=KEEP)
HITS = Claim(text="I pay no points for transfers before my wildcard.", terms=NoHits(kind="no_hits"))
CHIPS = Claim(text="Every chip of mine sleeps until gameweek nine.", terms=HoldChip(kind="hold_chip", chip="any"))
SUBJECTS = {SAKA.text: ("B.Saka",), HITS.text: (), CHIPS.text: ()}


@pytest.mark.parametrize(
    ("promise", "reasoning"),
    [
        (SAKA, 'I wrote "Saka stays in my squad until gameweek ten." He is sold today.'),
        (SAKA, "I said that Saka would stay in my squad until gameweek ten. That was another season, it seems."),
        (SAKA, "Salah is on penalties. Saka goes, and I am breaking my word to get it done."),
        (SAKA, "Saka goes. A change of heart, and not a proud one."),
        (SAKA, "I know I said week ten for Saka, but his hamstring has other plans."),
        (SAKA, "My promise about Saka is broken, for eight points a month."),
        (SAKA, "Saka is sold after all."),
        (HITS, "Four points for two transfers. I am going back on what I wrote, and it stings."),
        (HITS, "I used to refuse any hit; this one pays for itself."),
        (CHIPS, "The bench boost goes in now. I am tearing up my own rule about chips."),
        (
            CHIPS,
            'As I wrote: "Every chip of mine sleeps until gameweek nine." Keeping it would cost twelve points. '
            "I cannot keep it.",
        ),
    ],
)
def test_an_open_release_is_recognised(promise: Claim, reasoning: str) -> None:
    assert is_open(reasoning, promise, SUBJECTS[promise.text])


@pytest.mark.parametrize(
    ("promise", "reasoning"),
    [
        (SAKA, "Salah has Burnley at home and the penalties. Saka makes way, with thanks."),
        (SAKA, "Saka's legs look heavy after the break and his ankle is not broken, merely bruised."),
        (SAKA, "I am not breaking my word on Saka lightly or otherwise."),
        (SAKA, "I have changed my mind about Palmer. The midfield needed goals, and goals it gets."),
        (SAKA, 'I keep my word: "Saka stays in my squad until gameweek ten." Nobody can say otherwise.'),
        (HITS, "Two transfers, and both of them good ones."),
        (HITS, "I have a change of heart about the captaincy. Haaland it is."),
        (CHIPS, "The bench boost is on: fifteen fit men and a double gameweek."),
        (SAKA, ""),
    ],
)
def test_silence_and_denial_are_not_open(promise: Claim, reasoning: str) -> None:
    assert not is_open(reasoning, promise, SUBJECTS[promise.text])


def test_a_conviction_is_admitted_only_by_repeating_it() -> None:
    mood = Claim(text="Patience pays in this game of ours.", terms=FreeText(kind="free_text"))
    assert is_open("“Patience pays in this game of ours.” It did not.", mood)
    assert not is_open("I am breaking my word.", mood)
