"""Faults that memories of this kind had elsewhere, each held down by a test: see docs/memory.md for how memory works.

Names that collide are held in test_gateway.py and test_isolation.py, an audit without gaps also in test_isolation.py.
"""

from __future__ import annotations

import base64
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import lancedb
import pytest

from backroom_pipeline.ledger.memory_rows import audit_rows, indexed_records
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory import project
from backroom_pipeline.memory.embedder import WordsOnly
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import Category, Claim, HoldChip, Member, MemoryRecord, Recall
from backroom_pipeline.memory.project import _project_for
from backroom_pipeline.memory.rebuild import rebuild
from backroom_pipeline.memory.records import record_id, week_records
from backroom_pipeline.memory.store import StoreError
from backroom_pipeline.memory.view import View
from backroom_pipeline_tests.memory import filled, invented
from backroom_pipeline_tests.memory.invented import SEASON
from backroom_pipeline_tests.memory.test_gateway import OPUS, ask, play

ENTROPY = hashlib.sha512(b"nobody can guess this").digest()
STRANGE = {
    "hex": f"My word is {ENTROPY.hex()}, says Salah.",
    "base64": f"Salah {base64.b64encode(ENTROPY * 3).decode()} Palmer",
    "like a key": f"sk-proj-{ENTROPY.hex()[:48]} and AKIA{ENTROPY.hex()[:16].upper()} and ghp_{ENTROPY.hex()[:36]}",
    "like a token": "Bearer " + ".".join(base64.urlsafe_b64encode(part).decode() for part in (b'{"alg":1}', ENTROPY)),
    "like a person": "Price 4111 1111 1111 1111, mail a@b.example, call +44 20 7946 0958, 10.0.0.1",
    "separators": "One\u2028two\u2029three\x0bfour\x85five\r\nsix\tseven\nend",
    "emoji": "Captain 👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ⚽️ — e\u0301 is not é \ufeff",
    "quotes": "'; DROP TABLE answers; -- \" \\ ${HOME} {{ x }} %s",
    "right to left": "\u202eabc\u202c שלום مرحبا",
    "spaces": "  two before and three after   ",
    "every plane": "".join(chr(point) for point in range(0x20, 0x11000, 0x3FD) if not 0xD800 <= point < 0xE000),
}


def said(text: str, gameweek: int = 1, ordinal: int = 0, category: Category = "commitment") -> MemoryRecord:
    return MemoryRecord(
        id=record_id("opus", "manager", SEASON, gameweek, category, ordinal, text),
        manager="opus",
        role="manager",
        category=category,
        season=SEASON,
        gameweek=gameweek,
        ordinal=ordinal,
        text=text,
        pinned=category == "commitment",
        source="test",
    )


def table_of(root: Path) -> Any:
    place = _project_for("opus", "manager")
    return lancedb.connect(root / place.team).open_table(place.table)


# High-entropy text silently redacted


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE)
def test_a_text_is_kept_and_recalled_byte_for_byte(gateway: Gateway, text: str) -> None:
    gateway.store(OPUS, "opus", "manager", [said(f"{text} armband")])
    kept = gateway.get(OPUS, "opus", "manager")[-1].text
    recalled = gateway.recall(OPUS, "opus", "manager", ["armband"], before=(SEASON, 2)).items[0].record.text
    assert kept.encode() == recalled.encode() == f"{text} armband".encode()


