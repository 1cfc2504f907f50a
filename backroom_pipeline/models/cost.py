"""What a call cost, in integer millionths of a dollar, computed here from the usage the vendor reported."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_PICO = 1_000_000
"""Prices are held in millionths of a micro-dollar a token, so that sums stay integers."""


@dataclass(frozen=True)
class Cost:
    """``micro_dollars`` is None exactly where ``source`` is ``unknown``, which is not the same as nothing."""

    micro_dollars: int | None
    source: str
    """``house: free``, ``not billed``, ``estimated`` or ``unknown``."""


HOUSE_FREE = Cost(0, "house: free")
NOT_BILLED = Cost(0, "not billed")
"""The vendor refused the request as such: a 4xx answer, or it was never sent."""
UNKNOWN = Cost(None, "unknown")
"""A time-out, a broken connection, a model without a price, an answer without usage: it may have been billed."""


def cost_of(usage: Mapping[str, Any] | None, prices: Mapping[str, Any] | None) -> Cost:
    """Usage times LiteLLM's price map, rounded up; unknown where either is missing.

    Tokens read from the vendor's cache have their own price, where the map has one.
    """
    if not usage or not usage.get("prompt_tokens") or not prices:
        return UNKNOWN
    price_in, price_out = prices.get("input_cost_per_token"), prices.get("output_cost_per_token")
    if price_in is None or price_out is None:
        return UNKNOWN
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    price_cached = prices.get("cache_read_input_token_cost")
    pico = (
        (usage["prompt_tokens"] - cached) * _pico(price_in)
        + cached * _pico(price_in if price_cached is None else price_cached)
        + (usage.get("completion_tokens") or 0) * _pico(price_out)
    )
    return Cost(-(-pico // _PICO), "estimated")


def _pico(dollars_per_token: float) -> int:
    return math.ceil(round(dollars_per_token * 1e12, 3))
