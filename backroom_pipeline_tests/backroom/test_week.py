"""The invariants of a gameweek, looked at in two that were really played."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.contest import CannotDecide, Contest, MissingFacts
from backroom_pipeline.backroom.contracts import AssistantSheet, ManagerDecision
from backroom_pipeline.backroom.facts import LeagueMismatch, take_facts
from backroom_pipeline.backroom.preflight import preflight
from backroom_pipeline.backroom.scoring import score_gameweek
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.fpl.model import Bill, GameweekResults
from backroom_pipeline.fpl.squad import apply_sheet
from backroom_pipeline.ledger.answers import AnswerKey, answer, answers, team_state
from backroom_pipeline.ledger.calls import calls
from backroom_pipeline.ledger.facts import gameweek_results, record_results
from backroom_pipeline.ledger.memory_rows import recalls
from backroom_pipeline.ledger.standings import league_table, week_scores
from backroom_pipeline.memory.model import ROLES, Member
from backroom_pipeline.memory.records import records_owed
from backroom_pipeline.models.attempts import stored_prompt
from backroom_pipeline_tests.backroom.conftest import LEAGUE, SEASON, STEPS, Played, before_the_deadline

SLUGS = LEAGUE.slugs


def prompt_of(contest: Contest, gameweek: int, slug: str, role: str):
    row = answer(contest.ledger, AnswerKey(season=SEASON, gameweek=gameweek, manager=slug, role=role))
    assert row is not None
    assert row.prompt_sha256 is not None
    return stored_prompt(contest.ledger, row.prompt_sha256)


def test_the_public_part_of_a_roles_prompt_is_one_for_the_field(contest: Contest) -> None:
    for gameweek in (1, 2):
        for role in ROLES:
            prompts = [prompt_of(contest, gameweek, slug, role) for slug in SLUGS]
            assert len({(prompt.system, prompt.public) for prompt in prompts}) == 1
            assert len({row.public_sha256 for row in answers(contest.ledger, SEASON, gameweek, role=role)}) == 1


def test_no_manager_appears_in_another_ones_prompt(contest: Contest) -> None:
    names = {manager.slug: manager.name for manager in LEAGUE.managers}
    for slug in SLUGS:
        for role in ROLES:
            prompt = prompt_of(contest, 2, slug, role)
            others = [name for other, name in names.items() if other != slug]
            assert not [name for name in others if name in prompt.private]
            assert not [name for name in names.values() if name in prompt.shared_text]


def test_a_coach_never_sees_a_squad(contest: Contest) -> None:
    for slug in SLUGS:
        prompt = prompt_of(contest, 2, slug, "coach")
        assert prompt.private == ""
        assert "purchase_price" not in prompt.shared_text


def test_an_assistant_is_not_shown_the_pool_nor_the_managers_narratives(contest: Contest) -> None:
    for slug in SLUGS:
        prompt = prompt_of(contest, 2, slug, "assistant")
        assert '<data name="players">' not in prompt.shared_text + prompt.private
        first = answer(contest.ledger, AnswerKey(season=SEASON, gameweek=1, manager=slug, role="manager"))
        assert first is not None
        reasoning = ManagerDecision.model_validate_json(first.answer_json).reasoning
        assert reasoning.split("\n")[0] not in prompt.private


def test_a_manager_is_shown_its_own_words_of_last_week_with_their_result(contest: Contest) -> None:
    for slug in SLUGS:
        private = prompt_of(contest, 2, slug, "manager").private
        first = answer(contest.ledger, AnswerKey(season=SEASON, gameweek=1, manager=slug, role="manager"))
        assert first is not None
        memory = private.split('<data name="memory">')[1].split("</data>")[0]
        opening_words = ManagerDecision.model_validate_json(first.answer_json).reasoning.split(".")[0]
        assert json.dumps(opening_words, ensure_ascii=False)[1:-1] in memory
        assert "RESULT: " in memory
        assert "Gameweeks played: 1." in private


def test_the_bill_a_manager_reads_is_the_one_code_computes(contest: Contest) -> None:
    for slug in SLUGS:
        row = answer(contest.ledger, AnswerKey(season=SEASON, gameweek=2, manager=slug, role="assistant"))
        assert row is not None
        assert row.bill_json is not None
        state = team_state(contest.ledger, SEASON, 2, slug)
        sheet = AssistantSheet.model_validate_json(row.answer_json).sheet
        applied = apply_sheet(state, sheet, contest.pool(SEASON, 2), contest.rules(SEASON), 2)
        assert Bill.model_validate_json(row.bill_json) == applied.bill
        shown = prompt_of(contest, 2, slug, "manager").private
        assert f"Points hit: {applied.bill.hit_points}\n" in shown
        assert "Legal: no rule is broken, and the sheet can be signed as it is." in shown


def test_a_gameweek_played_again_asks_nobody_and_changes_nothing(contest: Contest) -> None:
    calls_before, answers_before = calls(contest.ledger, SEASON), answers(contest.ledger, SEASON)
    for slug in SLUGS:
        steps = [step(contest, SEASON, 2, slug) for step in STEPS]
        assert [step.replayed for step in steps[:3]] == [True, True, True]
    assert calls(contest.ledger, SEASON) == calls_before
    assert answers(contest.ledger, SEASON) == answers_before


def test_every_decision_names_its_cutoff_before_the_deadline_and_its_inputs(contest: Contest) -> None:
    for row in answers(contest.ledger, SEASON):
        facts = contest.facts(SEASON, row.gameweek)
        assert row.cutoff == facts.cutoff < facts.deadline
        assert row.inputs_sha256 == contest.inputs_sha256(SEASON, row.gameweek)


def test_the_next_gameweek_is_ready_and_the_one_after_is_refused_naming_everybody(
    contest: Contest, feed: ArchiveFeed
) -> None:
    assert preflight(contest, SEASON, 3) == []
    before_the_deadline(contest, feed, 4)
    findings = preflight(contest, SEASON, 4)
    assert {(finding.check, finding.manager) for finding in findings} == {("order", slug) for slug in SLUGS}
    assert all("backroom gameweek run 3" in finding.sentence for finding in findings)


def test_a_gameweek_without_facts_says_which_step_writes_them(contest: Contest) -> None:
    with pytest.raises(MissingFacts, match="players_and_fixtures"):
        preflight(contest, SEASON, 9)


def test_a_briefing_of_other_facts_than_the_newest_is_refused(contest: Contest, feed: ArchiveFeed) -> None:
    facts = feed.facts(SEASON, 3)
    changed = facts.model_copy(update={"notes": (*facts.notes, "One more thing.")})
    from backroom_pipeline.ledger.facts import record_gameweek

    record_gameweek(contest.ledger, changed)
    assert {(finding.check, finding.manager) for finding in preflight(contest, SEASON, 3)} == {("one_prompt", None)}


def test_stores_deleted_by_hand_are_all_named_and_nobody_is_asked(played: Played, tmp_path: Path) -> None:
    shutil.copytree(played.directory, tmp_path / "contest")
    for slug in ("banker", "planner"):
        shutil.rmtree(tmp_path / "contest" / "memory" / f"fpl-team-{slug}")
    with Contest.open(LEAGUE, tmp_path / "contest") as contest:
        findings = preflight(contest, SEASON, 3)
        assert {finding.check for finding in findings} == {"stores"}
        assert {finding.manager for finding in findings} == {"banker", "planner"}
        assert all(f"backroom memory rebuild --manager {f.manager}" in f.sentence for f in findings)
        made = len(calls(contest.ledger, SEASON))
        play.rank(contest, SEASON, 3, "banker")  # the coach reads no memory
        assert len(calls(contest.ledger, SEASON)) == made + 1
        with pytest.raises(CannotDecide, match=r"banker's assistant .*memory rebuild --manager banker"):
            play.propose(contest, SEASON, 3, "banker")
        assert len(calls(contest.ledger, SEASON)) == made + 1
        refused = recalls(contest.ledger, SEASON, 3, "banker", "assistant")
        assert [row.state for row in refused] != ["complete"]


def test_every_recall_that_led_to_an_answer_was_complete(contest: Contest) -> None:
    rows = recalls(contest.ledger, SEASON)
    assert {(row.gameweek, row.manager, row.role) for row in rows} == {
        (gameweek, slug, role) for gameweek in (1, 2) for slug in SLUGS for role in ("assistant", "manager")
    }
    assert {row.state for row in rows} == {"complete"}


def test_outcomes_stand_on_the_records_of_manager_and_assistant_and_on_no_other(contest: Contest) -> None:
    for slug in SLUGS:
        for role in ROLES:
            member = Member(manager=slug, role=role)
            for record in contest.gateway.get(member, slug, role):
                judged = role != "coach" and record.category != "identity"
                assert (record.outcome is not None) == judged, record
                if record.outcome:
                    assert record.outcome.gameweek == record.gameweek


def test_a_store_holds_exactly_what_the_ledger_owes_it(contest: Contest) -> None:
    for slug in SLUGS:
        for role in ROLES:
            held = contest.gateway.get(Member(manager=slug, role=role), slug, role)
            owed = records_owed(contest.ledger, slug, role)
            assert {r.id for r in held if r.category != "thread"} == {r.id for r in owed}


def test_a_manager_missing_from_the_league_file_stops_the_league(played: Played, tmp_path: Path) -> None:
    shutil.copytree(played.directory, tmp_path / "contest")
    fewer = LEAGUE.model_copy(update={"managers": LEAGUE.managers[:2]})
    with Contest.open(fewer, tmp_path / "contest") as contest, pytest.raises(LeagueMismatch, match="planner"):
        take_facts(contest, played.feed, SEASON, 3)


def test_a_restated_result_is_a_new_version_and_the_table_follows(contest: Contest) -> None:
    before = {row.slug: row.points for row in league_table(contest.ledger, SEASON)}
    results = gameweek_results(contest.ledger, SEASON, 2)
    assert results is not None
    captain = week_scores(contest.ledger, SEASON, 2)[0].captain
    raised = tuple(
        p.model_copy(update={"points": p.points + 3}) if p.player_id == captain else p for p in results.performances
    )
    restated = GameweekResults.model_validate(dict(results) | {"performances": raised})
    assert record_results(contest.ledger, restated) == 2
    rows = {row.manager: row for row in score_gameweek(contest, SEASON, 2)}
    assert {row.scoring_version for row in rows.values()} == {2}
    after = {row.slug: row.points for row in league_table(contest.ledger, SEASON)}
    for slug in SLUGS:
        assert after[slug] - before[slug] == 3 * rows[slug].multipliers.get(captain or 0, 0)


def test_with_memory_off_nobody_is_shown_its_past_and_everything_is_still_stored(
    played: Played, tmp_path: Path
) -> None:
    shutil.copytree(played.directory, tmp_path / "contest")
    forgetful = LEAGUE.model_copy(update={"memory": "off"})
    with Contest.open(forgetful, tmp_path / "contest") as contest:
        for step in STEPS:
            step(contest, SEASON, 3, "planner")
        private = prompt_of(contest, 3, "planner", "manager").private
        for block in ("memory", "standing_commitments"):
            (body,) = private.split(f'<data name="{block}">\n')[1:]
            assert len(body.split("\n</data>")[0].splitlines()) == 1, "nothing but the names of the columns"
        held = contest.gateway.get(Member(manager="planner", role="manager"), "planner", "manager")
        assert any(record.gameweek == 3 for record in held)


def test_a_spent_cap_and_a_missing_key_are_named_before_anybody_is_asked(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("A_KEY_NOBODY_HAS", raising=False)
    shutil.copytree(played.directory, tmp_path / "contest")
    vendor = LEAGUE.managers[0].model_copy(update={"options": {"api_key_env": "A_KEY_NOBODY_HAS"}})
    costly = LEAGUE.model_copy(update={"spend_cap_per_gameweek": 0, "managers": (vendor, *LEAGUE.managers[1:])})
    with Contest.open(costly, tmp_path / "contest") as contest:
        findings = preflight(contest, SEASON, 3)
    assert [(finding.check, finding.manager) for finding in findings] == [("spend", None), ("providers", vendor.slug)]
    assert "spend_cap_per_gameweek" in findings[0].sentence
    assert "A_KEY_NOBODY_HAS" in findings[1].sentence
