"""After the matches: lineups scored, the week ranked, outcomes attached to the records they judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backroom_pipeline.backroom.contest import Contest, MissingFacts
from backroom_pipeline.backroom.contracts import ManagerDecision
from backroom_pipeline.fpl.lineup import gameweek_performances, score_lineup
from backroom_pipeline.fpl.model import Bill, GameweekResults, Performance, Position
from backroom_pipeline.ledger.answers import Answer, AnswerKey, answer
from backroom_pipeline.ledger.facts import gameweek_results, record_results, scoring_version
from backroom_pipeline.ledger.memory_rows import outcomes
from backroom_pipeline.ledger.standings import (
    ScoreRow,
    Standing,
    league_table,
    record_scores,
    scored_gameweeks,
    week_scores,
)
from backroom_pipeline.memory.model import Member, Outcome
from backroom_pipeline.memory.outcomes import outcomes_of_week


def score_gameweek(contest: Contest, season: str, gameweek: int) -> list[ScoreRow]:
    """Score every committed decision by the newest official results and record the scores under their version.

    Raises MissingFacts when a manager has not decided or no results are recorded.
    """
    results = gameweek_results(contest.ledger, season, gameweek)
    version = scoring_version(contest.ledger, season, gameweek)
    if results is None or version is None:
        raise MissingFacts(
            f"Gameweek {gameweek} of {season} has no results in the ledger yet; materialize match_results."
        )
    decisions = {
        slug: answer(contest.ledger, AnswerKey(season=season, gameweek=gameweek, manager=slug, role="manager"))
        for slug in contest.league.slugs
    }
    if undecided := [slug for slug, decision in decisions.items() if decision is None]:
        raise MissingFacts(
            f"Gameweek {gameweek} of {season} cannot be scored: no committed decision of {', '.join(undecided)}."
        )
    performances = gameweek_performances(results.performances)
    positions: dict[int, Position] = {player.id: player.position for player in contest.facts(season, gameweek).players}
    rows = [
        _score(decision, performances, positions, version) for decision in decisions.values() if decision is not None
    ]
    record_scores(contest.ledger, rows)
    return rows


def _score(
    decision: Answer, performances: Mapping[int, Performance], positions: Mapping[int, Position], version: int
) -> ScoreRow:
    sheet = ManagerDecision.model_validate_json(decision.answer_json).sheet
    hit = Bill.model_validate_json(decision.bill_json or "").hit_points
    score = score_lineup(sheet, performances, positions)
    return ScoreRow(
        season=decision.key.season,
        gameweek=decision.key.gameweek,
        manager=decision.key.manager,
        scoring_version=version,
        points=score.points,
        bench_points=score.bench_points,
        hit_points=hit,
        net_points=score.points - hit,
        substitutions=score.substitutions,
        captain=score.captain,
        multipliers=score.multipliers,
    )


def attach_outcomes(contest: Contest, season: str, gameweek: int, slug: str) -> dict[str, Outcome]:
    """Tell the exact records of the week, the manager's and the assistant's, how it turned out.

    Idempotent, and again after a restatement: the outcome carries the scoring version it came from.
    """
    judged = outcomes_of_week(contest.ledger, season, gameweek, slug)
    if not judged:
        raise MissingFacts(f"Gameweek {gameweek} of {season} is not scored yet; materialize scores first.")
    attached: dict[str, Outcome] = {}
    for role, told in judged.items():
        contest.gateway.outcome_record(Member(manager=slug, role=role), slug, role, told)
        attached |= told
    return attached


@dataclass(frozen=True)
class PointsChange:
    """Somebody's points of the restated gameweek, before and after: a player's gross, a manager's net of hits."""

    who: int | str
    before: int
    after: int


@dataclass(frozen=True)
class Restatement:
    """What a restated result changed, and the league table on either side of it."""

    season: str
    gameweek: int
    version_before: int
    version: int
    players: tuple[PointsChange, ...]
    """Everybody whose official points changed, by id."""
    managers: tuple[PointsChange, ...]
    """Every manager, also those whose points stayed."""
    table_before: tuple[Standing, ...]
    table_after: tuple[Standing, ...]
    outcomes_changed: int
    """Records that are told something else now, of this gameweek and of those after it."""

    @property
    def changed(self) -> bool:
        return self.version != self.version_before or self.outcomes_changed > 0


def restate(contest: Contest, season: str, gameweek: int, results: GameweekResults) -> Restatement:
    """Score a gameweek again by other official results, and let table, form and outcomes follow.

    The results become a further scoring version; the earlier ones stay readable under theirs. Later gameweeks keep
    their points, but the season's totals their records were told change, so those are told again. Results that say
    what the newest say change nothing. Raises MissingFacts when the gameweek was not scored before.
    """
    before = week_scores(contest.ledger, season, gameweek)
    if not before:
        raise MissingFacts(
            f"Gameweek {gameweek} of {season} is not scored yet, so there is nothing to restate. Play it with: "
            f"backroom gameweek run {gameweek}"
        )
    scored_by = before[0].scoring_version
    table_before = league_table(contest.ledger, season)
    told_before = outcomes(contest.ledger)
    with contest.ledger.transaction():
        version = record_results(contest.ledger, results)
        after = score_gameweek(contest, season, gameweek)
    # Again even where nothing is new: a restatement that was interrupted here is finished by the next one.
    for later in scored_gameweeks(contest.ledger, season):
        if later >= gameweek:
            for slug in contest.league.slugs:
                attach_outcomes(contest, season, later, slug)
    told_after = outcomes(contest.ledger)
    net_points = {row.manager: row.net_points for row in before}
    return Restatement(
        season=season,
        gameweek=gameweek,
        version_before=scored_by,
        version=version,
        players=_players_changed(gameweek_results(contest.ledger, season, gameweek, scored_by), results),
        managers=tuple(PointsChange(row.manager, net_points[row.manager], row.net_points) for row in after),
        table_before=tuple(table_before),
        table_after=tuple(league_table(contest.ledger, season)),
        outcomes_changed=sum(told_before.get(record) != outcome for record, outcome in told_after.items()),
    )


def _players_changed(before: GameweekResults | None, after: GameweekResults) -> tuple[PointsChange, ...]:
    points = [gameweek_performances(results.performances if results else ()) for results in (before, after)]
    pairs = {
        player: tuple(of[player].points if player in of else 0 for of in points)
        for player in sorted(points[0].keys() | points[1].keys())
    }
    return tuple(PointsChange(player, old, new) for player, (old, new) in pairs.items() if old != new)
