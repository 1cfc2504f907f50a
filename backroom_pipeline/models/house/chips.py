"""When a chip is worth playing: what it gains this week against what waiting may bring before its window closes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from backroom_pipeline.models.house.forecast import Outlook
from backroom_pipeline.models.house.reading import Reading, Window
from backroom_pipeline.models.house.solver import Appetite, Limits, Plan, lineup, solve

WANTED: Mapping[str, tuple[float, float]] = {
    "triple_captain": (10.5, 6.5),
    "bench_boost": (16.0, 9.0),
    "free_hit": (20.0, 9.0),
    "wildcard": (14.0, 6.0),
}
"""Expected gain that makes a chip worth playing when its window opens, and when it is about to close."""
ONLY_LATER = 0.95
"""A coming week within the window that promises more than this share of today's gain is not yet a reason to wait."""


@dataclass(frozen=True, slots=True)
class ChipCase:
    """A chip that could be played this week."""

    chip: str
    gain: float
    wanted: float
    plan: Plan

    @property
    def urge(self) -> float:
        return self.gain / max(self.wanted, 0.1)


def chip_cases(
    reading: Reading,
    outlook: Mapping[int, Outlook],
    appetite: Appetite,
    limits: Limits,
    standing: Plan,
    patience: float,
    barred: Collection[str] = (),
) -> list[ChipCase]:
    """Every playable chip with its gain over ``standing`` (the plan without a chip), the most pressing first."""
    cases: list[ChipCase] = []
    for window in reading.chips_left:
        if window.chip not in reading.chips_playable or window.chip in barred or window.first > reading.gameweek:
            continue
        case = _case(reading, outlook, appetite, limits, standing, window, patience)
        if case is not None:
            cases.append(case)
    cases.sort(key=lambda case: (-case.urge, case.chip))
    return cases


def must_play_one(reading: Reading) -> bool:
    """True when as many chips are left in a window as there are gameweeks to play them in."""
    open_now = [window for window in reading.chips_left if window.first <= reading.gameweek]
    return bool(open_now) and min(window.last for window in open_now) - reading.gameweek + 1 <= len(open_now)


def _case(
    reading: Reading,
    outlook: Mapping[int, Outlook],
    appetite: Appetite,
    limits: Limits,
    standing: Plan,
    window: Window,
    patience: float,
) -> ChipCase | None:
    length = max(1, window.last - window.first)
    phase = (window.last - reading.gameweek) / length
    early, late = WANTED[window.chip]
    wanted = patience * (late + (early - late) * phase)
    if window.chip in ("triple_captain", "bench_boost"):
        plan = solve(reading, outlook, appetite, limits, window.chip)
        if plan is None:
            return None
        gain = plan.value - standing.value
        later = _best_later(reading, outlook, plan, window)
        if later > gain / ONLY_LATER and reading.gameweek < window.last:
            wanted = max(wanted, gain + 0.1) if not _crowded(reading, window) else wanted
        return ChipCase(window.chip, gain, wanted, plan)
    plan = solve(reading, outlook, appetite, limits, window.chip)
    if plan is None:
        return None
    gain = plan.this_week - standing.this_week if window.chip == "free_hit" else plan.value - standing.value
    return ChipCase(window.chip, gain, wanted, plan)


def _crowded(reading: Reading, window: Window) -> bool:
    rivals = sum(other.last == window.last and other.first <= reading.gameweek for other in reading.chips_left)
    return window.last - reading.gameweek + 1 <= rivals


def _best_later(reading: Reading, outlook: Mapping[int, Outlook], plan: Plan, window: Window) -> float:
    """The most the same squad would gain from the chip in a coming week that the forecast covers."""
    fifteen = [outlook[player_id].player for player_id in sorted(plan.ids)]
    horizon = len(next(iter(outlook.values())).points)
    best = 0.0
    for week in range(1, min(horizon, window.last - reading.gameweek + 1)):
        sheet = lineup(fifteen, outlook, week, Limits(), None)
        if window.chip == "triple_captain":
            gain = outlook[sheet.captain].points[week]
        else:
            gain = sum(outlook[player_id].points[week] for player_id in sheet.bench)
        best = max(best, gain)
    return best
