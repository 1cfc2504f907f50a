"""The order of a league table."""

from __future__ import annotations

from backroom_pipeline.fpl.table import TableEntry, rank_table


def ranks(*entries: tuple[str, int, int]) -> list[tuple[int, str]]:
    table = rank_table(TableEntry(slug=slug, points=points, transfers=transfers) for slug, points, transfers in entries)
    return [(rank, entry.slug) for rank, entry in table]


def test_more_points_rank_higher() -> None:
    assert ranks(("a", 50, 0), ("b", 61, 9)) == [(1, "b"), (2, "a")]


def test_of_equal_points_fewer_transfers_rank_higher() -> None:
    assert ranks(("a", 50, 3), ("b", 50, 2), ("c", 40, 0)) == [(1, "b"), (2, "a"), (3, "c")]


def test_equal_points_and_transfers_share_a_rank_and_the_next_one_is_skipped() -> None:
    assert ranks(("c", 50, 1), ("b", 50, 1), ("a", 49, 0)) == [(1, "b"), (1, "c"), (3, "a")]


def test_an_empty_league_has_an_empty_table() -> None:
    assert rank_table([]) == ()
