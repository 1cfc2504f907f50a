"""Facts and results out of kept payloads of the official API, as of an instant.

The live feed and the replay both read through here, so that what was decided on can be had again to the byte: facts
depend on the newest payload of each endpoint fetched by that instant, and on nothing else. Their cutoff is the fetch of
the newest payload they rest on; asked again as of that cutoff they are the same.

- Price, club, status, chance, news, ownership and season totals: the player list (``bootstrap-static``). Before the
  first deadline it carries last season's totals (CASES R20); of how many matches those are, the API does not say.
- Matches of the season: the lines of ``event/N/live`` over the finished gameweeks; the last RECENT_GAMEWEEKS of them
  make the recent figures.
- Fixtures: as listed, postponed ones without gameweek and kickoff.
- Results: ``event/N/live`` gives figures per gameweek. Where a player has several matches in one, the points and
  minutes of each are explained there, bps, expected goals and figures that earned nothing are not: final results take
  them from ``element-summary``, provisional ones leave them at 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from backroom_pipeline.feeds.archive_season import POSITION_OF_ELEMENT_TYPE
from backroom_pipeline.feeds.payloads import (
    FIGURES,
    ApiFixture,
    Bootstrap,
    Element,
    Event,
    Explained,
    Figures,
    Live,
    LiveElement,
    Summary,
    check_current,
    named_stats,
    players_of,
    read_bootstrap,
    read_fixtures,
    read_live,
    read_summary,
    stats,
)
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.feeds.snapshot_store import Kept, SnapshotStore
from backroom_pipeline.fpl.model import (
    RECENT_GAMEWEEKS,
    Fixture,
    FixtureScore,
    GameweekFacts,
    GameweekResults,
    MatchPerformance,
    Player,
    Stats,
)

BOOTSTRAP = "bootstrap-static/"
FIXTURES = "fixtures/"
EVENT_STATUS = "event-status/"
SOURCE = "official API"
OLDEST_PLAYER_LIST = timedelta(hours=24)
"""How old a player list may be when facts are taken: prices change every night, news by the hour."""

PARSED_AT_ONCE = 6

T = TypeVar("T")


def live_endpoint(gameweek: int) -> str:
    return f"event/{gameweek}/live/"


def summary_endpoint(player_id: int) -> str:
    return f"element-summary/{player_id}/"


class Totals(NamedTuple):
    """A player's gameweek: how many matches, and the figures of all together in the order of FIGURES."""

    matches: int
    figures: tuple[int, ...]


class PayloadReader:
    """Payloads of a store, parsed; a few of them, and what is read again every week, stay in memory by hash."""

    def __init__(self, store: SnapshotStore) -> None:
        self.store = store
        self._parsed: dict[str, Any] = {}
        self._totals: dict[str, dict[int, Totals]] = {}

    def bootstrap(self, kept: Kept) -> Bootstrap:
        return self._once(kept, read_bootstrap)

    def fixtures(self, kept: Kept) -> tuple[ApiFixture, ...]:
        return self._once(kept, read_fixtures)

    def live(self, kept: Kept, gameweek: int) -> Live:
        return self._once(kept, lambda content: read_live(content, gameweek))

    def totals(self, kept: Kept, gameweek: int) -> dict[int, Totals]:
        """Player id to his gameweek."""
        if kept.sha256 not in self._totals:
            self._totals[kept.sha256] = {
                player.id: Totals(len(player.explain), tuple(getattr(player.stats, name) for name in FIGURES))
                for player in self.live(kept, gameweek).elements
            }
        return self._totals[kept.sha256]

    def summary(self, kept: Kept, player_id: int) -> Summary:
        return read_summary(self.store.content(kept), player_id)

    def _once(self, kept: Kept, read: Callable[[bytes], T]) -> T:
        if kept.sha256 not in self._parsed:
            while len(self._parsed) >= PARSED_AT_ONCE:
                del self._parsed[next(iter(self._parsed))]
            self._parsed[kept.sha256] = read(self.store.content(kept))
        return self._parsed[kept.sha256]

    def newest(self, endpoint: str, as_of: datetime) -> Kept:
        """Raises FeedError where nothing was kept by then."""
        kept = self.store.newest(endpoint, as_of)
        if kept is None:
            raise FeedError(
                f"No payload of {endpoint} from before {as_of:%Y-%m-%d %H:%M:%S} UTC is kept in "
                f"{self.store.root.resolve()}. Take the facts from the official feed at that time, or choose a later "
                "instant."
            )
        return kept


