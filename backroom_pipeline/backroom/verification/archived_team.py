"""The one real team whose seasons are in the archive: the official game's own answers, on every machine."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from backroom_pipeline.backroom.verification.payloads import Entry, read_entry
from backroom_pipeline.feeds.archive_season import MEMBER_FOLDER
from backroom_pipeline.feeds.protocol import FeedError

_PICKS = f"{MEMBER_FOLDER}airsenal_gw_"


def archived_seasons(path: Path) -> tuple[str, ...]:
    """The seasons of which the archive has the team, oldest first. Raises FeedError."""
    digits = (name[len(_PICKS) :][:4] for name in _opened(path).namelist() if name.startswith(_PICKS))
    return tuple(f"20{found[:2]}-{found[2:]}" for found in sorted(digits))


def archived_entry(path: Path, season: str) -> Entry:
    """The team's season as the API gave it. Raises FeedError."""
    if season not in archived_seasons(path):
        raise FeedError(
            f"The archive has no team of season {season}, only of {', '.join(archived_seasons(path))}. "
            "Give the files of another team with --picks, --transfers and --history."
        )
    digits = season[2:4] + season[5:7]
    archive = _opened(path)

    def member(kind: str) -> Any:
        return json.loads(archive.read(f"{MEMBER_FOLDER}airsenal_{kind}_{digits}.json"))

    return read_entry(member("gw"), member("transfer"), member("history"))


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as fault:
        raise FeedError(f"The archive {path.resolve()} cannot be read. Fetch it with `backroom data fetch`.") from fault
