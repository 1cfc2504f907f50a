"""Sentences that no rule reads: taken for the promise they are most like, or left alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backroom_pipeline.memory.commitments import Named, Roster, how_read, parse_terms, sentences
from backroom_pipeline.memory.commitments.clauses import Clause, Who
from backroom_pipeline.memory.commitments.nearest import Nearest, nearest

HERE = Path(__file__).parent


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


EVERYBODY = Roster(
    Named(at, row["name"], row["club"], row["position"]) for at, row in enumerate(_lines("players.jsonl"), 1)
)
UNSEEN: dict[str, list[str]] = {row["kind"]: row["sentences"] for row in _lines("unseen.jsonl")}
"""Sentences by what they promise, none of them among the examples."""

_TERMS_OF: dict[str, Callable[[dict[str, Any]], bool]] = {
    "keep": lambda t: t["kind"] == "keep_player",
    "sell": lambda t: t["kind"] == "sell_player",
    "buy": lambda t: t["kind"] == "buy_player",
    "avoid": lambda t: t["kind"] == "avoid_player",
    "captain": lambda t: t["kind"] == "captain_player" and not t["vice"],
    "not_captain": lambda t: t["kind"] == "never_captain",
    "vice": lambda t: t["kind"] == "captain_player" and t["vice"],
    "start": lambda t: t["kind"] == "start_player" and t["starting"],
    "bench": lambda t: t["kind"] == "start_player" and not t["starting"],
    "hold_chip": lambda t: t["kind"] == "hold_chip",
    "play_chip": lambda t: t["kind"] == "play_chip_in",
    "no_hits": lambda t: t["kind"] == "no_hits" and t["at_most_points"] == 0,
    "hit_limit": lambda t: t["kind"] == "no_hits" and t["at_most_points"] == 4,
    "max_transfers": lambda t: t["kind"] == "max_transfers" and t["limit"] > 0,
    "no_transfers": lambda t: t["kind"] == "max_transfers" and t["limit"] == 0,
    "leave_unused": lambda t: t["kind"] == "bank_transfers" and t["leave_unused"] == 1,
    "save_until": lambda t: t["kind"] == "bank_transfers" and t["save_until"] == 5,
    "bank_min": lambda t: t["kind"] == "bank_money" and t["at_least"] is not None,
    "bank_max": lambda t: t["kind"] == "bank_money" and t["at_most"] is not None,
    "club_max": lambda t: t["kind"] == "club_limit" and t["at_most"] == 2,
    "club_min": lambda t: t["kind"] == "club_limit" and (t["at_least"] or 0) > 1,
    "club_none": lambda t: t["kind"] == "club_limit" and t["at_most"] == 0,
    "club_some": lambda t: t["kind"] == "club_limit" and t["at_least"] == 1,
    "formation": lambda t: t["kind"] == "formation" and t["formation"] and not t["never"],
    "not_formation": lambda t: t["kind"] == "formation" and t["formation"] and t["never"],
    "line_min": lambda t: t["kind"] == "formation" and t["line"] and t["at_most"] is None,
    "line_max": lambda t: t["kind"] == "formation" and t["line"] and (t["at_least"] is None or t["never"]),
    "line_exactly": lambda t: t["kind"] == "formation" and t["line"] and t["at_least"] == t["at_most"],
}


def _terms(sentence: str) -> dict[str, Any]:
    return parse_terms(sentence, EVERYBODY, 4).model_dump()


@pytest.fixture
def without_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if no rule read any clause, so that every sentence is read by likeness."""

    def nothing(clause: Clause) -> list[Any]:
        return []

    monkeypatch.setattr(sentences, "read_promise", nothing)


