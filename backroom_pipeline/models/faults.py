"""What goes wrong in one exchange with a vendor, sorted by what can be done about it and told to an operator.

LiteLLM wraps what the vendor's library raised, often twice, and loses parts on the way; the whole chain is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from backroom_pipeline.models.cost import NOT_BILLED, UNKNOWN, Cost
from backroom_pipeline.models.redaction import storable
from backroom_pipeline.models.spec import ModelSpec

FaultStatus = Literal["timeout", "transport", "refused", "error"]

_TRANSIENT = frozenset({408, 409, 425, 429})
_TURNED_AWAY = frozenset({429, 503, 529})
"""The vendor did not begin; after any other passing fault the call may have been billed."""
_ERROR_WITHOUT_CODE = 422
"""What LiteLLM makes of an error that came with status 200 and no code of its own."""
_FILTERED = frozenset({"content_policy_violation", "content_filter"})
_OUT_OF_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
"""Sent with status 429 like any haste, but no waiting helps."""
_LONGEST_SAYING = 500
_WRAPPINGS = re.compile(r"\A(?:(?:litellm\.)?\w*(?:Error|Exception|Timeout)(?: Error)?(?::| -) ?)+")
_TRACEBACK = re.compile(r"Traceback \(most recent call last\):\n(?:  .*\n)+")
# What pydantic was given, with its middle left out: of a key, both ends.
_QUOTED_INPUT = re.compile(r", input_value=.*?(?=, input_type=)", re.DOTALL)


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


def overdue(spec: ModelSpec) -> Fault:
    """For a call that went on, perhaps a byte at a time, after its time was over."""
    return Fault("timeout", f"{spec.model} did not answer in {spec.timeout:g} s; it was given up.", UNKNOWN)


def swallowed(spec: ModelSpec) -> Fault:
    """For LiteLLM 1.110.2, which on some complaints about messages asks twice and then returns nothing at all."""
    complaint = "the vendor objects to the messages of the request, and LiteLLM keeps its words to itself"
    return Fault("error", f"{spec.model} brought neither an answer nor an error: {complaint}.", UNKNOWN)


def fault_of(litellm: Any, spec: ModelSpec, error: Exception) -> Fault:
    """The fault behind an exception of LiteLLM's."""
    chain = tuple(_chain(error))
    codes = {code for raised in chain for code in _codes(raised)}
    status, said = getattr(error, "status_code", None), _said(chain)
    answered = any(type(raised).__name__ == "HTTPStatusError" for raised in chain)
    in_place_of_an_answer = any(type(raised) is Exception and hasattr(raised, "status_code") for raised in chain)
    if in_place_of_an_answer and status == _ERROR_WITHOUT_CODE:
        status = None
    if isinstance(error, litellm.ContentPolicyViolationError) or codes & _FILTERED:
        return Fault("refused", f"{spec.model} refused the request: {said}", NOT_BILLED)
    if codes & _OUT_OF_MONEY:
        return Fault(
            "error", f"{spec.model} is out of quota, and waiting will not help: {_then(said, 402)}", NOT_BILLED
        )
    if isinstance(error, litellm.Timeout):
        how = "timed out at the vendor" if answered else f"did not answer in {spec.timeout:g} s"
        return Fault("timeout", f"{spec.model} {how}: {said}", UNKNOWN)
    if not isinstance(status, int) or status in _TRANSIENT or status >= 500 or "overloaded" in said.lower():
        how = _how(chain, status if answered else None, in_place_of_an_answer=in_place_of_an_answer)
        cost = NOT_BILLED if status in _TURNED_AWAY else UNKNOWN
        return Fault("transport", f"{spec.model} {how}: {said}", cost, _retry_after(chain))
    return Fault("error", f"{spec.model} rejected the request with status {status}: {_then(said, status)}", NOT_BILLED)


def _how(chain: tuple[BaseException, ...], status: object, *, in_place_of_an_answer: bool) -> str:
    if status is not None:
        return f"answered with status {status}"
    if in_place_of_an_answer:
        return "sent an error in place of an answer"
    if any(isinstance(raised, OSError) or type(raised).__module__.startswith("http") for raised in chain):
        return "could not be reached"
    return "sent something that is not an answer"


def _then(said: str, status: int) -> str:
    """What was said, and what the operator can do about it."""
    advice = {
        401: "Check its key.",
        402: "Top up the account, or give the manager another model.",
        403: "Check its key and what the account may use.",
        404: "Check the model id in the league file.",
        413: "Give the manager a model that reads more.",
    }.get(status)
    return f"{said.rstrip('.')}. {advice}" if advice else said


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _codes(raised: BaseException) -> Iterator[str]:
    """The names a vendor gave to what happened, wherever a library kept them."""
    body = getattr(raised, "body", None)
    for name in ("code", "type"):
        for code in (getattr(raised, name, None), body.get(name) if isinstance(body, dict) else None):
            if isinstance(code, str):
                yield code


def _said(chain: tuple[BaseException, ...]) -> str:
    """The vendor's own words, without what the libraries put around them."""
    for raised in chain:
        text = str(raised) or str(getattr(raised, "message", ""))
        for noise in (_TRACEBACK, _QUOTED_INPUT, _WRAPPINGS):
            text = noise.sub("", text)
        words = " ".join(storable(text).split())
        if words:
            return words[:_LONGEST_SAYING]
    return type(chain[0]).__name__


def _retry_after(chain: tuple[BaseException, ...]) -> float | None:
    """Seconds the vendor asks to wait; None where it does not say."""
    for raised in chain:
        for holder in (getattr(raised, "response", None), raised):
            headers = getattr(holder, "headers", None) or getattr(holder, "litellm_response_headers", None) or {}
            for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
                seconds = _seconds(str(headers.get(name, "")), unit)
                if seconds is not None:
                    return seconds
    return None


def _seconds(value: str, unit: float) -> float | None:
    """A number, or the time until a date."""
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value):
        return float(value) * unit
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (until.astimezone(UTC) - datetime.now(UTC)).total_seconds())
