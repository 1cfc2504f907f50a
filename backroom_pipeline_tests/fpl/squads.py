"""A small made-up player pool and a legal team of it, for rules that real data does not isolate."""

from __future__ import annotations

from backroom_pipeline.fpl.model import POSITIONS, Player, TeamSheet

CLUBS = tuple(f"C{number:02}" for number in range(20))


def made_up_pool(price: int = 50) -> dict[int, Player]:
    """Twenty players per position, ids 101-120 (GK), 201-220 (DEF), 301-320 (MID), 401-420 (FWD), one a club."""
    return {
        id: Player(id=id, code=id, web_name=f"Player{id}", club=CLUBS[number], position=position, price=price)
        for hundred, position in enumerate(POSITIONS, start=1)
        for number in range(20)
        for id in [100 * hundred + number + 1]
    }


def repriced(pool: dict[int, Player], **prices: int) -> dict[int, Player]:
    """``repriced(pool, p301=75)`` is the pool with player 301 at 7.5."""
    changed = {int(name[1:]): price for name, price in prices.items()}
    return {id: p.model_copy(update={"price": changed[id]}) if id in changed else p for id, p in pool.items()}


OPENING = TeamSheet(
    starting=(101, 202, 203, 204, 305, 306, 307, 308, 409, 410, 411),
    bench=(112, 213, 214, 315),
    captain=305,
    vice_captain=409,
)
"""A legal 3-4-3 of the made-up pool, with five of each outfield line from different clubs."""


def swapped(sheet: TeamSheet, **swaps: int) -> TeamSheet:
    """``swapped(sheet, p305=316)`` is the sheet with 316 in the place of 305."""
    changes = {int(name[1:]): came_in for name, came_in in swaps.items()}
    return sheet.model_copy(
        update={
            "starting": tuple(changes.get(player, player) for player in sheet.starting),
            "bench": tuple(changes.get(player, player) for player in sheet.bench),
            "captain": changes.get(sheet.captain, sheet.captain),
            "vice_captain": changes.get(sheet.vice_captain, sheet.vice_captain),
        }
    )
