"""What a call costs, against sums done by hand."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from pydantic import ValidationError

from backroom_pipeline.ledger.canonical import sha256_of
from backroom_pipeline.models.call import ModelSpec
from backroom_pipeline.models.cost import UNKNOWN, Cost, cost_of
from backroom_pipeline.models.prices import Price, price_of
from backroom_pipeline_tests.models.fault_server import message
from backroom_pipeline_tests.models.room import GOOD, Room


def priced(model: str = "openai/local", **dollars_per_million: float) -> Price:
    price = price_of(ModelSpec(model=model, options={"price": dollars_per_million} if dollars_per_million else {}))
    assert price is not None
    return price


def used(prompt: int, answer: int, **details: int) -> dict[str, Any]:
    within_answer = {"reasoning_tokens": details.pop("reasoning_tokens")} if "reasoning_tokens" in details else {}
    return {
        "prompt_tokens": prompt,
        "completion_tokens": answer,
        "prompt_tokens_details": details,
        "completion_tokens_details": within_answer,
    }


def micro(usage: dict[str, Any], price: Price) -> int | None:
    return cost_of(usage, price).micro_dollars


def test_a_price_in_the_league_is_dollars_a_million_which_is_micro_dollars_a_token() -> None:
    price = priced(input=3, output=15)
    # 1,000 x 3 + 200 x 15
    assert micro(used(1000, 200), price) == 6_000


def test_a_part_of_a_micro_dollar_is_rounded_up_once_for_the_whole_call() -> None:
    price = priced(input=0.15, output=0.6)
    # 7 x 0.15 + 3 x 0.6 = 1.05 + 1.8 = 2.85
    assert micro(used(7, 3), price) == 3


def test_tokens_read_from_the_cache_and_written_to_it_have_their_own_prices() -> None:
    price = priced(input=4, output=20, cached=0.2, written=5)
    # 10,000 of prompt: 6,000 read at 0.2, 3,000 written at 5, 1,000 neither at 4; 100 of answer at 20
    assert (
        micro(used(10_000, 100, cached_tokens=6000, cache_write_tokens=3000), price) == 1_200 + 15_000 + 4_000 + 2_000
    )


def test_where_no_price_of_the_cache_is_known_its_tokens_cost_what_others_do() -> None:
    price = priced(input=4, output=20)
    assert micro(used(10_000, 0, cached_tokens=6000, cache_write_tokens=3000), price) == 40_000


def test_claude_is_priced_by_the_map_with_its_cache() -> None:
    price = priced("anthropic/claude-opus-5-5")
    # 4, 20, 0.2 read and 5 written, dollars a million
    assert micro(used(10_000, 100, cached_tokens=6000, cache_creation_tokens=3000), price) == 22_200


def test_a_map_that_prices_writing_at_nothing_does_not_make_a_prompt_free() -> None:
    price = priced("zai/glm-5.3")
    # 1.4 dollars a million of prompt; the map has 0.0 for writing it to the cache
    assert micro(used(1000, 0, cache_write_tokens=1000), price) == 1_400


def test_reasoning_has_its_own_price_where_the_map_has_one() -> None:
    price = priced("perplexity/sonar-deep-research")
    # 2, 8 and 3 dollars a million: 1,000 x 2 + 100 x 8 + 400 x 3
    assert micro(used(1000, 500, reasoning_tokens=400), price) == 2_000 + 800 + 1_200


def test_a_prompt_beyond_the_vendors_threshold_costs_the_higher_rates_throughout() -> None:
    price = priced("xai/grok-4.7")
    # 2 and 6 dollars up to 200,000 tokens of prompt, 4 and 12 beyond
    assert micro(used(200_000, 1000), price) == 406_000
    assert micro(used(200_001, 1000), price) == 800_004 + 12_000


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        {"prompt_tokens": 0, "completion_tokens": 0},
        used(100, 10, cached_tokens=60, cache_write_tokens=60),
        used(100, 10, cached_tokens=-5),
        used(100, 10, reasoning_tokens=11),
    ],
    ids=["none", "empty", "zeros", "more cached than sent", "negative", "more thought than said"],
)
def test_usage_that_is_missing_or_contradicts_itself_is_an_unknown_cost_and_never_a_low_one(usage: Any) -> None:
    assert cost_of(usage, priced(input=3, output=15)) is UNKNOWN


@pytest.mark.parametrize("model", ["openai/nobody-knows-this", "cohere/command-a-plus-05-2026", "house/banker"])
def test_a_model_without_a_price_has_none_even_where_the_map_says_zero(model: str) -> None:
    assert price_of(ModelSpec(model=model)) is None


def test_a_local_model_is_free_when_the_league_says_so() -> None:
    assert micro(used(1000, 200), priced(input=0, output=0)) == 0


def test_the_league_has_the_last_word_over_the_map() -> None:
    assert micro(used(1000, 0), priced("openai/gpt-4o-mini", input=9, output=9)) == 9_000


def test_the_version_names_source_and_entry_by_hash_and_moves_with_the_price() -> None:
    mapped, stated = priced("openai/gpt-4o-mini"), priced(input=1, output=2)
    assert re.fullmatch(r"litellm-1\.110\.2/sha256:[0-9a-f]{64}", mapped.version)
    assert stated.version == f"league-file/sha256:{sha256_of(stated.text)}"
    assert json.loads(mapped.text)["input_cost_per_token"] == 1.5e-07
    assert priced(input=1, output=3).version != stated.version
    assert cost_of(used(1, 1), mapped) == Cost(1, mapped.version)


def test_a_call_keeps_our_figure_with_its_version_and_litellms_beside_it(room: Room) -> None:
    usage = {"prompt_tokens": 2000, "completion_tokens": 100, "total_tokens": 2100}
    room.server.will(message(GOOD, usage={**usage, "prompt_tokens_details": {"cached_tokens": 1500}}))
    # 500 at 0.15, 1,500 read at 0.075 and 100 at 0.6 are 75 + 112.5 + 60
    assert room.ask().cost_micro_dollars == 248
    (call,) = room.calls
    assert call.result is not None
    assert call.result.cost_source == priced("openai/gpt-4o-mini").version
    stored = json.loads(call.result.usage_json or "")
    assert stored["prompt_tokens_details"]["cached_tokens"] == 1500
    assert stored["litellm_cost_dollars"] == pytest.approx(0.0002475)


@pytest.mark.parametrize(
    "options",
    [
        {"price": {"input": 3}},
        {"price": {"input": 3, "output": -1}},
        {"price": {"input": 3, "output": "15"}},
        {"price": {"input": 3, "output": 15, "cache": 1}},
        {"price": 3},
        {"concurrency": 0},
        {"concurrency": True},
        {"concurrency": 1.5},
        {"prompt_cache": "yes"},
    ],
)
def test_an_option_that_cannot_be_meant_is_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=f"Option {next(iter(options))} of model openai/m is"):
        ModelSpec(model="openai/m", options=options)


def test_price_patience_and_cache_do_not_make_another_request() -> None:
    plain = ModelSpec(model="openai/m", options={"temperature": 1})
    about = {"price": {"input": 1, "output": 1}, "concurrency": 2, "prompt_cache": False, "timeout": 9}
    assert ModelSpec(model="openai/m", options={"temperature": 1, **about}).identity == plain.identity
