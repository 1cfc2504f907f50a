"""``backroom season``, ``gameweek``, ``preflight``, ``table`` and ``status``: playing, and how it stands."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from backroom_pipeline.cli.output import (
    GameweekArgument,
    JsonOption,
    LeagueOption,
    ManagerOption,
    SeasonOption,
    emit,
    gameweek_of,
    in_words,
    log,
    opened,
    out,
    season_of,
)
from backroom_pipeline.league import load_league, state_dir

if TYPE_CHECKING:
    from backroom_pipeline.ledger.standings import Standing

season_app = typer.Typer(no_args_is_help=True, help="A whole season.")
gameweek_app = typer.Typer(no_args_is_help=True, help="One gameweek.")


@season_app.command("run")
def season_run(
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    first: Annotated[int | None, typer.Option("--from", help="First gameweek; what is played already is kept.")] = None,
    last: Annotated[int | None, typer.Option("--to", help="Last gameweek.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Play the season, gameweek by gameweek, through Dagster. Run it again and it goes on where it stopped."""
    from backroom_pipeline.defs.season import play_season, season_gameweeks

    league = load_league(league_name)
    season = season_of(league, season)
    weeks = season_gameweeks(league, season, first=first, last=last)
    table: list[Standing] = []
    if as_json or not log.is_terminal:

        def on_week(gameweek: int, played: bool, standings: list[Standing]) -> None:
            table[:] = standings
            leader = standings[0] if standings else None
            carried = [row.slug for row in standings if gameweek in row.carried_over]
            log.print(
                f"GW{gameweek:02d} {'played' if played else 'was played already'}"
                + (f", {leader.slug} leads with {leader.points}" if leader else "")
                + (f"; carried over: {', '.join(carried)}" if carried else ""),
                markup=False,
            )

        play_season(league, season, first=first, last=last, on_week=on_week)
    else:
        progress = Progress(
            TextColumn("[bold]{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=log
        )
        bar = progress.add_task(f"{league.name} {season}", total=len(weeks))
        with Live(Group(progress), console=log, refresh_per_second=4) as live:

            def on_week(gameweek: int, played: bool, standings: list[Standing]) -> None:
                table[:] = standings
                progress.advance(bar)
                live.update(Group(progress, standings_table(standings, season, gameweek)))

            play_season(league, season, first=first, last=last, on_week=on_week)
    emit(as_json, table_json(season, len(weeks), table))
    if not as_json and not log.is_terminal:
        out.print(standings_table(table, season, weeks[-1] if weeks else 0))


@gameweek_app.command("run")
def gameweek_run(
    gameweek: GameweekArgument,
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play one gameweek. The ones before it must be played; what is committed already is replayed, not asked again."""
    from backroom_pipeline.defs.season import play_season

    league = load_league(league_name)
    season = season_of(league, season)
    gameweek_of(league, season, gameweek)
    table: list[Standing] = []
    play_season(
        league,
        season,
        first=gameweek,
        last=gameweek,
        on_week=lambda week, played, standings: table.extend(standings),
    )
    emit(as_json, table_json(season, gameweek, table), standings_table(table, season, gameweek))


def preflight(
    gameweek: GameweekArgument,
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    as_json: JsonOption = False,
) -> None:
    """Everything that stands against playing a gameweek, every manager named at once. Calls no model.

    Takes the gameweek's facts and writes its briefing first, as the run would.
    """
    from backroom_pipeline.backroom.briefing import write_briefing
    from backroom_pipeline.backroom.contest import Contest
    from backroom_pipeline.backroom.facts import take_facts
    from backroom_pipeline.backroom.preflight import preflight as findings_of
    from backroom_pipeline.defs.resources import feed_resource
    from backroom_pipeline.ledger.season_lock import SeasonLock

    league = load_league(league_name)
    season = season_of(league, season)
    gameweek_of(league, season, gameweek)
    directory = state_dir(league)
    with SeasonLock(directory).acquire("backroom preflight"), Contest.open(league, directory) as contest:
        take_facts(contest, feed_resource(league).feed(), season, gameweek)
        write_briefing(contest, season, gameweek)
        findings = findings_of(contest, season, gameweek)
    for finding in findings:
        log.print(f"{finding.check}: {finding.sentence}", markup=False)
    emit(
        as_json,
        {"ready": not findings, "gameweek": gameweek, "findings": [asdict(finding) for finding in findings]},
        None if findings else f"Gameweek {gameweek} is ready to be played.",
    )
    if findings:
        raise typer.Exit(1)


def table(
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    through: Annotated[int | None, typer.Option("--through", help="As it stood after this gameweek.")] = None,
    as_json: JsonOption = False,
) -> None:
    """The league table."""
    from backroom_pipeline.ledger.standings import league_table, scored_gameweeks

    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        standings = league_table(contest.ledger, season, through=through)
        played = [week for week in scored_gameweeks(contest.ledger, season) if through is None or week <= through]
    emit(
        as_json,
        table_json(season, len(played), standings),
        standings_table(standings, season, played[-1] if played else 0),
    )


def status(league_name: LeagueOption = None, season: SeasonOption = None, as_json: JsonOption = False) -> None:
    """How far the season is, who holds the lock, what was asked and what it cost."""
    from backroom_pipeline.backroom.overview import overview
    from backroom_pipeline.ledger.season_lock import SeasonLock

    holder = SeasonLock(state_dir(load_league(league_name))).holder()
    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        facts = {**overview(contest, season), "lock": holder}
    text = Table(title=f"{league.name} {season}", show_header=False)
    carried = [f"{slug} in gameweek {', '.join(map(str, weeks))}" for slug, weeks in facts["carried_over"].items()]
    for key, value in {**facts, "carried_over": carried}.items():
        text.add_row(key.replace("_", " "), in_words(value))
    emit(as_json, facts, text)


def career(manager: ManagerOption, league_name: LeagueOption = None, as_json: JsonOption = False) -> None:
    """A manager over all its seasons: places, points, promises, and the models that were behind the slug."""
    from backroom_pipeline.backroom.career import career as career_of

    with opened(league_name) as (_, contest):
        lived = career_of(contest, manager)
    text = Table(title=f"{lived.name} ({lived.manager})")
    for heading in ("season", "gameweeks", "points", "place", "carried over", "promises", "kept", "broken"):
        text.add_column(heading, justify="right")
    for played in lived.seasons:
        place, carried = f"{played.place} of {played.of}", len(played.carried_over)
        figures = (played.gameweeks, played.points, place, carried, played.promises, played.kept)
        text.add_row(played.season, *map(str, figures), str(played.broken))
    models = [f"{stint.season}, gameweeks {stint.first} to {stint.last}: {stint.model}" for stint in lived.stints]
    emit(as_json, {**lived.model_dump(mode="json"), "changes": lived.changes}, Group(text, *models, *lived.changes))


def standings_table(standings: list[Standing], season: str, gameweek: int) -> Table:
    text = Table(title=f"{season} after gameweek {gameweek}")
    for heading, justify in (("", "right"), ("manager", "left"), ("points", "right"), ("last", "right"),
                             ("hits", "right"), ("chips", "left")):  # fmt: skip
        text.add_column(heading, justify=justify)  # pyright: ignore[reportArgumentType]
    for row in standings:
        chips = ", ".join(f"{play.chip.replace('_', ' ')} {play.gameweek}" for play in row.chips_played)
        text.add_row(str(row.rank), row.label, str(row.points), str(row.last_points), str(row.hits), chips)
    text.caption = "\n".join(row.footnote for row in standings if row.footnote) or None
    text.caption_justify = "left"
    return text


def table_json(season: str, played: int, standings: list[Standing]) -> dict[str, Any]:
    return {
        "season": season,
        "gameweeks_played": played,
        "managers": [
            {
                "slug": row.slug,
                "rank": row.rank,
                "points": row.points,
                "hits": row.hits,
                "chips_played": [{"chip": play.chip, "gameweek": play.gameweek} for play in row.chips_played],
                "carried_over": list(row.carried_over),
            }
            for row in standings
        ],
    }
