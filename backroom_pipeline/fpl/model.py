"""The vocabulary of the game: players, fixtures, sheets, team states, bills, results.

Money is an integer in tenths of a million (62 is 6.2 million); times are UTC; players are addressed by ``id`` within a
season and by ``code`` across seasons, never by name.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

Position = Literal["GK", "DEF", "MID", "FWD"]
Chip = Literal["wildcard", "free_hit", "bench_boost", "triple_captain"]
Status = Literal["a", "d", "i", "s", "u", "n"]
"""Availability as the official game codes it: available, doubtful, injured, suspended, unavailable, not in squad."""

POSITIONS: tuple[Position, ...] = get_args(Position)
CHIPS: tuple[Chip, ...] = get_args(Chip)

Tenths = Annotated[int, Field(description="money in tenths of a million")]


class Frozen(BaseModel):
    """Base of every contract: immutable, no coercion, no unknown keys, no NaN or infinity.

    Build from JSON text with ``model_validate_json`` (lists become tuples there even though the models are strict).
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


class Stats(Frozen):
    """Sums over matches. ``matches`` counts the club's matches with a row for the player, played or not."""

    matches: int = 0
    minutes: int = 0
    starts: int = 0
    points: int = 0
    goals: int = 0
    assists: int = 0
    clean_sheets: int = 0
    conceded: int = 0
    own_goals: int = 0
    penalties_saved: int = 0
    penalties_missed: int = 0
    yellow_cards: int = 0
    red_cards: int = 0
    saves: int = 0
    bonus: int = 0
    bps: int = 0
    defensive_contribution: int = 0
    xg: float = 0.0
    xa: float = 0.0
    xgc: float = 0.0
    ict: float = 0.0


class Player(Frozen):
    """One player as known before a deadline."""

    id: int
    code: int
    web_name: str
    club: str
    """Three-letter short name of the club at that time, for example ARS."""
    position: Position
    price: Tenths
    status: Status = "a"
    chance_of_playing: int | None = None
    """Percent, as last published; None means no news, which is fit (CASES R21)."""
    news: str = ""
    selected_by: float | None = None
    """Percent of all teams owning the player; None where it was not known before the deadline."""
    season: Stats = Stats()
    """Season to date (in gameweek 1: last season's, see GameweekFacts.statistics_season)."""
    recent: Stats = Stats()
    """The last RECENT_GAMEWEEKS finished gameweeks of this season."""


RECENT_GAMEWEEKS = 5


class Fixture(Frozen):
    """One match as known before a deadline. A postponed match has no gameweek and may have no kickoff."""

    id: int
    gameweek: int | None
    kickoff: datetime | None
    home: str
    away: str
    home_difficulty: int
    """1 (easy) to 5 (hard) for the home club."""
    away_difficulty: int


class ChipWindow(Frozen):
    """One playable copy of a chip: usable once, from ``first`` to ``last`` inclusive, else lost."""

    chip: Chip
    first: int
    last: int


class ChipPlay(Frozen):
    """A chip that was played, and when."""

    chip: Chip
    gameweek: int


class OwnedPlayer(Frozen):
    """A squad member and what was paid for it at the time of the transfer."""

    player_id: int
    purchase_price: Tenths


class TeamState(Frozen):
    """A team before (or after) a deadline. An empty ``owned`` is a team that has not entered yet."""

    owned: tuple[OwnedPlayer, ...] = ()
    bank: Tenths = 1000
    free_transfers: int = 1
    chips_played: tuple[ChipPlay, ...] = ()

    @property
    def player_ids(self) -> frozenset[int]:
        return frozenset(owned.player_id for owned in self.owned)


class TeamSheet(Frozen):
    """A complete team for one gameweek: the one description of a squad that prompts, ledger and pictures share.

    ``starting`` holds eleven ids; ``bench`` four, goalkeeper first, then in order of substitution. Transfers are not
    stated: they are the difference between these fifteen and the state's. Shape and legality are judged by
    ``apply_sheet``, so that every breach can be named at once; this contract only fixes the types.
    """

    starting: tuple[int, ...]
    bench: tuple[int, ...]
    captain: int
    vice_captain: int
    chip: Chip | None = None

    @property
    def player_ids(self) -> tuple[int, ...]:
        return self.starting + self.bench


