"""Prompt caches of vendors: the prefix is the same bytes for everybody, and marked where that pays."""

from __future__ import annotations

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from backroom_pipeline.ledger.answers import AnswerKey
from backroom_pipeline.models.attempts import stored_prompt
from backroom_pipeline.models.caching import caching_of, messages_of
from backroom_pipeline.models.call import ModelSpec
from backroom_pipeline.models.prompt import Prompt
from backroom_pipeline.models.spending import Guard
from backroom_pipeline.models.vendors import Vendors
from backroom_pipeline_tests.models.fault_server import Reply, message, raw
from backroom_pipeline_tests.models.room import GOOD, KEY, PROMPT, Room

CLAUDE, GPT_6, GPT_4O = "anthropic/claude-opus-5-5", "openai/gpt-6.1-sol", "openai/gpt-4o-mini"
MANAGERS = tuple(f"manager-{number}" for number in range(8))


def claude_says(text: str, **usage: int) -> Reply:
    """A message in Anthropic's own shape."""
    body = {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 100, "output_tokens": 20, **usage},
    }
    return raw(200, json.dumps(body))


def prompt_of(manager: str) -> Prompt:
    return PROMPT.model_copy(update={"private": f"## YOUR TEAM\nThat of {manager}."})


def eight_ask(room: Room, model: str, reply: Reply, **options: Any) -> list[dict[str, Any]]:
    """The requests of eight managers on one model, as they arrived."""
    spec = ModelSpec(model=model, options=room.options | options)
    room.guard = Guard(vendors=Vendors([spec] * len(MANAGERS)))
    room.server.will(*[reply] * len(MANAGERS))

    def ask(manager: str) -> None:
        room.ask(key=key_of(manager), prompt=prompt_of(manager), model=model, **options)

    with ThreadPoolExecutor(len(MANAGERS)) as threads:
        list(threads.map(ask, MANAGERS))
    return room.server.requests


def key_of(manager: str) -> AnswerKey:
    return KEY.model_copy(update={"manager": manager})


def ask_alone(room: Room, model: str, reply: Reply, **options: Any) -> dict[str, Any]:
    """The request of the only manager on its model."""
    room.guard = Guard(vendors=Vendors([ModelSpec(model=model, options=room.options | options)]))
    room.server.will(reply)
    room.ask(model=model, **options)
    return room.server.requests[-1]["body"]


@pytest.fixture
def claude(room: Room) -> Room:
    return replace(room, options=room.options | {"api_base": room.server.api_base.removesuffix("/v1")})


def test_marked_or_not_a_model_reads_the_same_characters() -> None:
    for prompt in (PROMPT, PROMPT.model_copy(update={"private": ""})):
        (_, plain), (system, user) = messages_of(prompt, marked=False), messages_of(prompt, marked=True)
        assert "".join(part["text"] for part in user["content"]) == plain["content"]
        assert system["content"] == prompt.system
        assert all(part["text"] for part in user["content"]), "vendors refuse empty parts"


@pytest.mark.parametrize(
    ("model", "how"),
    [
        (CLAUDE, "claude"),
        (GPT_6, "openai"),
        (GPT_4O, "automatic"),
        ("gemini/gemini-4-argon", "automatic"),
        ("openai/somebody-elses-model", "none"),
        ("house/banker", "none"),
    ],
)
def test_how_a_vendor_caches_is_read_from_the_map(model: str, how: str) -> None:
    assert caching_of(ModelSpec(model=model)) == how


def test_eight_managers_on_one_claude_send_one_prefix_with_the_mark_at_its_end(claude: Room) -> None:
    requests = eight_ask(claude, CLAUDE, claude_says(GOOD), max_tokens=1000)
    assert len(requests) == 8
    for request in requests:
        assert request["body"]["system"] == [{"type": "text", "text": PROMPT.system}]
        (user,) = request["body"]["messages"]
        public, private = user["content"]
        assert public == {"type": "text", "text": PROMPT.public + "\n\n", "cache_control": {"type": "ephemeral"}}
        assert "cache_control" not in private
    bodies = [request["bytes"] for request in requests]
    to_the_mark = bodies[0][: bodies[0].index(b'"cache_control"') + len(b'"cache_control": {"type": "ephemeral"}')]
    assert PROMPT.public.encode().replace(b"\n", b"\\n") in to_the_mark
    assert all(body.startswith(to_the_mark) for body in bodies)
    rests = {re.sub(rb"That of manager-\d", b"", body.removeprefix(to_the_mark)) for body in bodies}
    assert len(rests) == 1, "after it nothing differs but what is the manager's own"