def check_season(bootstrap: Bootstrap, season: str) -> None:
    """Raise FeedError where the payload is of another season than the one asked for."""
    if bootstrap.season != season:
        raise FeedError(
            f"The official game is playing {bootstrap.season}, not {season}. "
            "Take past seasons from the archive, or from the snapshots kept of them."
        )


def check_asked(bootstrap: Bootstrap, season: str, gameweek: int, now: datetime) -> Event:
    """The gameweek asked for, where its facts can be had ``now``: it must be the next one. Raises FeedError."""
    check_season(bootstrap, season)
    event = bootstrap.event(gameweek)
    if event.deadline <= now:
        raise FeedError(
            f"The deadline of gameweek {gameweek} of {season} passed at {event.deadline:%Y-%m-%d %H:%M} UTC: what the "
            "API says now is no longer what was known then. Replay the kept snapshots (feed: snapshot)."
        )
    if bootstrap.next_gameweek != gameweek:
        raise FeedError(
            f"The next gameweek of {season} is {bootstrap.next_gameweek}, not {gameweek}: statistics, prices and "
            f"fitness for gameweek {gameweek} are not known yet. Ask for gameweek {bootstrap.next_gameweek}."
        )
    return event


def check_fresh(player_list: Kept, now: datetime) -> None:
    """Raise FeedError for a player list too old to decide on at ``now``."""
    age = now - player_list.stood_at
    if age > OLDEST_PLAYER_LIST:
        raise FeedError(
            f"The newest player list before {now:%Y-%m-%d %H:%M} UTC is {age / timedelta(hours=1):.0f} hours older, "
            f"and one may be at most {OLDEST_PLAYER_LIST / timedelta(hours=1):.0f} hours old: prices and fitness have "
            "changed since. Take it from the official feed nearer to the deadline, or replay as of the instant it was "
            "fetched."
        )


def finished_before(bootstrap: Bootstrap, event: Event) -> list[Event]:
    """The gameweeks played to the end before ``event``, in order."""
    earlier = (one for one in bootstrap.events if one.deadline < event.deadline and one.finished)
    return sorted(earlier, key=lambda one: one.deadline)


def facts_as_of(reader: PayloadReader, season: str, gameweek: int, now: datetime) -> GameweekFacts:
    """The world before the deadline of ``gameweek``, from the payloads kept by ``now``. Raises FeedError."""
    kept = reader.newest(BOOTSTRAP, now)
    bootstrap = reader.bootstrap(kept)
    event = check_asked(bootstrap, season, gameweek, now)
    check_current(bootstrap, now)
    check_fresh(kept, now)
    used = [kept, reader.newest(FIXTURES, now)]
    fixtures = reader.fixtures(used[1])
    weeks: list[dict[int, Totals]] = []
    for earlier in finished_before(bootstrap, event):
        used.append(reader.newest(live_endpoint(earlier.id), now))
        weeks.append(reader.totals(used[-1], earlier.id))
    opening = event.deadline == min(one.deadline for one in bootstrap.events)
    return GameweekFacts(
        season=season,
        gameweek=gameweek,
        deadline=event.deadline,
        cutoff=max(one.fetched_at for one in used),
        players=tuple(_player(element, bootstrap, weeks) for element in players_of(bootstrap)),
        fixtures=tuple(_fixture(match, bootstrap) for match in fixtures),
        statistics_season=_season_before(season) if opening else season,
        fitness_known=True,
        notes=_notes(bootstrap, event, season, opening),
        source=f"{SOURCE}, player list {kept.sha256[:12]}",
    )


