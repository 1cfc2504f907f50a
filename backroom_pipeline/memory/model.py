"""The vocabulary of memory: members, records, claims and their terms, recalls, outcomes."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from backroom_pipeline.fpl.model import Chip, Frozen

Role = Literal["coach", "assistant", "manager"]
Category = Literal["identity", "narrative", "commitment", "sheet", "ranking"]
RecallState = Literal["complete", "partial", "empty", "unavailable"]
Verdict = Literal["kept", "broken", "not_applicable", "unclear"]
OutcomeVerdict = Literal["success", "failure", "mixed"]

ROLES: tuple[Role, ...] = get_args(Role)
LAST_GAMEWEEK = 38


class Member(Frozen):
    """Somebody who may ask the gateway: one role of one manager's backroom."""

    manager: str
    role: Role


class _Terms(Frozen):
    """What every promise has: the gameweeks it binds (inclusive) and what releases it."""

    first: int = 1
    last: int = LAST_GAMEWEEK
    only_if_fit: bool = False
    """Binds only in weeks when the player concerned is not ruled out."""
    until_chip: Chip | None = None
    """Ends in the gameweek in which this chip is played (that week is already free)."""


class HoldChip(_Terms):
    kind: Literal["hold_chip"]
    chip: Chip | Literal["any"]


class PlayChipIn(_Terms):
    """Play the chip in some gameweek from ``first`` to ``last``."""

    kind: Literal["play_chip_in"]
    chip: Chip
    captain_id: int | None = None


class NoHits(_Terms):
    kind: Literal["no_hits"]
    at_most_points: int = 0


class MaxTransfers(_Terms):
    kind: Literal["max_transfers"]
    limit: int


class KeepPlayer(_Terms):
    kind: Literal["keep_player"]
    player_id: int


class SellPlayer(_Terms):
    """Sell the player no later than the deadline of ``last``."""

    kind: Literal["sell_player"]
    player_id: int


class AvoidPlayer(_Terms):
    kind: Literal["avoid_player"]
    player_id: int


class CaptainPlayer(_Terms):
    kind: Literal["captain_player"]
    player_id: int


class NeverCaptain(_Terms):
    """Exactly one of ``player_id`` and ``club``."""

    kind: Literal["never_captain"]
    player_id: int | None = None
    club: str | None = None


class StartPlayer(_Terms):
    kind: Literal["start_player"]
    player_id: int
    starting: bool = True
    """False: a promise to leave the player on the bench."""


class ClubLimit(_Terms):
    """At most ``at_most`` (at least ``at_least``) players of a club; no club named means any club."""

    kind: Literal["club_limit"]
    club: str | None = None
    at_most: int | None = None
    at_least: int | None = None
    starting_only: bool = False


class BankTransfers(_Terms):
    """Leave ``leave_unused`` free transfers unused each week, or make none until ``save_until`` are banked."""

    kind: Literal["bank_transfers"]
    leave_unused: int | None = None
    save_until: int | None = None


class BankMoney(_Terms):
    """Tenths of a million in the bank after the decision, limits inclusive."""

    kind: Literal["bank_money"]
    at_least: int | None = None
    at_most: int | None = None


class Formation(_Terms):
    kind: Literal["formation"]
    formation: str
    """Defenders, midfielders, forwards: 3-4-3."""


class FreeText(_Terms):
    """A conviction no rule can test."""

    kind: Literal["free_text"]


Terms = Annotated[
    HoldChip
    | PlayChipIn
    | NoHits
    | MaxTransfers
    | KeepPlayer
    | SellPlayer
    | AvoidPlayer
    | CaptainPlayer
    | NeverCaptain
    | StartPlayer
    | ClubLimit
    | BankTransfers
    | BankMoney
    | Formation
    | FreeText,
    Field(discriminator="kind"),
]


class Claim(Frozen):
    """One sentence a manager binds itself with, and the same in terms that code can judge."""

    text: str = Field(min_length=1, max_length=400)
    terms: Terms


class StandingClaim(Frozen):
    """A claim as it stands before a gameweek: who made it when, and how it was honoured since."""

    record_id: str
    manager: str
    made_in: int
    ordinal: int
    claim: Claim
    kept: tuple[int, ...] = ()
    """Gameweeks in which it applied and was honoured."""
    broken: tuple[int, ...] = ()
    open: bool = True
    """False once lapsed, discharged or released: it can bind no later decision."""


class Outcome(Frozen):
    """How a gameweek turned out, attached to the exact records that led to it."""

    verdict: OutcomeVerdict
    season: str
    gameweek: int
    net_points: int
    rank: int
    of: int
    season_total: int
    scoring_version: int

    @property
    def sentence(self) -> str:
        return (
            f"RESULT: {self.verdict}. Gameweek {self.gameweek}: {self.net_points} net points, "
            f"finishing {self.rank} of {self.of}. Season total {self.season_total}."
        )


class MemoryRecord(Frozen):
    """One thing an agent can bring to mind. Derived from a committed ledger row; the id is computed from it."""

    id: str
    manager: str
    role: Role
    category: Category
    season: str
    gameweek: int
    """0 for the identity."""
    ordinal: int
    """Position among records of the same category in that gameweek."""
    text: str
    pinned: bool
    source: str
    """The ledger row it comes from, for example ``answers/2025-26/7/opus/manager``."""
    links: tuple[str, ...] = ()
    outcome: Outcome | None = None


class RecalledItem(Frozen):
    """One record brought to mind, and why."""

    record: MemoryRecord
    question: str
    legs: dict[str, int]
    """Rank in each search leg (``bm25``, ``vector``) that found it; ``link`` when it followed another record."""
    score: float


class Recall(Frozen):
    """What came back for one step, with the evidence for its state."""

    state: RecallState
    reason: str
    """A sentence: what was expected, what was found."""
    questions: tuple[str, ...]
    items: tuple[RecalledItem, ...]
    """In the order they are shown; never over the token budget."""
    dropped: tuple[str, ...]
    """Ids found but left out by quota or budget."""
    expected: int
    found: int
    tokens: int
