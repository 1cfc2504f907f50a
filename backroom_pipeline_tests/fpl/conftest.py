"""Where the real data lies, and the rules under test."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from backroom_pipeline.fpl.rules import Rules, load_rules
from backroom_pipeline_tests.fpl.real_team import RealSeason

REPOSITORY = Path(__file__).parents[2]
WHEEL = REPOSITORY / "data" / "archive" / "airsenal-1.17.0-py3-none-any.whl"
ENTRIES = (REPOSITORY / ".." / "shared" / "data" / "fpl" / "entries-2025-26.json").resolve()


@pytest.fixture(scope="session")
def rules() -> Rules:
    return load_rules("2025-26")


@pytest.fixture(scope="session")
def real_season() -> Callable[[str], RealSeason]:
    if not WHEEL.exists():
        pytest.skip(f"the archive {WHEEL.name} is not in data/archive")
    return cache(lambda season: RealSeason(WHEEL, season))


@pytest.fixture(scope="session")
def entries() -> list[dict[str, Any]]:
    """The histories of 51 real teams of 2025/26."""
    if not ENTRIES.exists():
        pytest.skip(f"the histories of real teams are not at {ENTRIES}")
    return json.loads(ENTRIES.read_text())
