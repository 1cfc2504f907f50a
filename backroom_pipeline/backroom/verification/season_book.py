"""What replaying a real team needs to know of a season: positions, points, clubs, and prices at any moment."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from backroom_pipeline.feeds.archive_season import POSITION_OF_ELEMENT_TYPE, Appearance, ArchiveSeason, stats
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.fpl.lineup import gameweek_performances
from backroom_pipeline.fpl.model import MatchPerformance, Performance, Player, Position, Stats, Tenths

PriceAt = Callable[[int, datetime], "Priced | None"]
"""The last dated price of a player strictly before an instant; None where no price is dated."""
Fetch = Callable[[str], Any]
"""The parsed JSON of a path of the official API, such as ``bootstrap-static/``."""


class Priced(NamedTuple):
    """A price, and when it was on record."""

    at: datetime
    price: Tenths


class AssistantManager(NamedTuple):
    """What an assistant manager of 2024/25 scored in a gameweek, and what he cost in it."""

    points: int
    price: Tenths


@dataclass(frozen=True)
class Known:
    """A player's row in a gameweek: price and club as of its deadline."""

    price: Tenths
    club: str


@dataclass(frozen=True)
class SeasonBook:
    """A finished season, or as much of one as was played."""

    season: str
    source: str
    deadlines: dict[int, datetime]
    positions: dict[int, Position]
    names: dict[int, tuple[int, str]]
    """Player id to permanent code and name."""
    rows: dict[int, dict[int, Known]]
    """Player id to what is known of him at each deadline at which he had a match to come."""
    performances: Callable[[int], Mapping[int, Performance]]
    dated_price: PriceAt = field(default=lambda player, moment: None)
    assistant_managers: dict[tuple[int, int], AssistantManager] = field(
        default_factory=dict[tuple[int, int], AssistantManager]
    )
    """By id and gameweek; 2024/25 only."""

    def price(self, player: int, gameweek: int) -> Tenths | None:
        """At the deadline of a gameweek; None where neither a row of it nor a dated price tells."""
        known = self.rows.get(player, {}).get(gameweek)
        if known:
            return known.price
        dated = self.dated_price(player, self.deadlines[gameweek])
        return dated.price if dated else None

    def pool(self, gameweek: int, traded_at: Mapping[int, Tenths]) -> dict[int, Player]:
        """Every player, at the prices at which this team traded, else of the deadline, else as last known before."""
        pool: dict[int, Player] = {}
        for player, position in self.positions.items():
            rows = self.rows.get(player)
            if not rows:
                continue
            newest = max((week for week in rows if week <= gameweek), default=min(rows))
            price = traded_at.get(player)
            if price is None:
                price = self.price(player, gameweek)
            code, name = self.names[player]
            pool[player] = Player(
                id=player,
                code=code,
                web_name=name,
                club=rows[newest].club,
                position=position,
                price=rows[newest].price if price is None else price,
            )
        return pool


def archive_book(path: Path, season: str) -> SeasonBook:
    """A season out of the archive. Raises FeedError when it has none of that name."""
    archived = ArchiveSeason(path, season)
    played: dict[int, list[MatchPerformance]] = {gameweek: [] for gameweek in archived.deadlines}
    for row in (row for rows in archived.appearances.values() for row in rows):
        played[row.gameweek].append(_performance(row))
    times = archived.snapshot_times
    snapshot = cache(archived.snapshot)

    def dated_price(player: int, moment: datetime) -> Priced | None:
        place = bisect_left(times, moment)
        listed = snapshot(times[place - 1]).get(player) if place else None
        return Priced(times[place - 1], listed.price) if listed else None

    return SeasonBook(
        season=season,
        source=f"the archive {path.name}",
        deadlines=archived.deadlines,
        positions={player.id: player.position for player in archived.players.values()},
        names={player.id: (player.code, player.web_name) for player in archived.players.values()},
        rows={
            player: {row.gameweek: Known(price=row.price, club=row.club) for row in rows}
            for player, rows in archived.appearances.items()
        },
        performances=cache(lambda gameweek: gameweek_performances(played[gameweek])),
        dated_price=dated_price,
        assistant_managers={key: AssistantManager(*known) for key, known in archived.assistant_managers.items()},
    )


def _performance(row: Appearance) -> MatchPerformance:
    match = stats(row.figures)
    return MatchPerformance(
        player_id=row.player_id, fixture_id=row.fixture_id, points=match.points, minutes=match.minutes, stats=match
    )


def api_book(fetch: Fetch, players: Iterable[int], gameweeks: Iterable[int]) -> SeasonBook:
    """The current season as the official API tells it, with the prices of ``players`` at each deadline.

    Asks for the player list, the fixtures, the points of each gameweek, and the matches of each player. The API keeps
    no dated list of prices, so what a player cost at the moment of a sale is not on record.
    """
    bootstrap = fetch("bootstrap-static/")
    deadlines = {
        event["id"]: datetime.fromisoformat(event["deadline_time"]).astimezone(UTC) for event in bootstrap["events"]
    }
    clubs = {team["id"]: team["short_name"] for team in bootstrap["teams"]}
    elements = {
        element["id"]: element
        for element in bootstrap["elements"]
        if element["element_type"] in POSITION_OF_ELEMENT_TYPE
    }
    rows: dict[int, dict[int, Known]] = {
        player: {max(deadlines): Known(price=element["now_cost"], club=clubs[element["team"]])}
        for player, element in elements.items()
    }
    sides = {match["id"]: (clubs[match["team_h"]], clubs[match["team_a"]]) for match in fetch("fixtures/")}
    for player in sorted(set(players) & set(elements)):
        matches = fetch(f"element-summary/{player}/")["history"]
        rows[player] = {
            match["round"]: Known(price=match["value"], club=sides[match["fixture"]][0 if match["was_home"] else 1])
            for match in matches
        } or rows[player]
    performances = {gameweek: _live_performances(fetch(f"event/{gameweek}/live/")) for gameweek in gameweeks}
    first = min(deadlines.values())
    return SeasonBook(
        season=f"{first.year}-{(first.year + 1) % 100:02d}",
        source="the official API",
        deadlines=deadlines,
        positions={player: POSITION_OF_ELEMENT_TYPE[row["element_type"]] for player, row in elements.items()},
        names={player: (element["code"], element["web_name"]) for player, element in elements.items()},
        rows=rows,
        performances=performances.__getitem__,
    )


def _live_performances(payload: Mapping[str, Any]) -> dict[int, Performance]:
    """The gameweek's sums are the game's own: what the thresholds gave match by match is in ``total_points``."""
    if not payload.get("elements"):
        raise FeedError("The official API lists no player's points in a gameweek that was played. Try again later.")
    return gameweek_performances(
        MatchPerformance(
            player_id=element["id"],
            fixture_id=0,
            points=figures["total_points"],
            minutes=figures["minutes"],
            stats=Stats(yellow_cards=figures["yellow_cards"], red_cards=figures["red_cards"]),
        )
        for element in payload["elements"]
        for figures in [element["stats"]]
    )
