"""What a season will cost, before it is played: the tokens of real prompts at today's prices, low and high.

Low: every answer is as long as those measured, without any thinking. High: memories are full and every answer fills
max_tokens. Both count one call an answer and no cache; a repair or a repeat is one more call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backroom_pipeline.backroom.contest import guard_of, spec_of
from backroom_pipeline.backroom.prompt_sizes import PromptSizes, schema_tokens
from backroom_pipeline.league import League, ManagerConfig
from backroom_pipeline.memory.model import ROLES, Role
from backroom_pipeline.models.caching import caching_of
from backroom_pipeline.models.cost import in_micro_dollars
from backroom_pipeline.models.prices import Price, price_of
from backroom_pipeline.models.spec import ModelSpec
from backroom_pipeline.models.spending import Guard, most_answer_tokens


@dataclass(frozen=True)
class RoleEstimate:
    """One role over the gameweeks. Costs in micro-dollars."""

    role: Role
    calls: int
    prompt_tokens: int
    answer_tokens: int
    low: int
    high: int
    cache_saves: int
    """Of both, at most, by a cache of prefixes that several managers share; negative where writing costs more."""


@dataclass(frozen=True)
class ManagerEstimate:
    """One manager; without roles where nobody knows its model's price."""

    manager: str
    model: str
    price_version: str | None
    roles: tuple[RoleEstimate, ...]

    @property
    def low(self) -> int:
        return sum(role.low for role in self.roles)

    @property
    def high(self) -> int:
        return sum(role.high for role in self.roles)

    @property
    def cache_saves(self) -> int:
        return sum(role.cache_saves for role in self.roles)


@dataclass(frozen=True)
class SeasonEstimate:
    """What the gameweeks of a season should cost, with what was assumed and what is not in it."""

    season: str
    gameweeks: tuple[int, ...]
    source: str
    managers: tuple[ManagerEstimate, ...]
    notes: tuple[str, ...]

    @property
    def low(self) -> int:
        return sum(manager.low for manager in self.managers)

    @property
    def high(self) -> int:
        return sum(manager.high for manager in self.managers)

    @property
    def cache_saves(self) -> int:
        return sum(manager.cache_saves for manager in self.managers)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Models that cost something nobody knows."""
        return tuple(sorted({manager.model for manager in self.managers if not manager.roles}))


def estimate(league: League, sizes: PromptSizes, season: str, gameweeks: Sequence[int]) -> SeasonEstimate:
    """The cost of the gameweeks for every manager and role."""
    guard = guard_of(league)
    managers = tuple(_of_manager(manager, guard, sizes, gameweeks) for manager in league.managers)
    found = SeasonEstimate(season, tuple(gameweeks), sizes.source, managers, ())
    return SeasonEstimate(season, tuple(gameweeks), sizes.source, managers, tuple(_notes(league, found)))


def _of_manager(manager: ManagerConfig, guard: Guard, sizes: PromptSizes, gameweeks: Sequence[int]) -> ManagerEstimate:
    spec = spec_of(manager)
    price = price_of(spec)
    if price is None and not spec.is_house:
        return ManagerEstimate(manager.slug, manager.model, None, ())
    roles = tuple(_of_role(role, spec, price, guard, sizes, gameweeks) for role in ROLES)
    return ManagerEstimate(manager.slug, manager.model, price.version if price else None, roles)


def _of_role(
    role: Role, spec: ModelSpec, price: Price | None, guard: Guard, sizes: PromptSizes, gameweeks: Sequence[int]
) -> RoleEstimate:
    schema = schema_tokens(role, spec.response_format)
    prompt_tokens = answer_tokens = low = high = saves = 0
    for gameweek in gameweeks:
        size = sizes.of(gameweek, role)
        prompt = size.public + size.private + schema
        prompt_tokens += prompt
        answer_tokens += size.answer
        if price is None:
            continue
        low += _cost(price, prompt, size.answer)
        high += _cost(price, prompt + sizes.memory_to_come[role], most_answer_tokens(spec))
        saves += _cache_saves(spec, price, guard, size.public)
    return RoleEstimate(role, len(gameweeks), prompt_tokens, answer_tokens, low, high, saves)


def _cost(price: Price, prompt: int, answer: int) -> int:
    rates = price.rates(prompt)
    return in_micro_dollars(prompt * rates.input + answer * max(rates.output, rates.reasoning))


def _cache_saves(spec: ModelSpec, price: Price, guard: Guard, prefix: int) -> int:
    """Of one manager's call: its part of what those who share the prefix save by reading what one has written."""
    rates, sharing = price.rates(prefix), max(guard.vendors.sharing(spec), 1)
    marked = guard.marks(spec)
    if not marked and (caching_of(spec) != "automatic" or sharing == 1):
        return 0
    read = (sharing - 1) * (rates.input - rates.cached)
    written = rates.written - rates.input if marked else 0
    return (read - written) * prefix // sharing // 1_000_000


def _notes(league: League, found: SeasonEstimate) -> list[str]:
    notes = [f"Nobody knows the price of {model}; its calls are not in the sums." for model in found.unpriced]
    if league.conflict_judge:
        notes.append(f"The judge of promises, {league.conflict_judge}, is not in the sums.")
    caps = (
        ("spend_cap_per_season", league.spend_cap_per_season, found.high),
        ("spend_cap_per_gameweek", league.spend_cap_per_gameweek, found.high // max(len(found.gameweeks), 1)),
    )
    for name, cap, high in caps:
        if cap is not None and high > cap:
            notes.append(
                f"{name} is ${cap / 1e6:.2f}, below the high estimate of ${high / 1e6:.2f}: it may stop the play."
            )
    return notes
