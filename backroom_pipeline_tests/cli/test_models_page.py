"""docs/models.md says what is so: its examples load, its options are those there are, its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from backroom_pipeline.cli import app
from backroom_pipeline.league import League, load_league
from backroom_pipeline.models.spec import OWN_OPTIONS, ModelSpec

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs" / "models.md").read_text(encoding="utf-8")


def test_the_table_of_options_has_each_of_ours_and_no_other() -> None:
    options = PAGE.split("## Options")[1].split("## Money")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", options, re.MULTILINE)) == OWN_OPTIONS


def test_the_comment_of_the_frontier_file_names_each_of_ours() -> None:
    comment = (TOP / "data" / "leagues" / "frontier.yaml").read_text(encoding="utf-8").split("managers:")[0]
    assert set(re.findall(r"^#   (\w+)  ", comment, re.MULTILINE)) == OWN_OPTIONS


def test_its_examples_are_managers_as_a_league_takes_them() -> None:
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
    asked = [block["managers"][0] if "managers" in block else block for block in blocks]
    assert len(asked) == 2
    for manager in asked:
        assert ModelSpec(model=manager["model"], options=manager["options"]).most_answer_tokens in (16_000, None)


def test_every_key_of_the_league_file_it_speaks_of_exists() -> None:
    for key in ("spend_cap_per_gameweek", "spend_cap_per_season", "when_a_manager_cannot_decide"):
        assert key in PAGE
        assert key in League.model_fields
    assert load_league(TOP / "data" / "leagues" / "frontier.yaml").name == "frontier"


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`backroom ((?:[a-z]+ ?)+)", PAGE))))
def test_every_command_it_names_exists(command: str) -> None:
    assert CliRunner().invoke(app, [*command.split(), "--help"]).exit_code == 0
