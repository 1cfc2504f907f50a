"""The first gameweeks of the real season 2025-26, played by three house managers through Dagster in one process."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.contest import CannotDecide
from backroom_pipeline.backroom.play import Step
from backroom_pipeline.defs.contest import contest_definitions
from backroom_pipeline.defs.event_log import KeptOpen
from backroom_pipeline.defs.season import dagster_instance, play_season, season_gameweeks, why_failed
from backroom_pipeline.defs.stopped import SeasonStopped
from backroom_pipeline.feeds.fetch import archive_path
from backroom_pipeline.league import League, archive_dir, parse_league, state_dir
from backroom_pipeline.ledger.completeness import incomplete
from backroom_pipeline.ledger.store import Ledger, SeasonLock, SeasonLocked
from backroom_pipeline_tests.defs.conftest import TOP
from backroom_pipeline_tests.ledger.other_process import another_process

SEASON = "2025-26"
THREE = """\
name: three
seasons: [2025-26]
managers:
  - {slug: banker, name: Brenda, model: house/banker}
  - {slug: form-chaser, name: Tunde, model: house/form_chaser}
  - {slug: planner, name: Anders, model: house/planner}
"""


@pytest.fixture(scope="module")
def three() -> League:
    if not archive_path(archive_dir()).is_file():
        pytest.skip(f"the season archive is not in {archive_dir()}; fetch it with: backroom data fetch")
    return parse_league(THREE, "three.yaml")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """State and Dagster instance of this module's season, apart from everybody else's."""
    folder = tmp_path_factory.mktemp("season")
    (folder / "dagster").mkdir()
    shutil.copy(TOP / "dagster.yaml", folder / "dagster" / "dagster.yaml")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("BACKROOM_STATE", str(folder / "state"))
        environment.setenv("DAGSTER_HOME", str(folder / "dagster"))
        yield folder


@pytest.fixture(scope="module")
def told(three: League, place: Path) -> list[tuple[int, bool, list[str]]]:
    """What was reported while gameweeks 1 and 2 were played."""
    weeks: list[tuple[int, bool, list[str]]] = []
    play_season(three, SEASON, last=2, on_week=lambda *week: weeks.append((*week[:2], [row.slug for row in week[2]])))
    return weeks


def asked(league: League) -> Counter[tuple[int, str, str]]:
    """How often each role of each manager was asked in each gameweek."""
    with Ledger.open(state_dir(league) / "ledger.duckdb", read_only=True) as ledger:
        rows = ledger.rows("SELECT gameweek, manager, role FROM attempts")
    return Counter((row["gameweek"], row["manager"], row["role"]) for row in rows)  # type: ignore[misc]


def runs() -> list[tuple[str, str]]:
    with dagster_instance() as instance:
        return [(run.tags["dagster/partition"], run.status.value) for run in reversed(list(instance.get_runs()))]


def test_each_gameweek_is_reported_with_the_table_after_it(told: list[Any], three: League) -> None:
    assert [(gameweek, played) for gameweek, played, _ in told] == [(1, True), (2, True)]
    assert all(sorted(table) == sorted(three.slugs) for _, _, table in told)


def test_the_ledger_lacks_nothing_afterwards(told: list[Any], three: League) -> None:
    with Ledger.open(state_dir(three) / "ledger.duckdb", read_only=True) as ledger:
        assert [incomplete(ledger, SEASON, gameweek, three.slugs) for gameweek in (1, 2)] == [[], []]


def test_the_browser_finds_a_run_per_gameweek_with_everything_a_person_wants_to_see(told: list[Any]) -> None:
    assert runs()[:2] == [("2025-26-gw01", "SUCCESS"), ("2025-26-gw02", "SUCCESS")]
    with dg.DagsterInstance.get() as instance:
        (second, first) = instance.get_runs(limit=2)
        written = [
            len(instance.all_logs(run.run_id, of_type=dg.DagsterEventType.STEP_SUCCESS)) for run in (first, second)
        ]
        decision = instance.get_latest_materialization_event(dg.AssetKey(["backroom_form_chaser", "manager_decisions"]))
        table = instance.get_latest_materialization_event(dg.AssetKey("league_table"))
    assert written[0] == written[1] > 5
    assert decision is not None
    assert decision.asset_materialization is not None
    assert {"sheet", "reasoning", "claims", "bill", "hit_points"} <= set(decision.asset_materialization.metadata)
    assert table is not None
    assert table.asset_materialization is not None
    assert "| 1 |" in str(table.asset_materialization.metadata["table"].value)


def test_a_season_that_is_played_is_not_played_again(told: list[Any], three: League) -> None:
    before, runs_before, weeks = asked(three), runs(), []
    played = play_season(three, SEASON, last=2, on_week=lambda gameweek, now, table: weeks.append((gameweek, now)))
    assert (played, weeks) == (0, [(1, False), (2, False)])
    assert asked(three) == before
    assert runs() == runs_before


def test_a_gameweek_out_of_order_is_refused_in_words_and_asks_nobody(told: list[Any], three: League) -> None:
    before = asked(three)
    with pytest.raises(SeasonStopped, match="Gameweek 3 of 2025-26 is not over: banker has no decision") as stopped:
        play_season(three, SEASON, first=4, last=4)
    assert all(slug in str(stopped.value) for slug in three.slugs), "everybody at once"
    assert asked(three) == before


def test_a_season_that_stopped_goes_on_without_asking_anybody_twice(
    told: list[Any], three: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_remember = play.remember

    def remember(contest: Any, season: str, gameweek: int, slug: str) -> Step:
        if slug == "planner":
            raise CannotDecide(slug, "manager", gameweek, "the disk is full.")
        return really_remember(contest, season, gameweek, slug)

    monkeypatch.setattr(play, "remember", remember)
    with pytest.raises(SeasonStopped, match="planner's manager cannot go on in gameweek 3: the disk is full"):
        play_season(three, SEASON, last=3)
    after_the_stop = asked(three)
    monkeypatch.undo()
    assert play_season(three, SEASON, last=3) == 1
    assert asked(three) == after_the_stop, "every answer was committed before the stop"
    assert {slug for gameweek, slug, _ in after_the_stop if gameweek == 3} == set(three.slugs)


def test_an_interrupted_gameweek_loses_nothing_and_goes_on(
    told: list[Any], three: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_season(three, SEASON, last=3)
    really_decide = play.decide

    def decide(contest: Any, season: str, gameweek: int, slug: str) -> Step:
        step = really_decide(contest, season, gameweek, slug)
        if slug == "banker":
            os.kill(os.getpid(), signal.SIGINT)
        return step

    monkeypatch.setattr(play, "decide", decide)
    with pytest.raises(SeasonStopped, match="It was interrupted during backrooms"):
        play_season(three, SEASON, last=4)
    monkeypatch.undo()
    assert play_season(three, SEASON, last=4) == 1
    assert {times for (gameweek, *_), times in asked(three).items() if gameweek == 4} == {1}


def test_an_interrupt_between_two_events_leaves_nothing_held(
    told: list[Any], three: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_season(three, SEASON, last=4)
    really_store = KeptOpen.store_event

    def store_event(log: KeptOpen, event: dg.EventLogEntry) -> None:
        really_store(log, event)
        if event.step_key == "backrooms" and event.dagster_event_type is dg.DagsterEventType.ASSET_MATERIALIZATION:
            raise dg.DagsterExecutionInterruptedError

    monkeypatch.setattr(KeptOpen, "store_event", store_event)
    gc.disable()
    try:
        with pytest.raises(SeasonStopped, match="It was interrupted during backrooms"):
            play_season(three, SEASON, last=5)
        assert SeasonLock(state_dir(three)).holder() is None
    finally:
        gc.enable()
    monkeypatch.undo()
    assert play_season(three, SEASON, last=5) == 1


def test_the_rebuild_job_refuses_a_manager_it_does_not_know_and_finds_no_difference_for_one_it_knows(
    told: list[Any], three: League
) -> None:
    job = contest_definitions(three).resolve_job_def("rebuild_memory")

    def rebuild(*managers: str) -> dg.ExecuteInProcessResult:
        config = {"ops": {"rebuild_stores": {"config": {"managers": list(managers), "dry_run": True}}}}
        return job.execute_in_process(instance=dg.DagsterInstance.ephemeral(), run_config=config, raise_on_error=False)

    assert rebuild("form-chaser").success
    refused = rebuild("form_chaser")
    assert not refused.success
    assert 'no manager "form_chaser"; did you mean "form-chaser"?' in why_failed(refused)


def test_a_second_season_at_once_is_refused_and_told_who_plays(told: list[Any], three: League) -> None:
    hold = "with SeasonLock(Path(sys.argv[1])).acquire('backroom season run'): hold()"
    with (
        another_process(hold, state_dir(three)) as other,
        pytest.raises(SeasonLocked, match=rf"pid {other.pid} on host .* \(backroom season run\)"),
    ):
        play_season(three, SEASON, last=3)


def test_only_gameweeks_the_league_plays_are_in_range() -> None:
    late = parse_league(THREE.replace("managers:", "first_gameweek: 20\nmanagers:"), "three.yaml")
    assert season_gameweeks(late, SEASON)[0] == 20
    assert season_gameweeks(late, SEASON, first=5, last=22) == [20, 21, 22]
    assert season_gameweeks(late, SEASON, last=1) == []
