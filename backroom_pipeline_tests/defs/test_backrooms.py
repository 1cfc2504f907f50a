"""Eight backrooms in one step: in parallel, apart from each other, and never begun before preflight lets them."""

from __future__ import annotations

import threading
from typing import Any

import dagster as dg
import pytest

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.contest import CannotDecide
from backroom_pipeline.backroom.play import Step
from backroom_pipeline.backroom.preflight import Finding
from backroom_pipeline.defs import preflight as preflight_defs
from backroom_pipeline.defs.backrooms import STAGES, backroom_assets, play_together
from backroom_pipeline.defs.partitions import Gameweek, gameweek_partitions, manager_group
from backroom_pipeline.defs.preflight import preflight_checks
from backroom_pipeline.league import League
from backroom_pipeline_tests.defs.conftest import STEPS

Calls = list[tuple[str, str]]
Room = dict[str, dg.ConfigurableResource]
WEEK = Gameweek("2025-26", 7)


def run(league: League, room: Room, **options: Any) -> dg.ExecuteInProcessResult:
    partitions = gameweek_partitions(league)
    briefing = dg.asset(name="briefing", partitions_def=partitions)(lambda: None)
    scores = dg.asset(
        name="scores",
        partitions_def=partitions,
        deps=[["backroom_banker", "manager_decisions"], ["backroom_planner", "manager_decisions"]],
    )(lambda: None)
    return dg.materialize(
        [briefing, preflight_checks(league, partitions), backroom_assets(league, partitions), scores],
        resources=room,
        partition_key=WEEK.key,
        instance=dg.DagsterInstance.ephemeral(),
        raise_on_error=False,
        **options,
    )


def materialized(result: dg.ExecuteInProcessResult) -> set[str]:
    return {event.asset_key.to_user_string() for event in result.get_asset_materialization_events() if event.asset_key}


@pytest.fixture(autouse=True)
def preflight_finds(monkeypatch: pytest.MonkeyPatch) -> list[Finding]:
    """What preflight finds; nothing, unless a test puts something in."""
    findings: list[Finding] = []
    monkeypatch.setattr(preflight_defs, "preflight", lambda contest, season, gameweek: list(findings))
    return findings


def test_a_gameweek_materializes_four_assets_for_each_manager(league: League, room: Room, calls: Calls) -> None:
    result = run(league, room)
    assert result.success
    assert len(materialized(result)) == 32 + 2
    for slug in league.slugs:
        assert [step for manager, step in calls if manager == slug] == list(STEPS)


