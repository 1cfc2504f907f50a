"""What must be true before a gameweek's first model is paid, with everything that is not true named at once.

One implementation for the asset checks, the command line and anybody else who asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from backroom_pipeline.backroom.briefing import compose_briefing, recorded_briefing
from backroom_pipeline.backroom.contest import Contest, spec_of
from backroom_pipeline.backroom.contracts import CoachRanking
from backroom_pipeline.ledger.answers import answers
from backroom_pipeline.ledger.completeness import incomplete
from backroom_pipeline.ledger.managers import enrolled_managers
from backroom_pipeline.ledger.spending import Spent, spent
from backroom_pipeline.memory.model import ROLES
from backroom_pipeline.memory.records import records_owed
from backroom_pipeline.models.attempts import Request
from backroom_pipeline.models.call import response_format_of
from backroom_pipeline.models.credentials import credential_of
from backroom_pipeline.models.prices import price_of
from backroom_pipeline.models.spec import ModelSpec
from backroom_pipeline.models.spending import unpriced

CheckName = Literal["order", "cutoff", "one_prompt", "stores", "spend", "providers"]
CHECKS: tuple[CheckName, ...] = get_args(CheckName)


@dataclass(frozen=True)
class Finding:
    """One reason not to go on, as a sentence that says what to do."""

    check: CheckName
    sentence: str
    manager: str | None = None


def preflight(contest: Contest, season: str, gameweek: int) -> list[Finding]:
    """Every reason not to play the gameweek; an empty list means go."""
    return [finding for check in _CHECKS for finding in check(contest, season, gameweek)]


def order_findings(contest: Contest, season: str, gameweek: int) -> list[Finding]:
    """The gameweek before is decided, remembered and scored for everybody, says the ledger, not the UI's green dots."""
    previous = contest.league.gameweek_before(season, gameweek)
    if previous is None:
        return []
    return [
        Finding(
            "order",
            f"Gameweek {previous[1]} of {previous[0]} is not over: {manager.sentence} Play it first: "
            f"backroom gameweek run {previous[1]} --season {previous[0]}",
            manager.manager,
        )
        for manager in incomplete(contest.ledger, *previous, contest.league.slugs)
    ]


def cutoff_findings(contest: Contest, season: str, gameweek: int) -> list[Finding]:
    """The facts are of before the deadline."""
    facts = contest.facts(season, gameweek)
    if facts.cutoff < facts.deadline:
        return []
    return [
        Finding(
            "cutoff",
            f"The facts of gameweek {gameweek} are of {facts.cutoff:%Y-%m-%d %H:%M} UTC, not before the deadline "
            f"{facts.deadline:%Y-%m-%d %H:%M} UTC. Take them again from a source of before it.",
        )
    ]


def one_prompt_findings(contest: Contest, season: str, gameweek: int) -> list[Finding]:
    """The public part composed now is the one recorded by the briefing, for each role."""
    recorded = recorded_briefing(contest, season, gameweek)
    composed = compose_briefing(contest.week(season, gameweek)).prompts
    return [
        Finding(
            "one_prompt",
            f"The {role}'s public prompt of gameweek {gameweek} is "
            + ("not recorded" if role not in recorded else "no longer the recorded one")
            + ". Materialize the briefing again before anybody is asked.",
        )
        for role in ROLES
        if recorded.get(role) != composed[role].public_sha256
    ]


def stores_findings(contest: Contest, season: str, gameweek: int) -> list[Finding]:
    """Every store holds its identity and a record for everything its role committed. Names every manager at once."""
    enrolled = enrolled_managers(contest.ledger)
    findings: list[Finding] = []
    for slug in contest.league.slugs:
        if slug not in enrolled:
            findings.append(
                Finding("stores", f"{slug} is not enrolled yet; materialize players_and_fixtures first.", slug)
            )
            continue
        for role in ROLES:
            owed = [r.id for r in records_owed(contest.ledger, slug, role, before=(season, gameweek))]
            state, reason = contest.gateway.store_check(slug, role, owed)
            if state != "complete":
                findings.append(
                    Finding(
                        "stores",
                        f"{slug}'s {role} store is {state}: {reason} Mend it with: backroom memory rebuild "
                        f"--manager {slug}",
                        slug,
                    )
                )
    return findings


def spend_findings(contest: Contest, season: str, gameweek: int) -> list[Finding]:
    """The caps leave room for the cheapest call that comes next, and every model has the price a cap needs."""
    caps = contest.guard.caps
    if caps.none:
        return []
    paid = {manager.slug: spec for manager in contest.league.managers if not (spec := spec_of(manager)).is_house}
    unknown = [
        Finding("spend", f"{slug} cannot be asked: {unpriced(spec)}", slug)
        for slug, spec in paid.items()
        if price_of(spec) is None
    ]
    least = _least_of_the_next_calls(contest, season, gameweek, paid)
    return unknown + [
        finding
        for cap, week, name in (
            (caps.gameweek, gameweek, "spend_cap_per_gameweek"),
            (caps.season, None, "spend_cap_per_season"),
        )
        if cap is not None
        for finding in _beyond(cap, name, f"Gameweek {week}" if week else f"Season {season}",
                               spent(contest.ledger, season, week), least)
    ]  # fmt: skip


def _beyond(cap: int, name: str, period: str, so_far: Spent, least: int) -> list[Finding]:
    if so_far.total < cap and so_far.total + least <= cap:
        return []
    assumed = f", ${so_far.assumed / 1e6:.2f} of it assumed for calls of unknown cost," if so_far.assumed else ""
    sentence = (
        f"{period} has cost ${so_far.total / 1e6:.2f} so far{assumed} and its cap is ${cap / 1e6:.2f}"
        + (f"; the cheapest call still to be made may cost up to ${least / 1e6:.4f}" if least else "")
        + f". Raise {name} in the league file to go on."
    )
    return [Finding("spend", sentence)]


def _least_of_the_next_calls(contest: Contest, season: str, gameweek: int, paid: Mapping[str, ModelSpec]) -> int:
    """Micro-dollars; 0 where nobody is asked next whose call could be estimated."""
    ranked = {row.manager for row in answers(contest.ledger, season, gameweek, role="coach")}
    prompt = compose_briefing(contest.week(season, gameweek)).prompts["coach"]
    requests = [
        Request(spec, prompt, response_format_of(CoachRanking, spec.response_format))
        for slug, spec in paid.items()
        if slug not in ranked
    ]
    estimates = [contest.guard.estimate(request) for request in requests]
    return min((estimate.micro_dollars for estimate in estimates if estimate), default=0)


def providers_findings(contest: Contest, season: str, gameweek: int) -> list[Finding]:
    """Every model's key is in the environment. Nothing is called."""
    return [
        Finding("providers", f"{manager.slug} cannot ask {manager.model}: {problem}.", manager.slug)
        for manager in contest.league.managers
        if (problem := credential_of(spec_of(manager)).problem)
    ]


_CHECKS = (
    order_findings,
    cutoff_findings,
    one_prompt_findings,
    stores_findings,
    spend_findings,
    providers_findings,
)