def test_a_strange_promise_is_the_same_after_a_rebuild(
    ledger: Ledger, gateway: Gateway, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = HoldChip(kind="hold_chip", chip="any")
    strange = tuple(Claim(text=text, terms=terms) for text in STRANGE.values())
    monkeypatch.setattr(invented, "promises", lambda *_: strange)
    play(ledger, gateway, 1)
    before = gateway.get(OPUS, "opus", "manager")
    assert {text.encode() for text in STRANGE.values()} <= {record.text.encode() for record in before}
    rebuild(ledger, root, ["opus"], WordsOnly())
    assert gateway.get(OPUS, "opus", "manager") == before


# An empty audit


def test_every_verb_leaves_exactly_one_row_with_what_it_touched(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1, 2)
    invented.decide(ledger, 3, ("opus", "grok"))
    invented.score(ledger, gateway, 1, {"opus": 50, "grok": 40})
    owed = week_records(ledger, SEASON, 3, "opus")["manager"]
    ids = [record.id for record in owed]
    early = Claim(
        text="The wildcard goes now.", terms={"kind": "play_chip_in", "chip": "wildcard", "first": 3, "last": 3}
    )  # type: ignore[arg-type]
    outcome = next(record.outcome for record in gateway.get(OPUS, "opus", "manager") if record.outcome)
    requests: dict[str, tuple[Callable[[], object], bool]] = {
        "team_create": (lambda: gateway.team_create("opus"), False),
        "team_add_member": (lambda: gateway.team_add_member("opus", "manager"), False),
        "store": (lambda: gateway.store(OPUS, "opus", "manager", owed), True),
        "recall": (lambda: gateway.recall(OPUS, "opus", "manager", ["chips"], before=(SEASON, 3)), True),
        "get": (lambda: gateway.get(OPUS, "opus", "manager", ids), True),
        "links": (lambda: gateway.links(OPUS, "opus", "manager", ids), True),
        "conflict_check": (lambda: gateway.conflict_check(OPUS, "opus", early, at=(SEASON, 3)), True),
        "outcome_record": (lambda: gateway.outcome_record(OPUS, "opus", "manager", {ids[0]: outcome}), True),
        "associate": (lambda: gateway.associate(OPUS, "opus", "manager"), False),
        "consolidate": (lambda: gateway.consolidate(OPUS, "opus", "manager"), False),
        "audit": (lambda: gateway.audit(OPUS, "opus", "manager"), False),
    }
    for verb, (request, touches) in requests.items():
        before = len(audit_rows(ledger))
        request()
        rows = audit_rows(ledger)[before:]
        assert [(row.verb, row.allowed, row.caller_manager) for row in rows] == [(verb, True, "opus")]
        assert (rows[0].ids_json != "[]") == touches, verb


# A cache serving stale ranks after an outcome


def test_a_recall_shows_the_result_of_this_moment_and_the_same_records_in_the_same_order(
    ledger: Ledger, gateway: Gateway
) -> None:
    play(ledger, gateway, 1, 2)

    def results() -> set[str]:
        recall = ask(ledger, gateway, "captain", 3)
        assert [(item.record.id, item.score) for item in recall.items] == order
        return {item.record.outcome.sentence for item in recall.items if item.record.outcome}

    order = [(item.record.id, item.score) for item in ask(ledger, gateway, "captain", 3).items]
    assert results() == set()
    invented.score(ledger, gateway, 1, {"opus": 34, "grok": 50})
    assert results() == {
        "RESULT: mixed. Gameweek 1: 34 net points, finishing 2 of 2. Season total 34.",
    }
    invented.score(ledger, gateway, 1, {"opus": 60, "grok": 50}, version=2)
    assert results() == {
        "RESULT: mixed. Gameweek 1: 60 net points, finishing 1 of 2. Season total 60.",
    }


# BM25 silently off


def test_a_store_without_its_word_index_is_unavailable_and_takes_nothing(
    ledger: Ledger, gateway: Gateway, root: Path
) -> None:
    play(ledger, gateway, 1)
    table_of(root).drop_index("text_idx")
    recall = ask(ledger, gateway, "captain", 2)
    assert recall.state == "unavailable"
    assert "cannot be searched by words" in recall.reason
    with pytest.raises(StoreError, match="cannot be searched by words"):
        gateway.store(OPUS, "opus", "manager", [said("I will captain Salah.")])


def test_a_record_without_a_vector_makes_its_store_unavailable(ledger: Ledger, hybrid: Gateway, root: Path) -> None:
    play(ledger, hybrid, 1)
    table_of(root).update(where="category = 'narrative'", values_sql={"vector": "NULL"})
    recall = ask(ledger, hybrid, "captain", 2)
    assert recall.state == "unavailable"
    assert "1 of 8 records have no vector" in recall.reason


def test_both_legs_are_reported_with_every_record_they_found(hybrid: Gateway) -> None:
    hybrid.store(OPUS, "opus", "manager", [said("I will captain Salah."), said("Money stays in the bank.", ordinal=1)])
    recall = hybrid.recall(OPUS, "opus", "manager", ["Salah"], before=(SEASON, 2))
    assert {item.record.text: sorted(item.legs) for item in recall.items} == {
        "I will captain Salah.": ["bm25", "vector"],
        "Money stays in the bank.": ["vector"],
    }


# Unrelated facts retiring each other


def test_no_record_ever_retires_another(ledger: Ledger, gateway: Gateway) -> None:
    """However alike or opposed: repeated promises, opposite ones, and threads made of them."""
    pairs = [
        said("I will captain Salah in gameweek 5.", 1, 10),
        said("I will not captain Salah in gameweek 5.", 2, 10),
        said("I will captain Salah in gameweek 5.", 2, 11),
        said("Palmer stays.", 2, 12),
        said("Palmer goes.", 3, 10),
    ]
    known: dict[str, MemoryRecord] = {}
    for gameweek in range(1, 6):
        play(ledger, gateway, gameweek, managers=("opus",))
        gateway.store(OPUS, "opus", "manager", [record for record in pairs if record.gameweek == gameweek])
        gateway.associate(OPUS, "opus", "manager")
        gateway.consolidate(OPUS, "opus", "manager")
        now = {record.id: record for record in gateway.get(OPUS, "opus", "manager")}
        assert {record_id: now[record_id] for record_id in known} == known
        known = now
    assert {pair.id for pair in pairs} <= known.keys()
    for sought in pairs:
        recall = ask(ledger, gateway, sought.text, 6)
        assert sought.text in {item.record.text for item in recall.items}


# Success reported, nothing stored


def test_a_write_that_stores_nothing_and_reports_success_is_an_error(
    ledger: Ledger, gateway: Gateway, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(ledger, gateway, 1)
    invented.decide(ledger, 2, ("opus", "grok"))
    owed = week_records(ledger, SEASON, 2, "opus")["manager"]
    store = gateway._stores.open("opus", "manager")
    monkeypatch.setattr(store, "_table", Deaf(store._table))
    with pytest.raises(StoreError, match=f"took 0 of {len(owed)} records and reported no error"):
        gateway.store(OPUS, "opus", "manager", owed)
    last = audit_rows(ledger)[-1]
    assert last.verb == "store"
    assert last.reason.startswith("failed: ")
    assert not {record.id for record in owed} & {row.record_id for row in indexed_records(ledger)}


class Deaf:
    """A table that says yes to every write and does nothing."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def add(self, *_: object) -> None:
        return None


# Recall hanging at 1,792 facts


@pytest.mark.parametrize("number", [1_791, 1_792, 1_793, 5_000])
def test_recall_finishes_in_a_large_store_after_one_reading(
    ledger: Ledger, root: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway = Gateway(root, ledger, WordsOnly())
    invented.enrol(ledger, gateway, ("opus",))
    chance = Random(number)
    records = [said(filled.narrative(chance), 1 + place % 30, place, "narrative") for place in range(number - 1)]
    needle = said("Only the goalkeeper Dúbravka knows the word petrichor.", 17, number)
    gateway.store(OPUS, "opus", "manager", [*records, needle])
    laid_out: list[int] = []
    lay_out = View.__init__

    def counted(view: View, *given: Any) -> None:
        lay_out(view, *given)
        laid_out.append(len(view))

    monkeypatch.setattr(View, "__init__", counted)
    monkeypatch.setattr(project, "_open", OrderedDict())  # as a new process begins
    for _ in range(3):
        questions = ["petrichor", *filled.questions(8, chance)]
        recall = gateway.recall(OPUS, "opus", "manager", questions, before=(SEASON, 31), expected=[needle.id])
        assert recall.state == "complete"
        assert needle in [item.record for item in recall.items]
    assert laid_out == [number + 1]


# Filters ignored


@pytest.mark.parametrize("kind", ["gateway", "hybrid"])
def test_whoever_asks_and_however_nothing_comes_back_that_was_filtered_out(
    ledger: Ledger, kind: str, request: pytest.FixtureRequest
) -> None:
    """Found, followed by a link, or dropped: of the categories, of the time, and not what was to be left out."""
    gateway: Gateway = request.getfixturevalue(kind)
    play(ledger, gateway, 1, 2, 3, managers=("opus",))
    records = {record.id: record for record in gateway.get(OPUS, "opus", "manager")}
    categories: list[tuple[Category, ...] | None] = [None, ("commitment",), ("narrative", "thread"), ("sheet",)]
    came_back = 0
    for caller in (OPUS, Member(manager="opus", role="coach")):
        for gameweek in (1, 2, 3, 4):
            for chosen in categories:
                without = [record for record in records if record.startswith(("0", "1", "2", "3"))]
                recall: Recall = gateway.recall(
                    caller,
                    "opus",
                    "manager",
                    ["captain and points hit", "patience in gameweek 2"],
                    before=(SEASON, gameweek),
                    categories=chosen,
                    without=without,
                    budget_tokens=600,
                )
                for found in [*(item.record.id for item in recall.items), *(drop.record_id for drop in recall.dropped)]:
                    came_back += 1
                    record = records[found]
                    assert record.gameweek < gameweek
                    assert record.category != "identity" if chosen is None else record.category in chosen
                    assert found not in without
    assert came_back > 40
