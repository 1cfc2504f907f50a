"""What a store's table holds in one state, read once and laid out for searching.

The table stays the truth: a view belongs to one state of it and is dropped when the table is in another. Rows are in
the order of time, so what is strictly before a gameweek is a beginning of them, whatever is written later.
"""

from __future__ import annotations

import importlib
import json
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from backroom_pipeline.memory.model import Category, MemoryRecord
from backroom_pipeline.memory.records import overtaken
from backroom_pipeline.memory.words import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RECORD = ("id", "manager", "role", "category", "season", "gameweek", "ordinal", "text", "pinned", "source")
"""The columns that make a record."""


class Link(NamedTuple):
    """An earlier record that belongs to this one, and why."""

    record_id: str
    reason: str


class State(NamedTuple):
    """Of a table. Another state may mean other rows."""

    version: int
    files_changed: int
    """When a data file last came or went, in nanoseconds: files can be lost without a new version."""


class View:
    """The records of one store, numbered in the order of time. It never changes, so threads may share it."""

    state: State
    rows: dict[str, int]
    """Record id to number."""
    links: list[tuple[Link, ...]]
    words: Words
    vectors: NDArray[np.float32] | None
    linked: NDArray[np.int64]
    """Pairs of rows with a link between them, each pair in both directions."""

    def __init__(self, state: State, table: Any, earlier: View | None = None) -> None:
        """``table``: rows of the store as Arrow has them, each id once. ``earlier``: a view to which they are added.

        All of them must come after those of ``earlier``. Raises ValueError for a row that is there twice, and for one
        without a vector beside others that have one.
        """
        import numpy as np

        places = _places(table)
        order = sorted(range(len(places)), key=places.__getitem__)
        table, places = table.take(np.array(order, dtype=np.int64)), [places[row] for row in order]
        links = [parsed_links(text) or () for text in table["links"].to_pylist()]
        first = len(earlier) if earlier else 0
        rows = {place[-1]: row for row, place in enumerate(places, start=first)}
        if len(rows) < len(places):
            raise ValueError(f"{len(places) - len(rows)} records are there twice")

        self.state = state
        self._table = table.select(RECORD)
        self._places, self.links, self.rows, self.vectors = places, links, rows, _vectors(table)
        if earlier is not None:
            self._table = importlib.import_module("pyarrow").concat_tables([earlier._table, self._table])
            self._places, self.links = [*earlier._places, *places], [*earlier.links, *links]
            self.rows = earlier.rows | rows
            if earlier.vectors is not None and self.vectors is not None:
                self.vectors = np.concatenate([earlier.vectors, self.vectors])
        words = table["words"].combine_chunks()
        self.words = Words(words) if earlier is None else earlier.words.with_more(words.to_pylist())
        # A link may lead to a row that is written later, though not to one of a later time.
        wanted = [(row, link.record_id) for row, found in enumerate(links, first) for link in found]
        wanted += earlier._not_there_yet if earlier else []
        self._not_there_yet = [(row, to) for row, to in wanted if to not in self.rows]
        pairs = [(row, self.rows[to]) for row, to in wanted if to in self.rows]
        linked: NDArray[np.int64] = np.array([*pairs, *((to, row) for row, to in pairs)], dtype=np.int64).reshape(-1, 2)
        self.linked = linked.T if earlier is None else np.concatenate([earlier.linked, linked.T], axis=1)

    def __len__(self) -> int:
        return len(self._places)

    def is_before(self, table: Any) -> bool:
        """Whether all rows of a table come after those of this view."""
        return not self._places or self._places[-1] < min(_places(table))

    @cached_property
    def ids(self) -> list[str]:
        return list(self.rows)

    @cached_property
    def in_order_of_ids(self) -> NDArray[np.int64]:
        """Every row, for breaking ties."""
        import numpy as np

        return np.array(sorted(range(len(self)), key=self.ids.__getitem__), dtype=np.int64)

    @cached_property
    def categories(self) -> NDArray[np.str_]:
        import numpy as np

        return np.array([place[2] for place in self._places], dtype=np.str_)

    @cached_property
    def _overtaken(self) -> dict[int, list[int]]:
        sources = {
            row: self._table["source"][row].as_py() for row, place in enumerate(self._places) if place[2] == "thread"
        }
        return overtaken(sources)

    def rows_before(self, season: str, gameweek: int) -> int:
        """How many rows are strictly before a gameweek: all below this number."""
        if not re.fullmatch(r"\d{4}-\d{2}", season):
            raise ValueError(f"{season!r} is not a season; write it like 2025-26.")
        return bisect_left(self._places, (season, gameweek))

    def visible(self, before: int, categories: Collection[Category], without: Iterable[str] = ()) -> NDArray[np.bool_]:
        """Which rows a question may see: those of the categories below ``before``, of threads the longest only."""
        import numpy as np

        seen = np.isin(self.categories, list(categories))
        seen[before:] = False
        left_out = {self.rows[record_id] for record_id in without if record_id in self.rows}
        shorter = {
            row
            for row, longer in self._overtaken.items()
            if any(other < before and other not in left_out for other in longer)
        }
        seen[sorted(left_out | shorter)] = False
        return seen

    def records(self, rows: Sequence[int]) -> list[MemoryRecord]:
        """The records of some rows, without outcomes."""
        import numpy as np

        found = self._table.take(np.array(rows, dtype=np.int64)).to_pylist()
        return [
            MemoryRecord(**record, links=tuple(link.record_id for link in self.links[row]))
            for row, record in zip(rows, found, strict=True)
        ]


def _places(table: Any) -> list[tuple[str, int, str, int, str]]:
    """Where each row stands in the order of time."""
    columns = (table[name].to_pylist() for name in ("season", "gameweek", "category", "ordinal", "id"))
    return list(zip(*columns, strict=True))


def parsed_links(text: str) -> tuple[Link, ...] | None:
    """Links as a store's column holds them; None where there is nothing yet."""
    return tuple(Link(*link) for link in json.loads(text)) if text else None


def _vectors(table: Any) -> NDArray[np.float32] | None:
    """A row per record. Raises ValueError where one has none: it would silently never be found by meaning."""
    if "vector" not in table.column_names:
        return None
    import numpy as np

    column = table["vector"].combine_chunks()
    if column.null_count:
        raise ValueError(f"{column.null_count} of {len(column)} records have no vector")
    return np.array(column.flatten(), dtype=np.float32).reshape(len(column), column.type.list_size)
