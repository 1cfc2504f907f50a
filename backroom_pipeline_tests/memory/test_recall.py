"""What is brought to mind: found by words and by meaning, in one order, of the past only, within a budget."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from backroom_pipeline.ledger.answers import team_state
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.budget import estimated_tokens
from backroom_pipeline.memory.embedder import EmbedderError, MiniLM, WordsOnly, load_embedder
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import MemoryRecord, Role
from backroom_pipeline.memory.outcomes import verdict_of
from backroom_pipeline.memory.questions import questions_for
from backroom_pipeline.memory.ranking import RecallSettings
from backroom_pipeline.memory.records import record_id
from backroom_pipeline.memory.search import Asked, search
from backroom_pipeline.memory.store import Store
from backroom_pipeline.memory.words import Words
from backroom_pipeline_tests.memory import invented
from backroom_pipeline_tests.memory.invented import SEASON
from backroom_pipeline_tests.memory.test_gateway import OPUS, ask, play


def said(text: str, gameweek: int = 1, ordinal: int = 0) -> MemoryRecord:
    return MemoryRecord(
        id=record_id("opus", "manager", SEASON, gameweek, "commitment", ordinal, text),
        manager="opus",
        role="manager",
        category="commitment",
        season=SEASON,
        gameweek=gameweek,
        ordinal=ordinal,
        text=text,
        pinned=True,
        source="test",
    )


def asked_in(ledger: Ledger, gameweek: int, role: Role) -> tuple[str, ...]:
    return questions_for(invented.facts(gameweek), team_state(ledger, SEASON, gameweek, "opus"), role)


def texts(recall) -> list[str]:
    return [item.record.text for item in recall.items]


def test_the_word_not_is_searched_for(gateway: Gateway) -> None:
    gateway.store(
        OPUS, "opus", "manager", [said("I will captain Salah."), said("I will not captain Salah.", ordinal=1)]
    )
    recall = gateway.recall(OPUS, "opus", "manager", ["not captain Salah"], before=(SEASON, 2), expected=[])
    assert texts(recall)[0] == "I will not captain Salah."


def test_the_full_text_index_keeps_not_and_finds_rows_added_after_it(tmp_path: Path) -> None:
    from lancedb.query import MatchQuery

    store = Store(tmp_path, "context_fpl_mgr_opus", WordsOnly(), create=True)
    store.write([said("I will captain Salah.")], [[]])
    store._table.optimize()
    store.write([said("I will not sell Palmer.", 2)], [[]])
    index = store._table.list_indices()[0]
    assert index.index_details["remove_stop_words"] is False
    assert index.index_details["with_position"] is True
    assert index.num_unindexed_rows == 1
    found = store._table.search(MatchQuery("not", "text"), query_type="fts").limit(5).to_list()
    assert [row["text"] for row in found] == ["I will not sell Palmer."]


def test_rows_added_after_maintenance_are_found_by_both_legs(tmp_path: Path) -> None:
    embedder = load_embedder("local")
    store = Store(tmp_path, "t", embedder, create=True)
    first, second = said("I will captain Salah."), said("The bench boost waits.", 2)
    store.write([first], embedder.embed([first.text]))
    store._table.optimize()
    store.write([second], embedder.embed([second.text]))
    asked = Asked("", store.analyse("boosted"), embedder.embed(["bench boost"])[0])
    view = Store(tmp_path, "t", embedder).view()
    for seen in (view, store.view()):
        found = search(seen, seen.visible(2, ["commitment"]), asked, RecallSettings(borrow=0.0), 10)
        assert found.ranked[0][0] == second.id
        assert found.places == {second.id: {"bm25": 1, "vector": 1}, first.id: {"vector": 2}}


def test_a_claim_of_week_one_is_found_in_week_thirty(ledger: Ledger, hybrid: Gateway) -> None:
    play(ledger, hybrid, *range(1, 30), managers=("opus",))
    recall = ask(ledger, hybrid, "When do I play the second wildcard?", 30)
    assert recall.state == "complete"
    assert "The second wildcard is for the double of gameweek 33 and for nothing else." in texts(recall)[:2]
    assert recall.tokens <= 1500


def test_a_paraphrase_is_found_by_meaning(hybrid: Gateway) -> None:
    hybrid.store(
        OPUS,
        "opus",
        "manager",
        [
            said("I will not chase last week's points."),
            said("My goalkeeper is set and forget; I will not touch that position.", ordinal=1),
            said("I want at least a million left in the bank after every deadline.", ordinal=2),
        ],
    )
    recall = hybrid.recall(OPUS, "opus", "manager", ["How much cash do I like to have spare?"], before=(SEASON, 2))
    by_meaning = next(item for item in recall.items if item.legs.get("vector") == 1)
    assert by_meaning.record.text.startswith("I want at least a million")


def test_recall_sees_the_past_only_and_the_same_past_ever_after(ledger: Ledger, hybrid: Gateway) -> None:
    play(ledger, hybrid, 1, 2, 3, managers=("opus",))
    then = ask(ledger, hybrid, "Will I take a points hit, and whom will I captain?", 4)
    play(ledger, hybrid, *range(4, 16), managers=("opus",))
    now = ask(ledger, hybrid, "Will I take a points hit, and whom will I captain?", 4)
    assert {item.record.gameweek for item in then.items} <= {1, 2, 3}
    assert now.model_dump() == then.model_dump()


def test_nothing_is_shown_beyond_the_budget(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, *range(1, 12), managers=("opus",))
    questions = asked_in(ledger, 12, "manager")
    for budget in (0, 100, 400, 1500):
        recall = gateway.recall(OPUS, "opus", "manager", questions, before=(SEASON, 12), budget_tokens=budget)
        assert recall.tokens <= budget
        assert sum(estimated_tokens(item.record.text) for item in recall.items) <= budget
        assert not {item.record.id for item in recall.items} & {item.record_id for item in recall.dropped}


def test_equal_scores_are_ordered_by_id(gateway: Gateway) -> None:
    gateway.store(OPUS, "opus", "manager", [said("Palmer stays.", ordinal=number) for number in range(6)])
    recall = gateway.recall(OPUS, "opus", "manager", ["Palmer"], before=(SEASON, 2))
    ids = [item.record.id for item in recall.items]
    assert ids == sorted(ids)
    assert len({item.score for item in recall.items}) == 1


@pytest.mark.parametrize("question", ["", "   ", "?!", "zzz", '"Palmer" AND (x', "'; DROP TABLE x; --"])
def test_a_question_without_words_finds_nothing_by_words_and_does_no_harm(gateway: Gateway, question: str) -> None:
    gateway.store(OPUS, "opus", "manager", [said("Rice stays.")])
    recall = gateway.recall(OPUS, "opus", "manager", [question], before=(SEASON, 2))
    assert recall.state == "complete"
    assert texts(recall) == []


def test_a_record_reached_only_by_a_link_follows_its_hit(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1, 2)
    recall = ask(ledger, gateway, "patience in gameweek 2 is worth more", 3, budget=1500)
    linked = [item for item in recall.items if "link" in item.legs]
    assert linked
    assert all("(" in item.question for item in linked)


def test_words_are_scored_against_the_visible_records_alone() -> None:
    texts = ["hold chip", "", "sell palmer", "chip chip hold palmer"]
    alone = Words(pa.array(texts[:3])).scores(("chip", "palmer"), np.array([True, True, False]))
    assert [score > 0 for score in alone] == [True, False, False]
    for words in (Words(pa.array(texts)), Words(pa.array(texts[:1])).with_more(texts[1:3]).with_more(texts[3:])):
        scores = words.scores(("chip", "palmer"), np.array([True, True, False, False]))
        assert scores.tolist() == [*alone, 0.0]


@pytest.mark.parametrize(
    ("rank", "of", "verdict"),
    [
        (1, 8, "success"),
        (2, 8, "success"),
        (3, 8, "mixed"),
        (6, 8, "mixed"),
        (7, 8, "failure"),
        (8, 8, "failure"),
        (1, 3, "success"),
        (2, 3, "mixed"),
        (3, 3, "failure"),
        (1, 2, "mixed"),
        (2, 2, "mixed"),
        (1, 1, "mixed"),
    ],
)
def test_a_week_is_judged_by_thirds_of_the_field(rank: int, of: int, verdict: str) -> None:
    assert verdict_of(rank, of) == verdict


def test_questions_are_narrow_and_come_from_the_week(ledger: Ledger, gateway: Gateway) -> None:
    for gameweek in range(24, 27):
        invented.decide(ledger, gameweek, ("opus",))
    questions = asked_in(ledger, 26, "manager")
    assert 5 <= len(questions) <= 9
    assert "What did I do in gameweek 25, and why?" in questions
    assert any("ARS" in question and "two matches" in question for question in questions)
    assert any(question.startswith("What did I say about ") for question in questions)
    assert asked_in(ledger, 26, "coach") == ()


def test_the_same_text_has_the_same_vector_whatever_it_is_embedded_with() -> None:
    embedder = load_embedder("local")
    alone = embedder.embed(["I hold all chips."])[0]
    embedder.embed(["something else " * 200])
    fresh = MiniLM().embed(["a much longer companion " * 30, "I hold all chips."])[1]
    assert fresh == alone
    assert abs(sum(number * number for number in alone) - 1) < 1e-5


def test_a_model_file_that_is_not_the_pinned_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MiniLM, "MODEL_SHA256", "0" * 64)
    with pytest.raises(EmbedderError, match="not the pinned file"):
        MiniLM()
