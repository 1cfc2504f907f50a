"""The command line, ``backroom``. With ``--json`` a command prints one object on standard output, logs elsewhere."""

from __future__ import annotations

import json
import sys

import typer

from backroom_pipeline.cli.calls import call_app, models
from backroom_pipeline.cli.commitments import UnreadableCases, commitments_app
from backroom_pipeline.cli.doctor import doctor
from backroom_pipeline.cli.estimate import estimate
from backroom_pipeline.cli.facts import data_fetch, data_verify, gameweek_rescore
from backroom_pipeline.cli.memory import memory_app
from backroom_pipeline.cli.output import MissingAnswer, log
from backroom_pipeline.cli.prompt import prompt_app
from backroom_pipeline.cli.rehearse import data_rehearse
from backroom_pipeline.cli.season import career, gameweek_app, preflight, season_app, status, table
from backroom_pipeline.cli.verify import verify_app
from backroom_pipeline.league import LeagueError
from backroom_pipeline.ledger.errors import LedgerError

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Eight language models manage Fantasy Premier League teams for a season, with a memory that is accountable.",
)
data_app = typer.Typer(no_args_is_help=True, help="The facts a season is played on.")
for command in (preflight, table, status, career, models, doctor, estimate):
    app.command()(command)
for name, command in {"fetch": data_fetch, "verify": data_verify, "rehearse": data_rehearse}.items():
    data_app.command(name)(command)
gameweek_app.command("rescore")(gameweek_rescore)
for name, group in {
    "data": data_app,
    "season": season_app,
    "gameweek": gameweek_app,
    "memory": memory_app,
    "prompt": prompt_app,
    "call": call_app,
    "commitments": commitments_app,
    "verify": verify_app,
}.items():
    app.add_typer(group, name=name)


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
        UnreadableCases,
    )
