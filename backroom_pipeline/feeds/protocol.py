"""What every feed answers: a season, the facts before a deadline, the results after it."""

from __future__ import annotations

from typing import Protocol

from backroom_pipeline.fpl.model import GameweekFacts, GameweekResults, SeasonFacts


class FeedError(Exception):
    """A feed cannot answer; the message is a sentence for the operator: what is wrong and what to do next."""


class Feed(Protocol):
    """A source of the game's facts. Seasons are written ``2025-26``. Every method raises FeedError."""

    @property
    def name(self) -> str: ...

    def season(self, season: str) -> SeasonFacts:
        """Gameweeks, clubs, chip windows and scoring of a season."""
        ...

    def facts(self, season: str, gameweek: int) -> GameweekFacts:
        """The world strictly before the deadline of a gameweek, and nothing later."""
        ...

    def results(self, season: str, gameweek: int) -> GameweekResults:
        """What happened in a gameweek, as far as the source knows."""
        ...
