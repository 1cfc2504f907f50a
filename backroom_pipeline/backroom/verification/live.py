"""A real team asked for by its number at the official API: its payloads, and the season as the API tells it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from backroom_pipeline.backroom.verification.payloads import Entry, read_entry
from backroom_pipeline.backroom.verification.season_book import Fetch, SeasonBook, api_book
from backroom_pipeline.feeds.official import API_URL, API_URL_VARIABLE, PAUSE_SECONDS
from backroom_pipeline.feeds.protocol import FeedError

ATTEMPTS = 4


def api_fetch(base_url: str | None = None, *, pause_seconds: float = PAUSE_SECONDS, wait_seconds: float = 2.0) -> Fetch:
    """Ask the API at ``base_url``, $BACKROOM_API_URL or the official address; every path once, and never in a hurry.

    Nothing is kept: a team that is looked at is no fact of the game. Answers in prose ("The game is being updated.")
    and failures of the network or the server are tried again, waiting twice as long each time. Raises FeedError after
    the last attempt, and at once when there is no such thing.
    """
    import httpx
    from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

    base = (base_url or os.environ.get(API_URL_VARIABLE) or API_URL).rstrip("/") + "/"
    answers: dict[str, Any] = {}

    def once(path: str) -> Any:
        if answers:
            time.sleep(pause_seconds)
        response = httpx.get(base + path, timeout=20, follow_redirects=True)
        if response.status_code == 404:
            raise FeedError(f"The API has no {base}{path}. Check the number of the entry and the gameweek.")
        response.raise_for_status()
        return response.json()

    def fetch(path: str) -> Any:
        if path not in answers:
            # Prose is a ValueError of the JSON decoder.
            passing = (httpx.HTTPError, ValueError)
            asking = Retrying(
                retry=retry_if_exception_type(passing),
                stop=stop_after_attempt(ATTEMPTS),
                wait=wait_exponential(multiplier=wait_seconds),
                reraise=True,
            )
            try:
                answers[path] = asking(once, path)
            except passing as failure:
                raise FeedError(
                    f"The API did not answer {base}{path} with data in {ATTEMPTS} attempts ({failure}). "
                    f"Try again later, or set {API_URL_VARIABLE} to another address."
                ) from failure
        return answers[path]

    return fetch


def live_entry(
    fetch: Fetch, entry: int, on_progress: Callable[[str], None] = lambda sentence: None
) -> tuple[Entry, SeasonBook]:
    """The entry's season up to the last gameweek whose data is checked, and what replaying it needs."""
    checked = {event["id"] for event in fetch("bootstrap-static/")["events"] if event["data_checked"]}
    history = fetch(f"entry/{entry}/history/")
    played = [week["event"] for week in history["current"] if week["event"] in checked]
    if not played:
        raise FeedError(f"Entry {entry} has no gameweek yet whose points are final. Try again after the next one.")
    on_progress(f"Entry {entry}: gameweeks {played[0]} to {played[-1]}.")
    picks = [fetch(f"entry/{entry}/event/{gameweek}/picks/") for gameweek in played]
    team = read_entry(picks, fetch(f"entry/{entry}/transfers/"), history)
    owned = {player for week in team.picks for player in week.order}
    owned |= {player for row in team.transfers for player in (row.sold, row.bought)}
    on_progress(f"Entry {entry}: the matches of {len(owned)} players.")
    return team, api_book(fetch, owned, played)
