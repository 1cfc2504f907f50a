"""Every verb of the gateway from the command line, and the answer to why something was said."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from backroom_pipeline.backroom.why import NothingAsked
from backroom_pipeline.cli import app
from backroom_pipeline.memory.gateway import Refused
from backroom_pipeline_tests.cli.conftest import Command


def test_a_store_is_asked_a_question_and_says_how_each_record_was_found(answers: Command) -> None:
    recall = answers("memory", "recall", "Whom did I make captain?", "-m", "banker")
    assert recall["state"] == "complete"
    assert recall["items"]
    assert all(item["legs"] and item["question"] for item in recall["items"])
    assert {item["record"]["manager"] for item in recall["items"]} == {"banker"}


def test_another_team_is_refused_and_the_refusal_is_in_the_audit(answers: Command, league_file: Path) -> None:
    with pytest.raises(Refused, match="planner's coach is no member of banker's team"):
        CliRunner().invoke(
            app, ["memory", "recall", "my wildcard", "-m", "banker", "--as", "planner/coach"], catch_exceptions=False
        )
    audit = answers("memory", "audit", "-m", "banker", "--refused")
    assert [(row["caller_manager"], row["verb"], row["allowed"]) for row in audit["rows"]] == [
        ("planner", "recall", False)
    ]


def test_a_team_mate_reads_the_managers_store(answers: Command) -> None:
    recall = answers("memory", "recall", "my promises", "-m", "banker", "--as", "banker/coach")
    assert recall["items"]


def test_the_audit_counts_what_was_granted_by_verb(answers: Command) -> None:
    before = answers("memory", "audit", "-m", "gambler", "--verb", "get")["requests"]
    answers("memory", "show", "-m", "gambler")
    assert answers("memory", "audit", "-m", "gambler", "--verb", "get")["requests"] == before + 1


def test_records_are_shown_with_the_earlier_ones_they_belong_to(answers: Command) -> None:
    shown = answers("memory", "show", "-m", "planner", "-g", "2", "--links")["records"]
    narrative = next(record for record in shown if record["category"] == "narrative")
    assert any("the gameweek before" in reason for _, reason in map(dict.values, narrative["linked"]))


def test_writing_what_is_written_already_changes_nothing(answers: Command) -> None:
    before = answers("memory", "show", "-m", "planner")["records"]
    assert answers("memory", "store", "-g", "1")["managers"]["planner"]["manager"] >= 1
    assert set(answers("memory", "associate")["managers"]["planner"].values()) == {0}
    assert answers("memory", "consolidate")["managers"]["planner"] == {"threads added": 0}
    assert answers("memory", "outcome-record", "-g", "1")["managers"]["planner"]["judged"] >= 2
    assert answers("memory", "team-create", "-m", "planner") == {"team": "planner"}
    assert answers("memory", "team-add-member", "-m", "planner", "-r", "coach")["members"] == [
        "coach", "assistant", "manager",
    ]  # fmt: skip
    assert answers("memory", "show", "-m", "planner")["records"] == before


def test_a_promise_in_plain_words_is_held_against_the_standing_ones(answers: Command) -> None:
    held = "No hits from me until gameweek 9."
    against = "I will take a hit of four points next week."
    stands = [
        manager
        for manager in ("banker", "gambler", "planner")
        for claim in answers("commitments", "list", "-m", manager)["claims"]
        if claim["claim"]["terms"]["kind"] == "no_hits"
    ]
    for manager in ("banker", "gambler", "planner"):
        assert answers("memory", "conflict-check", held, "-m", manager)["conflicts"] == []
        found = answers("memory", "conflict-check", against, "-m", manager)
        assert found["terms"]["kind"] == "no_hits"
        assert bool(found["conflicts"]) == (manager in stands)


def test_why_tells_what_was_asked_found_left_out_and_decided(answers: Command, says: Command) -> None:
    why = answers("memory", "why", "-m", "banker", "-g", "2")
    assert why["state"] == "complete"
    assert why["model"] == "house/banker"
    assert "What did I do in gameweek 1, and why?" in [question["text"] for question in why["questions"]]
    found = [record for question in why["questions"] for record in question["found"]]
    assert {record["fate"] for record in found} <= {"shown", "budget", "quota"}
    assert any(record["fate"] == "shown" and record["result"].startswith("RESULT:") for record in found)
    standing = answers("commitments", "list", "-m", "banker", "--before", "2")["claims"]
    assert [(promise["text"], promise["shown"]) for promise in why["promises"]] == [
        (claim["claim"]["text"], True) for claim in standing
    ]
    text = says("memory", "why", "-m", "banker", "-g", "2")
    assert "Promises that stood before it" in text
    assert why["decided"]["captain"] in text


def test_what_the_prompt_showed_is_what_why_says(answers: Command) -> None:
    for manager in ("banker", "gambler", "planner"):
        for role in ("assistant", "manager"):
            why = answers("memory", "why", "-m", manager, "-g", "2", "-r", role)
            prompt = answers("prompt", "show", "2", "-m", manager, "-r", role)
            shown = [r for q in why["questions"] for r in q["found"] if r["fate"] == "shown"]
            assert why["prompt_sha256"] == prompt["prompt_sha256"]
            assert shown or role == "manager"
            assert all(record["text"].split("\n")[0].replace('"', '\\"') in prompt["private"] for record in shown)


def test_a_coach_has_nothing_to_be_reminded_of(league_file: Path) -> None:
    with pytest.raises(NothingAsked, match="A coach has no memory"):
        CliRunner().invoke(app, ["memory", "why", "-m", "banker", "-g", "2", "-r", "coach"], catch_exceptions=False)


def test_a_gameweek_that_was_not_played_has_no_why(league_file: Path) -> None:
    with pytest.raises(NothingAsked, match="banker's manager has no committed answer in gameweek 7 of 2025-26"):
        CliRunner().invoke(app, ["memory", "why", "-m", "banker", "-g", "7"], catch_exceptions=False)
