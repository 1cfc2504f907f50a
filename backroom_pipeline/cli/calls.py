"""``backroom call`` and ``backroom models``: every call as it was made, and how reliable each model was."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table

from backroom_pipeline.cli.output import (
    JsonOption,
    LeagueOption,
    ManagerOption,
    MissingAnswer,
    SeasonOption,
    emit,
    opened,
    season_of,
)

call_app = typer.Typer(no_args_is_help=True, help="The calls to language models, as they were made.")


@call_app.command("list")
def call_list(
    manager: ManagerOption,
    gameweek: Annotated[int, typer.Option("--gameweek", "-g", min=1, help="Number of the gameweek.")],
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    as_json: JsonOption = False,
) -> None:
    """Every attempt of a manager's roles in a gameweek, with the hashes ``call show`` takes."""
    from backroom_pipeline.ledger.calls import calls

    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        made = calls(contest.ledger, season, gameweek, contest.manager(manager).slug)
    text = Table(title=f"{manager}, gameweek {gameweek} of {season}: {len(made)} attempts")
    for heading in ("role", "try", "model", "status", "ms", "cost", "request", "answer"):
        text.add_column(heading, no_wrap=heading in ("request", "answer"))
    for call in made:
        result = call.result
        cost = None if result is None else result.cost_micro_dollars
        answer = (result.answer_sha256 or "")[:8] if result else ""
        text.add_row(
            call.attempt.role, str(call.attempt.number), call.attempt.model, call.status,
            str(result.latency_ms) if result and result.latency_ms is not None else "",
            "unknown" if cost is None else f"${cost / 1_000_000:.6f}", call.attempt.request_sha256[:8], answer,
        )  # fmt: skip
    emit(as_json, {"calls": [{**c.model_dump(mode="json"), "status": c.status} for c in made]}, text)


@call_app.command("show")
def call_show(
    sha256: Annotated[str, typer.Argument(help="Hash of a request, an answer or a prompt; its beginning is enough.")],
    league_name: LeagueOption = None,
    as_json: JsonOption = False,
) -> None:
    """The kept text behind a hash, to the byte: a request's manifest, a raw answer, a part of a prompt."""
    from backroom_pipeline.ledger.calls import text as stored

    with opened(league_name) as (_, contest):
        found = contest.ledger.rows("SELECT sha256 FROM texts WHERE starts_with(sha256, ?) LIMIT 2", [sha256.lower()])
        if len(found) != 1:
            what = "more than one kept text begins with" if found else "no kept text has the hash"
            raise MissingAnswer(f"In this ledger {what} {sha256}. backroom call list -m MANAGER -g N shows hashes.")
        whole = str(found[0]["sha256"])
        text = stored(contest.ledger, whole)
    if as_json:
        emit(True, {"sha256": whole, "text": text})
    else:
        print(text)


def models(league_name: LeagueOption = None, season: SeasonOption = None, as_json: JsonOption = False) -> None:
    """How reliable each model was: valid at once, repaired, refused, timed out, carried over; time and cost."""
    from backroom_pipeline.ledger.reliability import reliability

    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        rows = reliability(contest.ledger, season)
    answered = _table(f"{league.name} {season}: answers by model", ("model", "asked", "at once", "mended", "refused",
                      "late", "broken", "none", "carried"))  # fmt: skip
    spent = _table("time and money", ("model", "p50 s", "p95 s", "points", "$ a gameweek", "$ a point"))
    for row in rows:
        figures = (row.answers, row.first_try, row.repaired, row.refused, row.timed_out, row.broken, row.unanswered)
        answered.add_row(row.model, *map(str, figures), str(row.carried_over))
        partly = "≥ " if row.attempts_of_unknown_cost else ""
        costs = [partly + _dollars(cost) for cost in (row.cost_per_gameweek, row.cost_per_point)]
        times = (_seconds(row.latency_p50_ms), _seconds(row.latency_p95_ms))
        spent.add_row(row.model, *times, "" if row.points is None else str(row.points), *costs)
    value = [
        {**row.model_dump(), "cost_per_gameweek": row.cost_per_gameweek, "cost_per_point": row.cost_per_point}
        for row in rows
    ]
    emit(as_json, {"season": season, "models": value}, Group(answered, spent))


def _table(title: str, headings: tuple[str, ...]) -> Table:
    table = Table(title=title)
    for heading in headings:
        left = heading == "model"
        table.add_column(heading, justify="left" if left else "right", no_wrap=left)
    return table


def _seconds(milliseconds: int | None) -> str:
    return "" if milliseconds is None else f"{milliseconds / 1000:.2f}"


def _dollars(micro_dollars: int | None) -> str:
    return "unknown" if micro_dollars is None else f"{micro_dollars / 1_000_000:.6f}"
