"""A season killed at any moment and run again ends as if nothing had happened, and no answer is asked for twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.feeds.fetch import archive_path
from backroom_pipeline.league import load_league
from backroom_pipeline.ledger.standings import league_table
from backroom_pipeline.memory.model import ROLES, Member
from backroom_pipeline_tests.defs.killed_season import MOMENTS

TOP = Path(__file__).resolve().parents[2]
LEAGUE = """
name: short
seasons: [2025-26]
managers:
  - {slug: banker, name: Brenda Holt, model: house/banker}
  - {slug: gambler, name: Rafe Delaney, model: house/gambler}
"""
LAST = 2
# A call that was in the air when the process died brought no answer; it alone may be made again.
ANSWERED_TWICE = """
SELECT manager, role, request_sha256, count(*) AS times FROM calls WHERE answer_sha256 IS NOT NULL
GROUP BY ALL HAVING times > 1
"""
ENDED = """
SELECT gameweek, manager, role, answer_json, bill_json, public_sha256, prompt_sha256, inputs_sha256 FROM answers
ORDER BY gameweek, manager, role
"""


def run(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (place / "dagster").mkdir(parents=True, exist_ok=True)
    league = place / "short.yaml"
    league.write_text(LEAGUE, encoding="utf-8")
    environment = {
        **os.environ,
        "BACKROOM_STATE": str(place / "state"),
        "BACKROOM_ARCHIVE": str(TOP / "data" / "archive"),
        "DAGSTER_HOME": str(place / "dagster"),
    }
    command = [sys.executable, "-m", "backroom_pipeline_tests.defs.killed_season", str(league), str(LAST), *arguments]
    return subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True, timeout=300)


def left_behind(place: Path) -> dict[str, Any]:
    """All that must be the same: the table, every answer with its prompt, every memory record with its outcome."""
    league = load_league(place / "short.yaml")
    with Contest.open(league, place / "state" / "short") as contest:
        return {
            "table": league_table(contest.ledger, "2025-26"),
            "answers": contest.ledger.rows(ENDED),
            "memory": [
                contest.gateway.get(Member(manager=slug, role=role), slug, role)
                for slug in league.slugs
                for role in ROLES
            ],
            "answered twice": contest.ledger.rows(ANSWERED_TWICE),
        }


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    if not archive_path(TOP / "data" / "archive").is_file():
        pytest.skip("no archive: run `backroom data fetch`")
    place = tmp_path_factory.mktemp("undisturbed")
    ended = run(place)
    assert ended.returncode == 0, ended.stderr[-2000:]
    found = left_behind(place)
    assert len(found["answers"]) == LAST * 2 * len(ROLES)
    return found


@pytest.mark.parametrize(
    ("moment", "count"),
    # In gameweek 2: its second answer; a store of its memory (six identities and six writes before); its scores.
    [("answered, not committed", 8), ("writing memory", 14), ("scored, not recorded", 2)],
)
def test_a_killed_season_ends_like_an_undisturbed_one(
    undisturbed: dict[str, Any], tmp_path: Path, moment: str, count: int
) -> None:
    assert moment in MOMENTS
    killed = run(tmp_path, moment, str(count))
    assert killed.returncode == -signal.SIGKILL, killed.stderr[-2000:]
    ended = run(tmp_path)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert left_behind(tmp_path) == undisturbed
    assert undisturbed["answered twice"] == []
