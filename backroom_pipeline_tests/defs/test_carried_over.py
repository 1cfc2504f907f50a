"""A team carried over through Dagster, and what an operator reads of it: run, check, metadata and commands."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from typer.testing import CliRunner

from backroom_pipeline.cli import app
from backroom_pipeline.defs.season import play_season
from backroom_pipeline.defs.stopped import SeasonStopped
from backroom_pipeline.feeds.fetch import archive_path
from backroom_pipeline.league import archive_dir, parse_league, state_dir
from backroom_pipeline.ledger.calls import calls
from backroom_pipeline.ledger.completeness import incomplete
from backroom_pipeline.ledger.standings import Standing
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline_tests.backroom.failing import WHO, Vendor, a_vendor
from backroom_pipeline_tests.defs.conftest import TOP

SEASON = "2025-26"
TOLD = "Carried over: the manager could not decide, because its assistant gave no legal answer (openai/gambler answered"


def league_text(vendor: Vendor, policy: str) -> str:
    options = f"{{api_base: '{vendor.server.api_base}', api_key_env: BACKROOM_TEST_KEY, max_tokens: 8000}}"
    return f"""\
name: small
seasons: [2025-26]
when_a_manager_cannot_decide: {policy}
managers:
  - {{slug: banker, name: Brenda Holt, model: house/banker}}
  - {{slug: gambler, name: Rafe Delaney, model: openai/gambler, options: {options}}}
  - {{slug: planner, name: Anders Nygaard, model: house/planner}}
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    if not archive_path(archive_dir()).is_file():
        pytest.skip(f"the season archive is not in {archive_dir()}; fetch it with: backroom data fetch")
    folder = tmp_path_factory.mktemp("carried")
    (folder / "dagster").mkdir()
    shutil.copy(TOP / "dagster.yaml", folder / "dagster" / "dagster.yaml")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("BACKROOM_STATE", str(folder / "state"))
        environment.setenv("DAGSTER_HOME", str(folder / "dagster"))
        environment.setenv("BACKROOM_LEAGUE", str(folder / "small.yaml"))
        yield folder


@pytest.fixture(scope="module")
def vendor(place: Path) -> Iterator[Vendor]:
    """Gameweek 1 is played; in gameweek 2 the gambler's assistant is never answered, and its team carried over."""
    with a_vendor() as vendor:
        (place / "small.yaml").write_text(league_text(vendor, "carry_over"), encoding="utf-8")
        league = parse_league(league_text(vendor, "carry_over"), "small.yaml")
        play_season(league, SEASON, last=1)
        vendor.down = {"assistant"}
        tables: list[list[Standing]] = []
        assert play_season(league, SEASON, last=2, on_week=lambda week, now, table: tables.append(table)) == 1
        vendor.down = set()
        assert [row.slug for row in tables[-1] if 2 in row.carried_over] == [WHO]
        yield vendor


