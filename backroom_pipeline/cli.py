"""The command line, ``backroom``. With ``--json`` a command prints one object on standard output, logs elsewhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from backroom_pipeline.cli_facts import data_verify, gameweek_rescore
from backroom_pipeline.cli_rehearse import data_rehearse
from backroom_pipeline.cli_verify import verify_app
from backroom_pipeline.league import League, LeagueError, archive_dir, load_league, state_dir
from backroom_pipeline.ledger.errors import LedgerError, LedgerMissing

if TYPE_CHECKING:
    from backroom_pipeline.backroom.contest import Contest
    from backroom_pipeline.ledger.standings import Standing
    from backroom_pipeline.memory.model import Role

LeagueOption = Annotated[
    str | None,
    typer.Option("--league", "-l", help="League name in data/leagues, or a file.", envvar="BACKROOM_LEAGUE"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
SeasonOption = Annotated[str | None, typer.Option("--season", help="Such as 2025-26; the league's last by default.")]
ManagerOption = Annotated[str, typer.Option("--manager", "-m", help="A manager's slug.")]
RoleOption = Annotated[str, typer.Option("--role", "-r", help="coach, assistant or manager.")]
GameweekArgument = Annotated[int, typer.Argument(min=1, help="Number of the gameweek.")]

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Eight language models manage Fantasy Premier League teams for a season, with a memory that is accountable.",
)
data_app = typer.Typer(no_args_is_help=True, help="The facts a season is played on.")
season_app = typer.Typer(no_args_is_help=True, help="A whole season.")
gameweek_app = typer.Typer(no_args_is_help=True, help="One gameweek.")
memory_app = typer.Typer(no_args_is_help=True, help="What the agents can bring to mind.")
prompt_app = typer.Typer(no_args_is_help=True, help="What the models were shown.")
commitments_app = typer.Typer(no_args_is_help=True, help="What the managers promised.")
for name, sub in {
    "data": data_app,
    "season": season_app,
    "gameweek": gameweek_app,
    "memory": memory_app,
    "prompt": prompt_app,
    "commitments": commitments_app,
}.items():
    app.add_typer(sub, name=name)
app.add_typer(verify_app, name="verify")
data_app.command("verify")(data_verify)
data_app.command("rehearse")(data_rehearse)
gameweek_app.command("rescore")(gameweek_rescore)

log = Console(stderr=True, highlight=False, soft_wrap=True)
out = Console(highlight=False, soft_wrap=True)


def main() -> None:
    """Run the command line; expected failures are a sentence on standard error and exit code 1."""
    try:
        app()
    except Exception as failure:
        if not isinstance(failure, expected_failures()):
            raise
        if "--json" in sys.argv:
            print(json.dumps({"error": str(failure)}))
        log.print(str(failure), style="red", markup=False)
        raise SystemExit(1) from failure


def expected_failures() -> tuple[type[Exception], ...]:
    from backroom_pipeline.backroom.contest import CannotDecide, MissingFacts
    from backroom_pipeline.backroom.facts import LeagueMismatch
    from backroom_pipeline.defs.stopped import SeasonStopped
    from backroom_pipeline.feeds.protocol import FeedError
    from backroom_pipeline.fpl.rules import UnknownSeason
    from backroom_pipeline.memory.embedder import EmbedderError
    from backroom_pipeline.memory.gateway import Refused
    from backroom_pipeline.memory.project import NoSuchProject
    from backroom_pipeline.memory.records import NotEnrolled
    from backroom_pipeline.memory.store import StoreError

    return (
        CannotDecide,
        FeedError,
        LeagueError,
        LeagueMismatch,
        LedgerError,
        EmbedderError,
        MissingAnswer,
        MissingFacts,
        NoSuchProject,
        NotEnrolled,
        Refused,
        SeasonStopped,
        StoreError,
        UnknownSeason,
    )


def emit(as_json: bool, value: dict[str, Any], text: object = None) -> None:
    """Print ``value`` as the command's one JSON object, or ``text`` for people."""
    if as_json:
        print(json.dumps(value, default=str, ensure_ascii=False))
    elif text is not None:
        out.print(text, markup=not isinstance(text, str))


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


