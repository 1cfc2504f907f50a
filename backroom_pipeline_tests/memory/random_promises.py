"""Random promises and random decisions to judge them on, crowded around the weeks and limits where verdicts turn.

Everything is made from one ``Random``. Hypothesis seeds it, which is fast; ``st.randoms(use_true_random=False)`` in its
place is slow and shrinks what fails.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple, get_args

from pydantic import TypeAdapter

from backroom_pipeline.fpl.model import Chip, ChipPlay
from backroom_pipeline.memory.commitments.decision import DecisionFacts, half
from backroom_pipeline.memory.model import Terms

terms_from: TypeAdapter[Terms] = TypeAdapter(Terms)

CHIPS: tuple[Chip, ...] = get_args(Chip)
FORMATIONS = ("3-4-3", "3-5-2", "4-3-3", "4-4-2", "4-5-1", "5-3-2", "5-4-1", "5-2-3")
CLUBS = ("ARS", "BUR", "CHE", "LIV", "MCI", "TOT")
LINES: dict[str, tuple[int, ...]] = {
    "GK": (1, 12),
    "DEF": (2, 3, 4, 13, 14),
    "MID": (5, 6, 7, 8, 15),
    "FWD": (9, 10, 11),
}
# Who may come for whom; a pair whose newcomer is already there goes the other way.
SWAPS = ((9, 26), (5, 24), (2, 22), (12, 21))
POSITIONS: dict[int, Any] = {
    **{player: line for line, players in LINES.items() for player in players},
    **{21: "GK", 22: "DEF", 24: "MID", 26: "FWD"},
}
# Promises speak of few players, so that promise and decision meet often.
NAMED_PLAYERS = (9, 26, 5, 24)

SINGLE_KINDS = (
    "hold_chip",
    "play_chip_in",
    "no_hits",
    "max_transfers",
    "keep_player",
    "sell_player",
    "buy_player",
    "avoid_player",
    "captain_player",
    "never_captain",
    "captain_pair",
    "start_player",
    "club_limit",
    "bank_transfers",
    "bank_money",
    "formation",
    "free_text",
)
KINDS = (*SINGLE_KINDS, "all_of")


class Case(NamedTuple):
    """A promise, when it was made, and decisions to judge it on, each in a week of its own."""

    terms: Terms
    made_in: int
    decisions: tuple[DecisionFacts, ...]


def random_case(rng: Random, kind: str) -> Case:
    """A promise of one kind and a decision near its limits, taken in every week in which the verdict may turn."""
    made_in = rng.choice([1, 3, 6, 17, 19, 20, 24, 36])
    facts = random_decision(rng)
    return _judged_all_over(rng, _promise(rng, kind, made_in, facts), made_in, facts)


def random_conditional_case(rng: Random, field: str) -> Case:
    """A promise that is always kept where it binds, made to depend on one thing."""
    made_in, facts = rng.choice([1, 3, 6, 17, 19, 20, 24, 36]), random_decision(rng)
    condition = {field: _possible_conditions(rng, facts)[field]}
    said = {"kind": "bank_money", "at_least": 0, "first": 1, "last": 38, rng.choice(["when", "unless"]): condition}
    return _judged_all_over(rng, said, made_in, facts)


def _judged_all_over(rng: Random, said: dict[str, Any], made_in: int, facts: DecisionFacts) -> Case:
    weeks, spoken_of = _turning_weeks(said, made_in), _chips_spoken_of(said)
    plays = _season_of_chips(rng, [*weeks, max(1, made_in - 3)], spoken_of)
    hits = {week: points for week in range(1, 39) if (points := rng.choice([0, 0, 4, 8]))}
    decisions = tuple(in_week(facts, week, rng.choice([facts.chip, None, *spoken_of]), plays, hits) for week in weeks)
    return Case(terms_from.validate_python(said), made_in, decisions)


def random_terms(rng: Random, kind: str, made_in: int) -> Terms:
    """A promise of one kind that was made in a gameweek, for a season of decisions of its own."""
    return terms_from.validate_python(_promise(rng, kind, made_in, random_decision(rng)))


def random_season(rng: Random, gameweeks: range) -> list[DecisionFacts]:
    """One manager's decisions week by week: each begins with the team, the chips and the hits the last one left."""
    swapped: frozenset[tuple[int, int]] = frozenset()
    plays: tuple[ChipPlay, ...] = ()
    hits: dict[int, int] = {}
    season: list[DecisionFacts] = []
    for gameweek in gameweeks:
        chip = rng.choice([None, None, *CHIPS])
        facts = in_week(random_decision(rng, swapped), gameweek, chip, plays, hits)
        season.append(facts)
        swapped = frozenset(pair for pair in SWAPS if pair[1] in facts.owned)
        hits = hits | {gameweek: facts.hit_points}
        plays = (*plays, *([ChipPlay(chip=facts.chip, gameweek=gameweek)] if facts.chip else []))
    return season


