"""After the matches: lineups scored, the week ranked, outcomes attached to the records they judge."""

from __future__ import annotations

from collections.abc import Mapping

from backroom_pipeline.backroom.contest import Contest, MissingFacts
from backroom_pipeline.backroom.contracts import ManagerDecision
from backroom_pipeline.fpl.lineup import gameweek_performances, score_lineup
from backroom_pipeline.fpl.model import Bill, Performance, Position
from backroom_pipeline.ledger.answers import Answer, AnswerKey, answer
from backroom_pipeline.ledger.facts import gameweek_results, scoring_version
from backroom_pipeline.ledger.standings import ScoreRow, record_scores, week_scores
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
    if not week_scores(contest.ledger, season, gameweek):
        raise MissingFacts(f"Gameweek {gameweek} of {season} is not scored yet; materialize scores first.")
    attached: dict[str, Outcome] = {}
    for role in ("assistant", "manager"):
        outcomes = outcomes_of_week(contest.ledger, season, gameweek, slug, role)
        contest.gateway.outcome_record(Member(manager=slug, role=role), slug, role, outcomes)
        attached |= outcomes
    return attached
