"""Choosing a feed by its name, as a league file or a command gives it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

from backroom_pipeline.feeds.protocol import Feed, FeedError

FeedName = Literal["archive", "official", "snapshot", "vaastav"]
FEEDS: tuple[FeedName, ...] = get_args(FeedName)


def feed_named(
    name: str,
    *,
    clock: Callable[[], datetime],
    archive: Path,
    snapshots: Path,
    as_of: datetime | None = None,
    base_url: str | None = None,
    layout: str | None = None,
) -> Feed:
    """The feed called ``name``. Raises FeedError for a name there is no feed of.

    ``archive`` is the wheel's path, ``snapshots`` the folder payloads are kept in and replayed from (``as_of`` an
    instant), ``base_url`` the API's address, ``layout`` the folder or URL of a vaastav layout.
    """
    if name == "archive":
        from backroom_pipeline.feeds.archive import ArchiveFeed

        return ArchiveFeed(archive)
    if name in ("official", "snapshot"):
        from backroom_pipeline.feeds.snapshot_store import SnapshotStore

        store = SnapshotStore(snapshots)
        if name == "snapshot":
            from backroom_pipeline.feeds.snapshots import SnapshotFeed

            return SnapshotFeed(store, as_of)
        from backroom_pipeline.feeds.official import OfficialFeed

        return OfficialFeed(store, clock, base_url=base_url)
    if name == "vaastav":
        from backroom_pipeline.feeds.vaastav import VaastavFeed

        if layout is None:
            raise FeedError("The vaastav feed needs the folder or URL that holds `data/`. Name it.")
        return VaastavFeed(layout)
    raise FeedError(f"There is no feed called {name!r}. Choose one of {', '.join(FEEDS)}.")
