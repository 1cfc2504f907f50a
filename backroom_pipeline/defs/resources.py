"""What assets are given to work with: the contest behind its locks, and the feed of facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import dagster as dg
from pydantic import PrivateAttr

from backroom_pipeline.backroom.contest import CannotDecide, Contest, MissingFacts
from backroom_pipeline.backroom.facts import LeagueMismatch
from backroom_pipeline.feeds.choose import feed_named
from backroom_pipeline.feeds.fetch import archive_path
from backroom_pipeline.feeds.protocol import Feed, FeedError
from backroom_pipeline.fpl.rules import UnknownSeason
from backroom_pipeline.league import League, LeagueError, archive_dir, state_dir
from backroom_pipeline.ledger.store import LedgerError, SeasonLock
from backroom_pipeline.memory.embedder import EmbedderError
from backroom_pipeline.memory.gateway import Refused
from backroom_pipeline.memory.records import NotEnrolled
from backroom_pipeline.memory.store import StoreError

OPERATOR_ERRORS = (
    CannotDecide,
    EmbedderError,
    FeedError,
    LeagueError,
    LeagueMismatch,
    LedgerError,
    MissingFacts,
    NotEnrolled,
    Refused,
    StoreError,
    UnknownSeason,
)
"""Errors whose message is a sentence for the operator; a run shows that sentence instead of a stack trace."""


class ContestResource(dg.ConfigurableResource):
    """The league's ledger and memory on disk, open for one step and by one process at a time."""

    directory: str
    _open: ExitStack = PrivateAttr(default_factory=ExitStack)

    @contextmanager
    def open(self, league: League, purpose: str) -> Iterator[Contest]:
        """The contest for the length of a step; ``purpose`` is what another process is told while it waits.

        Raises dg.Failure with a sentence when somebody else is playing or the step meets an operator's error.
        """
        directory = Path(self.directory)
        try:
            with self._open:
                self._open.enter_context(SeasonLock(directory).acquire(purpose))
                yield self._open.enter_context(Contest.open(league, directory))
        except OPERATOR_ERRORS as error:
            raise dg.Failure(description=str(error), allow_retries=False) from error

    def before_closing(self, callback: Callable[[], None]) -> None:
        """Call this while the contest is still open, however the step ends."""
        self._open.callback(callback)

    def teardown_after_execution(self, context: dg.InitResourceContext) -> None:
        """Close what an interrupt left open.

        When it falls between two events of a step, Dagster drops the step's generator where it stands, and the lock in
        it would be held until the garbage collector comes by.
        """
        self._open.close()


class FeedResource(dg.ConfigurableResource):
    """Where facts and results come from: the season archive, the official API, or what was kept of it."""

    name: str
    archive_folder: str
    snapshots: str

    def feed(self) -> Feed:
        """The feed; raises FeedError naming the file and the command that fetches it."""
        return _feed(self.name, archive_path(Path(self.archive_folder)), Path(self.snapshots))


@lru_cache(maxsize=1)
def _feed(name: str, archive: Path, snapshots: Path) -> Feed:
    """Kept by the process: a season in one process reads the archive once."""
    return feed_named(name, clock=lambda: datetime.now(UTC), archive=archive, snapshots=snapshots)


def feed_resource(league: League) -> FeedResource:
    return FeedResource(
        name=league.feed, archive_folder=str(archive_dir()), snapshots=str(state_dir(league) / "snapshots")
    )


def resources(league: League) -> dict[str, dg.ConfigurableResource]:
    return {
        "room": ContestResource(directory=str(state_dir(league))),
        "source": feed_resource(league),
    }
