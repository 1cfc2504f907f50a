"""Dagster's event log for a season in one process: the same files, with their databases kept open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Self

from dagster._core.storage.event_log.sqlite.sqlite_event_log import INDEX_SHARD_NAME, SqliteEventLogStorage
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS
from dagster._serdes import ConfigurableClassData
from sqlalchemy import Connection, Engine, create_engine


class KeptOpen(SqliteEventLogStorage):
    """Dagster's own makes an engine, opens the file and compiles the statement for each of 700 statements a gameweek.

    That was a second of every week; here a file's engine and connection serve until the next run.
    """

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None) -> None:
        self._engines: dict[str, Engine] = {}
        super().__init__(base_dir, inst_data)

    @classmethod
    def from_config_value(cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]) -> Self:
        return cls(inst_data=inst_data, **config_value)

    def run_connection(self, run_id: str | None = None) -> AbstractContextManager[Connection]:
        return self._kept(str(run_id), lambda: super(KeptOpen, self).run_connection(run_id))

    def index_connection(self) -> AbstractContextManager[Connection]:
        return self._kept(INDEX_SHARD_NAME, super().index_connection)

    def dispose(self) -> None:
        while self._engines:
            self._engines.popitem()[1].dispose()
        super().dispose()

    @contextmanager
    def _kept(self, shard: str, first: Callable[[], AbstractContextManager[Connection]]) -> Iterator[Connection]:
        """``first`` is Dagster's own way, which makes the file when it is not there. Of the runs the newest is kept."""
        engine = self._engines.get(shard)
        if engine is not None:
            with engine.begin() as connection:
                yield connection
            return
        with first() as connection:
            yield connection
        for other in self._engines.keys() - {INDEX_SHARD_NAME, shard}:
            self._engines.pop(other).dispose()
        waits = {"timeout": SQLITE_BUSY_TIMEOUT_SECONDS}
        self._engines[shard] = create_engine(self.conn_string_for_shard(shard), connect_args=waits)
