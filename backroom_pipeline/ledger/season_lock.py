"""The season lock: one process plays a season, and whoever comes second is told who does."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from backroom_pipeline.ledger.errors import SeasonLocked

LOCK_FILE = "season.lock"


@dataclass
class _Held:
    descriptor: int
    times: int


_held: dict[Path, _Held] = {}
_held_guard = threading.Lock()


class SeasonLock:
    """An advisory lock on ``season.lock`` in a league's state directory.

    The operating system frees it when its holder ends, however that happens. Re-entrant within one process.
    """

    def __init__(self, state_dir: Path) -> None:
        self.path = state_dir.resolve() / LOCK_FILE

    @contextmanager
    def acquire(self, purpose: str) -> Generator[None]:
        """Hold the lock for the block; ``purpose`` is what others read (``backroom season run``).

        Raises SeasonLocked, naming the holder, when another process has it.
        """
        self._take(purpose)
        try:
            yield
        finally:
            self._give_back()

    def holder(self) -> str | None:
        """Who holds the lock, as words: ``pid 123 on host h since … (backroom season run)``. None when it is free."""
        with _held_guard:
            if self.path in _held:
                return _words(self.path)
        try:
            descriptor = os.open(self.path, os.O_RDWR)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _words(self.path)
        finally:
            os.close(descriptor)
        return None

    def _take(self, purpose: str) -> None:
        with _held_guard:
            if held := _held.get(self.path):
                held.times += 1
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                raise SeasonLocked(
                    f"The season is being played by {_words(self.path)}. Wait for it or stop it."
                ) from None
            about = {
                "pid": os.getpid(),
                "host": socket.gethostname(),
                "command": purpose,
                "since": datetime.now(UTC).isoformat(timespec="seconds"),
            }
            os.truncate(descriptor, 0)
            os.pwrite(descriptor, json.dumps(about).encode(), 0)
            _held[self.path] = _Held(descriptor, 1)

    def _give_back(self) -> None:
        with _held_guard:
            held = _held[self.path]
            held.times -= 1
            if held.times == 0:
                del _held[self.path]
                os.truncate(held.descriptor, 0)
                os.close(held.descriptor)


def _words(path: Path) -> str:
    # The holder takes the lock first and writes its name right after, so the name can be a moment late.
    with suppress(ValueError, KeyError, OSError):
        about = json.loads(path.read_text())
        return f"pid {about['pid']} on host {about['host']} since {about['since']} ({about['command']})"
    return f"another process (it has {path} locked and has not written its name)"
