"""What compact prompts say in short: a club's fixtures on a line, a player on a line, a sheet as a menu."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from backroom_pipeline.models.blocks import Blocks

_PLAYER = re.compile(
    r"(?P<name>.*) (?P<position>GK|DEF|MID|FWD) (?P<club>\S+) (?P<price>\d+) (?P<points>-?\d+)"
    r"(?: sells (?P<sale_price>\d+))?"
)
_CHANCE = re.compile(r"(\d+)%")


def matches_in(line: str, gameweek: int) -> dict[int, list[tuple[str, bool, int]]]:
    """``MUN A3 LEE H2 + CHE A4 -``: opponent, whether at home, and difficulty, by gameweek from this one on."""
    found: dict[int, list[tuple[str, bool, int]]] = {}
    words = iter(line.split())
    week, same_week = gameweek - 1, False
    for word in words:
        if word == "+":
            same_week = True
            continue
        week += not same_week
        same_week = False
        if word != "-":
            venue = next(words)
            found.setdefault(week, []).append((word, venue[0] == "H", int(venue[1:])))
    return found


def players_in(blocks: Blocks) -> Iterator[dict[str, Any]]:
    """Everybody on a line of any block, as the fields of a player seen."""
    fitness = _object(blocks, "fitness")
    menu = _object(blocks, "menu")
    places = chain(menu.get("starting", ()), menu.get("bench", ()), [menu.get("leaving", ())])
    on_menu = (line.split(" ", 1) for place in places for line in place)
    listed = chain(_object(blocks, "shortlist").items(), _object(blocks, "cheap").items())
    for player_id, line in chain(on_menu, listed):
        match = _PLAYER.fullmatch(line)
        if match is None:
            continue
        row: dict[str, Any] = {
            name: value if name in ("name", "position", "club") else int(value)
            for name, value in match.groupdict().items()
            if value is not None
        }
        chance = _CHANCE.match(fitness.get(player_id, ""))
        yield {"player_id": int(player_id), **row, **({"chance": int(chance[1])} if chance else {})}


def first_choice(blocks: Blocks) -> dict[str, Any] | None:
    """The sheet that stands first everywhere on the menu, which in a manager's prompt is its assistant's."""
    menu = _object(blocks, "menu")
    if not menu:
        return None
    return {
        **{line: [int(place[0].split(" ", 1)[0]) for place in menu[line]] for line in ("starting", "bench")},
        **{name: menu[name][0] for name in ("captain", "vice_captain", "chip")},
    }


def _object(blocks: Blocks, name: str) -> dict[str, Any]:
    return blocks.object(name) if name in blocks else {}
