"""A season in one process: its gameweeks played one after the other, on the instance the browser looks at."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg

from backroom_pipeline.defs.contest import contest_definitions
from backroom_pipeline.defs.jobs import PLAY_GAMEWEEK
from backroom_pipeline.defs.partitions import Gameweek
from backroom_pipeline.defs.stopped import SeasonStopped
from backroom_pipeline.league import League, project_top, state_dir
from backroom_pipeline.ledger.completeness import incomplete
from backroom_pipeline.ledger.standings import Standing, league_table
from backroom_pipeline.ledger.store import Ledger, SeasonLock

if TYPE_CHECKING:
    from dagster._core.execution.execute_in_process_result import ExecuteInProcessResult


_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
_NO_CAPTURE = {"module": "dagster._core.storage.noop_compute_log_manager", "class": "NoOpComputeLogManager"}
_KEPT_OPEN = {"module": "backroom_pipeline.defs.event_log", "class": "KeptOpen"}


OnWeek = Callable[[int, bool, list[Standing]], None]
"""Told after each gameweek: its number, whether it was played now, and the league table after it."""


def season_gameweeks(league: League, season: str, *, first: int | None = None, last: int | None = None) -> list[int]:
    """The gameweeks of a season the league plays, from ``first`` to ``last``."""
    played = [gameweek for of, gameweek in league.gameweeks if of == season]
    return [gameweek for gameweek in played if (first or gameweek) <= gameweek <= (last or gameweek)]


def play_season(
    league: League,
    season: str,
    *,
    first: int | None = None,
    last: int | None = None,
    on_week: OnWeek = lambda gameweek, played, standings: None,
) -> int:
    """Play the gameweeks that are not over yet, in order, and return how many were played now.

    What the ledger says is over is not run again, so an interrupted season goes on where it stopped. Holds the season
    lock throughout: raises SeasonLocked, naming the holder, when another process has it, and SeasonStopped at the first
    gameweek that cannot be finished.
    """
    played = 0
    with SeasonLock(state_dir(league)).acquire("backroom season run"), dagster_instance() as instance:
        job = contest_definitions(league).resolve_job_def(PLAY_GAMEWEEK)
        for number in season_gameweeks(league, season, first=first, last=last):
            over, standings = _standing(league, season, number)
            if not over:
                result = job.execute_in_process(
                    partition_key=Gameweek(season, number).key,
                    instance=instance,
                    raise_on_error=False,
                    run_config=_QUIET,
                )
                if not result.success:
                    raise SeasonStopped(season, number, why_failed(result))
                played += 1
                _, standings = _standing(league, season, number)
            on_week(number, not over, standings)
    return played


def why_failed(result: ExecuteInProcessResult) -> str:
    """The sentences of what went wrong in a run: failed checks other than warnings, else the steps that raised."""
    checks = [
        evaluation.description or f"The check {evaluation.check_name} failed."
        for evaluation in result.get_asset_check_evaluations()
        if not evaluation.passed and evaluation.severity is dg.AssetCheckSeverity.ERROR
    ]
    steps = [_sentence(event) for event in result.all_events if event.is_step_failure]
    return "\n".join(checks or steps) or "The run did not succeed; its page in the browser has the events."


def _sentence(event: dg.DagsterEvent) -> str:
    failure = event.step_failure_data
    if failure.user_failure_data and failure.user_failure_data.description:
        return failure.user_failure_data.description
    error = failure.error.cause if failure.error and failure.error.cause else failure.error
    if error and error.cls_name == dg.DagsterExecutionInterruptedError.__name__:
        return f"It was interrupted during {event.step_key}."
    return f"{event.step_key} failed: {error.message.strip() if error else 'no reason given'}"


def _standing(league: League, season: str, gameweek: int) -> tuple[bool, list[Standing]]:
    """Whether the gameweek is over, and the league table after it."""
    with Ledger.open(state_dir(league) / "ledger.duckdb") as ledger:
        return not incomplete(ledger, season, gameweek, league.slugs), league_table(ledger, season, gameweek)


def dagster_home() -> Path:
    """DAGSTER_HOME, or the project's own ``.dagster_home``, made here from ``dagster.yaml`` when it is not there."""
    if chosen := os.environ.get("DAGSTER_HOME"):
        return Path(chosen)
    home = project_top() / ".dagster_home"
    home.mkdir(exist_ok=True)
    shutil.copyfile(project_top() / "dagster.yaml", home / "dagster.yaml")
    os.environ["DAGSTER_HOME"] = str(home)
    return home


@contextmanager
def dagster_instance() -> Iterator[dg.DagsterInstance]:
    """The instance the browser looks at, without the capture of printed output: it starts two processes a step."""
    from dagster._core.instance.ref import InstanceRef
    from dagster._core.storage.event_log.sqlite.sqlite_event_log import SqliteEventLogStorage

    home = dagster_home()
    overrides: Any = {"compute_logs": _NO_CAPTURE}
    reference = InstanceRef.from_dir(str(home), overrides=overrides)
    kept = reference.event_storage_data
    if kept is not None and kept.class_name == SqliteEventLogStorage.__name__:
        overrides["event_log_storage"] = {**_KEPT_OPEN, "config": {"base_dir": str(home / "history" / "runs")}}
        reference = InstanceRef.from_dir(str(home), overrides=overrides)
    with dg.DagsterInstance.from_ref(reference) as instance:
        yield instance
