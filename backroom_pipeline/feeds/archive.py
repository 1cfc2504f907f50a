"""The archive feed: past seasons as they looked before each deadline, and what happened after it.

As-of rules (what may be known before the deadline of gameweek g):
- price, club, ownership, news and chance: the last dated snapshot strictly before the deadline. Where there is none (in
  2025/26 before gameweek 4), price and club are those of the player's row in gameweek g, which states them as of the
  deadline, else the last known ones; ownership is the last gameweek's; fitness is unknown.
- statistics: sums over matches of earlier gameweeks that had ended by the cutoff; in gameweek 1 last season's totals.
- the pool: whoever a snapshot or a row of an earlier gameweek shows, and whoever has a row in gameweek g and at least
  one owner at its deadline. (A row without owners belongs to somebody added after it: true of all 107 such rows of
  2025/26, and of none of those added before.)
- fixtures: the gameweek and difficulty of the last dated copy of the list where copies are on record, else the final
  ones, with a note. Kickoffs are given up to gameweek g only: the archive knows later ones as they were finally played.
Names and positions do not change the game within a season (CASES R26, R31) and come from the end of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from backroom_pipeline.feeds.archive_season import (
    NO_FIGURES,
    Appearance,
    ArchiveSeason,
    Figures,
    Listed,
    Registered,
    seasons_held,
    stats,
    total,
)
from backroom_pipeline.feeds.availability import status_from_news
from backroom_pipeline.feeds.fixture_list import dated_fixture_list
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.fpl.model import (
    RECENT_GAMEWEEKS,
    Chip,
    ChipWindow,
    Fixture,
    FixtureScore,
    GameweekFacts,
    GameweekResults,
    MatchPerformance,
    Player,
    SeasonFacts,
)

CHIP_OF_API_NAME: dict[str, Chip] = {
    "wildcard": "wildcard",
    "freehit": "free_hit",
    "bboost": "bench_boost",
    "3xc": "triple_captain",
}
MATCH_LENGTH = timedelta(hours=3)
"""From kickoff until the statistics of a match stand, injuries and half-time included."""
DATA_CHECKED_AFTER = timedelta(days=1)
"""From the last kickoff of a gameweek until its points are final: they are checked the next morning (CASES R29)."""
INSTANT = timedelta(seconds=1)


class _Moment(NamedTuple):
    """What one deadline can see: the cutoff, and the last snapshot before it, where there is one."""

    gameweek: int
    deadline: datetime
    cutoff: datetime
    snapshot: dict[int, Listed] | None


class ArchiveFeed:
    """Past seasons out of the archive wheel at ``path`` (see fetch.py). Members are read once and kept in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seasons: dict[str, ArchiveSeason] = {}
        self._lock = Lock()

    @property
    def name(self) -> str:
        return "archive"

    @property
    def source(self) -> str:
        return f"archive {self.path.name}"

    def season(self, season: str) -> SeasonFacts:
        """Gameweeks, clubs, chip windows and scoring. Raises FeedError."""
        archived = self._season(season)
        windows = (
            ChipWindow(chip=chip, first=row["start_event"], last=row["stop_event"])
            for row in archived.bootstrap.get("chips", ())
            if (chip := CHIP_OF_API_NAME.get(row["name"])) is not None
        )
        scoring = archived.bootstrap.get("game_config", {}).get("scoring")
        return SeasonFacts(
            season=season,
            gameweeks=tuple(archived.deadlines),
            clubs={team["short_name"]: team["name"] for team in archived.bootstrap["teams"]},
            chips=tuple(sorted(windows, key=lambda window: (window.chip, window.first))),
            scoring_json=json.dumps(scoring, sort_keys=True) if scoring else "",
            source=self.source,
        )

    def facts(self, season: str, gameweek: int) -> GameweekFacts:
        """The world strictly before the deadline of ``gameweek``, by the rules above. Raises FeedError."""
        archived = self._season(season)
        moment = _moment(archived, gameweek)
        opening = gameweek == min(archived.deadlines)
        last_season = self._before(season) if opening else None
        notes: list[str] = []
        if moment.snapshot is None:
            notes.append("Nobody's fitness is on record before this deadline: everybody is shown as available.")
            notes.append(f"Ownership is {'not on record' if opening else 'that of the deadline before'}.")
        if last_season:
            notes.append(f"Statistics are those of the whole season {last_season.season}; newcomers have none.")
            lacking = last_season.figures_not_on_record
            if lacking:
                notes.append(f"Not on record for {last_season.season}, and therefore 0: {', '.join(lacking)}.")
        elif opening:
            notes.append("Last season's statistics are not on record: everybody starts from nothing.")
        managers = {manager for manager, since in archived.assistant_managers if since <= gameweek}
        if managers:
            notes.append(f"The game also lists {len(managers)} assistant managers: no players, never picked here.")
        fixtures, fixture_note = _fixtures(archived, moment)
        return GameweekFacts(
            season=season,
            gameweek=gameweek,
            deadline=moment.deadline,
            cutoff=moment.cutoff,
            players=_players(archived, moment, last_season),
            fixtures=fixtures,
            statistics_season=last_season.season if last_season else season,
            fitness_known=moment.snapshot is not None,
            notes=(*notes, fixture_note),
            source=self.source,
        )

    def results(self, season: str, gameweek: int) -> GameweekResults:
        """Official points per player per match, and scores. Raises FeedError where the gameweek was not finished."""
        archived = self._season(season)
        _check_gameweek(archived, gameweek)
        event = next(event for event in archived.bootstrap["events"] if event["id"] == gameweek)
        matches = [match for match in archived.matches if match.gameweek == gameweek]
        scores = tuple(
            FixtureScore(fixture_id=match.id, home_goals=match.home_goals, away_goals=match.away_goals)
            for match in matches
            if match.home_goals is not None and match.away_goals is not None
        )
        # A gameweek all of whose matches were postponed is finished too, with nothing in it (CASES R8).
        if len(scores) < len(matches) or not (matches or event["finished"]):
            raise FeedError(
                f"Gameweek {gameweek} of {season} was not played to the end when the archive was made. "
                "Take its results from the official feed."
            )
        kickoffs = [match.kickoff for match in matches if match.kickoff]
        known_at = max(kickoffs, default=archived.deadlines[gameweek]) + DATA_CHECKED_AFTER
        next_deadline = archived.deadlines.get(gameweek + 1)
        return GameweekResults(
            season=season,
            gameweek=gameweek,
            known_at=min(known_at, next_deadline - INSTANT) if next_deadline else known_at,
            final=True,
            performances=tuple(
                _performance(row)
                for player_id in archived.players
                for row in archived.appearances[player_id]
                if row.gameweek == gameweek
            ),
            scores=scores,
            average_score=event["average_entry_score"] or None,
            highest_score=event["highest_score"] or None,
            source=self.source,
        )

    def archived(self, season: str) -> ArchiveSeason:
        """The season as the archive holds it, for what no other feed has to answer. Raises FeedError."""
        return self._season(season)

    def _season(self, season: str) -> ArchiveSeason:
        with self._lock:
            if season not in self._seasons:
                self._seasons[season] = ArchiveSeason(self.path, season)
            return self._seasons[season]

    def _before(self, season: str) -> ArchiveSeason | None:
        """The season before, where the archive has it."""
        year = int(season[:4])
        before = f"{year - 1}-{year % 100:02d}"
        return self._season(before) if before in seasons_held(self.path) else None


