"""Another process that takes something and holds it until it is told to let go, or is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_PROLOGUE = """
import sys
from pathlib import Path
from backroom_pipeline.ledger.store import Ledger, SeasonLock
def hold():
    print("held", flush=True)
    sys.stdin.readline()
"""


@contextmanager
def another_process(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Run ``code`` until it calls ``hold()``; it goes on when a line is written to it, or its input is closed."""
    command = [sys.executable, "-c", _PROLOGUE + code, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def let_go(process: subprocess.Popen[str]) -> None:
    """Let it run to its end, and wait for that."""
    assert process.stdin is not None
    process.stdin.close()
    process.wait()
