"""The vocabulary of memory: members, records, claims and their terms, recalls, outcomes."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from backroom_pipeline.fpl.model import Chip, Frozen, Position

Role = Literal["coach", "assistant", "manager"]
Category = Literal["identity", "narrative", "commitment", "sheet", "ranking", "thread"]
"""A thread is what consolidation adds: one standing claim and the gameweeks in which it was repeated."""
RecallState = Literal["complete", "partial", "empty", "unavailable"]
Verdict = Literal["kept", "broken", "not_applicable", "unclear"]
OutcomeVerdict = Literal["success", "failure", "mixed"]

ROLES: tuple[Role, ...] = get_args(Role)
LAST_GAMEWEEK = 38


class Member(Frozen):
    """Somebody who may ask the gateway: one role of one manager's backroom."""

    manager: str
    role: Role


class Condition(Frozen):
    """What must be so in a week for a promise to bind (``when``) or not to bind (``unless``).

    Every field that is given must hold. "Out" is ruled out for that gameweek.
    """

    player_out: int | None = None
    player_fit: int | None = None
    out_at_least: int | None = None
    """Players of the squad, as it was before the week's transfers, who are out."""
    out_at_most: int | None = None
    owns: int | None = None
    """This player is in the squad after the decision."""
    owns_not: int | None = None
    free_transfers_at_least: int | None = None
    """Free transfers before the decision."""
    free_transfers_at_most: int | None = None
    chip: Chip | None = None
    """This chip is played in that very week."""
    chip_used: Chip | None = None
    """This chip of the current half was played in an earlier week."""


class _Terms(Frozen):
    """What every promise has: the gameweeks it binds (inclusive) and what releases it.

    A promise never binds before the gameweek it was made in, whatever ``first`` says.
    """

    first: int = 1
    last: int = LAST_GAMEWEEK
    only_if_fit: bool = False
    """Binds only in weeks when the player concerned (of several who would do, one at least) is not ruled out."""
    until_chip: Chip | None = None
    """Ends in the gameweek in which this chip is played (that week is already free)."""
    when: Condition | None = None
    """Binds only in weeks in which this holds."""
    unless: Condition | None = None
    """Does not bind in weeks in which this holds."""


class HoldChip(_Terms):
    kind: Literal["hold_chip"]
    chip: Chip | Literal["any"]


class PlayChipIn(_Terms):
    """Play the chip in some gameweek from ``first`` to ``last``."""

    kind: Literal["play_chip_in"]
    chip: Chip | Literal["any"]
    captain_id: int | None = None


class NoHits(_Terms):
    """Pay at most so many points, in a week or over a rolling window of weeks that ends in the week judged."""

    kind: Literal["no_hits"]
    at_most_points: int = 0
    at_least_points: int = 0
    """A hit that is announced: pay at least so much."""
    over_gameweeks: int = 1


class MaxTransfers(_Terms):
    """At most ``limit`` (at least ``at_least``) transfers a week."""

    kind: Literal["max_transfers"]
    limit: int
    at_least: int = 0
    in_chip_weeks: bool = False
    """Binds in a wildcard or free-hit week too, in which a weekly limit is otherwise silent."""


class KeepPlayer(_Terms):
    kind: Literal["keep_player"]
    player_id: int


class SellPlayer(_Terms):
    """Sell the player no later than the deadline of ``last``; with ``when`` and no ``last``, once that is so."""

    kind: Literal["sell_player"]
    player_id: int
    replacement_id: int | None = None
    """Who must be bought in the same week."""


class BuyPlayer(_Terms):
    """Own the player no later than the deadline of ``last``; with ``when`` and no ``last``, once that is so."""

    kind: Literal["buy_player"]
    player_id: int


class AvoidPlayer(_Terms):
    """Do not buy the player; with ``owned``, do not have the player in the squad at all."""

    kind: Literal["avoid_player"]
    player_id: int
    owned: bool = False


