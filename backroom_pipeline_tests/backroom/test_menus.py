"""Every combination of every menu is legal, whatever the week, the coach, and the team that earlier choices left."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom_pipeline.backroom.contest import Week
from backroom_pipeline.backroom.contracts import AssistantSheet, CoachRanking, ManagerDecision
from backroom_pipeline.backroom.desk import Desk
from backroom_pipeline.backroom.legality import decision_breaches, proposal_breaches, ranking_breaches
from backroom_pipeline.backroom.menus import (
    MOST_CHANGES,
    SheetMenu,
    assistant_menu,
    coach_schema,
    manager_menu,
    manager_schema,
    promises_on_offer,
)
from backroom_pipeline.backroom.pinned import Pinned
from backroom_pipeline.backroom.shortlist import shortlist
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.fetch import archive_path
from backroom_pipeline.fpl.model import Player, TeamSheet, TeamState
from backroom_pipeline.fpl.rules import load_rules
from backroom_pipeline.fpl.squad import apply_sheet
from backroom_pipeline_tests.backroom.chooser import every_sheet, written
from backroom_pipeline_tests.backroom.conftest import REPOSITORY

WEEKS_WALKED = 3


@cache
def archive_feed() -> ArchiveFeed:
    path = archive_path(REPOSITORY / "data" / "archive")
    if not path.is_file():
        pytest.skip(f"no archive at {path}: run `backroom data fetch`")
    return ArchiveFeed(path)


@cache
def week_of(season: str, gameweek: int, opening: bool) -> Week:
    feed = archive_feed()
    facts = feed.facts(season, gameweek)
    return Week(
        season=season,
        gameweek=gameweek,
        opening=opening,
        rules=load_rules(season).with_windows(feed.season(season).chips),
        facts=facts,
        pool={player.id: player for player in facts.players},
        inputs_sha256=f"{season}/{gameweek}",
        profile="compact",
    )


def desk_of(week: Week, state: TeamState) -> Desk:
    return Desk(week=week, manager="small", state=state, pinned=Pinned())


def a_ranking(week: Week, random: Random) -> CoachRanking:
    return CoachRanking.model_validate_json(json.dumps(written(coach_schema(shortlist(week)), random)))


def assert_every_combination_is_legal(menu: SheetMenu, desk: Desk) -> list[TeamSheet]:
    sheets = list(every_sheet(menu))
    for sheet in sheets:
        bill = apply_sheet(desk.state, sheet, desk.pool, desk.week.rules, desk.week.gameweek).bill
        assert not bill.hit_points
    return sheets


def a_reshuffle(sheet: TeamSheet, pool: dict[int, Player], random: Random) -> TeamSheet:
    """Another order of the eleven and the bench, and other armbands: a sheet that no menu laid."""
    starting = random.sample(sheet.starting, 11)
    captain, vice = random.sample(starting, 2)
    first, *rest = sheet.bench
    return sheet.model_copy(
        update={
            "starting": tuple(starting),
            "bench": (first, *random.sample(rest, 3)),
            "captain": captain,
            "vice_captain": vice,
        }
    )


@settings(max_examples=8, deadline=None, derandomize=True)
@given(season=st.sampled_from(["2025-26", "2024-25"]), first=st.integers(1, 36), seed=st.integers(0, 10**6))
def test_every_combination_of_every_menu_is_legal_and_costs_no_hit(season: str, first: int, seed: int) -> None:
    random, state = Random(seed), TeamState()
    for gameweek in range(first, first + WEEKS_WALKED):
        week = week_of(season, gameweek, gameweek == first)
        desk = desk_of(week, state)
        for _ in range(3):
            ranking = a_ranking(week, random)
            assert not ranking_breaches(ranking, week.pool, week.rules, opening=week.opening)
        proposals = assert_every_combination_is_legal(assistant_menu(desk, ranking), desk)
        proposal = random.choice(proposals)
        foreign = a_reshuffle(proposal, week.pool, random)
        assert_every_combination_is_legal(manager_menu(desk, ranking, foreign), desk)
        decisions = assert_every_combination_is_legal(manager_menu(desk, ranking, proposal), desk)
        state = apply_sheet(state, random.choice(decisions), week.pool, week.rules, gameweek).state_after


@settings(max_examples=4, deadline=None, derandomize=True)
@given(first=st.integers(1, 37), seed=st.integers(0, 10**6))
def test_whatever_the_schemas_let_through_keeps_the_contracts_and_every_rule(first: int, seed: int) -> None:
    random, state = Random(seed), TeamState()
    for gameweek in (first, first + 1):
        week = week_of("2025-26", gameweek, gameweek == first)
        desk = desk_of(week, state)
        ranking = a_ranking(week, random)
        proposal = random.choice(list(every_sheet(assistant_menu(desk, ranking))))
        menu = manager_menu(desk, ranking, proposal)
        schema = manager_schema(menu, promises_on_offer(desk, menu))
        for _ in range(20):
            text = json.dumps(written(schema, random), ensure_ascii=False)
            decision = ManagerDecision.model_validate_json(text)
            assert not decision_breaches(decision, state, week.pool, week.rules, gameweek)
            assert len({claim.text for claim in decision.claims}) == len(decision.claims) <= 2
        state = desk.apply(decision.sheet).state_after


def opening_menu(first: int = 1) -> tuple[Desk, CoachRanking, SheetMenu]:
    desk = desk_of(week_of("2025-26", first, True), TeamState())
    ranking = a_ranking(desk.week, Random(3))
    return desk, ranking, assistant_menu(desk, ranking)


def test_an_assistant_s_menu_holds_only_the_team_and_whom_the_coach_named() -> None:
    desk, ranking, menu = opening_menu()
    for sheet in list(every_sheet(menu))[::17]:
        proposal = AssistantSheet(sheet=sheet, case="x")
        assert not proposal_breaches(proposal, ranking, desk.state, desk.pool, desk.week.rules, 1)


def test_a_menu_leaves_something_to_choose_and_names_nobody_twice() -> None:
    desk, _, menu = opening_menu()
    assert len(menu.player_ids) == len(set(menu.player_ids)) >= 18
    assert len(set(menu.captains) | set(menu.vice_captains)) == 4
    assert menu.chips[0] is None
    standing = desk.apply(next(every_sheet(menu))).state_after
    later = desk_of(week_of("2025-26", 2, False), standing)
    changed = assistant_menu(later, a_ranking(later.week, Random(4)))
    assert [len(place) for place in changed.places].count(1) == 14, "one free transfer, one place that may change"
    rich = desk_of(later.week, standing.model_copy(update={"free_transfers": 5}))
    changed = assistant_menu(rich, a_ranking(later.week, Random(4)))
    assert 1 < sum(len(place) > 1 for place in changed.places) <= MOST_CHANGES


def test_a_manager_may_sign_the_proposal_or_keep_whom_it_sells() -> None:
    desk, _, menu = opening_menu()
    state = desk.apply(next(every_sheet(menu))).state_after.model_copy(update={"free_transfers": 2, "bank": 20})
    week = week_of("2025-26", 2, False)
    later = desk_of(week, state)
    ranking = a_ranking(week, Random(6))
    proposal = next(
        sheet for sheet in every_sheet(assistant_menu(later, ranking)) if set(sheet.player_ids) - state.player_ids
    )
    menu = manager_menu(later, ranking, proposal)
    assert tuple(place[0] for place in menu.places) == proposal.player_ids
    assert (menu.captains[0], menu.vice_captains[0], menu.chips[0]) == (
        proposal.captain, proposal.vice_captain, proposal.chip,
    )  # fmt: skip
    (sold,) = state.player_ids - set(proposal.player_ids)
    (bought,) = set(proposal.player_ids) - state.player_ids
    assert any(place[0] == bought and sold in place for place in menu.places)


def test_a_proposal_that_needs_its_wildcard_is_not_offered_without_it() -> None:
    desk, _, menu = opening_menu()
    state = desk.apply(next(every_sheet(menu))).state_after
    week = week_of("2025-26", 2, False)
    rebuilt = next(sheet for sheet in every_sheet(opening_menu(2)[2]) if sheet.chip is None)
    rich = state.model_copy(update={"bank": 500})
    proposal = rebuilt.model_copy(update={"chip": "wildcard"})
    later = desk_of(week, rich)
    later.apply(proposal)
    menu = manager_menu(later, a_ranking(week, Random(7)), proposal)
    assert menu.chips == ("wildcard",)
    assert_every_combination_is_legal(menu, later)
