"""The best legal team over the coming gameweeks: a mixed integer program over the players a prompt shows.

Which fifteen to own is decided once for the whole horizon (integers); who starts and who is captain each week follows
from it (continuous, since the best eleven of a given squad is a vertex anyway). Later transfers are not planned but
priced: a free transfer kept is worth points, and later weeks count for less. Stopping is by gap and node count, never
by time, so that the same prompt gives the same team on any machine.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

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


def solve(
    reading: Reading, outlook: Mapping[int, Outlook], appetite: Appetite, limits: Limits, chip: str | None = None
) -> Plan | None:
    """The best team under the limits, or None where there is none. ``chip`` is played this week."""
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_matrix

    players = sorted((each.player for each in outlook.values()), key=lambda player: player.player_id)
    count, horizon = len(players), len(next(iter(outlook.values())).points)
    if chip == "free_hit":
        horizon = 1
    free = reading.opening or chip in ("wildcard", "free_hit")
    owned = [player for player in players if player.owned]
    points = np.array([outlook[player.player_id].points[:horizon] for player in players])
    weights = appetite.decay ** np.arange(horizon)

    # Columns: squad (count), starting (count x horizon), armband (count x horizon), paid, kept free transfers.
    squad, starting, armband = 0, count, count * (1 + horizon)
    paid = count * (1 + 2 * horizon)
    kept = paid + 1
    columns = kept + len(KEPT_TRANSFER)
    gain = np.zeros(columns)
    bench = np.array([BENCH_KEEPER if player.position == "GK" else appetite.bench for player in players])
    for week in range(horizon):
        share = np.ones(count) if chip == "bench_boost" and week == 0 else bench
        if chip == "free_hit":
            share = bench / 3
        expected = points[:, week] * weights[week]
        gain[squad : squad + count] += share * expected
        gain[starting + week * count : starting + (week + 1) * count] = (1 - share) * expected
        times = 2 if chip == "triple_captain" and week == 0 else 1
        gain[armband + week * count : armband + (week + 1) * count] = times * expected
    gain[paid] = -reading.hit_cost * appetite.hit_weight
    topped_up = reading.gameweek + 1 in reading.top_ups
    if not free and not topped_up:
        gain[kept:] = np.array(KEPT_TRANSFER) * appetite.kept_transfer

    upper = np.ones(columns)
    lower = np.zeros(columns)
    upper[paid] = 0 if free else max(0, limits.most_paid)
    upper[kept + max(0, reading.free_transfer_cap - 1) :] = 0
    rows: list[tuple[dict[int, float], float, float]] = []
    index = {player.player_id: number for number, player in enumerate(players)}
    _whole_squad(rows, players, squad)
    _weekly_elevens(rows, players, starting, armband, horizon, bench_boost=chip == "bench_boost")
    _clubs(rows, players, squad, reading, limits, upper)
    money = {squad + index[p.player_id]: float(-p.price if not p.owned else -(p.sale_price or 0)) for p in players}
    funds = reading.bank + sum(player.sale_price or 0 for player in owned)
    ceiling = np.inf if limits.bank_at_most is None else limits.bank_at_most - funds
    rows.append((money, limits.bank_at_least - funds, ceiling))
    new = {squad + index[player.player_id]: 1.0 for player in players if not player.owned}
    if not free:
        rows.append(({**new, paid: -1.0}, -np.inf, reading.free_transfers))
        left = {column: 1.0 for column in range(kept, columns)}
        rows.append(({**new, **left, paid: -1.0}, -np.inf, reading.free_transfers))
        if limits.most_transfers is not None:
            rows.append((new, -np.inf, limits.most_transfers))
    for player_id in limits.keep & index.keys():
        if players[index[player_id]].owned or chip != "free_hit":
            lower[squad + index[player_id]] = 1
    for player_id in limits.without & index.keys():
        upper[squad + index[player_id]] = 0
    for player_id in limits.start & index.keys():
        lower[starting + index[player_id]] = 1
    for player_id in limits.bench & index.keys():
        upper[starting + index[player_id]] = 0
    for player_id in limits.not_captain & index.keys():
        upper[armband + index[player_id]] = 0
    if limits.captain in index:
        lower[armband + index[limits.captain]] = 1
    if limits.formation is not None:
        for position, number in zip(("DEF", "MID", "FWD"), limits.formation, strict=True):
            line = {starting + i: 1.0 for i, player in enumerate(players) if player.position == position}
            rows.append((line, number, number))
    if np.any(lower > upper):
        return None

    values, at, across = [], [], []
    for number, (terms, _, _) in enumerate(rows):
        values.extend(terms.values())
        at.extend([number] * len(terms))
        across.extend(terms.keys())
    matrix = coo_matrix((values, (at, across)), shape=(len(rows), columns)).tocsr()
    bounds = [row[1] for row in rows], [row[2] for row in rows]
    integrality = np.zeros(columns)
    integrality[squad : squad + count] = 1
    answer = milp(
        -gain,
        constraints=LinearConstraint(matrix, *bounds),
        bounds=Bounds(lower, upper),
        integrality=integrality,
        options={"mip_rel_gap": 0.001, "node_limit": 400},
    )
    if answer.x is None:
        return None
    chosen = [player for number, player in enumerate(players) if answer.x[squad + number] > 0.5]
    return plan_of(reading, chosen, outlook, appetite, limits, chip)


Row = tuple[dict[int, float], float, float]


def _whole_squad(rows: list[Row], players: Sequence[Seen], squad: int) -> None:
    for position, size in SQUAD.items():
        line = {squad + number: 1.0 for number, player in enumerate(players) if player.position == position}
        rows.append((line, size, size))


def _weekly_elevens(
    rows: list[Row], players: Sequence[Seen], starting: int, armband: int, horizon: int, *, bench_boost: bool
) -> None:
    count = len(players)
    for week in range(horizon):
        first, strap = starting + week * count, armband + week * count
        rows.append(({first + number: 1.0 for number in range(count)}, 11, 11))
        rows.append(({strap + number: 1.0 for number in range(count)}, 1, 1))
        for position, (fewest, most) in STARTERS.items():
            line = {first + number: 1.0 for number, player in enumerate(players) if player.position == position}
            rows.append((line, fewest, most))
        for number in range(count):
            rows.append(({first + number: 1.0, number: -1.0}, float("-inf"), 0))
            rows.append(({strap + number: 1.0, first + number: -1.0}, float("-inf"), 0))


def _clubs(rows: list[Row], players: Sequence[Seen], squad: int, reading: Reading, limits: Limits, upper: object) -> None:
    for club in sorted({player.club for player in players}):
        members = [number for number, player in enumerate(players) if player.club == club]
        standing = sum(players[number].owned for number in members)
        most = reading.club_limit
        # A real transfer between clubs can leave more than the limit: that squad stands, but nobody may be added.
        if standing > most:
            most = standing
            for number in members:
                if not players[number].owned:
                    upper[squad + number] = 0  # type: ignore[index]
        for promised_club, promised in limits.clubs:
            if promised_club in (None, club):
                most = min(most, promised)
        rows.append(({squad + number: 1.0 for number in members}, 0, most))


def plan_of(
    reading: Reading,
    chosen: Iterable[Seen],
    outlook: Mapping[int, Outlook],
    appetite: Appetite,
    limits: Limits,
    chip: str | None,
) -> Plan:
    """The plan that owning exactly these fifteen amounts to, with the best eleven and armband of this week."""
    fifteen = sorted(chosen, key=lambda player: player.player_id)
    ids = {player.player_id for player in fifteen}
    bought = tuple(player.player_id for player in fifteen if not player.owned)
    sold = tuple(player.player_id for player in reading.squad if player.player_id not in ids)
    free = reading.opening or chip in ("wildcard", "free_hit")
    paid = 0 if free else max(0, len(bought) - reading.free_transfers)
    sheet = lineup(fifteen, outlook, 0, limits, chip)
    horizon = 1 if chip == "free_hit" else len(next(iter(outlook.values())).points)
    value = 0.0
    for week in range(horizon):
        best = sheet if week == 0 else lineup(fifteen, outlook, week, Limits(), None)
        value += appetite.decay**week * expected_points(best, outlook, week, appetite.bench)
    value -= reading.hit_cost * appetite.hit_weight * paid
    if not free and reading.gameweek + 1 not in reading.top_ups:
        left = min(max(0, reading.free_transfers - len(bought)), reading.free_transfer_cap - 1)
        value += appetite.kept_transfer * sum(KEPT_TRANSFER[:left])
    return Plan(sheet, bought, sold, paid, value, expected_points(sheet, outlook, 0, 0.0))


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


def with_armband(plan: Plan, captain: int, vice: int) -> Plan:
    """The same team under another captain."""
    return replace(plan, sheet=replace(plan.sheet, captain=captain, vice_captain=vice))
