"""One real team's seasons, read from the archive: what it picked, and what the official game made of it."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from backroom_pipeline.fpl.model import (
    POSITIONS,
    Chip,
    MatchPerformance,
    Player,
    Position,
    Stats,
    Substitution,
    TeamSheet,
)

SEASONS = ("2020-21", "2021-22", "2022-23", "2023-24", "2024-25", "2025-26")
CHIP_NAMES: dict[str, Chip] = {
    "wildcard": "wildcard",
    "freehit": "free_hit",
    "bboost": "bench_boost",
    "3xc": "triple_captain",
}
ELEMENT_TYPES: dict[int, Position] = {1: "GK", 2: "DEF", 3: "MID", 4: "FWD"}
ASSISTANT_MANAGER = 5


@dataclass(frozen=True)
class OfficialGameweek:
    """A gameweek as the official game recorded it for the team. ``points`` is gross of the hit."""

    gameweek: int
    sheet: TeamSheet
    substitutions: tuple[Substitution, ...]
    points: int
    bench_points: int
    transfers: int
    hit_points: int
    bank: int
    value: int


class RealSeason:
    """The real team's season, and every player's official points in it."""

    def __init__(self, wheel: Path, season: str) -> None:
        self.season = season
        self._pools: dict[int, dict[int, Player]] = {}
        self._archive = zipfile.ZipFile(wheel)
        self._code = season[2:4] + season[5:7]
        self.bootstrap: dict[str, Any] = self._json("FPL")
        self.elements: dict[int, dict[str, Any]] = {element["id"]: element for element in self.bootstrap["elements"]}
        self.positions: dict[int, Position] = {
            id: ELEMENT_TYPES[element["element_type"]]
            for id, element in self.elements.items()
            if element["element_type"] != ASSISTANT_MANAGER
        }

    @cached_property
    def gameweeks(self) -> tuple[OfficialGameweek, ...]:
        return tuple(self._gameweek(week) for week in self._json("airsenal_gw"))

    @cached_property
    def transfers(self) -> list[dict[str, Any]]:
        """Rows of the transfers endpoint, oldest first."""
        return sorted(self._json("airsenal_transfer"), key=lambda row: row["time"])

    @cached_property
    def chips(self) -> dict[int, str]:
        return {chip["event"]: chip["name"] for chip in self._json("airsenal_history")["chips"]}

    @cached_property
    def performances(self) -> dict[int, list[MatchPerformance]]:
        """Gameweek to performances, one per player and match."""
        once: dict[tuple[int, int], MatchPerformance] = {}
        gameweek_of: dict[tuple[int, int], int] = {}
        fixtures: dict[tuple[str, ...], int] = {}
        for id in self.positions:
            for row in self._rows(id):
                match = (row["kickoff_time"], *sorted((row["played_for"], row["opponent"])))
                key = (id, fixtures.setdefault(match, len(fixtures) + 1))
                gameweek_of[key] = int(row["gameweek"])
                once[key] = MatchPerformance(
                    player_id=id,
                    fixture_id=key[1],
                    points=int(row["points"]),
                    minutes=int(row["minutes"]),
                    stats=Stats(
                        matches=1,
                        minutes=int(row["minutes"]),
                        points=int(row["points"]),
                        yellow_cards=int(row["yellow_cards"]),
                        red_cards=int(row["red_cards"]),
                        saves=int(row["saves"]),
                        conceded=int(row["conceded"]),
                    ),
                )
        by_gameweek: dict[int, list[MatchPerformance]] = {week: [] for week in range(1, 39)}
        for key, performance in once.items():
            by_gameweek[gameweek_of[key]].append(performance)
        return by_gameweek

    def official_total(self, gameweek: int) -> int:
        """The team's season total after a gameweek, hits deducted."""
        return self._json("airsenal_history")["current"][gameweek - 1]["total_points"]

    def performances_of(self, player: int, gameweek: int) -> list[MatchPerformance]:
        return [match for match in self.performances[gameweek] if match.player_id == player]

    def pool(self, gameweek: int) -> dict[int, Player]:
        """Every player at the deadline: price and club of the gameweek's row, else as last known before."""
        if gameweek not in self._pools:
            self._pools[gameweek] = self._pool(gameweek)
        return dict(self._pools[gameweek])

    def _pool(self, gameweek: int) -> dict[int, Player]:
        pool: dict[int, Player] = {}
        for id, position in self.positions.items():
            rows = self._rows(id)
            known = [row for row in rows if int(row["gameweek"]) <= gameweek] or rows[:1]
            if known:
                row = max(known, key=lambda row: int(row["gameweek"]))
                price = int(row["value"])
                if int(row["gameweek"]) < gameweek:  # his club has no match
                    price = self._price_at(id, self._deadlines[gameweek], otherwise=price)
                pool[id] = Player(
                    id=id,
                    code=self.elements[id]["code"],
                    web_name=self.elements[id]["web_name"],
                    club=row["played_for"],
                    position=position,
                    price=price,
                )
        return pool

    def pool_as_traded(self, gameweek: int) -> dict[int, Player]:
        """The pool with the prices of the moment at which this team bought and sold in the gameweek.

        Prices move between a transfer and the deadline. What was paid for a player is in his transfer; what a sold
        player then cost on the market is in the last dated snapshot before his transfer.
        """
        pool = self.pool(gameweek)
        for row in self.transfers:
            if row["event"] == gameweek:
                out, bought = row["element_out"], row["element_in"]
                pool[bought] = pool[bought].model_copy(update={"price": row["element_in_cost"]})
                price = self._price_at(out, row["time"], otherwise=pool[out].price)
                pool[out] = pool[out].model_copy(update={"price": price})
        return pool

    def _price_at(self, id: int, time: str, *, otherwise: int) -> int:
        """The last dated price before ``time``; dated prices begin in gameweek 4."""
        dated = [price for known, price in self._dated_prices.get(id, ()) if known < time[:19]]
        return dated[-1] if dated else otherwise

    @cached_property
    def _deadlines(self) -> dict[int, str]:
        return {event["id"]: event["deadline_time"] for event in self.bootstrap["events"]}

    @cached_property
    def _dated_prices(self) -> dict[int, list[tuple[str, int]]]:
        with self._archive.open(f"airsenal/data/player_attributes_history_{self._code}.csv") as file:
            rows = csv.DictReader(io.TextIOWrapper(file, encoding="utf-8"))
            prices: dict[int, list[tuple[str, int]]] = {}
            for row in rows:
                prices.setdefault(int(row["player_id"]), []).append((row["timestamp"][:19], int(row["price"])))
        return {id: sorted(dated) for id, dated in prices.items()}

    def _rows(self, id: int) -> list[dict[str, Any]]:
        element = self.elements[id]
        names = (element.get("opta_code"), f"{element['first_name']} {element['second_name']}", element["web_name"])
        return next((self._details[name] for name in names if name in self._details), [])

    @cached_property
    def _details(self) -> dict[str, list[dict[str, Any]]]:
        return self._json("player_details")

    def _gameweek(self, week: dict[str, Any]) -> OfficialGameweek:
        history = week["entry_history"]
        picks = sorted(week["picks"], key=lambda pick: pick["position"])
        order = [pick["element"] for pick in picks[:15]]
        replaced: list[int] = []
        # The picks endpoint shows the team after its automatic substitutions; the sheet is the team before them.
        for row in week["automatic_subs"]:
            out, came_in = order.index(row["element_out"]), order.index(row["element_in"])
            order[out], order[came_in] = order[came_in], order[out]
            replaced.append(row["element_out"])
        # It is also sorted anew by position, so that the order within one is lost; who was replaced stood before
        # others who did not play either.
        starting = sorted(
            order[:11],
            key=lambda id: (
                POSITIONS.index(self.positions[id]),
                replaced.index(id) if id in replaced else len(replaced),
            ),
        )
        # 2024/25 had assistant managers: a 16th pick whose points are not a player's.
        managers = [row for pick in picks[15:] for row in self._rows(pick["element"])]
        return OfficialGameweek(
            gameweek=history["event"],
            sheet=TeamSheet(
                starting=tuple(starting),
                bench=tuple(order[11:]),
                captain=next(pick["element"] for pick in picks if pick["is_captain"]),
                vice_captain=next(pick["element"] for pick in picks if pick["is_vice_captain"]),
                chip=CHIP_NAMES.get(week["active_chip"]),
            ),
            substitutions=tuple(
                Substitution(out=row["element_out"], came_in=row["element_in"]) for row in week["automatic_subs"]
            ),
            points=history["points"]
            - sum(int(row["points"]) for row in managers if int(row["gameweek"]) == history["event"]),
            bench_points=history["points_on_bench"],
            transfers=history["event_transfers"],
            hit_points=history["event_transfers_cost"],
            bank=history["bank"],
            value=history["value"],
        )

    def _json(self, member: str) -> Any:
        return json.loads(self._archive.read(f"airsenal/data/{member}_{self._code}.json"))
