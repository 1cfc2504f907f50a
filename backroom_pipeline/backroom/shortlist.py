"""Whom a compact prompt shows: the few players of each position that plain figures put in front.

The figures are points a match, weighed by fitness and by the matches to come. They choose whom a small model gets to
see and in which order, and are no forecast that anybody is asked to believe.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from backroom_pipeline.backroom.contest import Week
from backroom_pipeline.backroom.contracts import PER_POSITION
from backroom_pipeline.backroom.prompts import fixture_rows
from backroom_pipeline.fpl.model import POSITIONS, Fixture, Player, Position
from backroom_pipeline.fpl.rules import Rules

AHEAD = 3
"""Gameweeks of fixtures in a compact prompt, this one included."""
FAVOURITES: dict[Position, int] = {"GK": 10, "DEF": 10, "MID": 10, "FWD": 10}
OPENING_FAVOURITES: dict[Position, int] = {"GK": 5, "DEF": 7, "MID": 8, "FWD": 6}
"""Fewer, since the enablers are shown too."""
ENABLERS = PER_POSITION
"""Cheap players of each position, in an opening week only."""

_PRICED_MATCHES = 5
"""Matches that a price is worth as evidence of points: newcomers have nothing else."""
_ABOVE_THE_CHEAPEST: dict[Position, int] = {"GK": 5, "DEF": 10, "MID": 10, "FWD": 10}
"""Tenths of a million by which an enabler may cost more than the cheapest of his position."""
_OUT = frozenset("isun")


@dataclass(frozen=True)
class Shortlist:
    """The players a compact prompt shows the coach, best first; nobody twice."""

    favourites: dict[Position, tuple[int, ...]]
    enablers: dict[Position, tuple[int, ...]]
    """Any squad built from these alone is within budget and club limit; empty but for an opening week."""

    @property
    def player_ids(self) -> tuple[int, ...]:
        return tuple(i for lists in (self.favourites, self.enablers) for position in POSITIONS for i in lists[position])


class Figures:
    """What plain figures say of every player of a gameweek."""

    def __init__(self, week: Week) -> None:
        self._matches = _matches(week.facts.fixtures, range(week.gameweek, week.gameweek + AHEAD))
        self._week = week

    def now(self, player_id: int) -> float:
        """Points expected this gameweek."""
        return self._over(player_id, range(self._week.gameweek, self._week.gameweek + 1))

    def ahead(self, player_id: int) -> float:
        """Points expected in the gameweeks whose fixtures are shown."""
        return self._over(player_id, range(self._week.gameweek, self._week.gameweek + AHEAD))

    def _over(self, player_id: int, weeks: range) -> float:
        player = self._week.pool[player_id]
        matches = sum(self._matches.get((week, player.club), 0.0) for week in weeks)
        return points_a_match(player) * fitness(player) * matches


def points_a_match(player: Player) -> float:
    """Of the season and its last weeks together, both drawn towards what the price says while little was played."""
    matches = player.season.matches + player.recent.matches
    points = player.season.points + player.recent.points
    return (points + _PRICED_MATCHES * player.price / 25) / (matches + _PRICED_MATCHES)


def fitness(player: Player) -> float:
    if player.chance_of_playing is not None:
        return player.chance_of_playing / 100
    return 0.0 if player.status in _OUT else 1.0


def shortlist(week: Week) -> Shortlist:
    """The favourites, and in an opening week the enablers. A function of the gameweek alone."""
    figures = Figures(week)
    listed = sorted(week.pool.values(), key=lambda player: (-figures.ahead(player.id), player.id))
    listed = [player for player in listed if fitness(player) >= 0.5]
    most = OPENING_FAVOURITES if week.opening else FAVOURITES
    favourites: dict[Position, tuple[int, ...]] = {
        position: tuple(player.id for player in listed if player.position == position)[: most[position]]
        for position in POSITIONS
    }
    if not week.opening:
        return Shortlist(favourites, dict.fromkeys(POSITIONS, ()))
    taken = {player_id for ids in favourites.values() for player_id in ids}
    return Shortlist(favourites, _enablers([player for player in listed if player.id not in taken], week.rules))


def _enablers(candidates: Iterable[Player], rules: Rules) -> dict[Position, tuple[int, ...]]:
    """The best of the cheap ones, from all positions together no more of one club than a squad may hold."""
    candidates = list(candidates)
    clubs: dict[str, int] = {}
    chosen: dict[Position, tuple[int, ...]] = {}
    for position in POSITIONS:
        of_position = [player for player in candidates if player.position == position]
        limit = min((player.price for player in of_position), default=0) + _ABOVE_THE_CHEAPEST[position]
        taken: list[int] = []
        for player in of_position:
            if len(taken) < ENABLERS and player.price <= limit and clubs.get(player.club, 0) < rules.club_limit:
                clubs[player.club] = clubs.get(player.club, 0) + 1
                taken.append(player.id)
        chosen[position] = tuple(taken)
    return chosen


def _matches(fixtures: Iterable[Fixture], weeks: range) -> dict[tuple[int, str], float]:
    """Matches by gameweek and club, an easy one counting for more than a hard one."""
    found: dict[tuple[int, str], float] = {}
    for week, club, _, venue, difficulty in fixture_rows(fixtures, weeks):
        ease = 1 + 0.1 * (3 - difficulty) + (0.05 if venue == "H" else -0.05)
        found[week, club] = found.get((week, club), 0.0) + ease
    return found
