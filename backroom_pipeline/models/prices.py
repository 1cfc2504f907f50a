"""What a token costs: LiteLLM's bundled price map, or what the league file says, with a version that names the entry.

A price is known or it is not; nothing is guessed from a similar model, and an entry of the map that says a vendor's
model costs nothing is taken for one that nobody has filled in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from backroom_pipeline.ledger.canonical import canonical_json, sha256_of
from backroom_pipeline.models.spec import ModelSpec

PICO_DOLLARS_IN_A_MICRO_DOLLAR = 1_000_000

_INPUT, _OUTPUT = "input_cost_per_token", "output_cost_per_token"
_CACHED, _WRITTEN = "cache_read_input_token_cost", "cache_creation_input_token_cost"
_REASONING = "output_cost_per_reasoning_token"
_LONG_PROMPTS = re.compile(rf"{_INPUT}_above_(\d+)k_tokens")


@dataclass(frozen=True)
class Rates:
    """Pico-dollars (millionths of a micro-dollar) a token, so that sums stay integers."""

    input: int
    output: int
    cached: int
    """Of the prompt, read from the vendor's cache."""
    written: int
    """Of the prompt, written to the vendor's cache; never less than an ordinary token of the prompt."""
    reasoning: int
    """Of the answer, thought and not said."""


@dataclass(frozen=True)
class Price:
    """A model's price. ``text`` is the entry it was read from and ``version`` names it by its hash."""

    source: str
    """``litellm-1.110.2`` or ``league-file``."""
    text: str
    tiers: tuple[tuple[int, Rates], ...]
    """From how many tokens of prompt on which rates hold, ascending; the first from 0."""

    @property
    def version(self) -> str:
        return f"{self.source}/sha256:{sha256_of(self.text)}"

    @property
    def short_version(self) -> str:
        """For tables."""
        return f"{self.source}/{sha256_of(self.text)[:8]}"

    def rates(self, prompt_tokens: int) -> Rates:
        return next(rates for least, rates in reversed(self.tiers) if prompt_tokens >= least)


def price_of(spec: ModelSpec) -> Price | None:
    """The price of a model: the league's word before the map's; None where neither knows it. A house model has none."""
    if spec.is_house:
        return None
    if spec.price is not None:
        return _league_price(canonical_json(dict(spec.price)), tuple(sorted(spec.price.items())))
    return _map_price(spec.model)


def listing(model: str) -> Mapping[str, Any] | None:
    """LiteLLM's entry for a model: price, context window, abilities. Listed with the vendor's prefix or without."""
    from backroom_pipeline.models.litellm_provider import ready

    known = ready().model_cost
    vendor, _, name = model.partition("/")
    entry = known.get(model)
    if entry is None and name in known and known[name].get("litellm_provider") == vendor:
        entry = known[name]
    return entry


@lru_cache(maxsize=64)
def _league_price(text: str, dollars: tuple[tuple[str, float], ...]) -> Price:
    stated = {name: _pico(per_million / 1e6) for name, per_million in dollars}
    rates = Rates(
        input=stated["input"],
        output=stated["output"],
        cached=stated.get("cached", stated["input"]),
        written=max(stated.get("written", 0), stated["input"]),
        reasoning=stated["output"],
    )
    return Price("league-file", text, ((0, rates),))


@lru_cache(maxsize=64)
def _map_price(model: str) -> Price | None:
    entry = listing(model)
    if not entry or not (entry.get(_INPUT) or entry.get(_OUTPUT)) or None in (entry.get(_INPUT), entry.get(_OUTPUT)):
        return None
    costs = {name: value for name, value in entry.items() if "cost" in name or "pricing" in name}
    thresholds = sorted(int(match[1]) for name in costs if (match := _LONG_PROMPTS.fullmatch(name)))
    tiers = [(0, _rates(costs, ""))]
    tiers += [(1000 * thousand + 1, _rates(costs, f"_above_{thousand}k_tokens")) for thousand in thresholds]
    return Price(f"litellm-{version('litellm')}", canonical_json(costs), tuple(tiers))


def _rates(costs: Mapping[str, Any], suffix: str) -> Rates:
    def cost(name: str) -> float | None:
        listed = costs.get(name + suffix)
        return costs.get(name) if listed is None else listed

    price_in, price_out, cached, reasoning = cost(_INPUT) or 0, cost(_OUTPUT) or 0, cost(_CACHED), cost(_REASONING)
    return Rates(
        input=_pico(price_in),
        output=_pico(price_out),
        cached=_pico(price_in if cached is None else cached),
        written=_pico(max(cost(_WRITTEN) or 0, price_in)),
        reasoning=_pico(price_out if reasoning is None else reasoning),
    )


def _pico(dollars_a_token: float) -> int:
    return math.ceil(round(dollars_a_token * 1e12, 3))
