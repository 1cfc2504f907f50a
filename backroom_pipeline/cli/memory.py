"""``backroom memory``: the gateway's verbs for an operator, the stores as they are, and why an answer said so."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from backroom_pipeline.cli.output import (
    JsonOption,
    LeagueOption,
    ManagerOption,
    OnlyManagerOption,
    RoleOption,
    SeasonOption,
    emit,
    log,
    opened,
    out,
    role_of,
    season_of,
)

if TYPE_CHECKING:
    from backroom_pipeline.backroom.contest import Contest
    from backroom_pipeline.memory.model import Member, Role

memory_app = typer.Typer(no_args_is_help=True, help="What the agents can bring to mind.")

THE_END = ("9999-99", 1)
"""Later than any gameweek: a reader outside the game looks at everything there is."""

CallerOption = Annotated[
    str | None,
    typer.Option("--as", help="Who asks, as slug/role; the store's own agent by default. Another team is refused."),
]
GameweekOption = Annotated[int, typer.Option("--gameweek", "-g", min=1, help="Number of the gameweek.")]
OnlyRoleOption = Annotated[str | None, typer.Option("--role", "-r", help="Only this role's store.")]


@memory_app.command("why")
def memory_why(
    manager: ManagerOption,
    gameweek: GameweekOption,
    role: RoleOption = "manager",
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    everything: Annotated[bool, typer.Option("--all", help="What was found and not shown too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Why did it say that: what was asked of memory, what came to mind, what had no room, and what was decided."""
    from backroom_pipeline.backroom.why import why
    from backroom_pipeline.cli.why import why_text

    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        answer = why(contest, season, gameweek, contest.manager(manager).slug, role_of(role))
    emit(as_json, answer.model_dump(mode="json"), None if as_json else why_text(answer, everything=everything))


