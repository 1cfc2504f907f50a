"""The ledger's schema: numbered SQL files, each run once and remembered with its hash."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from backroom_pipeline.ledger.canonical import sha256_of
from backroom_pipeline.ledger.errors import LedgerError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_REMEMBERED = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    number INTEGER PRIMARY KEY, name VARCHAR NOT NULL, sha256 VARCHAR NOT NULL, applied_at TIMESTAMP NOT NULL
)
"""


@dataclass(frozen=True)
class Migration:
    """One step of the schema."""

    number: int
    name: str
    sql: str


@cache
def migrations() -> tuple[Migration, ...]:
    """All steps in order."""
    folder = resources.files("backroom_pipeline.ledger") / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return tuple(Migration(int(name[:4]), name, (folder / name).read_text(encoding="utf-8")) for name in names)


def migrate(connection: DuckDBPyConnection, path: Path) -> None:
    """Bring the ledger at ``path`` to the newest schema; all missing steps or none."""
    applied = _applied(connection)
    _refuse_strangers(applied, path)
    missing = [step for step in migrations() if step.number not in applied]
    if not missing:
        return
    connection.begin()
    try:
        connection.execute(_REMEMBERED)
        for step in missing:
            connection.execute(step.sql)
            connection.execute(
                "INSERT INTO schema_migrations VALUES (?, ?, ?, ?)",
                [step.number, step.name, sha256_of(step.sql), datetime.now(UTC).replace(tzinfo=None)],
            )
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


def check_schema(connection: DuckDBPyConnection, path: Path) -> None:
    """Raise LedgerError unless the ledger at ``path`` has exactly the schema this code reads."""
    applied = _applied(connection)
    _refuse_strangers(applied, path)
    if len(applied) < len(migrations()):
        raise LedgerError(
            f"The ledger {path} has schema {max(applied, default=0)}, this program reads {migrations()[-1].number}. "
            "Play or resume the season once (backroom season run): that brings it up to date."
        )


def _applied(connection: DuckDBPyConnection) -> dict[int, str]:
    known = connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'schema_migrations'").fetchone()
    if known is None:
        return {}
    return dict(connection.execute("SELECT number, sha256 FROM schema_migrations ORDER BY number").fetchall())


def _refuse_strangers(applied: dict[int, str], path: Path) -> None:
    ours = {step.number: sha256_of(step.sql) for step in migrations()}
    for number, sha256 in applied.items():
        if ours.get(number) != sha256:
            raise LedgerError(
                f"The ledger {path} was made with another schema step {number:04d} than this program has. "
                "Use the version of the program that made it, or start a new state directory."
            )
