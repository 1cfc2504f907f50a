"""The house manager: keeps or overrules the proposal, keeps or breaks its word, explains and promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from backroom_pipeline.models.house.assistant import Draft, draft, seen_by
from backroom_pipeline.models.house.chips import ChipCase
from backroom_pipeline.models.house.claims import Week, claims
from backroom_pipeline.models.house.personas import Temper
from backroom_pipeline.models.house.promises import binding, broken_by, limits_under
from backroom_pipeline.models.house.reading import Promise, Reading
from backroom_pipeline.models.house.reasoning import Story, reasoning
from backroom_pipeline.models.house.solver import Appetite, Limits, Plan, Solver, bank_after, free_after

ABOUT_CHIPS = ("hold_chip", "play_chip_in")
NOT_WORTH_PLAYING = 0.45
"""A promised chip that gains less than this share of what would be wanted tempts a manager to break the promise."""
NO_TRUST = 0.2
"""Points by which a manager's own plan must beat a proposal that pays for more transfers than it would."""
IMPOSSIBLE = 1e3
"""The price put on a promise that no legal team can keep."""


@dataclass(frozen=True, slots=True)
class Break:
    """A promise the manager decided not to keep, and what keeping it would have cost (None: no legal team keeps it)."""

    promise: Promise
    cost: float | None


def decide(reading: Reading, temper: Temper) -> dict[str, object]:
    """The manager's answer as plain JSON values."""
    solver = Solver(reading, seen_by(reading, temper), learned(reading, temper))
    promises = binding(reading)
    breaks, price = _broken(solver, temper, promises)
    kept = [promise for promise in promises if all(promise is not each.promise for each in breaks)]
    mine = draft(solver, temper, temper.most_paid, kept)
    change = _chip_break(solver, temper, mine, kept)
    if change is not None:
        kept = [promise for promise in kept if promise is not change[0].promise]
        breaks, mine = [*breaks, change[0]], change[1]
    proposal = _valued(solver)
    signed = proposal is not None and _acceptable(reading, temper, proposal, mine, kept, bool(breaks))
    chosen = proposal if signed and proposal is not None else mine.plan
    chosen = _armband(solver, temper, chosen, kept)
    costs = {id(each.promise): each.cost for each in breaks}
    story = Story(
        reading=reading,
        temper=temper,
        outlook=solver.outlook,
        plan=chosen,
        proposal=proposal,
        signed=signed,
        kept=_tightest(price, kept),
        broken=tuple((promise, costs.get(id(promise))) for promise in broken_by(reading, promises, chosen)),
        hit_gain=_hit_gain(solver, kept, chosen),
    )
    week = Week(reading, temper, chosen, solver.outlook, bank_after(reading, chosen), free_after(reading, chosen))
    return {"sheet": chosen.sheet.as_json(), "reasoning": reasoning(story), "claims": claims(week)}


def learned(reading: Reading, temper: Temper) -> Appetite:
    """The persona's appetite after what its form teaches: hits that failed make the next one dearer."""
    weight = temper.manager.hit_weight
    for week in reading.form.get("weeks") or ():
        if week.get("hit_points") and week.get("of"):
            place = (int(week["rank"]) - 1) / max(1, int(week["of"]) - 1)
            weight *= 1.15 if place > 0.6 else 0.95 if place < 0.3 else 1.0
    return replace(temper.manager, hit_weight=weight)


def _broken(solver: Solver, temper: Temper, promises: Sequence[Promise]) -> tuple[list[Break], dict[int, float]]:
    """The promise whose keeping costs more than the manager's word is worth, if any, and what each one costs.

    Prices are differences between best plans with and without the promise, chips aside; only promises that the best
    plan of all would break have one.
    """
    costly = [promise for promise in promises if promise.kind not in ABOUT_CHIPS]
    if not costly:
        return [], {}
    limits = Limits(most_paid=temper.most_paid)

    def best(honoured: Sequence[Promise]) -> Plan | None:
        return solver.solve(limits_under(solver.reading, honoured, limits))

    free = best(())
    tight = [] if free is None else broken_by(solver.reading, costly, free)
    if not tight:
        return [], {}
    bound = best(costly)
    price: dict[int, float] = {}
    for promise in tight:
        without = best([each for each in costly if each is not promise])
        if bound is None:
            price[id(promise)] = 0.0 if without is None else IMPOSSIBLE
        elif without is not None:
            price[id(promise)] = without.value - bound.value
    dearest = max(tight, key=lambda promise: price.get(id(promise), 0.0))
    cost = price.get(id(dearest), 0.0)
    if cost <= temper.word:
        return [], price
    return [Break(dearest, None if cost == IMPOSSIBLE else cost)], price