def test_all_managers_are_in_their_backrooms_at_the_same_time(
    league: League, room: Room, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybody = threading.Barrier(8, timeout=30)

    def rank(contest: Any, season: str, gameweek: int, slug: str) -> Step:
        everybody.wait()  # breaks, and fails the run, unless all eight are here together
        return Step(slug, "coach", False)

    monkeypatch.setattr(play, "rank", rank)
    assert run(league, room).success


def test_one_manager_that_cannot_decide_leaves_seven_complete_and_is_named(
    league: League, room: Room, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decide(contest: Any, season: str, gameweek: int, slug: str) -> Step:
        if slug == "gambler":
            raise CannotDecide(slug, "manager", gameweek, "three answers broke the rules.")
        return Step(slug, "manager", False)

    monkeypatch.setattr(play, "decide", decide)
    result = run(league, room)
    assert not result.success
    done = materialized(result)
    assert {f"{manager_group(slug)}/manager_decisions" for slug in league.slugs} - done == {
        "backroom_gambler/manager_decisions"
    }
    assert {f"{manager_group(slug)}/memory_writes" for slug in league.slugs} - done == {
        "backroom_gambler/memory_writes"
    }
    assert {"backroom_gambler/coach_rankings", "backroom_gambler/assistant_sheets"} <= done
    assert "scores" not in done
    assert len(done) == 30 + 1
    reason = sentence(result)
    assert "gambler's manager cannot go on in gameweek 7: three answers broke the rules." in reason
    assert "1 of the managers could not finish gameweek 7 of 2025-26: gambler." in reason


def test_several_managers_that_fail_are_all_named_and_a_fault_of_ours_is_named_as_one(
    league: League, room: Room, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    def propose(contest: Any, season: str, gameweek: int, slug: str) -> Step:
        if slug == "planner":
            raise KeyError("no such player")
        if slug == "banker":
            raise CannotDecide(slug, "assistant", gameweek, "its provider refused.")
        return Step(slug, "assistant", False)

    monkeypatch.setattr(play, "propose", propose)
    reason = sentence(run(league, room))
    assert "2 of the managers could not finish gameweek 7 of 2025-26: banker, planner." in reason
    assert "planner failed at assistant_sheets: KeyError: 'no such player'" in reason
    assert "banker's assistant cannot go on in gameweek 7: its provider refused." in reason


def test_a_failed_preflight_names_everybody_and_calls_nobody(
    league: League, room: Room, calls: Calls, preflight_finds: list[Finding]
) -> None:
    preflight_finds += [Finding("stores", "banker's manager store is partial.", "banker"),
                        Finding("stores", "planner's coach store is empty.", "planner")]  # fmt: skip
    result = run(league, room)
    assert not result.success
    assert calls == []
    assert materialized(result) == {"briefing"}
    failed = [check for check in result.get_asset_check_evaluations() if not check.passed]
    assert [check.check_name for check in failed] == ["stores"]
    assert failed[0].description == "banker's manager store is partial.\nplanner's coach store is empty."


@pytest.mark.parametrize("check", ["order", "cutoff", "one_prompt", "stores", "spend", "providers"])
def test_each_preflight_check_alone_stops_the_gameweek(
    league: League, room: Room, calls: Calls, preflight_finds: list[Finding], check: Any
) -> None:
    preflight_finds.append(Finding(check, "No."))
    assert not run(league, room).success
    assert calls == []


def test_only_what_is_selected_is_run(league: League, room: Room, calls: Calls) -> None:
    chosen = [["backroom_form_chaser", "manager_decisions"], ["backroom_form_chaser", "memory_writes"]]
    result = run(league, room, selection=dg.AssetSelection.assets(*chosen).without_checks())
    assert result.success
    assert calls == [("form-chaser", "decide"), ("form-chaser", "remember")]
    assert materialized(result) == {"backroom_form_chaser/manager_decisions", "backroom_form_chaser/memory_writes"}


def test_a_stage_is_run_for_everybody_when_only_the_stage_is_selected(league: League, room: Room, calls: Calls) -> None:
    keys = [[manager_group(slug), "coach_rankings"] for slug in league.slugs]
    assert run(league, room, selection=dg.AssetSelection.assets(*keys).without_checks()).success
    assert sorted(calls) == sorted((slug, "rank") for slug in league.slugs)


def test_when_nobody_listens_any_more_a_manager_finishes_its_stage_and_begins_no_other(
    league: League, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_a_call, listening_stopped = threading.Barrier(3, timeout=30), threading.Event()
    ended: list[str] = []

    def propose(contest: Any, season: str, gameweek: int, slug: str) -> Step:
        in_a_call.wait()
        assert listening_stopped.wait(timeout=30)
        ended.append(slug)
        return Step(slug, "assistant", False)

    monkeypatch.setattr(play, "propose", propose)
    steps = play_together(None, WEEK, {"banker": STAGES, "planner": STAGES}, [])  # type: ignore[arg-type]
    assert {next(steps)[0], next(steps)[0]} == {"banker", "planner"}
    in_a_call.wait()
    threading.Timer(0.1, listening_stopped.set).start()
    steps.close()
    assert sorted(ended) == ["banker", "planner"], "a paid call in the air is waited for and kept"
    assert not [call for call in calls if call[1] in ("decide", "remember")]


def sentence(result: dg.ExecuteInProcessResult) -> str:
    failures = [event.step_failure_data for event in result.all_events if event.is_step_failure]
    assert len(failures) == 1
    assert failures[0].user_failure_data is not None
    return failures[0].user_failure_data.description or ""
