"""The best legal team over the coming gameweeks: a mixed integer program over the players a prompt shows.

Which fifteen to own is decided once for the whole horizon (integers); who starts and who is captain each week follows
from it (continuous, since the best eleven of a given squad is a vertex anyway). Later transfers are not planned but
priced: a free transfer kept is worth points, and later weeks count for less. Stopping is by gap and node count, never
by time, so that the same prompt gives the same team on any machine.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from backroom_pipeline.fpl.model import POSITIONS, Position
from backroom_pipeline.models.house.forecast import Outlook
from backroom_pipeline.models.house.reading import Reading, Seen, Sheet

SQUAD: Mapping[Position, int] = {"GK": 2, "DEF": 5, "MID": 5, "FWD": 3}
STARTERS: Mapping[Position, tuple[int, int]] = {"GK": (1, 1), "DEF": (3, 5), "MID": (2, 5), "FWD": (1, 3)}
FORMATIONS: tuple[tuple[int, int, int], ...] = tuple(
    shape for shape in itertools.product(range(3, 6), range(2, 6), range(1, 4)) if sum(shape) == 10
)
BENCH_OUTFIELD = 0.12
"""Chance, roughly, that a bench player is needed."""
BENCH_KEEPER = 0.03
CAPTAINS = 8
"""How many of a week's best forecasts are candidates for the armband."""
GAP, NODES = 0.002, 400
INFINITY = float("inf")
KEPT_TRANSFER = (1.0, 0.8, 0.55, 0.3)
"""What the first, second, third and fourth free transfer left over is worth, in units of the temper's value."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a team must respect beyond the rules: promises, and the appetite of whoever asks."""

    keep: frozenset[int] = frozenset()
    without: frozenset[int] = frozenset()
    start: frozenset[int] = frozenset()
    bench: frozenset[int] = frozenset()
    captain: int | None = None
    not_captain: frozenset[int] = frozenset()
    most_transfers: int | None = None
    most_paid: int = 2
    bank_at_least: int = 0
    bank_at_most: int | None = None
    formation: tuple[int, int, int] | None = None
    clubs: tuple[tuple[str | None, int], ...] = ()
    """(club or None for each, most players of it)."""


@dataclass(frozen=True, slots=True)
class Appetite:
    """How whoever asks weighs the present against the future."""

    decay: float = 0.86
    kept_transfer: float = 1.3
    hit_weight: float = 1.0
    bench: float = BENCH_OUTFIELD


@dataclass(frozen=True)
class Plan:
    """A solved team and what it is worth by the forecast it was solved with."""

    sheet: Sheet
    bought: tuple[int, ...]
    sold: tuple[int, ...]
    paid: int
    """Transfers beyond the free ones."""
    value: float
    """Objective over the horizon, hits and kept transfers included."""
    this_week: float
    """Expected points of this gameweek, armband and chip included, hits not."""

    @cached_property
    def ids(self) -> frozenset[int]:
        return frozenset((*self.sheet.starting, *self.sheet.bench))


