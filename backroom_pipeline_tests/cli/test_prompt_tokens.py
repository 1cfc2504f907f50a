"""How long a prompt was, section by section, beside what was reported."""

from __future__ import annotations

from backroom_pipeline.tokens import estimated_tokens
from backroom_pipeline_tests.cli.conftest import Command


def test_the_tokens_of_a_committed_answers_prompt_are_told_by_section(answers: Command) -> None:
    prompt = answers("prompt", "show", "2", "-m", "banker", "-r", "manager")
    tokens = prompt["tokens"]
    by_section = {(each["part"], each["name"]): each["tokens"] for each in tokens["sections"]}
    assert by_section["public", "fixtures"] > 100
    assert by_section["private", "squad"] > 100
    whole = sum(estimated_tokens(prompt[part]) for part in ("system", "public", "private"))
    assert tokens["estimated"] == sum(by_section.values()) == whole
    assert tokens["reported"] > 0


def test_lengths_are_shown_in_place_of_the_text(says: Command) -> None:
    shown = says("prompt", "show", "2", "-m", "banker", "-r", "coach", "--tokens")
    assert "players" in shown
    assert "tokens, as estimated" in shown
    assert "ROLE: coach" not in shown
