"""The public part of each role's prompt in the ledger: which text, by hash, from which facts."""

from __future__ import annotations

from backroom_pipeline.ledger.rows import Role
from backroom_pipeline.ledger.store import Ledger


def briefing_sha256s(ledger: Ledger, season: str, gameweek: int) -> dict[str, str]:
    """sha256 of the newest recorded public part, by role; empty when none was recorded."""
    found = ledger.rows(
        "SELECT role, public_sha256 FROM briefings WHERE season = ? AND gameweek = ? "
        "QUALIFY version = max(version) OVER (PARTITION BY role) ORDER BY role",
        [season, gameweek],
    )
    return {str(row["role"]): str(row["public_sha256"]) for row in found}


def record_briefing(
    ledger: Ledger, season: str, gameweek: int, role: Role, public_sha256: str, inputs_sha256: str
) -> None:
    """Record the public part of a role's prompt; nothing to do when it is the newest one already."""
    if briefing_sha256s(ledger, season, gameweek).get(role) == public_sha256:
        return
    version = ledger.rows(
        "SELECT count(*) + 1 AS version FROM briefings WHERE season = ? AND gameweek = ? AND role = ?",
        [season, gameweek, role],
    )[0]["version"]
    ledger.append(
        "briefings",
        [
            {
                "season": season,
                "gameweek": gameweek,
                "role": role,
                "version": version,
                "public_sha256": public_sha256,
                "inputs_sha256": inputs_sha256,
                "recorded_at": ledger.now(),
            }
        ],
    )
