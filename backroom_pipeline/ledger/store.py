"""The ledger's door: one DuckDB file per league, opened per step, to which rows are only ever added."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from backroom_pipeline.ledger.canonical import in_utc
from backroom_pipeline.ledger.errors import (
    ChangeRefused,
    LedgerBusy,
    LedgerConflict,
    LedgerError,
    LedgerMissing,
    SeasonLocked,
)
from backroom_pipeline.ledger.guard import kind_of_statement
from backroom_pipeline.ledger.schema import check_schema, migrate
from backroom_pipeline.ledger.season_lock import SeasonLock

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = [
    "ChangeRefused",
    "Ledger",
    "LedgerBusy",
    "LedgerConflict",
    "LedgerError",
    "LedgerMissing",
    "SeasonLock",
    "SeasonLocked",
]

# A second lock behind the guard: the engine itself may touch no file but the ledger.
_SETTINGS = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    # Questions here are small and asked by several threads of ours at once; handing them on to more costs more.
    "threads": "1",
}
_RETRY_SECONDS = 0.05
_FEW_ROWS = 8
"""Up to here values bound one by one cost a third of a table handed over: 0.4 ms against 1.1 ms for one row."""
# What a statement is does not depend on the ledger it is sent to.
_kinds: dict[str, Literal["SELECT", "INSERT"]] = {}
_writers: dict[Path, threading.RLock] = {}
_writers_guard = threading.Lock()


class _ThreadState(threading.local):
    """What belongs to one thread: its cursor, and how deep it is in transactions."""

    cursor: DuckDBPyConnection | None = None
    depth: int = 0
    broken: bool = False


class Ledger:
    """An open ledger. Threads may share it: each reads through its own cursor, and writers take turns."""

    def __init__(self, path: Path, connection: DuckDBPyConnection, *, read_only: bool) -> None:
        """Use ``Ledger.open``."""
        self.path = path
        self.read_only = read_only
        self._connection: DuckDBPyConnection | None = connection
        self._guard = threading.Lock()
        self._cursors: list[DuckDBPyConnection] = []
        self._thread = _ThreadState()
        self._columns: dict[str, dict[str, str]] = {}
        with _writers_guard:
            self._writer = _writers.setdefault(path, threading.RLock())

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, wait_seconds: float = 20.0) -> Ledger:
        """The ledger at ``path``; created and brought to the newest schema unless ``read_only``.

        DuckDB lets one process at a time have a file that is written to, readers included. While another one has it
        this waits, at most ``wait_seconds``, then raises LedgerBusy naming the holder. Raises LedgerMissing when
        there is nothing to read, LedgerError when the file is no ledger of this version.
        """
        path = path.resolve()
        if read_only and not path.exists():
            raise LedgerMissing(f"There is no ledger at {path} yet. Play a gameweek first: backroom season run.")
        path.parent.mkdir(parents=True, exist_ok=True)
        ledger = cls(path, _connect(path, read_only, wait_seconds), read_only=read_only)
        try:
            if read_only:
                check_schema(ledger._cursor(), path)
            else:
                with ledger._writer:
                    migrate(ledger._cursor(), path)
        except BaseException:
            ledger.close()
            raise
        return ledger

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file. Safe to call twice."""
        with self._guard:
            for cursor in self._cursors:
                cursor.close()
            self._cursors.clear()
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def now(self) -> datetime:
        """The time rows are stamped with, UTC."""
        return datetime.now(UTC)

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[dict[str, object]]:
        """What a SELECT finds, a dict per row; times come back in UTC. Raises ChangeRefused for anything else."""
        if self._kind(sql) != "SELECT":
            raise ChangeRefused("Ledger.rows only reads; add rows with Ledger.append.")
        result = self._cursor().execute(sql, [_bound(value) for value in params])
        names = [str(column[0]) for column in result.description or ()]
        times = [index for index, column in enumerate(result.description or ()) if str(column[1]).startswith("TIMEST")]
        found = result.fetchall()
        if not times:
            return [dict(zip(names, row, strict=True)) for row in found]
        read: list[dict[str, object]] = []
        for row in found:
            values = list(row)
            for index in times:
                values[index] = _from_utc(values[index])
            read.append(dict(zip(names, values, strict=True)))
        return read

    def append(self, table: str, rows: Sequence[Mapping[str, object]], *, ignore_existing: bool = False) -> int:
        """Add rows (all with the same columns) and say how many went in.

        A key that is already there raises LedgerConflict and adds nothing, or is passed over with
        ``ignore_existing``. Times need a zone.
        """
        if self.read_only:
            raise LedgerError(f"The ledger {self.path} was opened to be read; nothing can be added to {table}.")
        if not rows:
            return 0
        incoming = self._arrow(table, rows)
        names = ", ".join(f'"{name}"' for name in rows[0])
        bound: list[object] = []
        if few := len(rows) <= _FEW_ROWS:
            places = ", ".join(["(" + ", ".join("?" * len(rows[0])) + ")"] * len(rows))
            source = f"VALUES {places}"
            bound = [value for row in incoming.to_pylist() for value in row.values()]
        else:
            source = f"SELECT {names} FROM incoming_rows"
        sql = f'INSERT INTO "{table}" ({names}) {source}' + (" ON CONFLICT DO NOTHING" if ignore_existing else "")
        self._kind(sql)
        import duckdb

        with self.transaction():
            cursor = self._cursor()
            if not few:
                cursor.register("incoming_rows", incoming)
            try:
                counted = cursor.execute(sql, bound).fetchone()
            except duckdb.ConstraintException as error:
                raise LedgerConflict(
                    f"The ledger did not take {len(rows)} row(s) for {table}: {str(error).splitlines()[0]}"
                ) from error
            if not few:
                cursor.unregister("incoming_rows")
        return int(counted[0]) if counted else 0

    @contextmanager
    def transaction(self) -> Generator[None]:
        """All or nothing: what the block adds is there when it ends, or none of it is. Blocks of one thread nest."""
        with self._writer:
            thread = self._thread
            if thread.depth:
                thread.depth += 1
                try:
                    yield
                except BaseException:
                    thread.broken = True
                    raise
                finally:
                    thread.depth -= 1
                return
            cursor = self._cursor()
            cursor.begin()
            thread.depth, thread.broken = 1, False
            try:
                yield
                if thread.broken:
                    raise LedgerError("A part of this transaction failed, so none of it was committed to the ledger.")
                cursor.commit()
            except BaseException:
                cursor.rollback()
                raise
            finally:
                thread.depth = 0

    def verify(self) -> list[str]:
        """Check the tables against each other; a sentence per fault, none when all is well."""
        from backroom_pipeline.ledger.verify import faults

        return faults(self)

    def _cursor(self) -> DuckDBPyConnection:
        """This thread's cursor. It is not guarded, so it stays in here."""
        if self._connection is None:
            raise LedgerError(f"The ledger {self.path} is closed.")
        if self._thread.cursor is None:
            with self._guard:
                self._thread.cursor = self._connection.cursor()
                self._cursors.append(self._thread.cursor)
        return self._thread.cursor

    def _kind(self, sql: str) -> Literal["SELECT", "INSERT"]:
        if sql not in _kinds:
            _kinds[sql] = kind_of_statement(self._cursor(), sql)
        return _kinds[sql]

    def _arrow(self, table: str, rows: Sequence[Mapping[str, object]]) -> Any:
        """The rows as an Arrow table of the column types, which checks every value."""
        # pyarrow has no types of its own.
        arrow: Any = import_module("pyarrow")

        types: dict[str, Any] = {
            "VARCHAR": arrow.string(),
            "INTEGER": arrow.int32(),
            "BIGINT": arrow.int64(),
            "DOUBLE": arrow.float64(),
            "BOOLEAN": arrow.bool_(),
            "BLOB": arrow.binary(),
            "TIMESTAMP": arrow.timestamp("us"),
        }
        columns = self._columns_of(table)
        names = list(rows[0])
        if unknown := [name for name in names if name not in columns]:
            raise LedgerError(f"The table {table} of the ledger has no column {', '.join(unknown)}.")
        if any(row.keys() != rows[0].keys() for row in rows):
            raise LedgerError(f"The rows for {table} do not all have the same columns.")
        arrays: dict[str, Any] = {}
        for name in names:
            values = [row[name] for row in rows]
            if columns[name] == "TIMESTAMP":
                values = [_bound(value) for value in values]
            try:
                arrays[name] = arrow.array(values, type=types[columns[name]])
            except (arrow.ArrowInvalid, arrow.ArrowTypeError, OverflowError) as error:
                raise LedgerError(f"{table}.{name} is {columns[name]}; a value does not fit: {error}") from error
        return arrow.table(arrays)

    def _columns_of(self, table: str) -> dict[str, str]:
        if table not in self._columns:
            found = self.rows(
                "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? AND schema_name = 'main' "
                "ORDER BY column_index",
                [table],
            )
            if not found:
                raise LedgerError(f"The ledger has no table {table}.")
            self._columns[table] = {str(row["column_name"]): str(row["data_type"]) for row in found}
        return self._columns[table]


