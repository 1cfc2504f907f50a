"""A manager that cannot decide: the gameweek stops, or the team stands as in the real game and says so everywhere."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.briefing import write_briefing
from backroom_pipeline.backroom.career import career
from backroom_pipeline.backroom.carrying import carried_over, standing_sheet
from backroom_pipeline.backroom.contest import CannotDecide, Contest, MissingFacts
from backroom_pipeline.backroom.contracts import ManagerDecision
from backroom_pipeline.backroom.facts import take_results
from backroom_pipeline.backroom.overview import overview
from backroom_pipeline.backroom.preflight import preflight
from backroom_pipeline.backroom.scoring import restate, score_gameweek
from backroom_pipeline.backroom.why import NothingAsked, why
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.fpl.model import Bill, Player, TeamSheet
from backroom_pipeline.ledger.answers import Answer, AnswerKey, answer, answers, claims, team_state
from backroom_pipeline.ledger.calls import calls
from backroom_pipeline.ledger.completeness import incomplete
from backroom_pipeline.ledger.facts import gameweek_results, record_gameweek
from backroom_pipeline.ledger.findings import findings
from backroom_pipeline.ledger.reliability import reliability
from backroom_pipeline.ledger.standings import form, league_table, week_scores
from backroom_pipeline.memory.commitments import standing_claims
from backroom_pipeline.memory.model import ROLES, Member
from backroom_pipeline.memory.quotes import earlier_words
from backroom_pipeline.memory.rebuild import rebuild
from backroom_pipeline.models.attempts import stored_prompt
from backroom_pipeline_tests.backroom.conftest import (
    LEAGUE,
    SEASON,
    STEPS,
    Played,
    before_the_deadline,
    play_gameweek,
)
from backroom_pipeline_tests.backroom.failing import KEY, WHO, Vendor, a_vendor
from backroom_pipeline_tests.models.fault_server import echo_authorization
from backroom_pipeline_tests.models.vendor import Question

PROMISE = "I will play my triple captain in gameweek 4."
TERMS = {"kind": "play_chip_in", "first": 4, "last": 4, "chip": "triple_captain"}


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    with a_vendor() as vendor:
        yield vendor


@pytest.fixture
def week_three(played: Played, vendor: Vendor, tmp_path: Path) -> Callable[..., Any]:
    """Opens a copy of two played gameweeks, with the facts of the third, as a league with that policy."""
    shutil.copytree(played.directory, tmp_path / "contest")

    def opened(*policy: str, **changes: Any) -> Any:
        return Contest.open(vendor.league(*policy, **changes), tmp_path / "contest")

    return opened


@pytest.fixture(scope="module")
def carried(played: Played, feed: ArchiveFeed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    """The gambler promises a chip in gameweek 3, is without a coach in 4, where it stands, and is back in 5."""
    directory = tmp_path_factory.mktemp("carried") / "contest"
    shutil.copytree(played.directory, directory)

    def promises(question: Question, said: dict[str, Any]) -> None:
        if question.role == "manager" and question.gameweek == 3:
            said["claims"] = [{"text": PROMISE, "terms": TERMS}]

    with a_vendor() as vendor, Contest.open(vendor.league(), directory) as contest:
        vendor.changes = promises
        play_gameweek(contest, feed, 3)
        vendor.down = {"coach"}
        play_gameweek(contest, feed, 4)
        vendor.down = set()
        before_the_deadline(contest, feed, 5)
        assert preflight(contest, SEASON, 5) == []
        for step in STEPS:
            step(contest, SEASON, 5, WHO)
        yield contest


def row_of(contest: Contest, gameweek: int, role: str = "manager") -> Answer | None:
    return answer(contest.ledger, AnswerKey(season=SEASON, gameweek=gameweek, manager=WHO, role=role))  # type: ignore[arg-type]


def sheet_of(contest: Contest, gameweek: int) -> TeamSheet:
    row = row_of(contest, gameweek)
    assert row is not None
    return ManagerDecision.model_validate_json(row.answer_json).sheet


def play_out(contest: Contest, gameweek: int) -> list[play.Step]:
    return [step(contest, SEASON, gameweek, WHO) for step in STEPS]


def sound(contest: Contest) -> None:
    """The ledger has no fault, and the stores are what a rebuild would make of it."""
    assert contest.ledger.verify() == []
    rebuilt = rebuild(contest.ledger, contest.directory / "memory", None, contest.gateway._embedder, dry_run=True)
    assert rebuilt.differences == ()


@pytest.mark.parametrize("role", ROLES)
def test_with_stop_the_gameweek_stops_naming_who_where_and_why_and_the_others_are_complete(
    vendor: Vendor, week_three: Callable[..., Any], feed: ArchiveFeed, role: str
) -> None:
    vendor.down = {role}
    with week_three("stop") as contest:
        for slug in ("banker", "planner"):
            for step in STEPS:
                step(contest, SEASON, 3, slug)
        with pytest.raises(CannotDecide, match=rf"gambler's {role} cannot go on in gameweek 3: .*engine is overloaded"):
            play_out(contest, 3)
        assert row_of(contest, 3) is None
        assert row_of(contest, 3, role) is None
        lacking = {manager.manager: manager.lacks for manager in incomplete(contest.ledger, SEASON, 3, LEAGUE.slugs)}
        assert lacking["banker"] == lacking["planner"] == ("score", "outcome")
        assert lacking[WHO] == ("decision", "memory", "score", "outcome")
        take_results(contest, feed, SEASON, 3)
        with pytest.raises(MissingFacts, match="no committed decision of gambler"):
            score_gameweek(contest, SEASON, 3)


@pytest.mark.parametrize("role", ROLES)
def test_with_carry_over_the_team_stands_and_missing_answers_are_not_invented(
    vendor: Vendor, week_three: Callable[..., Any], role: str
) -> None:
    vendor.down = {role}
    with week_three() as contest:
        before, last = team_state(contest.ledger, SEASON, 3, WHO), sheet_of(contest, 2)
        steps = play_out(contest, 3)
        row = row_of(contest, 3)
        assert row is not None
        assert (row.source, row.attempt_id, row.prompt_sha256, row.recall_sha256) == ("carried_over", None, None, None)
        assert sheet_of(contest, 3) == last.model_copy(update={"chip": None})
        bill = Bill.model_validate_json(row.bill_json or "")
        assert (bill.sold, bill.bought, bill.hit_points, bill.bank_after) == ((), (), 0, before.bank)
        after = team_state(contest.ledger, SEASON, 4, WHO)
        assert after == before.model_copy(update={"free_transfers": min(5, before.free_transfers + 1)})
        assert [claim for claim in claims(contest.ledger, WHO, SEASON) if claim.gameweek == 3] == []

        answered = ROLES[: ROLES.index(role)]  # type: ignore[arg-type]
        assert {row.role for row in answers(contest.ledger, SEASON, 3, WHO)} == {*answered, "manager"}
        assert [step.answered for step in steps[:2]] == [each in answered for each in ("coach", "assistant")]
        assert steps[2].metadata["source"] == "carried_over"
        whose = "it" if role == "manager" else f"its {role}"
        told = str(steps[2].metadata["reason"])
        assert told.startswith(f"Carried over: the manager could not decide, because {whose} gave no legal answer (")
        assert "The engine is overloaded." in told
        assert told.endswith(", so the team stands as it was.")
        asked_after = ROLES[len(answered) + 1 :]
        assert not [call for call in calls(contest.ledger, SEASON, 3, WHO) if call.attempt.role in asked_after]
        assert steps[3].metadata["by_role"] == dict.fromkeys((*answered, "manager"), 1)
        sound(contest)


def test_a_team_carried_over_is_final_and_nobody_is_asked_again(vendor: Vendor, week_three: Callable[..., Any]) -> None:
    vendor.down = {"assistant"}
    with week_three() as contest:
        play_out(contest, 3)
        made, kept = calls(contest.ledger, SEASON), answers(contest.ledger, SEASON)
    vendor.down = set()
    for policy in ("carry_over", "stop"):
        with week_three(policy) as contest:
            steps = play_out(contest, 3)
            assert [(step.replayed, step.answered) for step in steps[:3]] == [(True, True), (True, False), (True, True)]
            assert calls(contest.ledger, SEASON) == made
            assert answers(contest.ledger, SEASON) == kept


def test_the_reason_is_published_without_keys(vendor: Vendor, week_three: Callable[..., Any]) -> None:
    vendor.down, vendor.fault = {"manager"}, echo_authorization()
    with week_three() as contest:
        play_out(contest, 3)
        told = carried_over(contest.ledger, SEASON, 3, WHO)
    assert told is not None
    assert "Incorrect API key provided: Bearer [redacted]" in told
    assert KEY not in told


def test_an_answer_that_stays_illegal_carries_the_team_over_after_all_tries(
    vendor: Vendor, week_three: Callable[..., Any]
) -> None:
    def impossible(question: Question, said: dict[str, Any]) -> None:
        if question.role == "manager":
            said["sheet"]["captain"] = said["sheet"]["vice_captain"]
            said["claims"] = [{"text": f"{KEY} is the key.", "terms": {"kind": "no_hits", "first": 1, "last": 2}}]

    vendor.changes = impossible
    with week_three() as contest:
        play_out(contest, 3)
        tries = [call for call in calls(contest.ledger, SEASON, 3, WHO) if call.attempt.role == "manager"]
        told = carried_over(contest.ledger, SEASON, 3, WHO)
    assert [call.status for call in tries] == ["illegal"] * 3
    assert told is not None
    assert "gave no acceptable answer in 3 tries. Last: " in told
    assert "is both captain and vice captain" in told
    assert 'The claim "[redacted] is the key." binds gameweeks 1 to 2' in told
    assert KEY not in told


def test_a_spent_cap_carries_the_team_over_and_counts_for_the_model_nobody_could_call(
    vendor: Vendor, week_three: Callable[..., Any]
) -> None:
    price = {"input": 1.0, "output": 1.0}
    manager = vendor.league().manager(WHO)
    dear = manager.model_copy(update={"options": {**manager.options, "price": price}})
    managers = tuple(dear if each.slug == WHO else each for each in LEAGUE.managers)
    with week_three(managers=managers, spend_cap_per_gameweek=1) as contest:
        write_briefing(contest, SEASON, 3)
        play_out(contest, 3)
        told = carried_over(contest.ledger, SEASON, 3, WHO)
        assert calls(contest.ledger, SEASON, 3, WHO) == []
        assert sum(row.carried_over for row in reliability(contest.ledger, SEASON)) == 1
    assert told is not None
    assert "(no call was made: gameweek 3 has cost $0.0000, one more call to openai/gambler may cost up to $" in told
    assert "Raise" not in told, "what to do about it comes too late"
    assert vendor.server.requests == []


def test_what_an_operator_has_to_mend_stops_under_either_policy(vendor: Vendor, week_three: Callable[..., Any]) -> None:
    with week_three() as contest:
        shutil.rmtree(contest.directory / "memory" / f"fpl-team-{WHO}")
        play.rank(contest, SEASON, 3, WHO)
        with pytest.raises(CannotDecide, match=r"gambler's assistant .*memory rebuild --manager gambler"):
            play.propose(contest, SEASON, 3, WHO)
        with pytest.raises(MissingFacts, match="Gameweek 9"):
            play.rank(contest, SEASON, 9, WHO)
        assert row_of(contest, 3) is None


def test_in_the_opening_week_there_is_nothing_to_carry_over_so_it_stops(
    vendor: Vendor, feed: ArchiveFeed, tmp_path: Path
) -> None:
    vendor.down = {"assistant"}
    with Contest.open(vendor.league(), tmp_path) as contest:
        before_the_deadline(contest, feed, 1)
        with pytest.raises(CannotDecide, match="no team to carry over in the opening week of a season") as stopped:
            play_out(contest, 1)
        assert row_of(contest, 1) is None
        assert row_of(contest, 1, "coach") is not None
    assert str(stopped.value).startswith("gambler's assistant cannot go on in gameweek 1: openai/gambler answered with")


def test_after_a_free_hit_the_squad_that_comes_back_stands_in_the_order_of_before(
    vendor: Vendor, week_three: Callable[..., Any], feed: ArchiveFeed
) -> None:
    with week_three() as contest:
        own, pool = sheet_of(contest, 2), contest.pool(SEASON, 3)
        strangers = sheet_with_strangers(own, pool)
        vendor.changes = lambda question, said: said.update(sheet=strangers) if question.role == "manager" else None
        play_out(contest, 3)
        assert sheet_of(contest, 3) == TeamSheet.model_validate_json(json.dumps(strangers))
        for slug in ("banker", "planner"):
            for step in STEPS:
                step(contest, SEASON, 3, slug)
        before_the_deadline(contest, feed, 4)
        before = team_state(contest.ledger, SEASON, 4, WHO)
        assert before.player_ids == set(own.player_ids) != set(strangers["starting"]) | set(strangers["bench"])
        vendor.down = {"coach"}
        play_out(contest, 4)
        assert sheet_of(contest, 4) == own.model_copy(update={"chip": None})
        assert team_state(contest.ledger, SEASON, 5, WHO).owned == before.owned
        assert team_state(contest.ledger, SEASON, 5, WHO).free_transfers == min(5, before.free_transfers + 1)
        sound(contest)


def sheet_with_strangers(own: TeamSheet, pool: dict[int, Player]) -> dict[str, Any]:
    """A free hit: two starters replaced by cheaper players of clubs the team has nobody of, and another captain."""
    clubs = {pool[player].club for player in own.player_ids}
    starting, others = list(own.starting), set[int]()
    for place in (len(starting) - 1, len(starting) - 2):
        out = pool[starting[place]]
        (fresh, *_) = (
            player.id
            for player in sorted(pool.values(), key=lambda player: (-player.price, player.id))
            if player.position == out.position and player.price <= out.price - 5 and player.club not in clubs
            if player.id not in others
        )
        starting[place] = fresh
        others.add(fresh)
    captain, vice = [player for player in starting if player not in (own.captain, own.vice_captain)][-2:]
    return {
        "starting": starting,
        "bench": list(own.bench),
        "captain": captain,
        "vice_captain": vice,
        "chip": "free_hit",
    }


def test_players_who_left_the_league_or_make_a_fourth_of_one_club_still_stand(
    vendor: Vendor, week_three: Callable[..., Any], feed: ArchiveFeed
) -> None:
    vendor.down = {"coach"}
    with week_three() as contest:
        last = sheet_of(contest, 2)
        gone, moved = last.captain, last.starting[1:5]
        facts = feed.facts(SEASON, 3)
        changed = tuple(
            player.model_copy(update={"status": "u", "chance_of_playing": 0, "news": "Has joined a club abroad."})
            if player.id == gone
            else player.model_copy(update={"club": "ARS"})
            if player.id in moved
            else player
            for player in facts.players
        )
        record_gameweek(contest.ledger, facts.model_copy(update={"players": changed}))
        write_briefing(contest, SEASON, 3)
        play_out(contest, 3)
        assert (sheet_of(contest, 3).player_ids, sheet_of(contest, 3).captain) == (last.player_ids, gone)
        assert contest.ledger.verify() == []


def test_a_team_with_a_player_the_facts_do_not_know_cannot_stand_and_that_is_said(
    vendor: Vendor, week_three: Callable[..., Any], feed: ArchiveFeed
) -> None:
    vendor.down = {"coach"}
    with week_three() as contest:
        facts, lost = feed.facts(SEASON, 3), sheet_of(contest, 2).captain
        without = tuple(player for player in facts.players if player.id != lost)
        record_gameweek(contest.ledger, facts.model_copy(update={"players": without}))
        write_briefing(contest, SEASON, 3)
        with pytest.raises(CannotDecide, match=rf"Nor can its team stand as it is: There is no player with id {lost}"):
            play_out(contest, 3)
        assert row_of(contest, 3) is None


def test_the_carried_over_gameweek_is_complete_scored_and_sound(carried: Contest) -> None:
    assert incomplete(carried.ledger, SEASON, 4, LEAGUE.slugs) == []
    score = next(row for row in week_scores(carried.ledger, SEASON, 4) if row.manager == WHO)
    assert score.hit_points == 0
    assert score.points > 0
    assert {row.role for row in answers(carried.ledger, SEASON, 4, WHO)} == {"manager"}
    assert {row.role for row in answers(carried.ledger, SEASON, 5, WHO)} == set(ROLES), "it is asked again next week"
    sound(carried)


def test_table_status_career_and_form_say_which_gameweek_was_carried_over(carried: Contest) -> None:
    table = {row.slug: row for row in league_table(carried.ledger, SEASON)}
    assert {slug: row.carried_over for slug, row in table.items()} == {"banker": (), "planner": (), WHO: (4,)}
    assert table[WHO].label == "gambler †"
    assert table[WHO].footnote == "† gambler could not decide in gameweek 4; its team was carried over as it was."
    assert league_table(carried.ledger, SEASON, through=3)[0].carried_over == ()
    assert overview(carried, SEASON)["carried_over"] == {WHO: [4]}
    assert career(carried, WHO).seasons[0].carried_over == (4,)
    weeks = {week.gameweek: week.carried_over for week in form(carried.ledger, SEASON, 5, WHO).weeks}
    assert weeks == {4: True, 3: False, 2: False, 1: False}


def test_the_next_prompt_tells_the_manager_that_the_gameweek_was_carried_over(carried: Contest) -> None:
    row = row_of(carried, 5)
    assert row is not None
    private = stored_prompt(carried.ledger, str(row.prompt_sha256)).private
    (line,) = (line for line in private.splitlines() if line.strip().startswith("GW4: "))
    assert line.endswith("in the league (carried over: you could not decide, so the team stood as it was)")
    assert private.count('"carried_over":true') == 1
    others = answer(carried.ledger, AnswerKey(season=SEASON, gameweek=4, manager="banker", role="manager"))
    assert others is not None
    assert "carried" not in stored_prompt(carried.ledger, str(others.prompt_sha256)).private


def test_the_narrative_says_so_with_its_result_and_is_nobodys_own_words(carried: Contest) -> None:
    held = carried.gateway.get(Member(manager=WHO, role="manager"), WHO, "manager")
    (narrative,) = (record for record in held if record.gameweek == 4)
    assert narrative.category == "narrative"
    assert narrative.text.startswith("Gameweek 4. Carried over: the manager could not decide, because its coach gave")
    assert "No transfers." in narrative.text
    assert narrative.outcome is not None
    assert narrative.outcome.gameweek == 4
    for role in ("coach", "assistant"):
        records = carried.gateway.get(Member(manager=WHO, role=role), WHO, role)  # type: ignore[arg-type]
        assert 4 not in {record.gameweek for record in records}
    weeks = {words.gameweek for words in earlier_words(carried.ledger, WHO, (SEASON, 6))}
    assert weeks == {1, 2, 3, 5}


def test_a_promise_is_broken_by_a_team_that_stood_like_by_any_other_decision(carried: Contest) -> None:
    made = standing_claims(carried.ledger, WHO, SEASON, 5, include_closed=True)
    (promise,) = (standing for standing in made if standing.claim.text == PROMISE)
    assert promise.broken == (4,)
    (found,) = (each for each in findings(carried.ledger, SEASON, 4, WHO) if each.earlier_text == PROMISE)
    assert (found.kind, found.openly) == ("decision", False)
    assert "Promised in gameweek 3, in force in gameweek 4, carried over undecided: " in found.reason


def test_asking_why_of_such_a_week_tells_that_nobody_decided_and_what_it_made_of_promises(carried: Contest) -> None:
    told = why(carried, SEASON, 4, WHO, "manager")
    assert (told.model, told.prompt_sha256, told.questions) == ("carried_over", None, ())
    assert told.decided.words.startswith("Carried over: ")
    assert (told.decided.sold, told.decided.bought, told.decided.hit_points) == ((), (), 0)
    assert {(bound.text, bound.verdict, bound.shown) for bound in told.promises} >= {(PROMISE, "broken", None)}
    with pytest.raises(NothingAsked, match=r"gambler's assistant gave no answer in gameweek 4 .* Carried over: "):
        why(carried, SEASON, 4, WHO, "assistant")


def test_the_reliability_table_counts_it_for_the_model_that_failed(carried: Contest) -> None:
    rows = {row.model: row for row in reliability(carried.ledger, SEASON)}
    assert {model: row.carried_over for model, row in rows.items() if row.carried_over} == {"openai/gambler": 1}
    assert rows["openai/gambler"].unanswered == 1
    assert rows["openai/gambler"].gameweeks == 3


def test_a_restated_result_reaches_a_team_that_was_carried_over(carried: Contest, tmp_path: Path) -> None:
    shutil.copytree(carried.directory, tmp_path / "contest")
    with Contest.open(LEAGUE, tmp_path / "contest") as contest:
        results = gameweek_results(contest.ledger, SEASON, 4)
        before = next(row for row in week_scores(contest.ledger, SEASON, 4) if row.manager == WHO)
        assert results is not None
        raised = tuple(
            each.model_copy(update={"points": each.points + 3}) if each.player_id == before.captain else each
            for each in results.performances
        )
        restated = restate(contest, SEASON, 4, results.model_copy(update={"performances": raised}))
        (change,) = (change for change in restated.managers if change.who == WHO)
        assert change.after - change.before == 6
        (narrative,) = (
            record
            for record in contest.gateway.get(Member(manager=WHO, role="manager"), WHO, "manager")
            if record.gameweek == 4
        )
        assert narrative.outcome is not None
        assert (narrative.outcome.net_points, narrative.outcome.scoring_version) == (change.after, 2)
        assert next(row for row in restated.table_after if row.slug == WHO).carried_over == (4,)
        sound(contest)


def test_before_its_first_sheet_no_team_stands(carried: Contest) -> None:
    assert standing_sheet(carried.ledger, SEASON, 1, WHO) is None
    assert standing_sheet(carried.ledger, SEASON, 5, WHO) == sheet_of(carried, 4)