@dataclass
class Solver:
    """Plans for one prompt and one appetite; asking for the same twice solves once."""

    reading: Reading
    outlook: Mapping[int, Outlook]
    appetite: Appetite
    _solved: dict[tuple[Limits, str | None], Plan | None] = field(default_factory=dict)

    def solve(self, limits: Limits, chip: str | None = None) -> Plan | None:
        """The best team under the limits with ``chip`` played this week, or None where there is none."""
        key = limits, chip
        if key not in self._solved:
            chosen = _Program(self.reading, self.outlook, self.appetite, limits, chip).optimum()
            self._solved[key] = None if chosen is None else self.plan(chosen, limits, chip)
        return self._solved[key]

    def plan(self, chosen: Iterable[Seen], limits: Limits, chip: str | None) -> Plan:
        """The plan that owning exactly these fifteen amounts to, with the best eleven and armband of this week."""
        reading, outlook, appetite = self.reading, self.outlook, self.appetite
        fifteen = sorted(chosen, key=lambda player: player.player_id)
        ids = {player.player_id for player in fifteen}
        bought = tuple(player.player_id for player in fifteen if not player.owned)
        sold = tuple(player.player_id for player in reading.squad if player.player_id not in ids)
        free = reading.opening or chip in ("wildcard", "free_hit")
        paid = 0 if free else max(0, len(bought) - reading.free_transfers)
        sheet = lineup(fifteen, outlook, 0, limits, chip)
        value = 0.0
        for week in range(1 if chip == "free_hit" else _horizon(outlook)):
            best = sheet if week == 0 else lineup(fifteen, outlook, week, Limits(), None)
            value += appetite.decay**week * expected_points(best, outlook, week, appetite.bench)
        value -= reading.hit_cost * appetite.hit_weight * paid
        if not free and reading.gameweek + 1 not in reading.top_ups:
            left = min(max(0, reading.free_transfers - len(bought)), reading.free_transfer_cap - 1)
            value += appetite.kept_transfer * sum(KEPT_TRANSFER[:left])
        return Plan(sheet, bought, sold, paid, value, expected_points(sheet, outlook, 0, 0.0))


def _horizon(outlook: Mapping[int, Outlook]) -> int:
    return len(next(iter(outlook.values())).points)


