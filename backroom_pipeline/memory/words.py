"""BM25 over exactly the records an agent may see: the words leg of recall.

LanceDB's own scores depend on later rows and on when the index was last optimised, so the same question about the
same week would not be answered alike twice (docs/decisions/0002-words-leg.md). The analyser is LanceDB's; the
statistics are those of the visible records.
"""

from __future__ import annotations

import importlib
import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

K1 = 1.2
B = 0.75

Ranked = list[tuple[str, float]]
"""Record ids with scores, best first, ties by id."""


class Words:
    """An inverted index over the analysed words of some texts, which are numbered in the order they are given.

    It never changes.
    """

    def __init__(self, texts: Any) -> None:
        """``texts``: an Arrow array of strings, each the words of a text with a space between them."""
        import numpy as np

        lists = importlib.import_module("pyarrow.compute").split_pattern(texts, " ")
        encoded = lists.flatten().dictionary_encode()
        words: list[str] = encoded.dictionary.to_pylist()
        codes: NDArray[np.int64] = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        rows = np.repeat(np.arange(len(texts)), lists.value_lengths().to_numpy(zero_copy_only=False))
        if "" in words:  # of a text without words
            there = codes != words.index("")
            codes, rows = codes[there], rows[there]
        self._lengths: NDArray[np.float64] = np.bincount(rows, minlength=len(texts)).astype(np.float64)
        # One number for each word in each text, so that sorting and counting is one call.
        pairs, counts = np.unique(codes * len(texts) + rows, return_counts=True)
        of_word, self._rows = np.divmod(pairs, max(1, len(texts)))
        self._counts: NDArray[np.int64] = counts
        self._starts: list[int] = np.searchsorted(of_word, np.arange(len(words) + 1)).tolist()
        self._numbers = {word: number for number, word in enumerate(words)}
        self._added: dict[str, list[tuple[int, int]]] = {}

    def __len__(self) -> int:
        return len(self._lengths)

    def with_more(self, texts: Sequence[str]) -> Words:
        """The same index with further texts, numbered from where this one ends."""
        import numpy as np

        analysed = [text.split() for text in texts]
        more = object.__new__(Words)
        more.__dict__.update(self.__dict__)
        more._lengths = np.concatenate([self._lengths, np.array([len(words) for words in analysed], dtype=np.float64)])
        more._added = dict(self._added)
        for row, words in enumerate(analysed, start=len(self)):
            for word, count in Counter(words).items():
                more._added[word] = [*more._added.get(word, ()), (row, count)]
        return more

    def scores(self, words: Sequence[str], visible: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The score of every text for a question's words; 0 for one that shares none or is not visible."""
        import numpy as np

        scores: NDArray[np.float64] = np.zeros(len(self))
        among = int(visible.sum())
        mean = self._lengths[visible].sum() / max(1, among)
        for word in dict.fromkeys(words):
            rows, counts = self._having(word)
            seen = visible[rows]
            rows, counts = rows[seen], counts[seen]
            if len(rows):
                rarity = math.log(1 + (among - len(rows) + 0.5) / (len(rows) + 0.5))
                length = K1 * (1 - B + B * self._lengths[rows] / mean)
                scores[rows] += rarity * counts * (K1 + 1) / (counts + length)
        return scores

    def _having(self, word: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The texts a word is in, and how often."""
        import numpy as np

        number = self._numbers.get(word)
        at = slice(0, 0) if number is None else slice(self._starts[number], self._starts[number + 1])
        rows, counts = self._rows[at], self._counts[at]
        if added := self._added.get(word):
            more: NDArray[np.int64] = np.array(added, dtype=np.int64)
            rows, counts = np.concatenate([rows, more[:, 0]]), np.concatenate([counts, more[:, 1]])
        return rows, counts
