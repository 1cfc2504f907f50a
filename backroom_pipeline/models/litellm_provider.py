"""One exchange with a language model through LiteLLM: no retry, nothing printed, no key in anything it returns."""

from __future__ import annotations

import logging
import os
import threading
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from backroom_pipeline.models.cost import HOUSE_FREE, NOT_BILLED, UNKNOWN, Cost, cost_of
from backroom_pipeline.models.prices import price_of
from backroom_pipeline.models.redaction import RedactingFilter, redact
from backroom_pipeline.models.spec import OWN_OPTIONS, ModelSpec

FaultStatus = Literal["timeout", "transport", "refused", "error"]

_TRANSIENT = frozenset({408, 409, 425, 429})
_TURNED_AWAY = frozenset({429, 503, 529})
"""The vendor did not begin; after any other fault the call may have been billed."""
_FILTERED_CODES = frozenset({"content_policy_violation", "content_filter"})
_TALKATIVE_LOGGERS = ("LiteLLM", "httpx", "openai._base_client")
_LONGEST_ERROR = 500

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


class Fault(Exception):
    """A call that brought no reply. The message is redacted and safe to store and show."""

    status: FaultStatus

    def __init__(
        self,
        status: FaultStatus,
        sentence: str,
        cost: Cost,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.cost = cost
        self.retry_after = retry_after

    @property
    def transient(self) -> bool:
        """Worth asking again in a while."""
        return self.status in ("timeout", "transport")


def complete(spec: ModelSpec, messages: list[dict[str, str]], response_format: dict[str, Any] | None) -> Reply:
    """Ask once. Raises Fault."""
    litellm = ready()
    arguments = {name: value for name, value in spec.options.items() if name not in OWN_OPTIONS}
    if response_format is not None:
        arguments["response_format"] = response_format
    if spec.api_key_env is not None:
        arguments["api_key"] = _key(spec)
    fault: Fault
    try:
        response = litellm.completion(
            model=spec.model,
            messages=messages,
            timeout=spec.timeout,
            num_retries=0,
            max_retries=0,
            drop_params=False,
            **arguments,
        )
    except Exception as error:
        fault = _fault(litellm, spec, error)
    else:
        return _reply(litellm, spec, response)
    # Outside the handler: a chained exception of the vendor's would carry the request, and the key with it.
    raise fault


def ready() -> Any:
    """LiteLLM, imported and set up once, whichever thread comes first. Takes seconds the first time."""
    global _litellm
    with _setting_up:
        if _litellm is None:
            os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
            os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"
            # LiteLLM's own types, which pydantic comments on when it first meets them.
            warnings.filterwarnings("ignore", "Item '.*' on TypedDict class .* is using the `ReadOnly`", UserWarning)
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
    usage = _usage(response)
    cost = HOUSE_FREE if spec.is_house else cost_of(usage, price_of(spec))
    if not response.choices:
        return Reply("", None, False, usage, cost)
    choice = response.choices[0]
    message = choice.message
    text = message.content or ""
    if not text and message.tool_calls:
        text = message.tool_calls[0].function.arguments or ""
    declined = getattr(message, "refusal", None)
    return Reply(
        text=_storable(text or declined or ""),
        finish_reason=choice.finish_reason,
        refused=choice.finish_reason == "content_filter" or bool(declined and not text),
        usage=usage,
        cost=cost,
    )


def _storable(text: str) -> str:
    """Without keys, and without the lone surrogates that JSON can smuggle in and UTF-8 cannot hold."""
    return redact(text.encode("utf-8", "backslashreplace").decode())


def _usage(response: Any) -> dict[str, Any] | None:
    usage = getattr(response, "usage", None)
    if usage is None or not usage.prompt_tokens:
        return None  # LiteLLM reports usage that a vendor left out as zeros
    reported: dict[str, Any] = usage.model_dump(mode="json", exclude_none=True)
    litellm_cost = response._hidden_params.get("response_cost")
    return reported if litellm_cost is None else {**reported, "litellm_cost_dollars": litellm_cost}


def _fault(litellm: Any, spec: ModelSpec, error: Exception) -> Fault:
    code = getattr(error, "status_code", None)
    said = " ".join(redact(str(error)).split())[:_LONGEST_ERROR]
    if isinstance(error, litellm.ContentPolicyViolationError) or getattr(error, "code", None) in _FILTERED_CODES:
        return Fault("refused", f"{spec.model} refused the request: {said}", NOT_BILLED)
    if isinstance(error, litellm.Timeout):
        return Fault("timeout", f"{spec.model} did not answer in {spec.timeout:g} s: {said}", UNKNOWN)
    if not isinstance(code, int) or code in _TRANSIENT or code >= 500 or "overloaded" in said.lower():
        cost = NOT_BILLED if code in _TURNED_AWAY else UNKNOWN
        return Fault("transport", f"{spec.model} could not be reached: {said}", cost, _retry_after(error))
    return Fault("error", f"{spec.model} rejected the request with status {code}: {said}", NOT_BILLED)


def _retry_after(error: Exception) -> float | None:
    """Seconds the vendor asks to wait; None where it does not say, or says a date."""
    for holder in (getattr(error, "response", None), error):
        headers = getattr(holder, "headers", None) or getattr(holder, "litellm_response_headers", None) or {}
        value = str(headers.get("retry-after", ""))
        if value.replace(".", "", 1).isdigit():
            return float(value)
    return None