@memory_app.command("recall")
@memory_app.command("search", hidden=True)
def memory_recall(
    question: Annotated[str, typer.Argument(help="What to ask the store.")],
    manager: ManagerOption,
    role: RoleOption = "manager",
    caller: CallerOption = None,
    league_name: LeagueOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask one store a question and see what it finds, how, and with which result. The asking is audited."""
    from backroom_pipeline.memory.records import records_owed

    with opened(league_name, read_only=False) as (_, contest):
        slug, asked = contest.manager(manager).slug, role_of(role)
        owed = [record.id for record in records_owed(contest.ledger, slug, asked)]
        recall = contest.gateway.recall(
            _caller(contest, caller, slug, asked), slug, asked, [question], before=THE_END, expected=owed
        )
    text = Table(title=f"{slug}'s {role} store: {recall.state}. {recall.reason}", show_lines=True)
    for heading in ("season", "gameweek", "category", "score", "found by", "text"):
        text.add_column(heading)
    for item in recall.items:
        found_by = ", ".join(f"{leg} {rank}" for leg, rank in item.legs.items())
        words = item.record.text + (f"\n{item.record.outcome.sentence}" if item.record.outcome else "")
        record = item.record
        text.add_row(record.season, str(record.gameweek), record.category, f"{item.score:.3f}", found_by, words)
    emit(as_json, recall.model_dump(mode="json"), text)


@memory_app.command("show")
def memory_show(
    manager: ManagerOption,
    role: RoleOption = "manager",
    gameweek: Annotated[int | None, typer.Option("--gameweek", "-g", help="Only the records of this one.")] = None,
    links_too: Annotated[bool, typer.Option("--links", help="The earlier records each belongs to, and why.")] = False,
    caller: CallerOption = None,
    league_name: LeagueOption = None,
    as_json: JsonOption = False,
) -> None:
    """Every record of one store, oldest first, with its result where it is known."""
    with opened(league_name, read_only=False) as (_, contest):
        slug, asked = contest.manager(manager).slug, role_of(role)
        member = _caller(contest, caller, slug, asked)
        held = contest.gateway.get(member, slug, asked)
        records = [record for record in held if gameweek is None or record.gameweek == gameweek]
        links = contest.gateway.links(member, slug, asked, [r.id for r in records]) if links_too else {}
    text = Table(title=f"{slug}'s {role} store: {len(records)} records", show_lines=True)
    for heading in ("season", "gameweek", "category", "pinned", "text"):
        text.add_column(heading)
    for record in records:
        words = [record.text, *([record.outcome.sentence] if record.outcome else [])]
        words += [f"linked to {link.record_id[:12]}: {link.reason}" for link in links.get(record.id, ())]
        pinned = "yes" if record.pinned else ""
        text.add_row(record.season, str(record.gameweek or ""), record.category, pinned, "\n".join(words))
    rows = [
        record.model_dump(mode="json")
        | ({"linked": [link._asdict() for link in links.get(record.id, ())]} if links_too else {})
        for record in records
    ]
    emit(as_json, {"manager": slug, "role": role, "records": rows}, text)


@memory_app.command("conflict-check")
def memory_conflict_check(
    sentence: Annotated[str, typer.Argument(help="A promise, in plain English.")],
    manager: ManagerOption,
    gameweek: Annotated[
        int | None, typer.Option("--gameweek", "-g", help="Made in this one; the next one by default.")
    ] = None,
    caller: CallerOption = None,
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    as_json: JsonOption = False,
) -> None:
    """Which standing promises a manager would contradict by promising SENTENCE."""
    from backroom_pipeline.ledger.standings import scored_gameweeks
    from backroom_pipeline.memory.commitments import how_read, parse_terms
    from backroom_pipeline.memory.model import Claim

    with opened(league_name, read_only=False) as (league, contest):
        season = season_of(league, season)
        slug = contest.manager(manager).slug
        played = max(scored_gameweeks(contest.ledger, season), default=0)
        at = gameweek or played + 1
        known = min(at, max(played, 1))
        pool = tuple(contest.pool(season, known).values())
        claim = Claim(text=sentence, terms=parse_terms(sentence, pool, at))
        reading = how_read(sentence, pool, at)
        found = contest.gateway.conflict_check(_caller(contest, caller, slug, "manager"), slug, claim, at=(season, at))
    terms = claim.terms.model_dump(mode="json", exclude_defaults=True)
    text = Table(title=f"Read as {terms} ({reading}). {len(found)} conflicts", show_lines=True)
    for heading in ("made in", "promise", "conflict"):
        text.add_column(heading)
    for conflict in found:
        text.add_row(str(conflict.earlier.made_in), conflict.earlier.claim.text, conflict.reason)
    emit(
        as_json,
        {"terms": terms, "read_by": reading, "conflicts": [conflict.model_dump(mode="json") for conflict in found]},
        text,
    )


@memory_app.command("audit")
def memory_audit(
    manager: ManagerOption,
    role: RoleOption = "manager",
    refused_only: Annotated[bool, typer.Option("--refused", help="Only requests that were not granted.")] = False,
    verb: Annotated[str | None, typer.Option("--verb", help="Only this verb: store, recall, get, …")] = None,
    last: Annotated[int, typer.Option("--last", min=1, help="At most so many, the newest.")] = 50,
    caller: CallerOption = None,
    league_name: LeagueOption = None,
    as_json: JsonOption = False,
) -> None:
    """Who asked what of one store, and what was refused."""
    with opened(league_name, read_only=False) as (_, contest):
        slug, asked = contest.manager(manager).slug, role_of(role)
        rows = contest.gateway.audit(_caller(contest, caller, slug, asked), slug, asked)
    rows = [row for row in rows if not (refused_only and row.allowed) and verb in (None, row.verb)]
    text = Table(title=f"{slug}'s {role} store: {len(rows)} requests, the last {min(last, len(rows))}")
    for heading in ("at (UTC)", "caller", "verb", "granted", "records", "reason"):
        text.add_column(heading)
    for row in rows[-last:]:
        text.add_row(
            f"{row.at:%Y-%m-%d %H:%M:%S}",
            f"{row.caller_manager}/{row.caller_role}",
            row.verb,
            "yes" if row.allowed else "no",
            str(len(row.ids)),
            row.reason,
        )
    emit(as_json, {"requests": len(rows), "rows": [row.model_dump(mode="json") for row in rows[-last:]]}, text)


@memory_app.command("team-create")
def memory_team_create(manager: ManagerOption, league_name: LeagueOption = None, as_json: JsonOption = False) -> None:
    """Make the team of a manager, without members. Taking the facts of a gameweek does this for the whole league."""
    with opened(league_name, read_only=False) as (_, contest):
        slug = contest.manager(manager).slug
        contest.gateway.team_create(slug)
    emit(as_json, {"team": slug}, f"{slug} has a team.")


@memory_app.command("team-add-member")
def memory_team_add_member(
    manager: ManagerOption, role: RoleOption, league_name: LeagueOption = None, as_json: JsonOption = False
) -> None:
    """Give a role of the team its store; members share with one another and with nobody else."""
    with opened(league_name, read_only=False) as (_, contest):
        slug, asked = contest.manager(manager).slug, role_of(role)
        contest.gateway.team_add_member(slug, asked)
        members = contest.gateway.members(slug)
    emit(as_json, {"team": slug, "members": members}, f"{slug}'s team has {', '.join(members)}.")


@memory_app.command("store")
def memory_store(
    gameweek: GameweekOption,
    manager: OnlyManagerOption = None,
    caller: CallerOption = None,
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write what a gameweek's committed answers owe the stores. Records that are there already stay as they are."""
    from backroom_pipeline.memory.records import week_records

    written: dict[str, dict[str, int]] = {}
    with opened(league_name, read_only=False) as (league, contest):
        season = season_of(league, season)
        for slug in _slugs(contest, manager):
            owed = week_records(contest.ledger, season, gameweek, slug)
            for role, records in owed.items():
                contest.gateway.store(_caller(contest, caller, slug, role), slug, role, records)
            written[slug] = {role: len(records) for role, records in owed.items()}
    _emit_counts(as_json, f"Records of gameweek {gameweek} of {season}", written)


@memory_app.command("outcome-record")
def memory_outcome_record(
    gameweek: GameweekOption,
    manager: OnlyManagerOption = None,
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    as_json: JsonOption = False,
) -> None:
    """Attach a scored gameweek's outcome to the exact records it judges; one that says nothing new adds nothing."""
    from backroom_pipeline.backroom.scoring import attach_outcomes

    judged: dict[str, dict[str, int]] = {}
    with opened(league_name, read_only=False) as (league, contest):
        season = season_of(league, season)
        for slug in _slugs(contest, manager):
            judged[slug] = {"judged": len(attach_outcomes(contest, season, gameweek, slug))}
    _emit_counts(as_json, f"Outcomes of gameweek {gameweek} of {season}", judged)


@memory_app.command("associate")
def memory_associate(
    manager: OnlyManagerOption = None,
    role: OnlyRoleOption = None,
    caller: CallerOption = None,
    league_name: LeagueOption = None,
    as_json: JsonOption = False,
) -> None:
    """Link records that are not linked yet to the earlier ones they belong to. The weekly run leaves none."""
    made: dict[str, dict[str, int]] = {}
    with opened(league_name, read_only=False) as (_, contest):
        for slug in _slugs(contest, manager):
            made[slug] = {
                each: len(contest.gateway.associate(_caller(contest, caller, slug, each), slug, each))
                for each in _roles(role)
            }
    _emit_counts(as_json, "Records linked", made)


@memory_app.command("consolidate")
def memory_consolidate(
    manager: OnlyManagerOption = None,
    caller: CallerOption = None,
    league_name: LeagueOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a thread for every promise that keeps being repeated. Nothing is taken away."""
    made: dict[str, dict[str, int]] = {}
    with opened(league_name, read_only=False) as (_, contest):
        for slug in _slugs(contest, manager):
            added = contest.gateway.consolidate(_caller(contest, caller, slug, "manager"), slug, "manager")
            made[slug] = {"threads added": len(added)}
    _emit_counts(as_json, "Consolidated", made)


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


def _caller(contest: Contest, named: str | None, slug: str, role: Role) -> Member:
    """The member somebody asks as: ``planner/coach``, or the store's own agent."""
    from backroom_pipeline.memory.model import Member

    if named is None:
        return Member(manager=slug, role=role)
    manager, slash, as_role = named.partition("/")
    return Member(manager=contest.manager(manager).slug, role=role_of(as_role if slash else "manager"))


def _slugs(contest: Contest, manager: str | None) -> tuple[str, ...]:
    return contest.league.slugs if manager is None else (contest.manager(manager).slug,)


def _roles(role: str | None) -> tuple[Role, ...]:
    from backroom_pipeline.memory.model import ROLES

    return ROLES if role is None else (role_of(role),)


def _emit_counts(as_json: bool, title: str, counts: dict[str, dict[str, int]]) -> None:
    text = Table(title=title)
    columns = list(dict.fromkeys(name for row in counts.values() for name in row))
    for heading in ("manager", *columns):
        text.add_column(heading)
    for slug, row in counts.items():
        text.add_row(slug, *(str(row.get(name, 0)) for name in columns))
    value: dict[str, Any] = {"managers": counts}
    emit(as_json, value, text)
