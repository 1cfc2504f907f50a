"""``backroom commitments``: what the managers promised, what became of it, and how well promises are understood."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer
from rich.table import Table

from backroom_pipeline.cli.output import (
    JsonOption,
    LeagueOption,
    ManagerOption,
    OnlyManagerOption,
    SeasonOption,
    emit,
    opened,
    season_of,
)

if TYPE_CHECKING:
    from backroom_pipeline.ledger.rows import FindingKind

commitments_app = typer.Typer(no_args_is_help=True, help="What the managers promised, and what became of it.")

BeforeOption = Annotated[
    int | None, typer.Option("--before", help="As they stand before this gameweek; the next one by default.")
]
FileArgument = Annotated[Path, typer.Argument(help="A file of cases, one JSON object a line.")]


class UnreadableCases(Exception):
    """A file of cases that cannot be read; the message says which line and what it lacks."""


@commitments_app.command("list")
def commitments_list(
    manager: ManagerOption,
    gameweek: BeforeOption = None,
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    closed_too: Annotated[bool, typer.Option("--all", help="Lapsed and discharged ones too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """The promises that still bind a manager, most binding first."""
    from backroom_pipeline.memory.commitments import standing_claims
    from backroom_pipeline.memory.commitments.timeline import weeks_in_words

    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        slug = contest.manager(manager).slug
        before = gameweek or _next_gameweek(contest, season)
        claims = standing_claims(contest.ledger, slug, season, before, include_closed=closed_too)
    text = Table(title=f"{slug}, {season}, before gameweek {before}")
    for heading in ("made in", "promise", "kept in", "broken in", ""):
        text.add_column(heading)
    for claim in claims:
        text.add_row(
            str(claim.made_in),
            claim.claim.text,
            weeks_in_words(claim.kept) or "-",
            weeks_in_words(claim.broken) or "-",
            "open" if claim.open else "over",
        )
    emit(as_json, {"season": season, "manager": slug, "claims": [c.model_dump(mode="json") for c in claims]}, text)


@commitments_app.command("timeline")
def commitments_timeline(
    manager: ManagerOption,
    gameweek: BeforeOption = None,
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    as_json: JsonOption = False,
) -> None:
    """Every promise of a season in the order it was made: kept how often, broken when, how it ended."""
    from backroom_pipeline.memory.commitments.timeline import timeline

    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        slug = contest.manager(manager).slug
        before = gameweek or _next_gameweek(contest, season)
        courses = timeline(contest.ledger, slug, season, before)
    text = Table(title=f"{slug}, {season}: {len(courses)} promises before gameweek {before}")
    for heading in ("promise", "what became of it"):
        text.add_column(heading)
    for course in courses:
        text.add_row(course.standing.claim.text, course.sentence)
    value = [{**course.model_dump(mode="json"), "sentence": course.sentence} for course in courses]
    emit(as_json, {"season": season, "manager": slug, "promises": value}, text)


@commitments_app.command("findings")
def commitments_findings(
    manager: OnlyManagerOption = None,
    gameweek: Annotated[int | None, typer.Option("--gameweek", "-g", min=1, help="Only this one.")] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", help="claim (contradicts a standing one), decision (breaks one) or quote.")
    ] = None,
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    as_json: JsonOption = False,
) -> None:
    """Promises contradicted, promises broken, own words repeated: every finding with both texts."""
    from backroom_pipeline.ledger.findings import findings
    from backroom_pipeline.ledger.rows import FindingKind

    if kind not in (None, *get_args(FindingKind)):
        raise typer.BadParameter(f"a finding is one of {', '.join(get_args(FindingKind))}", param_hint="--kind")
    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        slug = None if manager is None else contest.manager(manager).slug
        found = findings(contest.ledger, season, gameweek, slug, cast("FindingKind | None", kind))
    text = Table(title=f"{season}: {len(found)} findings", show_lines=True)
    for heading in ("week", "manager", "kind", "earlier", "later", "openly"):
        text.add_column(heading)
    for row in found:
        openly = "" if row.openly is None else "yes" if row.openly else "no"
        earlier = f"{row.earlier_text} (gameweek {row.earlier_gameweek})"
        text.add_row(str(row.gameweek), row.manager, row.kind, earlier, row.later_text, openly)
    emit(as_json, {"season": season, "findings": [row.model_dump(mode="json") for row in found]}, text)


@commitments_app.command("check")
def commitments_check(file: FileArgument, as_json: JsonOption = False) -> None:
    """Judge the labelled sentences of FILE on their decisions and score the verdicts by kind of promise."""
    from backroom_pipeline.memory.commitments.labelled import check_cases

    result = _read(check_cases, file)
    accuracy = "no labels" if result.accuracy is None else f"accuracy {result.accuracy:.3f}"
    text = _confusion(f"{result.cases} cases, {accuracy}", "kind", result.by_kind)
    emit(as_json, result.model_dump(mode="json"), text)


@commitments_app.command("conflicts")
def commitments_conflicts(
    file: FileArgument,
    people: Annotated[
        Path | None,
        typer.Option("--people", help="A file of cases with squads; verdicts.jsonl beside FILE by default."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Tell which pairs of sentences in FILE contradict each other, and score that by axis."""
    from backroom_pipeline.memory.commitments.labelled import check_pairs

    result = _read(check_pairs, file, people)
    figures = ", ".join(
        f"{name} {'none' if value is None else f'{value:.3f}'}"
        for name, value in (("precision", result.precision), ("recall", result.recall))
    )
    text = _confusion(f"{result.pairs} pairs, contradictions: {figures}", "axis", result.by_axis)
    emit(as_json, result.model_dump(mode="json"), text)


def _next_gameweek(contest: Any, season: str) -> int:
    from backroom_pipeline.ledger.standings import scored_gameweeks

    return max(scored_gameweeks(contest.ledger, season), default=0) + 1


def _read(check: Any, *files: Path | None) -> Any:
    try:
        return check(*files)
    except (OSError, ValueError) as error:
        raise UnreadableCases(
            f"{str(error).rstrip('.')}. A file of cases has one JSON object a line; docs/memory.md shows one of each."
        ) from error


def _confusion(title: str, sort: str, by_sort: dict[str, dict[str, dict[str, int]]]) -> Table:
    """One row for every kind and right answer: how often each answer was given."""
    given = sorted({answer for expected in by_sort.values() for row in expected.values() for answer in row})
    text = Table(title=title)
    for heading in (sort, "right answer", *given):
        text.add_column(heading)
    for name, expected in by_sort.items():
        for right, answers in expected.items():
            text.add_row(name, right, *(str(answers.get(answer, "")) for answer in given))
    return text
