"""The faults of vendors and models by name, each with what has to come of it.

``reply`` is made from the good answer that the fault spoils. What a call must do about it is one of six ways on, and
what its row in the ledger must say is a status and a cost. Illegal squads are in spoiled.py: they need a pool.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Literal

from backroom_pipeline_tests.models.fault_server import (
    USAGE,
    Reply,
    answer_text,
    close_before_answer,
    completion,
    drop_connection,
    hang,
    message,
    raw,
    reset_connection,
    status,
    streamed,
    tool_call,
    trickle,
    zipped,
)

WayOn = Literal["accepted", "asked again", "asked once more", "given more room", "repaired", "given up"]
"""``asked again``: same words, transport budget; ``asked once more``: same words, one try; ``given more room``: same
words, more tokens; ``repaired``: breaches named, content budget; ``given up``: at once, with a sentence."""
CostKnown = Literal["by usage", "nothing", "unknown"]

MEGABYTE = 1_000_000
ENDLESS_SECONDS = 600.0
"""How long a trickling answer would take; far beyond any time-out of a test."""


@dataclass(frozen=True)
class Named:
    """One fault."""

    name: str
    reply: Callable[[str], Reply]
    """From the text of a good answer."""
    way_on: WayOn
    status: str
    """Of the attempt, in the ledger."""
    cost: CostKnown
    says: str
    """A pattern the attempt's error matches; empty where nothing is wrong with the answer."""

    @property
    def takes_long(self) -> bool:
        """Once is enough."""
        return self.waits or self.name in ("429 until a date", "ten megabytes")

    @property
    def waits(self) -> bool:
        """Whether the caller must lose patience first."""
        return self.name in ("slow beyond the time-out", "trickling")


def _always(reply: Reply) -> Callable[[str], Reply]:
    return lambda _: reply


def _said(spoil: Callable[[str], Any], **fields: Any) -> Callable[[str], Reply]:
    """The answer spoiled, in a well-formed completion."""
    return lambda good: message(spoil(good), **fields)


def _changed(**values: Any) -> Callable[[str], Reply]:
    """The answer with keys of its first object given other values."""
    return _said(lambda good: json.dumps({**json.loads(good), **values}))


def _numbers(spell: Callable[[int], Any]) -> Callable[[str], Reply]:
    """The answer with every whole number spelt otherwise."""

    def respelt(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: respelt(item) for key, item in value.items()}
        if isinstance(value, list):
            return [respelt(item) for item in value]
        return spell(value) if isinstance(value, int) and not isinstance(value, bool) else value

    return _said(lambda good: json.dumps(respelt(json.loads(good))))


def _first_number(constant: str) -> Callable[[str], Reply]:
    """The answer with its first number replaced by a constant that JSON does not have."""

    def spoil(good: str) -> str:
        start = next(place for place, character in enumerate(good) if character.isdigit())
        end = next(place for place in range(start, len(good)) if not good[place].isdigit())
        return good[:start] + constant + good[end:]

    return _said(spoil)


def _first_key_twice(good: str) -> str:
    name = next(iter(json.loads(good)))
    return f"{{{json.dumps(name)}: null, {good.strip()[1:]}"


def _error(code: int, error: Any, *headers: tuple[str, str]) -> Callable[[str], Reply]:
    return _always(raw(code, json.dumps({"error": error}), *headers))


def _status(code: int, text: str, *headers: tuple[str, str], kind: str = "server_error") -> Callable[[str], Reply]:
    return _always(status(code, text, *headers, error_type=kind))


def _soon() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)


def _again(name: str, reply: Callable[[str], Reply], cost: CostKnown, says: str, status: str = "transport") -> Named:
    return Named(name, reply, "asked again", status, cost, says)


def _given_up(name: str, reply: Callable[[str], Reply], says: str) -> Named:
    return Named(name, reply, "given up", "error", "nothing", says)


