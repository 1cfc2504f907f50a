"""The typed call: ask a language model until its answer is legal, within two budgets, with every attempt on record.

What was asked before a crash is read from the ledger instead of being asked again. Transport faults and faults of
content have separate budgets: an overloaded vendor costs a model none of its tries to be right.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel
from tenacity import RetryCallState, Retrying, retry_if_exception, wait_random_exponential
from tenacity.wait import wait_base

from backroom_pipeline.fpl.model import Breach
from backroom_pipeline.ledger.rows import AttemptKind, AttemptStatus, CallKey
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.models.attempts import AttemptLog, Request
from backroom_pipeline.models.cost import Cost
from backroom_pipeline.models.faults import Fault
from backroom_pipeline.models.litellm_provider import Reply, complete
from backroom_pipeline.models.prompt import Prompt
from backroom_pipeline.models.reading import Unreadable, read_answer
from backroom_pipeline.models.spec import ModelSpec
from backroom_pipeline.models.spending import USUAL_ROOM, Guard, OverCap, Sent

__all__ = ["Asked", "CallBudget", "CannotAnswer", "CapReached", "ModelSpec", "Prompt", "ask", "response_format_of"]

T = TypeVar("T", bound=BaseModel)
Check = Callable[[T], Sequence[Breach]]

CUT = (
    Breach(
        code="truncated",
        sentence="The answer was cut off because it was too long. Give shorter reasons and no more than is asked.",
    ),
)


@dataclass(frozen=True)
class CallBudget:
    """How often to ask again in one ``ask``, and how long to wait before it."""

    transport: int = 4
    """Repeats after a time-out, a lost connection, an overloaded vendor."""
    content: int = 2
    """Repairs after an unreadable or illegal answer."""
    wait: wait_base = field(default_factory=lambda: wait_random_exponential(multiplier=1, max=60))
    """Backoff where the vendor does not say how long to wait; where it says so, it is obeyed."""
    longest_wait: float = 120.0
    """Seconds; a vendor that asks for more is not waited for."""


@dataclass(frozen=True)
class Asked(Generic[T]):
    """A legal answer and what it took."""

    value: T
    attempt_id: str
    """The attempt that brought the answer."""
    attempts: int
    """Calls made now."""
    replayed_attempts: int
    """Results of earlier calls read from the ledger instead of asking again."""
    cost_micro_dollars: int | None
    """Of all of them; None when that of any is unknown."""


class CannotAnswer(Exception):
    """A role that could not be brought to a legal answer. ``reason`` is for the operator, ``reasons`` one a try."""

    def __init__(self, key: CallKey, reason: str, reasons: Sequence[str] = ()) -> None:
        super().__init__(
            f"{key.manager}'s {key.role} could not answer in gameweek {key.gameweek} of {key.season}: {reason}"
        )
        self.key = key
        self.reason = reason
        self.reasons = tuple(reasons)


class CapReached(CannotAnswer):
    """The next call might cost more than the league lets it; it was not made."""


def ask(
    ledger: Ledger,
    key: CallKey,
    prompt: Prompt,
    spec: ModelSpec,
    answer_type: type[T],
    check: Check[T],
    budget: CallBudget | None = None,
    guard: Guard | None = None,
    schema: Mapping[str, Any] | None = None,
) -> Asked[T]:
    """A legal answer to the prompt.

    ``check`` names the breaches of an answer of the right form; they go back to the model with the original prompt.
    ``schema`` is what the vendor is told of that form where it is narrower than the type's own; answers are read by the
    type all the same.
    Stored replies to the same request are used first. Only when they end in failure is the model asked anew: running
    a failed step again is a new try, finishing an interrupted one is not. No call is made that the guard does not let
    through. Raises CannotAnswer, and CapReached where a cap of the league stands against the next call.
    """
    log = AttemptLog(ledger, key)
    asking = _Asking(log, spec, answer_type, check, budget or CallBudget(), guard or Guard(), schema)
    while True:
        try:
            return asking.round(prompt)
        except _OutOfTries as end:
            if not end.replayed:
                raise CannotAnswer(key, end.reason, asking.reasons) from None
        except OverCap as over:
            raise CapReached(key, str(over), asking.reasons) from None


class _OutOfTries(Exception):
    """A budget is used up; ``replayed`` where the last straw was in an earlier run."""

    def __init__(self, reason: str, *, replayed: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.replayed = replayed


@dataclass(frozen=True)
class _Heard(Generic[T]):
    """A reply, new or replayed, and what was found about it: a value, or what is wrong."""

    attempt_id: str
    reply: Reply
    status: AttemptStatus
    replayed: bool
    value: T | None = None
    breaches: tuple[Breach, ...] = ()

    @property
    def error(self) -> str | None:
        return " ".join(breach.sentence for breach in self.breaches) or None


class _Asking(Generic[T]):
    """One ``ask`` in progress."""

    def __init__(
        self, log: AttemptLog, spec: ModelSpec, answer_type: type[T], check: Check[T], budget: CallBudget, guard: Guard,
        schema: Mapping[str, Any] | None,
    ) -> None:  # fmt: skip
        self._log, self._spec, self._answer_type, self._check, self._schema = log, spec, answer_type, check, schema
        self._budget, self._guard = budget, guard
        self.reasons: list[str] = []
        self._costs: list[Cost] = []
        self._made = self._replayed = 0
        self._transport_faults = 0

    def round(self, original: Prompt) -> Asked[T]:
        """Ask and repair until the answer is legal or the content budget is used up."""
        prompt, spec = original, self._spec
        repairs, raises, tries_after_refusal = self._budget.content, 1, 1
        while True:
            told = response_format_of(self._answer_type, spec.response_format, self._schema)
            heard = self._hear(Request(spec, prompt, told))
            if heard.value is not None:
                return self._asked(heard.value, heard.attempt_id)
            self.reasons.append(f"{heard.status}: {heard.error}")
            if heard.status == "truncated" and raises:
                raises -= 1
                spec = _with_more_room(spec, heard.reply.usage)
            elif heard.status == "refused" and tries_after_refusal:
                tries_after_refusal -= 1
            elif heard.status != "refused" and repairs:
                repairs -= 1
                prompt = original.with_breaches(heard.breaches)
                spec = self._spec if heard.status == "error" else spec
            else:
                reason = f"{spec.model} gave no acceptable answer in {len(self.reasons)} tries. Last: {heard.error}"
                raise _OutOfTries(reason, replayed=heard.replayed)

    def _hear(self, request: Request) -> _Heard[T]:
        """The next stored reply to this request, or a new one."""
        stored = self._log.replay(request)
        if stored is not None:
            attempt_id, reply = stored
            self._replayed += 1
            self._costs.append(reply.cost)
            return self._judged(attempt_id, reply, replayed=True)
        retrying = Retrying(
            retry=retry_if_exception(self._worth_a_repeat),
            stop=lambda _: self._transport_faults > self._budget.transport,
            wait=_RetryAfter(self._budget.wait),
            reraise=True,
        )
        try:
            return retrying(self._attempt, request, retrying)
        except Fault as fault:
            raise _OutOfTries(self._given_up(fault), replayed=False) from None

    def _given_up(self, fault: Fault) -> str:
        calls = "1 call" if self._made == 1 else f"{self._made} calls"
        if fault.transient and not self._worth_a_repeat(fault):
            return f"{fault} (it asks to wait {fault.retry_after:.0f} s; given up after {calls})"
        return f"{fault} (after {calls})"

    def _worth_a_repeat(self, error: BaseException) -> bool:
        return isinstance(error, Fault) and error.transient and (error.retry_after or 0) <= self._budget.longest_wait

    def _attempt(self, request: Request, retrying: Retrying) -> _Heard[T]:
        """One call, on record before and after. Raises Fault, except for a refusal, which is a reply."""
        kind: AttemptKind = "content" if retrying.statistics["attempt_number"] == 1 else "transport"
        with self._guard.turn(request) as sent:
            begun = self._log.begin(request, kind, self._guard.reserve)
            self._made += 1
            outcome = _outcome(sent, request)
            arrived = time.monotonic()
        if isinstance(outcome, Fault):
            fault = outcome
            self._log.failed(begun, fault)
            self._costs.append(fault.cost)
            if fault.status == "refused":
                refusal = Reply(str(fault), None, True, None, fault.cost)
                return self._judged(begun.attempt_id, refusal, replayed=False)
            if fault.status == "error" and request.spec != self._spec:
                # The room that the last answer lacked is more than the vendor grants: the next one has to be shorter.
                return _Heard(begun.attempt_id, Reply("", None, False, None, fault.cost), "error", False, breaches=CUT)
            self.reasons.append(f"{fault.status}: {fault}")
            self._transport_faults += fault.transient
            raise fault
        reply = outcome
        self._costs.append(reply.cost)
        try:
            heard = self._judged(begun.attempt_id, reply, replayed=False)
        except Exception as error:
            # The answer is paid for: kept, and read again once whatever failed to judge it is mended.
            self._log.replied(begun, reply, arrived, "error", f"Checking the answer failed: {error!r}")
            raise
        self._log.replied(begun, reply, arrived, heard.status, heard.error)
        return heard

    def _judged(self, attempt_id: str, reply: Reply, *, replayed: bool) -> _Heard[T]:
        def wrong(status: AttemptStatus, *breaches: Breach) -> _Heard[T]:
            return _Heard(attempt_id, reply, status, replayed, breaches=breaches)

        if reply.refused:
            sentence = f"The model refused: {reply.text[:300]}" if reply.text else "A filter held the answer back."
            return wrong("refused", Breach(code="refused", sentence=sentence))
        if reply.truncated:
            return wrong("truncated", *CUT)
        try:
            value = read_answer(reply.text, self._answer_type)
        except Unreadable as unreadable:
            return wrong("invalid", *unreadable.breaches)
        breaches = tuple(self._check(value))
        if breaches:
            return wrong("illegal", *breaches)
        return _Heard(attempt_id, reply, "ok", replayed, value=value)

    def _asked(self, value: T, attempt_id: str) -> Asked[T]:
        known = [cost.micro_dollars for cost in self._costs if cost.micro_dollars is not None]
        total = sum(known) if len(known) == len(self._costs) else None
        return Asked(value, attempt_id, self._made, self._replayed, total)


def _outcome(sent: Sent, request: Request) -> Reply | Fault:
    try:
        return complete(sent.spec, sent.messages, request.response_format)
    except Fault as fault:
        return fault


class _RetryAfter(wait_base):
    """Waits as long as the vendor asked, else as long as the backoff says."""

    def __init__(self, backoff: wait_base) -> None:
        self._backoff = backoff

    def __call__(self, retry_state: RetryCallState) -> float:
        fault = retry_state.outcome.exception() if retry_state.outcome else None
        asked_for = fault.retry_after if isinstance(fault, Fault) else None
        return self._backoff(retry_state) if asked_for is None else asked_for


def _with_more_room(spec: ModelSpec, usage: Mapping[str, Any] | None) -> ModelSpec:
    """Twice the tokens for the answer."""
    name = "max_completion_tokens" if "max_completion_tokens" in spec.options else "max_tokens"
    room = spec.options.get(name) or (usage or {}).get("completion_tokens") or USUAL_ROOM
    return ModelSpec(model=spec.model, options={**spec.options, name: 2 * room})


def response_format_of(
    answer_type: type[BaseModel], kind: str, schema: Mapping[str, Any] | None = None
) -> dict[str, Any] | None:
    """What the vendor is told about the form of the answer: the schema, that it is JSON, or nothing.

    ``schema``: a narrower one than the type's own.
    """
    if kind == "none":
        return None
    if kind == "json_object":
        return {"type": "json_object"}
    # Not the vendors' strict mode, which knows no optional keys; validation is done here in any case.
    told = {"name": answer_type.__name__, "schema": schema or _schema_of(answer_type), "strict": False}
    return {"type": "json_schema", "json_schema": told}


@cache
def _schema_of(answer_type: type[BaseModel]) -> dict[str, Any]:
    return answer_type.model_json_schema()