def results_as_of(
    reader: PayloadReader, season: str, gameweek: int, now: datetime, *, provisional: bool = False
) -> GameweekResults:
    """What happened in ``gameweek``, from the payloads kept by ``now``. Raises FeedError where it is not final yet.

    With ``provisional`` such points are given all the same, marked as not final: they can still fall.
    """
    bootstrap = reader.bootstrap(reader.newest(BOOTSTRAP, now))
    check_season(bootstrap, season)
    event = bootstrap.event(gameweek)
    kept = reader.newest(live_endpoint(gameweek), now)
    # Points fetched before the data were checked are not made final by a later player list.
    final = event.final and reader.bootstrap(reader.newest(BOOTSTRAP, kept.stood_at)).event(gameweek).final
    if not final and not provisional:
        raise FeedError(
            f"Gameweek {gameweek} of {season} is not final: the points kept are of {kept.stood_at:%Y-%m-%d %H:%M} UTC, "
            f"{_why_not_final(event)}. Ask again when the data are checked, usually the morning after the last match."
        )
    fixtures_kept = reader.newest(FIXTURES, now)
    fixtures = reader.fixtures(fixtures_kept)
    order = {match.id: place for place, match in enumerate(sorted(fixtures, key=_by_kickoff))}
    others = {element.id for element in bootstrap.elements} - {element.id for element in players_of(bootstrap)}
    performances: list[MatchPerformance] = []
    for player in sorted(reader.live(kept, gameweek).elements, key=lambda player: player.id):
        if player.id in others:
            continue
        if len(player.explain) < 2 or not has_figures(player):
            found = [_performance(player.id, match.fixture, player.stats) for match in player.explain]
        elif final:
            found = _from_summary(reader, player, gameweek, now)
        else:
            found = [_explained(player.id, match) for match in player.explain]
        performances += sorted(found, key=lambda one: (order.get(one.fixture_id, len(order)), one.fixture_id))
    return GameweekResults(
        season=season,
        gameweek=gameweek,
        known_at=kept.fetched_at,
        final=final,
        performances=tuple(performances),
        scores=tuple(
            FixtureScore(fixture_id=match.id, home_goals=match.team_h_score, away_goals=match.team_a_score)
            for match in fixtures
            if match.event == gameweek and match.team_h_score is not None and match.team_a_score is not None
        ),
        average_score=event.average_entry_score or None,
        highest_score=event.highest_score or None,
        source=SOURCE,
    )


def has_figures(player: LiveElement) -> bool:
    """Whether he did anything in the gameweek that has to be told apart by match."""
    return any(getattr(player.stats, name) for name in FIGURES)


def _player(element: Element, bootstrap: Bootstrap, weeks: list[dict[int, Totals]]) -> Player:
    played = [week[element.id] for week in weeks if element.id in week]
    recent = [week[element.id] for week in weeks[-RECENT_GAMEWEEKS:] if element.id in week]
    return Player(
        id=element.id,
        code=element.code,
        web_name=element.web_name,
        club=bootstrap.clubs[element.team],
        position=POSITION_OF_ELEMENT_TYPE[element.element_type],
        price=element.now_cost,
        status=element.status,
        chance_of_playing=element.chance_of_playing_next_round,
        news=element.news.strip(),
        selected_by=element.selected_by_percent,
        season=stats([element], sum(week.matches for week in played)),
        recent=_summed(recent),
    )


def _summed(weeks: Iterable[Totals]) -> Stats:
    matches, summed = 0, [0] * len(FIGURES)
    for week in weeks:
        matches += week.matches
        summed = [one + other for one, other in zip(summed, week.figures, strict=True)]
    return named_stats(dict(zip(FIGURES, summed, strict=True)), matches)


