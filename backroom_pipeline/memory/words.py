"""BM25 over exactly the records an agent may see: the words leg of recall.

LanceDB's own scores depend on later rows and on when the index was last optimised, so the same question about the
same week would not be answered alike twice (docs/decisions/0002-words-leg.md). The analyser is LanceDB's; the
statistics are those of the visible records.
"""

from __future__ import annotations

import importlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

K1 = 1.2
B = 0.75

Ranked = list[tuple[str, float]]
"""Record ids with scores, best first, ties by id."""


class Words:
    """An inverted index over some records' analysed words. Records are numbered in the order they are given."""

    def __init__(self, records: Mapping[str, Sequence[str]]) -> None:
        arrow: Any = importlib.import_module("pyarrow")
        self._lay_out(list(records), arrow.array([" ".join(words) for words in records.values()], arrow.string()))

    @classmethod
    def of_column(cls, ids: Sequence[str], texts: Any) -> Words:
        """The same of an Arrow array of texts, each its words with a space between them."""
        index = object.__new__(cls)
        index._lay_out(list(ids), texts)
        return index

    def _lay_out(self, ids: list[str], texts: Any) -> None:
        import numpy as np

        lists = importlib.import_module("pyarrow.compute").split_pattern(texts, " ")
        encoded = lists.flatten().dictionary_encode()
        words: list[str] = encoded.dictionary.to_pylist()
        codes: NDArray[np.int64] = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        rows = np.repeat(np.arange(len(ids)), lists.value_lengths().to_numpy(zero_copy_only=False))
        if "" in words:  # of a text without words
            there = codes != words.index("")
            codes, rows = codes[there], rows[there]
        self._ids = ids
        self.lengths: NDArray[np.float64] = np.bincount(rows, minlength=len(ids)).astype(np.float64)
        # One number for each word in each record, so that sorting and counting is one call.
        pairs, counts = np.unique(codes * len(ids) + rows, return_counts=True)
        of_word, self._rows = np.divmod(pairs, max(1, len(ids)))
        self._counts: NDArray[np.int64] = counts
        self._starts: list[int] = np.searchsorted(of_word, np.arange(len(words) + 1)).tolist()
        self._numbers = {word: number for number, word in enumerate(words)}
        self._added: dict[str, list[tuple[int, int]]] = {}

    def with_more(self, records: Mapping[str, Sequence[str]]) -> Words:
        """The same index with further records, numbered from where this one ends; this one stays as it is."""
        import numpy as np

        more = object.__new__(Words)
        more.__dict__.update(self.__dict__)
        more._ids = [*self._ids, *records]
        more.lengths = np.concatenate([self.lengths, np.array([len(text) for text in records.values()], np.float64)])
        more._added = dict(self._added)
        for row, text in enumerate(records.values(), start=len(self._ids)):
            for word, count in Counter(text).items():
                more._added[word] = [*more._added.get(word, ()), (row, count)]
        return more

    def search(self, words: Sequence[str]) -> Ranked:
        """Every record that shares a word with the question's words."""
        import numpy as np

        scores = self.scores(words, np.ones(len(self._ids), dtype=np.bool_)).tolist()
        return best_first({record_id: score for record_id, score in zip(self._ids, scores, strict=True) if score > 0})

    def scores(self, words: Sequence[str], visible: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The score of every record, by number; 0 for one that shares no word or is not visible."""
        import numpy as np

        scores: NDArray[np.float64] = np.zeros(len(self._ids))
        among = int(visible.sum())
        mean = self.lengths[visible].sum() / max(1, among)
        for word in dict.fromkeys(words):
            rows, counts = self._found(word)
            seen = visible[rows]
            rows, counts = rows[seen], counts[seen]
            rarity = math.log(1 + (among - len(rows) + 0.5) / (len(rows) + 0.5))
            length = K1 * (1 - B + B * self.lengths[rows] / mean) if len(rows) else 0.0
            scores[rows] += rarity * counts * (K1 + 1) / (counts + length)
        return scores

    def _found(self, word: str) -> tuple[Any, Any]:
        """The records a word is in, and how often."""
        import numpy as np

        number = self._numbers.get(word)
        at = slice(0, 0) if number is None else slice(self._starts[number], self._starts[number + 1])
        rows, counts = self._rows[at], self._counts[at]
        if added := self._added.get(word):
            more: NDArray[np.int64] = np.array(added, dtype=np.int64)
            rows, counts = np.concatenate([rows, more[:, 0]]), np.concatenate([counts, more[:, 1]])
        return rows, counts


def best_first(scores: Mapping[str, float]) -> Ranked:
    """The one order of recall: by score, ties by id."""
    return sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))