def _bound(value: object) -> object:
    """A value as the database keeps it: instants as UTC without a zone."""
    return in_utc(value).replace(tzinfo=None) if isinstance(value, datetime) else value


def _from_utc(value: object) -> object:
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value


def _connect(path: Path, read_only: bool, wait_seconds: float) -> DuckDBPyConnection:
    import duckdb

    give_up = time.monotonic() + wait_seconds
    while True:
        try:
            return duckdb.connect(str(path), read_only=read_only, config=dict(_SETTINGS))
        except duckdb.ConnectionException as error:
            # This process itself has the file open the other way round. A reader then shares the writer's database
            # (its Ledger still adds nothing); a writer waits for the readers.
            if read_only:
                read_only = False
                continue
            why = error
        except duckdb.IOException as error:
            if "Could not set lock" not in str(error):
                raise LedgerError(f"The ledger {path} cannot be opened: {str(error).splitlines()[0]}") from error
            why = error
        if time.monotonic() >= give_up:
            raise LedgerBusy(
                f"The ledger {path} is in use by {_holder(path, str(why))} and did not come free in "
                f"{wait_seconds:g} s. Wait for it or stop it, then try again."
            ) from why
        time.sleep(_RETRY_SECONDS)


def _holder(path: Path, refusal: str) -> str:
    playing = SeasonLock(path.parent).holder()
    found = re.search(r"\(PID (\d+)\)", refusal)
    if found is None:
        return playing or "this process, which is reading it"
    # Whoever plays the season is named in full; anybody else, a database browser for example, by its pid.
    pid = f"pid {found[1]}"
    return playing if playing and playing.startswith(f"{pid} ") else pid
