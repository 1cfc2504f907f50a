"""How long the prompts of a season are, role by role, before anybody is paid to read them.

Measured in the weeks a league has played where there are any; else a house team of the same league plays the first few
in a place of its own, which costs nothing. All lengths are estimates, the same for every model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import get_args

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.briefing import compose_briefing, write_briefing
from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.backroom.contracts import AssistantSheet, CoachRanking, ManagerDecision
from backroom_pipeline.backroom.desk import ReadingRole
from backroom_pipeline.backroom.facts import take_facts, take_results
from backroom_pipeline.backroom.scoring import attach_outcomes, score_gameweek
from backroom_pipeline.feeds.protocol import Feed, FeedError
from backroom_pipeline.league import League, ManagerConfig
from backroom_pipeline.ledger.canonical import canonical_json
from backroom_pipeline.ledger.facts import record_gameweek, record_season
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.model import ROLES, Role
from backroom_pipeline.models.attempts import stored_prompt
from backroom_pipeline.models.call import response_format_of
from backroom_pipeline.tokens import estimated_schema_tokens, estimated_tokens

READERS: tuple[ReadingRole, ...] = get_args(ReadingRole)
ANSWERS = {"coach": CoachRanking, "assistant": AssistantSheet, "manager": ManagerDecision}
_HOUSE_TEAM = "house-team"
WEEKS_PLAYED = 3
"""By the house team: an opening, a first look back, and a first recall of more than one week."""
WEEKS_COMPOSED = 8
"""For which the public parts are composed besides, spread over the season."""


@dataclass(frozen=True)
class Size:
    """Tokens of one call, the mean over the managers measured."""

    public: int
    """System text, briefing and tables: the same for everybody."""
    private: int
    answer: int


@dataclass(frozen=True)
class PromptSizes:
    """Sizes by gameweek and role, for the weeks that were measured."""

    source: str
    weeks: Mapping[int, Mapping[Role, Size]]
    memory_to_come: Mapping[Role, int]
    """Tokens by which a prompt may still grow until its memory is full."""

    def of(self, gameweek: int, role: Role) -> Size:
        """By the nearest week measured, the earlier of two; an opening week stands for itself alone."""
        later = [week for week in self.weeks if week != min(self.weeks)] if gameweek != min(self.weeks) else []
        return self.weeks[min(later or self.weeks, key=lambda week: (abs(week - gameweek), week))][role]

    @property
    def longest(self) -> int:
        """Of all prompts measured, with a full memory."""
        return max(
            size.public + size.private + self.memory_to_come[role]
            for week in self.weeks.values()
            for role, size in week.items()
        )


def schema_tokens(role: Role, response_format: str) -> int:
    """Of the form of the answer, which vendors count as part of the prompt."""
    form = response_format_of(ANSWERS[role], response_format)
    return 0 if form is None else estimated_schema_tokens(canonical_json(form))


def sizes_in_ledger(ledger: Ledger, season: str) -> PromptSizes | None:
    """Of the committed answers of a season; None where there are none."""
    rows = ledger.rows(
        "SELECT a.gameweek, a.role, a.prompt_sha256, a.answer_json, r.usage_json, t.model FROM answers a "
        "JOIN attempts t USING (attempt_id) JOIN attempt_results r USING (attempt_id) "
        "WHERE a.season = ? ORDER BY a.gameweek, a.manager",
        [season],
    )
    measured: dict[int, dict[Role, list[Size]]] = {}
    for row in rows:
        prompt = stored_prompt(ledger, str(row["prompt_sha256"]))
        usage = json.loads(str(row["usage_json"])) if row["usage_json"] else {}
        reported = None if str(row["model"]).startswith("house/") else usage.get("completion_tokens")
        size = Size(
            public=estimated_tokens(prompt.system) + estimated_tokens(prompt.public),
            private=estimated_tokens(prompt.private),
            answer=reported or estimated_tokens(str(row["answer_json"])),
        )
        role: Role = row["role"]  # pyright: ignore[reportAssignmentType]
        measured.setdefault(int(str(row["gameweek"])), {}).setdefault(role, []).append(size)
    weeks: dict[int, dict[Role, Size]] = {
        week: {role: _mean(by_role[role]) for role in ROLES}
        for week, by_role in measured.items()
        if len(by_role) == len(ROLES)
    }
    if not weeks:
        return None
    named = f"gameweek {min(weeks)}" if len(weeks) == 1 else f"{len(weeks)} gameweeks, {min(weeks)} to {max(weeks)},"
    return PromptSizes(f"the prompts of {named} that this league has played", weeks, dict.fromkeys(ROLES, 0))


def sizes_by_house_team(league: League, feed: Feed, season: str, gameweeks: Iterable[int]) -> PromptSizes:
    """Of prompts composed for the season: the first weeks played by a house team, the rest by their public parts.

    Raises FeedError where the feed has no facts of the first week.
    """
    with _house_contest(league, season) as contest:
        played = _play(contest, feed, season)
        sizes = sizes_in_ledger(contest.ledger, season)
        assert sizes is not None
        weeks = {week: dict(by_role) for week, by_role in sizes.weeks.items()}
        last = weeks[played[-1]]
        for week in _spread([week for week in gameweeks if week > played[-1]]):
            with suppress(FeedError):  # a season in progress: its later weeks are taken to be like the last one played
                public = public_tokens(contest, feed, season, week)
                weeks[week] = {role: replace(last[role], public=public[role]) for role in ROLES}
    budgets: dict[Role, int] = {"coach": 0, "assistant": 0, "manager": 0}
    if league.memory == "on":
        budgets |= {role: league.recall_of(role).budget_tokens for role in READERS}
    source = (
        f"prompts composed from the {league.feed} feed, their private parts those of a house team that played "
        f"gameweek{'' if len(played) == 1 else 's'} {' to '.join(map(str, dict.fromkeys((played[0], played[-1]))))}"
    )
    return PromptSizes(source, weeks, budgets)


def public_tokens(contest: Contest, feed: Feed, season: str, gameweek: int) -> dict[Role, int]:
    """Of the part of each role's prompt that is the same for all managers. Raises FeedError."""
    record_season(contest.ledger, feed.season(season))
    record_gameweek(contest.ledger, feed.facts(season, gameweek))
    prompts = compose_briefing(contest.week(season, gameweek)).prompts
    return {role: estimated_tokens(prompts[role].system) + estimated_tokens(prompts[role].public) for role in ROLES}


