"""Taking a whole recorded season through the live feed into a ledger, and holding the ledger against the records.

Each week the clock stands at three instants: an hour after the last deadline, when the API still says what it said
before and must be refused; then when the capture of the next deadline was taken, for the results of the week before
and the facts of the next. What the ledger holds afterwards is compared with the captures as they lie on disk, by names
of the API, not by the code that read them.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from backroom_pipeline.backroom.rehearsal.loopback import Answer, LoopbackApi
from backroom_pipeline.backroom.rehearsal.recorded import Capture, RecordedSeason
from backroom_pipeline.feeds.official import OfficialFeed
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.feeds.snapshot_store import SnapshotStore
from backroom_pipeline.feeds.snapshots import SnapshotFeed
from backroom_pipeline.fpl.model import GameweekFacts, GameweekResults
from backroom_pipeline.ledger import facts as fact_rows
from backroom_pipeline.ledger.store import Ledger

AFTER_DEADLINE = timedelta(hours=1)
# Ours, and the API's name for it.
WHOLE = {
    "points": "total_points",
    "minutes": "minutes",
    "starts": "starts",
    "goals": "goals_scored",
    "assists": "assists",
    "clean_sheets": "clean_sheets",
    "conceded": "goals_conceded",
    "own_goals": "own_goals",
    "penalties_saved": "penalties_saved",
    "penalties_missed": "penalties_missed",
    "yellow_cards": "yellow_cards",
    "red_cards": "red_cards",
    "saves": "saves",
    "bonus": "bonus",
    "bps": "bps",
    "defensive_contribution": "defensive_contribution",
}
DECIMAL = {"xg": "expected_goals", "xa": "expected_assists", "xgc": "expected_goals_conceded", "ict": "ict_index"}
POSITIONS = {1: "GK", 2: "DEF", 3: "MID", 4: "FWD"}


@dataclass
class Rehearsal:
    """What a rehearsal found; ``mismatches`` are sentences, none when the ledger says what the captures say."""

    season: str
    gameweeks: int = 0
    players: int = 0
    values: int = 0
    """Values of players compared with the captures."""
    deadlines: int = 0
    deadlines_moved: int = 0
    """Times a deadline still to come was another one than in the capture before."""
    moved_and_used: int = 0
    """Gameweeks whose facts carry another deadline than the season began with."""
    fixtures: int = 0
    results: int = 0
    """Gameweeks with final results."""
    performances: int = 0
    replays_equal: int = 0
    """Gameweeks whose facts came out of the kept snapshots to the byte."""
    stale_refused: int = 0
    """Times the API still told last week's story after a deadline, and nothing was recorded."""
    requests: int = 0
    not_modified: int = 0
    snapshots: int = 0
    snapshot_bytes: int = 0
    mismatches: list[str] = field(default_factory=list)

    @property
    def equal(self) -> bool:
        return not self.mismatches


