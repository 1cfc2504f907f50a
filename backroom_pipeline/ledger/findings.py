"""Findings in the ledger: promises contradicted and broken, own words repeated, each with both texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from backroom_pipeline.ledger.rows import Finding, FindingKind
from backroom_pipeline.ledger.store import Ledger

__all__ = ["Finding", "findings", "parsed_claims", "record_findings"]


def record_findings(ledger: Ledger, found: Sequence[Finding]) -> int:
    """Keep findings; how many were new. What was found before stays as it was recorded."""
    now = ledger.now()
    rows = [{**finding.model_dump(), "recorded_at": finding.recorded_at or now} for finding in found]
    return ledger.append("findings", rows, ignore_existing=True)


def findings(
    ledger: Ledger,
    season: str,
    gameweek: int | None = None,
    manager: str | None = None,
    kind: FindingKind | None = None,
) -> list[Finding]:
    """By gameweek and manager: contradicted claims, then broken ones, then quotations in the order of the text."""
    found = ledger.rows(
        "SELECT * FROM findings WHERE season = ? AND gameweek = coalesce(?, gameweek) "
        "AND manager = coalesce(?, manager) AND kind = coalesce(?, kind) "
        "ORDER BY gameweek, manager, kind, later_start, earlier_season, earlier_gameweek, earlier_text, later_text, "
        "earlier_id, later_id",
        [season, gameweek, manager, kind],
    )
    return [Finding(**cast(dict[str, Any], row)) for row in found]


def parsed_claims(ledger: Ledger, season: str, manager: str) -> set[tuple[int, int]]:
    """(gameweek, ordinal) of the claims whose terms were read from their words, since the model gave none."""
    found = ledger.rows(
        "SELECT gameweek, ordinal FROM parsed_claims WHERE season = ? AND manager = ?", [season, manager]
    )
    return {(cast(int, row["gameweek"]), cast(int, row["ordinal"])) for row in found}
