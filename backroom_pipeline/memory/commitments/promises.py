"""What one clause promises, read into the fields of typed terms without window and conditions."""

from __future__ import annotations

from collections.abc import Callable

from backroom_pipeline.memory.commitments import player_promises as player
from backroom_pipeline.memory.commitments import team_promises as team
from backroom_pipeline.memory.commitments.chip_promises import chip_plan
from backroom_pipeline.memory.commitments.clauses import Clause, Draft
from backroom_pipeline.memory.commitments.transfer_promises import hits, transfers

# The most telling nouns come first: a captain named with a chip belongs to the chip, a formation has defenders in it.
_READERS: tuple[Callable[[Clause], list[Draft]], ...] = (
    team.money,
    team.formation,
    player.captain_pair,
    hits,
    transfers,
    chip_plan,
    team.club_limit,
    player.captain,
    player.exchange,
    player.start,
    player.coming_and_going,
)


def read_promise(clause: Clause) -> list[Draft]:
    """Terms of the clause, several when it names several players; none when it promises nothing code can test."""
    for read in _READERS:
        drafts = read(clause)
        if drafts:
            return drafts
    return []
