"""The fast recall says what a plain one says: over random stores, whatever was written when, and by whom."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import numpy as np
import pytest

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory import project
from backroom_pipeline.memory.associations import links_for
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import Category, MemoryRecord
from backroom_pipeline.memory.project import _project_for
from backroom_pipeline.memory.ranking import RecallSettings
from backroom_pipeline.memory.records import record_id, records_owed, week_records
from backroom_pipeline.memory.store import Link, Store
from backroom_pipeline.memory.view import State, View
from backroom_pipeline_tests.memory import invented
from backroom_pipeline_tests.memory.plain_recall import plain_recall
from backroom_pipeline_tests.memory.test_gateway import OPUS

SEASONS = ("2024-25", "2025-26")
WORDS = ("salah", "palmer", "captain", "hold", "sell", "not", "bench", "boost", "wildcard", "patience", "hit", "for")
CATEGORIES: tuple[Category, ...] = ("narrative", "commitment", "thread")


class Toy:
    """A vector for every word, added up: texts that share words are near each other, and equal texts are equal."""

    name, dimension = "toy", 24

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        seeds = [list(hashlib.sha256(word.encode()).digest()) for word in text.lower().split()] or [[0]]
        total = sum(np.random.default_rng(seed).standard_normal(self.dimension) for seed in seeds)
        return (total / np.linalg.norm(total)).tolist()


def random_records(chance: Random, number: int) -> list[MemoryRecord]:
    records: list[MemoryRecord] = []
    for ordinal in range(number):
        season, gameweek = chance.choice(SEASONS), chance.randint(1, 12)
        category = chance.choice(CATEGORIES)
        text = " ".join(chance.choices(WORDS, k=chance.randint(1, 30)))
        said = "+".join(f"{week}.0" for week in range(1, chance.choice((2, 4)) + 1))
        records.append(
            MemoryRecord(
                id=record_id("opus", "manager", season, gameweek, category, ordinal, text),
                manager="opus",
                role="manager",
                category=category,
                season=season,
                gameweek=gameweek,
                ordinal=ordinal,
                text=text,
                pinned=category == "commitment",
                source=f"claims/{season}/opus/{said}" if category == "thread" else f"invented/{ordinal}",
            )
        )
    return sorted(records, key=lambda record: (record.season, record.gameweek, record.category, record.ordinal))


def random_links(chance: Random, records: Sequence[MemoryRecord]) -> dict[str, list[Link]]:
    return {
        record.id: [Link(other.id, "related") for other in chance.sample(records, chance.randint(0, 3))]
        for record in records
    }


@pytest.mark.parametrize("fusion", ["convex", "rrf"])
@pytest.mark.parametrize("seed", range(8))
def test_recall_finds_what_a_plain_search_of_the_same_rows_finds(
    ledger: Ledger, root: Path, seed: int, fusion: str
) -> None:
    chance, toy = Random(seed), Toy()
    settings = RecallSettings(fusion=fusion, words_weight=chance.choice((0.3, 0.5)))  # type: ignore[arg-type]
    gateway = Gateway(root, ledger, toy, settings)
    invented.enrol(ledger, gateway, ("opus",))
    store = Store(root / _project_for("opus", "manager").team, _project_for("opus", "manager").table, toy)
    records = random_records(chance, 90)
    links = random_links(chance, records)
    parts = [records[:40], records[40:41], records[41:70], records[70:]]
    if seed % 2:
        chance.shuffle(parts)
    asked: list[object] = []
    for part in parts:
        store.write(part, toy.embed([record.text for record in part]), links)
        before = (chance.choice(SEASONS), chance.randint(1, 13))
        categories = tuple(chance.sample(CATEGORIES, chance.randint(1, 3)))
        without = [record.id for record in chance.sample(records, 6)]
        questions = [" ".join(chance.sample(WORDS, chance.randint(1, 6))) for _ in range(4)]
        recall = gateway.recall(
            OPUS, "opus", "manager", questions, before=before, budget_tokens=900, categories=categories, without=without
        )
        plain = plain_recall(store, toy, recall.questions, before, categories, without, 900, settings)
        asked += recall.items
        assert [(item.record, item.question, item.legs) for item in recall.items] == [
            (item.record, item.question, item.legs) for item in plain.items
        ]
        assert [(drop.record_id, drop.legs, drop.why) for drop in recall.dropped] == [
            (drop.record_id, drop.legs, drop.why) for drop in plain.dropped
        ]
        assert [item.score for item in recall.items] == pytest.approx([item.score for item in plain.items], abs=1e-5)
        assert recall.tokens == plain.tokens
    assert len(asked) > 10


def test_a_recall_is_the_same_to_the_last_bit_whatever_was_written_since(ledger: Ledger, root: Path) -> None:
    chance, toy = Random(5), Toy()
    gateway = Gateway(root, ledger, toy)
    invented.enrol(ledger, gateway, ("opus",))
    store = Store(root / _project_for("opus", "manager").team, _project_for("opus", "manager").table, toy)
    records = random_records(chance, 400)
    before = ("2025-26", 6)
    early = [record for record in records if (record.season, record.gameweek) < before]
    late = [record for record in records if (record.season, record.gameweek) >= before]
    store.write(early, toy.embed([record.text for record in early]), random_links(chance, early))
    questions = [" ".join(chance.sample(WORDS, 4)) for _ in range(9)]
    first = gateway.recall(OPUS, "opus", "manager", questions, before=before)
    links = random_links(chance, records)
    for part in (late[:1], late[1:8], late[8:]):
        store.write(part, toy.embed([record.text for record in part]), links)
        assert gateway.recall(OPUS, "opus", "manager", questions, before=before) == first
    assert Gateway(root, ledger, toy).recall(OPUS, "opus", "manager", questions, before=before) == first


def test_a_store_reads_itself_once_and_adds_what_it_writes(
    ledger: Ledger, gateway: Gateway, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invented.decide(ledger, 1, ("opus", "grok"))
    invented.decide(ledger, 2, ("opus", "grok"))
    laid_out: list[tuple[str, int]] = []
    lay_out = View.__init__

    def counted(view: View, state: State, table: Any, earlier: View | None = None) -> None:
        lay_out(view, state, table, earlier)
        laid_out.append(("added" if earlier else "read", table.num_rows))

    monkeypatch.setattr(View, "__init__", counted)
    monkeypatch.setattr(project, "_open", OrderedDict())  # as a new process begins
    for gameweek in (1, 2):
        gateway.store(OPUS, "opus", "manager", week_records(ledger, "2025-26", gameweek, "opus")["manager"])
        for _ in range(3):
            # Every step of a week has a gateway of its own.
            step = Gateway(root, ledger, gateway._embedder)
            assert step.recall(OPUS, "opus", "manager", ["captain"], before=("2025-26", 3)).items
    assert laid_out == [("read", 1), ("added", 7), ("added", 5)]


def of_another_process(gateway: Gateway, root: Path) -> Store:
    """Opus's manager's store, opened once more and for itself."""
    place = _project_for("opus", "manager")
    return Store(root / place.team, place.table, gateway._embedder)


def test_what_another_process_wrote_is_seen_at_once(ledger: Ledger, gateway: Gateway, root: Path) -> None:
    invented.decide(ledger, 1, ("opus", "grok"))
    assert gateway.recall(OPUS, "opus", "manager", ["captain"], before=("2025-26", 2)).items == ()
    records = records_owed(ledger, "opus", "manager")
    of_another_process(gateway, root).write(records, [[]] * len(records))
    assert gateway.recall(OPUS, "opus", "manager", ["captain"], before=("2025-26", 2)).items
    assert gateway.store(OPUS, "opus", "manager", records) == [record.id for record in records]
    assert len(gateway.get(OPUS, "opus", "manager")) == len(records)


def test_links_made_later_are_seen_at_once(ledger: Ledger, gateway: Gateway, root: Path) -> None:
    invented.decide(ledger, 1, ("opus", "grok"))
    other = of_another_process(gateway, root)
    records = records_owed(ledger, "opus", "manager")
    other.write(records, [[]] * len(records))

    def followed() -> int:
        recall = gateway.recall(OPUS, "opus", "manager", ["patience fixture"], before=("2025-26", 2))
        return sum("link" in item.legs for item in recall.items)

    assert followed() == 0
    other.link(links_for(ledger, "opus", "manager", records))
    assert followed() > 0


def test_a_store_is_read_by_many_threads_while_it_is_written(ledger: Ledger, gateway: Gateway) -> None:
    """Every recall sees the store as it was before a week or after it, never in between and never less than before."""
    weeks = range(1, 9)
    for gameweek in weeks:
        invented.decide(ledger, gameweek, ("opus", "grok"))
    owed = records_owed(ledger, "opus", "manager")
    whole = [sum(record.gameweek <= gameweek for record in owed) for gameweek in (0, *weeks)]
    expected, written = [record.id for record in owed], Event()

    def read(_: int) -> list[int]:
        found: list[int] = []
        done = False
        while not done:
            done = written.is_set()
            recall = gateway.recall(OPUS, "opus", "manager", ["captain"], before=("2025-26", 38), expected=expected)
            found.append(recall.found)
        return found

    with ThreadPoolExecutor(4) as readers:
        reading = [readers.submit(read, number) for number in range(4)]
        for gameweek in weeks:
            gateway.store(OPUS, "opus", "manager", week_records(ledger, "2025-26", gameweek, "opus")["manager"])
        written.set()
        for found in (reader.result() for reader in reading):
            assert found == sorted(found)
            assert set(found) <= set(whole)
            assert found[-1] == whole[-1]
