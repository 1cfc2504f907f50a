"""After the matches: lineups scored, the week ranked, outcomes attached to the records they judge."""

from __future__ import annotations

from backroom_pipeline.backroom.contest import Contest, MissingFacts
from backroom_pipeline.backroom.contracts import ManagerDecision
from backroom_pipeline.backroom.play import committed
from backroom_pipeline.fpl.lineup import gameweek_performances, score_lineup
from backroom_pipeline.fpl.model import Bill
from backroom_pipeline.ledger.answers import AnswerKey, answer
from backroom_pipeline.ledger.facts import gameweek_results
from backroom_pipeline.ledger.standings import ScoreRow, record_scores, week_scores
from backroom_pipeline.memory.model import Member, Outcome
from backroom_pipeline.memory.outcomes import outcomes_of_week


def score_gameweek(contest: Contest, season: str, gameweek: int) -> list[ScoreRow]:
    """Score every committed decision by the newest official results and record the scores under their version.

    Raises MissingFacts when a manager has not decided or no results are recorded.
    """
    results = gameweek_results(contest.ledger, season, gameweek)
    if results is None:
        raise MissingFacts(f"Gameweek {gameweek} of {season} has no results in the ledger yet; materialize results.")
    version, outcome = results
    decisions = {
        slug: committed(contest, season, gameweek, slug, "manager", ManagerDecision) for slug in contest.league.slugs
    }
    if undecided := [slug for slug, decision in decisions.items() if decision is None]:
        raise MissingFacts(
            f"Gameweek {gameweek} of {season} cannot be scored: {', '.join(undecided)} has no committed decision."
        )
    performances = gameweek_performances(outcome.performances)
    positions = {player.id: player.position for player in contest.facts(season, gameweek).players}
    rows: list[ScoreRow] = []
    for slug, decision in decisions.items():
        assert decision is not None
        score = score_lineup(decision.sheet, performances, positions)
        row = answer(contest.ledger, AnswerKey(season=season, gameweek=gameweek, manager=slug, role="manager"))
        assert row is not None and row.bill_json is not None
        hit = Bill.model_validate_json(row.bill_json).hit_points
        rows.append(ScoreRow.of(season, gameweek, slug, version, score, hit))
    record_scores(contest.ledger, rows)
    return rows


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
