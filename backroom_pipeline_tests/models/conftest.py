"""A fresh ledger and a scripted model on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline_tests.models.fault_server import FaultServer
from backroom_pipeline_tests.models.room import Room


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.duckdb") as opened:
        yield opened


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer().running() as running:
        yield running


@pytest.fixture
def room(ledger: Ledger, server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setenv("BACKROOM_TEST_KEY", "not-a-real-key-0123456789")
    return Room(ledger, server, {"api_base": server.api_base, "api_key_env": "BACKROOM_TEST_KEY", "timeout": 5})
