"""``backroom doctor``: whether every manager could be asked, found out without spending anything."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from backroom_pipeline.cli.output import JsonOption, LeagueOption, emit, out
from backroom_pipeline.league import League, load_league, state_dir

if TYPE_CHECKING:
    from backroom_pipeline.backroom.doctor import Checkup, Ping
    from backroom_pipeline.models.prices import Price

_CACHES = {"claude": "marked", "openai": "marked", "automatic": "automatic", "none": "none"}


def doctor(
    league_name: LeagueOption = None,
    ping: Annotated[
        bool, typer.Option("--ping", help="One tiny call to each model: it costs a fraction of a cent.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Keys, models, prices, options and room of every manager. Connects to nobody and spends nothing without --ping.

    Exit code 1 when something is missing that a manager cannot play without.
    """
    from backroom_pipeline.backroom.doctor import check_up
    from backroom_pipeline.backroom.doctor import ping as ping_all

    league = load_league(league_name)
    longest, source = _longest_prompt(league)
    found = check_up(league, longest)
    well = [checkup.manager for checkup in found if not checkup.problems]
    pings = ping_all(league, well) if ping else []
    value = {
        "league": league.name,
        "ready": len(well) == len(found) and all(one.answered for one in pings),
        "longest_prompt_tokens": longest,
        "longest_prompt_source": source,
        "managers": [_json(checkup) for checkup in found],
        **({"pings": [asdict(one) for one in pings]} if ping else {}),
    }
    emit(as_json, value, _table(league, found))
    if not as_json:
        for checkup in found:
            for sentence in (*checkup.problems, *checkup.notes):
                out.print(f"{checkup.manager}: {sentence}.", markup=False)
        priced = [f"{checkup.manager} {checkup.price.short_version}" for checkup in found if checkup.price]
        if priced:
            out.print(f"Prices by version: {', '.join(priced)}.", markup=False)
        out.print(f"Longest prompt: {f'about {longest:,} tokens, ' if longest else ''}{source}.", markup=False)
        for one in pings:
            out.print(_sentence(one), markup=False)
    if not value["ready"]:
        raise typer.Exit(1)


def _longest_prompt(league: League) -> tuple[int | None, str]:
    """Tokens and where they were measured; None and why not where they could not be."""
    from backroom_pipeline.backroom.prompt_sizes import longest_public_prompt, sizes_in_ledger
    from backroom_pipeline.defs.resources import feed_resource
    from backroom_pipeline.feeds.protocol import FeedError
    from backroom_pipeline.ledger.store import Ledger

    season = league.seasons[-1]
    path = state_dir(league) / "ledger.duckdb"
    if path.exists():
        with Ledger.open(path, read_only=True) as ledger:
            played = sizes_in_ledger(ledger, season)
        if played is not None:
            return played.longest, played.source
    if league.feed != "archive":
        return None, "not measured before the first gameweek is played"
    try:
        return longest_public_prompt(league, feed_resource(league).feed(), season), "the coach's, of the first gameweek"
    except FeedError as error:
        return None, f"not measured: {error}"


def _table(league: League, found: list[Checkup]) -> Table:
    text = Table(title=f"{league.name}: {len(found)} manager{'' if len(found) == 1 else 's'}")
    for heading in ("manager", "model", "key", "$ a million in/out", "answer form", "cache", "at once", "window"):
        text.add_column(heading, no_wrap=heading in ("manager", "key", "at once"), overflow="fold")
    for checkup in found:
        if checkup.free:
            text.add_row(checkup.manager, checkup.model, "none needed", "free")
            continue
        elsewhere = "" if checkup.model.startswith(f"{checkup.vendor}/") else f" at {checkup.vendor}"
        text.add_row(
            checkup.manager,
            checkup.model + elsewhere + ("" if checkup.known else " (not in the map)"),
            _key(checkup),
            _price(checkup.price),
            checkup.response_format,
            _CACHES[checkup.caching],
            str(checkup.concurrency or "any"),
            f"{checkup.context_window // 1000:,}k" if checkup.context_window else "not known",
            style="red" if checkup.problems else None,
        )
    return text


def _key(checkup: Checkup) -> str:
    """The variable's name and whether it is set; never anything of what it holds."""
    if not checkup.key_variables:
        return "not known which"
    return f"{' or '.join(checkup.key_variables)} {'set' if checkup.key_is_set else 'NOT SET'}"


def _price(price: Price | None) -> str:
    if price is None:
        return "not known"
    rates = price.rates(0)
    return f"{rates.input / 1e6:g} / {rates.output / 1e6:g}"


def _json(checkup: Checkup) -> dict[str, Any]:
    rates = checkup.price.rates(0) if checkup.price else None
    return {
        **{name: value for name, value in asdict(checkup).items() if name != "price"},
        "price_version": checkup.price.version if checkup.price else None,
        "price_dollars_per_million": {name: value / 1e6 for name, value in asdict(rates).items()} if rates else None,
    }


def _sentence(ping: Ping) -> str:
    cost = "cost unknown" if ping.micro_dollars is None else f"${ping.micro_dollars / 1e6:.6f}"
    how = "" if ping.answered else "FAILED: "
    return f"ping {ping.manager}: {how}{ping.sentence} ({ping.milliseconds} ms, {cost})"