@data_app.command("fetch")
def data_fetch(as_json: JsonOption = False) -> None:
    """Fetch the archive of past seasons into data/archive, checked by its hash. Nothing to do when it is there."""
    from backroom_pipeline.feeds.fetch import fetch_archive

    path = fetch_archive(archive_dir())
    emit(as_json, {"archive": str(path), "bytes": path.stat().st_size}, f"Archive ready: {path}")


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
            log.print(
                f"GW{gameweek:02d} {'played' if played else 'was played already'}"
                + (f", {leader.slug} leads with {leader.points}" if leader else ""),
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


@app.command()
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


@app.command()
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


@app.command()
def status(league_name: LeagueOption = None, season: SeasonOption = None, as_json: JsonOption = False) -> None:
    """How far the season is, who holds the lock, what was asked and what it cost."""
    from backroom_pipeline.backroom.overview import overview
    from backroom_pipeline.ledger.season_lock import SeasonLock

    holder = SeasonLock(state_dir(load_league(league_name))).holder()
    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        facts = {**overview(contest, season), "lock": holder}
    text = Table(title=f"{league.name} {season}", show_header=False)
    for key, value in facts.items():
        text.add_row(key.replace("_", " "), in_words(value))
    emit(as_json, facts, text)


def standings_table(standings: list[Standing], season: str, gameweek: int) -> Table:
    text = Table(title=f"{season} after gameweek {gameweek}")
    for heading, justify in (("", "right"), ("manager", "left"), ("points", "right"), ("last", "right"),
                             ("hits", "right"), ("chips", "left")):  # fmt: skip
        text.add_column(heading, justify=justify)  # pyright: ignore[reportArgumentType]
    for row in standings:
        chips = ", ".join(f"{play.chip.replace('_', ' ')} {play.gameweek}" for play in row.chips_played)
        text.add_row(str(row.rank), row.slug, str(row.points), str(row.last_points), str(row.hits), chips)
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
            }
            for row in standings
        ],
    }


@prompt_app.command("show")
def prompt_show(
    gameweek: GameweekArgument,
    manager: ManagerOption,
    role: RoleOption = "manager",
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    answer_too: Annotated[bool, typer.Option("--answer", help="The committed answer after it.")] = False,
    as_json: JsonOption = False,
) -> None:
    """The exact prompt a role was given, put together from the ledger by its hash."""
    from backroom_pipeline.ledger.answers import AnswerKey, answer
    from backroom_pipeline.models.attempts import stored_prompt

    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        key = AnswerKey(season=season, gameweek=gameweek, manager=contest.manager(manager).slug, role=role_of(role))
        row = answer(contest.ledger, key)
        if row is None or row.prompt_sha256 is None:
            raise MissingAnswer(
                f"{manager}'s {role} has no committed answer in gameweek {gameweek} of {season}. Play it first: "
                f"backroom gameweek run {gameweek}"
            )
        prompt = stored_prompt(contest.ledger, row.prompt_sha256)
    hashes = {"prompt_sha256": row.prompt_sha256, "public_sha256": row.public_sha256}
    value = {"key": key.model_dump(), **hashes, "source": row.source, **prompt.model_dump()}
    if answer_too:
        value["answer"] = json.loads(row.answer_json)
    if as_json:
        emit(True, value)
        return
    for name, sha256 in hashes.items():
        log.print(f"{name} {sha256}", markup=False)
    print(prompt.system, prompt.public, prompt.private, sep="\n\n")
    if answer_too:
        print("\n# The answer\n", json.dumps(value["answer"], indent=1, ensure_ascii=False), sep="\n")


