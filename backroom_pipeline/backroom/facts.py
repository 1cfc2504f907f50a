"""Facts and results from a feed into the ledger, and the managers who enter the contest."""

from __future__ import annotations

from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.feeds.protocol import Feed
from backroom_pipeline.fpl.model import GameweekFacts
from backroom_pipeline.ledger import facts as fact_rows
from backroom_pipeline.ledger.managers import enrolled_managers, record_manager
from backroom_pipeline.memory.model import ROLES, Member
from backroom_pipeline.memory.records import identity_record


class LeagueMismatch(Exception):
    """The league file and the ledger disagree about who plays."""


def enrol(contest: Contest) -> None:
    """Write down managers the ledger does not know yet, with their stores and identities; note changed models.

    Raises LeagueMismatch when a manager of the ledger is missing from the league file: a slug is for life.
    """
    known = enrolled_managers(contest.ledger)
    missing = sorted(set(known) - {manager.slug for manager in contest.league.managers})
    if missing:
        raise LeagueMismatch(
            f"The ledger of league {contest.league.name} has managers the league file lacks: {', '.join(missing)}. "
            "A slug ties a manager to its memory for life. Put them back into the file, or start a league of another "
            "name."
        )
    for manager in contest.league.managers:
        record_manager(contest.ledger, manager.slug, manager.name, manager.model, manager.persona or None)
        if manager.slug in known:
            continue
        contest.gateway.team_create(manager.slug)
        for role in ROLES:
            contest.gateway.team_add_member(manager.slug, role)
            contest.gateway.store(
                Member(manager=manager.slug, role=role),
                manager.slug,
                role,
                [identity_record(contest.ledger, manager.slug, role)],
            )


def take_facts(contest: Contest, feed: Feed, season: str, gameweek: int) -> GameweekFacts:
    """Enrol the managers and record what is known before the deadline. Raises FeedError, LeagueMismatch."""
    enrol(contest)
    fact_rows.record_season(contest.ledger, feed.season(season))
    fact_rows.record_gameweek(contest.ledger, feed.facts(season, gameweek))
    return contest.facts(season, gameweek)


def take_results(contest: Contest, feed: Feed, season: str, gameweek: int) -> int:
    """Record what happened and return its scoring version. Raises FeedError."""
    return fact_rows.record_results(contest.ledger, feed.results(season, gameweek))