def longest_public_prompt(league: League, feed: Feed, season: str) -> int:
    """Tokens, in the first gameweek of the season that the league plays. Raises FeedError."""
    with _house_contest(league, season) as contest:
        return max(public_tokens(contest, feed, season, _gameweeks(league, season)[0]).values())


@contextmanager
def _house_contest(league: League, season: str) -> Iterator[Contest]:
    """A contest of one house team under this league's policies, gone afterwards."""
    changes = {
        "managers": (ManagerConfig(slug=_HOUSE_TEAM, name="House Team", model="house/template"),),
        "seasons": (season,),
        "first_gameweek": _gameweeks(league, season)[0],
        "conflict_judge": None,
        "spend_cap_per_gameweek": None,
        "spend_cap_per_season": None,
    }
    alone = league.model_copy(update=changes)
    with TemporaryDirectory(prefix="estimate-") as place, Contest.open(alone, Path(place)) as contest:
        yield contest


def _gameweeks(league: League, season: str) -> list[int]:
    return [week for of, week in league.gameweeks if of == season]


def _play(contest: Contest, feed: Feed, season: str) -> list[int]:
    """Play the first weeks, as far as the feed has their results; those in which a decision was made."""
    played: list[int] = []
    for week in _gameweeks(contest.league, season)[:WEEKS_PLAYED]:
        try:
            take_facts(contest, feed, season, week)
            write_briefing(contest, season, week)
            for step in (play.rank, play.propose, play.decide, play.remember):
                step(contest, season, week, _HOUSE_TEAM)
            played.append(week)
            take_results(contest, feed, season, week)
        except FeedError:
            if not played:
                raise
            break
        score_gameweek(contest, season, week)
        attach_outcomes(contest, season, week, _HOUSE_TEAM)
    return played


def _spread(weeks: list[int]) -> list[int]:
    step = -(-len(weeks) // WEEKS_COMPOSED) or 1
    return weeks[step // 2 :: step]


def _mean(sizes: list[Size]) -> Size:
    return Size(
        public=round(fmean(size.public for size in sizes)),
        private=round(fmean(size.private for size in sizes)),
        answer=round(fmean(size.answer for size in sizes)),
    )