def _repaired(name: str, reply: Callable[[str], Reply], says: str, cost: CostKnown = "by usage") -> Named:
    return Named(name, reply, "repaired", "invalid", cost, says)


def _accepted(name: str, reply: Callable[[str], Reply], cost: CostKnown = "by usage") -> Named:
    return Named(name, reply, "accepted", "ok", cost, "")


def _usage(usage: Any) -> Callable[[str], Reply]:
    return lambda good: message(good, usage=usage)


_HTML = "<html><body>Bad gateway</body></html>"
_QUOTA = "You exceeded your current quota, please check your plan and billing details."

PASSING = (
    _again("408 request time-out", _status(408, "took too long"), "unknown", "took too long", "timeout"),
    _again("409 conflict", _status(409, "conflict"), "unknown", "status 409: conflict"),
    _again("425 too early", _status(425, "too early"), "unknown", "status 425: too early"),
    _again("429 with retry-after", _status(429, "slow down", ("retry-after", "0.2")), "nothing", "status 429: slow"),
    _again("429 until a date", lambda _: status(429, "slow", ("retry-after", _soon())), "nothing", "status 429: slow"),
    _again("429 with an odd retry-after", _status(429, "slow", ("retry-after", "\u00b2")), "nothing", "status 429"),
    _again("429 without retry-after", _status(429, "slow down"), "nothing", "status 429: slow down"),
    _again("500", _status(500, "internal error"), "unknown", "status 500: internal error"),
    _again("500 without a body", _always(raw(500, "")), "unknown", "status 500"),
    _again("502 with a web page", _always(raw(502, _HTML, content_type="text/html")), "unknown", "status 502"),
    _again("503 unavailable", _status(503, "down for maintenance"), "nothing", "status 503: down for maintenance"),
    _again("504 gateway time-out", _status(504, "upstream too slow"), "unknown", "upstream too slow", "timeout"),
    _again("529 overloaded", _status(529, "overloaded"), "nothing", "status 529: overloaded"),
    _again("400 that says overloaded", _status(400, "The model is overloaded"), "unknown", "The model is overloaded"),
    _again("connection closed before the answer", _always(close_before_answer), "unknown", "could not be reached"),
    _again("connection dropped in mid-answer", _always(drop_connection), "unknown", "could not be reached"),
    _again("connection reset in mid-answer", _always(reset_connection), "unknown", "could not be reached"),
    _again("slow beyond the time-out", _always(hang), "unknown", r"did not answer in \S+ s", "timeout"),
    _again(
        "trickling",
        lambda good: trickle(answer_text(good), ENDLESS_SECONDS / len(answer_text(good))),
        "unknown",
        r"did not answer in \S+ s; it was given up",
        "timeout",
    ),
    _again("200 with an error and code 429", _error(200, {"message": "slow", "code": 429}), "nothing", "error.*slow"),
    _again("200 with an error and code 502", _error(200, {"message": "lost", "code": 502}), "unknown", "error.*lost"),
    _again("200 with an error without a code", _error(200, {"message": "lost"}), "unknown", "error in place.*lost"),
    _again("200 with an error that is text", _error(200, "lost"), "unknown", "error in place of an answer"),
    _again("200 with a web page", _always(raw(200, _HTML, content_type="text/html")), "unknown", "not an answer"),
    _again("200 without a body", _always(raw(200, "")), "unknown", "not an answer"),
    _again("200 with half a body", lambda good: raw(200, answer_text(good)[:-30]), "unknown", "not an answer"),
    _again("200 with another kind of object", _always(raw(200, '{"status": "ok"}')), "unknown", "not an answer"),
    _again("stream that nobody asked for", streamed, "unknown", "not an answer"),
    _again("choices that are null", _always(completion(None)), "unknown", "not an answer"),
    _again("choice without a message", _always(completion([{"index": 0}])), "unknown", "not an answer"),
    _again("content that is an object", _said(json.loads), "unknown", "not an answer"),
    _again("content in parts", _said(lambda good: [{"type": "text", "text": good}]), "unknown", "not an answer"),
    _again("usage in words", _usage({"prompt_tokens": "many", "completion_tokens": "few"}), "unknown", "not an answer"),
)  # fmt: skip

