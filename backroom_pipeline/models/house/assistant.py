"""The house assistant: a complete legal sheet from what its prompt shows, and the case for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from backroom_pipeline.models.house.chips import ChipCase, chip_cases, must_play_one
from backroom_pipeline.models.house.forecast import Outlook, outlooks
from backroom_pipeline.models.house.personas import Temper
from backroom_pipeline.models.house.promises import binding, broken_by, chip_orders, limits_under, reserved_chips
from backroom_pipeline.models.house.reading import Promise, Reading
from backroom_pipeline.models.house.solver import Limits, Plan, Solver
from backroom_pipeline.models.house.words import (
    CHIP_NAMES,
    fixtures,
    million,
    several,
    variant,
    verdict,
    why_bought,
    why_sold,
)

HALF_GONE = 0.9
"""Share of his forecast that a player keeps in the eyes of those who have promised to sell him."""


class NoTeamError(ValueError):
    """No legal team can be made of the players shown; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan, and how it came about."""

    plan: Plan
    standing: Plan
    """The best plan without a chip."""
    chip: ChipCase | None


def seen_by(reading: Reading, temper: Temper) -> dict[int, Outlook]:
    """The forecast of everybody in the prompt, as assistant and manager of this persona see it."""
    outlook = outlooks(reading, reading.players, temper.horizon, temper.eye)
    for promise in reading.promises:
        each = outlook.get(promise.player_id or 0)
        if each is not None and promise.kind == "sell_player" and promise.last <= reading.gameweek + 1:
            fading = tuple(points * HALF_GONE for points in each.points)
            outlook[each.player.player_id] = replace(each, points=fading)
    return outlook


def draft(
    solver: Solver,
    temper: Temper,
    most_paid: int,
    promises: Sequence[Promise],
    barred: Collection[str] = (),
) -> Draft:
    """The best team that honours ``promises`` (the least binding dropped while they cannot all be kept)."""
    reading = solver.reading
    kept = list(promises)
    reserve = temper.opening_reserve if reading.opening else 0
    while True:
        limits = limits_under(reading, kept, Limits(most_paid=most_paid, bank_at_least=reserve))
        standing = solver.solve(limits)
        if standing is not None or not kept:
            break
        kept.pop()
    if standing is None:
        if len(reading.squad) != 15:
            raise NoTeamError("The players shown make no legal squad of fifteen within the budget.")
        standing = solver.plan(reading.squad, Limits(), None)
    if reading.breaches:
        # A sheet that broke a rule came back: play no chip, and leave the squad alone if there is one.
        safe = solver.plan(reading.squad, Limits(), None) if len(reading.squad) == 15 else standing
        return Draft(safe, safe, None)
    orders = chip_orders(reading, kept)
    closed = {"wildcard", "free_hit"} if reading.opening else set[str]()
    if any(promise.kind == "sell_player" for promise in kept) and not must_play_one(reading):
        closed.add("free_hit")  # The squad of before comes back with the man who was to be sold by now.
    closed |= orders.held | reserved_chips(reading) | set(barred)
    cases = chip_cases(solver, limits, standing, temper.chip_patience, closed)
    case = next((case for case in cases if case.chip in orders.due), None)
    if case is None and cases and (cases[0].urge >= 1 or must_play_one(reading)):
        case = cases[0]
    return Draft(case.plan if case else standing, standing, case)


def propose(reading: Reading, temper: Temper) -> dict[str, object]:
    """The assistant's answer as plain JSON values."""
    solver = Solver(reading, seen_by(reading, temper), temper.assistant)
    promises = binding(reading)
    made = draft(solver, temper, temper.most_paid_proposed, promises if temper.assistant_honours else ())
    return {"sheet": made.plan.sheet.as_json(), "case": _case(reading, temper, solver, made, promises)}


def _case(reading: Reading, temper: Temper, solver: Solver, made: Draft, promises: Sequence[Promise]) -> str:
    outlook, plan, week = solver.outlook, made.plan, reading.gameweek
    said: list[str] = []
    chip = plan.sheet.chip
    if reading.opening:
        spent = sum(outlook[player_id].player.price for player_id in sorted(plan.ids))
        left = million(reading.bank - spent)
        said.append(f"Fifteen from nothing: {million(spent)} spent, {left} left, an eleven worth {plan.this_week:.0f}.")
    elif chip in ("wildcard", "free_hit"):
        said.append(
            f"I would play the {CHIP_NAMES[chip]}: {len(plan.bought)} changes, worth {made.chip.gain:.1f} points to us."
            if made.chip
            else f"I would play the {CHIP_NAMES[chip]}."
        )
    elif plan.bought:
        said.append(f"Out: {_names(outlook, plan.sold)}. In: {_names(outlook, plan.bought)}.")
        said.append(_one_reason(reading, outlook, plan))
        if plan.paid:
            said.append(f"It costs {plan.paid * reading.hit_cost} points and I think it pays.")
    else:
        options = (
            "Nothing on the coach's list beats a transfer in hand.",
            "I tried every name on the list and came back to the squad we have.",
            "No transfer: the gain is smaller than the option.",
        )
        said.append(variant(options, temper.persona, "assistant rolls", week=week))
    if chip in ("bench_boost", "triple_captain") and made.chip:
        said.append(f"The {CHIP_NAMES[chip]} adds about {made.chip.gain:.1f}.")
    captain = outlook[plan.sheet.captain].player
    said.append(
        f"Captain {captain.name}: {fixtures(reading, captain)}, {outlook[captain.player_id].points[0]:.1f} expected."
    )
    broken = broken_by(reading, promises, plan)
    if broken:
        said.append(f'Mind that this breaks what was said in gameweek {broken[0].made_in}: "{broken[0].text}"')
    elif promises:
        said.append(variant(HONOURED, temper.persona, "assistant keeps", week=week))
    last = max(reading.own_sheets, key=lambda record: record.gameweek, default=None)
    if last is not None and verdict(last.result) == "failure":
        said.append(f"My sheet of gameweek {last.gameweek} failed; I looked harder at minutes this time.")
    elif last is not None and verdict(last.result) == "success":
        said.append(f"My sheet of gameweek {last.gameweek} did well, so I changed no habits.")
    return " ".join(said)[:2000]


HONOURED = (
    "It keeps every promise that stands.",
    "The standing commitments are all honoured.",
    "Nothing here breaks our word.",
)


def _names(outlook: Mapping[int, Outlook], ids: Sequence[int]) -> str:
    return several([outlook[player_id].player.name for player_id in ids])


def _one_reason(reading: Reading, outlook: Mapping[int, Outlook], plan: Plan) -> str:
    in_ = outlook[max(plan.bought, key=lambda player_id: (outlook[player_id].total(), -player_id))]
    out = outlook[min(plan.sold, key=lambda player_id: (outlook[player_id].total(), player_id))]
    return f"{in_.player.name} {why_bought(reading, in_)}; {out.player.name} {why_sold(reading, out)}."
