"""Promises in plain English become the terms they mean; what cannot be tested stays free text."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from backroom_pipeline.memory.commitments import Named, Roster, parse_terms
from backroom_pipeline.memory.commitments.heard import heard_in, well_known_beside
from backroom_pipeline.memory.commitments.labelled import check_cases, check_pairs
from backroom_pipeline.memory.model import LAST_GAMEWEEK, AllOf, KeepPlayer, Terms

LABELS = (Path(__file__).parents[2] / "../shared/labels").resolve()
needs_labels = pytest.mark.skipif(not LABELS.exists(), reason=f"the labelled cases are not at {LABELS}")

HAALAND, SALAH, PALMER, VAN_DIJK, BRUNO, GUIMARAES, GABRIEL, JESUS, RAYA, EKITIKE, EMI = range(1, 12)
ROSTER = Roster(
    [
        Named(HAALAND, "Haaland", "MCI", "FWD"),
        Named(SALAH, "M.Salah", "LIV", "MID"),
        Named(PALMER, "Palmer", "CHE", "MID"),
        Named(VAN_DIJK, "Virgil", "LIV", "DEF"),
        Named(BRUNO, "B.Fernandes", "MUN", "MID"),
        Named(GUIMARAES, "Bruno G.", "NEW", "MID"),
        Named(GABRIEL, "Gabriel", "ARS", "DEF"),
        Named(JESUS, "G.Jesus", "ARS", "FWD"),
        Named(RAYA, "Raya", "ARS", "GK"),
        Named(EKITIKE, "Ekitiké", "LIV", "FWD"),
        Named(EMI, "Martinez", "AVL", "GK"),
    ]
)


def read(sentence: str, made_in: int = 4) -> dict[str, Any]:
    return _without_defaults(parse_terms(sentence, ROSTER, made_in))


def parts(sentence: str, made_in: int = 4) -> list[dict[str, Any]]:
    terms = parse_terms(sentence, ROSTER, made_in)
    assert isinstance(terms, AllOf), terms
    return [_without_defaults(part) for part in terms.parts]


def _without_defaults(terms: Terms) -> dict[str, Any]:
    return terms.model_dump(exclude_defaults=True)


class TestNames:
    @pytest.mark.parametrize(
        ("sentence", "player"),
        [
            ("I keep Ekitike.", EKITIKE),
            ("I keep Salah.", SALAH),
            ("I keep Van Dijk.", VAN_DIJK),
            ("Virgil van Dijk stays.", VAN_DIJK),
            ("United's Bruno stays.", BRUNO),
            ("Bruno of Newcastle stays.", GUIMARAES),
            ("Bruno Guimaraes stays.", GUIMARAES),
            ("Gabriel stays.", GABRIEL),
            ("Gabriel Jesus stays.", JESUS),
            ("I keep Martinez, the Villa one.", EMI),
        ],
    )
    def test_short_forms_nicknames_accents_and_clubs_find_the_player(self, sentence: str, player: int):
        assert read(sentence) == {"kind": "keep_player", "player_id": player}

    def test_a_name_that_fits_two_players_is_not_guessed(self):
        assert read("Bruno stays until GW9.") == {"kind": "free_text"}

    def test_the_own_squad_decides_between_two_players(self):
        squad = Roster([Named(1, "Bruno Fernandes", "MUN"), Named(2, "Bruno Guimarães", "NEW")], prefer={2})
        assert _without_defaults(parse_terms("Bruno stays.", squad)) == {"kind": "keep_player", "player_id": 2}

    def test_the_martinez_of_another_club_is_somebody_else(self):
        assert read("I keep Martinez, the Manchester United one.")["player_id"] != EMI

    @pytest.mark.parametrize("sentence", ["Gabriel Jesus goes this week.", "gabriel jesus goes this week"])
    def test_a_namesake_listed_by_his_first_name_is_not_whoever_is_named_in_full(self, sentence: str):
        roster = Roster([Named(GABRIEL, "Gabriel", "ARS", "DEF")])
        assert parse_terms(sentence, roster).model_dump()["player_id"] not in (GABRIEL, 0)
        for same in ("Gabriel Magalhães", "Magalhães", "Big Gabi", "Gabriel of Arsenal"):
            assert parse_terms(f"{same} goes this week.", roster).model_dump()["player_id"] == GABRIEL

    @pytest.mark.parametrize(
        ("listed", "same", "other"),
        [
            ("Henderson", "Dean Henderson", "Jordan Henderson"),
            ("Watkins", "Ollie Watkins", "Marcus Watkins"),
            ("M.Salah", "Mohammed Salah", "Ryan Salah"),
        ],
    )
    def test_another_first_name_makes_a_namesake_somebody_else(self, listed: str, same: str, other: str):
        roster = Roster([Named(1, listed, "")])
        assert parse_terms(f"{same} stays.", roster).model_dump()["player_id"] == 1
        stranger = parse_terms(f"I sell {other} this week.", roster).model_dump()["player_id"]
        assert stranger != 1
        assert parse_terms(f"{other} stays.", roster).model_dump()["player_id"] == stranger

    def test_an_initial_tells_two_of_one_first_name_apart(self):
        roster = Roster([Named(1, "Bruno Fernandes", "MUN"), Named(2, "Bruno G.", "NEW")])
        found = [parse_terms(f"{name} stays.", roster).model_dump()["player_id"] for name in ("Bruno G", "Bruno G.")]
        assert found == [2, 2]

    def test_a_number_of_a_player_is_never_taken_for_a_word(self):
        roster = Roster([Named(45, "Rice", "ARS")])  # the p45 is what a player who goes is handed
        assert parse_terms("I'm keeping Rice until GW13.", roster, 7).model_dump()["kind"] == "keep_player"

    def test_a_surname_that_is_a_word_needs_its_capital(self):
        rice = Roster([Named(1, "Rice", "ARS"), Named(2, "Wood", "NFO")])
        assert parse_terms("I keep rice and wood in the house.", rice).kind == "free_text"


class TestWindows:
    @pytest.mark.parametrize(
        ("words", "first", "last"),
        [
            ("until at least gameweek six", 1, 5),
            ("till GW6", 1, 5),
            ("before week 6", 1, 5),
            ("through GW6", 1, 6),
            ("up to and including gameweek six", 1, 6),
            ("until GW6 is done", 1, 6),
            ("from GW6 to GW9", 6, 9),
            ("between weeks 6 and 9", 6, 9),
            ("in GW6, GW7 and GW8", 6, 8),
            ("from gameweek six onwards", 6, 38),
            ("after GW6", 7, 38),
            ("in the first five gameweeks", 1, 5),
            ("this week", 4, 4),
            ("next week", 5, 5),
            ("for the next three gameweeks", 5, 7),
            ("from now on", 4, 38),
            ("all season", 1, 38),
            ("in gameweek twenty-three", 23, 23),
        ],
    )
    def test_words_for_gameweeks(self, words: str, first: int, last: int):
        terms = parse_terms(f"Haaland is my captain {words}.", ROSTER, 4)
        assert (terms.kind, terms.first, terms.last) == ("captain_player", first, last)

    def test_a_deadline_includes_its_week_and_a_sale_before_it_does_not(self):
        assert read("Palmer is sold by GW9 at the latest.")["last"] == 9
        assert read("Palmer is sold before GW9.")["last"] == 8

    def test_not_before_is_a_ban_until_then(self):
        assert read("Salah comes in in GW9 at the earliest.") == {
            "kind": "avoid_player",
            "player_id": SALAH,
            "last": 8,
        }

    def test_a_chip_can_be_the_end_or_the_beginning(self):
        assert read("No hits before I play my wildcard.") == {"kind": "no_hits", "until_chip": "wildcard"}
        assert read("After my wildcard I take no hits.") == {"kind": "no_hits", "when": {"chip_used": "wildcard"}}

    def test_the_second_one_is_the_second_halfs(self):
        assert read("My second wildcard stays unplayed until GW30.")["first"] == 20


class TestConditions:
    @pytest.mark.parametrize(
        ("sentence", "condition"),
        [
            ("No hits unless two of mine are injured.", {"unless": {"out_at_least": 2}}),
            ("I only take a hit when three or more of my squad are out.", {"unless": {"out_at_least": 3}}),
            ("If all fifteen are fit, I take no hits.", {"when": {"out_at_most": 0}}),
            ("No hits while I have more than two free transfers.", {"when": {"free_transfers_at_least": 3}}),
            ("I take no hits as long as Haaland is fit.", {"when": {"player_fit": HAALAND}}),
        ],
    )
    def test_conditions_and_exceptions(self, sentence: str, condition: dict[str, Any]):
        assert read(sentence) == {"kind": "no_hits", **condition}

    def test_his_own_fitness(self):
        assert read("Palmer starts whenever he's available.") == {
            "kind": "start_player",
            "player_id": PALMER,
            "only_if_fit": True,
        }

    def test_sold_only_if_injured_is_kept_unless_injured(self):
        assert read("I sell Palmer only if he's injured.") == {
            "kind": "keep_player",
            "player_id": PALMER,
            "unless": {"player_out": PALMER},
        }

    def test_a_condition_that_no_code_can_test_makes_it_free_text(self):
        assert read("If the fixtures are kind I captain Haaland.") == {"kind": "free_text"}


class TestKinds:
    @pytest.mark.parametrize(
        ("sentence", "terms"),
        [
            ("I won't touch any chip before GW6.", {"kind": "hold_chip", "chip": "any", "last": 5}),
            (
                "I'm not not playing my free hit in GW9.",
                {"kind": "play_chip_in", "chip": "free_hit", "first": 9, "last": 9},
            ),
            (
                "Triple captain on Haaland in GW13.",
                {"kind": "play_chip_in", "chip": "triple_captain", "captain_id": HAALAND, "first": 13, "last": 13},
            ),
            (
                "Only Haaland gets my triple captain.",
                {"kind": "captain_player", "player_id": HAALAND, "when": {"chip": "triple_captain"}},
            ),
            ("Not a single minus four.", {"kind": "no_hits"}),
            ("At most one hit a month.", {"kind": "no_hits", "at_most_points": 4, "over_gameweeks": 4}),
            ("Fewer than three transfers a week.", {"kind": "max_transfers", "limit": 2}),
            (
                "My wildcard changes at most six players.",
                {"kind": "max_transfers", "limit": 6, "when": {"chip": "wildcard"}},
            ),
            ("I always leave one free transfer unused.", {"kind": "bank_transfers", "leave_unused": 1}),
            ("No moves until I have five free transfers.", {"kind": "bank_transfers", "save_until": 5}),
            ("Palmer isn't going anywhere.", {"kind": "keep_player", "player_id": PALMER}),
            (
                "Palmer makes way for Salah this week.",
                {"kind": "sell_player", "player_id": PALMER, "replacement_id": SALAH, "first": 4, "last": 4},
            ),
            ("I sign Salah by GW8.", {"kind": "buy_player", "player_id": SALAH, "last": 8}),
            (
                "Salah won't be in my squad before GW8.",
                {"kind": "avoid_player", "player_id": SALAH, "owned": True, "last": 7},
            ),
            (
                "Haaland or Salah captains every week.",
                {"kind": "captain_player", "player_id": HAALAND, "or_player_ids": (SALAH,)},
            ),
            ("No Liverpool player captains my side.", {"kind": "never_captain", "club": "LIV"}),
            ("My vice captain is always Salah.", {"kind": "captain_player", "player_id": SALAH, "vice": True}),
            ("Captain and vice are never from the same club.", {"kind": "captain_pair", "same_club": False}),
            (
                "Raya doesn't get off the bench until GW9.",
                {"kind": "start_player", "player_id": RAYA, "starting": False, "last": 8},
            ),
            ("Never three from one club.", {"kind": "club_limit", "at_most": 2}),
            (
                "At most one Arsenal defender starts.",
                {"kind": "club_limit", "club": "ARS", "position": "DEF", "at_most": 1, "starting_only": True},
            ),
            ("My bank never drops below half a million.", {"kind": "bank_money", "at_least": 5}),
            ("Three-five-two every week.", {"kind": "formation", "formation": "3-5-2"}),
            ("Never fewer than four at the back.", {"kind": "formation", "line": "DEF", "at_least": 4}),
        ],
    )
    def test_every_kind_is_read(self, sentence: str, terms: dict[str, Any]):
        assert read(sentence) == terms

    def test_two_promises_in_one_sentence(self):
        assert parts("I keep Haaland and he has the armband when fit.") == [
            {"kind": "keep_player", "player_id": HAALAND},
            {"kind": "captain_player", "player_id": HAALAND, "only_if_fit": True},
        ]

    def test_two_players_in_one_promise(self):
        assert [part["player_id"] for part in parts("Haaland and Salah both stay.")] == [HAALAND, SALAH]

    @pytest.mark.parametrize(
        "sentence",
        [
            "Trust the process.",
            "Haaland is usually a good captain.",
            "I'd like to avoid hits.",
            "I might wildcard soon.",
            "Not too many players from one club.",
            "Palmer ought to see more of the ball.",
        ],
    )
    def test_moods_and_hopes_are_free_text(self, sentence: str):
        assert read(sentence) == {"kind": "free_text"}


HERE = Path(__file__).parent


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


EVERYBODY = [Named(at, row["name"], row["club"], row["position"]) for at, row in enumerate(_lines("players.jsonl"), 1)]
_IDS = {person.name: person.id for person in EVERYBODY}
_OF_PLAYERS = ("player_id", "captain_id", "replacement_id", "player_out", "player_fit", "owns", "owns_not")


def _with_ids(terms: Any) -> Any:
    """Terms as written in the file of phrasings, players by their ids instead of their names."""
    if isinstance(terms, list):
        return tuple(map(_with_ids, terms))
    if not isinstance(terms, dict):
        return terms
    return {
        field: _IDS[value]
        if field in _OF_PLAYERS
        else tuple(_IDS[name] for name in value)
        if field == "or_player_ids"
        else _with_ids(value)
        for field, value in terms.items()
    }


@pytest.mark.parametrize("kind", sorted({row["terms"]["kind"] for row in _lines("phrasings.jsonl")}))
def test_many_ways_to_say_one_thing_mean_it(kind: str):
    """Every line of the file holds one promise and sentences that all make it."""
    everybody = Roster(EVERYBODY)
    wrong: list[str] = []
    for row in _lines("phrasings.jsonl"):
        if row["terms"]["kind"] == kind:
            right = _with_ids(row["terms"])
            for sentence in row["sentences"]:
                if _without_defaults(parse_terms(sentence, everybody, row["made_in"])) != right:
                    wrong.append(sentence)
    assert wrong == []


class TestAnyWords:
    def test_whatever_is_said_is_read_without_a_fault_and_twice_alike(self):
        rng = Random(38)
        said = [sentence for row in _lines("phrasings.jsonl") for sentence in row["sentences"]]
        everybody = Roster(EVERYBODY)
        for _ in range(400):
            one, other = rng.choice(said).split(), rng.choice(said).split()
            mixture = " ".join(one[: rng.randint(0, len(one))] + other[rng.randint(0, len(other)) :])
            terms = parse_terms(mixture, everybody, rng.randint(1, 38))
            assert terms.first <= terms.last <= LAST_GAMEWEEK
        sentence = "Unless two of ours are out we take no hits before GW9."
        assert parse_terms(sentence, Roster(EVERYBODY), 3) == parse_terms(sentence, everybody, 3)


class TestWithoutARoster:
    def test_players_are_heard_of_in_the_sentences_themselves(self):
        heard = heard_in(
            [
                "Okonkwo stays until GW9, and Van der Berg goes.",
                "Selling Okonkwo is not an option.",
                "Patience wins leagues.",
                "Should Harry Wintle be out, the wildcard waits for the FPL deadline of GW9.",
                "Wintle starts.",
            ]
        )
        assert [person.name for person in heard] == ["Harry Wintle", "Okonkwo", "Van der Berg"]

    def test_well_known_players_need_no_roster_to_be_told_apart(self):
        roster = Roster(well_known_beside([]))
        bruno, other = (parse_terms(f"{name} stays.", roster) for name in ("Bruno Fernandes", "Bruno Guimarães"))
        assert isinstance(bruno, KeepPlayer)
        assert isinstance(other, KeepPlayer)
        assert bruno.player_id != other.player_id
        assert roster.clubs[bruno.player_id] == "MUN"


@needs_labels
class TestLabelledCases:
    def test_verdicts_on_sentences_are_right(self):
        checked = check_cases(LABELS / "verdicts.jsonl")
        assert [answer.id for answer in checked.answers if answer.answer != answer.expected] == []
        assert checked.accuracy == 1

    @pytest.mark.parametrize("people", ["verdicts.jsonl", "no squads at all"])
    def test_contradictions_are_found_and_no_others(self, people: str):
        compared = check_pairs(LABELS / "contradictions.jsonl", LABELS / people)
        wrong = [
            answer.id
            for answer in compared.answers
            if (answer.answer == "contradiction") != (answer.expected == "contradiction")
        ]
        assert wrong == []
        assert (compared.precision, compared.recall) == (1, 1)