def _check_gameweek(archived: ArchiveSeason, gameweek: int) -> None:
    if gameweek not in archived.deadlines:
        first, last = min(archived.deadlines), max(archived.deadlines)
        raise FeedError(
            f"The archive has no gameweek {gameweek} of {archived.season}: it has {first} to {last}. "
            "Choose one of those."
        )


def _moment(archived: ArchiveSeason, gameweek: int) -> _Moment:
    _check_gameweek(archived, gameweek)
    deadline = archived.deadlines[gameweek]
    taken = [time for time in archived.snapshot_times if time < deadline]
    if not taken:
        return _Moment(gameweek, deadline, deadline - INSTANT, None)
    return _Moment(gameweek, deadline, taken[-1], archived.snapshot(taken[-1]))


def _players(archived: ArchiveSeason, moment: _Moment, last_season: ArchiveSeason | None) -> tuple[Player, ...]:
    snapshot = moment.snapshot or {}
    earlier = {player_id: _rows_before(archived, player_id, moment) for player_id in archived.players}
    ownership = _ownership(snapshot.values() if snapshot else [rows[-1] for rows in earlier.values() if rows])
    last_totals = last_season.totals_by_code() if last_season else {}
    players: list[Player] = []
    for player_id, registered in archived.players.items():
        listed = snapshot.get(player_id)
        rows = earlier[player_id]
        at_deadline = _row_at_deadline(archived, player_id, moment.gameweek)
        known = listed or at_deadline or (rows[-1] if rows else None)
        if known is None:
            continue
        if last_season:
            season_figures = last_totals.get(registered.code, NO_FIGURES)
        else:
            season_figures = total([row.figures for row in rows])
        recent_from = moment.gameweek - RECENT_GAMEWEEKS
        recent_figures = total([row.figures for row in rows if row.gameweek >= recent_from])
        players.append(
            _player(registered, known, listed, ownership.get(player_id), season_figures, recent_figures),
        )
    return tuple(players)


