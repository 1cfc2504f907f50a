"""What calls have cost and may yet cost: known costs, and the reserved estimates of calls whose cost is not known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from backroom_pipeline.ledger.store import Ledger

_SPENT = """
SELECT coalesce(sum(cost_micro_dollars), 0)::BIGINT AS known,
    coalesce(sum(micro_dollars) FILTER (cost_micro_dollars IS NULL), 0)::BIGINT AS assumed,
    count(*) FILTER (cost_micro_dollars IS NULL) AS unknown,
    count(*) FILTER (cost_micro_dollars IS NULL AND micro_dollars IS NULL) AS unpriced
FROM calls LEFT JOIN call_estimates USING (attempt_id)
WHERE season = ? AND gameweek = coalesce(?, gameweek)
"""


@dataclass(frozen=True)
class CallEstimate:
    """The most a call should cost, by the price of that version."""

    micro_dollars: int
    prompt_tokens: int
    answer_tokens: int
    price_version: str


@dataclass(frozen=True)
class Spent:
    """Of a gameweek or a season, in micro-dollars."""

    known: int
    assumed: int
    """Estimates of the calls whose cost is unknown: in the air, timed out, cut off."""
    calls_of_unknown_cost: int
    calls_without_a_price: int
    """Of these, the calls that cannot even be estimated. They count as nothing."""

    @property
    def total(self) -> int:
        return self.known + self.assumed


def record_estimate(ledger: Ledger, attempt_id: str, estimate: CallEstimate) -> None:
    """Reserve what an attempt may cost, in the transaction that begins it."""
    ledger.append(
        "call_estimates",
        [
            {
                "attempt_id": attempt_id,
                "micro_dollars": estimate.micro_dollars,
                "prompt_tokens": estimate.prompt_tokens,
                "answer_tokens": estimate.answer_tokens,
                "price_version": estimate.price_version,
            }
        ],
    )


def spent(ledger: Ledger, season: str, gameweek: int | None = None) -> Spent:
    """What a gameweek, or the whole season, has cost so far."""
    (row,) = ledger.rows(_SPENT, [season, gameweek])
    figures = {name: cast(int, value) for name, value in row.items()}
    return Spent(figures["known"], figures["assumed"], figures["unknown"], figures["unpriced"])
