"""A decision to judge promises on: fifteen players of which only what matters is changed."""

from typing import Any

from backroom_pipeline.memory.commitments import DecisionFacts

KEEPER, KEEPER_2 = 1, 12
DEFENDER, DEFENDER_2, DEFENDER_3 = 2, 3, 4
MIDFIELDER, MIDFIELDER_2 = 5, 6
STRIKER, STRIKER_2, STRIKER_3 = 9, 10, 11
BENCHED_DEFENDER, BENCHED_MIDFIELDER = 13, 15
OUTSIDER, OUTSIDER_2 = 50, 51

_POSITIONS: dict[int, Any] = {
    **dict.fromkeys((1, 12), "GK"),
    **dict.fromkeys((2, 3, 4, 13, 14), "DEF"),
    **dict.fromkeys((5, 6, 7, 8, 15), "MID"),
    **dict.fromkeys((9, 10, 11), "FWD"),
    **dict.fromkeys((50, 51), "MID"),
}
_CLUBS = {1: "ARS", 2: "ARS", 5: "ARS", 9: "MCI", 10: "CHE", 11: "CHE", 12: "BUR", 50: "LIV", 51: "TOT"}


def decision(gameweek: int = 8, **changes: Any) -> DecisionFacts:
    """Fifteen players (1-15), 3-4-3, captain 9 with vice 10, no transfers, one free transfer, 1.0 in the bank."""
    values: dict[str, Any] = {
        "gameweek": gameweek,
        "chip": None,
        "captain": STRIKER,
        "vice_captain": STRIKER_2,
        "starting": range(1, 12),
        "bench": range(12, 16),
        "bought": (),
        "sold": (),
        "hit_points": 0,
        "formation": "3-4-3",
        "bank_after": 10,
        "free_transfers_before": 1,
        "chips_played_before": (),
        "unavailable": (),
        "clubs": {player: _CLUBS.get(player, f"C{player:02}") for player in _POSITIONS},
        "positions": _POSITIONS,
        **changes,
    }
    for name in ("starting", "bench", "bought", "sold", "unavailable"):
        values[name] = frozenset(values[name])
    return DecisionFacts(**values)


def swapped(gameweek: int = 8, *, out: int, into: int, **changes: Any) -> DecisionFacts:
    """The same decision with one of the fifteen sold for somebody else."""
    base = decision(gameweek)
    return decision(
        gameweek,
        **{
            "starting": {into if player == out else player for player in base.starting},
            "bench": {into if player == out else player for player in base.bench},
            "bought": {into},
            "sold": {out},
            **changes,
        },
    )