class _Program:
    """The mixed integer program of one question.

    Columns: one per player for the squad, then for every week one per player for the eleven and one per candidate for
    the armband, then the number of paid transfers, then one per free transfer that might be kept.
    """

    def __init__(
        self, reading: Reading, outlook: Mapping[int, Outlook], appetite: Appetite, limits: Limits, chip: str | None
    ) -> None:
        self.reading, self.limits, self.chip, self.appetite = reading, limits, chip, appetite
        self.players = sorted((each.player for each in outlook.values()), key=lambda player: player.player_id)
        self.index = {player.player_id: number for number, player in enumerate(self.players)}
        self.points = [outlook[player.player_id].points for player in self.players]
        self.weeks = 1 if chip == "free_hit" else _horizon(outlook)
        self.free = reading.opening or chip in ("wildcard", "free_hit")
        self.gain: list[float] = []
        self.lower: list[float] = []
        self.upper: list[float] = []
        self.rows: list[tuple[list[int], list[float], float, float]] = []
        self._squad_and_elevens()
        self._clubs()
        self._transfers_and_money()
        self._promises()

    def optimum(self) -> list[Seen] | None:
        """The fifteen of the best team, or None where the limits leave none."""
        import numpy as np
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_matrix

        if any(low > high for low, high in zip(self.lower, self.upper, strict=True)):
            return None
        across = [column for columns, _, _, _ in self.rows for column in columns]
        values = [value for _, coefficients, _, _ in self.rows for value in coefficients]
        starts = np.cumsum([0, *(len(columns) for columns, _, _, _ in self.rows)])
        matrix = csr_matrix((values, across, starts), shape=(len(self.rows), len(self.gain)))
        # scipy's stubs know single bounds only.
        least: Any = [row[2] for row in self.rows]
        most: Any = [row[3] for row in self.rows]
        lower: Any = np.array(self.lower)
        upper: Any = np.array(self.upper)
        integers = np.zeros(len(self.gain))
        integers[: len(self.players)] = 1
        answer = milp(
            -np.array(self.gain),
            constraints=LinearConstraint(matrix, least, most),
            bounds=Bounds(lower, upper),
            integrality=integers,
            options={"mip_rel_gap": GAP, "node_limit": NODES},
        )
        if answer.x is None:
            return None
        return [player for number, player in enumerate(self.players) if answer.x[number] > 0.5]

    def _column(self, gain: float, upper: float = 1.0) -> int:
        self.gain.append(gain)
        self.lower.append(0.0)
        self.upper.append(upper)
        return len(self.gain) - 1

    def _row(self, columns: Sequence[int], values: Sequence[float], least: float, most: float) -> None:
        self.rows.append((list(columns), list(values), least, most))

    def _count(self, columns: Sequence[int], least: float, most: float) -> None:
        self._row(columns, [1.0] * len(columns), least, most)

    def _squad_and_elevens(self) -> None:
        players = self.players
        lines = {
            position: [number for number, player in enumerate(players) if player.position == position]
            for position in POSITIONS
        }
        share = [BENCH_KEEPER if player.position == "GK" else self.appetite.bench for player in players]
        if self.chip == "free_hit":
            share = [each / 3 for each in share]
        for _ in players:
            self._column(0.0)
        for position, size in SQUAD.items():
            self._count(lines[position], size, size)
        self.starting: list[int] = []
        self.armband: dict[int, int] = {}
        for week in range(self.weeks):
            weight = self.appetite.decay**week
            expected = [weight * points[week] for points in self.points]
            for number, value in enumerate(expected):
                self.gain[number] += share[number] * value
            eleven = [self._column((1 - share[number]) * value) for number, value in enumerate(expected)]
            self._count(eleven, 11, 11)
            for position, (fewest, most) in STARTERS.items():
                self._count([eleven[number] for number in lines[position]], fewest, most)
            for number, starts in enumerate(eleven):
                self._row([starts, number], [1.0, -1.0], -INFINITY, 0)
            best = sorted(range(len(players)), key=lambda number: (-expected[number], number))
            candidates = best[:CAPTAINS]
            if week == 0:
                self.starting = eleven
                candidates += [self.index[i] for i in (self.limits.captain,) if i in self.index]
            leads = {number: self._column(expected[number]) for number in dict.fromkeys(candidates)}
            self._count(list(leads.values()), 0, 1)
            for number, column in leads.items():
                self._row([column, eleven[number]], [1.0, -1.0], -INFINITY, 0)
            if week == 0:
                self.armband = leads

    def _clubs(self) -> None:
        for club in sorted({player.club for player in self.players}):
            members = [number for number, player in enumerate(self.players) if player.club == club]
            standing = sum(self.players[number].owned for number in members)
            most = self.reading.club_limit
            # A real transfer between clubs can leave more than the limit: that squad stands, but nobody may be added.
            if standing > most:
                most = standing
                for number in members:
                    if not self.players[number].owned:
                        self.upper[number] = 0
            for promised_club, promised in self.limits.clubs:
                if promised_club in (None, club):
                    most = min(most, promised)
            self._count(members, 0, most)

    def _transfers_and_money(self) -> None:
        reading, limits, players = self.reading, self.limits, self.players
        everybody = range(len(players))
        prices = [-float(player.price if player.sale_price is None else player.sale_price) for player in players]
        funds = reading.bank + sum(player.sale_price or 0 for player in players)
        ceiling = INFINITY if limits.bank_at_most is None else limits.bank_at_most - funds
        self._row(everybody, prices, limits.bank_at_least - funds, ceiling)
        if self.free:
            return
        paid = self._column(-reading.hit_cost * self.appetite.hit_weight, max(0, limits.most_paid))
        worth = 0.0 if reading.gameweek + 1 in reading.top_ups else self.appetite.kept_transfer
        keepable = KEPT_TRANSFER[: max(0, reading.free_transfer_cap - 1)]
        kept = [self._column(worth * each) for each in keepable]
        new = [number for number in everybody if not players[number].owned]
        ones = [1.0] * (len(new) + len(kept))
        self._row([*new, *kept, paid], [*ones, -1.0], -INFINITY, reading.free_transfers)
        if limits.most_transfers is not None:
            self._count(new, 0, limits.most_transfers)

    def _promises(self) -> None:
        limits, index = self.limits, self.index
        for player_id in sorted(limits.keep & index.keys()):
            if self.chip != "free_hit":
                self.lower[index[player_id]] = 1
        for player_id in sorted(limits.without & index.keys()):
            self.upper[index[player_id]] = 0
        for player_id in sorted(limits.start & index.keys()):
            self.lower[self.starting[index[player_id]]] = 1
        for player_id in sorted(limits.bench & index.keys()):
            self.upper[self.starting[index[player_id]]] = 0
        for number, column in self.armband.items():
            player_id = self.players[number].player_id
            if player_id in limits.not_captain:
                self.upper[column] = 0
            if player_id == limits.captain:
                self.lower[column] = 1
        if limits.formation is not None:
            for position, size in zip(("DEF", "MID", "FWD"), limits.formation, strict=True):
                line = [self.starting[n] for n, player in enumerate(self.players) if player.position == position]
                self._count(line, size, size)