def test_the_first_of_them_writes_the_cache_before_the_others_come_to_read_it(claude: Room) -> None:
    first_is_here, seen_alone = threading.Event(), threading.Event()

    def first(connection: Any) -> None:
        first_is_here.set()
        assert seen_alone.wait(60)
        claude_says(GOOD, cache_creation_input_tokens=3000)(connection)

    spec = ModelSpec(model=CLAUDE, options=claude.options | {"max_tokens": 1000})
    claude.guard = Guard(vendors=Vendors([spec] * 8))
    claude.server.will(first, *[claude_says(GOOD, cache_read_input_tokens=3000)] * 7)
    with ThreadPoolExecutor(8) as threads:
        asked = [
            threads.submit(claude.ask, key=key_of(name), prompt=prompt_of(name), model=CLAUDE, max_tokens=1000)
            for name in MANAGERS
        ]
        assert first_is_here.wait(60)
        assert len(claude.server.requests) == 1
        seen_alone.set()
        costs = sorted(future.result(60).cost_micro_dollars or 0 for future in asked)
    # 100 at 4 and 20 at 20 for everybody; 3,000 read at 0.2 by seven and written at 5 by one.
    assert costs == [400 + 400 + 600] * 7 + [400 + 400 + 15_000]


def test_a_claude_that_shares_its_prefix_with_nobody_does_not_pay_for_writing_it(claude: Room) -> None:
    assert "cache_control" not in json.dumps(ask_alone(claude, CLAUDE, claude_says(GOOD), max_tokens=1000))


@pytest.mark.parametrize(("wanted", "marks"), [(True, 1), (False, 0)])
def test_the_option_prompt_cache_decides_over_both(claude: Room, wanted: bool, marks: int) -> None:
    alone = ask_alone(claude, CLAUDE, claude_says(GOOD), max_tokens=1000, prompt_cache=wanted)
    assert json.dumps(alone).count("cache_control") == marks
    claude.server.requests.clear()
    for request in eight_ask(claude, CLAUDE, claude_says(GOOD), max_tokens=999, prompt_cache=wanted):
        assert request["bytes"].count(b"cache_control") == marks


def test_where_the_vendor_finds_prefixes_itself_their_bytes_are_the_same_and_nothing_is_added(room: Room) -> None:
    requests = eight_ask(room, GPT_4O, message(GOOD))
    bodies = [request["bytes"] for request in requests]
    end = bodies[0].index(b"## YOUR TEAM")
    assert PROMPT.public.encode().replace(b"\n", b"\\n") in bodies[0][:end]
    assert {body[:end] for body in bodies} == {bodies[0][:end]}
    assert not [body for body in bodies if b"cache" in body]


def test_newer_gpts_are_given_their_breakpoint_at_the_end_of_a_shared_prefix(room: Room) -> None:
    for request in eight_ask(room, GPT_6, message(GOOD), max_tokens=1000):
        public, private = request["body"]["messages"][1]["content"]
        assert public["prompt_cache_breakpoint"] == {"mode": "explicit"}
        assert "prompt_cache_breakpoint" not in private
        assert request["body"]["prompt_cache_options"] == {"mode": "explicit"}
        assert request["body"]["prompt_cache_key"] == PROMPT.public_sha256[:32]


def test_newer_gpts_are_told_to_write_nothing_where_nobody_would_read_it(room: Room) -> None:
    body = ask_alone(room, GPT_6, message(GOOD), max_tokens=1000)
    assert body["prompt_cache_options"] == {"mode": "explicit"}
    assert "prompt_cache_breakpoint" not in json.dumps(body)
    assert body["messages"][1]["content"] == f"{PROMPT.public}\n\n{PROMPT.private}"


def test_what_an_operator_says_to_the_vendor_about_its_cache_stands(room: Room) -> None:
    body = ask_alone(room, GPT_6, message(GOOD), max_tokens=1000, prompt_cache_options={"mode": "implicit"})
    assert body["prompt_cache_options"] == {"mode": "implicit"}


def test_request_and_stored_prompt_are_the_same_with_the_cache_and_without(claude: Room) -> None:
    ask_alone(claude, CLAUDE, claude_says(GOOD), max_tokens=1000, prompt_cache=True)
    (call,) = claude.calls
    assert stored_prompt(claude.ledger, call.attempt.prompt_sha256) == PROMPT
    again = claude.ask(model=CLAUDE, max_tokens=1000, prompt_cache=False)
    assert (again.attempts, again.replayed_attempts) == (0, 1)
    assert len(claude.server.requests) == 1
