"""Standing commitments as a persona reads them: which bind this week, and what they forbid or demand of a team."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from backroom_pipeline.fpl.model import CHIPS
from backroom_pipeline.models.house.reading import Promise, Reading, Seen
from backroom_pipeline.models.house.solver import Limits, Plan, bank_after


@dataclass(frozen=True, slots=True)
class ChipOrders:
    """What promises say about chips this week."""

    held: frozenset[str] = frozenset()
    due: tuple[str, ...] = ()


def ruled_out(player: Seen) -> bool:
    return player.chance == 0 or player.status in ("i", "s", "u", "n")


def binding(reading: Reading) -> tuple[Promise, ...]:
    """The promises that apply to this gameweek's decision, in the order of the prompt (most binding first)."""
    return tuple(promise for promise in reading.promises if _applies(promise, reading, reading.by_id()))


def _applies(promise: Promise, reading: Reading, seen: Mapping[int, Seen]) -> bool:
    if not max(promise.first, promise.made_in) <= reading.gameweek <= promise.last:
        return False
    if promise.kind in ("play_chip_in", "sell_player") and promise.last > reading.gameweek:
        return False
    player = seen.get(promise.player_id) if promise.player_id is not None else None
    return not (promise.terms.get("only_if_fit") and player is not None and ruled_out(player))


def limits_under(reading: Reading, promises: Iterable[Promise], limits: Limits) -> Limits:
    """``limits`` narrowed to what the promises leave possible."""
    seen = reading.by_id()
    for promise in promises:
        limits = _narrowed(limits, promise, reading, seen)
    return limits


def _narrowed(limits: Limits, promise: Promise, reading: Reading, seen: Mapping[int, Seen]) -> Limits:
    terms, player_id = promise.terms, promise.player_id
    one = frozenset() if player_id is None else frozenset({player_id})
    owned = player_id is not None and player_id in seen and seen[player_id].owned
    match promise.kind:
        case "no_hits":
            return replace(
                limits, most_paid=min(limits.most_paid, int(terms.get("at_most_points", 0)) // reading.hit_cost)
            )
        case "max_transfers":
            return _at_most(limits, int(terms["limit"]))
        case "bank_transfers":
            save_until, unused = terms.get("save_until"), terms.get("leave_unused")
            if save_until is not None:
                return _at_most(limits, 0) if reading.free_transfers < save_until else limits
            return _at_most(limits, max(0, reading.free_transfers - int(unused or 0)))
        case "keep_player" if owned:
            return replace(limits, keep=limits.keep | one)
        case "sell_player" if owned:
            return replace(limits, without=limits.without | one)
        case "avoid_player" if not owned:
            return replace(limits, without=limits.without | one)
        case "captain_player" if owned:
            return replace(limits, keep=limits.keep | one, start=limits.start | one, captain=player_id)
        case "never_captain":
            club = terms.get("club")
            members = frozenset(p.player_id for p in seen.values() if club is not None and p.club == club)
            return replace(limits, not_captain=limits.not_captain | one | members)
        case "start_player" if owned:
            if terms.get("starting", True):
                return replace(limits, keep=limits.keep | one, start=limits.start | one)
            return replace(limits, bench=limits.bench | one)
        case "club_limit" if terms.get("at_most") is not None and not terms.get("starting_only"):
            return replace(limits, clubs=(*limits.clubs, (terms.get("club"), int(terms["at_most"]))))
        case "bank_money" if terms.get("at_least") is not None:
            return replace(limits, bank_at_least=max(limits.bank_at_least, int(terms["at_least"])))
        case "formation" if terms.get("formation"):
            defenders, midfielders, forwards = (int(number) for number in str(terms["formation"]).split("-"))
            return replace(limits, formation=(defenders, midfielders, forwards))
        case _:
            return limits


def _at_most(limits: Limits, transfers: int) -> Limits:
    most = transfers if limits.most_transfers is None else min(limits.most_transfers, transfers)
    return replace(limits, most_transfers=most)


def chip_orders(reading: Reading, promises: Iterable[Promise]) -> ChipOrders:
    """Chips that promises hold back this week, and those whose promised last gameweek this is."""
    held: set[str] = set()
    due: list[str] = []
    for promise in promises:
        chip = str(promise.terms.get("chip"))
        if promise.kind == "hold_chip":
            held.update(CHIPS if chip == "any" else (chip,))
        elif promise.kind == "play_chip_in" and chip in reading.chips_playable:
            due.append(chip)
    return ChipOrders(frozenset(held), tuple(due))


def reserved_chips(reading: Reading) -> frozenset[str]:
    """Chips promised to a later gameweek, which playing now would break."""
    return frozenset(
        str(promise.terms.get("chip"))
        for promise in reading.promises
        if promise.kind == "play_chip_in" and promise.first > reading.gameweek
    )


def broken_by(reading: Reading, promises: Iterable[Promise], plan: Plan) -> list[Promise]:
    """The promises among those that bind this week that a plan does not honour."""
    seen = reading.by_id()
    return [promise for promise in promises if _breaks(promise, reading, plan, seen)]


def _breaks(promise: Promise, reading: Reading, plan: Plan, seen: Mapping[int, Seen]) -> bool:
    terms, player_id, sheet = promise.terms, promise.player_id, plan.sheet
    rebuilt, guests = sheet.chip in ("wildcard", "free_hit"), sheet.chip == "free_hit"
    match promise.kind:
        case "hold_chip":
            return sheet.chip is not None and terms.get("chip") in (sheet.chip, "any")
        case "play_chip_in":
            return promise.last == reading.gameweek and sheet.chip != terms.get("chip")
        case "no_hits":
            return plan.paid * reading.hit_cost > int(terms.get("at_most_points", 0))
        case "max_transfers":
            return not rebuilt and len(plan.bought) > int(terms["limit"])
        case "bank_transfers":
            save_until, unused = terms.get("save_until"), int(terms.get("leave_unused") or 0)
            if save_until is not None:
                return not rebuilt and reading.free_transfers < save_until and bool(plan.bought)
            return not rebuilt and reading.free_transfers - len(plan.bought) < unused
        case "keep_player":
            return not guests and player_id not in plan.ids
        case "sell_player" if player_id is not None:
            return player_id in plan.ids or (guests and player_id in seen and seen[player_id].owned)
        case "avoid_player":
            return player_id in plan.bought
        case "captain_player":
            return sheet.captain != player_id
        case "never_captain":
            return sheet.captain == player_id or seen[sheet.captain].club == terms.get("club")
        case "start_player":
            return (player_id in sheet.starting) != bool(terms.get("starting", True))
        case "club_limit" if terms.get("at_most") is not None:
            squad = sheet.starting if terms.get("starting_only") else sorted(plan.ids)
            counts = Counter(seen[each].club for each in squad)
            most = max(counts.values()) if terms.get("club") is None else counts[str(terms["club"])]
            return most > int(terms["at_most"])
        case "bank_money" if terms.get("at_least") is not None:
            return not guests and bank_after(reading, plan) < int(terms["at_least"])
        case "formation" if terms.get("formation"):
            lines = Counter(seen[each].position for each in sheet.starting)
            return f"{lines['DEF']}-{lines['MID']}-{lines['FWD']}" != terms["formation"]
        case _:
            return False
