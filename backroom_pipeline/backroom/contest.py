"""A contest opened for one step of work: its league, its ledger, its memory gateway, its rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from backroom_pipeline.fpl.model import ChipWindow, GameweekFacts, Player
from backroom_pipeline.fpl.rules import Rules, load_rules
from backroom_pipeline.league import League, LeagueError, ManagerConfig, Profile
from backroom_pipeline.ledger import facts as fact_rows
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.model import Role
from backroom_pipeline.models.spec import ModelSpec
from backroom_pipeline.models.spending import Caps, Guard
from backroom_pipeline.models.vendors import Vendors

if TYPE_CHECKING:
    from backroom_pipeline.memory.gateway import Gateway


class CannotDecide(Exception):
    """A manager that cannot go on, with who, where and why in one sentence. Nothing was decided for it."""

    def __init__(self, manager: str, role: Role, gameweek: int, reason: str) -> None:
        super().__init__(f"{manager}'s {role} cannot go on in gameweek {gameweek}: {reason}")
        self.manager, self.role, self.gameweek, self.reason = manager, role, gameweek, reason


class MissingFacts(Exception):
    """The ledger does not hold what a step needs; the message names the step that writes it."""


@dataclass(frozen=True)
class Week:
    """A gameweek as every manager finds it before the deadline."""

    season: str
    gameweek: int
    opening: bool
    """Teams are built from nothing: the first gameweek of its season that the league plays."""
    rules: Rules
    facts: GameweekFacts
    pool: dict[int, Player]
    inputs_sha256: str
    profile: Profile = "full"
    """How much of it a prompt shows."""


@dataclass(frozen=True)
class Contest:
    """Everything one step needs. Open it, do the step, close it: the ledger file is free in between."""

    league: League
    ledger: Ledger
    directory: Path
    guard: Guard
    """What every call to a model passes: the league's caps, and whose turn it is at each vendor."""

    @classmethod
    @contextmanager
    def open(cls, league: League, directory: Path, *, read_only: bool = False) -> Iterator[Contest]:
        """Open the contest kept in ``directory`` (made when absent).

        Raises LedgerBusy while another process writes, LeagueError for options no model can be asked with.
        """
        guard = guard_of(league)
        if not read_only:
            directory.mkdir(parents=True, exist_ok=True)
        with Ledger.open(directory / "ledger.duckdb", read_only=read_only) as ledger:
            yield cls(league, ledger, directory, guard)

    @cached_property
    def gateway(self) -> Gateway:
        """The door to every store, opened with the embedder of the league file when first needed."""
        from backroom_pipeline.memory.embedder import load_embedder
        from backroom_pipeline.memory.gateway import Gateway

        return Gateway(self.directory / "memory", self.ledger, load_embedder(self.league.embedder))

    def manager(self, slug: str) -> ManagerConfig:
        return self.league.manager(slug)

    def is_opening(self, season: str, gameweek: int) -> bool:
        """Whether teams are built from nothing in this gameweek: the first of its season that the league plays."""
        before = self.league.gameweek_before(season, gameweek)
        return before is None or before[0] != season

    def week(self, season: str, gameweek: int) -> Week:
        """The gameweek by its newest facts. They are content-addressed, so a process keeps the last few it read."""
        sha256 = self.inputs_sha256(season, gameweek)
        rules = self.rules(season)
        held = _WEEKS.get(sha256)
        if held is None or held.rules is not rules or held.profile != self.league.profile:
            facts = fact_rows.gameweek_facts(self.ledger, season, gameweek, sha256)
            held = Week(
                season=season,
                gameweek=gameweek,
                opening=self.is_opening(season, gameweek),
                rules=rules,
                facts=facts,
                pool={player.id: player for player in facts.players},
                inputs_sha256=sha256,
                profile=self.league.profile,
            )
            while len(_WEEKS) > 3:
                _WEEKS.pop(next(iter(_WEEKS)), None)
            _WEEKS[sha256] = held
        return held

    def facts(self, season: str, gameweek: int) -> GameweekFacts:
        return self.week(season, gameweek).facts

    def pool(self, season: str, gameweek: int) -> dict[int, Player]:
        return self.week(season, gameweek).pool

    def rules(self, season: str) -> Rules:
        """The season's rules with the chip windows its source states."""
        return _rules(season, fact_rows.season_facts(self.ledger, season).chips)

    def inputs_sha256(self, season: str, gameweek: int) -> str:
        """The hash of the newest facts. Raises MissingFacts."""
        sha256 = fact_rows.inputs_sha256(self.ledger, season, gameweek)
        if sha256 is None:
            raise MissingFacts(
                f"Gameweek {gameweek} of {season} has no facts in the ledger. Materialize players_and_fixtures for it "
                f"first, or run: backroom gameweek run {gameweek}"
            )
        return sha256


def guard_of(league: League) -> Guard:
    """The league's caps and its vendors. Raises LeagueError."""
    caps = Caps(gameweek=league.spend_cap_per_gameweek, season=league.spend_cap_per_season)
    return Guard(caps, Vendors(spec_of(manager) for manager in league.managers))


def spec_of(manager: ManagerConfig) -> ModelSpec:
    """A manager's model and options. Raises LeagueError naming the manager and the option."""
    try:
        return ModelSpec(model=manager.model, options=manager.options)
    except ValidationError as error:
        sentences = [problem["msg"].removeprefix("Value error, ") for problem in error.errors()]
        raise LeagueError([f"manager {manager.slug}: {sentence}" for sentence in sentences]) from None


_WEEKS: dict[str, Week] = {}


@lru_cache(maxsize=8)
def _rules(season: str, chips: tuple[ChipWindow, ...]) -> Rules:
    rules = load_rules(season)
    return rules.with_windows(chips) if chips else rules
