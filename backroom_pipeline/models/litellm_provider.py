"""One exchange with a language model through LiteLLM: no retry, nothing printed, no key in anything it returns."""

from __future__ import annotations

import json
import logging
import os
import queue
import threading
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from backroom_pipeline.models.cost import HOUSE_FREE, NOT_BILLED, Cost, cost_of
from backroom_pipeline.models.faults import Fault, fault_of, overdue, swallowed
from backroom_pipeline.models.prices import price_of
from backroom_pipeline.models.redaction import RedactingFilter, protect, storable
from backroom_pipeline.models.spec import OWN_OPTIONS, ModelSpec

_TALKATIVE_LOGGERS = (
    "LiteLLM",
    "httpx",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.http2",
    "httpcore.proxy",
    "openai._base_client",
)
_GRACE_SECONDS = 1.0
"""What a call is given beyond its time-out, so that the libraries can say in which part of it time ran out."""
_MOST_TOKENS = 1_000_000_000
"""A vendor that reports more has made a mistake."""

_setting_up = threading.Lock()
_litellm: Any = None


@dataclass(frozen=True)
class Reply:
    """What came back, well or badly formed. ``text`` is the content, else a tool call's arguments, else empty."""

    text: str
    finish_reason: str | None
    refused: bool
    """The model declined, or a filter held its answer back."""
    usage: Mapping[str, Any] | None
    """As the vendor reported it, with LiteLLM's own figure of the cost; None when it reported none."""
    cost: Cost

    @property
    def truncated(self) -> bool:
        return self.finish_reason == "length"


def complete(spec: ModelSpec, messages: list[dict[str, Any]], response_format: dict[str, Any] | None) -> Reply:
    """Ask once. Raises Fault."""
    litellm = ready()
    arguments = {name: value for name, value in spec.options.items() if name not in OWN_OPTIONS}
    if response_format is not None:
        arguments["response_format"] = response_format
    if spec.api_key_env is not None:
        arguments["api_key"] = _key(spec)

    def call() -> Any:
        return litellm.completion(
            model=spec.model,
            messages=messages,
            timeout=spec.timeout,
            num_retries=0,
            max_retries=0,
            drop_params=False,
            **arguments,
        )

    fault: Fault
    try:
        response = call() if spec.is_house else _within(spec.timeout + _GRACE_SECONDS, call)
    except _Overdue:
        fault = overdue(spec)
    except Exception as error:
        fault = fault_of(litellm, spec, error)
    else:
        if response is not None:
            return _reply(litellm, spec, response)
        fault = swallowed(spec)
    # Outside the handler: a chained exception of the vendor's would carry the request, and the key with it.
    raise fault


class _Overdue(Exception):
    """Time is up."""


def _within(seconds: float, call: Callable[[], Any]) -> Any:
    """What the call returns or raises. Raises _Overdue when it takes longer.

    The libraries limit the silence between two bytes, not the whole: a vendor that trickles would never be given up.
    """
    outcome: queue.SimpleQueue[tuple[Any, Exception | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            outcome.put((call(), None))
        except Exception as error:
            outcome.put((None, error))

    threading.Thread(target=run, name="call", daemon=True).start()
    try:
        response, error = outcome.get(timeout=seconds)
    except queue.Empty:
        raise _Overdue from None
    if error is not None:
        raise error
    return response


def ready() -> Any:
    """LiteLLM, imported and set up once, whichever thread comes first. Takes seconds the first time."""
    global _litellm
    with _setting_up:
        if _litellm is None:
            os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
            os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"
            # LiteLLM's own types, which pydantic comments on when it first meets them.
            warnings.filterwarnings("ignore", "Item '.*' on TypedDict class .* is using the `ReadOnly`", UserWarning)
            # Quotes what a vendor sent, whatever that holds.
            warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)
            import litellm

            from backroom_pipeline.models.house.provider import HouseModel

            litellm.suppress_debug_info = True
            litellm.turn_off_message_logging = True
            litellm.custom_provider_map = [{"provider": "house", "custom_handler": HouseModel()}]
            for name in _TALKATIVE_LOGGERS:
                _silence(logging.getLogger(name))
            _litellm = litellm
    return _litellm


def _silence(logger: logging.Logger) -> None:
    logger.addFilter(RedactingFilter())
    if "LITELLM_LOG" not in os.environ:
        logger.setLevel(logging.ERROR)


def _key(spec: ModelSpec) -> str:
    protect(str(spec.api_key_env))
    key = os.environ.get(str(spec.api_key_env), "")
    if not key:
        raise Fault(
            "error",
            f"the environment variable {spec.api_key_env}, which should hold the key for {spec.model}, is not set; "
            "export it and run again.",
            NOT_BILLED,
        )
    return key


def _reply(litellm: Any, spec: ModelSpec, response: Any) -> Reply:
    choice = response.choices[0] if response.choices else None
    content, declined = _words(choice.message) if choice else ("", "")
    usage = _usage(response, content)
    return Reply(
        text=storable(content or declined),
        finish_reason=choice.finish_reason if choice else None,
        refused=choice is not None and (choice.finish_reason == "content_filter" or bool(declined and not content)),
        usage=usage,
        cost=HOUSE_FREE if spec.is_house else cost_of(usage, price_of(spec)),
    )


def _words(message: Any) -> tuple[str, str]:
    """The answer, else the arguments of a call in its place; and the words with which the model declined."""
    content, declined = message.content, _text(getattr(message, "refusal", None))
    if not content:
        calls = [call.function for call in message.tool_calls or ()]
        legacy = getattr(message, "function_call", None)
        content = next((call.arguments for call in (*calls, legacy) if call and call.arguments), "")
    thoughts = getattr(message, "reasoning_content", None)
    if not content and not declined and thoughts:
        content = f"<think>{thoughts}</think>"  # nothing to read, but kept
    return _text(content), declined


def _text(value: Any) -> str:
    """Text as it is; what a vendor sends where text belongs, as its JSON."""
    return value if isinstance(value, str) else json.dumps(value) if value else ""


def _usage(response: Any, content: str) -> dict[str, Any] | None:
    usage = getattr(response, "usage", None)
    if usage is None or not usage.prompt_tokens:
        return None  # LiteLLM reports usage that a vendor left out as zeros
    reported: dict[str, Any] = usage.model_dump(mode="json", exclude_none=True)
    if not _can_be(reported, content):
        return {"impossible": json.dumps(reported)}
    litellm_cost = response._hidden_params.get("response_cost")
    return reported if litellm_cost is None else {**reported, "litellm_cost_dollars": litellm_cost}


def _can_be(usage: Mapping[str, Any], content: str) -> bool:
    """Whether these are counts: a negative one would lower what was spent, a huge one break every sum."""
    read, written = usage["prompt_tokens"], usage.get("completion_tokens") or 0
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    return 0 < read < _MOST_TOKENS and (0 if not content else 1) <= written < _MOST_TOKENS and 0 <= cached <= read