def _chip_break(solver: Solver, temper: Temper, mine: Draft, kept: Sequence[Promise]) -> tuple[Break, Draft] | None:
    """Breaking a promise about a chip: playing one that is held back, or not playing one that is due."""

    case = mine.chip
    for promise in kept:
        if case is not None and promise.kind == "play_chip_in" and promise.terms.get("chip") == case.chip:
            regret = case.wanted - case.gain
            if case.urge < NOT_WORTH_PLAYING and regret > temper.word:
                others = [each for each in kept if each is not promise]
                return Break(promise, regret), draft(solver, temper, temper.most_paid, others, (case.chip,))
    if case is not None:
        return None
    if all(promise.kind != "hold_chip" for promise in kept):
        return None
    loose = draft(solver, temper, temper.most_paid, [each for each in kept if each.kind != "hold_chip"])
    found = loose.chip
    if found is None or found.gain - found.wanted <= temper.word:
        return None
    holding = [promise for promise in kept if promise.kind == "hold_chip" and _holds(promise, found)]
    return (Break(holding[0], found.gain - found.wanted), loose) if len(holding) == 1 else None


def _holds(promise: Promise, case: ChipCase) -> bool:
    return promise.terms.get("chip") in (case.chip, "any")


def _valued(solver: Solver) -> Plan | None:
    """The assistant's sheet as a plan by the manager's own forecast and appetite, eleven and armband as they are."""
    sheet, outlook = solver.reading.proposal, solver.outlook
    if sheet is None or any(player_id not in outlook for player_id in (*sheet.starting, *sheet.bench)):
        return None
    fifteen = [outlook[player_id].player for player_id in (*sheet.starting, *sheet.bench)]
    return replace(solver.plan(fifteen, Limits(), sheet.chip), sheet=sheet)


def _acceptable(
    reading: Reading, temper: Temper, proposal: Plan, mine: Draft, kept: Sequence[Promise], breaking: bool
) -> bool:
    """Whether the assistant's sheet stands: no worse than the manager's own by more than trust allows."""
    if reading.breaches or breaking or proposal.paid > temper.most_paid:
        return False
    if proposal.sheet.chip != mine.plan.sheet.chip or broken_by(reading, kept, proposal):
        return False
    trust = temper.trust if proposal.paid <= mine.plan.paid else NO_TRUST
    return mine.plan.value - proposal.value <= trust


def _armband(solver: Solver, temper: Temper, plan: Plan, kept: Sequence[Promise]) -> Plan:
    """Move the armband where nerve wants it: to a less owned man (for the timid, a more owned one) nearly as good."""
    limits = limits_under(solver.reading, kept, Limits())
    outlook = solver.outlook
    if not temper.captain_nerve or limits.captain in plan.ids or plan.sheet.chip == "triple_captain":
        return plan
    best = outlook[plan.sheet.captain].points[0]
    near = [
        outlook[player_id].player
        for player_id in plan.sheet.starting
        if outlook[player_id].points[0] >= best - abs(temper.captain_nerve) and player_id not in limits.not_captain
    ]
    if any(player.selected_by is None for player in near) or len(near) < 2:
        return plan
    sign = 1 if temper.captain_nerve > 0 else -1
    captain = min(near, key=lambda player: (sign * (player.selected_by or 0.0), player.player_id))
    if captain.player_id == plan.sheet.captain:
        return plan
    sheet = replace(plan.sheet, captain=captain.player_id, vice_captain=plan.sheet.captain)
    return replace(plan, sheet=sheet)


def _tightest(price: Mapping[int, float], kept: Sequence[Promise]) -> Promise | None:
    """The kept promise that cost the most this week, if any cost something."""
    costly = [promise for promise in kept if price.get(id(promise), 0.0) > 0.3]
    return max(costly, key=lambda promise: price[id(promise)], default=None)


def _hit_gain(solver: Solver, kept: Sequence[Promise], chosen: Plan) -> float:
    """Points over the horizon that the paid transfers bring before their cost."""
    if not chosen.paid:
        return 0.0
    without = solver.solve(limits_under(solver.reading, kept, Limits(most_paid=0)))
    paid = solver.reading.hit_cost * solver.appetite.hit_weight * chosen.paid
    return 0.0 if without is None else max(chosen.value + paid - without.value, 0.0)