class Breach(Frozen):
    """One broken rule: a stable code, a sentence for people and models, the players concerned."""

    code: str
    sentence: str
    players: tuple[int, ...] = ()


class IllegalSheet(Exception):
    """A sheet that breaks rules; ``breaches`` names every one of them."""

    def __init__(self, breaches: tuple[Breach, ...]) -> None:
        super().__init__(" ".join(breach.sentence for breach in breaches))
        self.breaches = breaches


class Trade(Frozen):
    """One player sold or bought, and the price of it."""

    player_id: int
    price: Tenths


class Bill(Frozen):
    """What a sheet costs, computed in one place (``apply_sheet``) and shown everywhere."""

    sold: tuple[Trade, ...]
    bought: tuple[Trade, ...]
    paid_transfers: int
    """Transfers beyond the free ones."""
    hit_points: int
    """Points deducted for them, as a positive number (4 each)."""
    bank_before: Tenths
    bank_after: Tenths
    """Money left in this gameweek's squad. In a free-hit week ``Applied.state_after.bank`` is the permanent one."""
    free_transfers_before: int
    free_transfers_after: int
    """Free transfers for the next gameweek."""


class Applied(Frozen):
    """A legal sheet applied to a state."""

    state_after: TeamState
    """The team as it stands before the next deadline (after a free hit: squad, prices and bank of before)."""
    bill: Bill


class SeasonFacts(Frozen):
    """What a source says about a season as a whole."""

    season: str
    gameweeks: tuple[int, ...]
    clubs: dict[str, str]
    """Short name to full name."""
    chips: tuple[ChipWindow, ...]
    scoring_json: str
    """The source's scoring table, verbatim JSON; empty where it has none."""
    source: str


class GameweekFacts(Frozen):
    """Everything a decision may know: the world strictly before one deadline."""

    season: str
    gameweek: int
    deadline: datetime
    cutoff: datetime
    """The instant the facts are of; strictly before ``deadline``."""
    players: tuple[Player, ...]
    fixtures: tuple[Fixture, ...]
    """All fixtures of the season with the gameweek each had at the time, finished ones included (without scores)."""
    statistics_season: str
    """The season that Player.season sums over: last season in gameweek 1."""
    fitness_known: bool
    """False where no dated source tells who was fit; everybody is then treated as fit and the briefing says so."""
    notes: tuple[str, ...] = ()
    """Sentences about what the source could not tell, shown in the briefing."""
    source: str


class MatchPerformance(Frozen):
    """One player in one match: official points and the raw statistics behind them."""

    player_id: int
    fixture_id: int
    points: int
    minutes: int
    stats: Stats
    """The same match as Stats (matches == 1)."""


class FixtureScore(Frozen):
    """Final score of one match."""

    fixture_id: int
    home_goals: int
    away_goals: int


class GameweekResults(Frozen):
    """What happened in one gameweek, as far as the source knows."""

    season: str
    gameweek: int
    known_at: datetime
    final: bool
    """True once the official game has checked its data."""
    performances: tuple[MatchPerformance, ...]
    scores: tuple[FixtureScore, ...] = ()
    average_score: int | None = None
    highest_score: int | None = None
    source: str


class Performance(Frozen):
    """One player in one gameweek, all matches together: what scoring a lineup needs."""

    points: int
    minutes: int
    played: bool
    """Minutes above zero or a card in any match of the gameweek."""


class Substitution(Frozen):
    """An automatic substitution."""

    out: int
    came_in: int


class LineupScore(Frozen):
    """A sheet scored by the official points of its players. ``points`` is gross: hits are the bill's."""

    points: int
    bench_points: int
    """Points left on the bench after substitutions; 0 under bench boost."""
    substitutions: tuple[Substitution, ...]
    captain: int | None
    """Who wore the armband in effect: captain, vice captain, or nobody."""
    multipliers: dict[int, int]
    """Player id to 0 (benched), 1, 2 or 3, for all fifteen."""
