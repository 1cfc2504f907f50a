"""``backroom doctor``: what is missing, found out without a connection; and one tiny call each when asked for."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from backroom_pipeline.backroom.doctor import check_up
from backroom_pipeline.cli import app
from backroom_pipeline.league import League, load_league, parse_league
from backroom_pipeline.models.call import ModelSpec
from backroom_pipeline.models.prices import listing, price_of
from backroom_pipeline_tests.models.fault_server import (
    Connection,
    FaultServer,
    drop_connection,
    echo_authorization,
    message,
    status,
)

FRONTIER = Path(__file__).parents[2] / "data" / "leagues" / "frontier.yaml"
CANARY = "canary-7Yt3kQz8RmW1"
Doctor = Callable[..., Result]


@pytest.fixture
def frontier() -> League:
    return load_league(FRONTIER)


@pytest.fixture
def keys(frontier: League, monkeypatch: pytest.MonkeyPatch) -> None:
    for manager in frontier.managers:
        monkeypatch.setenv(manager.options["api_key_env"], CANARY)


@pytest.fixture
def no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("a connection was made")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer().running() as running:
        yield running


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """Run the command on a league file, with a state and an archive that do not exist."""
    monkeypatch.setenv("BACKROOM_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("BACKROOM_ARCHIVE", str(tmp_path / "archive"))

    def run(league: str | Path, *words: str) -> Result:
        if isinstance(league, str):
            (tmp_path / "league.yaml").write_text(league, encoding="utf-8")
            league = tmp_path / "league.yaml"
        return CliRunner().invoke(app, ["doctor", "-l", str(league), *words], catch_exceptions=False)

    return run


def one(model: str = "openai/gpt-4o-mini", *options: str, more: str = "") -> str:
    stated = ", ".join(("api_key_env: A_TEST_KEY", *options))
    return (
        f"name: trial\nseasons: [2025-26]\n{more}\n"
        f"managers:\n  - {{slug: opus, name: Opus, model: {model}, options: {{{stated}}}}}\n"
    )


def problems_of(league: str, longest: int | None = None) -> str:
    (checkup,) = check_up(parse_league(league, "trial"), longest)
    return "\n".join(checkup.problems)


def notes_of(league: str, longest: int | None = None) -> str:
    (checkup,) = check_up(parse_league(league, "trial"), longest)
    return "\n".join(checkup.notes)


def test_the_frontier_league_is_eight_vendors_models_that_the_price_map_knows(frontier: League) -> None:
    specs = [ModelSpec(model=manager.model, options=manager.options) for manager in frontier.managers]
    assert len({spec.vendor for spec in specs}) == len(specs) == 8
    for spec in specs:
        entry, price = listing(spec.model), price_of(spec)
        assert entry is not None, spec.model
        assert price is not None, spec.model
        assert price.rates(0).input > 0 < price.rates(0).output
        assert spec.api_key_env
        assert spec.concurrency
        assert spec.most_answer_tokens is not None
        assert spec.most_answer_tokens <= entry["max_output_tokens"]
    assert len({spec.api_key_env for spec in specs}) == 8
    assert frontier.spend_cap_per_gameweek is not None
    assert frontier.spend_cap_per_season is not None


def test_the_frontier_file_holds_no_key(frontier: League) -> None:
    assert not {"api_key", "headers", "extra_headers"} & {name for m in frontier.managers for name in m.options}


@pytest.mark.usefixtures("keys", "no_connection")
def test_with_its_keys_set_the_frontier_league_is_ready_and_nobody_was_connected_to(doctor: Doctor) -> None:
    result = doctor(FRONTIER, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["ready"]
    assert [m["manager"] for m in told["managers"]] == [
        "claude", "gpt", "gemini", "grok", "deepseek", "mistral", "kimi", "qwen"
    ]  # fmt: skip
    for manager in told["managers"]:
        assert manager["problems"] == []
        assert manager["known"]
        assert manager["key_is_set"]
        assert manager["price_version"].startswith("litellm-1.110.2/sha256:")
        assert manager["context_window"] > 100_000
        assert manager["takes_schema"] in (True, False)
        assert manager["concurrency"] == 2


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_key_is_named_and_never_shown_nor_measured(doctor: Doctor, words: tuple[str, ...]) -> None:
    shown = doctor(FRONTIER, *words).output
    assert "ANTHROPIC_API_KEY" in shown.replace("\n", "")
    assert CANARY not in shown
    assert not [number for number in json.dumps(shown).split() if number.strip(',"') == str(len(CANARY))]


def test_a_key_that_is_missing_or_blank_is_exit_code_1_with_what_to_do(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for value in (None, "", "  "):
        if value is None:
            monkeypatch.delenv("A_TEST_KEY", raising=False)
        else:
            monkeypatch.setenv("A_TEST_KEY", value)
        result = doctor(one())
        assert result.exit_code == 1
        assert "opus: the environment variable A_TEST_KEY is not set; export the vendor's key in it." in result.stdout


def test_without_a_named_variable_the_vendors_usual_one_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    league = one("mistral/mistral-large-4").replace("api_key_env: A_TEST_KEY", "max_tokens: 10")
    monkeypatch.delenv("MISTRAL_API_KEY", raising=False)
    assert "MISTRAL_API_KEY is not set" in problems_of(league)
    monkeypatch.setenv("MISTRAL_API_KEY", CANARY)
    assert problems_of(league) == ""


def test_the_house_league_needs_nothing(doctor: Doctor) -> None:
    assert doctor(FRONTIER.with_name("house.yaml")).exit_code == 0


@pytest.fixture
def with_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_TEST_KEY", CANARY)


@pytest.mark.usefixtures("with_key")
@pytest.mark.parametrize(
    ("league", "sentence"),
    [
        (one("anthropic/claude-opus-5.5"), "opus-5.5; perhaps anthropic/claude-opus-5-5 is meant"),
        (one("someone/some-model"), "LiteLLM knows no vendor for someone/some-model; write vendor/model"),
        (one("anthropic/claude-opus-5-5", "temperature: 0.5"), "an option is not taken: claude-opus-5-5 does not"),
        (one("openai/gpt-4o-mini", "num_retries: 2"), "Option num_retries of model openai/gpt-4o-mini is not accepted"),
        (
            one("openai/local", "api_base: 'http://127.0.0.1:9/v1'", more="spend_cap_per_season: 100"),
            "its price is not known; give it as option price: {input: 3, output: 15}, dollars per million tokens",
        ),
    ],
    ids=["misspelt", "no such vendor", "option the model refuses", "option we refuse", "no price under a cap"],
)  # fmt: skip
def test_what_would_stop_a_season_is_said_before_it_starts(league: str, sentence: str) -> None:
    assert sentence in problems_of(league)


@pytest.mark.usefixtures("with_key")
def test_what_would_not_stop_it_is_a_note() -> None:
    local = one("openai/local", "api_base: 'http://127.0.0.1:9/v1'", "max_tokens: 9")
    assert problems_of(local) == ""
    assert "its price is not known" in notes_of(local)
    assert "max_tokens is not set" in notes_of(one())
    assert notes_of(one("openai/gpt-4o-mini", "max_tokens: 9")) == ""
    free = "price: {input: 0, output: 0}"
    assert problems_of(one("openai/local", "api_base: 'http://h/v1'", free, more="spend_cap_per_season: 9")) == ""


@pytest.mark.usefixtures("with_key")
def test_a_window_shorter_than_the_prompt_is_a_problem_and_one_that_is_tight_a_note() -> None:
    league = one("openai/gpt-4o-mini", "max_tokens: 4000")  # its window holds 128,000 tokens
    assert problems_of(league, 128_001) == "its window of 128,000 tokens is shorter than the longest prompt, 128,001"
    assert problems_of(league, 126_000) == ""
    assert "130,000 tokens, are more than its window of 128,000" in notes_of(league, 126_000)
    assert notes_of(league, 100_000) == ""


@pytest.mark.usefixtures("with_key")
def test_ping_calls_every_model_once_and_all_at_the_same_time(
    doctor: Doctor, server: FaultServer, tmp_path: Path
) -> None:
    together = threading.Barrier(2)

    def when_both_are_here(connection: Connection) -> None:
        together.wait(60)
        message('{"ok": true}')(connection)

    server.will(when_both_are_here, when_both_are_here)
    base = f"api_base: '{server.api_base}'"
    result = doctor(two(base, base), "--ping", "--json")
    assert result.exit_code == 0, result.output
    pings = json.loads(result.stdout)["pings"]
    assert [(p["manager"], p["answered"], p["micro_dollars"]) for p in pings] == [
        ("opus", True, 270),
        ("sonnet", True, 270),
    ]
    assert all(p["milliseconds"] > 0 for p in pings)
    for request in server.requests:
        assert len(request["bytes"]) < 1_500, "tiny"
        assert request["headers"]["authorization"] == f"Bearer {CANARY}"
    assert not list((tmp_path / "state").rglob("*")), "no ledger is written"


@pytest.mark.usefixtures("with_key")
@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (echo_authorization(401), "rejected the request with status 401"),
        (status(429, f"key {CANARY} asks too often"), "status 429: key [redacted] asks too often"),
        (drop_connection, "could not be reached"),
        (message("pong"), "it answered, but not in the form asked for"),
        (message("", finish_reason="length"), "raise max_tokens"),
        (message(None, refusal="I may not."), "it declined: I may not."),
    ],
    ids=["bad key", "limit", "dropped", "no JSON", "cut off", "refused"],
)
def test_a_ping_that_fails_is_a_sentence_and_exit_code_1_and_shows_no_key(
    doctor: Doctor, server: FaultServer, reply: Any, sentence: str
) -> None:
    server.will(reply)
    result = doctor(one("openai/gpt-4o-mini", f"api_base: '{server.api_base}'"), "--ping")
    assert result.exit_code == 1
    assert "ping opus: FAILED: " in result.stdout
    assert sentence in result.stdout
    assert CANARY not in result.output
    assert "Traceback" not in result.output


@pytest.mark.usefixtures("with_key")
def test_who_lacks_something_is_not_pinged(doctor: Doctor, server: FaultServer) -> None:
    server.will(message('{"ok": true}'))
    base = f"api_base: '{server.api_base}'"
    result = doctor(two(base, base.replace("api_base", "num_retries: 3, api_base")), "--ping", "--json")
    assert result.exit_code == 1
    assert [ping["manager"] for ping in json.loads(result.stdout)["pings"]] == ["opus"]


def two(first: str, second: str) -> str:
    lines = [
        f"  - {{slug: {slug}, name: X, model: openai/gpt-4o-mini, options: {{api_key_env: A_TEST_KEY, {options}}}}}"
        for slug, options in (("opus", first), ("sonnet", second))
    ]
    return "\n".join(("name: trial", "seasons: [2025-26]", "managers:", *lines, ""))
