"""Payloads of the official API as they came: compressed, hashed, dated, and never changed.

Under the store's folder, ``<endpoint>/<fetched>-<sha256>.gz`` holds the bytes and ``index.jsonl`` one line for each
thing that happened to a payload: it was kept, confirmed (the API said it still stands), or refused. A refused payload
is moved under ``refused/`` and never read again, but it is there to be looked at.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from backroom_pipeline.feeds.protocol import FeedError

INDEX = "index.jsonl"
REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Kept:
    """A payload in the store."""

    endpoint: str
    file: str
    sha256: str
    fetched_at: datetime
    confirmed_at: datetime
    """When the API last said so: at the fetch, or at a later one that found nothing new."""
    etag: str | None = None
    last_modified: str | None = None
    age: int = 0
    """Seconds the payload had waited in a cache on the way when it was fetched."""

    @property
    def stood_at(self) -> datetime:
        """The latest instant at which the payload is known to have been what the game said."""
        return max(self.fetched_at - timedelta(seconds=self.age), self.confirmed_at)


class SnapshotStore:
    """The payloads kept under one folder. One process at a time writes; the season's lock sees to that."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._kept: dict[str, list[Kept]] = {}
        self._confirmed: dict[str, list[tuple[datetime, str]]] = {}
        self._read_to = 0

    def keep(
        self,
        endpoint: str,
        content: bytes,
        fetched_at: datetime,
        *,
        etag: str | None = None,
        last_modified: str | None = None,
        age: int = 0,
    ) -> Kept:
        """Write a payload down before anybody reads it. Where it equals the newest one, that is what is returned."""
        sha256 = hashlib.sha256(content).hexdigest()
        newest = self.newest(endpoint)
        if newest and newest.sha256 == sha256:
            return newest
        file = _file(endpoint, fetched_at, sha256)
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        # No time in the gzip header: the same payload is the same file.
        unfinished.write_bytes(gzip.compress(content, compresslevel=6, mtime=0))
        os.replace(unfinished, path)
        kept = Kept(endpoint, file, sha256, fetched_at, fetched_at - timedelta(seconds=age), etag, last_modified, age)
        self._note("kept", fetched_at, kept, etag=etag, last_modified=last_modified, age=age)
        return kept

    def confirm(self, kept: Kept, at: datetime) -> None:
        """Note that the API still stood by a payload."""
        known = self.newest(kept.endpoint)
        if known is None or known.file != kept.file or at > known.confirmed_at:
            self._note("confirmed", at, kept)

    def refuse(self, kept: Kept, at: datetime, sentence: str) -> Path:
        """Put a payload aside, with the reason; where it lies now.

        One that was fetched earlier, and right at the time, also stays where it is: its own gameweek stands on it.
        """
        aside = self.root / REFUSED / _file(kept.endpoint, at, kept.sha256)
        aside.parent.mkdir(parents=True, exist_ok=True)
        if kept.fetched_at == at:
            os.replace(self.root / kept.file, aside)
        else:
            shutil.copyfile(self.root / kept.file, aside)
        self._note("refused", at, replace(kept, file=str(aside.relative_to(self.root))), reason=sentence)
        return aside

    def newest(self, endpoint: str, as_of: datetime | None = None) -> Kept | None:
        """The last payload fetched at or before ``as_of`` that was not refused, with what was confirmed by then."""
        kept = [one for one in self.history(endpoint) if as_of is None or one.fetched_at <= as_of]
        if not kept:
            return None
        confirmed = [
            at
            for at, file in self._confirmed.get(endpoint, ())
            if file == kept[-1].file and (as_of is None or at <= as_of)
        ]
        return replace(kept[-1], confirmed_at=max([kept[-1].confirmed_at, *confirmed]))

    def history(self, endpoint: str) -> list[Kept]:
        """Every payload of an endpoint that was not refused, oldest first."""
        self._read_index()
        return [kept for kept in self._kept.get(endpoint, ()) if (self.root / kept.file).is_file()]

    def content(self, kept: Kept) -> bytes:
        """The bytes as they came. Raises FeedError where the file was damaged since."""
        path = self.root / kept.file
        try:
            content = gzip.decompress(path.read_bytes())
        except (OSError, EOFError) as fault:
            raise FeedError(f"The kept payload {path} cannot be read ({fault}). {_DAMAGED}") from fault
        found = hashlib.sha256(content).hexdigest()
        if found != kept.sha256:
            raise FeedError(
                f"The kept payload {path} has changed since it was fetched: its sha256 is {found}, not {kept.sha256}. "
                f"{_DAMAGED}"
            )
        return content

    def refused(self) -> list[dict[str, Any]]:
        """What was refused, oldest first: endpoint, file, sha256, at, reason."""
        return [line for _, line in _lines(self.root / INDEX, 0) if line["what"] == "refused"]

    def _note(self, what: str, at: datetime, kept: Kept, **more: object) -> None:
        line: dict[str, object] = {
            "what": what,
            "at": at.astimezone(UTC).isoformat(),
            "endpoint": kept.endpoint,
            "file": kept.file,
            "sha256": kept.sha256,
            **{name: value for name, value in more.items() if value},
        }
        path = self.root / INDEX
        with path.open("ab+") as index:
            if index.tell():
                index.seek(-1, os.SEEK_END)
                # A line that a crash cut short stays alone on its line, where reading passes over it.
                if index.read(1) != b"\n":
                    index.write(b"\n")
            index.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")

    def _read_index(self) -> None:
        for end, line in _lines(self.root / INDEX, self._read_to):
            self._read_to = end
            endpoint, at = line["endpoint"], datetime.fromisoformat(line["at"])
            if line["what"] == "kept":
                age = line.get("age", 0)
                stood = at - timedelta(seconds=age)
                etag, last_modified = line.get("etag"), line.get("last_modified")
                kept = Kept(endpoint, line["file"], line["sha256"], at, stood, etag, last_modified, age)
                self._kept.setdefault(endpoint, []).append(kept)
            elif line["what"] == "confirmed":
                self._confirmed.setdefault(endpoint, []).append((at, line["file"]))


_DAMAGED = "Delete it, and the feed fetches it anew or uses the one before."


def _file(endpoint: str, at: datetime, sha256: str) -> str:
    return f"{endpoint.strip('/')}/{at.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}-{sha256[:16]}.gz"


def _lines(path: Path, start: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Whole lines of the index from byte ``start`` on, each with the byte after it."""
    if not path.is_file():
        return
    with path.open("rb") as index:
        index.seek(start)
        for line in index:
            start += len(line)
            if not line.endswith(b"\n"):
                return
            try:
                yield start, json.loads(line)
            except ValueError:
                # Half a line from a crash; its payload was never used, and is fetched again.
                continue
