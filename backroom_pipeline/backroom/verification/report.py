"""What a verification says, as the one JSON object of ``--json``: counts, and every difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backroom_pipeline.backroom.verification.entry import EntryVerification
from backroom_pipeline.backroom.verification.free_transfers import HitVerification


def entry_json(verified: Sequence[EntryVerification]) -> dict[str, Any]:
    """Counts of gameweeks over one season or several; with several, each mismatch names its season."""
    seasons = len(verified) > 1
    return {
        "gameweeks": sum(one.gameweeks for one in verified),
        "points_equal": sum(one.equal("points") for one in verified),
        "bench_points_equal": sum(one.equal("bench_points") for one in verified),
        "substitutions_equal": sum(one.equal("substitutions") for one in verified),
        "hit_cost_equal": sum(one.equal("hit_cost") for one in verified),
        "bank_equal": sum(one.equal("bank") for one in verified),
        "mismatches": [
            {
                **({"season": one.season} if seasons else {}),
                "gameweek": check.gameweek,
                "field": check.field,
                "ours": check.ours,
                "official": check.official,
            }
            for one in verified
            for check in one.mismatches
        ],
    }


def hits_json(verified: HitVerification) -> dict[str, Any]:
    return {
        "entries": verified.entries,
        "gameweeks": verified.gameweeks,
        "hit_cost_equal": verified.hit_cost_equal,
        "mismatches": [
            {
                "entry": wrong.entry,
                "gameweek": wrong.gameweek,
                "field": "hit_cost",
                "ours": wrong.ours,
                "official": wrong.official,
            }
            for wrong in verified.mismatches
        ],
    }
