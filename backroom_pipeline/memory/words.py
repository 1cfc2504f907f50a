"""BM25 over exactly the records an agent may see: the words leg of recall.

LanceDB's own scores depend on later rows and on when the index was last optimised, so the same question about the
same week would not be answered alike twice (docs/decisions/0002-words-leg.md). The analyser is LanceDB's; the
statistics are those of the visible records.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

K1 = 1.2
B = 0.75

Ranked = list[tuple[str, float]]
"""Record ids with scores, best first, ties by id."""


class Words:
    """An inverted index over some records' analysed words."""

    def __init__(self, records: Mapping[str, Sequence[str]]) -> None:
        self._lengths = {record_id: len(words) for record_id, words in records.items()}
        self._mean = sum(self._lengths.values()) / max(1, len(self._lengths))
        self._postings: dict[str, list[tuple[str, int]]] = {}
        for record_id, words in records.items():
            for word, count in Counter(words).items():
                self._postings.setdefault(word, []).append((record_id, count))

    def search(self, words: Sequence[str]) -> Ranked:
        """Every record that shares a word with the question's words."""
        scores: dict[str, float] = {}
        for word in dict.fromkeys(words):
            found = self._postings.get(word, [])
            rarity = math.log(1 + (len(self._lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for record_id, count in found:
                length = K1 * (1 - B + B * self._lengths[record_id] / self._mean)
                scores[record_id] = scores.get(record_id, 0.0) + rarity * count * (K1 + 1) / (count + length)
        return best_first(scores)


def best_first(scores: Mapping[str, float]) -> Ranked:
    """The one order of recall: by score, ties by id."""
    return sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))
