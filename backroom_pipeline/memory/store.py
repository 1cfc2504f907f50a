"""One role's store: a LanceDB table in the team's database. Only the gateway opens it."""

from __future__ import annotations

import importlib
import json
import re
import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from backroom_pipeline.memory.embedder import Embedder
from backroom_pipeline.memory.model import MemoryRecord
from backroom_pipeline.memory.view import RECORD, Link, State, View, parsed_links

_ALL = 1_000_000
"""LanceDB gives ten rows unless told otherwise."""
_WORDS_INDEX = "text_idx"
_OPTIMISE_AT_FRAGMENTS = 16
"""Every commit leaves a fragment that every later read opens: 38 of them made reading ids five times as slow."""
_OLD_VERSIONS_STAY = timedelta(minutes=10)
"""For readers of another process; the ledger keeps the history."""
_one_maintainer = threading.Lock()
"""Concurrent calls of optimize() fail each other."""
_turns: dict[Path, threading.RLock] = {}
"""Writers of one table in this process take turns, whichever gateway they come through; the ledger's file lock keeps
other processes out."""
_turns_guard = threading.Lock()


class StoreError(Exception):
    """A store that could not be read or written; the message says which and what to do."""


class StoreMissing(StoreError):
    """There is no such table on disk."""


class Stored(NamedTuple):
    """A record as it lies in the store."""

    record: MemoryRecord
    words: tuple[str, ...]
    """As the table's full-text index analyses them."""
    links: tuple[Link, ...] | None
    """None: not associated yet."""


