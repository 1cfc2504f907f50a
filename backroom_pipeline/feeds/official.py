"""The live feed: the official game's API, asked politely, everything it says kept before it is read.

Every answer goes into the snapshot store first; an answer that cannot be believed is put aside there with the reason,
and the question fails with that sentence (see payloads.py). Words instead of data ("The game is being updated."), a
busy server and a broken connection are asked again a few times. What is known already is asked for conditionally, and
requests are never closer together than ``pause`` seconds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from backroom_pipeline import __version__
from backroom_pipeline.feeds.official_facts import (
    BOOTSTRAP,
    EVENT_STATUS,
    FIXTURES,
    SOURCE,
    PayloadReader,
    check_asked,
    check_fresh,
    check_season,
    facts_as_of,
    finished_before,
    has_figures,
    live_endpoint,
    results_as_of,
    summary_endpoint,
)
from backroom_pipeline.feeds.payloads import (
    Bootstrap,
    Event,
    Live,
    check_current,
    read_event_status,
    season_facts,
    words_instead,
)
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.feeds.snapshot_store import Kept, SnapshotStore
from backroom_pipeline.fpl.model import GameweekFacts, GameweekResults, SeasonFacts

if TYPE_CHECKING:
    import httpx

API_URL = "https://fantasy.premierleague.com/api/"
API_URL_VARIABLE = "BACKROOM_API_URL"
PAUSE_SECONDS = 1.0
ATTEMPTS = 5
LONGEST_WAIT_SECONDS = 30.0

Clock = Callable[[], datetime]
T = TypeVar("T")


class _AskAgain(Exception):
    """An answer that may be another in a moment."""


class _Answered(NamedTuple):
    """The payload that stands now, fetched or found unchanged, and when it was asked for."""

    kept: Kept
    at: datetime


class OfficialFeed:
    """The official API at ``base_url`` (else $BACKROOM_API_URL, else the real one), kept in ``store``.

    ``clock`` says what time it is, in UTC; ``sleep`` waits, for politeness and between attempts.
    """

    def __init__(
        self,
        store: SnapshotStore,
        clock: Clock,
        *,
        base_url: str | None = None,
        pause: float = PAUSE_SECONDS,
        attempts: int = ATTEMPTS,
        sleep: Callable[[float], None] = time.sleep,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.base_url = (base_url or os.environ.get(API_URL_VARIABLE) or API_URL).rstrip("/") + "/"
        self.store = store
        self._clock = clock
        self._pause = pause
        self._attempts = attempts
        self._sleep = sleep
        self._transport = transport
        self._client: httpx.Client | None = None
        self._reader = PayloadReader(store)
        self._last_asked: float | None = None
        self._lock = Lock()

    @property
    def name(self) -> str:
        return "official"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def season(self, season: str) -> SeasonFacts:
        """Gameweeks, clubs, chip windows and scoring, as the API states them now. Raises FeedError."""
        with self._lock:
            bootstrap = self._player_list()
            check_season(bootstrap, season)
            return season_facts(bootstrap, SOURCE)

    def facts(self, season: str, gameweek: int) -> GameweekFacts:
        """The world now, before the deadline of ``gameweek``, which must be the next one. Raises FeedError."""
        with self._lock:
            bootstrap = self._player_list()
            event = check_asked(bootstrap, season, gameweek, self._clock())
            self._fetch(FIXTURES, self._reader.fixtures)
            for earlier in finished_before(bootstrap, event):
                if not self._settled(bootstrap, earlier):
                    self._live(earlier.id)
            return facts_as_of(self._reader, season, gameweek, self._clock())

    def results(self, season: str, gameweek: int, *, provisional: bool = False) -> GameweekResults:
        """Points, minutes and figures per player per match, once the game has checked them. Raises FeedError.

        With ``provisional`` those of a running gameweek are given too, marked as not final.
        """
        with self._lock:
            bootstrap = self._player_list()
            check_season(bootstrap, season)
            event = bootstrap.event(gameweek)
            if not event.final and not provisional:
                raise FeedError(self._not_final(season, event))
            self._fetch(FIXTURES, self._reader.fixtures)
            live = self._live(gameweek)
            if event.final:
                for player in live.elements:
                    if len(player.explain) > 1 and has_figures(player):
                        self._fetch(summary_endpoint(player.id), partial(self._reader.summary, player_id=player.id))
            return results_as_of(self._reader, season, gameweek, self._clock(), provisional=provisional)

    def _player_list(self) -> Bootstrap:
        def read(kept: Kept) -> Bootstrap:
            bootstrap = self._reader.bootstrap(kept)
            check_current(bootstrap, self._clock())
            check_fresh(kept, self._clock())
            return bootstrap

        return self._fetch(BOOTSTRAP, read)

    def _live(self, gameweek: int) -> Live:
        return self._fetch(live_endpoint(gameweek), partial(self._reader.live, gameweek=gameweek))

    def _settled(self, bootstrap: Bootstrap, event: Event) -> bool:
        """Whether the points kept of a gameweek are of after the next deadline: they are asked for no more."""
        kept = self.store.newest(live_endpoint(event.id))
        following = [one.deadline for one in bootstrap.events if one.deadline > event.deadline]
        return kept is not None and bool(following) and kept.stood_at >= min(following)

    def _not_final(self, season: str, event: Event) -> str:
        status = self._fetch(EVENT_STATUS, lambda kept: read_event_status(self.store.content(kept)))
        days = [day for day in status.status if day.event == event.id]
        added = sum(day.bonus_added for day in days)
        told = f", bonus points are added for {added} of its {len(days)} match days" if days else ""
        return (
            f"Gameweek {event.id} of {season} is not final: it is {'' if event.finished else 'not '}finished and its "
            f"data are {'' if event.data_checked else 'not '}checked{told}. "
            "Ask again later, usually the morning after its last match."
        )

    def _fetch(self, endpoint: str, read: Callable[[Kept], T]) -> T:
        """Ask for an endpoint and read the answer; one that cannot be believed is put aside. Raises FeedError."""
        answer = self._ask(endpoint)
        try:
            value = read(answer.kept)
        except FeedError as fault:
            aside = self.store.refuse(answer.kept, answer.at, str(fault))
            raise FeedError(
                f"{fault} Nothing was taken from it; the payload lies in {aside}. Ask again later."
            ) from fault
        self.store.confirm(answer.kept, answer.kept.stood_at)
        return value

    def _ask(self, endpoint: str) -> _Answered:
        from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

        retrying = Retrying(
            stop=stop_after_attempt(self._attempts),
            wait=wait_exponential(multiplier=2, max=LONGEST_WAIT_SECONDS),
            retry=retry_if_exception_type(_AskAgain),
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return retrying(self._ask_once, endpoint)
        except _AskAgain as fault:
            raise FeedError(
                f"{self.base_url}{endpoint} gave no data in {self._attempts} attempts: {fault} "
                "Nothing was taken. Ask again later; an update of the game takes up to an hour."
            ) from fault

    def _ask_once(self, endpoint: str) -> _Answered:
        import httpx

        known = self.store.newest(endpoint)
        conditions: dict[str, str] = {}
        if known and known.etag:
            conditions["If-None-Match"] = known.etag
        if known and known.last_modified:
            conditions["If-Modified-Since"] = known.last_modified
        self._wait_for_turn()
        try:
            response = self._http().get(endpoint, headers=conditions)
        except httpx.RequestError as fault:
            raise _AskAgain(f"the connection failed ({type(fault).__name__}: {fault}).") from fault
        now = self._clock()
        headers = response.headers
        age = int(headers["age"]) if headers.get("age", "").isdigit() else 0
        if response.status_code == httpx.codes.NOT_MODIFIED and known:
            return _Answered(_stood(known, now, age), now)
        kept = self.store.keep(
            endpoint,
            response.content,
            now,
            etag=headers.get("etag"),
            last_modified=headers.get("last-modified"),
            age=age,
        )
        words = words_instead(response.content)
        if response.is_success and words is None:
            return _Answered(_stood(kept, now, age), now)
        said = f"it answered {response.status_code} {response.reason_phrase}" + (f", {words!r}." if words else ".")
        aside = self.store.refuse(kept, now, said)
        if response.is_success or response.is_server_error or response.status_code == httpx.codes.TOO_MANY_REQUESTS:
            raise _AskAgain(f"{said} The payload lies in {aside}.")
        raise FeedError(
            f"{self.base_url}{endpoint}: {said} The payload lies in {aside}. "
            f"Check the base URL ({API_URL_VARIABLE}) and what was asked for."
        )

    def _http(self) -> httpx.Client:
        import httpx

        if self._client is None:
            self._client = httpx.Client(
                base_url=self.base_url,
                headers={"User-Agent": f"backroom-pipeline/{__version__}", "Accept": "application/json"},
                timeout=30,
                follow_redirects=True,
                transport=self._transport,
            )
        return self._client

    def _wait_for_turn(self) -> None:
        if self._last_asked is not None:
            left = self._last_asked + self._pause - time.monotonic()
            if left > 0:
                self._sleep(left)
        self._last_asked = time.monotonic()


def _stood(kept: Kept, now: datetime, age: int) -> Kept:
    """A payload that the API gave ``now``, out of a cache that had it for ``age`` seconds."""
    return replace(kept, confirmed_at=max(kept.confirmed_at, now - timedelta(seconds=age)))
