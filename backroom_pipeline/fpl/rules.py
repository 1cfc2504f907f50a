"""The rules of one season: read from ``seasons/<season>.yaml``, where every value names its source."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Annotated, Literal

import yaml
from pydantic import Field, JsonValue, TypeAdapter, ValidationError, model_validator

from backroom_pipeline.fpl.model import CHIPS, Chip, ChipWindow, Frozen, Position, SeasonFacts, Tenths
from backroom_pipeline.fpl.scoring import Scoring

Count = Annotated[int, Field(ge=0)]

FREE_TRANSFER_CHIPS: frozenset[Chip] = frozenset({"wildcard", "free_hit"})
"""The chips that make a gameweek's transfers free (and uncounted)."""


class UnknownSeason(Exception):
    """No rules are written down for a season; the sentence names the ones there are."""


class Rules(Frozen):
    """What a legal team is, what transfers cost, and which chips can be played when, in one season."""

    season: str
    last_gameweek: Annotated[int, Field(ge=1)]
    squad: dict[Position, Count]
    """How many players of each position a squad holds."""
    budget: Tenths
    club_limit: Count
    hit_cost: Count
    """Points for each transfer beyond the free ones."""
    transfers_cap: Count
    """Most transfers in one gameweek without a wildcard or free hit."""
    free_transfer_cap: Count
    free_transfers_after_chip: Literal["kept", "reset"]
    """After a wildcard or free hit: kept as they were, without the weekly one; or reset to one (until 2023/24)."""
    top_ups: dict[int, Count]
    """Gameweek to the number of free transfers everybody has for it, whatever was saved."""
    unlimited_gameweeks: tuple[int, ...]
    """Gameweeks in which transfers are free for all, apart from opening squads. They use up saved ones all the same."""
    gameweeks_without_chips: tuple[int, ...]
    """Gameweeks in which no chip counts, because no match was played in them."""
    chips: tuple[ChipWindow, ...]
    """One entry for each copy of a chip. Two copies share gameweeks only where one was added during the season."""
    scoring: Scoring

    @model_validator(mode="after")
    def _windows_lie_in_the_season_and_apart(self) -> Rules:
        for window in self.chips:
            if not 1 <= window.first <= window.last <= self.last_gameweek:
                raise ValueError(f"The {window.chip} window {window.first}-{window.last} does not fit in the season.")
        for earlier, later in zip(self.chips, self.chips[1:], strict=False):
            if earlier.chip == later.chip and later.first <= earlier.last != later.last:
                raise ValueError(f"Two {later.chip} windows share gameweek {later.first}.")
        return self

    @property
    def squad_size(self) -> int:
        return sum(self.squad.values())

    def with_windows(self, chips: Iterable[ChipWindow]) -> Rules:
        """These rules with the chip windows a source states; unchanged where it states none."""
        windows = _in_order(chips)
        return Rules.model_validate({**dict(self), "chips": windows}) if windows else self

    def as_stated(self, facts: SeasonFacts) -> Rules:
        """These rules with the chip windows and the scoring a source states, where it does.

        Raises fpl.scoring.UnknownScoring where it gives points for something nothing here counts.
        """
        scoring = self.scoring.with_stated(facts.scoring_json)
        return self.with_windows(facts.chips).model_copy(update={"scoring": scoring})


class SourcedValue(Frozen):
    """One line of a season file."""

    value: JsonValue
    source: Annotated[str, Field(min_length=1)]


_SEASON_FILE = TypeAdapter(dict[str, SourcedValue | dict[str, SourcedValue]])


@cache
def load_rules(season: str) -> Rules:
    """The rules of ``season`` ("2025-26"). Raises UnknownSeason, or ValueError naming the file that is wrong."""
    file = resources.files("backroom_pipeline.fpl") / "seasons" / f"{season}.yaml"
    if season not in seasons():
        raise UnknownSeason(
            f"There are no rules for season {season!r}, only for {', '.join(seasons())}. "
            f"Add backroom_pipeline/fpl/seasons/{season}.yaml with a source for every value."
        )
    try:
        # Through JSON, because strict models take a list for a tuple there only.
        lines = _SEASON_FILE.validate_json(json.dumps(yaml.safe_load(file.read_text(encoding="utf-8"))))
        values = {name: _values(line) for name, line in lines.items()}
        rules = Rules.model_validate_json(json.dumps({"season": season, **values}))
    except (yaml.YAMLError, ValidationError) as wrong:
        raise ValueError(f"The season file {season}.yaml cannot be used: {wrong}") from wrong
    return rules.with_windows(rules.chips)


@cache
def seasons() -> tuple[str, ...]:
    """The seasons with rules, oldest first."""
    files = (resources.files("backroom_pipeline.fpl") / "seasons").iterdir()
    return tuple(sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml")))


def _values(line: SourcedValue | dict[str, SourcedValue]) -> JsonValue:
    return line.value if isinstance(line, SourcedValue) else {name: part.value for name, part in line.items()}


def _in_order(chips: Iterable[ChipWindow]) -> tuple[ChipWindow, ...]:
    return tuple(sorted(chips, key=lambda window: (CHIPS.index(window.chip), window.first)))
