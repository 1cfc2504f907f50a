"""The public part of every prompt: one text a role for the whole field, stored once and known by its sha256."""

from __future__ import annotations

from dataclasses import dataclass

from backroom_pipeline.backroom import compact
from backroom_pipeline.backroom.contest import Contest, Week
from backroom_pipeline.backroom.prompts import public_text, system_text
from backroom_pipeline.ledger.briefings import briefing_sha256s, record_briefing
from backroom_pipeline.ledger.calls import put_text
from backroom_pipeline.memory.model import ROLES, Role
from backroom_pipeline.models.prompt import Prompt


@dataclass(frozen=True)
class Briefing:
    """The public parts of one gameweek, by role: prompts whose private part is still empty."""

    week: Week
    prompts: dict[Role, Prompt]

    def for_role(self, role: Role, private: str) -> Prompt:
        public = self.prompts[role]
        return Prompt(system=public.system, public=public.public, private=private)


_BRIEFINGS: dict[str, Briefing] = {}


def compose_briefing(week: Week) -> Briefing:
    """The public texts of a gameweek. Knows no manager; a process keeps the last one it composed."""
    held = _BRIEFINGS.get(week.inputs_sha256)
    if held is None or held.week is not week:
        prompts: dict[Role, Prompt] = {
            role: Prompt(system=system, public=public, private="")
            for role in ROLES
            for system, public in [_texts(role, week)]
        }
        held = Briefing(week, prompts)
        _BRIEFINGS.clear()
        _BRIEFINGS[week.inputs_sha256] = held
    return held


def _texts(role: Role, week: Week) -> tuple[str, str]:
    """The system text and the public part, in the profile of the league."""
    if week.profile == "compact":
        return compact.system_text(role), compact.public_text(role, week)
    return system_text(role, week.rules), public_text(role, week.facts, week.rules, opening=week.opening)


def write_briefing(contest: Contest, season: str, gameweek: int) -> Briefing:
    """Compose the briefing and record it: its texts once, its hash a role."""
    briefing = compose_briefing(contest.week(season, gameweek))
    with contest.ledger.transaction():
        for role, prompt in briefing.prompts.items():
            put_text(contest.ledger, prompt.shared_text)
            record_briefing(contest.ledger, season, gameweek, role, prompt.public_sha256, briefing.week.inputs_sha256)
    return briefing


def recorded_briefing(contest: Contest, season: str, gameweek: int) -> dict[str, str]:
    """sha256 of the newest recorded public part, by role; empty when none was written."""
    return briefing_sha256s(contest.ledger, season, gameweek)
