"""``backroom memory``, ``prompt`` and ``commitments``: what the agents remember, were shown, and promised."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from backroom_pipeline.cli.output import (
    GameweekArgument,
    JsonOption,
    LeagueOption,
    ManagerOption,
    MissingAnswer,
    RoleOption,
    SeasonOption,
    emit,
    log,
    opened,
    out,
    role_of,
    season_of,
)

memory_app = typer.Typer(no_args_is_help=True, help="What the agents can bring to mind.")
prompt_app = typer.Typer(no_args_is_help=True, help="What the models were shown.")
commitments_app = typer.Typer(no_args_is_help=True, help="What the managers promised.")

THE_END = ("9999-99", 1)
"""Later than any gameweek: a reader outside the game looks at everything there is."""


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


def gameweeks(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "-"
