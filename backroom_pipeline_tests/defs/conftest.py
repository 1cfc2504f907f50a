"""A league of eight and a room without anything in it, for tests of the orchestration alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dagster as dg
import pytest

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.play import Step
from backroom_pipeline.defs import backrooms
from backroom_pipeline.defs.resources import ContestResource
from backroom_pipeline.league import League, load_league
from backroom_pipeline.ledger.usage import Usage

TOP = Path(__file__).parents[2]
STEPS = ("rank", "propose", "decide", "remember")


@pytest.fixture(scope="session")
def league() -> League:
    return load_league(TOP / "data" / "leagues" / "house.yaml")


class EmptyRoom(ContestResource):
    """A contest with no ledger behind it: the steps are played by the test."""

    directory: str = "nowhere"

    @contextmanager
    def open(self, league: League, purpose: str) -> Iterator[Any]:
        yield SimpleNamespace(league=league, pool=lambda season, gameweek: {}, ledger=None)


@pytest.fixture
def room() -> dict[str, dg.ConfigurableResource]:
    return {"room": EmptyRoom()}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Every step a backroom plays, as (manager, step), in the order of completion. Nothing else is done."""
    made: list[tuple[str, str]] = []

    def step(name: str) -> Any:
        def played(contest: Any, season: str, gameweek: int, slug: str) -> Step:
            made.append((slug, name))
            return Step(slug, "manager", False, {"attempts": 1})

        return played

    nothing = Usage(0, None, None, None, None, 0)
    monkeypatch.setattr(backrooms, "usage", lambda ledger, key: nothing)
    for name in STEPS:
        monkeypatch.setattr(play, name, step(name))
    return made
