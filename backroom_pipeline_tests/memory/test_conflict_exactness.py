"""Two promises conflict exactly when every possible course of decisions breaks one of them.

Small worlds in which all courses can be tried: from the week of the later promise on, every decision of every week,
each judged by the plain second judge. No conditions here; what lets a promise off is told in sentences elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from functools import cache
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom_pipeline.fpl.model import ChipPlay
from backroom_pipeline.memory.commitments import Context, DecisionFacts, Said, conflict
from backroom_pipeline_tests.memory.decisions import OUTSIDER, decision, swapped
from backroom_pipeline_tests.memory.random_promises import FORMATIONS, terms_from
from backroom_pipeline_tests.memory.reference_judge import reference_verdict

WEEKS = range(18, 22)
"""The turn of the season is among them, where every chip comes back."""

State = Hashable


class World(NamedTuple):
    """What can be decided, and what it leads to."""

    begins: State
    courses: Callable[[State, int], Iterable[tuple[State, DecisionFacts]]]
    """Every decision that is possible in a state and a week, with the state after it."""
    promise: Callable[[Random], dict[str, Any]]
    weeks: range = WEEKS


def can_all_be_honoured(world: World, said: Iterable[Said], since: int) -> bool:
    """Whether some course of decisions from a week on breaks none of the promises."""
    promises = list(said)
    states: set[State] = {world.begins}
    for week in range(since, world.weeks.stop):
        reached: set[State] = set()
        for after, facts in (course for state in states for course in world.courses(state, week)):
            if after not in reached and not any(_breaks(facts, promise) for promise in promises):
                reached.add(after)
        states = reached
    return bool(states)


def _breaks(facts: DecisionFacts, said: Said) -> bool:
    return reference_verdict(said.terms, said.made_in, facts) == "broken"


# Chips: two of the four, so that "any" and two at once are among the courses.


@cache
def _chip_courses(plays: tuple[ChipPlay, ...], week: int) -> list[tuple[State, DecisionFacts]]:
    courses: list[tuple[State, DecisionFacts]] = [(plays, decision(week, chips_played_before=plays))]
    for chip in ("wildcard", "bench_boost"):
        if any(play.chip == chip and (play.gameweek < 20) == (week < 20) for play in plays):
            continue
        now = ChipPlay(chip=chip, gameweek=week)
        courses.append(((*plays, now), decision(week, chip=chip, chips_played_before=plays)))
    return courses


def _chip_promise(rng: Random) -> dict[str, Any]:
    chip = rng.choice(["wildcard", "wildcard", "bench_boost", "any"])
    return {"kind": rng.choice(["hold_chip", "play_chip_in", "play_chip_in"]), "chip": chip}


# The armband: somebody of each of three clubs in each of three lines.

WEARERS = range(1, 10)
CLUBS = {player: ("ARS", "CHE", "MCI")[player % 3] for player in WEARERS}
LINES: dict[int, Any] = {player: ("DEF", "MID", "FWD")[player % 9 // 3] for player in WEARERS}


@cache
def _armband_courses(state: State, week: int) -> list[tuple[State, DecisionFacts]]:
    pairs = [(captain, vice) for captain, vice in product(WEARERS, WEARERS) if captain != vice]
    return [
        (state, decision(week, captain=captain, vice_captain=vice, clubs=CLUBS, positions=LINES))
        for captain, vice in pairs
    ]


def _armband_promise(rng: Random) -> dict[str, Any]:
    kind = rng.choice(["captain_player", "captain_player", "never_captain"])
    player = rng.choice(WEARERS[:4])
    who: dict[str, Any] = rng.choice(
        [{"player_id": player}, {"player_id": player}, {"club": CLUBS[player]}, {"position": LINES[player]}]
    )
    if kind == "captain_player" and "player_id" in who and rng.random() < 0.4:
        who["or_player_ids"] = (player % 4 + 1,)
    return {"kind": kind, **who, "vice": rng.random() < 0.3}


# One player, in the team or not.


@cache
def _squad_courses(owned: bool, week: int) -> list[tuple[State, DecisionFacts]]:
    without = decision(week, starting=[1, 2, 3, 4, OUTSIDER, 6, 7, 8, 9, 10, 11])
    if owned:
        return [(True, decision(week)), (False, swapped(week, out=5, into=OUTSIDER))]
    bought = decision(week, bought=[5], sold=[OUTSIDER])
    return [(False, without), (True, bought)]


def _squad_promise(rng: Random) -> dict[str, Any]:
    return {"kind": rng.choice(["keep_player", "sell_player"]), "player_id": 5}


# How many of a club, in two lines, in the eleven and on the bench, beside two other clubs.

CELLS = (("ARS", "DEF", True), ("ARS", "DEF", False), ("ARS", "MID", True), ("ARS", "MID", False))
CHELSEA_CELLS = (("CHE", "DEF", True), ("CHE", "MID", False), ("CHE", "MID", True))
CHELSEA_COUNTS = ((0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0), (0, 3, 0), (1, 2, 0), (2, 1, 0), (0, 0, 3))


@cache
def _club_courses(state: State, week: int) -> list[tuple[State, DecisionFacts]]:
    courses: list[tuple[State, DecisionFacts]] = []
    few = [counts for counts in product(range(4), repeat=len(CELLS)) if sum(counts) <= 6]
    for counts, of_chelsea, of_others in product(few, CHELSEA_COUNTS, (0, 3)):
        cells = zip((*CELLS, *CHELSEA_CELLS), (*counts, *of_chelsea), strict=True)
        players = [cell for cell, count in cells for _ in range(count)]
        players += [("LIV", "DEF", True), ("LIV", "MID", True)] * of_others
        starting = {number for number, (_, _, starts) in enumerate(players) if starts}
        facts = decision(
            week,
            starting=starting,
            bench=set(range(len(players))) - starting,
            clubs={number: club for number, (club, _, _) in enumerate(players)},
            positions={number: line for number, (_, line, _) in enumerate(players)},
        )
        courses.append((state, facts))
    return courses


def _club_promise(rng: Random) -> dict[str, Any]:
    club = rng.choice(["ARS", "ARS", "ARS", "CHE", None])
    return {
        "kind": "club_limit",
        "club": club,
        "position": rng.choice([None, None, None, "DEF", "MID"]) if club != "CHE" else None,
        "starting_only": rng.random() < 0.3,
        **rng.choice([{"at_most": rng.randint(0, 2)}, {"at_least": rng.choice([1, 2, 3, 3])}]),
    }


@cache
def _money_courses(state: State, week: int) -> list[tuple[State, DecisionFacts]]:
    return [(state, decision(week, bank_after=bank)) for bank in range(13)]


def _money_promise(rng: Random) -> dict[str, Any]:
    low = rng.randint(0, 10)
    limits = [{"at_least": low}, {"at_most": low}, {"at_least": low, "at_most": low + rng.randint(0, 2)}]
    return {"kind": "bank_money", **rng.choice(limits)}


@cache
def _formation_courses(state: State, week: int) -> list[tuple[State, DecisionFacts]]:
    return [(state, decision(week, formation=formation)) for formation in FORMATIONS]


def _formation_promise(rng: Random) -> dict[str, Any]:
    never = rng.random() < 0.3
    if rng.random() < 0.5:
        several = rng.sample(FORMATIONS, rng.choice([1, 1, 2, 4]))
        return {"kind": "formation", "formation": several[0], "or_formations": tuple(several[1:]), "never": never}
    line = rng.choice(["DEF", "MID", "FWD"])
    number = rng.randint(*{"DEF": (3, 5), "MID": (2, 5), "FWD": (1, 3)}[line])
    limits = rng.choice([{"at_least": number}, {"at_most": number}, {"at_least": number, "at_most": number}])
    return {"kind": "formation", "line": line, "never": never, **limits}


WORLDS = {
    "chips": World((), _chip_courses, _chip_promise),
    "armband": World(None, _armband_courses, _armband_promise, WEEKS[:3]),
    "keep and sell": World(True, _squad_courses, _squad_promise),
    "club limits": World(None, _club_courses, _club_promise, WEEKS[:1]),
    "money": World(None, _money_courses, _money_promise, WEEKS[:3]),
    "formations": World(None, _formation_courses, _formation_promise, WEEKS[:3]),
}


def random_said(rng: Random, world: World, made_in: int) -> Said:
    first = rng.choice([1, *world.weeks])
    last = min(world.weeks[-1], rng.choice([first, first + 1, first + 18, 38, 38]))
    return Said(terms_from.validate_python({**world.promise(rng), "first": first, "last": last}), made_in)


@pytest.mark.parametrize("name", WORLDS)
def test_promises_conflict_exactly_when_no_course_honours_both(name: str):
    world = WORLDS[name]
    seen: Counter[bool] = Counter()

    @settings(max_examples=200, derandomize=True, database=None, deadline=None)
    @given(st.randoms(use_true_random=True))
    def holds(rng: Random):
        earlier = random_said(rng, world, world.weeks[0])
        later = random_said(rng, world, rng.choice(world.weeks[:3]))
        if not all(can_all_be_honoured(world, [said], later.made_in) for said in (earlier, later)):
            return
        possible = can_all_be_honoured(world, [earlier, later], later.made_in)
        found = conflict(earlier, later, Context(CLUBS, LINES))
        assert (found is None) == possible, (earlier, later, found)
        seen[possible] += 1

    holds()
    assert min(seen[True], seen[False]) >= 8, f"Too few either way to mean anything: {dict(seen)}."


def the_two(earlier: dict[str, Any], later: dict[str, Any], made_in: int = 5) -> str | None:
    return conflict(Said(terms_from.validate_python(earlier), 1), Said(terms_from.validate_python(later), made_in))


def test_a_promise_whose_weeks_are_over_conflicts_with_nothing():
    wildcard = {"kind": "play_chip_in", "chip": "wildcard"}
    assert the_two({**wildcard, "first": 3, "last": 4}, {**wildcard, "first": 9, "last": 9}) is None
    assert the_two({**wildcard, "first": 3, "last": 5}, {**wildcard, "first": 9, "last": 9}) is not None


def test_two_times_for_a_chip_stand_together_when_a_new_one_comes_between_them():
    wildcard = {"kind": "play_chip_in", "chip": "wildcard"}
    assert the_two({**wildcard, "first": 18, "last": 21}, {**wildcard, "first": 22, "last": 22}) is None
    assert the_two({**wildcard, "first": 20, "last": 21}, {**wildcard, "first": 22, "last": 22}) is not None


def test_a_sale_due_in_the_weeks_of_keeping_conflicts_with_it_however_early_it_may_happen():
    keep = {"kind": "keep_player", "player_id": 5, "first": 8, "last": 10}
    assert the_two(keep, {"kind": "sell_player", "player_id": 5, "last": 9}) is not None
    assert the_two(keep, {"kind": "sell_player", "player_id": 5, "last": 11}) is None
