"""What every command shares: its options, its two streams, and the contest it opens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from backroom_pipeline.league import League, LeagueError, load_league, state_dir
from backroom_pipeline.ledger.errors import LedgerMissing

if TYPE_CHECKING:
    from backroom_pipeline.backroom.contest import Contest
    from backroom_pipeline.memory.model import Role

LeagueOption = Annotated[
    str | None,
    typer.Option("--league", "-l", help="League name in data/leagues, or a file.", envvar="BACKROOM_LEAGUE"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
SeasonOption = Annotated[str | None, typer.Option("--season", help="Such as 2025-26; the league's last by default.")]
ManagerOption = Annotated[str, typer.Option("--manager", "-m", help="A manager's slug.")]
OnlyManagerOption = Annotated[str | None, typer.Option("--manager", "-m", help="Only this manager; all by default.")]
RoleOption = Annotated[str, typer.Option("--role", "-r", help="coach, assistant or manager.")]
GameweekArgument = Annotated[int, typer.Argument(min=1, help="Number of the gameweek.")]

log = Console(stderr=True, highlight=False, soft_wrap=True)
out = Console(highlight=False, soft_wrap=True)


class MissingAnswer(Exception):
    """An answer somebody wants to see that was never given."""


def emit(as_json: bool, value: dict[str, Any], text: object = None) -> None:
    """Print ``value`` as the command's one JSON object, or ``text`` for people."""
    if as_json:
        print(json.dumps(value, default=str, ensure_ascii=False))
    elif text is not None:
        # Sentences are left to the terminal to wrap; tables and layouts know their own width.
        out.print(text, markup=not isinstance(text, str), soft_wrap=isinstance(text, str))


@contextmanager
def opened(name: str | None, *, read_only: bool = True) -> Iterator[tuple[League, Contest]]:
    """The league's contest. Asking memory writes an audit row, so it needs ``read_only=False``."""
    from backroom_pipeline.backroom.contest import Contest

    league = load_league(name)
    directory = state_dir(league)
    if not (directory / "ledger.duckdb").exists():
        raise LedgerMissing(
            f"League {league.name} has not played yet ({directory} has no ledger). Play it with: backroom season run"
        )
    with Contest.open(league, directory, read_only=read_only) as contest:
        yield league, contest


def season_of(league: League, season: str | None) -> str:
    chosen = season or league.seasons[-1]
    if chosen not in league.seasons:
        raise LeagueError(
            [f"League {league.name} does not play {chosen}; its seasons are {', '.join(league.seasons)}."]
        )
    return chosen


def gameweek_of(league: League, season: str, gameweek: int) -> int:
    weeks = [week for of, week in league.gameweeks if of == season]
    if gameweek not in weeks:
        played = f"{weeks[0]} to {weeks[-1]} of {season}"
        raise LeagueError([f"League {league.name} plays gameweeks {played}, not {gameweek}."])
    return gameweek


def role_of(role: str) -> Role:
    from backroom_pipeline.memory.model import ROLES

    for known in ROLES:
        if role == known:
            return known
    raise typer.BadParameter(f"there is no role {role!r}; it is one of {', '.join(ROLES)}", param_hint="--role")


def in_words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{many} {name}" for name, many in value.items()) or "none"
    if isinstance(value, list):
        return "\n".join(map(str, value)) or "no"
    return "none" if value is None else str(value)
