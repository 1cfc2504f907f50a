"""When a chip is worth playing: what it gains this week against what waiting may bring before its window closes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from backroom_pipeline.models.house.reading import Reading, Window
from backroom_pipeline.models.house.solver import Limits, Plan, Solver, lineup

WANTED: Mapping[str, tuple[float, float]] = {
    "triple_captain": (10.5, 6.5),
    "bench_boost": (16.0, 9.0),
    "free_hit": (20.0, 9.0),
    "wildcard": (14.0, 6.0),
}
"""Expected gain that makes a chip worth playing when its window opens, and when it is about to close."""
SETTLED = 6
"""Gameweek from which a season's own statistics carry a wildcard."""
ONLY_LATER = 0.95
"""A coming week within the window that promises more than this share of today's gain is not yet a reason to wait."""


@dataclass(frozen=True, slots=True)
class ChipCase:
    """A chip that could be played this week."""

    chip: str
    gain: float
    """Expected points over the plan without it: of this week, for a wildcard of the whole horizon."""
    wanted: float
    """The gain that makes it worth playing now."""
    plan: Plan

    @property
    def urge(self) -> float:
        return self.gain / max(self.wanted, 0.1)


def chip_cases(
    solver: Solver, limits: Limits, standing: Plan, patience: float, barred: Collection[str] = ()
) -> list[ChipCase]:
    """Every playable chip with its gain over ``standing`` (the plan without a chip), the most pressing first."""
    reading = solver.reading
    cases: list[ChipCase] = []
    for window in reading.chips_left:
        if window.chip not in reading.chips_playable or window.chip in barred or window.first > reading.gameweek:
            continue
        if window.chip in ("triple_captain", "bench_boost"):
            cases.append(_on_this_squad(solver, limits, standing, window, patience))
        else:
            rebuilt = solver.solve(limits, window.chip)
            if rebuilt is not None:
                cases.append(_rebuilt(reading, standing, rebuilt, window, patience))
    return sorted(cases, key=lambda case: (-case.urge, case.chip))


def must_play_one(reading: Reading) -> bool:
    """True when as many chips are left in a window as there are gameweeks to play them in."""
    open_now = [window for window in reading.chips_left if window.first <= reading.gameweek]
    return any(_crowded(reading, window) for window in open_now)


def _crowded(reading: Reading, window: Window) -> bool:
    rivals = sum(other.last == window.last and other.first <= reading.gameweek for other in reading.chips_left)
    return window.last - reading.gameweek + 1 <= rivals


def _wanted(reading: Reading, window: Window, patience: float) -> float:
    early, late = WANTED[window.chip]
    left = (window.last - reading.gameweek) / max(1, window.last - window.first)
    return patience * (late + (early - late) * left)


def _on_this_squad(solver: Solver, limits: Limits, standing: Plan, window: Window, patience: float) -> ChipCase:
    """A chip that multiplies the points of the squad one has."""
    reading = solver.reading
    fifteen = [solver.outlook[player_id].player for player_id in sorted(standing.ids)]
    plan = solver.plan(fifteen, limits, window.chip)
    gain = plan.this_week - standing.this_week
    wanted = _wanted(reading, window, patience)
    if _best_later(solver, plan, window) > gain / ONLY_LATER and not _crowded(reading, window):
        wanted = max(wanted, gain + 0.1)
    return ChipCase(window.chip, gain, wanted, plan)


def _rebuilt(reading: Reading, standing: Plan, rebuilt: Plan, window: Window, patience: float) -> ChipCase:
    """A chip that replaces the squad, for a week or for good."""
    wanted = _wanted(reading, window, patience)
    if window.chip == "free_hit":
        return ChipCase(window.chip, rebuilt.this_week - standing.this_week, wanted, rebuilt)
    # A handful of matches moves every forecast; most of it is noise that a rebuilt squad would chase.
    wanted *= 1 + max(0, SETTLED - reading.gameweek) / 3
    return ChipCase(window.chip, rebuilt.value - standing.value, wanted, rebuilt)


def _best_later(solver: Solver, plan: Plan, window: Window) -> float:
    """The most the same squad would gain from the chip in a coming week that the forecast covers."""
    outlook = solver.outlook
    fifteen = [outlook[player_id].player for player_id in sorted(plan.ids)]
    covered = min(len(outlook[plan.sheet.captain].points), window.last - solver.reading.gameweek + 1)
    best = 0.0
    for week in range(1, covered):
        sheet = lineup(fifteen, outlook, week, Limits(), None)
        counted = (sheet.captain,) if window.chip == "triple_captain" else sheet.bench
        best = max(best, sum(outlook[player_id].points[week] for player_id in counted))
    return best
