"""How recall weighs what its legs find, and how many questions share one list under a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from backroom_pipeline.fpl.model import Frozen
from backroom_pipeline.memory.budget import estimated_tokens
from backroom_pipeline.memory.model import DroppedItem, MemoryRecord, RecalledItem
from backroom_pipeline.memory.view import Link
from backroom_pipeline.memory.words import Ranked

CONSIDERED = 10
"""How far down a question's list is looked; below it the vector leg only fills up."""
ASKING = frozenset(
    (
        "what",
        "who",
        "whom",
        "whose",
        "when",
        "where",
        "which",
        "whi",
        "how",
        "do",
        "did",
        "doe",
        "is",
        "are",
        "was",
        "were",
    )
)
"""Words, as an index analyses them, that only make a sentence a question. They are not searched for: a record full of
them answers nothing. No word that says no is among them."""
_RESULT_TOKENS = 40
"""Kept for a RESULT line whether a record has one or not: a result must not change what is recalled."""


class RecallSettings(Frozen):
    """Chosen by measuring, once for all data; docs/decisions/0006-what-a-question-finds.md has the figures."""

    fusion: Literal["convex", "rrf"] = "convex"
    """Weighted sum of normalised scores, or reciprocal rank fusion, the field's standard."""
    words_weight: float = 0.5
    """Of the words leg against the vector leg."""
    rrf_k: int = 60
    borrow: float = 0.3
    """Share of its better linked record's score that a record may add to its own."""
    per_question: int = 2
    """Records one question may add to the list, claims apart."""
    claims_per_question: int = 2
    """Claims one question may add: short sentences match a question better than the reasoning they came from."""
    linked: int = 3
    """Linked records that may follow the hits."""


class Answered(NamedTuple):
    """One question with its ranked records and their place in each leg."""

    question: str
    ranked: Ranked
    places: dict[str, dict[str, int]]
    """Record id to leg to rank."""


class Chosen(NamedTuple):
    """What a prompt shows, and what it had no room for."""

    items: tuple[RecalledItem, ...]
    dropped: tuple[DroppedItem, ...]
    tokens: int


def choose(
    questions: Sequence[Answered],
    records: Mapping[str, MemoryRecord],
    links: Mapping[str, Sequence[Link]],
    budget_tokens: int,
    settings: RecallSettings,
) -> Chosen:
    """Every question's best first, then every question's second, up to its quota and the budget; then linked ones.

    ``records`` are those that may be shown, with their outcomes.
    """
    items: list[RecalledItem] = []
    shown: set[str] = set()
    dropped: dict[str, DroppedItem] = {}
    tokens = 0

    def show(item: RecalledItem) -> bool:
        nonlocal tokens
        cost = estimated_tokens(item.record.text) + _RESULT_TOKENS
        if tokens + cost > budget_tokens:
            dropped[item.record.id] = _dropped(item.record.id, item.question, item.legs, item.score, "budget")
            return False
        items.append(item)
        shown.add(item.record.id)
        tokens += cost
        return True

    for question, record_id, score in _in_turns(questions, records, settings):
        legs = question.places[record_id]
        show(RecalledItem(record=records[record_id], question=question.question, legs=legs, score=score))
    followed = 0
    for hit in tuple(items):
        for link in links.get(hit.record.id, ()):
            if (
                followed < settings.linked
                and link.record_id in records
                and link.record_id not in shown | dropped.keys()
            ):
                record = records[link.record_id]
                reason = f"{hit.question} ({link.reason})"
                item = RecalledItem(record=record, question=reason, legs={"link": 1}, score=hit.score * settings.borrow)
                followed += show(item)
    for question in questions:
        for record_id, score in question.ranked[:CONSIDERED]:
            if record_id not in shown | dropped.keys():
                legs = question.places[record_id]
                dropped[record_id] = _dropped(record_id, question.question, legs, score, "quota")
    return Chosen(tuple(items), tuple(dropped.values()), tokens)


def _dropped(
    record_id: str, question: str, legs: Mapping[str, int], score: float, why: Literal["budget", "quota"]
) -> DroppedItem:
    return DroppedItem(record_id=record_id, question=question, legs=dict(legs), score=score, why=why)


def _in_turns(
    questions: Sequence[Answered], records: Mapping[str, MemoryRecord], settings: RecallSettings
) -> list[tuple[Answered, str, float]]:
    """Each question adds its quotas of records no other has added, in turns, in the order they are asked.

    Scores of two questions cannot be compared: each is normalised over its own list.
    """
    taken: set[str] = set()
    lists: list[tuple[Answered, int, list[tuple[str, float]]]] = []
    for question in questions:
        claims = [found for found in question.ranked if records[found[0]].category == "commitment"]
        others = [found for found in question.ranked if records[found[0]].category != "commitment"]
        lists.append((question, settings.per_question, others[:CONSIDERED]))
        lists.append((question, settings.claims_per_question, claims[:CONSIDERED]))
    order: list[tuple[Answered, str, float]] = []
    for turn in range(max(settings.per_question, settings.claims_per_question)):
        for question, quota, ranked in lists:
            found = next(((record_id, score) for record_id, score in ranked if record_id not in taken), None)
            if turn < quota and found is not None:
                taken.add(found[0])
                order.append((question, *found))
    return order
