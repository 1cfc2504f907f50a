"""The official API's payloads: what they must look like to be believed, and what they say in our words.

A payload is refused as a whole: a FeedError says why, and nothing of it is used. Refused are prose, broken JSON, bytes
or characters that were damaged on the way (CASES R27), an empty player list, a missing or unknown value, and a player
list that names a gameweek as the next one although its deadline has passed: that one is of last week.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from backroom_pipeline.feeds.archive import CHIP_OF_API_NAME
from backroom_pipeline.feeds.archive_season import POSITION_OF_ELEMENT_TYPE
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.fpl.model import ChipWindow, SeasonFacts, Stats, Status

DAMAGED = "\ufffd"

T = TypeVar("T")


def _utc(value: datetime) -> datetime:
    return value.astimezone(UTC)


def _hundredths(value: object) -> object:
    return round(float(value) * 100) if isinstance(value, str | float | int) else value


Instant = Annotated[datetime, BeforeValidator(lambda value: _utc(datetime.fromisoformat(value)))]
Hundredths = Annotated[int, BeforeValidator(_hundredths)]
"""A decimal figure, written as text in the payload; whole hundredths, so that sums are exact."""


class _Wire(BaseModel):
    """A part of a payload, reduced to what is used of it."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class Figures(_Wire):
    """What a player did, under the names of ``Stats``; figures an older season lacks are 0."""

    points: int = Field(alias="total_points")
    minutes: int
    starts: int = 0
    goals: int = Field(alias="goals_scored")
    assists: int
    clean_sheets: int
    conceded: int = Field(alias="goals_conceded")
    own_goals: int
    penalties_saved: int
    penalties_missed: int
    yellow_cards: int
    red_cards: int
    saves: int
    bonus: int
    bps: int
    defensive_contribution: int = 0
    xg: Hundredths = Field(alias="expected_goals", default=0)
    xa: Hundredths = Field(alias="expected_assists", default=0)
    xgc: Hundredths = Field(alias="expected_goals_conceded", default=0)
    ict: Hundredths = Field(alias="ict_index")


FIGURES = tuple(Figures.model_fields)
DECIMAL = ("xg", "xa", "xgc", "ict")


class Event(_Wire):
    """A gameweek as the player list states it."""

    id: int
    deadline: Instant = Field(alias="deadline_time")
    finished: bool
    data_checked: bool
    is_next: bool
    average_entry_score: int | None = None
    highest_score: int | None = None

    @property
    def final(self) -> bool:
        """Whether points change no more; they fell 2,155 times in 2025/26 before that and never after (CASES R29)."""
        return self.finished and self.data_checked


class Team(_Wire):
    id: int
    name: str
    short_name: str


class Element(Figures):
    """A player of the player list, with the totals of the season (of last season before the first deadline)."""

    id: int
    code: int
    web_name: str
    first_name: str
    second_name: str
    team: int
    element_type: int
    now_cost: int
    status: Status
    chance_of_playing_next_round: int | None
    news: str
    selected_by_percent: float


class Chip(_Wire):
    name: str
    start_event: int
    stop_event: int


class Bootstrap(_Wire):
    """``bootstrap-static``: gameweeks, clubs, players, chips and rules, all as of now."""

    events: tuple[Event, ...] = Field(min_length=1)
    teams: tuple[Team, ...] = Field(min_length=1)
    elements: tuple[Element, ...]
    chips: tuple[Chip, ...] = ()
    game_config: dict[str, Any] = Field(default_factory=dict)

    @property
    def season(self) -> str:
        """The payload does not name its season; it is the year in which the first gameweek starts."""
        year = min(event.deadline for event in self.events).year
        return f"{year}-{(year + 1) % 100:02d}"

    @property
    def clubs(self) -> dict[int, str]:
        return {team.id: team.short_name for team in self.teams}

    @property
    def next_gameweek(self) -> int | None:
        """The gameweek the payload calls the next one; None after the last deadline."""
        return next((event.id for event in self.events if event.is_next), None)

    def next_by_clock(self, now: datetime) -> int | None:
        """The first gameweek whose deadline, as this payload has it, is still to come (CASES B12)."""
        coming = [event for event in self.events if event.deadline > now]
        return min(coming, key=lambda event: event.deadline).id if coming else None

    def event(self, gameweek: int) -> Event:
        """Raises FeedError for a gameweek the season does not have."""
        for event in self.events:
            if event.id == gameweek:
                return event
        known = [event.id for event in self.events]
        raise FeedError(
            f"The official game has no gameweek {gameweek} in {self.season}: it has {min(known)} to {max(known)}. "
            "Choose one of those."
        )


