"""Every model of the frontier league, asked through LiteLLM in its vendor's own way, by a server on loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from backroom_pipeline.league import ManagerConfig, load_league
from backroom_pipeline.models.call import ModelSpec
from backroom_pipeline.models.cost import cost_of
from backroom_pipeline.models.prices import price_of
from backroom_pipeline_tests.models.fault_server import Reply, message, raw
from backroom_pipeline_tests.models.room import GOOD, SHEET, Room

FRONTIER = load_league(Path(__file__).parents[2] / "data" / "leagues" / "frontier.yaml")
USAGE = {"prompt_tokens": 10_000, "completion_tokens": 500}


def says(text: str, vendor: str) -> Reply:
    """A good answer of 10,000 tokens of prompt and 500 of answer, in the vendor's own shape."""
    match vendor:
        case "anthropic":
            body: dict[str, Any] = {
                "id": "m1",
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "text", "text": text}],
                "stop_reason": "end_turn",
                "usage": {"input_tokens": 10_000, "output_tokens": 500},
            }
        case "gemini":
            usage = {"promptTokenCount": 10_000, "candidatesTokenCount": 400, "thoughtsTokenCount": 100}
            body = {
                "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}],
                "usageMetadata": usage | {"totalTokenCount": 10_500},
                "modelVersion": "m",
            }
        case _:
            return message(text, usage=USAGE | {"total_tokens": 10_500})
    return raw(200, json.dumps(body))


@pytest.mark.parametrize("manager", FRONTIER.managers, ids=lambda manager: manager.slug)
def test_it_is_asked_with_all_its_options_and_its_answer_is_read_and_priced(
    room: Room, manager: ManagerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = dict(manager.options)
    monkeypatch.setenv(options["api_key_env"], "not-a-real-key-0123456789")
    vendor = manager.model.partition("/")[0]
    base = room.server.api_base.removesuffix("/v1") if vendor == "anthropic" else room.server.api_base
    room.server.will(says(GOOD, vendor))
    asked = room.ask(model=manager.model, **options | {"api_base": base})
    assert (asked.value.model_dump(mode="json"), asked.attempts) == (SHEET, 1)
    price = price_of(ModelSpec(model=manager.model))
    assert price is not None
    rates = price.rates(10_000)
    assert asked.cost_micro_dollars == (10_000 * rates.input + 500 * rates.output) // 1_000_000
    assert asked.cost_micro_dollars == cost_of(USAGE, price).micro_dollars
    (request,) = room.server.requests
    sent = json.dumps(request["body"])
    assert "not-a-real-key" in json.dumps(request["headers"])
    assert "not-a-real-key" not in sent + request["path"]
    assert str(options["max_tokens"]) in sent
    if "reasoning_effort" in options:
        assert f'"{options["reasoning_effort"]}"' in sent
    if "temperature" in options:
        assert f'"temperature": {options["temperature"]}' in sent
    for ours in ("api_key_env", "concurrency", "timeout", "BACKROOM"):
        assert ours not in sent
    schema = ("starting", "vice_captain")
    assert all(f'"{word}"' in sent for word in schema) == (
        options.get("response_format", "json_schema") == "json_schema"
    )
