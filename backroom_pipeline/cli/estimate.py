"""``backroom estimate``: what a season costs before it is played."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group
from rich.table import Table

from backroom_pipeline.cli.output import JsonOption, LeagueOption, SeasonOption, emit, season_of
from backroom_pipeline.league import League, load_league, state_dir

if TYPE_CHECKING:
    from backroom_pipeline.backroom.estimate import SeasonEstimate
    from backroom_pipeline.backroom.prompt_sizes import PromptSizes

READING = (
    "An estimate, not an offer. Low: answers as long as those measured, without thinking. High: full memories, and "
    "every answer as long as max_tokens allows. One call an answer; every repair or repeat is one more."
)


def estimate(
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    gameweeks: Annotated[
        str | None, typer.Option("--gameweeks", "-g", help="Such as 1-38 or 7; all that the league plays by default.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """What the season should cost: tokens of its real prompts times today's prices. Calls no model.

    Prompts are those of the weeks this league has played, else those of a house team that plays the first few now.
    """
    from backroom_pipeline.backroom.estimate import estimate as estimate_of

    league = load_league(league_name)
    season = season_of(league, season)
    weeks = weeks_of(league, season, gameweeks)
    found = estimate_of(league, _sizes(league, season, weeks), season, weeks)
    emit(as_json, estimate_json(found), Group(estimate_table(found), f"From {found.source}.", READING, *found.notes))


def weeks_of(league: League, season: str, chosen: str | None) -> list[int]:
    """``7``, ``1-38``, or all gameweeks of the season that the league plays."""
    played = [week for of, week in league.gameweeks if of == season]
    if chosen is None:
        return played
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", chosen.strip())
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    weeks = [week for week in played if first <= week <= last]
    if not weeks or weeks[0] != first or weeks[-1] != last:
        raise typer.BadParameter(
            f"{chosen} is no range of gameweeks such as 1-38; the league plays {played[0]} to {played[-1]} of {season}",
            param_hint="--gameweeks",
        )
    return weeks


def _sizes(league: League, season: str, weeks: list[int]) -> PromptSizes:
    from backroom_pipeline.backroom.prompt_sizes import sizes_by_house_team, sizes_in_ledger
    from backroom_pipeline.defs.resources import feed_resource
    from backroom_pipeline.ledger.store import Ledger

    path = state_dir(league) / "ledger.duckdb"
    if path.exists():
        with Ledger.open(path, read_only=True) as ledger:
            played = sizes_in_ledger(ledger, season)
        if played is not None:
            return played
    return sizes_by_house_team(league, feed_resource(league).feed(), season, weeks)


def estimate_table(found: SeasonEstimate) -> Table:
    first, last = found.gameweeks[0], found.gameweeks[-1]
    text = Table(title=f"Estimate for gameweeks {first} to {last} of {found.season}, dollars", show_footer=True)
    text.add_column("manager", footer="all", no_wrap=True)
    text.add_column("model", overflow="fold")
    for role in ("coach", "assistant", "manager"):
        low = sum(r.low for m in found.managers for r in m.roles if r.role == role)
        high = sum(r.high for m in found.managers for r in m.roles if r.role == role)
        text.add_column(role, justify="right", footer=_range(low, high))
    text.add_column("together", justify="right", footer=_range(found.low, found.high))
    text.add_column("cache saves", justify="right", footer=_dollars(found.cache_saves))
    for manager in found.managers:
        if not manager.roles:
            text.add_row(manager.manager, manager.model, "price", "not", "known", "", "")
            continue
        by_role = [_range(role.low, role.high) for role in manager.roles]
        text.add_row(
            manager.manager, manager.model, *by_role, _range(manager.low, manager.high), _dollars(manager.cache_saves)
        )
    return text


def estimate_json(found: SeasonEstimate) -> dict[str, Any]:
    return {
        "label": "estimate",
        "season": found.season,
        "gameweeks": list(found.gameweeks),
        "source": found.source,
        "low_micro_dollars": found.low,
        "high_micro_dollars": found.high,
        "cache_saves_micro_dollars": found.cache_saves,
        "unpriced": list(found.unpriced),
        "notes": list(found.notes),
        "managers": [
            {
                "manager": manager.manager,
                "model": manager.model,
                "price_version": manager.price_version,
                "low_micro_dollars": manager.low if manager.roles else None,
                "high_micro_dollars": manager.high if manager.roles else None,
                "roles": [
                    {
                        "role": role.role,
                        "calls": role.calls,
                        "prompt_tokens": role.prompt_tokens,
                        "answer_tokens": role.answer_tokens,
                        "low_micro_dollars": role.low,
                        "high_micro_dollars": role.high,
                        "cache_saves_micro_dollars": role.cache_saves,
                    }
                    for role in manager.roles
                ],
            }
            for manager in found.managers
        ],
    }


def _range(low: int, high: int) -> str:
    return f"{_dollars(low)} to {_dollars(high)}" if low != high else _dollars(low)


def _dollars(micro_dollars: int) -> str:
    return f"{micro_dollars / 1e6:.2f}"