def random_decision(rng: Random, swapped_before: frozenset[tuple[int, int]] | None = None) -> DecisionFacts:
    """A decision that looks legal: fifteen in their lines, a legal formation; no gameweek or chips before it yet.

    ``swapped_before`` are the swaps that made the squad before this week what it was; random where it is not given.
    """
    opening = {place: place for line in LINES.values() for place in line}
    before = _swapped(opening, some(rng, SWAPS, 2) if swapped_before is None else swapped_before)
    after = _swapped(before, some(rng, SWAPS, 2))

    formation = rng.choice(FORMATIONS)
    wanted = dict(zip(LINES, (1, *map(int, formation.split("-"))), strict=True))
    starting: list[int] = []
    for line, places in LINES.items():
        starting += rng.sample([after[place] for place in places], wanted[line])
    captain, vice = rng.sample([*[player for player in starting if player in NAMED_PLAYERS], *starting[:4]], 2)
    return DecisionFacts(
        gameweek=38,
        chip=rng.choice([None, *CHIPS]),
        captain=captain,
        vice_captain=vice if vice != captain else starting[5],
        starting=frozenset(starting),
        bench=frozenset(after.values()) - frozenset(starting),
        bought=frozenset(after.values()) - frozenset(before.values()),
        sold=frozenset(before.values()) - frozenset(after.values()),
        hit_points=rng.choice([0, 4, 8]),
        formation=formation,
        bank_after=rng.randint(0, 20),
        free_transfers_before=rng.randint(1, 5),
        chips_played_before=(),
        unavailable=some(rng, (*NAMED_PLAYERS, 10, 12), 3),
        clubs={player: rng.choice(CLUBS) for player in POSITIONS},
        positions=POSITIONS,
    )


def in_week(
    facts: DecisionFacts, gameweek: int, chip: Chip | None, plays: tuple[ChipPlay, ...], hits: dict[int, int]
) -> DecisionFacts:
    """The decision taken in some week of a season with these chips and hits, with this chip if it is still there."""
    before = tuple(play for play in plays if play.gameweek < gameweek)
    if any(play.chip == chip and half(play.gameweek) == half(gameweek) for play in before):
        chip = None
    # Built anew from what is recorded: a copy would take along what was worked out for another week.
    return DecisionFacts(
        **{name: getattr(facts, name) for name in DecisionFacts.model_fields}
        | {
            "gameweek": gameweek,
            "chip": chip,
            "chips_played_before": before,
            "hits_before": {week: points for week, points in hits.items() if week < gameweek},
        }
    )


def some(rng: Random, among: tuple[Any, ...], at_most: int) -> frozenset[Any]:
    """Any number of them up to so many."""
    return frozenset(rng.sample(among, rng.randint(0, at_most)))


def _swapped(squad: dict[int, int], swaps: frozenset[tuple[int, int]]) -> dict[int, int]:
    """Who stands in each of the fifteen places after swaps; each pair changes whichever of the two is there."""
    return {
        place: next((old if now == new else new for old, new in swaps if now in (old, new)), now)
        for place, now in squad.items()
    }


