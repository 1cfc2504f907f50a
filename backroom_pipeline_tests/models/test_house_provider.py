"""The house models go the way of every other model: through LiteLLM, into the ledger, at no cost."""

from __future__ import annotations

import json

import pytest

from backroom_pipeline.models import house
from backroom_pipeline.models.call import CannotAnswer
from backroom_pipeline_tests.models.room import GOOD, PROMPT, Room


def test_a_house_model_reads_the_messages_and_nothing_else_and_is_free(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[str, str, str]] = []

    def answer(persona: str, system: str, user: str) -> str:
        heard.append((persona, system, user))
        return GOOD

    monkeypatch.setattr(house, "answer", answer)
    room.options = {}
    asked = room.ask(model="house/banker")
    assert heard == [("banker", PROMPT.system, f"{PROMPT.public}\n\n{PROMPT.private}")]
    assert asked.cost_micro_dollars == 0
    (call,) = room.calls
    assert call.result is not None
    assert (call.attempt.model, call.status, call.result.cost_source) == ("house/banker", "ok", "house: free")
    usage = json.loads(call.result.usage_json or "")
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 0
    assert room.server.requests == []


def test_a_house_model_that_fails_says_why_and_is_not_asked_again(room: Room) -> None:
    room.options = {}
    with pytest.raises(CannotAnswer, match="There is no house persona 'nobody'"):
        room.ask(model="house/nobody")
    assert room.statuses == ["error"]
