"""The prompt's hashes: what changes them and what does not."""

from __future__ import annotations

import hashlib

import pytest

from backroom_pipeline.fpl.model import Breach
from backroom_pipeline.models import prompt as prompt_module
from backroom_pipeline.models.blocks import Blocks
from backroom_pipeline.models.prompt import Prompt

PROMPT = Prompt(system="ROLE: coach", public="Gameweek 7", private="Yours")


def test_the_shared_hash_is_of_system_text_and_briefing_and_the_same_for_every_manager() -> None:
    assert PROMPT.public_sha256 == hashlib.sha256(b"ROLE: coach\nGameweek 7").hexdigest()
    other = PROMPT.model_copy(update={"private": "Mine"})
    assert other.public_sha256 == PROMPT.public_sha256
    assert other.sha256 != PROMPT.sha256


def test_another_sanitiser_is_another_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    before = PROMPT.sha256
    monkeypatch.setattr(prompt_module, "SANITISER_VERSION", 99)
    assert PROMPT.sha256 != before


def test_a_line_moved_between_the_parts_is_another_prompt() -> None:
    moved = Prompt(system="ROLE: coach\nGameweek 7", public="", private="Yours")
    assert moved.sha256 != PROMPT.sha256


def test_a_repair_asks_the_same_and_ends_with_the_breaches() -> None:
    breach = Breach(code="club_limit", sentence="Four from <ARS>.", players=(1, 2))
    repair = PROMPT.with_breaches([breach])
    assert (repair.system, repair.public) == (PROMPT.system, PROMPT.public)
    assert repair.private.startswith("Yours\n\n## BREACHES\n")
    assert repair.private.endswith("</data>")
    assert Blocks(repair.private).rows("breaches") == [
        {"code": "club_limit", "sentence": "Four from <ARS>.", "players": [1, 2]}
    ]
