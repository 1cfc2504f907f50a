"""The house assistant: a complete legal sheet from what its prompt shows, and the case for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from backroom_pipeline.models.house.chips import ChipCase, chip_cases, must_play_one
from backroom_pipeline.models.house.forecast import Outlook, outlooks
from backroom_pipeline.models.house.personas import Temper
from backroom_pipeline.models.house.promises import binding, chip_orders, limits_under, reserved_chips
from backroom_pipeline.models.house.reading import Promise, Reading
from backroom_pipeline.models.house.solver import Appetite, Limits, Plan, plan_of, solve


class NoTeam(ValueError):
    """No legal team can be made of the players shown; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan, and how it came about."""

    plan: Plan
    standing: Plan
    """The best plan without a chip."""
    chip: ChipCase | None
    dropped: tuple[Promise, ...]
    """Promises that no legal team could honour."""


def draft(
    reading: Reading,
    outlook: Mapping[int, Outlook],
    appetite: Appetite,
    most_paid: int,
    patience: float,
    promises: Sequence[Promise],
    barred: Collection[str] = (),
) -> Draft:
    """The best team that honours ``promises`` (the least binding dropped while they cannot all be kept)."""
    kept = list(promises)
    while True:
        limits = limits_under(reading, kept, Limits(most_paid=most_paid))
        standing = solve(reading, outlook, appetite, limits)
        if standing is not None or not kept:
            break
        kept.pop()
    if standing is None:
        standing = _as_it_stands(reading, outlook, appetite)
    orders = chip_orders(reading, kept)
    cases = chip_cases(
        reading, outlook, appetite, limits, standing, patience, orders.held | reserved_chips(reading) | set(barred)
    )
    case = next((case for case in cases if case.chip in orders.due), None)
    if case is None and cases and (cases[0].urge >= 1 or must_play_one(reading)):
        case = cases[0]
    dropped = tuple(promise for promise in promises if promise not in kept)
    return Draft(case.plan if case else standing, standing, case, dropped)


def _as_it_stands(reading: Reading, outlook: Mapping[int, Outlook], appetite: Appetite) -> Plan:
    if len(reading.squad) != 15:
        raise NoTeam("The players shown make no legal squad of fifteen within the budget.")
    return plan_of(reading, reading.squad, outlook, appetite, Limits(), None)


def propose(reading: Reading, temper: Temper) -> dict[str, object]:
    """The assistant's answer as plain JSON values."""
    outlook = outlooks(reading, reading.players, temper.horizon, temper.eye)
    made = draft(
        reading, outlook, temper.assistant, temper.most_paid_proposed, temper.chip_patience, binding(reading)
    )
    return {"sheet": made.plan.sheet.as_json(), "case": "The best I can see."}
