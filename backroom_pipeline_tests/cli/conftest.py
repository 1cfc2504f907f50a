"""The command line over a small league that was really played."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backroom_pipeline.cli import app
from backroom_pipeline_tests.backroom.conftest import LEAGUE_TEXT, Played
from backroom_pipeline_tests.backroom.conftest import feed as feed
from backroom_pipeline_tests.backroom.conftest import played as played

Command = Callable[..., Any]


@pytest.fixture
def league_file(played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The played league with a state of its own, chosen by the environment."""
    shutil.copytree(played.directory, tmp_path / "state" / played.league.name)
    file = tmp_path / "small.yaml"
    file.write_text(LEAGUE_TEXT, encoding="utf-8")
    monkeypatch.setenv("BACKROOM_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("BACKROOM_LEAGUE", str(file))
    return file


@pytest.fixture
def says(league_file: Path) -> Command:
    """Run a command for people; what it printed."""

    def run(*words: str) -> str:
        result = CliRunner().invoke(app, list(words), catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    return run


@pytest.fixture
def answers(league_file: Path) -> Command:
    """Run a command with --json; its object."""

    def run(*words: str) -> Any:
        result = CliRunner().invoke(app, [*words, "--json"], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return run
