"""Recall from first principles, to hold the real one against: loops and dictionaries over the rows of the table.

Slow and plain on purpose. The vector leg is LanceDB's own search; of the code it checks it uses the analyser and the
choice among ranked records.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Sequence
from typing import Any

from backroom_pipeline.memory.embedder import Embedder
from backroom_pipeline.memory.model import MemoryRecord
from backroom_pipeline.memory.ranking import ASKING, Answered, Chosen, RecallSettings, choose
from backroom_pipeline.memory.store import Link, Store

Scores = dict[str, float]


def plain_recall(
    store: Store,
    embedder: Embedder,
    questions: Sequence[str],
    before: tuple[str, int],
    categories: Collection[str],
    without: Collection[str],
    budget_tokens: int,
    settings: RecallSettings,
) -> Chosen:
    """What a store brings to mind, without outcomes."""
    rows = [row for row in store._table.to_arrow().to_pylist() if (row["season"], row["gameweek"]) < before]
    rows = [row for row in rows if row["id"] not in without]
    rows = [row for row in rows if row["category"] in categories and not _is_overtaken(row, rows)]
    links = {row["id"]: [Link(*link) for link in json.loads(row["links"] or "[]")] for row in rows}
    answers: list[Answered] = []
    for question in questions:
        legs = {"bm25": _bm25(rows, store.analyse(question))}
        if embedder.dimension:
            legs["vector"] = _nearest(store, embedder.embed([question])[0], {row["id"] for row in rows})
        answers.append(_answered(question, legs, links, settings))
    return choose(answers, {row["id"]: _record(row) for row in rows}, links, budget_tokens, settings)


def _is_overtaken(row: dict[str, Any], rows: Sequence[dict[str, Any]]) -> bool:
    return row["category"] == "thread" and any(
        other["category"] == "thread" and other["source"].startswith(row["source"] + "+") for other in rows
    )


def _bm25(rows: Sequence[dict[str, Any]], words: Sequence[str]) -> Scores:
    texts = {row["id"]: row["words"].split() for row in rows}
    mean = sum(len(text) for text in texts.values()) / max(1, len(texts))
    scores: Scores = {}
    for word in dict.fromkeys(word for word in words if word not in ASKING):
        having = [record for record, text in texts.items() if word in text]
        rarity = math.log(1 + (len(texts) - len(having) + 0.5) / (len(having) + 0.5))
        for record in having:
            count, length = texts[record].count(word), len(texts[record])
            scores[record] = scores.get(record, 0.0) + rarity * count * 2.2 / (
                count + 1.2 * (0.25 + 0.75 * length / mean)
            )
    return scores


def _nearest(store: Store, vector: Sequence[float], visible: Collection[str]) -> Scores:
    query = store._table.search(list(vector), vector_column_name="vector").distance_type("cosine").limit(10_000)
    return {row["id"]: 1.0 - row["_distance"] for row in query.to_list() if row["id"] in visible}


def _answered(
    question: str, legs: dict[str, Scores], links: dict[str, list[Link]], settings: RecallSettings
) -> Answered:
    own: Scores = {}
    places: dict[str, dict[str, int]] = {}
    for leg, scores in legs.items():
        weight = settings.words_weight if leg == "bm25" else 1 - settings.words_weight
        ranked = sorted(scores, key=lambda record: (-round(scores[record], 6), record))
        low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
        for place, record in enumerate(ranked, 1):
            normal = (scores[record] - low) / (high - low) if high > low else 1.0
            share = normal if settings.fusion == "convex" else 1 / (settings.rrf_k + place)
            own[record] = own.get(record, 0.0) + weight * share
            places.setdefault(record, {})[leg] = place
    fused: Scores = {}
    for record, score in own.items():
        there = [own.get(link.record_id, 0.0) for link in links[record]]
        back = [own.get(other, 0.0) for other, found in links.items() if record in [link.record_id for link in found]]
        fused[record] = score + settings.borrow * max([*there, *back, 0.0])
    ranked = sorted(fused.items(), key=lambda scored: (-round(scored[1], 6), scored[0]))
    return Answered(question, ranked, places)


def _record(row: dict[str, Any]) -> MemoryRecord:
    values = {name: row[name] for name in MemoryRecord.model_fields if name not in ("links", "outcome")}
    return MemoryRecord(**values, links=tuple(link[0] for link in json.loads(row["links"] or "[]")))