@commitments_app.command("list")
def commitments_list(
    manager: ManagerOption,
    gameweek: Annotated[
        int | None, typer.Option("--before", help="As they stand before this gameweek; the next one by default.")
    ] = None,
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    closed_too: Annotated[bool, typer.Option("--all", help="Lapsed and discharged ones too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """What a manager promised, when, and the gameweeks in which it kept or broke it."""
    from backroom_pipeline.ledger.standings import scored_gameweeks
    from backroom_pipeline.memory.commitments import standing_claims

    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        slug = contest.manager(manager).slug
        before = gameweek or max(scored_gameweeks(contest.ledger, season), default=0) + 1
        claims = standing_claims(contest.ledger, slug, season, before, include_closed=closed_too)
    text = Table(title=f"{slug}, {season}, before gameweek {before}")
    for heading in ("made in", "promise", "kept in", "broken in", ""):
        text.add_column(heading)
    for claim in claims:
        text.add_row(
            str(claim.made_in),
            claim.claim.text,
            gameweeks(claim.kept),
            gameweeks(claim.broken),
            "open" if claim.open else "over",
        )
    emit(as_json, {"season": season, "manager": slug, "claims": [c.model_dump(mode="json") for c in claims]}, text)


@memory_app.command("search")
def memory_search(
    question: Annotated[str, typer.Argument(help="What to ask the store.")],
    manager: ManagerOption,
    role: RoleOption = "manager",
    league_name: LeagueOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask one store a question and see what it finds, how, and with which result. The asking is audited."""
    from backroom_pipeline.memory.model import Member
    from backroom_pipeline.memory.records import records_owed

    with opened(league_name, read_only=False) as (_, contest):
        slug, asked = contest.manager(manager).slug, role_of(role)
        owed = [record.id for record in records_owed(contest.ledger, slug, asked)]
        recall = contest.gateway.recall(
            Member(manager=slug, role=asked), slug, asked, [question], before=THE_END, expected=owed
        )
    text = Table(title=f"{slug}'s {role} store: {recall.state}. {recall.reason}", show_lines=True)
    for heading in ("gameweek", "category", "score", "found by", "text"):
        text.add_column(heading)
    for item in recall.items:
        found_by = ", ".join(f"{leg} {rank}" for leg, rank in item.legs.items())
        words = item.record.text + (f"\n{item.record.outcome.sentence}" if item.record.outcome else "")
        text.add_row(str(item.record.gameweek), item.record.category, f"{item.score:.3f}", found_by, words)
    emit(as_json, recall.model_dump(mode="json"), text)


@memory_app.command("show")
def memory_show(
    manager: ManagerOption,
    role: RoleOption = "manager",
    gameweek: Annotated[int | None, typer.Option("--gameweek", "-g", help="Only the records of this one.")] = None,
    league_name: LeagueOption = None,
    as_json: JsonOption = False,
) -> None:
    """Every record of one store, oldest first."""
    from backroom_pipeline.memory.model import Member

    with opened(league_name, read_only=False) as (_, contest):
        slug, asked = contest.manager(manager).slug, role_of(role)
        held = contest.gateway.get(Member(manager=slug, role=asked), slug, asked)
    records = [record for record in held if gameweek is None or record.gameweek == gameweek]
    text = Table(title=f"{slug}'s {role} store: {len(records)} records", show_lines=True)
    for heading in ("gameweek", "category", "pinned", "text"):
        text.add_column(heading)
    for record in records:
        words = record.text + (f"\n{record.outcome.sentence}" if record.outcome else "")
        text.add_row(str(record.gameweek), record.category, "yes" if record.pinned else "", words)
    emit(as_json, {"manager": slug, "role": role, "records": [r.model_dump(mode="json") for r in records]}, text)


@memory_app.command("check")
def memory_check(league_name: LeagueOption = None, as_json: JsonOption = False) -> None:
    """Whether every store holds its identity and a record for everything its role committed."""
    from backroom_pipeline.backroom.preflight import stores_findings

    with opened(league_name, read_only=False) as (league, contest):
        findings = stores_findings(contest, *THE_END)
        stores = len(league.managers) * 3
    emit(as_json, {"complete": not findings, "stores": stores, "findings": [asdict(f) for f in findings]})
    if not findings and not as_json:
        out.print(f"All {stores} stores are complete.")
    for finding in findings:
        log.print(finding.sentence, markup=False)
    if findings:
        raise typer.Exit(1)


@memory_app.command("rebuild")
def memory_rebuild(
    managers: Annotated[
        list[str] | None, typer.Option("--manager", "-m", help="Whose stores; everybody's when left out.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what differs from the ledger.")] = False,
    league_name: LeagueOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the stores anew from the ledger, through the gateway the live path uses, and swap them in when complete."""
    from backroom_pipeline.memory.embedder import load_embedder
    from backroom_pipeline.memory.rebuild import rebuild

    with opened(league_name, read_only=False) as (league, contest):
        slugs = [contest.manager(slug).slug for slug in managers or league.slugs]
        rebuilt = rebuild(
            contest.ledger, contest.directory / "memory", slugs, load_embedder(league.embedder), dry_run=dry_run
        )
    emit(as_json, asdict(rebuilt), str(rebuilt))


THE_END = ("9999-99", 1)
"""Later than any gameweek: a reader outside the game looks at everything there is."""


class MissingAnswer(Exception):
    """An answer somebody wants to see that was never given."""


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


def gameweeks(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "-"
