"""What a player scores in a match, from the raw statistics of it, and who gets the match's bonus, by season.

Everything is counted per match: a double gameweek is the sum of two matches, each with its own thresholds (CASES R10),
and a blank or postponed one is no match and no points. The scoring of a season is in its season file; what the official
API states of it (``game_config.scoring``) is taken from there where a source has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from backroom_pipeline.fpl.model import POSITIONS, Frozen, MatchPerformance, Position, Stats

ByPosition = dict[Position, int]
AtLeastOne = Annotated[int, Field(ge=1)]

LONG_PLAY_MINUTES = 60
"""From here on a player has played long: the same in every season."""

# What the API calls each term, where it states it for everybody alike and where by position.
_STATED = (
    ("short_play", "short_play"),
    ("long_play", "long_play"),
    ("assists", "assists"),
    ("saves", "saves"),
    ("penalties_saved", "penalties_saved"),
    ("penalties_missed", "penalties_missed"),
    ("yellow_cards", "yellow_cards"),
    ("red_cards", "red_cards"),
    ("own_goals", "own_goals"),
)
_STATED_BY_POSITION = (
    ("goals", "goals_scored"),
    ("clean_sheets", "clean_sheets"),
    ("conceded", "goals_conceded"),
)
_DEFENSIVE_CONTRIBUTION = "defensive_contribution"
# Bonus is counted as awarded; the multiplier is the captain's and not a term of a player's own points.
_ELSEWHERE = frozenset({"bonus", "special_multiplier"})
_API_POSITION: Mapping[Position, str] = MappingProxyType({"GK": "GKP", "DEF": "DEF", "MID": "MID", "FWD": "FWD"})
_STATED_SCORING = TypeAdapter(dict[str, int | dict[str, int]])


class UnknownScoring(ValueError):
    """A source states a scoring that cannot be followed; the sentence names the term."""


class DefensiveContribution(Frozen):
    """Points for a match with enough clearances, blocks, interceptions and tackles (and recoveries, up front)."""

    points: ByPosition
    needed: dict[Position, AtLeastOne]
    """Contributions it takes, by position; a position that is missing never gets the points."""


class Scoring(Frozen):
    """Points per occurrence in one match, negative where they are deducted."""

    short_play: int
    """For 1 to 59 minutes."""
    long_play: int
    """For 60 minutes or more, instead."""
    goals: ByPosition
    assists: int
    clean_sheets: ByPosition
    """For not conceding while on the pitch for 60 minutes or more."""
    saves: int
    saves_needed: AtLeastOne
    """Saves it takes for ``saves`` points."""
    penalties_saved: int
    penalties_missed: int
    conceded: ByPosition
    conceded_needed: AtLeastOne
    """Goals conceded it takes for ``conceded`` points."""
    yellow_cards: int
    red_cards: int
    """Includes the yellow: the statistics of a player sent off show no yellow card beside it."""
    own_goals: int
    defensive_contribution: DefensiveContribution | None
    bonus: tuple[int, ...]
    """For the best, second and third by the bonus points system of a match."""

    def with_stated(self, scoring_json: str) -> Scoring:
        """This scoring with every value the official API states; unchanged where it states none (``""``).

        Raises UnknownScoring for a term that gives points to a player and is not known here, or has another shape.
        """
        if not scoring_json:
            return self
        try:
            stated = _STATED_SCORING.validate_python(json.loads(scoring_json), strict=True)
        except ValueError as fault:
            raise UnknownScoring(f"The source's scoring table cannot be read: {fault}.") from fault
        known = {api for _, api in (*_STATED, *_STATED_BY_POSITION)} | _ELSEWHERE
        if self.defensive_contribution:
            known.add(_DEFENSIVE_CONTRIBUTION)
        for term, value in stated.items():
            if term not in known and _gives_players_points(value):
                raise UnknownScoring(
                    f"The source gives points for {term.replace('_', ' ')} ({value}), which nothing here counts. "
                    "Add the term to fpl/scoring.py and to the season file."
                )
        values: dict[str, object] = {field: stated[api] for field, api in _STATED if api in stated}
        for field, api in _STATED_BY_POSITION:
            if api in stated:
                values[field] = _by_position(api, stated[api])
        if self.defensive_contribution and _DEFENSIVE_CONTRIBUTION in stated:
            points = _by_position(_DEFENSIVE_CONTRIBUTION, stated[_DEFENSIVE_CONTRIBUTION])
            values[_DEFENSIVE_CONTRIBUTION] = {"points": points, "needed": self.defensive_contribution.needed}
        try:
            return Scoring.model_validate({**self.model_dump(), **values})
        except ValidationError as fault:
            raise UnknownScoring(f"The source's scoring table cannot be used: {fault}.") from fault


def match_points(stats: Stats, position: Position, scoring: Scoring) -> int:
    """What a player scores in one match. ``stats`` are of that match alone; bonus counts as they state it."""
    return sum(points for _, points in points_breakdown(stats, position, scoring))


def points_breakdown(stats: Stats, position: Position, scoring: Scoring) -> tuple[tuple[str, int], ...]:
    """The points of one match by what they are for, in the order of the rules; what gave none is left out."""
    minutes = 0
    if stats.minutes > 0:
        minutes = scoring.long_play if stats.minutes >= LONG_PLAY_MINUTES else scoring.short_play
    terms = (
        ("minutes", minutes),
        ("goals", stats.goals * scoring.goals[position]),
        ("assists", stats.assists * scoring.assists),
        ("clean_sheets", stats.clean_sheets * scoring.clean_sheets[position]),
        ("saves", stats.saves // scoring.saves_needed * scoring.saves),
        ("penalties_saved", stats.penalties_saved * scoring.penalties_saved),
        ("defensive_contribution", _defensive_contribution_points(stats, position, scoring)),
        ("penalties_missed", stats.penalties_missed * scoring.penalties_missed),
        ("conceded", stats.conceded // scoring.conceded_needed * scoring.conceded[position]),
        ("yellow_cards", stats.yellow_cards * scoring.yellow_cards),
        ("red_cards", stats.red_cards * scoring.red_cards),
        ("own_goals", stats.own_goals * scoring.own_goals),
        ("bonus", stats.bonus),
    )
    return tuple((term, points) for term, points in terms if points)


def bonus_points(bps: Mapping[int, int], scoring: Scoring) -> dict[int, int]:
    """Who gets the bonus of one match: player id to points, by competition rank of ``bps``, best first.

    Ties share the better place and use up the places after it: 30, 30, 30 gives 3, 3, 3 and 28, 26, 17, 17 gives
    3, 2, 1, 1 (CASES R19). ``bps`` holds everybody who played in the match, of both clubs.
    """
    awarded: dict[int, int] = {}
    ranked = sorted(bps, key=lambda player: (-bps[player], player))
    place = 0
    for ahead, player in enumerate(ranked):
        if ahead == 0 or bps[player] < bps[ranked[ahead - 1]]:
            place = ahead
        if place >= len(scoring.bonus):
            break
        awarded[player] = scoring.bonus[place]
    return awarded


def bonus_of_match(performances: Iterable[MatchPerformance], scoring: Scoring) -> dict[int, int]:
    """The bonus of one match from its performances; nobody who stayed off the pitch is ranked."""
    return bonus_points({one.player_id: one.stats.bps for one in performances if one.minutes > 0}, scoring)


def _defensive_contribution_points(stats: Stats, position: Position, scoring: Scoring) -> int:
    terms = scoring.defensive_contribution
    needed = terms.needed.get(position) if terms else None
    if terms is None or needed is None or stats.defensive_contribution < needed:
        return 0
    return terms.points[position]


def _gives_players_points(value: int | dict[str, int]) -> bool:
    """Whether a stated term gives points to a player: assistant managers (MNG, 2024/25) are none (CASES R32)."""
    if isinstance(value, int):
        return value != 0
    return any(value.get(name, 0) for name in _API_POSITION.values())


def _by_position(term: str, value: int | dict[str, int]) -> ByPosition:
    if isinstance(value, int) or any(name not in value for name in _API_POSITION.values()):
        raise UnknownScoring(f"The source states {term.replace('_', ' ')} as {value}, not by position.")
    return {position: value[_API_POSITION[position]] for position in POSITIONS}
