"""Expected points: what a player's statistics, price, fitness and fixtures promise for each coming gameweek.

The weights are rounded least-squares fits of points per match of 60 minutes or more on what was known before each
deadline of the seasons 2022/23 to 2024/25 (17,000 player matches), plus the price of a defensive contribution, which
those seasons did not reward. They are priors of the game, not of any one season under play.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backroom_pipeline.fpl.model import Position
from backroom_pipeline.models.house.reading import Match, Reading, Seen

GOAL: Mapping[Position, int] = {"GK": 6, "DEF": 6, "MID": 5, "FWD": 4}
ASSIST = 3
CHEAPEST: Mapping[Position, int] = {"GK": 40, "DEF": 40, "MID": 45, "FWD": 45}
"""Price at which the game lists somebody who is not expected to play."""
SHRINKAGE = 6.0
"""Full matches that a player's price is worth as evidence about his rates."""
LAST_SEASON_SHRINKAGE = 10.0
PLAYED_BY_CHANCE: Mapping[int, float] = {100: 1.0, 75: 0.5, 50: 0.24, 25: 0.04, 0: 0.0}
"""How often players flagged with this chance in fact played."""
CONTRIBUTION_THRESHOLD: Mapping[Position, int] = {"GK": 999, "DEF": 10, "MID": 12, "FWD": 12}
CONTRIBUTION_UNSEEN: Mapping[Position, float] = {"GK": 0.0, "DEF": 0.6, "MID": 0.35, "FWD": 0.05}
"""Points a match from defensive contributions of a player whose statistics do not count them."""
STANDARD: Mapping[Position, float] = {"GK": 3.5, "DEF": 3.2, "MID": 3.8, "FWD": 4.4}


@dataclass(frozen=True, slots=True)
class Tint:
    """How a persona's eye differs from the plain forecast. Neutral by default."""

    recent: float = 0.5
    """Extra weight of the last five gameweeks in a player's rates."""
    fixtures: float = 1.0
    """Multiplier of what a fixture adds or takes away."""
    streak: float = 0.0
    """Points per point of recent points per match above the season's."""
    crowd: float = 0.0
    """Points a match per 10 percent of teams owning the player; negative for somebody who hates company."""
    loyalty: float = 0.0
    """Points a gameweek credited to a player already owned."""


PLAIN = Tint()


@dataclass(frozen=True, slots=True)
class Outlook:
    """A player's expected points for the coming gameweeks, this one first."""

    player: Seen
    points: tuple[float, ...]
    minutes: float
    """Share of a match he is expected to be on the pitch when fit."""
    fit: float
    """Chance of playing this week that his fitness leaves."""

    def total(self, decay: float = 1.0) -> float:
        return sum(points * decay**ahead for ahead, points in enumerate(self.points))


def outlooks(reading: Reading, players: Sequence[Seen], horizon: int, tint: Tint = PLAIN) -> dict[int, Outlook]:
    """Forecast each player over the next ``horizon`` gameweeks that are left."""
    weeks = range(reading.gameweek, min(reading.gameweek + horizon, reading.last_gameweek + 1))
    return {player.player_id: _outlook(reading, player, weeks, tint) for player in players}


def _outlook(reading: Reading, player: Seen, weeks: range, tint: Tint) -> Outlook:
    quality = quality_per_match(player, reading.early, tint)
    minutes = expected_minutes(player, reading.early)
    points: list[float] = []
    for ahead, week in enumerate(weeks):
        fitness = fitness_in(player, ahead)
        each = [
            max(0.0, quality + _fixture_effect(player, match, quality, tint))
            for match in _matches(reading, player, week)
        ]
        # The second match of a double follows within days: he is rested a little more often.
        expected = sum(value * (1.0 if number == 0 else 0.93) for number, value in enumerate(each)) * minutes * fitness
        if expected > 0 and player.owned:
            expected += tint.loyalty
        points.append(expected)
    return Outlook(player, tuple(points), minutes, fitness_in(player, 0))


def _matches(reading: Reading, player: Seen, week: int) -> tuple[Match, ...]:
    if week > reading.weeks[-1]:
        return (Match("", True, 3),)
    return reading.matches(player.club, week)


