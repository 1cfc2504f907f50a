"""The page about memory: its Python runs, and its commands are commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backroom_pipeline.cli import app
from backroom_pipeline_tests.cli.conftest import Command

PAGE = Path(__file__).resolve().parents[2] / "docs" / "memory.md"
FENCES = re.findall(r"^```(\w*)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
COMMANDS = [
    line.split(" #")[0].strip()
    for language, body in FENCES
    if not language
    for line in body.splitlines()
    if line.startswith("backroom ")
]


def test_every_python_example_runs_in_the_order_of_the_page(
    league_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, object] = {}
    for language, body in FENCES:
        if language == "python":
            exec(compile(body, str(PAGE), "exec"), names)
    printed = capsys.readouterr().out
    assert "gambler's manager is no member of planner's team" in printed
    assert "NoHits" in printed or "no_hits" in printed


def test_the_cases_of_the_page_are_read_and_answered(answers: Command, tmp_path: Path) -> None:
    case, pair = [body for language, body in FENCES if language == "json"]
    for name, body in (("check", case), ("conflicts", pair)):
        file = tmp_path / f"{name}.jsonl"
        file.write_text(" ".join(body.split()) + "\n", encoding="utf-8")
        (answer,) = answers("commitments", name, str(file))["answers"]
        assert answer["answer"] == answer["expected"]


@pytest.mark.parametrize("command", [command for command in COMMANDS if ".jsonl" not in command])
def test_every_command_of_the_page_runs(command: str, league_file: Path) -> None:
    # The league of the tests has played two gameweeks.
    words = re.findall(r'"[^"]*"|\S+', command.replace("-g 30", "-g 2"))
    result = CliRunner().invoke(app, [word.strip('"') for word in words[1:]], catch_exceptions=False)
    assert result.exit_code == 0, result.output