class ApiFixture(_Wire):
    """A match of ``fixtures``; a postponed one has no gameweek and no kickoff (CASES R23, B10)."""

    id: int
    event: int | None
    kickoff: Instant | None = Field(alias="kickoff_time")
    team_h: int
    team_a: int
    team_h_difficulty: int
    team_a_difficulty: int
    finished: bool = False
    team_h_score: int | None = None
    team_a_score: int | None = None


class ExplainedStat(_Wire):
    identifier: str
    points: int
    value: int


class Explained(_Wire):
    """The points of one match, line by line; a figure that earned nothing has no line."""

    fixture: int
    stats: tuple[ExplainedStat, ...]

    @property
    def points(self) -> int:
        return sum(stat.points for stat in self.stats)

    @property
    def minutes(self) -> int:
        return sum(stat.value for stat in self.stats if stat.identifier == "minutes")


class LiveElement(_Wire):
    """A player's gameweek: figures over all his matches together, and points match by match."""

    id: int
    stats: Figures
    explain: tuple[Explained, ...]


class Live(_Wire):
    """``event/N/live``."""

    elements: tuple[LiveElement, ...]


class HistoryRow(Figures):
    """A player in one match, as ``element-summary`` has it."""

    element: int
    fixture: int
    round: int


class Summary(_Wire):
    """``element-summary/ID``."""

    history: tuple[HistoryRow, ...]


class MatchDay(_Wire):
    date: str
    event: int
    bonus_added: bool


class EventStatus(_Wire):
    """``event-status``: which match days of the running gameweek have their bonus points."""

    status: tuple[MatchDay, ...]


_FIXTURES = TypeAdapter(tuple[ApiFixture, ...])


def document(content: bytes, what: str) -> Any:
    """The JSON of a payload. Raises FeedError for words and for what is broken."""
    try:
        text = content.decode("utf-8").strip()
    except UnicodeDecodeError as fault:
        raise FeedError(f"{what} is not UTF-8 at byte {fault.start}: it was damaged on the way.") from fault
    words = words_instead(content)
    if words is not None:
        raise FeedError(f"{what} answered with words instead of data: {words!r}.")
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        raise FeedError(
            f"{what} is broken JSON after {fault.pos} of {len(text)} characters: it was cut off on the way."
        ) from fault


def words_instead(content: bytes) -> str | None:
    """The beginning of what a payload says where it is prose and no data; None for data."""
    text = content[:200].decode("utf-8", errors="replace").strip()
    if text.startswith(("{", "[")):
        return None
    return " ".join(text.split()).strip('"') or "nothing"


def read_bootstrap(content: bytes) -> Bootstrap:
    """The player list. Raises FeedError where it cannot be believed."""
    what = "The player list (bootstrap-static)"
    raw = document(content, what)
    if isinstance(raw, dict) and raw.get("elements") == []:
        raise FeedError(f"{what} has no players: the official game is not open.")
    read = _read(lambda: Bootstrap.model_validate(raw), what)
    texts = [(f"player {e.id}", text) for e in read.elements for text in (e.web_name, e.first_name, e.second_name)]
    texts += [(f"the news of player {e.id}", e.news) for e in read.elements]
    texts += [(f"club {team.id}", text) for team in read.teams for text in (team.name, team.short_name)]
    damaged = [f"{whose} {text!r}" for whose, text in texts if DAMAGED in text]
    if damaged:
        raise FeedError(
            f"{what} has the replacement character U+FFFD in {len(damaged)} places, first in {damaged[0]}: "
            "its text was damaged on the way."
        )
    homeless = [element.id for element in read.elements if element.team not in read.clubs]
    if homeless:
        raise FeedError(f"{what} has player {homeless[0]} at a club it does not list.")
    return read


