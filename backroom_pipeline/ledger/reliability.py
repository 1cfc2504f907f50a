"""How reliable each model was: from the attempts of its answers, every one counted, and what a point cost."""

from __future__ import annotations

from typing import cast

from backroom_pipeline.fpl.model import Frozen
from backroom_pipeline.ledger.store import Ledger

_ANSWERS = """
WITH asked AS (
    SELECT season, gameweek, manager, role, last(model ORDER BY number) AS model,
        count(*) AS attempts,
        bool_or(status = 'ok') AS answered,
        bool_or(status IN ('invalid', 'illegal', 'truncated')) AS repaired,
        bool_or(status = 'refused') AS refused,
        bool_or(status = 'timeout') AS timed_out,
        bool_or(status IN ('transport', 'error', 'pending')) AS broken,
        sum(cost_micro_dollars) AS cost,
        count(*) FILTER (cost_micro_dollars IS NULL) AS unknown_costs
    FROM calls WHERE season = $1 AND role <> 'judge' GROUP BY ALL
)
SELECT model, count(*) AS asked,
    count(*) FILTER (answered AND attempts = 1) AS first_try,
    count(*) FILTER (answered AND repaired) AS repaired,
    count(*) FILTER (refused) AS refused, count(*) FILTER (timed_out) AS timed_out, count(*) FILTER (broken) AS broken,
    count(*) FILTER (NOT answered) AS unanswered,
    CAST(sum(attempts) AS INTEGER) AS attempts,
    CAST(sum(cost) AS BIGINT) AS cost, CAST(sum(unknown_costs) AS INTEGER) AS unknown_costs
FROM asked GROUP BY model ORDER BY model
"""
_LATENCY = """
SELECT model, quantile_disc(latency_ms, 0.5) AS p50, quantile_disc(latency_ms, 0.95) AS p95
FROM calls WHERE season = ? AND role <> 'judge' AND latency_ms IS NOT NULL GROUP BY model
"""
_DECIDED = """
WITH scored AS (
    SELECT season, gameweek, manager, last(net_points ORDER BY scoring_version) AS net_points
    FROM scores WHERE season = $1 GROUP BY ALL
), decided AS (
    SELECT season, gameweek, manager, source, coalesce(
        (SELECT model FROM attempts WHERE attempts.attempt_id = answers.attempt_id),
        (SELECT last(model ORDER BY started_at, number) FROM attempts t WHERE role <> 'judge'
         AND (t.season, t.gameweek, t.manager) = (answers.season, answers.gameweek, answers.manager)),
        -- Nobody was called, for example because a spend cap was reached.
        (SELECT last(model ORDER BY version) FROM managers m
         WHERE m.slug = answers.manager AND m.recorded_at <= answers.committed_at)
    ) AS model
    FROM answers WHERE season = $1 AND role = 'manager'
)
SELECT model, count(*) AS gameweeks, count(*) FILTER (source = 'carried_over') AS carried_over,
    CAST(sum(net_points) AS INTEGER) AS points
FROM decided LEFT JOIN scored USING (season, gameweek, manager) WHERE model IS NOT NULL GROUP BY model
"""


class Reliability(Frozen):
    """One model over a season. An answer is one role's in one gameweek; money is micro-dollars, time milliseconds."""

    model: str
    answers: int
    """Asked for."""
    first_try: int
    """Legal at the first attempt."""
    repaired: int
    """Legal after an unreadable, illegal or cut-off one."""
    refused: int
    """Answers of which at least one attempt was refused, by the model or a filter."""
    timed_out: int
    broken: int
    """Answers of which at least one attempt failed on the way: connection, overload, an error of the vendor."""
    unanswered: int
    """Never brought to a legal answer."""
    carried_over: int
    """Gameweeks in which the team stood as it was because the manager could not decide."""
    attempts: int
    latency_p50_ms: int | None
    latency_p95_ms: int | None
    cost: int | None
    """Of the attempts whose cost is known; None when that of none is."""
    attempts_of_unknown_cost: int
    gameweeks: int
    """Decided, carried-over ones included."""
    points: int | None
    """Net of hits, over the scored ones."""

    @property
    def cost_per_gameweek(self) -> int | None:
        return None if self.cost is None or not self.gameweeks else round(self.cost / self.gameweeks)

    @property
    def cost_per_point(self) -> int | None:
        return None if self.cost is None or not self.points or self.points < 0 else round(self.cost / self.points)


def reliability(ledger: Ledger, season: str) -> list[Reliability]:
    """Every model that was asked, or stood behind a decision, in the season, by name."""
    asked, times, decided = (
        {str(row["model"]): row for row in ledger.rows(sql, [season])} for sql in (_ANSWERS, _LATENCY, _DECIDED)
    )

    def of(model: str) -> Reliability:
        answers, took, weeks = asked.get(model, {}), times.get(model, {}), decided.get(model, {})
        return Reliability(
            model=model,
            answers=cast(int, answers.get("asked", 0)),
            first_try=cast(int, answers.get("first_try", 0)),
            repaired=cast(int, answers.get("repaired", 0)),
            refused=cast(int, answers.get("refused", 0)),
            timed_out=cast(int, answers.get("timed_out", 0)),
            broken=cast(int, answers.get("broken", 0)),
            unanswered=cast(int, answers.get("unanswered", 0)),
            carried_over=cast(int, weeks.get("carried_over", 0)),
            attempts=cast(int, answers.get("attempts", 0)),
            latency_p50_ms=cast("int | None", took.get("p50")),
            latency_p95_ms=cast("int | None", took.get("p95")),
            cost=cast("int | None", answers.get("cost")),
            attempts_of_unknown_cost=cast(int, answers.get("unknown_costs", 0)),
            gameweeks=cast(int, weeks.get("gameweeks", 0)),
            points=cast("int | None", weeks.get("points")),
        )

    return [of(model) for model in sorted(asked.keys() | decided.keys())]