def _season_of_chips(rng: Random, weeks: list[int], spoken_of: list[Chip]) -> tuple[ChipPlay, ...]:
    """Chips of a season, mostly at the given weeks: each at most once a half, one a week, at times all of a half."""
    plays: dict[int, Chip] = {}
    if rng.random() < 0.15:
        begins = max(1, min(weeks) - 4)
        plays = {begins + place: chip for place, chip in enumerate(CHIPS)}
    for chip in rng.sample([*CHIPS, *CHIPS, *spoken_of, *spoken_of], rng.randint(0, 6)):
        week = rng.choice(weeks)
        spent = any(other == chip and half(at) == half(week) for at, other in plays.items())
        if week not in plays and not spent:
            plays[week] = chip
    return tuple(ChipPlay(chip=chip, gameweek=week) for week, chip in sorted(plays.items()) if week <= 38)


def _turning_weeks(said: dict[str, Any], made_in: int) -> list[int]:
    """Weeks in which a verdict may turn: the edges of every window, the week of the promise, the turn of the season."""
    weeks = {made_in - 1, made_in, 19, 20}
    for part in (said, *said.get("parts", ())):
        first, last = max(part["first"], made_in), part["last"]
        weeks |= {first - 1, first, (first + last) // 2, last - 1, last, last + 1}
    return sorted(week for week in weeks if max(1, made_in - 1) <= week <= 38)


def _chips_spoken_of(said: dict[str, Any]) -> list[Chip]:
    chips: list[Any] = []
    for part in (said, *said.get("parts", ())):
        conditions = (part.get("when", {}), part.get("unless", {}))
        chips += [part.get("chip"), part.get("until_chip")]
        chips += [condition.get(name) for condition in conditions for name in ("chip", "chip_used")]
    return [chip for chip in chips if chip in CHIPS]


def _promise(rng: Random, kind: str, made_in: int, facts: DecisionFacts) -> dict[str, Any]:
    """A promise of one kind as plain values, its limits at or beside what the decision does."""
    if kind != "all_of":
        said = {"kind": kind, **_own_fields(rng, kind, facts), **_restraints(rng, made_in, facts)}
        if kind == "max_transfers" and rng.random() < 0.15:
            said["when"] = {"chip": rng.choice(["wildcard", "free_hit"])}
        return said
    kinds = [rng.choice(SINGLE_KINDS) for _ in range(rng.choice([2, 2, 3]))]
    if rng.random() < 0.1:
        kinds = ["free_text"] * len(kinds)
    parts = tuple(_promise(rng, part, made_in, facts) for part in kinds)
    around = _restraints(rng, made_in, facts) if rng.random() < 0.6 else {"first": 1, "last": 38}
    return {"kind": "all_of", "parts": parts, **around}


def _restraints(rng: Random, made_in: int, facts: DecisionFacts) -> dict[str, Any]:
    """A window around the week of the promise or the turn of the season, and at times what else limits it."""
    first = min(38, rng.choice([1, 1, 1, made_in, made_in + 2, 20]))
    last = rng.choice([38, 38, first, first + 2, made_in, made_in + 3, 19, 20, 25])
    said: dict[str, Any] = {"first": first, "last": min(38, max(first, last))}
    if rng.random() < 0.15:
        said["until_chip"] = rng.choice(CHIPS)
    if rng.random() < 0.2:
        said["when"] = _condition(rng, facts)
    if rng.random() < 0.2:
        said["unless"] = _condition(rng, facts)
    if rng.random() < 0.2:
        said["only_if_fit"] = True
    return said


def _condition(rng: Random, facts: DecisionFacts) -> dict[str, Any]:
    """One thing that must be so, sometimes two."""
    possible = _possible_conditions(rng, facts)
    return {name: possible[name] for name in rng.sample(sorted(possible), rng.choice([1, 1, 1, 2]))}


def _possible_conditions(rng: Random, facts: DecisionFacts) -> dict[str, Any]:
    out, free = len(facts.squad_before & facts.unavailable), facts.free_transfers_before
    return {
        "player_out": rng.choice(NAMED_PLAYERS),
        "player_fit": rng.choice(NAMED_PLAYERS),
        "out_at_least": rng.choice([out, out, out + 1]),
        "out_at_most": rng.choice([out, out, out - 1]),
        "owns": rng.choice(NAMED_PLAYERS),
        "owns_not": rng.choice(NAMED_PLAYERS),
        "free_transfers_at_least": rng.choice([free, free, free + 1]),
        "free_transfers_at_most": rng.choice([free, free, free - 1]),
        "chip": rng.choice(CHIPS),
        "chip_used": rng.choice(CHIPS),
    }


def _own_fields(rng: Random, kind: str, facts: DecisionFacts) -> dict[str, Any]:
    player = rng.choice(NAMED_PLAYERS)
    others = tuple(rng.sample(NAMED_PLAYERS, rng.choice([0, 1, 2])))
    chip = rng.choice([*CHIPS, "any", "any"])
    match kind:
        case "hold_chip":
            return {"chip": chip}
        case "play_chip_in":
            return {"chip": chip, "captain_id": rng.choice([None, player, facts.captain])}
        case "no_hits":
            # The limit left at nought beside an announced hit is the limit that nobody gave.
            limits = [(0, 0), (0, 0), (4, 0), (8, 0), (12, 0), (4, 4), (8, 4), (12, 4), (80, 4), (0, 4), (8, 8)]
            at_most, at_least = rng.choice(limits)
            over = rng.choice([1, 1, 2, 4])
            return {"at_most_points": at_most, "at_least_points": at_least, "over_gameweeks": over}
        case "max_transfers":
            made = len(facts.bought)
            at_least, limit = rng.choice([(0, made), (0, max(0, made - 1)), (made, made + 1), (made + 1, made + 1)])
            return {"limit": limit, "at_least": at_least, "in_chip_weeks": rng.random() < 0.3}
        case "keep_player" | "buy_player":
            return {"player_id": player}
        case "sell_player":
            return {"player_id": player, "replacement_id": rng.choice([None, None, *NAMED_PLAYERS])}
        case "avoid_player":
            return {"player_id": player, "owned": rng.random() < 0.5}
        case "captain_player":
            armband = _armband(rng, facts)
            return armband | {"or_player_ids": others} if "player_id" in armband else armband
        case "never_captain":
            return _armband(rng, facts)
        case "captain_pair":
            return {"same_club": rng.random() < 0.5}
        case "start_player":
            return {"player_id": player, "or_player_ids": others, "starting": rng.random() < 0.5}
        case "club_limit":
            return _limits(rng, rng.choice([1, 2, 3, 4])) | {
                "club": rng.choice([None, *CLUBS]),
                "position": rng.choice([None, None, "DEF", "MID"]),
                "starting_only": rng.random() < 0.5,
            }
        case "bank_transfers":
            unused, free = facts.free_transfers_before - len(facts.bought), facts.free_transfers_before
            leaving = {"leave_unused": max(1, rng.choice([unused, unused, unused + 1]))}
            return rng.choice([leaving, {"save_until": rng.choice([free, free + 1, 5])}])
        case "bank_money":
            return _limits(rng, facts.bank_after)
        case "formation":
            return _formation(rng, facts) | {"never": rng.random() < 0.3}
        case _:
            return {}


def _armband(rng: Random, facts: DecisionFacts) -> dict[str, Any]:
    wearer = rng.choice([facts.captain, facts.vice_captain, *NAMED_PLAYERS])
    who = rng.choice(
        [
            {"player_id": rng.choice(NAMED_PLAYERS)},
            {"player_id": wearer},
            {"club": facts.clubs[wearer]},
            {"position": facts.positions[wearer]},
        ]
    )
    return who | {"vice": rng.random() < 0.5}


def _limits(rng: Random, number: int) -> dict[str, Any]:
    """At least, at most, or both and then in order, at the number or beside it."""
    low, high = number + rng.choice([-1, 0, 0, 1]), number + rng.choice([-1, 0, 0, 1])
    return rng.choice([{"at_most": high}, {"at_least": low}, {"at_least": low, "at_most": max(low, high)}])


def _formation(rng: Random, facts: DecisionFacts) -> dict[str, Any]:
    if rng.random() < 0.5:
        line = rng.choice(["GK", "DEF", "MID", "FWD"])
        number = len([player for player in facts.starting if facts.positions[player] == line])
        return _limits(rng, number) | {"line": line}
    several = [*rng.sample(FORMATIONS, rng.choice([1, 1, 2, 3])), facts.formation]
    rng.shuffle(several)
    several = several[: rng.choice([1, 2, 4])]
    return {"formation": several[0], "or_formations": tuple(several[1:])}
