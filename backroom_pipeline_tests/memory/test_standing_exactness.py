"""How promises stand through random seasons: every verdict is recorded until the promise is closed, none after."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom_pipeline.memory.commitments import DecisionFacts, stand, without_repeats
from backroom_pipeline.memory.model import (
    AllOf,
    Claim,
    Condition,
    FreeText,
    KeepPlayer,
    NoHits,
    PlayChipIn,
    StandingClaim,
    Terms,
)
from backroom_pipeline_tests.memory.decisions import OUTSIDER, decision, swapped
from backroom_pipeline_tests.memory.random_promises import KINDS, random_season, random_terms
from backroom_pipeline_tests.memory.reference_judge import reference_verdict

through_seasons = settings(max_examples=40, derandomize=True, database=None, deadline=None)
seeded = given(st.randoms(use_true_random=True))

# Sold, bought or wasted is so for good, and closes a promise that would otherwise be judged again every week.
CLOSED_FOR_GOOD = {"keep_player", "sell_player", "buy_player", "play_chip_in"}


def said(terms: Terms, made_in: int, ordinal: int = 0, text: str = "A promise.") -> StandingClaim:
    claim = Claim(text=text, terms=terms)
    return StandingClaim(
        record_id=f"{made_in}/{ordinal}", manager="opus", made_in=made_in, ordinal=ordinal, claim=claim
    )


def made_in_a_season(rng: Random, kind: str) -> tuple[StandingClaim, list[DecisionFacts]]:
    begins = rng.choice([1, 13])
    gameweeks = range(begins, begins + 12)
    made_in = rng.choice([begins, begins + 1, begins + 5])
    return said(random_terms(rng, kind, made_in), made_in), random_season(rng, gameweeks)


def before(season: list[DecisionFacts], gameweek: int) -> list[DecisionFacts]:
    return [facts for facts in season if facts.gameweek < gameweek]


def singles(terms: Terms) -> tuple[Terms, ...]:
    return terms.parts if isinstance(terms, AllOf) else (terms,)


@pytest.mark.parametrize("kind", KINDS)
def test_history_is_every_verdict_until_it_is_closed_and_a_later_week_changes_no_earlier_one(kind: str):
    recorded: Counter[str] = Counter()

    @through_seasons
    @seeded
    def holds(rng: Random):
        made, season = made_in_a_season(rng, kind)
        kept: list[int] = []
        broken: list[int] = []
        for facts in season:
            standing = stand(made, before(season, facts.gameweek), facts.gameweek)
            assert (standing.kept, standing.broken) == (tuple(kept), tuple(broken))
            verdict = reference_verdict(made.claim.terms, made.made_in, facts)
            if standing.open and verdict in ("kept", "broken"):
                (kept if verdict == "kept" else broken).append(facts.gameweek)
                recorded[verdict] += 1
        ended = stand(made, season, season[-1].gameweek + 1)
        assert (ended.kept, ended.broken) == (tuple(kept), tuple(broken))

    holds()
    assert len(recorded) == (0 if kind == "free_text" else 2)


@pytest.mark.parametrize("kind", KINDS)
def test_a_closed_promise_stays_closed_and_binds_no_later_decision(kind: str):
    closed_early: Counter[bool] = Counter()

    @through_seasons
    @seeded
    def holds(rng: Random):
        made, season = made_in_a_season(rng, kind)
        terms = made.claim.terms
        layers = (terms, *singles(terms))
        for_good = any(part.kind in CLOSED_FOR_GOOD or (part.when and part.when.owns) for part in layers)
        was_closed = False
        for facts in season:
            closed = not stand(made, before(season, facts.gameweek), facts.gameweek).open
            assert closed or not was_closed
            assert closed or facts.gameweek <= terms.last
            if closed and facts.gameweek >= made.made_in:
                closed_early[facts.gameweek <= terms.last] += 1
                verdict = reference_verdict(terms, made.made_in, facts)
                assert for_good or verdict in ("not_applicable", "unclear")
                assert terms.kind != "play_chip_in" or verdict != "kept"
            was_closed = closed

    holds()
    assert closed_early[False], "No promise of this kind lapsed: nothing was tested."
    assert closed_early[True] or kind in ("free_text", "captain_pair"), "None was closed before its last week."


def test_repeats_fold_without_losing_a_promise_or_a_week_in_which_it_was_said():
    folded: Counter[bool] = Counter()

    @settings(through_seasons, max_examples=200)
    @seeded
    def holds(rng: Random):
        season = random_season(rng, range(1, 11))
        gameweek = 7
        models = [random_terms(rng, rng.choice([*KINDS, "free_text", "all_of"]), 1) for _ in range(3)]
        claims = [
            said(begun_in(rng, rng.choice(models)), rng.choice([1, 2, 5]), ordinal, rng.choice(["One.", "Two."]))
            for ordinal in range(6)
        ]
        stood = [stand(claim, before(season, gameweek), gameweek) for claim in claims]
        rng.shuffle(stood)
        left = without_repeats(stood)
        assert left == without_repeats(left)
        assert [bare(claim) for claim in left] == [claim for claim in in_order_made(stood) if claim in map(bare, left)]
        for claim in stood:
            gone = claim not in map(bare, left)
            folded[gone] += 1
            if gone:
                assert claim.open
                assert any(
                    says_the_same(first, claim, season)
                    and (first.made_in == claim.made_in or claim.made_in in first.repeated_in)
                    for first in left
                )
        for first in left:
            for week in first.repeated_in:
                assert any(claim.made_in == week and says_the_same(first, claim, season) for claim in stood)

    holds()
    assert min(folded[True], folded[False]) > 100


def begun_in(rng: Random, terms: Terms) -> Terms:
    return terms.model_copy(update={"first": min(terms.last, rng.choice([terms.first, 1, 6]))})


def bare(claim: StandingClaim) -> StandingClaim:
    return claim.model_copy(update={"repeated_in": ()})


def in_order_made(claims: list[StandingClaim]) -> list[StandingClaim]:
    return sorted(claims, key=lambda claim: (claim.made_in, claim.ordinal))


def says_the_same(one: StandingClaim, other: StandingClaim, season: list[DecisionFacts]) -> bool:
    """Whether an open claim is as good as a later one: opinions word by word, promises by what they ask for since."""
    terms, others = one.claim.terms, other.claim.terms
    if any(isinstance(part, FreeText) for part in singles(terms)) and one.claim.text != other.claim.text:
        return False
    same_kinds = [part.kind for part in singles(terms)] == [part.kind for part in singles(others)]
    return (one.open and one.made_in <= other.made_in and same_kinds) and all(
        reference_verdict(terms, one.made_in, facts) == reference_verdict(others, other.made_in, facts)
        for facts in season
        if facts.gameweek >= other.made_in
    )


def test_a_promise_said_again_once_it_has_begun_is_the_same_promise():
    terms = NoHits(kind="no_hits", first=3)
    (first,) = without_repeats([said(terms, 2), said(terms, 5), said(NoHits(kind="no_hits"), 6)])
    assert (first.made_in, first.repeated_in) == (2, (5, 6))


def test_two_convictions_in_one_sentence_are_told_apart_by_their_words():
    both = AllOf(kind="all_of", parts=(FreeText(kind="free_text"), FreeText(kind="free_text")))
    assert (
        len(without_repeats([said(both, 2, text="One."), said(both, 3, text="Two."), said(both, 4, text="One.")])) == 2
    )


def test_a_chip_promised_again_beside_something_else_after_it_was_played_is_a_new_promise():
    terms = AllOf(kind="all_of", parts=(PlayChipIn(kind="play_chip_in", chip="any"), NoHits(kind="no_hits")))
    assert len(without_repeats([said(terms, 2), said(terms, 5)])) == 2


def test_an_exception_that_let_a_player_go_is_the_end_of_the_promise_to_keep_him():
    keep = KeepPlayer(kind="keep_player", player_id=5, unless=Condition(player_out=5))
    sold, recovered = (
        swapped(3, out=5, into=OUTSIDER, unavailable=[5]),
        decision(4, starting=[*range(1, 5), *range(6, 12), OUTSIDER]),
    )
    standing = stand(said(keep, 1), [decision(2), sold, recovered], 5)
    assert (standing.kept, standing.broken, standing.open) == ((2,), (), False)