FINAL = (
    _given_up("400 bad request", _status(400, "no such option"), "status 400: no such option"),
    _given_up("401 wrong key", _status(401, "bad key"), "status 401: bad key. Check its key."),
    _given_up("402 no credit", _status(402, "no credit"), "status 402: no credit. Top up"),
    _given_up("403 forbidden", _status(403, "not for you"), "status 403: not for you. Check its key"),
    _given_up("404 unknown model", _status(404, "no such model"), "status 404: no such model. Check the model id"),
    _given_up("413 too long a prompt", _status(413, "too large"), "status 413: too large. .* reads more"),
    _given_up(
        "400 context length",
        _status(400, "maximum context length is 8192 tokens", kind="context_length_exceeded"),
        "maximum context length is 8192 tokens",
    ),
    _given_up("422 unprocessable", _status(422, "cannot do this"), "status 422: cannot do this"),
    _given_up(
        "429 quota exceeded for good",
        _status(429, _QUOTA, kind="insufficient_quota"),
        "out of quota, and waiting will not help: You exceeded .* Top up",
    ),
    Named(
        "429 that asks for an hour",
        _status(429, "tomorrow", ("retry-after", "3600")),
        "given up",
        "transport",
        "nothing",
        "status 429: tomorrow",
    ),
    _given_up("200 with an error and code 401", _error(200, {"message": "bad key", "code": 401}), "401: bad key"),
    _given_up("error with text that UTF-8 cannot hold", _always(raw(400, r'{"error":{"message":"\ud800 no"}}')), "no"),
)

REFUSALS = (
    Named(
        "refusal in the message",
        _always(message(None, refusal="I cannot help with betting.")),
        "asked once more",
        "refused",
        "by usage",
        "The model refused: I cannot help with betting.",
    ),
    Named(
        "refusal that is not text",
        _always(message(None, refusal={"reason": "policy"})),
        "asked once more",
        "refused",
        "by usage",
        "The model refused: .*policy",
    ),
    Named(
        "answer held back by a filter",
        _always(message("", finish_reason="content_filter")),
        "asked once more",
        "refused",
        "by usage",
        "A filter held the answer back",
    ),
    Named(
        "request held back by a filter",
        _status(400, "Rejected by our safety system", kind="content_policy_violation"),
        "asked once more",
        "refused",
        "nothing",
        "refused the request: Rejected by our safety system",
    ),
)

