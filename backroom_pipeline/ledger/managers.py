"""Managers in the ledger: a slug is for life, a changed name or model is a further version."""

from __future__ import annotations

from typing import Any, cast

from backroom_pipeline.ledger.rows import ManagerRow
from backroom_pipeline.ledger.store import Ledger


def record_manager(ledger: Ledger, slug: str, name: str, model: str, persona: str | None = None) -> int:
    """Write down a manager, or how it changed; its version."""
    with ledger.transaction():
        known = enrolled_managers(ledger).get(slug)
        if known and (known.name, known.model, known.persona) == (name, model, persona):
            return known.version
        version = known.version + 1 if known else 1
        row = ManagerRow(slug=slug, version=version, name=name, model=model, persona=persona)
        ledger.append("managers", [{**row.model_dump(), "recorded_at": ledger.now()}])
    return version


def enrolled_managers(ledger: Ledger) -> dict[str, ManagerRow]:
    """Every manager as last recorded, by slug."""
    found = ledger.rows("SELECT slug, version, name, model, persona FROM managers ORDER BY slug, version")
    return {str(row["slug"]): ManagerRow(**cast(dict[str, Any], row)) for row in found}
