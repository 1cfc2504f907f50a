"""Which model to ask and how: a LiteLLM id and options, checked so that nothing secret or contrary can be in them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from backroom_pipeline.fpl.model import Frozen

_KEYS_ELSEWHERE = "give the name of an environment variable in api_key_env instead; the ledger keeps options"
_OWN_RETRIES = "retries are this package's own, so that every attempt is in the ledger"
_OWN_REQUEST = "the request is written by this package"
_ANOTHER_MODEL = "a contest would be played by somebody else"

_REFUSED = {
    "api_key": _KEYS_ELSEWHERE,
    "headers": _KEYS_ELSEWHERE,
    "extra_headers": _KEYS_ELSEWHERE,
    "default_headers": _KEYS_ELSEWHERE,
    "num_retries": _OWN_RETRIES,
    "max_retries": _OWN_RETRIES,
    "fallbacks": _ANOTHER_MODEL,
    "context_window_fallback_dict": _ANOTHER_MODEL,
    "model_list": _ANOTHER_MODEL,
    "model": _ANOTHER_MODEL,
    "messages": _OWN_REQUEST,
    "stream": _OWN_REQUEST,
    "n": _OWN_REQUEST,
    "tools": _OWN_REQUEST,
    "tool_choice": _OWN_REQUEST,
    "functions": _OWN_REQUEST,
    "mock_response": _OWN_REQUEST,
    "drop_params": "an option the vendor does not know must be an error, not be dropped in silence",
}
RESPONSE_FORMATS = ("json_schema", "json_object", "none")
DEFAULT_TIMEOUT_SECONDS = 300.0

OWN_OPTIONS = frozenset({"api_key_env", "concurrency", "price", "prompt_cache", "response_format", "timeout"})
"""What this package reads; everything else goes to LiteLLM."""

LENGTH_OPTIONS = ("max_completion_tokens", "max_tokens")

# Where, how patiently and at what price to ask; the answer does not depend on them, so neither does the identity of a
# request.
_CIRCUMSTANCES = frozenset({"api_base", "api_key_env", "concurrency", "price", "prompt_cache", "timeout"})

_PRICES = frozenset({"input", "output", "cached", "written"})


class ModelSpec(Frozen):
    """A model and its options.

    Options of ours: ``api_key_env`` (name of the variable holding the key; without it LiteLLM looks for the vendor's
    usual one), ``response_format`` (``json_schema`` (default), ``json_object`` or ``none``), ``timeout`` in seconds,
    ``concurrency`` (calls at once to this vendor), ``prompt_cache`` (whether the vendor's cache of prompt prefixes is
    used; left out: where it pays), ``price`` (dollars per million tokens: ``input`` and ``output``, and where the
    vendor has them ``cached`` and ``written``). All others go to LiteLLM as they are: temperature, max_tokens,
    reasoning_effort, api_base and so on.
    """

    model: str = Field(min_length=1)
    options: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _options_can_be_used(self) -> Self:
        for option in self.options:
            if option in _REFUSED:
                raise ValueError(f"Option {option} of model {self.model} is not accepted: {_REFUSED[option]}.")
        if self.response_format not in RESPONSE_FORMATS:
            raise ValueError(f"Option response_format of model {self.model} is one of {', '.join(RESPONSE_FORMATS)}.")
        if self.concurrency is not None and not _is_whole(self.concurrency, 1):
            raise ValueError(f"Option concurrency of model {self.model} is a whole number of calls, 1 or more.")
        if self.prompt_cache not in (None, True, False):
            raise ValueError(f"Option prompt_cache of model {self.model} is true or false.")
        if self.price is not None and not _is_price(self.price):
            raise ValueError(
                f"Option price of model {self.model} is dollars per million tokens, such as "
                "{input: 3, output: 15, cached: 0.3}; input and output are needed."
            )
        return self

    @property
    def response_format(self) -> str:
        return str(self.options.get("response_format", "json_schema"))

    @property
    def timeout(self) -> float:
        return float(self.options.get("timeout", DEFAULT_TIMEOUT_SECONDS))

    @property
    def api_key_env(self) -> str | None:
        return self.options.get("api_key_env")

    @property
    def concurrency(self) -> int | None:
        """Calls to the vendor at the same time; None where nothing limits them."""
        return self.options.get("concurrency")

    @property
    def prompt_cache(self) -> bool | None:
        return self.options.get("prompt_cache")

    @property
    def price(self) -> Mapping[str, float] | None:
        """Dollars per million tokens as the league states them, for models the price map does not know."""
        return self.options.get("price")

    @property
    def most_answer_tokens(self) -> int | None:
        """The longest answer the options allow, reasoning included; None where they do not say."""
        stated = [room for name in LENGTH_OPTIONS if _is_whole(room := self.options.get(name), 1)]
        return stated[0] if stated else None

    @property
    def is_house(self) -> bool:
        """An offline house model: free, local, deterministic."""
        return self.model.startswith("house/")

    @property
    def vendor(self) -> str:
        """Who is called: the host of ``api_base`` where there is one, else LiteLLM's provider prefix."""
        host = urlsplit(str(self.options.get("api_base") or "")).netloc
        return host.rpartition("@")[2] or self.model.partition("/")[0]

    @property
    def identity(self) -> dict[str, Any]:
        """The options an answer depends on; two requests differing in others only are the same request."""
        return {name: value for name, value in sorted(self.options.items()) if name not in _CIRCUMSTANCES}


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_price(price: object) -> bool:
    return (
        isinstance(price, Mapping)
        and {"input", "output"} <= price.keys() <= _PRICES
        and all(isinstance(x, int | float) and not isinstance(x, bool) and 0 <= x < math.inf for x in price.values())
    )