@pytest.mark.usefixtures("without_rules")
class TestUnseenSentences:
    def test_two_of_three_are_read_and_seven_of_eight_of_those_right(self):
        promises = [(kind, sentence) for kind, said in UNSEEN.items() if kind != "opinion" for sentence in said]
        read = [(kind, terms) for kind, sentence in promises if (terms := _terms(sentence))["kind"] != "free_text"]
        right = [kind for kind, terms in read if terms["kind"] != "all_of" and _TERMS_OF[kind](terms)]
        assert len(read) >= len(promises) * 2 / 3
        assert len(right) >= len(read) * 7 / 8

    @pytest.mark.parametrize("kind", [kind for kind, said in UNSEEN.items() if len(said) >= 6 and kind != "opinion"])
    def test_of_every_frequent_kind_half_is_read_right(self, kind: str):
        right = [sentence for sentence in UNSEEN[kind] if _TERMS_OF[kind](_terms(sentence))]
        assert len(right) >= len(UNSEEN[kind]) / 2

    def test_nine_opinions_of_ten_are_no_promise(self):
        taken = [sentence for sentence in UNSEEN["opinion"] if _terms(sentence)["kind"] != "free_text"]
        assert len(taken) <= len(UNSEEN["opinion"]) / 10

    def test_hedged_sentences_and_conditions_no_code_can_test_are_left_alone(self):
        assert _terms("Maybe Saka gets folded by GW9.")["kind"] == "free_text"
        assert _terms("Saka gets folded by GW9 if the moon is full.")["kind"] == "free_text"


class TestWhereTheRulesReadNothing:
    def test_the_kind_comes_from_the_example_and_the_rest_from_the_sentence(self):
        terms = _terms("Isak gets folded by GW9 unless Saka is injured.")
        isak, saka = (EVERYBODY.marked(name).strip("<p>") for name in ("Isak", "Saka"))
        assert (terms["kind"], terms["player_id"], terms["last"]) == ("sell_player", int(isak), 9)
        assert terms["unless"]["player_out"] == int(saka)

    def test_the_reading_can_be_told(self):
        assert how_read("Isak gets folded by GW9.", EVERYBODY, 4) == "nearest: PLAYER gets folded by week 13."
        assert how_read("I never sell Isak.", EVERYBODY, 4) == "rules"
        assert how_read("Isak is a joy to watch.", EVERYBODY, 4) == "not"

    def test_names_in_a_sentence_without_capitals_are_heard(self):
        assert _terms("no isak for me til gw9")["kind"] == "avoid_player"
        assert _terms("i burn no cash")["kind"] == "free_text"

    @pytest.mark.parametrize(
        "sentence",
        ["My squad is in good shape.", "A player for every week.", "One club man.", "", "?!", "Money, money, money."],
    )
    def test_words_that_only_look_like_names_and_numbers_are_no_promise(self, sentence: str):
        assert _terms(sentence)["kind"] == "free_text"


def test_where_the_rules_read_something_likeness_is_not_asked(monkeypatch: pytest.MonkeyPatch):
    def fail(clause: Clause) -> None:
        raise AssertionError(clause.text)

    monkeypatch.setattr(sentences, "likely", fail)
    for row in _lines("phrasings.jsonl"):
        if row["terms"]["kind"] != "free_text":
            for sentence in row["sentences"][:2]:
                parse_terms(sentence, EVERYBODY, row["made_in"])


def test_a_clause_is_only_what_can_be_about_what_it_names():
    """Sold is a player; the same words about a chip are about its play."""
    player = Clause("<p1> gets folded", (Who((1,)),), (), "by", False, False, None)
    assert nearest(player) == Nearest("sell", "PLAYER gets folded by week 13.")
    chip = nearest(player._replace(text="the <wildcard> gets folded", players=()))
    assert chip is None or chip.kind in ("hold_chip", "play_chip")


def test_the_same_sentence_is_read_alike_in_every_process():
    """Votes must not hang on the order of sets, which changes from process to process."""
    program = (
        "from backroom_pipeline.memory.commitments.clauses import Clause, Who\n"
        "from backroom_pipeline.memory.commitments import nearest\n"
        "known = nearest._known()\n"
        "print(known.votes_of(known.weighed(nearest._features('<p1> gets folded', 'by'))))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
