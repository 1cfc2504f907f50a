"""The order of a league table."""

from __future__ import annotations

from collections.abc import Iterable

from backroom_pipeline.fpl.model import Frozen


class TableEntry(Frozen):
    """What a manager's place depends on."""

    slug: str
    points: int
    """Season total, hits deducted."""
    transfers: int
    """Transfers of the season, those under a wildcard or free hit not counted; an opening squad is none."""


def rank_table(entries: Iterable[TableEntry]) -> tuple[tuple[int, TableEntry], ...]:
    """Rank and entry, best first. Equal points: fewer transfers is higher; equal again: a shared rank, by slug."""
    ordered = sorted(entries, key=lambda entry: (-entry.points, entry.transfers, entry.slug))
    ranked: list[tuple[int, TableEntry]] = []
    for place, entry in enumerate(ordered, start=1):
        rank = place
        if ranked:
            above_rank, above = ranked[-1]
            if (above.points, above.transfers) == (entry.points, entry.transfers):
                rank = above_rank
        ranked.append((rank, entry))
    return tuple(ranked)
