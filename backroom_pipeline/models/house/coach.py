"""The house coach: five players per position from statistics alone, a reason each, and notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from backroom_pipeline.fpl.model import POSITIONS, Position
from backroom_pipeline.models.house.forecast import Outlook, outlooks
from backroom_pipeline.models.house.personas import Temper
from backroom_pipeline.models.house.reading import Reading, Seen

LISTED = 5
ENABLERS = 8
OUTRIGHT = 2
"""How many of the five are simply the best; the others are the best for their price."""
POINTS_PER_MILLION: Mapping[Position, float] = {"GK": 1.2, "DEF": 1.3, "MID": 1.2, "FWD": 1.0}
"""Points over the horizon that a million spent elsewhere would bring."""
FLOOR: Mapping[Position, int] = {"GK": 40, "DEF": 40, "MID": 45, "FWD": 45}


def rank(reading: Reading, temper: Temper) -> dict[str, object]:
    """The coach's answer as plain JSON values."""
    outlook = outlooks(reading, reading.players, temper.horizon, temper.eye)
    picks = {position: ranked(outlook, position, temper) for position in POSITIONS}
    answer: dict[str, object] = {
        "rankings": {position: _entries(reading, chosen) for position, chosen in picks.items()},
        "enablers": {},
    }
    if reading.opening:
        taken = {each.player.player_id for chosen in picks.values() for each in chosen}
        cheap = {position: enablers(outlook, position, taken) for position in POSITIONS}
        answer["enablers"] = {position: _entries(reading, chosen) for position, chosen in cheap.items()}
    answer["notes"] = _notes(reading, picks)
    return answer


def ranked(outlook: Mapping[int, Outlook], position: Position, temper: Temper) -> list[Outlook]:
    """Five of a position: the best outright, then the best for their price, listed by forecast."""
    decay = temper.assistant.decay
    rate = POINTS_PER_MILLION[position]
    candidates = [each for each in outlook.values() if each.player.position == position]
    candidates.sort(key=lambda each: (-each.total(decay), each.player.player_id))
    chosen = _from_different_clubs(candidates, [], OUTRIGHT)
    thrifty = sorted(
        candidates, key=lambda each: (-(each.total(decay) - rate * each.player.price / 10), each.player.player_id)
    )
    chosen = _from_different_clubs(thrifty, chosen, LISTED)
    return sorted(chosen, key=lambda each: (-each.total(decay), each.player.player_id))


def _from_different_clubs(candidates: Sequence[Outlook], chosen: list[Outlook], number: int) -> list[Outlook]:
    """``chosen`` filled up to ``number``, no more than two of a club so that the cap of three wastes no place."""
    chosen = list(chosen)
    for each in candidates:
        if len(chosen) >= number:
            break
        clubs = Counter(other.player.club for other in chosen)
        if each not in chosen and clubs[each.player.club] < 2:
            chosen.append(each)
    return chosen


def enablers(outlook: Mapping[int, Outlook], position: Position, taken: set[int]) -> list[Outlook]:
    """Cheap players of a position: the likeliest to play near the lowest price, and some at the lowest."""
    candidates = [each for each in outlook.values() if each.player.position == position]
    candidates = [each for each in candidates if each.player.player_id not in taken and each.fit > 0]
    candidates.sort(key=lambda each: (-each.total(), each.player.price, each.player.player_id))
    limit = FLOOR[position] + (5 if position == "GK" else 10)
    cheap = [each for each in candidates if each.player.price <= limit]
    cheapest = sorted(candidates, key=lambda each: (each.player.price, -each.total(), each.player.player_id))[:3]
    chosen = cheapest + [each for each in cheap if each not in cheapest]
    return sorted(chosen[:ENABLERS], key=lambda each: (-each.total(), each.player.player_id))


def _entries(reading: Reading, chosen: Sequence[Outlook]) -> list[dict[str, object]]:
    return [{"player_id": each.player.player_id, "reason": _reason(reading, each)} for each in chosen]


def _reason(reading: Reading, each: Outlook) -> str:
    player: Seen = each.player
    return f"{player.points} points, {player.xg:.2f} xG, {player.xa:.2f} xA in {player.minutes} minutes."


def _notes(reading: Reading, picks: Mapping[Position, Sequence[Outlook]]) -> str:
    return "Notes."
