"""A manager's own words are recognised when they come again, quoted or nearly the same, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments.free_text import Sentence, opposed
from backroom_pipeline.memory.commitments.openness import is_open
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import Claim, FreeText
from backroom_pipeline.memory.quotes import Earlier, OwnWords, Quote, earlier_words
from backroom_pipeline_tests.memory import invented

SHARED = Path(__file__).parents[3] / "shared" / "labels" / "narratives.jsonl"

PROMISES = {
    2: "My wildcard stays in the drawer until gameweek nine.",
    3: "I will not pay points for a transfer while Okafor is fit.",
    5: "Lindqvist is sold by gameweek seven at the latest.",
}
NARRATIVES = {
    2: "The opening was dreadful and I shall say no more about it. A squad is a promise to fifteen families. "
    "Okafor against Norwich at home is the only pick I would defend in court.",
    3: "Nobody outscored Okafor on Saturday. The bank is not a savings account, it is a fire extinguisher.",
    5: "Lindqvist has one goal in five and three yellow cards, which is the wrong way round.",
}
SOURCES = [
    *(Earlier(f"promise {week}", "2025-26", week, text, True) for week, text in PROMISES.items()),
    *(Earlier(f"narrative {week}", "2025-26", week, text) for week, text in NARRATIVES.items()),
]
OWN = OwnWords(sorted(SOURCES, key=lambda source: (source.gameweek, not source.is_promise)))


def only(text: str) -> Quote:
    (quote,) = OWN.quoted_in(text)
    return quote


def test_a_promise_between_quotation_marks_is_found_with_its_gameweek_and_its_place() -> None:
    text = (
        'Half the league has pressed the button. I wrote "My wildcard stays in the drawer until gameweek nine." and so.'
    )
    quote = only(text)
    assert (quote.record_id, quote.gameweek, quote.verbatim, quote.similarity) == ("promise 2", 2, True, 1.0)
    assert quote.sentence == PROMISES[2]
    assert text[quote.start : quote.end] == quote.passage == "My wildcard stays in the drawer until gameweek nine"


@pytest.mark.parametrize(
    "text",
    [
        "I said it: “my wildcard STAYS in the drawer until gameweek nine”, and it does.",
        "As I put it in week two, my wildcard stays in the drawer until gameweek nine!",
        'In gameweek 2: "…stays in the drawer until gameweek nine". Still true.',
    ],
)
def test_case_punctuation_and_the_kind_of_quotation_marks_do_not_matter(text: str) -> None:
    quote = only(text)
    assert (quote.record_id, quote.verbatim) == ("promise 2", True)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("I promised that my wildcard would stay in the drawer till week nine, and I meant it.", "promise 2"),
        ("I said I wouldn't be paying points for transfers while Okafor is fit. He is fit.", "promise 3"),
        ("I told you Lindqvist would be sold by GW7 at the latest.", "promise 5"),
        ("“The bank was no savings account, it was a fire extinguisher”, I wrote.", "narrative 3"),
    ],
)
def test_the_same_in_another_tense_or_person_is_an_echo(text: str, source: str) -> None:
    quote = only(text)
    assert (quote.record_id, quote.verbatim) == (source, False)
    assert 0.7 <= quote.similarity < 1


@pytest.mark.parametrize(
    "text",
    [
        "My bench boost stays in the drawer until gameweek nine.",
        "My wildcard stays in the drawer until gameweek twelve.",
        "I will not pay points for a transfer while Lindqvist is fit.",
        "Okafor against Burnley at home is the only pick I would defend in court.",
        "Okafor is fit, the bank is full, and there is no transfer to pay for.",
        "The wildcard is out of the drawer.",
        "At the end of the day the fixture is what it is, and he is my captain.",
    ],
)
def test_the_same_about_somebody_or_some_week_else_is_not_a_quotation(text: str) -> None:
    assert OWN.quoted_in(text) == []


def test_a_whole_promise_said_again_without_marks_is_a_quotation() -> None:
    assert only("Nothing changes. Lindqvist is sold by gameweek seven at the latest. On we go.").gameweek == 5


def test_a_part_of_a_narrative_is_found_where_it_is_quoted() -> None:
    quote = only("Remember gameweek 3? “It is a fire extinguisher.” It was, and it is empty.")
    assert (quote.record_id, quote.gameweek) == ("narrative 3", 3)
    assert 0 < quote.similarity < 1


def test_a_text_may_quote_several_weeks_and_no_passage_twice() -> None:
    text = f'First I said "{PROMISES[2]}" and then "{PROMISES[5]}" and both are settled today.'
    assert [quote.gameweek for quote in OWN.quoted_in(text)] == [2, 5]


def test_what_was_quoted_before_is_traced_to_where_it_was_said() -> None:
    again = Earlier("narrative 6", "2025-26", 6, f'I keep my word: "{PROMISES[2]}" The drawer is shut.')
    quote = OwnWords([*SOURCES, again]).quoted_in(f'I say it a third time: "{PROMISES[2]}"')
    assert [each.record_id for each in quote] == ["promise 2"]


def test_of_two_gameweeks_that_said_it_the_one_the_text_names_is_meant_else_the_first() -> None:
    twice = OwnWords([*SOURCES, Earlier("promise 8", "2025-26", 8, PROMISES[2], True)])
    assert twice.quoted_in(f'In gameweek 8 I said "{PROMISES[2]}"')[0].gameweek == 8
    assert twice.quoted_in(f'I said "{PROMISES[2]}"')[0].gameweek == 2


def test_a_turn_of_phrase_counts_between_quotation_marks_only() -> None:
    players = ("Okafor", "Lindqvist", "Baptiste", "Yilmaz")
    often = OwnWords(
        [
            Earlier(str(week), "2025-26", week, f"So it goes. {name} wears the armband because I like a quiet life.")
            for week, name in enumerate(players, 1)
        ]
    )
    assert often.quoted_in("Lindqvist wears the armband because I like a quiet life.") == []
    assert often.quoted_in('"Lindqvist wears the armband because I like a quiet life," I said.')[0].gameweek == 2


def test_a_sentence_about_nobody_is_no_quotation_unless_it_is_said_to_be_one() -> None:
    assert OWN.quoted_in("The opening was dreadful and I shall say no more about it.") == []
    assert only("As I said, the opening was dreadful and I shall say no more about it.").gameweek == 2


def test_who_has_said_nothing_quotes_nothing() -> None:
    assert OwnWords([]).quoted_in(f'"{PROMISES[2]}" And an empty one: "".') == []
    assert OWN.quoted_in("") == []


def test_earlier_words_are_promises_and_reasoning_of_the_time_before_and_of_nobody_else(
    ledger: Ledger, gateway: Gateway
) -> None:
    for gameweek in (1, 2, 3):
        invented.decide(ledger, gameweek, ("opus", "grok"))
    said = earlier_words(ledger, "opus", (invented.SEASON, 3))
    assert [source.gameweek for source in said] == sorted(source.gameweek for source in said)
    assert {source.gameweek for source in said} == {1, 2}
    narratives = [source.text for source in said if not source.is_promise]
    assert narratives == [invented.reasoning(1, 0), invented.reasoning(2, 0)], "without captain, bank and line-up"
    assert [source.is_promise for source in said].index(False) == 6, "promises come before the words of their week"


def test_the_labelled_narratives_quote_what_they_are_said_to_quote() -> None:
    if not SHARED.is_file():
        pytest.skip(f"the labelled narratives are not at {SHARED}")
    rows = [json.loads(line) for line in SHARED.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        earlier = [each for each in rows if each["manager"] == row["manager"] and each["gameweek"] < row["gameweek"]]
        sources = [
            Earlier(f"{each['gameweek']} {text}", "", each["gameweek"], text, text != each["text"])
            for each in earlier
            for text in (*each["claims"], each["text"])
        ]
        found = {(quote.gameweek, quote.sentence) for quote in OwnWords(sources).quoted_in(row["text"])}
        assert found == {(quote["gameweek"], quote["text"]) for quote in row["quotes"]}


@given(text=st.text(max_size=300), said=st.sampled_from([*PROMISES.values(), *NARRATIVES.values()]))
@settings(max_examples=150, deadline=None)
def test_no_text_is_too_odd_and_passages_stand_where_they_are_said_to(text: str, said: str) -> None:
    for whole in (text, f"{text}\n“{said}”\n{text}"):
        for quote in OWN.quoted_in(whole):
            assert whole[quote.start : quote.end] == quote.passage
            assert 0 < quote.similarity <= 1
    promise = Claim(text=said, terms=FreeText(kind="free_text"))
    assert isinstance(is_open(text, promise, [text[:20]]), bool)
    if text.strip():
        opposed(Sentence(text, 1), Sentence(said, 2), None)
