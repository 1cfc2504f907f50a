"""Our view before each deadline against what the official API showed then, field by field and match by match.

The captures are a folder of tables: ``players_asof.parquet`` (a row a player and gameweek, as last captured before the
deadline), ``teams_asof.parquet``, and ``fixtures_history.parquet`` (dated copies of the fixture list).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from backroom_pipeline.feeds.protocol import Feed, FeedError
from backroom_pipeline.fpl.model import GameweekFacts, Player

if TYPE_CHECKING:
    import pandas as pd

PlayerField = Literal["price", "club", "total_points", "minutes", "status", "chance"]
EXACT: tuple[PlayerField, ...] = ("price", "club", "total_points", "minutes")
FITNESS: tuple[PlayerField, ...] = ("status", "chance")
"""These move by the hour, and a snapshot of ours may be hours older than the capture."""
FITNESS_SHARE = 0.99
TABLES = ("players_asof.parquet", "teams_asof.parquet", "fixtures_history.parquet")


@dataclass(frozen=True)
class Difference:
    """One figure that differs, and why where that is known."""

    gameweek: int
    field: str
    of: int
    """The player's id, or the match's for a field of a fixture."""
    name: str
    ours: object
    official: object
    explanation: str | None


@dataclass(frozen=True)
class FieldCount:
    """How often a field was compared and was equal."""

    compared: int
    equal: int


@dataclass(frozen=True)
class CapturesVerification:
    """Counts by field, and every difference."""

    season: str
    gameweeks: tuple[int, ...]
    rows: int
    """Rows of players captured, all gameweeks together."""
    not_listed: int
    """Of those, players we do not list."""
    fields: dict[str, FieldCount]
    differences: tuple[Difference, ...]
    remarks: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Exact fields equal or explained row by row; fitness equal in at least 99 % of rows."""
        exact = all(found.explanation for found in self.differences if found.field not in FITNESS)
        counts = [self.fields[name] for name in FITNESS if name in self.fields]
        fitness = all(count.equal >= FITNESS_SHARE * count.compared for count in counts)
        return exact and fitness and not self.not_listed


def verify_captures(
    feed: Feed,
    season: str,
    official: Path,
    gameweeks: Iterable[int] | None = None,
    on_gameweek: Callable[[int], None] = lambda gameweek: None,
) -> CapturesVerification:
    """Compare every captured row with the feed's facts of the same deadline. Raises FeedError."""
    import pandas as pd

    players, teams, copies = (_table(official / name) for name in TABLES)
    clubs = {(int(row.gw), int(row.id)): str(row.short_name) for row in _rows(teams)}
    short_names = {team: name for (_, team), name in clubs.items()}
    copies["at"] = pd.to_datetime(copies["snapshot_time"], utc=True)
    chosen = tuple(sorted(int(gw) for gw in players["gw"].unique())) if gameweeks is None else tuple(gameweeks)
    counts: dict[str, list[int]] = {}
    differences: list[Difference] = []
    unknown_fitness: list[int] = []
    rows = not_listed = 0

    def compare(gameweek: int, field: str, of: int, name: str, ours: object, theirs: object, why: str | None) -> None:
        count = counts.setdefault(field, [0, 0])
        count[0] += 1
        if ours == theirs:
            count[1] += 1
        else:
            differences.append(Difference(gameweek, field, of, name, ours, theirs, why))

    for gameweek in chosen:
        on_gameweek(gameweek)
        facts = feed.facts(season, gameweek)
        listed = {player.id: player for player in facts.players}
        if not facts.fitness_known:
            unknown_fitness.append(gameweek)
        for row in _rows(players[players["gw"] == gameweek]):
            rows += 1
            player = listed.get(int(row.id))
            if player is None:
                not_listed += 1
                differences.append(Difference(gameweek, "listed", int(row.id), str(row.web_name), None, "listed", None))
                continue
            for field in (*EXACT, *(FITNESS if facts.fitness_known else ())):
                why = _explanation(field, facts, player, row, season)
                compare(
                    gameweek,
                    field,
                    player.id,
                    player.web_name,
                    _ours(field, player),
                    _official(field, row, clubs[gameweek, int(row.team)]),
                    why,
                )
        for fixture, field, ours, theirs in _fixtures(facts, copies, short_names):
            compare(gameweek, field, fixture, "", ours, theirs, None)
    return CapturesVerification(
        season=season,
        gameweeks=chosen,
        rows=rows,
        not_listed=not_listed,
        fields={field: FieldCount(*count) for field, count in counts.items()},
        differences=tuple(differences),
        remarks=_remarks(unknown_fitness),
    )


