"""A feed is chosen by its name."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from backroom_pipeline.feeds.choose import FEEDS, feed_named
from backroom_pipeline.feeds.protocol import Feed, FeedError


def chosen(name: str, tmp_path: Path, layout: str | None = "folder") -> Feed:
    return feed_named(
        name,
        clock=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        archive=tmp_path / "archive.whl",
        snapshots=tmp_path / "snapshots",
        layout=layout,
    )


@pytest.mark.parametrize("name", FEEDS)
def test_every_feed_answers_to_its_name(name: str, tmp_path: Path) -> None:
    assert chosen(name, tmp_path).name == name


def test_choosing_touches_neither_network_nor_disk(tmp_path: Path) -> None:
    for name in FEEDS:
        chosen(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_name_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(FeedError, match="archive, official, snapshot, vaastav"):
        chosen("telepathy", tmp_path)


def test_the_vaastav_feed_needs_a_place(tmp_path: Path) -> None:
    with pytest.raises(FeedError, match="folder or URL"):
        chosen("vaastav", tmp_path, layout=None)
