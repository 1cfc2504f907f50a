"""Scoring a lineup: automatic substitutions, the armband and chips, from the players' official points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from backroom_pipeline.fpl.model import (
    POSITIONS,
    LineupScore,
    MatchPerformance,
    Performance,
    Position,
    Substitution,
    TeamSheet,
)

FORMATION: Mapping[Position, tuple[int, int]] = MappingProxyType(
    {"GK": (1, 1), "DEF": (3, 5), "MID": (2, 5), "FWD": (1, 3)}
)
"""Fewest and most starters per position, the same in every season (bootstrap element_types[].squad_min_play)."""

STARTERS = 11


def gameweek_performances(performances: Iterable[MatchPerformance]) -> dict[int, Performance]:
    """Each player's matches of one gameweek together.

    Official points are summed as they are: every threshold (60 minutes, three saves, two conceded) has been applied
    match by match already.
    """
    together: dict[int, Performance] = {}
    for match in performances:
        before = together.get(match.player_id)
        together[match.player_id] = Performance(
            points=match.points + (before.points if before else 0),
            minutes=match.minutes + (before.minutes if before else 0),
            played=match.minutes > 0
            or match.stats.yellow_cards > 0
            or match.stats.red_cards > 0
            or (before is not None and before.played),
        )
    return together


def score_lineup(
    sheet: TeamSheet, performances: Mapping[int, Performance], positions: Mapping[int, Position]
) -> LineupScore:
    """Score a legal sheet after the gameweek's last match; a player without a performance did not play.

    Points are gross: the hit is on the bill. ``positions`` covers all fifteen.
    """
    played = frozenset(player for player in sheet.player_ids if player in performances and performances[player].played)
    # Everybody counts under bench boost, so nobody is substituted (the official API lists substitutions all the same).
    substitutions = () if sheet.chip == "bench_boost" else automatic_substitutions(sheet, played, positions)

    multipliers = dict.fromkeys(sheet.starting, 1) | dict.fromkeys(sheet.bench, int(sheet.chip == "bench_boost"))
    for substitution in substitutions:
        multipliers[substitution.out] = 0
        multipliers[substitution.came_in] = 1
    captain = next((armband for armband in (sheet.captain, sheet.vice_captain) if armband in played), None)
    if captain is not None:
        multipliers[captain] = 3 if sheet.chip == "triple_captain" else 2

    points = {player: performances[player].points if player in performances else 0 for player in multipliers}
    return LineupScore(
        points=sum(points[player] * times for player, times in multipliers.items()),
        bench_points=sum(points[player] for player, times in multipliers.items() if times == 0),
        substitutions=substitutions,
        captain=captain,
        multipliers=multipliers,
    )


def automatic_substitutions(
    sheet: TeamSheet, played: frozenset[int], positions: Mapping[int, Position]
) -> tuple[Substitution, ...]:
    """Who comes in for the starters who did not play: gaps in the order GK, DEF, MID, FWD, bench in its order.

    A goalkeeper is replaced by a goalkeeper only. An outfield player comes in where the formation keeps its minimum;
    a starter who did not play still counts towards it until he is replaced.
    """
    formation: Counter[Position] = Counter(positions[player] for player in sheet.starting)
    available = [player for player in sheet.bench if player in played]
    substitutions: list[Substitution] = []
    for position in POSITIONS:
        for out in sheet.starting:
            if positions[out] != position or out in played:
                continue
            for came_in in available:
                if _may_replace(position, positions[came_in], formation):
                    substitutions.append(Substitution(out=out, came_in=came_in))
                    available.remove(came_in)
                    formation[position] -= 1
                    formation[positions[came_in]] += 1
                    break
    return tuple(substitutions)


def _may_replace(out: Position, came_in: Position, formation: Mapping[Position, int]) -> bool:
    if out == came_in:
        return True
    # The most a formation may have is all a squad has, so only the minimum can be broken.
    return "GK" not in (out, came_in) and formation[out] > FORMATION[out][0]
