"""What the three roles answer: the JSON a language model must return, typed and strict."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from backroom_pipeline.fpl.model import Frozen, Position, TeamSheet
from backroom_pipeline.memory.model import Claim

PER_POSITION = 5
Sentence = Annotated[str, Field(min_length=1, max_length=600)]


class RankedPlayer(Frozen):
    """A player the coach recommends and the reason."""

    player_id: int
    reason: Sentence


Picks = dict[Position, tuple[RankedPlayer, ...]]


class CoachRanking(Frozen):
    """Five players per position, best first, and what a spreadsheet would not say.

    ``enablers``, cheap players who make the favourites affordable, are asked for in an opening week only and empty
    in all others.
    """

    rankings: Picks
    enablers: Picks = Field(default_factory=dict)
    notes: Annotated[str, Field(min_length=1, max_length=2000)]


class AssistantSheet(Frozen):
    """A complete legal team and the case for it. The bill is computed by code, never stated."""

    sheet: TeamSheet
    case: Annotated[str, Field(min_length=1, max_length=2000)]


class ManagerDecision(Frozen):
    """The decision of the week, the published words (kept verbatim), and the promises made with it."""

    sheet: TeamSheet
    reasoning: Annotated[str, Field(min_length=1, max_length=4000)]
    claims: Annotated[tuple[Claim, ...], Field(max_length=6)]
