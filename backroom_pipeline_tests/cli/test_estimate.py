"""``backroom estimate`` over a league that was really played."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from backroom_pipeline.cli import app
from backroom_pipeline_tests.cli.conftest import Command


@pytest.fixture
def priced(league_file: Path) -> Path:
    """The played league on other models: one with a price, one without, one of the house."""
    text = league_file.read_text(encoding="utf-8")
    text = text.replace("model: house/banker}", "model: openai/gpt-4o-mini, options: {max_tokens: 4000}}")
    league_file.write_text(text.replace("house/gambler", "openai/nobody-knows"), encoding="utf-8")
    return league_file


def test_an_estimate_names_itself_its_prompts_and_what_it_cannot_price(priced: Path, answers: Command) -> None:
    told = answers("estimate")
    assert told["label"] == "estimate"
    assert told["gameweeks"] == list(range(1, 39))
    assert told["source"] == "the prompts of 2 gameweeks, 1 to 2, that this league has played"
    assert told["unpriced"] == ["openai/nobody-knows"]
    banker, gambler, planner = told["managers"]
    assert 0 < banker["low_micro_dollars"] < banker["high_micro_dollars"]
    assert (
        told["low_micro_dollars"]
        == banker["low_micro_dollars"]
        == sum(role["low_micro_dollars"] for role in banker["roles"])
    )
    assert [role["calls"] for role in banker["roles"]] == [38, 38, 38]
    assert (gambler["low_micro_dollars"], gambler["roles"]) == (None, [])
    assert planner["low_micro_dollars"] == planner["high_micro_dollars"] == 0


def test_a_part_of_the_season_costs_a_part(priced: Path, answers: Command) -> None:
    whole, half, week = (
        answers("estimate", "--gameweeks", weeks)["low_micro_dollars"] for weeks in ("1-38", "20-38", "7")
    )
    assert half == 19 * week
    assert half < whole


def test_people_are_told_that_it_is_an_estimate_and_what_low_and_high_mean(priced: Path, says: Command) -> None:
    told = " ".join(says("estimate").split())
    assert "Estimate for gameweeks 1 to 38 of 2025-26, dollars" in told
    assert "An estimate, not an offer. Low: answers as long as those measured" in told
    assert "Nobody knows the price of openai/nobody-knows; its calls are not in the sums." in told


@pytest.mark.parametrize("weeks", ["0-3", "3-1", "30-40", "all", "1-2-3", ""])
def test_what_is_no_range_of_gameweeks_is_refused_with_those_there_are(league_file: Path, weeks: str) -> None:
    result = CliRunner().invoke(app, ["estimate", "--gameweeks", weeks])
    assert result.exit_code == 2
    assert "the league plays 1 to 38 of 2025-26" in " ".join(result.output.replace("│", " ").split())
