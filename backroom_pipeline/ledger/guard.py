"""The statement guard: nothing passes the ledger's door but SELECT and an INSERT that only adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from backroom_pipeline.ledger.errors import ChangeRefused

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# A SELECT may carry a changing statement in its WITH clause (DuckDB 2.0), and an INSERT may overwrite. The kind of
# statement alone does not tell, so its keywords are looked at too; names in quotes and text in strings do not count.
_CHANGES = frozenset({"DELETE", "UPDATE", "MERGE", "TRUNCATE", "ALTER", "DROP", "CREATE", "ATTACH", "DETACH", "COPY"})


def kind_of_statement(connection: DuckDBPyConnection, sql: str) -> Literal["SELECT", "INSERT"]:
    """The kind of one harmless statement.

    Raises ChangeRefused for anything else: several statements at once, UPDATE, DELETE, REPLACE, ON CONFLICT DO UPDATE,
    schema changes, ATTACH, COPY, PRAGMA, settings.
    """
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise ChangeRefused(f"The ledger takes one statement at a time, not {len(statements)}: {_shortened(sql)}")
    kind = statements[0].type.name
    words = _keywords(sql)
    if kind == "SELECT" and not _CHANGES & set(words) and "INSERT" not in words:
        return "SELECT"
    if kind == "INSERT" and _only_adds(words):
        return "INSERT"
    raise ChangeRefused(
        "A committed row of the ledger is never changed or deleted: only SELECT and INSERT (at most with "
        f"ON CONFLICT DO NOTHING) are let in. Add a new version instead of: {_shortened(sql)}"
    )


def _only_adds(words: list[str]) -> bool:
    if _CHANGES & set(words) or "REPLACE" in words or words.count("INSERT") != 1:
        return False
    at = words.index("INSERT")
    return words[at : at + 2] == ["INSERT", "INTO"]


def _keywords(sql: str) -> list[str]:
    """The keywords in order, in capitals."""
    import duckdb

    # Offsets are of bytes.
    text = sql.encode()
    tokens = duckdb.tokenize(sql)
    ends = [start for start, _ in tokens[1:]] + [len(text)]
    return [
        text[start:end].decode().split()[0].upper()
        for (start, kind), end in zip(tokens, ends, strict=True)
        if kind == duckdb.token_type.keyword
    ]


def _shortened(sql: str) -> str:
    line = " ".join(sql.split())
    return line if len(line) <= 120 else line[:117] + "..."
