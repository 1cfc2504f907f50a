"""The replay feed: facts and results from what the live feed has kept, without asking anybody.

As of the cutoff that facts carry, the same facts come out, to the byte. Without an instant, a gameweek's facts are
those of the last player list fetched strictly before its deadline (CASES B28), and results the newest ones kept.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import UTC, datetime, timedelta

from backroom_pipeline.feeds.official_facts import (
    BOOTSTRAP,
    SOURCE,
    PayloadReader,
    check_season,
    facts_as_of,
    results_as_of,
)
from backroom_pipeline.feeds.payloads import Bootstrap, season_facts
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.feeds.snapshot_store import Kept, SnapshotStore
from backroom_pipeline.fpl.model import GameweekFacts, GameweekResults, SeasonFacts

INSTANT = timedelta(microseconds=1)
AFTER_THE_LAST = 1000
"""Stands for the next gameweek of a player list that has none left."""


class SnapshotFeed:
    """The payloads in ``store`` as of an instant (None: all of them)."""

    def __init__(self, store: SnapshotStore, as_of: datetime | None = None) -> None:
        self.store = store
        self.as_of = as_of or datetime.max.replace(tzinfo=UTC)
        self._reader = PayloadReader(store)
        self._weeks: dict[str, tuple[str, int]] = {}

    @property
    def name(self) -> str:
        return "snapshot"

    def season(self, season: str) -> SeasonFacts:
        """As the newest player list of that season states it. Raises FeedError."""
        last, _ = self._last_of(season, AFTER_THE_LAST)
        return season_facts(last, SOURCE)

    def facts(self, season: str, gameweek: int) -> GameweekFacts:
        """The world as of the instant, or just before the deadline where that is earlier. Raises FeedError."""
        last, _ = self._last_of(season, gameweek)
        before_deadline = last.event(gameweek).deadline - INSTANT
        return facts_as_of(self._reader, season, gameweek, min(self.as_of, before_deadline))

    def results(self, season: str, gameweek: int, *, provisional: bool = False) -> GameweekResults:
        """What happened, as known at the instant. Raises FeedError where it was not final then."""
        _, until = self._last_of(season, AFTER_THE_LAST)
        return results_as_of(self._reader, season, gameweek, until, provisional=provisional)

    def _last_of(self, season: str, gameweek: int) -> tuple[Bootstrap, datetime]:
        """The last player list of a season whose next gameweek is ``gameweek`` or an earlier one, and until when."""
        kept = [one for one in self.store.history(BOOTSTRAP) if one.fetched_at <= self.as_of]
        # Thousands may be kept and reading one takes a moment; the weeks they stand before only ever rise.
        place = bisect_right(kept, (season, gameweek), key=self._stands_before)
        if not place:
            raise FeedError(
                f"No player list of {season} up to gameweek {gameweek} is kept in {self.store.root.resolve()}. "
                "Snapshots are kept by the official feed, from the first gameweek it is asked for."
            )
        bootstrap = self._reader.bootstrap(kept[place - 1])
        check_season(bootstrap, season)
        return bootstrap, kept[place].fetched_at - INSTANT if place < len(kept) else self.as_of

    def _stands_before(self, kept: Kept) -> tuple[str, int]:
        if kept.sha256 not in self._weeks:
            bootstrap = self._reader.bootstrap(kept)
            self._weeks[kept.sha256] = bootstrap.season, bootstrap.next_gameweek or AFTER_THE_LAST
        return self._weeks[kept.sha256]