class MovingClock:
    """A clock that stands where it is put."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def rehearse(captures: Path, tables: Path, workplace: Path) -> Rehearsal:
    """Play the recorded season through the live feed into a new ledger under ``workplace``. Raises FeedError."""
    import httpx

    recorded = RecordedSeason(captures, tables)
    clock = MovingClock(recorded.captures[0].taken)
    store = SnapshotStore(workplace / "snapshots")

    with (
        LoopbackApi(lambda endpoint: Answer(recorded.payload(endpoint, clock.now))) as api,
        OfficialFeed(
            store, clock, base_url=api.url, pause=0, sleep=lambda _: None, transport=httpx.HTTPTransport()
        ) as feed,
        Ledger.open(workplace / "ledger.duckdb") as ledger,
    ):
        season = _season_of(recorded.captures[0])
        found = Rehearsal(season)
        for number, capture in enumerate(recorded.captures):
            if number:
                _after_the_deadline(feed, ledger, clock, recorded.captures[number - 1], found)
            clock.now = capture.taken
            if number:
                fact_rows.record_results(ledger, feed.results(season, recorded.captures[number - 1].gameweek))
            fact_rows.record_season(ledger, feed.season(season))
            fact_rows.record_gameweek(ledger, feed.facts(season, capture.gameweek))
        found.requests = sum(api.answered.values())
        found.not_modified = api.answered[304]
        _compare(ledger, SnapshotFeed(store), recorded, found)
    kept = [path for path in store.root.rglob("*.gz") if "refused" not in path.parts]
    found.snapshots, found.snapshot_bytes = len(kept), sum(path.stat().st_size for path in kept)
    return found


def _after_the_deadline(
    feed: OfficialFeed, ledger: Ledger, clock: MovingClock, before: Capture, found: Rehearsal
) -> None:
    """The API has not moved on yet: facts of the coming gameweek must be refused and leave no row."""
    deadline = fact_rows.gameweek_facts(ledger, found.season, before.gameweek).deadline
    clock.now = deadline + AFTER_DEADLINE
    try:
        fact_rows.record_gameweek(ledger, feed.facts(found.season, before.gameweek + 1))
    except FeedError as refusal:
        found.stale_refused += "of last week" in str(refusal)
    if fact_rows.inputs_sha256(ledger, found.season, before.gameweek + 1) is not None:
        found.mismatches.append(f"Gameweek {before.gameweek + 1} was recorded from a payload of the week before.")


def _compare(ledger: Ledger, replay: SnapshotFeed, recorded: RecordedSeason, found: Rehearsal) -> None:
    known: dict[int, str] = {}
    first: dict[int, str] = {}
    for capture in recorded.captures:
        said: dict[str, Any] = json.loads(capture.content)
        deadlines = {event["id"]: event["deadline_time"] for event in said["events"]}
        first = first or deadlines
        found.deadlines_moved += sum(known.get(gameweek, stated) != stated for gameweek, stated in deadlines.items())
        known = deadlines
        facts = fact_rows.gameweek_facts(ledger, found.season, capture.gameweek)
        found.gameweeks += 1
        found.deadlines += 1
        found.moved_and_used += first[capture.gameweek] != deadlines[capture.gameweek]
        _hold(found, f"GW{capture.gameweek} deadline", facts.deadline, _instant(deadlines[capture.gameweek]))
        _hold(found, f"GW{capture.gameweek} cutoff before its deadline", facts.cutoff < facts.deadline, True)
        _compare_players(facts, said, found)
        _compare_fixtures(facts, recorded.fixture_rows(capture.taken), said, found)
        replayed = replay.facts(found.season, capture.gameweek)
        found.replays_equal += replayed.model_dump_json() == facts.model_dump_json()
        results = fact_rows.gameweek_results(ledger, found.season, capture.gameweek)
        if results is not None:
            _compare_results(results, recorded, found)
    _hold(found, "gameweeks replayed to the byte", found.replays_equal, found.gameweeks)


def _compare_players(facts: GameweekFacts, said: dict[str, Any], found: Rehearsal) -> None:
    clubs = {team["id"]: team["short_name"] for team in said["teams"]}
    elements = {element["id"]: element for element in said["elements"] if element["element_type"] in POSITIONS}
    _hold(found, f"GW{facts.gameweek} players", [player.id for player in facts.players], sorted(elements))
    for player in facts.players:
        element = elements[player.id]
        found.players += 1
        ours: dict[str, object] = player.model_dump(exclude={"id", "season", "recent"})
        theirs: dict[str, object] = {
            "code": element["code"],
            "web_name": element["web_name"],
            "club": clubs[element["team"]],
            "position": POSITIONS[element["element_type"]],
            "price": element["now_cost"],
            "status": element["status"],
            "chance_of_playing": element["chance_of_playing_next_round"],
            "news": element["news"].strip(),
            "selected_by": float(element["selected_by_percent"]),
        }
        for name, api_name in WHOLE.items():
            ours[name], theirs[name] = getattr(player.season, name), element[api_name]
        for name, api_name in DECIMAL.items():
            ours[name], theirs[name] = getattr(player.season, name), float(element[api_name])
        found.values += len(theirs)
        for name, value in theirs.items():
            _hold(found, f"GW{facts.gameweek} {player.web_name} ({player.id}) {name}", ours[name], value)


def _compare_fixtures(
    facts: GameweekFacts, copied: list[dict[str, Any]], said: dict[str, Any], found: Rehearsal
) -> None:
    clubs = {team["id"]: team["short_name"] for team in said["teams"]}
    listed = {row["id"]: row for row in copied}
    _hold(found, f"GW{facts.gameweek} fixtures", [match.id for match in facts.fixtures], sorted(listed))
    for match in facts.fixtures:
        row = listed[match.id]
        found.fixtures += 1
        _hold(
            found,
            f"GW{facts.gameweek} fixture {match.id}",
            (match.home, match.away, match.home_difficulty, match.away_difficulty),
            (clubs[row["team_h"]], clubs[row["team_a"]], row["team_h_difficulty"], row["team_a_difficulty"]),
        )
        # A copy that is older than the last match still has it to be played; the list served has it played.
        if match.gameweek is None or match.gameweek >= facts.gameweek:
            _hold(found, f"GW{facts.gameweek} fixture {match.id} gameweek", match.gameweek, row["event"])


def _compare_results(results: GameweekResults, recorded: RecordedSeason, found: Rehearsal) -> None:
    found.results += 1
    _hold(found, f"GW{results.gameweek} final", results.final, True)
    ours = Counter(
        (p.player_id, p.fixture_id, p.points, p.minutes, p.stats.bps, p.stats.saves, p.stats.xg)
        for p in results.performances
    )
    theirs = Counter(
        (
            row["element"],
            row["fixture"],
            row["total_points"],
            row["minutes"],
            row["bps"],
            row["saves"],
            row["expected_goals"],
        )
        for row in recorded.player_rows(results.gameweek)
    )
    found.performances += len(results.performances)
    for row in sorted((ours - theirs) + (theirs - ours)):
        found.mismatches.append(f"GW{results.gameweek} player {row[0]} in match {row[1]} differs.")


def _hold(found: Rehearsal, what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        found.mismatches.append(f"{what}: the ledger has {ours!r}, the capture {theirs!r}.")


def _season_of(capture: Capture) -> str:
    year = capture.taken.year
    return f"{year}-{(year + 1) % 100:02d}"


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