def _fixture(match: ApiFixture, bootstrap: Bootstrap) -> Fixture:
    try:
        home, away = bootstrap.clubs[match.team_h], bootstrap.clubs[match.team_a]
    except KeyError as fault:
        raise FeedError(
            f"The fixture list has match {match.id} of club {fault}, which the player list of {bootstrap.season} does "
            "not have: the two are of different seasons. Ask again later."
        ) from fault
    return Fixture(
        id=match.id,
        gameweek=match.event,
        kickoff=match.kickoff,
        home=home,
        away=away,
        home_difficulty=match.team_h_difficulty,
        away_difficulty=match.team_a_difficulty,
    )


def _notes(bootstrap: Bootstrap, event: Event, season: str, opening: bool) -> tuple[str, ...]:
    notes: list[str] = []
    if opening:
        notes.append(
            f"Statistics are those of the whole season {_season_before(season)}, newcomers have none; of how many "
            "matches they are is not on record and shown as 0."
        )
    for earlier in sorted(bootstrap.events, key=lambda one: one.deadline):
        if earlier.deadline < event.deadline and not earlier.final:
            notes.append(
                f"Gameweek {earlier.id} is still open ({_why_not_final(earlier)}): statistics hold what was played of "
                "it, and may still change."
            )
    return tuple(notes)


def _why_not_final(event: Event) -> str:
    if not event.finished:
        return "not all its matches were played"
    return "its data are not checked" if not event.data_checked else "before its data were checked"


def _performance(player_id: int, fixture_id: int, figures: Figures) -> MatchPerformance:
    match = stats([figures], 1)
    return MatchPerformance(
        player_id=player_id, fixture_id=fixture_id, points=match.points, minutes=match.minutes, stats=match
    )


def _from_summary(reader: PayloadReader, player: LiveElement, gameweek: int, now: datetime) -> list[MatchPerformance]:
    """A player's matches of a gameweek with several, each with all its figures."""
    kept = reader.newest(summary_endpoint(player.id), now)
    rows = {row.fixture: row for row in reader.summary(kept, player.id).history if row.round == gameweek}
    wanted = [match.fixture for match in player.explain]
    summed = stats(rows.values(), len(rows))
    if sorted(rows) != sorted(wanted) or summed != stats([player.stats], len(wanted)):
        raise FeedError(
            f"The matches of player {player.id} in gameweek {gameweek} (element-summary) do not add up to his gameweek "
            f"(event/{gameweek}/live): {summed.points} points in {summed.minutes} minutes of matches {sorted(rows)}, "
            f"not {player.stats.points} in {player.stats.minutes} of {sorted(wanted)}. Ask again in a while."
        )
    return [_performance(player.id, fixture_id, rows[fixture_id]) for fixture_id in wanted]


_FIGURE_OF_IDENTIFIER = {
    field.alias or name: name for name, field in Figures.model_fields.items() if name not in ("points", "minutes")
}


def _explained(player_id: int, match: Explained) -> MatchPerformance:
    """One match of a gameweek with several, as far as its points are explained."""
    figures = dict.fromkeys(FIGURES, 0) | {"points": match.points, "minutes": match.minutes}
    for line in match.stats:
        if name := _FIGURE_OF_IDENTIFIER.get(line.identifier):
            figures[name] += line.value
    told = named_stats(figures, 1)
    return MatchPerformance(
        player_id=player_id, fixture_id=match.fixture, points=match.points, minutes=match.minutes, stats=told
    )


def _by_kickoff(match: ApiFixture) -> tuple[bool, float, int]:
    return match.kickoff is None, match.kickoff.timestamp() if match.kickoff else 0.0, match.id


def _season_before(season: str) -> str:
    year = int(season[:4])
    return f"{year - 1}-{year % 100:02d}"
