"""A loopback API that says what a test puts into its mouth, and the live feed that listens to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx

from backroom_pipeline.backroom.rehearsal.loopback import Answer, LoopbackApi
from backroom_pipeline.backroom.rehearsal.recorded import RecordedSeason
from backroom_pipeline.feeds.official import OfficialFeed
from backroom_pipeline.feeds.snapshot_store import SnapshotStore

SEASON = "2025-26"


class Scene:
    """Recorded payloads as of ``now``, the ones in ``instead`` first; the feed under test and its store."""

    def __init__(self, recorded: RecordedSeason, root: Path) -> None:
        self.recorded = recorded
        self.now = recorded.captures[0].taken
        self.instead: dict[str, bytes | Answer] = {}
        self.waited: list[float] = []
        self.store = SnapshotStore(root / "snapshots")
        self.api = LoopbackApi(self._says)

    def stand_before(self, gameweek: int) -> Scene:
        """Put the clock to when the capture before that deadline was taken."""
        self.now = next(capture.taken for capture in self.recorded.captures if capture.gameweek == gameweek)
        return self

    def bootstrap(self) -> bytes:
        content = self.recorded.payload("bootstrap-static/", self.now)
        assert content is not None
        return content

    def feed(self, **settings: Any) -> OfficialFeed:
        settings = {"pause": 0, "base_url": self.api.url, "transport": httpx.HTTPTransport(), **settings}
        return OfficialFeed(self.store, self.clock, sleep=self.waited.append, **settings)

    def clock(self) -> datetime:
        return self.now

    def _says(self, endpoint: str) -> Answer:
        said = self.instead.get(endpoint)
        if isinstance(said, Answer):
            return said
        return Answer(said if said is not None else self.recorded.payload(endpoint, self.now), HTTPStatus.OK)


@contextmanager
def scene(recorded: RecordedSeason, root: Path) -> Iterator[Scene]:
    set_up = Scene(recorded, root)
    with set_up.api:
        yield set_up
