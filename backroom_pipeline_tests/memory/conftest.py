"""A ledger and a gateway; words only unless a test is about vectors, so that most tests load no model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.embedder import WordsOnly, load_embedder
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline_tests.memory import invented


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.duckdb") as opened:
        yield opened


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def gateway(ledger: Ledger, root: Path) -> Gateway:
    """Two enrolled managers, nothing decided, words only."""
    opened = Gateway(root, ledger, WordsOnly())
    invented.enrol(ledger, opened, ("opus", "grok"))
    return opened


@pytest.fixture
def hybrid(ledger: Ledger, root: Path) -> Gateway:
    """The same with the bundled model."""
    opened = Gateway(root, ledger, load_embedder("local"))
    invented.enrol(ledger, opened, ("opus", "grok"))
    return opened
