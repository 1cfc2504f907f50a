"""Caps, vendors and caches in a gameweek that is really played, by models behind HTTP on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.briefing import compose_briefing
from backroom_pipeline.backroom.contest import CannotDecide, Contest, spec_of
from backroom_pipeline.backroom.contracts import CoachRanking
from backroom_pipeline.backroom.overview import overview
from backroom_pipeline.backroom.preflight import preflight
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.league import League, LeagueError, ManagerConfig
from backroom_pipeline.ledger.answers import AnswerKey
from backroom_pipeline.ledger.calls import calls
from backroom_pipeline.ledger.spending import spent
from backroom_pipeline.models import house
from backroom_pipeline.models.call import CallBudget, CannotAnswer, ask
from backroom_pipeline_tests.backroom.conftest import LEAGUE, SEASON, before_the_deadline
from backroom_pipeline_tests.models.fault_server import FaultServer, Reply, drop_connection, message, raw

CLAUDE = "anthropic/claude-opus-5-5"
SLUGS = tuple(f"manager-{number}" for number in range(8))


def good_player(request: dict[str, Any]) -> Reply:
    """Answers as a house model would, in the shape of the vendor that was asked."""
    body = request["body"]
    if request["path"].endswith("/messages"):
        (user,) = body["messages"]
        said = house.answer("banker", body["system"][0]["text"], _text(user["content"]))
        usage = {"input_tokens": 1000, "output_tokens": 200}
        content = [{"type": "text", "text": said}]
        return raw(200, json.dumps({"id": "m", "type": "message", "role": "assistant", "model": "m", "content": content,
                                    "stop_reason": "end_turn", "usage": usage}))  # fmt: skip
    system, user = body["messages"]
    return message(house.answer("banker", _text(system["content"]), _text(user["content"])))


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer(otherwise=good_player).running() as running:
        yield running


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKROOM_TEST_KEY", "not-a-real-key-0123456789")


def league(server: FaultServer, model: str = "openai/gpt-4o-mini", **changes: Any) -> League:
    """Eight managers on one model, asked at the server."""
    base = server.api_base.removesuffix("/v1") if model == CLAUDE else server.api_base
    options = {"api_base": base, "api_key_env": "BACKROOM_TEST_KEY", "max_tokens": 8000}
    managers = tuple(ManagerConfig(slug=slug, name=slug.title(), model=model, options=options) for slug in SLUGS)
    return LEAGUE.model_copy(update={"name": "money", "managers": managers, **changes})


@contextmanager
def opening_week(league: League, directory: Path, feed: ArchiveFeed) -> Iterator[Contest]:
    with Contest.open(league, directory) as contest:
        before_the_deadline(contest, feed, 1)
        yield contest


def test_eight_managers_of_a_gameweek_send_the_same_bytes_up_to_the_mark(
    server: FaultServer, feed: ArchiveFeed, tmp_path: Path
) -> None:
    mark = b'"cache_control": {"type": "ephemeral"}'
    with opening_week(league(server, CLAUDE), tmp_path, feed) as contest, ThreadPoolExecutor(8) as threads:
        for role, step in (("coach", play.rank), ("assistant", play.propose)):
            server.requests.clear()
            list(threads.map(lambda slug, step=step: step(contest, SEASON, 1, slug), SLUGS))
            bodies = [request["bytes"] for request in server.requests]
            assert len(bodies) == 8
            assert {body.count(mark) for body in bodies} == {1}
            (prefix,) = {body[: body.index(mark) + len(mark)] for body in bodies}
            public = compose_briefing(contest.week(SEASON, 1)).prompts[role].public
            assert json.dumps(public + "\n\n").encode()[:-1] in prefix
            assert b"# Your desk" not in prefix
            desks = [b"# Your desk" in body.removeprefix(prefix) for body in bodies]
            assert desks == [role == "assistant"] * 8, "what follows is the manager's own, where it has any"


def test_with_the_cap_below_the_next_calls_estimate_nobody_is_called(
    server: FaultServer, feed: ArchiveFeed, tmp_path: Path
) -> None:
    with opening_week(league(server, spend_cap_per_gameweek=9_000), tmp_path, feed) as contest:
        for slug in SLUGS:
            with pytest.raises(
                CannotDecide, match=rf"{slug}'s coach cannot go on in gameweek 1: no call was made.*cap"
            ):
                play.rank(contest, SEASON, 1, slug)
        (finding,) = preflight(contest, SEASON, 1)
        assert calls(contest.ledger, SEASON) == []
    assert server.requests == []
    assert finding.check == "spend"
    assert "the cheapest call still to be made may cost up to $0.0" in finding.sentence
    assert "Raise spend_cap_per_gameweek" in finding.sentence


def test_eight_threads_spend_no_more_than_the_cap_of_the_season_and_those_left_out_are_told(
    server: FaultServer, feed: ArchiveFeed, tmp_path: Path
) -> None:
    cap = 30_000

    def coach(slug: str) -> str:
        try:
            play.rank(contest, SEASON, 1, slug)
        except CannotDecide as left_out:
            return left_out.reason
        return "ranked"

    with opening_week(league(server, spend_cap_per_season=cap), tmp_path, feed) as contest:
        with ThreadPoolExecutor(8) as threads:
            told = list(threads.map(coach, SLUGS))
        ranked = told.count("ranked")
        assert 0 < ranked < 8
        assert len(server.requests) == ranked
        assert all("Raise spend_cap_per_season" in reason for reason in told if reason != "ranked")
        reserved = contest.ledger.rows("SELECT sum(micro_dollars)::BIGINT AS most FROM call_estimates")
        assert spent(contest.ledger, SEASON).total <= int(str(reserved[0]["most"]))
        assert spent(contest.ledger, SEASON).total <= cap


def test_a_committed_gameweek_is_replayed_under_a_cap_of_nothing(
    server: FaultServer, feed: ArchiveFeed, tmp_path: Path
) -> None:
    free = league(server)
    with opening_week(free, tmp_path, feed) as contest:
        play.rank(contest, SEASON, 1, SLUGS[0])
    with Contest.open(free.model_copy(update={"spend_cap_per_season": 0}), tmp_path) as contest:
        assert play.rank(contest, SEASON, 1, SLUGS[0]).replayed
    assert len(server.requests) == 1


def test_a_model_without_a_price_under_a_cap_and_a_vendors_usual_key_are_named_in_preflight(
    server: FaultServer, feed: ArchiveFeed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MISTRAL_API_KEY", raising=False)
    capped = league(server, "openai/somebody-elses-model", spend_cap_per_season=10**9)
    mistral = capped.managers[7].model_copy(update={"model": "mistral/mistral-large-4", "options": {}})
    with opening_week(
        capped.model_copy(update={"managers": (*capped.managers[:7], mistral)}), tmp_path, feed
    ) as contest:
        findings = preflight(contest, SEASON, 1)
    assert [(f.check, f.manager) for f in findings] == [("spend", slug) for slug in SLUGS[:7]] + [
        ("providers", SLUGS[7])
    ]
    assert "nobody knows the price of openai/somebody-elses-model" in findings[0].sentence
    assert "MISTRAL_API_KEY is not set" in findings[7].sentence
    assert server.requests == []


def test_an_option_no_model_can_be_asked_with_is_named_with_its_manager_when_the_contest_opens(
    server: FaultServer, tmp_path: Path
) -> None:
    good = league(server)
    wrong = good.managers[3].model_copy(update={"options": {"num_retries": 3}})
    with (
        pytest.raises(LeagueError, match=r"manager manager-3: Option num_retries of model openai/gpt-4o-mini is not"),
        Contest.open(good.model_copy(update={"managers": (wrong,)}), tmp_path),
    ):
        pass


def test_what_is_assumed_for_calls_of_unknown_cost_is_shown_beside_what_is_known(
    server: FaultServer, feed: ArchiveFeed, tmp_path: Path
) -> None:
    server.otherwise = lambda request: drop_connection
    with opening_week(league(server), tmp_path, feed) as contest:
        key = AnswerKey(season=SEASON, gameweek=1, manager=SLUGS[0], role="coach")
        prompt = compose_briefing(contest.week(SEASON, 1)).prompts["coach"]
        with pytest.raises(CannotAnswer):
            ask(contest.ledger, key, prompt, spec_of(contest.manager(SLUGS[0])), CoachRanking, lambda _: [],
                CallBudget(transport=0), contest.guard)  # fmt: skip
        told = overview(contest, SEASON)
    assert (told["cost_micro_dollars"], told["calls_of_unknown_cost"]) == (0, 1)
    # About 53,000 tokens at 0.15 and 8,000 at 0.60 dollars a million.
    assert 10_000 < told["assumed_for_them_micro_dollars"] < 15_000