class Store:
    """The records of one project. Rows are added, never deleted; only a row's links are filled in later.

    Threads may share it: each write is one commit, and writes take turns.
    """

    def __init__(self, path: Path, name: str, embedder: Embedder, *, create: bool = False) -> None:
        """Open the table, or make it. Raises StoreMissing, or StoreError when it cannot be used with this embedder."""
        import lancedb  # pyright: ignore[reportMissingTypeStubs]

        self.name = name
        self._files = path / f"{name}.lance" / "data"
        with _turns_guard:
            self._turn = _turns.setdefault(self._files, threading.RLock())
        self._view: View | None = None
        self._dimension = embedder.dimension
        if not create and not (path / f"{name}.lance").is_dir():
            raise StoreMissing(f"there is no table {name} in {path}.")
        try:
            database: Any = lancedb.connect(path, read_consistency_interval=timedelta(0))
            self._table: Any = self._create(database, embedder) if create else database.open_table(name)
            remembered: dict[bytes, bytes] = self._table.schema.metadata or {}
            made_with = remembered.get(b"embedder", b"").decode()
        except (ValueError, RuntimeError, OSError) as error:
            raise StoreError(f"the table {name} in {path} cannot be opened ({_first_line(error)}).") from error
        if made_with != embedder.name:
            raise StoreError(
                f"the table {name} holds vectors of {made_with or 'an unknown embedder'} and the league now "
                f"names {embedder.name}; they cannot be compared until the memory is rebuilt."
            )

    def _create(self, database: Any, embedder: Embedder) -> Any:
        from lancedb.index import FTS  # pyright: ignore[reportMissingTypeStubs]

        arrow: Any = importlib.import_module("pyarrow")

        columns: list[Any] = [
            arrow.field(name, arrow.string(), nullable=False)
            for name in ("id", "manager", "role", "category", "season", "text", "words", "source", "links")
        ]
        columns += [arrow.field(name, arrow.int32(), nullable=False) for name in ("gameweek", "ordinal")]
        columns.append(arrow.field("pinned", arrow.bool_(), nullable=False))
        if self._dimension:
            columns.append(arrow.field("vector", arrow.list_(arrow.float32(), self._dimension)))
        schema = arrow.schema(columns, metadata={"embedder": embedder.name})
        table = database.create_table(self.name, schema=schema, exist_ok=True)
        if not table.list_indices():
            # The default drops stop words, and `not` is one of them.
            table.create_index("text", config=FTS(remove_stop_words=False, with_position=True), name=_WORDS_INDEX)
        return table

    def write(
        self,
        records: Sequence[MemoryRecord],
        vectors: Iterable[Sequence[float]],
        links: Mapping[str, Sequence[Link]] | None = None,
    ) -> None:
        """Add those records whose id is not there yet, in one commit; without ``links`` they wait for association.

        ``vectors`` are asked for last: they may still be in the making. Raises StoreError when it fails, also when the
        table reports success and does not hold the records.
        """
        words = [" ".join(self.analyse(record.text)) for record in records]
        rows: dict[str, dict[str, Any]] = {}
        for record, text, vector in zip(records, words, vectors, strict=True):
            row = record.model_dump(include=set(RECORD))
            row |= {"words": text, "links": _links_json(None if links is None else links[record.id])}
            if self._dimension:
                if not any(vector):
                    raise StoreError(f"record {record.id} has a vector of zeros, which no search would ever find.")
                row["vector"] = list(vector)
            rows[record.id] = row
        with self._turn:
            seen = self.view()
            new = [row for record_id, row in rows.items() if record_id not in seen.rows]
            if not new:
                return
            added = importlib.import_module("pyarrow").Table.from_pylist(new, schema=self._table.schema)
            self._commit(lambda: self._table.add(added))
            self._view = self._with_more(seen, added)
            there = (self._view or self.view()).rows
            if (held := sum(row["id"] in there for row in new)) < len(new):
                raise StoreError(f"the table {self.name} took {held} of {len(new)} records and reported no error.")

    def link(self, links: Mapping[str, Sequence[Link]]) -> None:
        """Fill in the links of records, in one commit."""
        rows = [{"id": record_id, "links": _links_json(found)} for record_id, found in links.items()]
        if rows:
            with self._turn:
                self._commit(lambda: self._table.merge_insert("id").when_matched_update_all().execute(rows))

    def _commit(self, change: Callable[[], object]) -> None:
        with self._in_words("written"):
            change()
            if self._table.stats()["fragment_stats"]["num_fragments"] >= _OPTIMISE_AT_FRAGMENTS:
                with _one_maintainer:
                    self._table.optimize(cleanup_older_than=_OLD_VERSIONS_STAY)

    def view(self) -> View:
        """What the table holds now, for searching. It is read when its state is not that of the last view."""
        with self._turn, self._in_words("read"):
            state = self._state()
            if self._view is None or self._view.state != state:
                self._view = View(state, self._table.to_arrow())
            return self._view

    def _with_more(self, seen: View, added: Any) -> View | None:
        """The view after a commit of our own; None where the table has to be read: anything else has happened to it."""
        with self._in_words("read"):
            state = self._state()
            if state.version != seen.state.version + 1 or self._table.count_rows() != len(seen) + added.num_rows:
                return None
            return View(state, added, seen) if seen.is_before(added) else None

    def _state(self) -> State:
        files = self._files.stat().st_mtime_ns if self._files.exists() else 0
        return State(self._table.version, files)

    def read(self, *, ids: Sequence[str] | None = None, unlinked: bool = False) -> list[Stored]:
        """Records in the order of time, category and ordinal."""
        conditions = [] if ids is None else [_among(ids)]
        if unlinked:
            conditions.append("links = ''")
        found = [_stored(row) for row in self._rows(" AND ".join(conditions) or None, [*RECORD, "words", "links"])]
        return sorted(found, key=lambda stored: _place(stored.record))

    def analyse(self, text: str) -> tuple[str, ...]:
        """The words of a text as the full-text index takes them: lower case, accents folded, stemmed, none dropped."""
        with self._in_words("searched by words"):
            return tuple(token.text for token in self._table.tokenize(text, index_name=_WORDS_INDEX))

    def _rows(self, condition: str | None, columns: Sequence[str]) -> list[dict[str, Any]]:
        with self._in_words("read"):
            query = self._table.search()
            if condition:
                query = query.where(condition)
            return query.select(list(columns)).limit(_ALL).to_arrow().to_pylist()

    @contextmanager
    def _in_words(self, done: str) -> Generator[None]:
        """LanceDB's errors as sentences for an operator."""
        try:
            yield
        except (ValueError, RuntimeError, OSError) as error:
            raise StoreError(f"the table {self.name} cannot be {done} ({_first_line(error)}).") from error


def _among(ids: Sequence[str]) -> str:
    listed = ", ".join(f"'{record_id}'" for record_id in ids if re.fullmatch(r"[0-9a-f]+", record_id))
    return f"id IN ({listed})" if listed else "false"


def _links_json(links: Sequence[Link] | None) -> str:
    return "" if links is None else json.dumps(list(links))


def _stored(row: dict[str, Any]) -> Stored:
    words, linked = tuple(row.pop("words").split()), parsed_links(row.pop("links"))
    return Stored(MemoryRecord(**row, links=tuple(link.record_id for link in linked or ())), words, linked)


def _place(record: MemoryRecord) -> tuple[str, int, str, int, str]:
    return record.season, record.gameweek, record.category, record.ordinal, record.id


def _first_line(error: Exception) -> str:
    """Of what LanceDB says, without the places in its own source that it lists."""
    line = (str(error).splitlines() or [type(error).__name__])[0]
    return re.sub(r",? \S+\.rs:\d+:\d+", "", line)
