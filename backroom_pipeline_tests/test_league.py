"""League files: what is read, and what is said of a mistake."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from backroom_pipeline.league import League, LeagueError, load_league, parse_league, state_dir

TOP = Path(__file__).parents[1]
HOUSE = TOP / "data" / "leagues" / "house.yaml"

GOOD = """\
name: trial
seasons: [2025-26]
memory: off
managers:
  - slug: opus
    name: Opus
    model: anthropic/claude-opus
    options: {temperature: 0.2}
  - slug: gpt-5
    name: GPT
    model: openai/gpt-5
"""


def problems_of(text: str) -> list[str]:
    with pytest.raises(LeagueError) as refused:
        parse_league(text, "data/leagues/x.yaml")
    return list(refused.value.problems)


def test_the_house_league_has_eight_managers_on_eight_personas_and_needs_no_key() -> None:
    league = load_league(HOUSE)
    assert len(league.managers) == len({manager.model for manager in league.managers}) == 8
    assert all(manager.model.startswith("house/") for manager in league.managers)
    assert all(manager.persona.startswith("House model.") for manager in league.managers), "they say what they are"
    assert league.seasons == ("2025-26",)


def test_every_key_the_house_file_shows_in_a_comment_stands_at_its_default() -> None:
    lines = HOUSE.read_text().splitlines()
    keys = ("# first", "# memory", "# embedder", "# feed", "# when", "# profile")
    shown = [line.removeprefix("# ") for line in lines if line.startswith(keys)]
    start = lines.index("# recall:")
    shown += [line.removeprefix("# ") for line in lines[start : start + 3]]
    assert len(shown) == 9
    assert parse_league(HOUSE.read_text() + "\n" + "\n".join(shown), "house") == load_league(HOUSE)


def test_on_and_off_are_words_and_not_booleans() -> None:
    assert parse_league(GOOD, "x").memory == "off"


def test_options_go_to_the_model_as_they_stand() -> None:
    assert parse_league(GOOD, "x").manager("opus").options == {"temperature": 0.2}


def test_a_misspelt_key_is_named_with_its_line_its_manager_and_the_key_that_was_meant() -> None:
    assert problems_of(GOOD.replace("    model: anthropic/claude-opus", "    modle: anthropic/claude-opus")) == [
        'data/leagues/x.yaml:5: manager opus needs "model"',
        'data/leagues/x.yaml:7: unknown key "modle" in manager opus; did you mean "model"?',
    ]


def test_a_slug_taken_twice_is_named_with_both_lines() -> None:
    assert problems_of(GOOD.replace("slug: gpt-5", "slug: opus")) == [
        'data/leagues/x.yaml:9: slug "opus" is taken by the manager on line 5'
    ]


@pytest.mark.parametrize("slug", ["Opus", "opus_4", "", "a" * 25, "opus 4", "ópus", "a/b", "opus\\n"])
def test_a_slug_outside_its_alphabet_is_refused(slug: str) -> None:
    assert any(":5: slug" in problem for problem in problems_of(GOOD.replace("slug: opus", f'slug: "{slug}"')))


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        ("memory: off", "memory: of", 'x:3: "memory" must be on or off, not "of"; did you mean "off"?'),
        (
            "memory: off",
            "when_a_manager_cannot_decide: carry",
            'x:3: "when_a_manager_cannot_decide" must be stop or carry_over, not "carry"; did you mean "carry_over"?',
        ),
        ("memory: off", "first_gameweek: one", 'x:3: "first_gameweek" must be a whole number, not "one"'),
        ("memory: off", "first_gameweek: 2.0", 'x:3: "first_gameweek" must be a whole number, not 2.0'),
        ("memory: off", "memory: on\nmemory: off", 'x:4: key "memory" stands twice, first on line 3'),
        ("[2025-26]", "2025-26", 'x:2: "seasons" must be a list, not "2025-26"'),
        ("[2025-26]", "[2025-26, 2025-26]", 'x:2: season "2025-26" stands twice'),
        ("[2025-26]", "[2025/26]", 'x:2: season "2025/26" must be written like 2025-26'),
        ("{temperature: 0.2}", "[0.2]", 'x:8: "options" in manager opus must be a list of keys and values, not [0.2]'),
        ("memory: off", "recall: {manager: {own: true}}", 'x:3: unknown key "own" in recall.manager'),
    ],
)
def test_a_wrong_value_is_named_with_what_is_wanted(good: str, bad: str, said: str) -> None:
    assert [p.replace("data/leagues/x.yaml", "x") for p in problems_of(GOOD.replace(good, bad))] == [said]


def test_all_problems_are_told_at_once_in_the_order_of_the_file() -> None:
    text = GOOD.replace("name: trial", "nmae: trial").replace("memory: off", "memory: maybe").replace("openai", "")
    text = text.replace("    model: /gpt-5\n", "")
    assert [problem.split(":")[1] for problem in problems_of(text)] == ["1", "1", "3", "9"]


def test_text_that_is_no_yaml_is_refused_with_the_line() -> None:
    assert problems_of("name: a\n  seasons: [") == [
        "data/leagues/x.yaml:2: not valid YAML (mapping values are not allowed here)"
    ]


def test_a_file_without_keys_is_refused() -> None:
    assert problems_of("- a\n- b")[0].startswith("data/leagues/x.yaml:1: a league file is a list of keys")


def test_an_unknown_league_is_told_which_there_are() -> None:
    with pytest.raises(LeagueError, match='no league "hause"; did you mean "house"'):
        load_league("hause")


def test_an_unknown_manager_is_told_which_there_are() -> None:
    with pytest.raises(LeagueError, match="It has opus and gpt-5"):
        parse_league(GOOD, "x").manager("sonnet")


def test_the_gameweek_before_the_first_is_none_also_for_a_league_that_starts_in_mid_season() -> None:
    late = parse_league(GOOD.replace("memory: off", "first_gameweek: 20"), "x")
    assert late.gameweek_before("2025-26", 20) is None
    assert late.gameweek_before("2025-26", 21) == ("2025-26", 20)
    assert late.gameweeks[0] == ("2025-26", 20)


def test_state_is_kept_per_league_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BACKROOM_STATE", str(tmp_path))
    assert state_dir(parse_league(GOOD, "x")) == tmp_path / "trial"


def test_a_league_is_frozen() -> None:
    league: League = parse_league(GOOD, "x")
    with pytest.raises(ValueError, match="frozen"):
        league.name = "other"  # type: ignore[misc]


def test_reading_a_league_imports_nothing_heavy() -> None:
    code = (
        "import sys; import backroom_pipeline.league; "
        "print([m for m in ('dagster','duckdb','lancedb','litellm','numpy','pandas','scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=TOP)
    assert done.stdout.strip() == "[]"
