"""Every row of a season scored again from its raw statistics, and every match's bonus from its bps, held against what
the official game gave."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.archive_season import seasons_held
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.fpl.model import MatchPerformance, Position
from backroom_pipeline.fpl.rules import load_rules, seasons
from backroom_pipeline.fpl.scoring import Scoring, UnknownScoring, bonus_of_match, match_points


@dataclass(frozen=True)
class Difference:
    """One player in one match who scored otherwise here than in the official game."""

    gameweek: int
    fixture_id: int
    player_id: int
    figure: Literal["points", "bonus"]
    ours: int
    official: int


@dataclass(frozen=True)
class ScoringVerification:
    """One season's comparison. A row is one player in one match, played or not."""

    season: str
    rows: int
    rows_equal: int
    matches: int
    bonus_equal: int
    scoring_stated: bool
    """Whether the source states the scoring itself; otherwise it is the season file's."""
    assistant_managers: int
    """How many the season lists (2024/25 only): they are no players, and their rows are not among ``rows``."""
    differences: tuple[Difference, ...]


def verifiable_seasons(feed: ArchiveFeed) -> tuple[str, ...]:
    """The seasons the archive holds and rules are written down for, oldest first. Raises FeedError."""
    return tuple(season for season in seasons_held(feed.path) if season in seasons())


def verify_scoring(feed: ArchiveFeed, season: str) -> ScoringVerification:
    """Score ``season`` again. Raises FeedError, and UnknownSeason where no rules are written down."""
    facts = feed.season(season)
    try:
        scoring = load_rules(season).as_stated(facts).scoring
    except UnknownScoring as unknown:
        raise FeedError(f"The scoring of {season} cannot be followed. {unknown}") from unknown
    positions: dict[int, Position] = {player.id: player.position for player in feed.archived(season).players.values()}
    rows = matches = bonus_equal = 0
    differences: list[Difference] = []
    for gameweek in facts.gameweeks:
        performances = feed.results(season, gameweek).performances
        wrong = _points_differences(gameweek, performances, positions, scoring)
        rows += len(performances)
        by_match: dict[int, list[MatchPerformance]] = defaultdict(list)
        for performance in performances:
            by_match[performance.fixture_id].append(performance)
        for fixture_id, in_match in sorted(by_match.items()):
            wrong_bonus = _bonus_differences(gameweek, fixture_id, in_match, scoring)
            matches += 1
            bonus_equal += not wrong_bonus
            wrong += wrong_bonus
        differences += wrong
    rows_equal = rows - sum(difference.figure == "points" for difference in differences)
    return ScoringVerification(
        season=season,
        rows=rows,
        rows_equal=rows_equal,
        matches=matches,
        bonus_equal=bonus_equal,
        scoring_stated=bool(facts.scoring_json),
        assistant_managers=len({manager for manager, _ in feed.archived(season).assistant_managers}),
        differences=tuple(differences),
    )


def scoring_json(verified: Sequence[ScoringVerification]) -> dict[str, Any]:
    """The seasons' comparisons and their totals."""
    counted = ("rows", "rows_equal", "matches", "bonus_equal")
    totals = {figure: sum(getattr(one, figure) for one in verified) for figure in counted}
    return {**totals, "seasons": [asdict(one) for one in verified]}


def _points_differences(
    gameweek: int,
    performances: Iterable[MatchPerformance],
    positions: Mapping[int, Position],
    scoring: Scoring,
) -> list[Difference]:
    return [
        Difference(gameweek, one.fixture_id, one.player_id, "points", ours, one.points)
        for one in performances
        if (ours := match_points(one.stats, positions[one.player_id], scoring)) != one.points
    ]


def _bonus_differences(
    gameweek: int, fixture_id: int, performances: Sequence[MatchPerformance], scoring: Scoring
) -> list[Difference]:
    ours = bonus_of_match(performances, scoring)
    return [
        Difference(gameweek, fixture_id, one.player_id, "bonus", ours.get(one.player_id, 0), one.stats.bonus)
        for one in performances
        if ours.get(one.player_id, 0) != one.stats.bonus
    ]
