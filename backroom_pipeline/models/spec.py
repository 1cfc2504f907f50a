"""Which model to ask and how: a LiteLLM id and options, checked so that nothing secret or contrary can be in them."""

from __future__ import annotations

from typing import Any, Self

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

# Where and how patiently to ask; the answer does not depend on them, so neither does the identity of a request.
_CIRCUMSTANCES = frozenset({"api_base", "api_key_env", "timeout"})


class ModelSpec(Frozen):
    """A model and its options.

    Options of ours: ``api_key_env`` (name of the variable holding the key; without it LiteLLM looks for the vendor's
    usual one), ``response_format`` (``json_schema`` (default), ``json_object`` or ``none``), ``timeout`` in seconds.
    All others go to LiteLLM as they are: temperature, max_tokens, reasoning_effort, api_base and so on.
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
    def is_house(self) -> bool:
        """An offline house model: free, local, deterministic."""
        return self.model.startswith("house/")

    @property
    def identity(self) -> dict[str, Any]:
        """The options an answer depends on; two requests differing in others only are the same request."""
        return {name: value for name, value in sorted(self.options.items()) if name not in _CIRCUMSTANCES}