def _ours(field: PlayerField, player: Player) -> object:
    match field:
        case "price":
            return player.price
        case "club":
            return player.club
        case "total_points":
            return player.season.points
        case "minutes":
            return player.season.minutes
        case "status":
            return player.status
        case "chance":
            return player.chance_of_playing


def _official(field: PlayerField, row: Any, club: str) -> object:
    match field:
        case "price":
            return int(row.now_cost)
        case "club":
            return club
        case "total_points":
            return int(row.total_points)
        case "minutes":
            return int(row.minutes)
        case "status":
            return str(row.status)
        case "chance":
            chance = row.chance_of_playing_next_round
            return None if chance != chance else int(chance)  # NaN is not itself


def _explanation(field: PlayerField, facts: GameweekFacts, player: Player, row: Any, season: str) -> str | None:
    """Why a difference in this field would be none of ours; None where nothing excuses it."""
    if field in FITNESS:
        captured = datetime.fromisoformat(row.snapshot_time).astimezone(UTC)
        added = row.news_added
        if isinstance(added, str) and datetime.fromisoformat(added).astimezone(UTC) > facts.cutoff:
            return f"the news is of {added[:16]}, after our snapshot of {facts.cutoff:%Y-%m-%dT%H:%M}"
        hours = (captured - facts.cutoff).total_seconds() / 3600
        return f"our snapshot is {hours:.1f} hours older than the capture" if hours > 0 else None
    opening = field in ("total_points", "minutes") and facts.statistics_season != season
    if opening and player.season.minutes and not row.minutes:
        return f"he came back to the league: shown without his {facts.statistics_season}, which we know by his code"
    return None


def _fixtures(
    facts: GameweekFacts, copies: pd.DataFrame, short_names: dict[int, str]
) -> Iterable[tuple[int, str, object, object]]:
    """Each match's gameweek, clubs and difficulties, ours and those of the newest copy that our cutoff could see."""
    newest = copies[copies["at"] == copies[copies["at"] <= facts.cutoff]["at"].max()]
    theirs: dict[int, Any] = {int(row.id): row for row in _rows(newest)}
    for fixture in facts.fixtures:
        row = theirs.pop(fixture.id, None)
        if row is None:
            yield fixture.id, "fixture_gameweek", fixture.gameweek, "not listed"
            continue
        yield fixture.id, "fixture_gameweek", fixture.gameweek, None if row.event != row.event else int(row.event)
        clubs = short_names[int(row.team_h)], short_names[int(row.team_a)]
        yield fixture.id, "fixture_clubs", (fixture.home, fixture.away), clubs
        difficulties = int(row.team_h_difficulty), int(row.team_a_difficulty)
        yield fixture.id, "fixture_difficulty", (fixture.home_difficulty, fixture.away_difficulty), difficulties
    for missing in theirs:
        yield missing, "fixture_gameweek", "not listed", theirs[missing].event


def _remarks(unknown_fitness: list[int]) -> tuple[str, ...]:
    remarks: list[str] = []
    if unknown_fitness:
        weeks = ", ".join(map(str, unknown_fitness))
        remarks.append(
            f"Before gameweeks {weeks} no dated snapshot exists: nobody's fitness is known, the briefing says so, and "
            "status and chance are not compared."
        )
    remarks.append("Fixtures are compared with the newest dated copy before our cutoff; between copies none can tell.")
    return tuple(remarks)


def _rows(table: Any) -> Iterable[Any]:
    """A row as an object with the columns as attributes, of which the type checker knows nothing."""
    return table.itertuples()


def _table(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        return pd.read_parquet(path)
    except (OSError, ValueError) as fault:
        raise FeedError(
            f"The captures lack {path.name}, or it cannot be read ({fault}). Name the folder that holds "
            f"{', '.join(TABLES)} with --official."
        ) from fault
