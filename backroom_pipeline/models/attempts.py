"""The record of one answer's attempts: a row before each call, a row after, and what earlier runs left behind."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from backroom_pipeline.ledger.calls import calls, end_attempt, put_text, put_texts, start_attempt, text
from backroom_pipeline.ledger.canonical import canonical_json, sha256_of
from backroom_pipeline.ledger.rows import Attempt, AttemptKind, AttemptResult, AttemptStatus, CallKey
from backroom_pipeline.ledger.spending import CallEstimate, record_estimate
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.models.cost import UNKNOWN, Cost
from backroom_pipeline.models.faults import Fault
from backroom_pipeline.models.litellm_provider import Reply
from backroom_pipeline.models.prices import price_of
from backroom_pipeline.models.prompt import Prompt
from backroom_pipeline.models.spec import ModelSpec

CUT_OFF = "The process ended before an answer came; the call may have been billed."


@dataclass(frozen=True)
class Request:
    """What is sent. Its manifest identifies it: the prompt by hash and every option the answer depends on."""

    spec: ModelSpec
    prompt: Prompt
    response_format: dict[str, Any] | None

    @cached_property
    def manifest(self) -> str:
        return canonical_json(
            {
                "model": self.spec.model,
                "options": self.spec.identity,
                "prompt_sha256": self.prompt.sha256,
                "response_format": self.response_format,
            }
        )


Reserve = Callable[[Ledger, CallKey, Request], CallEstimate | None]
"""What a request may cost; None where that cannot be known. Raises when it may not be made."""


@dataclass(frozen=True)
class Begun:
    """An attempt that is on record and in the air."""

    attempt_id: str
    at: float
    """Monotonic seconds."""


class AttemptLog:
    """Attempts under one key of the ledger. Calls that an earlier process left in the air are closed on opening."""

    def __init__(self, ledger: Ledger, key: CallKey) -> None:
        self._ledger, self._key = ledger, key
        self._stored: dict[str, deque[tuple[str, Reply]]] = {}
        self._number = 0
        for call in calls(ledger, key.season, key.gameweek, key.manager, key.role):
            attempt, result = call.attempt, call.result
            self._number = attempt.number
            if result is None:
                self._end(attempt.attempt_id, "error", UNKNOWN, error=CUT_OFF)
            elif result.answer_sha256 is not None or result.status == "refused":
                stored = self._stored.setdefault(attempt.request_sha256, deque())
                stored.append((attempt.attempt_id, self._reply(result)))

    def replay(self, request: Request) -> tuple[str, Reply] | None:
        """The next stored reply to this request with its attempt's id; every one is given once."""
        stored = self._stored.get(sha256_of(request.manifest))
        return stored.popleft() if stored else None

    def begin(self, request: Request, kind: AttemptKind, reserve: Reserve) -> Begun:
        """Record that the model is about to be asked, with every text of the request and what it may cost.

        ``reserve`` has the last word: nothing is recorded when it raises.
        """
        key, prompt = self._key, request.prompt
        with self._ledger.transaction():
            estimate = reserve(self._ledger, key, request)
            price = price_of(request.spec)
            put_texts(self._ledger, (*prompt.texts, request.manifest, *([price.text] if price else [])))
            self._number += 1
            attempt = Attempt(
                attempt_id=f"{key.season}/{key.gameweek}/{key.manager}/{key.role}/{self._number}",
                **key.model_dump(),
                number=self._number,
                kind=kind,
                model=request.spec.model,
                request_sha256=sha256_of(request.manifest),
                public_sha256=prompt.public_sha256,
                prompt_sha256=prompt.sha256,
                started_at=datetime.now(UTC),
            )
            start_attempt(self._ledger, attempt)
            if estimate is not None:
                record_estimate(self._ledger, attempt.attempt_id, estimate)
        return Begun(attempt.attempt_id, time.monotonic())

    def replied(self, begun: Begun, reply: Reply, arrived: float, status: AttemptStatus, error: str | None) -> None:
        """Record an answer and what was found about it. ``arrived``: monotonic seconds."""
        self._end(begun.attempt_id, status, reply.cost, error, reply, _milliseconds(begun.at, arrived))

    def failed(self, begun: Begun, fault: Fault) -> None:
        """Record a call that brought no answer."""
        took = _milliseconds(begun.at, time.monotonic())
        self._end(begun.attempt_id, fault.status, fault.cost, str(fault), latency_ms=took)

    def _end(
        self,
        attempt_id: str,
        status: AttemptStatus,
        cost: Cost,
        error: str | None,
        reply: Reply | None = None,
        latency_ms: int | None = None,
    ) -> None:
        with self._ledger.transaction():
            result = AttemptResult(
                attempt_id=attempt_id,
                status=status,
                answer_sha256=put_text(self._ledger, reply.text) if reply else None,
                error=error,
                usage_json=canonical_json(reply.usage) if reply and reply.usage else None,
                cost_micro_dollars=cost.micro_dollars,
                cost_source=cost.source,
                latency_ms=latency_ms,
                finish_reason=reply.finish_reason if reply else None,
                ended_at=datetime.now(UTC),
            )
            end_attempt(self._ledger, result)

    def _reply(self, result: AttemptResult) -> Reply:
        usage: Mapping[str, Any] | None = json.loads(result.usage_json) if result.usage_json else None
        return Reply(
            text=text(self._ledger, result.answer_sha256) if result.answer_sha256 else (result.error or ""),
            finish_reason=result.finish_reason,
            refused=result.status == "refused",
            usage=usage,
            cost=Cost(result.cost_micro_dollars, result.cost_source or "unknown"),
        )


def stored_prompt(ledger: Ledger, prompt_sha256: str) -> Prompt:
    """The prompt of an attempt, put together from the ledger. Raises LedgerError when it was never stored."""
    manifest = json.loads(text(ledger, prompt_sha256))
    shared, cut = text(ledger, manifest["public_sha256"]), manifest["system_characters"]
    return Prompt(system=shared[:cut], public=shared[cut + 1 :], private=text(ledger, manifest["private_sha256"]))


def _milliseconds(began: float, ended: float) -> int:
    return round((ended - began) * 1000)
