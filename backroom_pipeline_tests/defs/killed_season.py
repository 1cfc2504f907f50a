"""Plays a short season in a process of its own and, when told to, kills it without warning at a chosen moment.

``python -m backroom_pipeline_tests.defs.killed_season LEAGUE_FILE LAST_GAMEWEEK [MOMENT COUNT]``: the process kills
itself the COUNT-th time it comes to MOMENT.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from backroom_pipeline.backroom import play, scoring
from backroom_pipeline.defs.season import play_season
from backroom_pipeline.league import load_league
from backroom_pipeline.memory.gateway import Gateway

MOMENTS: dict[str, tuple[Any, str]] = {
    "answered, not committed": (play, "commit_answer"),
    "writing memory": (Gateway, "store"),
    "scored, not recorded": (scoring, "record_scores"),
}


def kill_at(moment: str, count: int) -> None:
    """Let the process die, as by kill -9, when it comes to the moment for the ``count``-th time."""
    owner, name = MOMENTS[moment]
    original: Callable[..., Any] = getattr(owner, name)
    guard = threading.Lock()
    left = count

    def deadly(*args: Any, **kwargs: Any) -> Any:
        nonlocal left
        with guard:
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)
        return original(*args, **kwargs)

    setattr(owner, name, deadly)


if __name__ == "__main__":
    file, last, *rest = sys.argv[1:]
    if rest:
        kill_at(rest[0], int(rest[1]))
    league = load_league(file)
    play_season(league, league.seasons[0], last=int(last))