class CaptainPlayer(_Terms):
    """Exactly one of ``player_id``, ``club`` and ``position`` wears the armband."""

    kind: Literal["captain_player"]
    player_id: int | None = None
    or_player_ids: tuple[int, ...] = ()
    """Others who would honour the promise as well ("Haaland or Salah")."""
    club: str | None = None
    position: Position | None = None
    vice: bool = False
    """The promise is about the vice captain."""


class NeverCaptain(_Terms):
    """Exactly one of ``player_id``, ``club`` and ``position`` never wears the armband."""

    kind: Literal["never_captain"]
    player_id: int | None = None
    club: str | None = None
    position: Position | None = None
    vice: bool = False


class CaptainPair(_Terms):
    """Captain and vice captain come from one club, or never do."""

    kind: Literal["captain_pair"]
    same_club: bool


class StartPlayer(_Terms):
    kind: Literal["start_player"]
    player_id: int
    or_player_ids: tuple[int, ...] = ()
    """Others who would honour the promise as well ("Raya or Roefs in goal")."""
    starting: bool = True
    """False: a promise to leave the player (and all the others named) on the bench or out."""


class ClubLimit(_Terms):
    """At most ``at_most`` (at least ``at_least``) players of a club; no club named means any club."""

    kind: Literal["club_limit"]
    club: str | None = None
    position: Position | None = None
    """Counts only players of this position."""
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
    """The formation, or one of several; or how many start in one ``line`` of it."""

    kind: Literal["formation"]
    formation: str | None = None
    """Defenders, midfielders, forwards: 3-4-3."""
    or_formations: tuple[str, ...] = ()
    line: Position | None = None
    at_least: int | None = None
    at_most: int | None = None
    never: bool = False
    """Turns the promise round: never this formation."""


class FreeText(_Terms):
    """A conviction no rule can test."""

    kind: Literal["free_text"]


_Single = (
    HoldChip
    | PlayChipIn
    | NoHits
    | MaxTransfers
    | KeepPlayer
    | SellPlayer
    | BuyPlayer
    | AvoidPlayer
    | CaptainPlayer
    | NeverCaptain
    | CaptainPair
    | StartPlayer
    | ClubLimit
    | BankTransfers
    | BankMoney
    | Formation
    | FreeText
)
SingleTerms = Annotated[_Single, Field(discriminator="kind")]


class AllOf(_Terms):
    """Several promises in one sentence: broken if any part that applies is broken.

    What is said of the whole is said of each part: its last gameweek is the latest deadline of any of them.
    """

    kind: Literal["all_of"]
    parts: Annotated[tuple[SingleTerms, ...], Field(min_length=2, max_length=6)]


Terms = Annotated[_Single | AllOf, Field(discriminator="kind")]


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
    repeated_in: tuple[int, ...] = ()
    """Later gameweeks in which the same promise was made again while this one stood."""
    open: bool = True
    """False once lapsed, discharged or released: it can bind no later decision."""


class Conflict(Frozen):
    """Two promises that cannot both be honoured: something to show, never an error."""

    earlier: StandingClaim
    later: Claim
    later_id: str = ""
    """The record the later promise becomes when it is committed."""
    reason: str
    found_by: Literal["terms", "negation"] = "terms"
    similarity: float | None = None
    """Of the two sentences, where the terms did not tell."""


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


class DroppedItem(Frozen):
    """One record found and not shown."""

    record_id: str
    question: str
    legs: dict[str, int]
    score: float
    why: Literal["budget", "quota"]
    """No room left, or its question had added its share already."""


class Recall(Frozen):
    """What came back for one step, with the evidence for its state."""

    state: RecallState
    reason: str
    """A sentence: what was expected, what was found."""
    questions: tuple[str, ...]
    items: tuple[RecalledItem, ...]
    """In the order they are shown; never over the token budget."""
    dropped: tuple[DroppedItem, ...]
    expected: int
    found: int
    tokens: int
