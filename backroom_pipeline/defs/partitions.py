"""One static partition per gameweek, ``2025-26-gw07``, and the names managers have in Dagster.

The order of gameweeks is enforced by preflight, which asks the ledger. It cannot be declared: Dagster rejects a
self-dependency across static partitions, and "this week's decision needs last week's scores" would be a cycle.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import dagster as dg

from backroom_pipeline.league import League

_KEY = re.compile(r"(?P<season>\d{4}-\d{2})-gw(?P<gameweek>\d{2})")


class Gameweek(NamedTuple):
    """A gameweek of a season."""

    season: str
    number: int

    @property
    def key(self) -> str:
        return f"{self.season}-gw{self.number:02d}"

    @classmethod
    def of(cls, key: str) -> Gameweek:
        """The gameweek of a partition key; raises ValueError on anything else."""
        match = _KEY.fullmatch(key)
        if match is None:
            raise ValueError(f'"{key}" is not a gameweek; write it like 2025-26-gw07')
        return cls(match["season"], int(match["gameweek"]))


def gameweeks(league: League) -> tuple[Gameweek, ...]:
    """Every gameweek the league plays, in order."""
    return tuple(Gameweek(season, number) for season, number in league.gameweeks)


def gameweek_partitions(league: League) -> dg.StaticPartitionsDefinition:
    return dg.StaticPartitionsDefinition([gameweek.key for gameweek in gameweeks(league)])


def dagster_name(slug: str) -> str:
    """A slug in Dagster's alphabet. Injective, because slugs have hyphens and no underscores."""
    return slug.replace("-", "_")


def manager_group(slug: str) -> str:
    """The box in the lineage that holds one manager's backroom."""
    return f"backroom_{dagster_name(slug)}"
