"""Whether a gameweek is over for everybody: what the ledger still lacks, by manager."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backroom_pipeline.ledger.store import Ledger

STEPS = ("decision", "memory", "score", "outcome")
"""What every manager has when a gameweek is over, in the order in which it comes about."""

_DONE = """
WITH newest AS (SELECT max(scoring_version) AS newest_version FROM results WHERE season = $1 AND gameweek = $2)
SELECT 'decision' AS step, manager FROM answers WHERE season = $1 AND gameweek = $2 AND role = 'manager'
UNION
SELECT 'memory', manager FROM memory_index
WHERE season = $1 AND gameweek = $2 AND role = 'manager' AND category = 'narrative'
UNION
SELECT 'score', manager FROM scores, newest WHERE season = $1 AND gameweek = $2 AND scoring_version = newest_version
UNION
SELECT 'outcome', manager FROM outcomes, newest
WHERE season = $1 AND gameweek = $2 AND role = 'manager' AND scoring_version = newest_version
"""


@dataclass(frozen=True)
class Incomplete:
    """A manager and every step its gameweek lacks. Scores and outcomes count when they are by the newest results."""

    manager: str
    lacks: tuple[str, ...]

    @property
    def sentence(self) -> str:
        return f"{self.manager} has no {', no '.join(self.lacks)}."


def incomplete(ledger: Ledger, season: str, gameweek: int, managers: Sequence[str]) -> list[Incomplete]:
    """Every manager whose gameweek is not over and what it lacks; empty when the next gameweek may begin."""
    done = {(str(row["manager"]), str(row["step"])) for row in ledger.rows(_DONE, [season, gameweek])}
    found = [Incomplete(manager, tuple(step for step in STEPS if (manager, step) not in done)) for manager in managers]
    return [manager for manager in found if manager.lacks]