def check_current(bootstrap: Bootstrap, now: datetime) -> None:
    """Raise FeedError for a player list that is of a week gone by: its next gameweek is not the one by the clock."""
    named, coming = bootstrap.next_gameweek, bootstrap.next_by_clock(now)
    if named == coming:
        return
    if named is None:
        raise FeedError(
            f"The player list of {bootstrap.season} names no next gameweek although gameweek {coming}'s deadline is "
            "still to come: the official game is between two weeks."
        )
    deadline = bootstrap.event(named).deadline
    if deadline <= now:
        raise FeedError(
            f"The player list is of last week: it names gameweek {named} of {bootstrap.season} as the next one, whose "
            f"deadline was at {deadline:%Y-%m-%d %H:%M} UTC; it is {now:%Y-%m-%d %H:%M} UTC."
        )
    raise FeedError(
        f"The player list names gameweek {named} of {bootstrap.season} as the next one although gameweek {coming}'s "
        "deadline is still to come: it contradicts itself or the clock of this machine is wrong."
    )


def read_fixtures(content: bytes) -> tuple[ApiFixture, ...]:
    what = "The fixture list (fixtures)"
    raw = document(content, what)
    if raw == []:
        raise FeedError(f"{what} is empty: the official game is not open.")
    return tuple(sorted(_read(lambda: _FIXTURES.validate_python(raw), what), key=lambda match: match.id))


def read_live(content: bytes, gameweek: int) -> Live:
    what = f"The points of gameweek {gameweek} (event/{gameweek}/live)"
    read = _read(lambda: Live.model_validate(document(content, what)), what)
    if not read.elements:
        raise FeedError(f"{what} lists no players: the gameweek has not begun or the official game is not open.")
    return read


def read_summary(content: bytes, player_id: int) -> Summary:
    what = f"The matches of player {player_id} (element-summary/{player_id})"
    return _read(lambda: Summary.model_validate(document(content, what)), what)


def read_event_status(content: bytes) -> EventStatus:
    what = "The state of the gameweek (event-status)"
    return _read(lambda: EventStatus.model_validate(document(content, what)), what)


def season_facts(bootstrap: Bootstrap, source: str) -> SeasonFacts:
    """What the player list says about its season."""
    windows = (
        ChipWindow(chip=CHIP_OF_API_NAME[chip.name], first=chip.start_event, last=chip.stop_event)
        for chip in bootstrap.chips
        if chip.name in CHIP_OF_API_NAME
    )
    scoring = bootstrap.game_config.get("scoring")
    return SeasonFacts(
        season=bootstrap.season,
        gameweeks=tuple(sorted(event.id for event in bootstrap.events)),
        clubs={team.short_name: team.name for team in bootstrap.teams},
        chips=tuple(sorted(windows, key=lambda window: (window.chip, window.first))),
        scoring_json=json.dumps(scoring, sort_keys=True) if scoring else "",
        source=source,
    )


def stats(figures: Iterable[Figures], matches: int) -> Stats:
    """The sum of figures as the model states them, over so many matches."""
    summed = dict.fromkeys(FIGURES, 0)
    for one in figures:
        for name in FIGURES:
            summed[name] += getattr(one, name)
    return named_stats(summed, matches)


def named_stats(summed: Mapping[str, int], matches: int) -> Stats:
    """``summed`` holds decimals in hundredths."""
    named: dict[str, Any] = {name: value / 100 if name in DECIMAL else value for name, value in summed.items()}
    return Stats(matches=matches, **named)


def players_of(bootstrap: Bootstrap) -> tuple[Element, ...]:
    """The players by id; assistant managers (2024/25) are none (CASES R32)."""
    playing = (element for element in bootstrap.elements if element.element_type in POSITION_OF_ELEMENT_TYPE)
    return tuple(sorted(playing, key=lambda element: element.id))


def _read(build: Any, what: str) -> Any:
    try:
        return build()
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FeedError(
            f"{what} does not look as it should in {fault.error_count()} places, first at {where}: {first['msg']}."
        ) from fault
