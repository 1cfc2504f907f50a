"""Whether every manager could be asked: keys, models, prices, options, room. Spends nothing and connects to nobody."""

from __future__ import annotations

import difflib
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from backroom_pipeline.backroom.contest import guard_of, spec_of
from backroom_pipeline.fpl.model import Frozen
from backroom_pipeline.league import League, LeagueError, ManagerConfig
from backroom_pipeline.models.attempts import Request
from backroom_pipeline.models.caching import Caching, caching_of
from backroom_pipeline.models.call import response_format_of
from backroom_pipeline.models.credentials import credential_of
from backroom_pipeline.models.faults import Fault
from backroom_pipeline.models.litellm_provider import complete, ready
from backroom_pipeline.models.prices import Price, listing, price_of
from backroom_pipeline.models.prompt import Prompt
from backroom_pipeline.models.reading import Unreadable, read_answer
from backroom_pipeline.models.spec import OWN_OPTIONS, ModelSpec
from backroom_pipeline.models.spending import Guard, most_answer_tokens


@dataclass(frozen=True)
class Checkup:
    """One manager. ``problems`` keep it from playing, ``notes`` do not."""

    manager: str
    model: str
    vendor: str
    key_variables: tuple[str, ...] = ()
    key_is_set: bool = False
    known: bool = False
    """LiteLLM's map has the model."""
    price: Price | None = None
    response_format: str = ""
    takes_schema: bool | None = None
    """What the map says; None where it does not know the model."""
    concurrency: int | None = None
    context_window: int | None = None
    room_needed: int | None = None
    """Tokens: the longest prompt measured and the longest answer."""
    caching: Caching = "none"
    free: bool = False
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def check_up(league: League, longest_prompt: int | None) -> list[Checkup]:
    """Every manager of the league, in its order. ``longest_prompt``: tokens; None where nothing was measured."""
    capped = league.spend_cap_per_gameweek is not None or league.spend_cap_per_season is not None
    return [_check_up(manager, longest_prompt, capped=capped) for manager in league.managers]


def _check_up(manager: ManagerConfig, longest_prompt: int | None, *, capped: bool) -> Checkup:
    try:
        spec = spec_of(manager)
    except LeagueError as error:
        vendor = manager.model.partition("/")[0]
        said = tuple(problem.removeprefix(f"manager {manager.slug}: ").rstrip(".") for problem in error.problems)
        return Checkup(manager.slug, manager.model, vendor, problems=said)
    if spec.is_house:
        return Checkup(manager.slug, spec.model, spec.vendor, key_is_set=True, known=True, free=True)
    credential, price, entry = credential_of(spec), price_of(spec), listing(spec.model) or {}
    window = entry.get("max_input_tokens")
    needed = None if longest_prompt is None else longest_prompt + most_answer_tokens(spec)
    problems = [problem for problem in (_unroutable(spec), credential.problem) if problem]
    notes: list[str] = []
    if not entry and "api_base" not in spec.options and not _unroutable(spec):
        problems.append(f"LiteLLM's map has no model {spec.model}; {_meant(spec.model)}")
    if refused := _refused_option(spec):
        problems.append(refused)
    if price is None:
        sentence = "its price is not known; give it as option price: {input: 3, output: 15}, dollars per million tokens"
        (problems if capped else notes).append(f"{sentence}{', since the league has a spend cap' if capped else ''}")
    if window and longest_prompt and longest_prompt > window:
        problems.append(f"its window of {window:,} tokens is shorter than the longest prompt, {longest_prompt:,}")
    elif window and needed and needed > window:
        notes.append(f"prompt and longest answer, {needed:,} tokens, are more than its window of {window:,}")
    if entry and spec.response_format == "json_schema" and not entry.get("supports_response_schema"):
        notes.append("the map does not know it to take a schema; response_format: json_object or none may be needed")
    if spec.most_answer_tokens is None:
        notes.append("max_tokens is not set; a spend cap then has to hold the longest answer the vendor can give")
    return Checkup(
        manager=manager.slug,
        model=spec.model,
        vendor=spec.vendor,
        key_variables=credential.variables,
        key_is_set=credential.is_set,
        known=bool(entry),
        price=price,
        response_format=spec.response_format,
        takes_schema=entry.get("supports_response_schema", False) if entry else None,
        concurrency=spec.concurrency,
        context_window=window,
        room_needed=needed,
        caching=caching_of(spec),
        problems=tuple(problems),
        notes=tuple(notes),
    )


