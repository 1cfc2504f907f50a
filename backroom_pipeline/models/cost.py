"""What a call cost, in integer millionths of a dollar, computed here from the usage the vendor reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backroom_pipeline.models.prices import PICO_DOLLARS_IN_A_MICRO_DOLLAR, Price


@dataclass(frozen=True)
class Cost:
    """``micro_dollars`` is None exactly where ``source`` is ``unknown``, which is not the same as nothing."""

    micro_dollars: int | None
    source: str
    """``house: free``, ``not billed``, ``unknown``, or the version of the price it was computed with."""


HOUSE_FREE = Cost(0, "house: free")
NOT_BILLED = Cost(0, "not billed")
"""The vendor refused the request as such: a 4xx answer, or it was never sent."""
UNKNOWN = Cost(None, "unknown")
"""A time-out, a broken connection, a model without a price, an answer without usage: it may have been billed."""


def cost_of(usage: Mapping[str, Any] | None, price: Price | None) -> Cost:
    """Usage times price, rounded up to a micro-dollar; unknown where either is missing or the usage contradicts itself.

    Of the prompt, tokens read from the vendor's cache and tokens written to it have their own prices; of the answer,
    tokens of reasoning. LiteLLM counts all three within the totals.
    """
    if not usage or price is None:
        return UNKNOWN
    prompt, answer = usage.get("prompt_tokens"), usage.get("completion_tokens") or 0
    within_prompt = usage.get("prompt_tokens_details") or {}
    cached = within_prompt.get("cached_tokens") or 0
    written = within_prompt.get("cache_write_tokens") or within_prompt.get("cache_creation_tokens") or 0
    reasoning = (usage.get("completion_tokens_details") or {}).get("reasoning_tokens") or 0
    if not prompt or min(cached, written, reasoning) < 0 or cached + written > prompt or reasoning > answer:
        return UNKNOWN
    rates = price.rates(prompt)
    pico_dollars = (
        (prompt - cached - written) * rates.input
        + cached * rates.cached
        + written * rates.written
        + (answer - reasoning) * rates.output
        + reasoning * rates.reasoning
    )
    return Cost(in_micro_dollars(pico_dollars), price.version)


def in_micro_dollars(pico_dollars: int) -> int:
    """Rounded up."""
    return -(-pico_dollars // PICO_DOLLARS_IN_A_MICRO_DOLLAR)
