"""The public part of every prompt: one text a role for the whole field, stored once and known by its sha256."""

from __future__ import annotations

from dataclasses import dataclass

from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.backroom.prompts import public_text, system_text
from backroom_pipeline.ledger.briefings import briefing_sha256s, record_briefing
from backroom_pipeline.ledger.calls import put_text
from backroom_pipeline.memory.model import ROLES, Role
from backroom_pipeline.models.prompt import Prompt


@dataclass(frozen=True)
class Briefing:
    """The public parts of one gameweek, by role: prompts whose private part is still empty."""

    season: str
    gameweek: int
    inputs_sha256: str
    prompts: dict[Role, Prompt]

    def for_role(self, role: Role, private: str) -> Prompt:
        public = self.prompts[role]
        return Prompt(system=public.system, public=public.public, private=private)


_BRIEFINGS: dict[tuple[str, bool, tuple], Briefing] = {}


def compose_briefing(contest: Contest, season: str, gameweek: int) -> Briefing:
    """The public texts as the ledger's newest facts give them. Knows no manager."""
    sha256 = contest.inputs_sha256(season, gameweek)
    rules = contest.rules(season)
    opening = contest.is_opening(season, gameweek)
    key = (sha256, opening, rules.chips)
    if key not in _BRIEFINGS:
        facts = contest.facts(season, gameweek)
        prompts: dict[Role, Prompt] = {
            role: Prompt(
                system=system_text(role, rules), public=public_text(role, facts, rules, opening=opening), private=""
            )
            for role in ROLES
        }
        _BRIEFINGS.clear()
        _BRIEFINGS[key] = Briefing(season, gameweek, sha256, prompts)
    return _BRIEFINGS[key]


def write_briefing(contest: Contest, season: str, gameweek: int) -> Briefing:
    """Compose the briefing and record it: its texts once, its hash a role."""
    briefing = compose_briefing(contest, season, gameweek)
    with contest.ledger.transaction():
        for role, prompt in briefing.prompts.items():
            put_text(contest.ledger, prompt.shared_text)
            record_briefing(contest.ledger, season, gameweek, role, prompt.public_sha256, briefing.inputs_sha256)
    return briefing


def recorded_briefing(contest: Contest, season: str, gameweek: int) -> dict[str, str]:
    """sha256 of the newest recorded public part, by role; empty when none was written."""
    return briefing_sha256s(contest.ledger, season, gameweek)
