"""What must be true before a gameweek's first model is paid, with everything that is not true named at once.

One implementation for the asset checks, the command line and anybody else who asks.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal, get_args

from backroom_pipeline.backroom.briefing import compose_briefing, recorded_briefing
from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.ledger.calls import spent_micro_dollars
from backroom_pipeline.ledger.completeness import incomplete
from backroom_pipeline.ledger.managers import enrolled_managers
from backroom_pipeline.memory.model import ROLES
from backroom_pipeline.memory.records import records_owed

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
    """What the gameweek has cost so far is below the league's cap."""
    cap = contest.league.spend_cap_per_gameweek
    if cap is None:
        return []
    spent = spent_micro_dollars(contest.ledger, season, gameweek)
    if spent < cap:
        return []
    return [
        Finding(
            "spend",
            f"Gameweek {gameweek} has cost ${spent / 1e6:.2f} so far and its cap is ${cap / 1e6:.2f}. Raise "
            "spend_cap_per_gameweek in the league file to go on.",
        )
    ]


def providers_findings(contest: Contest, season: str, gameweek: int) -> list[Finding]:
    """Every key a manager's options name is in the environment. Nothing is called."""
    return [
        Finding(
            "providers",
            f"{manager.slug} needs a key in the environment variable {name}, which is not set.",
            manager.slug,
        )
        for manager in contest.league.managers
        if (name := manager.options.get("api_key_env")) and not os.environ.get(str(name))
    ]


_CHECKS = (
    order_findings,
    cutoff_findings,
    one_prompt_findings,
    stores_findings,
    spend_findings,
    providers_findings,
)
