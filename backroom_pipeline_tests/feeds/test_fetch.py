"""Getting the archive: no work when it is there, never a wrong one, and a sentence when there is no network."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.fetch import SHA256, WHEEL, archive_path, fetch_archive, verify_archive
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline_tests.feeds.conftest import SEASON

CLOSED_PORT = "http://127.0.0.1:9/simple"


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", CLOSED_PORT)
    monkeypatch.setenv("PIP_RETRIES", "0")
    for setting in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX"):
        monkeypatch.delenv(setting, raising=False)


def serve(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let pip find packages in a folder instead of an index."""
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))


@pytest.fixture
def half(archive: Path) -> bytes:
    """The first half of the real archive."""
    return archive.read_bytes()[: archive.stat().st_size // 2]


@pytest.mark.usefixtures("no_network")
def test_an_archive_that_is_there_and_right_needs_no_network(archive: Path) -> None:
    written = archive.stat().st_mtime_ns
    assert fetch_archive(archive.parent) == archive
    verify_archive(archive)
    assert archive.stat().st_mtime_ns == written


@pytest.mark.usefixtures("no_network")
def test_without_network_the_sentence_names_the_file_and_the_folder(tmp_path: Path) -> None:
    with pytest.raises(FeedError) as refusal:
        fetch_archive(tmp_path / "archive")
    sentence = str(refusal.value)
    assert f"place {WHEEL} (sha256 {SHA256}) in the folder {tmp_path / 'archive'}" in sentence
    assert "Connect to the network" in sentence
    assert list((tmp_path / "archive").iterdir()) == []


@pytest.mark.usefixtures("no_network")
def test_a_half_downloaded_archive_is_kept_aside_even_when_no_other_can_be_fetched(tmp_path: Path, half: bytes) -> None:
    archive_path(tmp_path).write_bytes(half)
    with pytest.raises(FeedError, match="was corrupt and is now") as refusal:
        fetch_archive(tmp_path)
    (aside,) = tmp_path.iterdir()
    assert aside.name.startswith(f"{WHEEL}.wrong-sha256-")
    assert aside.name in str(refusal.value)
    assert aside.read_bytes() == half


def test_a_corrupt_archive_is_moved_aside_and_fetched_again(
    monkeypatch: pytest.MonkeyPatch, archive: Path, tmp_path: Path, half: bytes
) -> None:
    serve(monkeypatch, archive.parent)
    archive_path(tmp_path).write_bytes(half)
    verify_archive(fetch_archive(tmp_path))
    assert sorted(path.name.split(".wrong")[0] for path in tmp_path.iterdir()) == [WHEEL, WHEEL]


def test_a_changed_wheel_from_the_index_is_refused_by_its_hash(
    monkeypatch: pytest.MonkeyPatch, archive: Path, tmp_path: Path
) -> None:
    index, folder = tmp_path / "index", tmp_path / "archive"
    index.mkdir()
    shutil.copy(archive, index / WHEEL)
    with zipfile.ZipFile(index / WHEEL, "a") as changed:
        changed.writestr("airsenal/added.txt", "not in the pinned wheel")
    serve(monkeypatch, index)
    with pytest.raises(FeedError, match=r"another .* than the pinned one"):
        fetch_archive(folder)
    assert not archive_path(folder).exists()
    assert [path.name.startswith(f"{WHEEL}.wrong-sha256-") for path in folder.iterdir()] == [True]


def test_verifying_names_a_missing_and_a_wrong_archive(tmp_path: Path) -> None:
    with pytest.raises(FeedError, match="There is no archive at"):
        verify_archive(archive_path(tmp_path))
    archive_path(tmp_path).write_bytes(b"half")
    with pytest.raises(FeedError, match="is not the one this project was built on"):
        verify_archive(archive_path(tmp_path))


def test_the_feed_refuses_an_archive_it_cannot_read(tmp_path: Path, half: bytes) -> None:
    with pytest.raises(FeedError, match="There is no archive at"):
        ArchiveFeed(archive_path(tmp_path)).facts(SEASON, 1)
    archive_path(tmp_path).write_bytes(half)
    with pytest.raises(FeedError, match="corrupt or was downloaded by half"):
        ArchiveFeed(archive_path(tmp_path)).facts(SEASON, 1)


def test_a_season_or_gameweek_the_archive_lacks_is_named(feed: ArchiveFeed) -> None:
    with pytest.raises(FeedError, match=r"no season 2031-32; it holds .*2025-26"):
        feed.facts("2031-32", 1)
    with pytest.raises(FeedError, match=r"no gameweek 39 of 2025-26: it has 1 to 38"):
        feed.results(SEASON, 39)


def test_only_the_data_members_of_the_season_are_ever_opened(monkeypatch: pytest.MonkeyPatch, archive: Path) -> None:
    opened: set[str] = set()
    read = zipfile.ZipFile.read

    def recording(self: zipfile.ZipFile, name: str, pwd: bytes | None = None) -> bytes:
        opened.add(name.removeprefix("airsenal/data/"))
        return read(self, name, pwd)

    monkeypatch.setattr(zipfile.ZipFile, "read", recording)
    monkeypatch.setattr(zipfile.ZipFile, "extractall", None)
    feed = ArchiveFeed(archive)
    feed.season(SEASON)
    feed.facts(SEASON, 1)
    feed.results(SEASON, 1)
    assert opened == {
        "FPL_2526.json",
        "FPL_2425.json",
        "fixture_data_2526.json",
        "player_details_2526.json",
        "player_details_2425.json",
        "player_attributes_history_2526.csv",
    }