CUT_OFF = (
    Named(
        "truncated",
        _said(lambda good: good[: len(good) // 2], finish_reason="length"),
        "given more room",
        "truncated",
        "by usage",
        "cut off",
    ),
    Named(
        "truncated after a whole object",
        _said(lambda good: good, finish_reason="length"),
        "given more room",
        "truncated",
        "by usage",
        "cut off",
    ),
)

MALFORMED = (
    _repaired("no choices", _always(completion([])), "The answer was empty"),
    _repaired("null content", _always(message(None)), "The answer was empty"),
    _repaired("empty content", _always(message("")), "The answer was empty"),
    _repaired("only thoughts", _always(message(None, reasoning_content="Let me think.")), "The answer was empty"),
    _repaired("prose only", _always(message("I would pick Salah.")), "holds no JSON object"),
    _repaired("truncated without saying so", _said(lambda good: good[: len(good) // 2]), "not valid JSON"),
    _repaired("two objects", _said(lambda good: f"{good}\nor rather\n{good}"), "2 JSON objects"),
    _repaired("an object and half of another", _said(lambda good: f"{good}\n{good[:60]}"), "2 JSON objects"),
    _repaired("duplicate key", _said(_first_key_twice), "occurs twice"),
    _repaired("NaN", _first_number("NaN"), "NaN is not a JSON number"),
    _repaired("Infinity", _first_number("-Infinity"), "-Infinity is not a JSON number"),
    _repaired("a number too large for any type", _first_number("1e999"), "valid integer"),
    _repaired("a number of five thousand digits", _first_number("9" * 5000), "not valid JSON"),
    _repaired("numbers with a point", _numbers(float), "valid integer"),
    _repaired("numbers as text", _numbers(str), "valid integer"),
    _repaired("true for numbers", _numbers(bool), "valid integer"),
    _repaired("unknown key", _changed(confidence="high"), "confidence: Extra inputs"),
    _repaired("missing keys", _said(lambda good: json.dumps(dict(list(json.loads(good).items())[1:]))), "required"),
    _repaired("a list", _said(lambda good: f"[{good}, {good}]"), "2 JSON objects"),
    _repaired("nested beyond reason", _said(lambda _: '{"case": ' + "[" * 100_000), "nested far deeper"),
    _repaired("lone surrogate", _said(lambda good: good[:-2] + '\ud800"}'), "hex escape"),
    _repaired("escaped lone surrogate", _said(lambda good: good[:-2] + r'\ud800"}'), "hex escape"),
    _repaired("ten megabytes", _said(lambda good: good + " " * (10 * MEGABYTE) + "."), "characters; at most"),
    _repaired("tool call with broken arguments", lambda good: tool_call(good[:-9]), "not valid JSON"),
    _repaired("answer without usage and without sense", _always(message("no", usage=None)), "no JSON", "unknown"),
)  # fmt: skip

ODD = (
    _accepted("fenced", _said(lambda good: f"```json\n{good}\n```")),
    _accepted("prose around it", _said(lambda good: f"Here is my team {{as asked}}:\n\n{good}\n\nGood luck!")),
    _accepted("prose quoting an object, fenced answer", _said(lambda good: f'{{"budget": 1}}\n```json\n{good}\n```')),
    _accepted("after thinking aloud", _said(lambda good: f'<think>maybe {{"sheet": 1}}</think>\n{good}')),
    _accepted("ten megabytes of thoughts", _said(lambda good: good, reasoning_content="hm " * (10 * MEGABYTE // 3))),
    _accepted("tool call in place of content", tool_call),
    _accepted("tool call whose arguments are an object", lambda good: tool_call(json.loads(good))),
    _accepted("function call of old", lambda g: message(None, function_call={"name": "json", "arguments": g})),
    _accepted("wrong content type", lambda good: raw(200, answer_text(good), content_type="text/html")),
    _accepted("zipped body", lambda good: zipped(answer_text(good))),
    _accepted("finish reason unheard of", _said(lambda good: good, finish_reason="eos\u0000")),
    _accepted("finish reason missing", _said(lambda good: good, finish_reason=None)),
    _accepted("usage with cached tokens", _usage(USAGE | {"prompt_tokens_details": {"cached_tokens": 600}})),
    _accepted("missing usage", _usage(None), "unknown"),
    _accepted("zero usage", _usage({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}), "unknown"),
    _accepted("usage of the prompt only", _usage({"prompt_tokens": 1000}), "unknown"),
    _accepted("negative usage", _usage({"prompt_tokens": -5, "completion_tokens": -1, "total_tokens": -6}), "unknown"),
    _accepted("usage beyond measure", _usage(USAGE | {"prompt_tokens": 10**30}), "unknown"),
    _accepted("more cached than read", _usage(USAGE | {"prompt_tokens_details": {"cached_tokens": 10**4}}), "unknown"),
)  # fmt: skip

FAULTS: dict[str, Named] = {
    fault.name: fault for group in (PASSING, FINAL, REFUSALS, CUT_OFF, MALFORMED, ODD) for fault in group
}
