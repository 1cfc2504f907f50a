"""Questions asked of one view: both legs scored over exactly the visible rows, fused, and the best of each kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from backroom_pipeline.memory.ranking import ASKING, Answered, RecallSettings
from backroom_pipeline.memory.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Asked(NamedTuple):
    """A question, its words as the store's index analyses them, and its vector (empty where there are none)."""

    question: str
    words: Sequence[str]
    vector: Sequence[float]


class Leg(NamedTuple):
    """One way of searching: the score of every row, and which rows it found."""

    scores: NDArray[np.float64]
    found: NDArray[np.bool_]


def search(view: View, visible: NDArray[np.bool_], asked: Asked, settings: RecallSettings, depth: int) -> Answered:
    """The best ``depth`` claims and the best ``depth`` other records, with their places in the whole of each leg.

    The same to the last bit whatever else the store holds: nothing depends on rows that are not visible.
    """
    import numpy as np

    legs = _legs(view, visible, asked)
    scores = _fused(legs, view, settings)
    ranked = _best_first(Leg(scores, np.logical_or.reduce([leg.found for leg in legs.values()])), view)
    claims = view.categories[ranked] == "commitment"
    best: NDArray[np.int64] = ranked[
        np.sort(np.concatenate([np.flatnonzero(claims)[:depth], np.flatnonzero(~claims)[:depth]]))
    ]
    ids = [view.ids[int(row)] for row in best]
    places: dict[str, dict[str, int]] = {record_id: {} for record_id in ids}
    for name, leg in legs.items():
        for record_id, place in zip(ids, _places(leg, view)[best].tolist(), strict=True):
            if place:
                places[record_id][name] = place
    return Answered(asked.question, list(zip(ids, scores[best].tolist(), strict=True)), places)


def _legs(view: View, visible: NDArray[np.bool_], asked: Asked) -> dict[str, Leg]:
    import numpy as np

    words = view.words.scores([word for word in asked.words if word not in ASKING], visible)
    legs = {"bm25": Leg(words, words > 0)}
    if view.vectors is not None:
        # Row by row: a product of matrices rounds the same row differently when there are more of them.
        near = np.vecdot(view.vectors, np.array(asked.vector, dtype=np.float32))
        legs["vector"] = Leg(near.astype(np.float64), visible)
    return legs


def _fused(legs: Mapping[str, Leg], view: View, settings: RecallSettings) -> NDArray[np.float64]:
    """One score for every row from those of the legs, and a share of its best neighbour's."""
    import numpy as np

    own = np.zeros(len(view))
    for name, leg in legs.items():
        weight = settings.words_weight if name == "bm25" else 1 - settings.words_weight
        found = leg.scores[leg.found]
        if settings.fusion == "rrf":
            own[leg.found] += weight / (settings.rrf_k + _places(leg, view)[leg.found])
        elif len(found):
            low, high = found.min(), found.max()
            own[leg.found] += weight * ((found - low) / (high - low) if high > low else np.ones(len(found)))
    nearest = np.zeros(len(own))
    np.maximum.at(nearest, view.linked[0], own[view.linked[1]])
    return own + settings.borrow * nearest


def _best_first(leg: Leg, view: View) -> NDArray[np.int64]:
    """The rows a leg found by score, ties by id."""
    import numpy as np

    rows = view.in_order_of_ids
    rows = rows[leg.found[rows]]
    return rows[np.argsort(-leg.scores[rows], kind="stable")]


def _places(leg: Leg, view: View) -> NDArray[np.int64]:
    """The rank of every row the leg found, from 1; 0 for the others."""
    import numpy as np

    places = np.zeros(len(view), dtype=np.int64)
    rows = _best_first(leg, view)
    places[rows] = np.arange(1, len(rows) + 1)
    return places
