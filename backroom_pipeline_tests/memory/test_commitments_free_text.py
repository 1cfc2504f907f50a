"""Convictions that deny each other are told from those that only share their words, with vectors and without."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from backroom_pipeline.memory.commitments.free_text import Embed, Sentence, opposed, similarities
from backroom_pipeline.memory.embedder import load_embedder

LABELS = Path(__file__).parents[3] / "shared" / "labels"

DENIED = [
    ("I trust my early research.", "I no longer trust my early research."),
    ("Fixtures matter more than form to me.", "Fixtures do not matter more than form to me."),
    ("Patience pays in this game.", "Patience does not pay in this game any more."),
    ("I never chase last week's points.", "I am chasing last week's points and I do not mind saying it."),
    ("Early kick-offs are bad for my captain.", "Early kick-offs are not bad for my captain at all."),
    ("I believe in boring defenders.", "I've stopped believing in boring defenders."),
    ("Gut feeling has no place in my team.", "Gut feeling has a place in my team."),
    ("A premium keeper is worth the money.", "A premium keeper isn't worth the money."),
    ("My bench is an afterthought.", "My bench is no afterthought."),
    ("I am not a gambler.", "I'm a gambler now."),
    ("I won't be talked into fashionable midfielders.", "I was talked into fashionable midfielders."),
    ("Differentials win leagues.", "Differentials don't win leagues."),
    ("I refuse to panic over falling prices.", "I panic over falling prices."),
    ("Clean sheets are luck.", "Clean sheets are not luck, they are work."),
    ("I shall never again rely on a rotating winger.", "I rely on a rotating winger, and cheerfully."),
    ("Home advantage is real.", "Home advantage isn't real, the numbers say so."),
    ("My assistant's spreadsheets are gospel.", "My assistant's spreadsheets are no gospel."),
    ("I do not read the tabloids before a deadline.", "I read the tabloids before every deadline."),
    ("Loyalty to Okafor has cost me nothing.", "Loyalty to Okafor has cost me."),
]
COMPATIBLE = [
    ("I do not dislike long trips for my strikers.", "I like long trips for my strikers."),
    ("I'm not unhappy with my defence.", "I'm happy with my defence."),
    ("I won't not back my own judgement.", "I back my own judgement."),
    ("I trust my early research.", "I never trust a friendly."),
    ("I do not panic after one bad week.", "Two bad weeks and I panic."),
    ("No striker of mine is safe.", "Every striker of mine is on notice."),
    ("I never worry about price rises.", "Price falls worry me."),
    ("I don't like Palmer's fixtures.", "I like Saka's fixtures."),
    ("I won't trust a rotation risk unless he starts twice.", "I trust a rotation risk."),
    ("I am patient with strikers.", "I am not patient with defenders."),
    ("I like a differential captain.", "I don't like captaining against my own defence."),
    ("Nobody should copy my team.", "I copy nobody's team."),
    ("Form beats fixtures.", "Fixtures never beat form."),
    ("I never say never about a comeback.", "I say a comeback is always possible."),
    ("I refuse to panic when prices fall.", "Prices fall and I panic."),
    ("Penalty takers are worth a premium.", "Free-kick takers are not worth a premium."),
    ("I don't trust promoted goalkeepers.", "I trust promoted strikers."),
    ("Nothing scares me in December.", "January scares me a little."),
    ("I do not enjoy Monday night matches.", "Monday night matches decide leagues."),
    ("I won't complain about the referee.", "The referee has a complaint about me."),
    ("My captain does not need to be popular.", "My captain needs to be at home."),
    ("I have never won a league.", "I want to win a league."),
    ("I am no friend of early transfers.", "Early transfers are no friend of mine."),
]


@pytest.fixture(scope="module")
def embed() -> Embed:
    return load_embedder("local").embed


def clash(earlier: str, later: str, embed: Embed | None, weeks: tuple[int, int] = (2, 6)) -> bool:
    return opposed(Sentence(earlier, weeks[0]), Sentence(later, weeks[1]), embed) is not None


@pytest.mark.parametrize("pair", DENIED)
def test_what_was_said_is_denied(pair: tuple[str, str], embed: Embed) -> None:
    assert clash(*pair, embed)
    assert clash(*pair, None)


@pytest.mark.parametrize("pair", DENIED)
def test_it_does_not_matter_which_of_the_two_says_no(pair: tuple[str, str], embed: Embed) -> None:
    assert clash(pair[1], pair[0], embed)


@pytest.mark.parametrize("pair", COMPATIBLE)
def test_both_may_be_true(pair: tuple[str, str], embed: Embed) -> None:
    assert not clash(*pair, embed)
    assert not clash(*pair, None)


@pytest.mark.parametrize("pair", [*DENIED, *COMPATIBLE])
def test_nobody_contradicts_himself_by_saying_it_again(pair: tuple[str, str], embed: Embed) -> None:
    assert not clash(pair[0], pair[0], embed)
    assert not clash(pair[1], pair[1], None)


def test_a_conviction_binds_in_its_own_weeks_only(embed: Embed) -> None:
    assert not clash("I don't fancy away days this week.", "I fancy away days.", embed)
    assert clash("I don't fancy away days until gameweek eight.", "I fancy away days.", embed)
    assert not clash("I don't fancy away days until gameweek eight.", "I fancy away days.", embed, (2, 8))


def test_another_number_is_another_statement(embed: Embed) -> None:
    assert not clash("I never trust a run of three matches.", "I trust a run of six matches.", embed)


def test_the_reason_says_which_gameweek_said_yes(embed: Embed) -> None:
    found = opposed(Sentence("Clean sheets are luck.", 2), Sentence("Clean sheets aren't luck.", 6), embed)
    assert found is not None
    assert found.reason == "What gameweek 2 affirmed is denied in gameweek 6."
    assert 0.6 < found.similarity <= 1


def test_sentences_that_vectors_hold_to_be_strangers_do_not_clash() -> None:
    def strangers(texts: Sequence[str]) -> list[list[float]]:
        return [[float(place == number) for place in range(len(texts))] for number in range(len(texts))]

    assert not clash(*DENIED[0], strangers)


def test_without_vectors_nearness_is_the_share_of_common_roots() -> None:
    near = similarities("Patience pays.", ["Patience paid.", "Patience and a bank.", "A bank."], None)
    assert near == [1.0, pytest.approx(1 / 3), 0.0]


def test_of_the_labelled_pairs_none_is_accused_wrongly(embed: Embed) -> None:
    if not LABELS.is_dir():
        pytest.skip(f"there are no labelled pairs at {LABELS}")
    accused = [
        pair["label"]
        for pair in map(json.loads, (LABELS / "contradictions.jsonl").read_text(encoding="utf-8").splitlines())
        if opposed(*(Sentence(pair[when]["text"], pair[when]["gameweek"]) for when in ("earlier", "later")), embed)
    ]
    assert accused
    assert set(accused) == {"contradiction"}


def test_managers_who_are_not_meant_to_contradict_themselves_do_not(embed: Embed) -> None:
    if not LABELS.is_dir():
        pytest.skip(f"there are no labelled narratives at {LABELS}")
    said: dict[str, list[Sentence]] = {}
    for line in (LABELS / "narratives.jsonl").read_text(encoding="utf-8").splitlines():
        week = json.loads(line)
        said.setdefault(week["manager"], []).extend(Sentence(claim, week["gameweek"]) for claim in week["claims"])
    pairs = [pair for claims in said.values() for pair in combinations(claims, 2)]
    assert len(pairs) > 500
    assert not [pair for pair in pairs if opposed(*pair, embed)]
