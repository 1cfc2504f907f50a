"""A manager's career: the seasons behind one slug, the models that were it, and how its promises fared."""

from __future__ import annotations

from typing import cast

from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.fpl.model import Frozen
from backroom_pipeline.ledger.standings import league_table, scored_gameweeks
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments import standing_claims

_MODELS = """
SELECT season, min(gameweek) AS first, max(gameweek) AS last, model
FROM answers JOIN attempts USING (season, gameweek, manager, role, attempt_id)
WHERE manager = ? AND role = 'manager' GROUP BY season, model ORDER BY season, first
"""


class Stint(Frozen):
    """One model behind the slug, and the first and last gameweek it decided in a season."""

    season: str
    first: int
    last: int
    model: str


class SeasonPlayed(Frozen):
    """One season of a career, as the ledger has it now."""

    season: str
    gameweeks: int
    """Scored so far."""
    points: int
    """Net of hits."""
    place: int
    of: int
    carried_over: tuple[int, ...]
    """Gameweeks in which the team stood as it was, because the manager could not decide."""
    promises: int
    kept: int
    """Gameweeks in which a promise was tested and honoured, summed over the promises."""
    broken: int


class Career(Frozen):
    """Everything behind one slug; the memory of all of it is one store."""

    manager: str
    name: str
    stints: tuple[Stint, ...]
    seasons: tuple[SeasonPlayed, ...]

    @property
    def changes(self) -> tuple[str, ...]:
        """Where another model took over, in sentences."""
        return tuple(
            f"{later.model} took over from {earlier.model} in gameweek {later.first} of {later.season}."
            for earlier, later in zip(self.stints, self.stints[1:], strict=False)
            if earlier.model != later.model
        )


def career(contest: Contest, slug: str) -> Career:
    """Raises LeagueError for a slug the league does not have."""
    manager = contest.manager(slug)
    seasons = [_season(contest.ledger, season, slug) for season in contest.league.seasons]
    return Career(
        manager=slug,
        name=manager.name,
        stints=stints(contest.ledger, slug),
        seasons=tuple(season for season in seasons if season is not None),
    )


def stints(ledger: Ledger, slug: str) -> tuple[Stint, ...]:
    """Which model decided when, from the calls behind the committed decisions."""
    return tuple(
        Stint(
            season=cast(str, row["season"]),
            first=cast(int, row["first"]),
            last=cast(int, row["last"]),
            model=cast(str, row["model"]),
        )
        for row in ledger.rows(_MODELS, [slug])
    )


def _season(ledger: Ledger, season: str, slug: str) -> SeasonPlayed | None:
    table = league_table(ledger, season)
    own = next((standing for standing in table if standing.slug == slug), None)
    scored = scored_gameweeks(ledger, season)
    if own is None:
        return None
    claims = standing_claims(ledger, slug, season, max(scored) + 1, include_closed=True)
    return SeasonPlayed(
        season=season,
        gameweeks=len(scored),
        points=own.points,
        place=own.rank,
        of=len(table),
        carried_over=own.carried_over,
        promises=len(claims),
        kept=sum(len(claim.kept) for claim in claims),
        broken=sum(len(claim.broken) for claim in claims),
    )
