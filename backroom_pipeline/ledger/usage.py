"""What the calls behind one answer took: attempts, tokens, time and money, every attempt counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from backroom_pipeline.ledger.rows import CallKey
from backroom_pipeline.ledger.store import Ledger

_USAGE = """
SELECT count(*) AS attempts,
    CAST(sum(CAST(usage_json ->> '$.prompt_tokens' AS BIGINT)) AS BIGINT) AS prompt_tokens,
    CAST(sum(CAST(usage_json ->> '$.completion_tokens' AS BIGINT)) AS BIGINT) AS completion_tokens,
    CAST(sum(latency_ms) AS BIGINT) AS latency_ms,
    CAST(sum(cost_micro_dollars) AS BIGINT) AS cost_micro_dollars,
    count(*) FILTER (cost_micro_dollars IS NULL) AS attempts_of_unknown_cost
FROM calls WHERE season = ? AND gameweek = ? AND manager = ? AND role = ?
"""


@dataclass(frozen=True)
class Usage:
    """Sums over all attempts. None where no attempt reported it, which is not the same as 0."""

    attempts: int
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_ms: int | None
    cost_micro_dollars: int | None
    """Of the attempts whose cost is known."""
    attempts_of_unknown_cost: int


def usage(ledger: Ledger, key: CallKey) -> Usage:
    """What an answer took so far; zero attempts when nobody was asked for it."""
    (row,) = ledger.rows(_USAGE, [key.season, key.gameweek, key.manager, key.role])
    figures = {name: cast(int | None, value) for name, value in row.items()}
    return Usage(
        attempts=figures["attempts"] or 0,
        prompt_tokens=figures["prompt_tokens"],
        completion_tokens=figures["completion_tokens"],
        latency_ms=figures["latency_ms"],
        cost_micro_dollars=figures["cost_micro_dollars"],
        attempts_of_unknown_cost=figures["attempts_of_unknown_cost"] or 0,
    )
