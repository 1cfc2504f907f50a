"""What a season should cost, against sums done by hand; and how the sizes of its prompts are measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backroom_pipeline.backroom.briefing import compose_briefing
from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.backroom.estimate import SeasonEstimate, estimate
from backroom_pipeline.backroom.prompt_sizes import (
    PromptSizes,
    Size,
    schema_tokens,
    sizes_by_house_team,
    sizes_in_ledger,
)
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.league import League, parse_league
from backroom_pipeline.memory.model import ROLES
from backroom_pipeline.tokens import estimated_tokens
from backroom_pipeline_tests.backroom.conftest import LEAGUE, SEASON

WEEK = {"coach": Size(50_000, 0, 2_000), "assistant": Size(4_000, 6_000, 150), "manager": Size(4_000, 9_000, 400)}
SIZES = PromptSizes("hand-made", {1: WEEK}, {"coach": 0, "assistant": 1_000, "manager": 1_500})  # type: ignore[dict-item]
PLAIN = "response_format: none, max_tokens: 1000"


def league(*managers: tuple[str, str], more: str = "") -> League:
    lines = [
        f"  - {{slug: manager-{n}, name: X, model: {model}, options: {{{options}}}}}"
        for n, (model, options) in enumerate(managers)
    ]
    return parse_league("\n".join(("name: trial", "seasons: [2025-26]", more, "managers:", *lines)), "trial")


def of(*managers: tuple[str, str], gameweeks: int = 1, more: str = "") -> SeasonEstimate:
    return estimate(league(*managers, more=more), SIZES, SEASON, range(1, gameweeks + 1))


def figures(found: SeasonEstimate, manager: int = 0) -> dict[str, tuple[int, int]]:
    return {role.role: (role.low, role.high) for role in found.managers[manager].roles}


def test_a_gameweek_is_the_three_prompts_and_answers_at_the_models_price() -> None:
    found = of(("openai/local", f"{PLAIN}, price: {{input: 1, output: 10}}"))
    assert figures(found) == {
        "coach": (50_000 + 20_000, 50_000 + 10_000),
        "assistant": (10_000 + 1_500, 10_000 + 1_000 + 10_000),
        "manager": (13_000 + 4_000, 13_000 + 1_500 + 10_000),
    }
    assert (found.low, found.high) == (98_500, 60_000 + 21_000 + 24_500)


def test_a_season_is_its_gameweeks() -> None:
    priced = ("openai/local", f"{PLAIN}, price: {{input: 1, output: 10}}")
    one, season = of(priced), of(priced, gameweeks=38)
    assert (season.low, season.high) == (38 * one.low, 38 * one.high)
    assert {role.calls for role in season.managers[0].roles} == {38}


def test_the_form_of_the_answer_is_part_of_the_prompt_where_it_is_sent() -> None:
    price = "max_tokens: 1000, price: {input: 1, output: 0}"
    with_schema, without = of(("openai/local", price)), of(("openai/local", f"response_format: none, {price}"))
    assert with_schema.low - without.low == sum(schema_tokens(role, "json_schema") for role in ROLES)
    assert schema_tokens("manager", "json_schema") > 1_000


def test_a_model_without_a_price_is_named_and_not_counted_and_a_house_model_is_free() -> None:
    found = of(("openai/nobody-knows", PLAIN), ("house/banker", ""), ("openai/gpt-4o-mini", PLAIN))
    assert found.unpriced == ("openai/nobody-knows",)
    assert found.notes == ("Nobody knows the price of openai/nobody-knows; its calls are not in the sums.",)
    assert [manager.low > 0 for manager in found.managers] == [False, False, True]
    assert len(found.managers[1].roles) == 3


@pytest.mark.parametrize(
    ("model", "options", "share", "saves"),
    [
        # Read at 0.2 instead of 4 by one of two, written at 5 instead of 4 by the other: (3.8 - 1) / 2 a token.
        ("anthropic/claude-opus-5-5", PLAIN, 2, 1.4),
        ("anthropic/claude-opus-5-5", PLAIN, 1, 0),
        ("anthropic/claude-opus-5-5", f"{PLAIN}, prompt_cache: true", 1, -1),
        ("anthropic/claude-opus-5-5", f"{PLAIN}, prompt_cache: false", 2, 0),
        # 0.1 instead of 2 for one of two, 2.5 instead of 2 for the other.
        ("openai/gpt-6.1-sol", PLAIN, 2, 0.7),
        # Found without marks: 0.075 instead of 0.15 for three of four, nothing for writing.
        ("openai/gpt-4o-mini", PLAIN, 4, 0.05625),
        ("openai/gpt-4o-mini", PLAIN, 1, 0),
    ],
)
def test_a_cache_saves_what_those_who_share_a_prefix_read_less_what_one_of_them_writes(
    model: str, options: str, share: int, saves: float
) -> None:
    found = of(*[(model, options)] * share)
    assert {manager.cache_saves for manager in found.managers} == {round(58_000 * saves)}


def test_a_cap_below_the_high_estimate_is_said() -> None:
    priced = ("openai/local", f"{PLAIN}, price: {{input: 1, output: 10}}")
    (note,) = of(priced, gameweeks=2, more="spend_cap_per_season: 200000").notes
    assert note == "spend_cap_per_season is $0.20, below the high estimate of $0.21: it may stop the play."
    assert of(priced, gameweeks=2, more="spend_cap_per_season: 300000").notes == ()


def test_a_week_that_was_not_measured_is_like_the_nearest_one_but_never_like_an_opening() -> None:
    opening, second, late = ({**WEEK, "coach": Size(size, 0, 0)} for size in (1, 2, 30))
    sizes = PromptSizes("hand-made", {1: opening, 2: second, 30: late}, SIZES.memory_to_come)  # type: ignore[dict-item]
    assert [sizes.of(week, "coach").public for week in (1, 2, 3, 16, 17, 38)] == [1, 2, 2, 2, 30, 30]


def test_sizes_in_a_played_ledger_are_those_of_the_prompts_that_were_sent(contest: Contest) -> None:
    sizes = sizes_in_ledger(contest.ledger, SEASON)
    assert sizes is not None
    assert set(sizes.weeks) == {1, 2}
    assert sizes.source == "the prompts of 2 gameweeks, 1 to 2, that this league has played"
    assert set(sizes.memory_to_come.values()) == {0}
    for week in (1, 2):
        prompts = compose_briefing(contest.week(SEASON, week)).prompts
        for role in ROLES:
            shared = estimated_tokens(prompts[role].system) + estimated_tokens(prompts[role].public)
            size = sizes.of(week, role)
            assert size.public == shared
            assert (size.private > 0) == (role != "coach")
            assert size.answer > 50
    assert sizes_in_ledger(contest.ledger, "2024-25") is None


def test_before_a_season_a_house_team_of_the_same_league_is_measured_and_leaves_nothing_behind(
    feed: ArchiveFeed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKROOM_STATE", str(tmp_path / "state"))
    dear = LEAGUE.model_copy(update={"spend_cap_per_season": 0, "conflict_judge": "openai/gpt-4o-mini"})
    calls: list[Any] = []
    monkeypatch.setattr("socket.socket.connect", lambda *_: calls.append("connected"))
    sizes = sizes_by_house_team(dear, feed, SEASON, range(1, 39))
    assert calls == []
    assert not (tmp_path / "state").exists()
    assert "a house team that played gameweeks 1 to 3" in sizes.source
    assert {1, 2, 3} < set(sizes.weeks)
    assert max(sizes.weeks) > 30
    assert sizes.memory_to_come == {"coach": 0, "assistant": 1_500, "manager": 1_500}
    coach = [sizes.of(week, "coach") for week in (1, 20, 38)]
    assert all(40_000 < size.public < 70_000 and size.private == 0 for size in coach)
    assert len({size.public for size in coach}) == 3, "each week's own pool"