def _player(
    registered: Registered,
    known: Listed | Appearance,
    listed: Listed | None,
    selected_by: float | None,
    season: Figures,
    recent: Figures,
) -> Player:
    return Player(
        id=registered.id,
        code=registered.code,
        web_name=registered.web_name,
        club=known.club,
        position=registered.position,
        price=known.price,
        status=status_from_news(listed.chance, listed.news) if listed else "a",
        chance_of_playing=listed.chance if listed else None,
        news=listed.news if listed else "",
        selected_by=selected_by,
        season=stats(season),
        recent=stats(recent),
    )


def _rows_before(archived: ArchiveSeason, player_id: int, moment: _Moment) -> list[Appearance]:
    """Rows of earlier gameweeks whose match had ended by the cutoff."""
    return [
        row
        for row in archived.appearances[player_id]
        if row.gameweek < moment.gameweek and row.kickoff + MATCH_LENGTH <= moment.cutoff
    ]


def _row_at_deadline(archived: ArchiveSeason, player_id: int, gameweek: int) -> Appearance | None:
    """The player's row in ``gameweek``, for its price and club only; None for somebody added after the deadline."""
    for row in archived.appearances[player_id]:
        if row.gameweek == gameweek and row.selected > 0:
            return row
    return None


def _ownership(counted: Iterable[Listed | Appearance]) -> dict[int, float]:
    """Percent of all teams owning each player; every team owns fifteen."""
    owners = {one.player_id: one.selected for one in counted}
    teams = sum(owners.values()) / 15
    return {player_id: round(100 * selected / teams, 1) for player_id, selected in owners.items()} if teams else {}


def _fixtures(archived: ArchiveSeason, moment: _Moment) -> tuple[tuple[Fixture, ...], str]:
    """All matches with the gameweek and difficulty each had at the cutoff, and a sentence on how that is known."""
    dated = dated_fixture_list(archived.season)
    fixtures: list[Fixture] = []
    for match in archived.matches:
        gameweek = match.gameweek
        difficulties = match.home_difficulty, match.away_difficulty
        if dated:
            gameweek = dated.gameweek(match.id, match.gameweek, moment.cutoff)
            difficulties = dated.difficulties(match.home, match.away, moment.cutoff)
        kickoff_known = gameweek is not None and gameweek == match.gameweek and gameweek <= moment.gameweek
        fixtures.append(
            Fixture(
                id=match.id,
                gameweek=gameweek,
                kickoff=match.kickoff if kickoff_known else None,
                home=match.home,
                away=match.away,
                home_difficulty=difficulties[0],
                away_difficulty=difficulties[1],
            )
        )
    if dated is None:
        return tuple(fixtures), (
            "Only the final fixture list is on record: matches stand in the gameweek they were finally played in, "
            "postponed ones included, and difficulties are those of the end of the season."
        )
    copied = dated.copy_before(moment.cutoff)
    return tuple(fixtures), (
        f"The fixture list is the copy of {copied.day} {copied:%B %Y}; matches moved between then and this deadline "
        "are shown where they stood."
    )


def _performance(row: Appearance) -> MatchPerformance:
    match = stats(row.figures)
    return MatchPerformance(
        player_id=row.player_id,
        fixture_id=row.fixture_id,
        points=match.points,
        minutes=match.minutes,
        stats=match,
    )