def _unroutable(spec: ModelSpec) -> str | None:
    litellm = ready()
    try:
        litellm.get_llm_provider(spec.model, api_base=spec.options.get("api_base"))
    except litellm.BadRequestError:
        return f"LiteLLM knows no vendor for {spec.model}; write vendor/model, such as anthropic/claude-opus-5-5"
    return None


def _refused_option(spec: ModelSpec) -> str | None:
    """What LiteLLM would not send to this model, said before anybody pays for finding out."""
    litellm = ready()
    try:
        model, provider, *_ = litellm.get_llm_provider(spec.model, api_base=spec.options.get("api_base"))
        options = {name: value for name, value in spec.options.items() if name not in {*OWN_OPTIONS, "api_base"}}
        litellm.utils.get_optional_params(
            model=model,
            custom_llm_provider=provider,
            drop_params=False,
            response_format=response_format_of(Pong, spec.response_format),
            **options,
        )
    except litellm.UnsupportedParamsError as error:
        said = str(error).removeprefix("litellm.UnsupportedParamsError: ").partition(" To drop")[0]
        return f"an option is not taken: {said}"
    except litellm.BadRequestError:
        return None  # said already: there is no such vendor
    return None


def _meant(model: str) -> str:
    vendor, _, name = model.partition("/")
    names = [known.removeprefix(f"{vendor}/") for known, entry in ready().model_cost.items()
             if str(entry.get("litellm_provider")) == vendor]  # fmt: skip
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    return f"perhaps {vendor}/{close[0]} is meant" if close else "write its id as the map does"


class Pong(Frozen):
    """What a ping asks for."""

    ok: bool = Field(description="true")


PING = Prompt(
    system="You are asked whether you can be reached.", public='Answer with this JSON object: {"ok": true}', private=""
)


@dataclass(frozen=True)
class Ping:
    """What came back from one tiny call."""

    manager: str
    model: str
    answered: bool
    sentence: str
    milliseconds: int
    micro_dollars: int | None
    """None where the cost is unknown."""


def ping(league: League, slugs: Sequence[str] | None = None) -> list[Ping]:
    """One tiny call to every model with its own options, all at once. Nothing is written to a ledger."""
    managers = tuple(manager for manager in league.managers if slugs is None or manager.slug in slugs)
    guard = guard_of(league.model_copy(update={"managers": managers}))
    with ThreadPoolExecutor(max(len(managers), 1)) as threads:
        return list(threads.map(lambda manager: _ping(manager, guard), managers))


def _ping(manager: ManagerConfig, guard: Guard) -> Ping:
    spec = spec_of(manager)
    if spec.is_house:
        return Ping(manager.slug, spec.model, True, "a house model is always there", 0, 0)
    request = Request(spec, PING, response_format_of(Pong, spec.response_format))
    with guard.turn(request) as sent:
        began = time.monotonic()
        answered, sentence, micro_dollars = _outcome(sent.spec, sent.messages, request.response_format)
        milliseconds = round((time.monotonic() - began) * 1000)
    return Ping(manager.slug, spec.model, answered, sentence, milliseconds, micro_dollars)


def _outcome(
    spec: ModelSpec, messages: list[dict[str, Any]], response_format: dict[str, Any] | None
) -> tuple[bool, str, int | None]:
    try:
        reply = complete(spec, messages, response_format)
    except Fault as fault:
        return False, str(fault), fault.cost.micro_dollars
    if reply.refused:
        return False, f"it declined: {reply.text[:200]}", reply.cost.micro_dollars
    if reply.truncated:
        return False, "it ran out of tokens before its answer; raise max_tokens", reply.cost.micro_dollars
    try:
        read_answer(reply.text, Pong)
    except Unreadable as unreadable:
        return False, f"it answered, but not in the form asked for: {unreadable}", reply.cost.micro_dollars
    return True, "answered as asked", reply.cost.micro_dollars