def lineup(
    fifteen: Sequence[Seen], outlook: Mapping[int, Outlook], week: int, limits: Limits, chip: str | None
) -> Sheet:
    """Best eleven, bench order and armband of a squad for one week of the horizon."""

    def expected(player: Seen) -> float:
        return outlook[player.player_id].points[week]

    def preference(player: Seen) -> tuple[bool, bool, float, float, int]:
        wanted, unwanted = player.player_id in limits.start, player.player_id in limits.bench
        return (not wanted, unwanted, -expected(player), -outlook[player.player_id].minutes, player.player_id)

    order: dict[Position, list[Seen]] = {
        position: sorted((p for p in fifteen if p.position == position), key=preference) for position in POSITIONS
    }
    shapes = FORMATIONS if limits.formation is None else (limits.formation,)

    def eleven(shape: tuple[int, int, int]) -> list[Seen]:
        lines = zip(("GK", "DEF", "MID", "FWD"), (1, *shape), strict=True)
        return [player for position, number in lines for player in order[position][:number]]  # type: ignore[index]

    def worth(shape: tuple[int, int, int]) -> tuple[int, float]:
        team = eleven(shape)
        honoured = sum(player.player_id in limits.start for player in team)
        return honoured - sum(player.player_id in limits.bench for player in team), sum(map(expected, team))

    starting = eleven(max(shapes, key=worth))
    names = {player.player_id for player in starting}
    keeper = [player for player in order["GK"] if player.player_id not in names]
    outfield = [player for player in fifteen if player.position != "GK" and player.player_id not in names]
    outfield.sort(key=lambda player: (-expected(player), player.player_id))
    armband = sorted(starting, key=lambda player: (-expected(player), player.player_id))
    allowed = [player for player in armband if player.player_id not in limits.not_captain] or armband
    captain = next((player for player in starting if player.player_id == limits.captain), allowed[0])
    vice = next(player for player in armband if player is not captain)
    return Sheet(
        tuple(player.player_id for player in starting),
        tuple(player.player_id for player in (*keeper, *outfield)),
        captain.player_id,
        vice.player_id,
        chip,
    )


def expected_points(sheet: Sheet, outlook: Mapping[int, Outlook], week: int, bench: float) -> float:
    """Expected points of a sheet in one week, with ``bench`` the share a benched outfield player counts for."""

    def points(player_id: int) -> float:
        return outlook[player_id].points[week]

    total = sum(map(points, sheet.starting))
    total += points(sheet.captain) * (2 if sheet.chip == "triple_captain" else 1)
    share = 1.0 if sheet.chip == "bench_boost" else bench
    return total + share * sum(map(points, sheet.bench))


def bank_after(reading: Reading, plan: Plan) -> int:
    """Tenths of a million left once the plan's trades are done."""
    seen = reading.by_id()
    income = sum(seen[player_id].sale_price or 0 for player_id in plan.sold)
    return reading.bank + income - sum(seen[player_id].price for player_id in plan.bought)


def free_after(reading: Reading, plan: Plan) -> int:
    """Free transfers for the next gameweek."""
    if reading.gameweek + 1 in reading.top_ups:
        return reading.top_ups[reading.gameweek + 1]
    if reading.opening:
        return 1
    if plan.sheet.chip in ("wildcard", "free_hit"):
        return reading.free_transfers
    return min(reading.free_transfer_cap, max(0, reading.free_transfers - len(plan.bought)) + 1)
