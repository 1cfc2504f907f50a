"""The laws of a squad once more, written without a look at the engine: what a committed sheet is held against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from backroom_pipeline.fpl.model import Player, TeamSheet, TeamState
from backroom_pipeline.fpl.rules import Rules


def offences(sheet: TeamSheet, before: TeamState, pool: Mapping[int, Player], rules: Rules, gameweek: int) -> list[str]:
    """Every law the sheet breaks, in a word or two; none for a legal one."""
    fifteen = [*sheet.starting, *sheet.bench]
    if [each for each in fifteen if each not in pool]:
        return ["unknown player"]
    paid = {owned.player_id: owned.purchase_price for owned in before.owned}
    bought = [each for each in fifteen if each not in paid]
    worth = {each: _worth(price, pool[each].price) for each, price in paid.items() if each not in fifteen}
    money = (before.bank if paid else 1000) + sum(worth.values()) - sum(pool[each].price for each in bought)
    clubs = Counter(pool[each].club for each in fifteen)
    eleven = Counter(pool[each].position for each in sheet.starting)
    window = "first half" if gameweek <= 19 else "second half"
    played = [play.chip for play in before.chips_played if (play.gameweek <= 19) == (gameweek <= 19)]
    verdicts = {
        "not fifteen": len(fifteen) != 15 or len(set(fifteen)) != 15 or len(sheet.starting) != 11,
        "shape": Counter(pool[each].position for each in fifteen) != {"GK": 2, "DEF": 5, "MID": 5, "FWD": 3},
        "formation": eleven["GK"] != 1 or eleven["DEF"] < 3 or eleven["MID"] < 2 or eleven["FWD"] < 1,
        "bench order": not sheet.bench or pool[sheet.bench[0]].position != "GK",
        "captain": sheet.captain not in sheet.starting,
        "vice captain": sheet.vice_captain not in sheet.starting or sheet.vice_captain == sheet.captain,
        "money": money < 0,
        "clubs": any(clubs[pool[each].club] > 3 for each in bought),
        f"chip of the {window}": sheet.chip is not None and sheet.chip in played,
        "chip too early": sheet.chip in ("wildcard", "free_hit") and gameweek == 1,
    }
    return [law for law, broken in verdicts.items() if broken]


def _worth(paid: int, now: int) -> int:
    """A rise is shared with the game, rounded down; a fall is borne alone."""
    rise = now - paid
    return paid + rise // 2 if rise > 0 else now
