"""The offline house model: eight personas that answer a role's prompt from its text alone."""

from __future__ import annotations

import json

from backroom_pipeline.models.house.assistant import propose
from backroom_pipeline.models.house.coach import rank
from backroom_pipeline.models.house.manager import decide
from backroom_pipeline.models.house.personas import TEMPERS
from backroom_pipeline.models.house.reading import read_prompt

PERSONAS: tuple[str, ...] = tuple(TEMPERS)
ROLES = {"coach": rank, "assistant": propose, "manager": decide}


class UnknownPersonaError(ValueError):
    """There is no house persona of that name."""


def answer(persona: str, system: str, user: str) -> str:
    """The persona's answer to a prompt, as the JSON text its role must return.

    Depends on the two texts and nothing else. Raises UnknownPersonaError, UnreadablePromptError or NoTeamError, each
    with a sentence.
    """
    if persona not in TEMPERS:
        raise UnknownPersonaError(f"There is no house persona {persona!r}; there are {', '.join(PERSONAS)}.")
    reading = read_prompt(system, user)
    return json.dumps(ROLES[reading.role](reading, TEMPERS[persona]), ensure_ascii=False)
