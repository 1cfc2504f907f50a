"""One committed decision as the judge of promises sees it: prepared once, read thousands of times."""

from __future__ import annotations

from functools import cached_property

from pydantic import Field

from backroom_pipeline.fpl.model import Chip, ChipPlay, Frozen, Position, Tenths

SECOND_HALF_FROM = 20
"""Every chip exists once per half of the season: gameweeks 1-19 and 20-38."""


def half(gameweek: int) -> int:
    """Which half of the season a gameweek lies in, for chips: 1 or 2."""
    return 1 if gameweek < SECOND_HALF_FROM else 2


class DecisionFacts(Frozen):
    """What was decided for one gameweek, and what was so when it was decided.

    ``sold`` and ``bought`` are the squad's difference in that week; in a free-hit week it is temporary. ``clubs`` and
    ``positions`` cover at least the squad after the decision.
    """

    gameweek: int
    chip: Chip | None
    captain: int
    vice_captain: int
    starting: frozenset[int]
    bench: frozenset[int]
    bought: frozenset[int]
    sold: frozenset[int]
    hit_points: int
    formation: str
    """Defenders, midfielders, forwards: 3-4-3."""
    bank_after: Tenths
    free_transfers_before: int
    chips_played_before: tuple[ChipPlay, ...]
    unavailable: frozenset[int]
    """Players ruled out for this gameweek; doubtful ones are not among them."""
    clubs: dict[int, str]
    positions: dict[int, Position]
    hits_before: dict[int, int] = Field(default_factory=dict[int, int])
    """Points paid for transfers in earlier gameweeks; a week that is missing cost nothing."""

    @cached_property
    def squad(self) -> frozenset[int]:
        """The fifteen after the decision."""
        return self.starting | self.bench

    @cached_property
    def squad_before(self) -> frozenset[int]:
        """The fifteen before this week's transfers."""
        return (self.squad - self.bought) | self.sold

    @cached_property
    def owned(self) -> frozenset[int]:
        """The fifteen the team goes on with: a free-hit squad is temporary."""
        return self.squad_before if self.chip == "free_hit" else self.squad

    @cached_property
    def sold_for_good(self) -> frozenset[int]:
        return frozenset[int]() if self.chip == "free_hit" else self.sold

    @cached_property
    def out_of_squad_before(self) -> int:
        """How many of the squad as it was before this week's transfers are ruled out."""
        return len(self.squad_before & self.unavailable)

    @cached_property
    def transfers(self) -> int:
        return len(self.bought)

    @cached_property
    def squad_frees_transfers(self) -> bool:
        """A wildcard or a free hit: transfers are unlimited and free, so weekly limits on them are silent."""
        return self.chip in ("wildcard", "free_hit")

    @cached_property
    def played_in_half(self) -> dict[Chip, int]:
        """Chips of this gameweek's half that were played in an earlier week, and when."""
        now = half(self.gameweek)
        return {
            play.chip: play.gameweek
            for play in self.chips_played_before
            if half(play.gameweek) == now and play.gameweek < self.gameweek
        }