def says(*words: str) -> str:
    result = CliRunner().invoke(app, list(words), env={"COLUMNS": "120"}, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_run_succeeds_and_only_what_was_answered_is_materialized(vendor: Vendor) -> None:
    with dg.DagsterInstance.get() as instance:
        (run,) = instance.get_runs(limit=1)
        assert run.status is dg.DagsterRunStatus.SUCCESS
        events = instance.all_logs(run.run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION)
        warnings = [entry.user_message for entry in instance.all_logs(run.run_id) if entry.level == 30]
    paths = [entry.dagster_event.asset_key.path for entry in events if entry.dagster_event]  # type: ignore[union-attr]
    keys = {stage for group, *rest in paths for stage in rest if group == f"backroom_{WHO}"}
    assert keys == {"coach_rankings", "manager_decisions", "memory_writes"}
    assert [text for text in warnings if text.startswith(f"gambler, assistant_sheets: {TOLD}")]


def test_the_decision_shows_its_source_and_reason_and_a_check_warns(vendor: Vendor) -> None:
    with dg.DagsterInstance.get() as instance:
        (run,) = instance.get_runs(limit=1)
        decision = instance.get_latest_materialization_event(dg.AssetKey([f"backroom_{WHO}", "manager_decisions"]))
        table = instance.get_latest_materialization_event(dg.AssetKey("league_table"))
        scores = instance.get_latest_materialization_event(dg.AssetKey("scores"))
        checks = {
            event.dagster_event.asset_check_evaluation_data.check_name: event.dagster_event.asset_check_evaluation_data
            for event in instance.all_logs(run.run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION)
            if event.dagster_event
        }
    shown: Any = decision.asset_materialization.metadata  # type: ignore[union-attr]
    assert shown["source"].value == "carried_over"
    assert shown["reason"].value.startswith(TOLD)
    assert (shown["transfers_made"].value, shown["hit_points"].value, shown["chip"].value) == (0, 0, "none")
    standings: Any = table.asset_materialization.metadata  # type: ignore[union-attr]
    assert standings["carried_over"].value == WHO
    assert "| gambler † |" in standings["table"].value
    assert "† gambler could not decide in gameweek 2; its team was carried over as it was." in standings["table"].value
    assert "| gambler (carried over) |" in scores.asset_materialization.metadata["scores"].value  # type: ignore[union-attr]
    warned = checks["nobody_carried_over"]
    assert (warned.passed, warned.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert warned.description is not None
    assert warned.description.startswith(f"gambler: {TOLD}")
    assert all(check.passed for name, check in checks.items() if name != "nobody_carried_over")


def test_the_table_is_labelled_for_people_and_programs(vendor: Vendor) -> None:
    text = says("table")
    assert "gambler †" in text
    assert "† gambler could not decide in gameweek 2;" in " ".join(text.split())
    rows = {row["slug"]: row["carried_over"] for row in json.loads(says("table", "--json"))["managers"]}
    assert rows == {"banker": [], WHO: [2], "planner": []}
    assert "†" not in says("table", "--through", "1")


def test_status_models_why_and_prompt_tell_of_it(vendor: Vendor) -> None:
    assert json.loads(says("status", "--json"))["carried_over"] == {WHO: [2]}
    assert "gambler in gameweek 2" in says("status")
    models = {row["model"]: row["carried_over"] for row in json.loads(says("models", "--json"))["models"]}
    assert models == {"house/banker": 0, "house/planner": 0, "openai/gambler": 1}
    assert TOLD in " ".join(says("memory", "why", "-m", WHO, "-g", "2").split())
    refused = CliRunner().invoke(app, ["prompt", "show", "2", "-m", WHO, "--json"])
    assert refused.exit_code != 0
    assert TOLD in str(refused.exception)


def test_a_season_that_is_played_reports_the_team_again(vendor: Vendor) -> None:
    assert "GW02 was played already" in (told := says("season", "run", "--to", "2"))
    assert "; carried over: gambler" in told


def test_with_stop_the_season_stops_by_name_and_goes_on_once_the_vendor_answers(vendor: Vendor) -> None:
    league = parse_league(league_text(vendor, "stop"), "small.yaml")
    vendor.down = {"manager"}
    with pytest.raises(SeasonStopped, match="gambler's manager cannot go on in gameweek 3: openai/gambler answered"):
        play_season(league, SEASON, last=3)
    with Ledger.open(state_dir(league) / "ledger.duckdb", read_only=True) as ledger:
        lacking = {manager.manager: manager.lacks for manager in incomplete(ledger, SEASON, 3, league.slugs)}
        asked = len([call for call in calls(ledger, SEASON, 3) if call.attempt.manager != WHO])
    assert lacking == dict.fromkeys(("banker", "planner"), ("score", "outcome")) | {
        WHO: ("decision", "memory", "score", "outcome")
    }
    vendor.down = set()
    assert play_season(league, SEASON, last=3) == 1
    with Ledger.open(state_dir(league) / "ledger.duckdb", read_only=True) as ledger:
        assert incomplete(ledger, SEASON, 3, league.slugs) == []
        assert len([call for call in calls(ledger, SEASON, 3) if call.attempt.manager != WHO]) == asked
        assert ledger.verify() == []