def quality_per_match(player: Seen, early: bool, tint: Tint = PLAIN) -> float:
    """Points in a full match against a middling opponent, half of it at home."""
    price = player.price / 10
    played = player.minutes / 90
    recent = 0.0 if early else player.r_minutes / 90
    weight = LAST_SEASON_SHRINKAGE if early else SHRINKAGE
    goal = GOAL[player.position]
    seen = played + tint.recent * recent
    involvement = player.xg * goal + player.xa * ASSIST
    involvement += tint.recent * (player.r_xg * goal + player.r_xa * ASSIST) if not early else 0.0
    involvement = (involvement + weight * _priced_involvement(player.position, price)) / (seen + weight)
    conceded = player.xgc + (0.0 if early else tint.recent * player.r_xgc)
    conceded = (conceded + weight * _priced_conceded(player.position, price)) / (seen + weight)
    earned = (player.points + 2 * weight * (STANDARD[player.position] + 0.3 * (price - 5))) / (played + 2 * weight)
    if player.position == "GK":
        quality = 4.55 - 0.85 * conceded + 0.1 * (price - 5)
    elif player.position == "DEF":
        quality = 4.65 + 0.6 * involvement - 1.5 * conceded + 0.15 * (price - 5) + _contributions(player)
    elif player.position == "MID":
        quality = 2.7 + 1.25 * involvement - 0.65 * conceded + 0.05 * (price - 5) + 0.1 * (earned - 3.8)
        quality += _contributions(player)
    else:
        quality = 1.4 + 0.7 * involvement - 0.3 * conceded + 0.15 * (price - 5) + 0.35 * earned + _contributions(player)
    if tint.streak and not early and player.r_matches and player.matches:
        quality += tint.streak * (player.r_points / player.r_matches - player.points / player.matches)
    if tint.crowd:
        # Where ownership is not on record, what is dear is what is popular.
        popular = max(0.0, 6 * (price - 5)) if player.selected_by is None else player.selected_by
        quality += tint.crowd * popular / 10
    return max(quality, 0.5)


def expected_minutes(player: Seen, early: bool) -> float:
    """Share of ninety minutes a fit player is expected to play, from the season and its last five gameweeks."""
    priced = _priced_minutes(player)
    if early:
        known = 4.0 if player.minutes else 0.0
        share = player.minutes / 90 / max(player.matches, 30)
        return min(0.95, (known * min(1.0, share * 1.1) + 2.0 * priced) / (known + 2.0))
    season = player.minutes / 90 / max(player.matches, 1)
    recent = player.r_minutes / 90 / player.r_matches if player.r_matches else season
    starts = player.starts / max(player.matches, 1)
    seen = 0.02 + 0.7 * recent + 0.48 * season - 0.24 * min(starts, season + 0.05)
    weight = min(player.matches, 6)
    return min(0.97, max(0.0, (weight * seen + 1.0 * priced) / (weight + 1.0) if weight < 6 else seen))


def fitness_in(player: Seen, ahead: int) -> float:
    """Chance of appearing ``ahead`` gameweeks from now that a player's flag leaves; no news (None) means fit."""
    chance = 100 if player.chance is None else player.chance
    now = PLAYED_BY_CHANCE.get(chance, chance / 100)
    if player.status in ("u", "n"):
        return 0.0
    if ahead == 0 or now == 1.0:
        return now
    if player.status == "s":
        return 0.9 if ahead > 1 else 0.5
    recovery = {75: 0.45, 50: 0.35, 25: 0.25, 0: 0.1}.get(chance, 0.2)
    return 1.0 - (1.0 - now) * (1.0 - recovery) ** ahead


def _fixture_effect(player: Seen, match: Match, quality: float, tint: Tint) -> float:
    """Points a match is worth above a middling one: by difficulty and by venue."""
    ease = {"GK": 0.37, "DEF": 0.6, "MID": 0.4, "FWD": 0.48}[player.position]
    home = {"GK": 0.1, "DEF": 0.33, "MID": 0.26, "FWD": 0.5}[player.position]
    if player.position in ("MID", "FWD"):
        ease, home = (effect * min(1.8, max(0.6, quality / STANDARD[player.position])) for effect in (ease, home))
    return tint.fixtures * (ease * (3 - match.difficulty) + (home if match.home else -home) / 2)


def _contributions(player: Seen) -> float:
    """Points a match from defensive contributions: twice the chance of reaching the threshold."""
    played = player.minutes / 90
    unseen = CONTRIBUTION_UNSEEN[player.position]
    if player.dc <= 0 or played < 1:
        return unseen
    threshold = CONTRIBUTION_THRESHOLD[player.position]
    mean = player.dc / played
    spread = math.sqrt(1.7 * mean)
    reached = 0.5 * math.erfc((threshold - 0.5 - mean) / spread / math.sqrt(2))
    return (2 * reached * played + unseen * SHRINKAGE / 2) / (played + SHRINKAGE / 2)


def _priced_involvement(position: Position, price: float) -> float:
    if position == "GK":
        return 0.02
    slope, level = {"DEF": (0.215, -0.54), "MID": (0.37, -0.9), "FWD": (0.26, 0.23)}[position]
    return max(0.1, slope * price + level)


def _priced_conceded(position: Position, price: float) -> float:
    slope, level = {"GK": (-0.515, 3.9), "DEF": (-0.29, 2.8), "MID": (-0.075, 1.86), "FWD": (-0.07, 1.95)}[position]
    return max(0.8, slope * price + level)


def _priced_minutes(player: Seen) -> float:
    """What the price says about a place in the team, before anybody has played."""
    above = (player.price - CHEAPEST[player.position]) / 10
    if player.position == "GK":
        return 0.15 if above < 0.4 else 0.75 if above < 0.9 else 0.9
    priced = min(0.8, 0.25 + 0.45 * above)
    if player.selected_by is not None and player.selected_by >= 3:
        priced = max(priced, min(0.85, 0.6 + player.selected_by / 60))
    return priced
