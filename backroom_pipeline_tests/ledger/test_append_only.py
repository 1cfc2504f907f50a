"""A committed row is never changed or deleted: what the door of the ledger lets in."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from backroom_pipeline.ledger.guard import kind_of_statement
from backroom_pipeline.ledger.store import ChangeRefused, Ledger, LedgerConflict, LedgerError

REFUSED = [
    "UPDATE managers SET model = 'better'",
    "DELETE FROM managers",
    "TRUNCATE managers",
    "INSERT OR REPLACE INTO managers VALUES ('opus', 1, 'Opus', 'better', NULL, now())",
    "INSERT OR IGNORE INTO managers VALUES ('opus', 1, 'Opus', 'better', NULL, now())",
    "INSERT INTO managers VALUES ('opus', 1, 'O', 'm', NULL, now()) ON CONFLICT DO UPDATE SET model = 'better'",
    "INSERT INTO managers BY NAME SELECT * FROM managers on /* so */ conflict do\nupdate set model = 'better'",
    "MERGE INTO managers USING (SELECT 'opus' AS slug) AS s USING (slug) WHEN MATCHED THEN DELETE",
    "WITH gone AS (DELETE FROM managers RETURNING *) SELECT * FROM gone",
    "WITH changed AS (UPDATE managers SET model = 'better' RETURNING *) SELECT count(*) FROM changed",
    "WITH gone AS (DELETE FROM managers RETURNING slug) INSERT INTO texts SELECT slug, ''::BLOB FROM gone",
    "SELECT 1; DELETE FROM managers",
    "DROP TABLE managers",
    "ALTER TABLE managers ADD COLUMN owner VARCHAR",
    "CREATE TABLE shadow AS SELECT * FROM managers",
    "CREATE TEMP TABLE shadow (slug VARCHAR)",
    "CREATE OR REPLACE VIEW decisions AS SELECT 1",
    "ATTACH 'other.duckdb'",
    "COPY managers TO 'managers.csv'",
    "EXPORT DATABASE 'copy'",
    "PRAGMA database_size",
    "SET threads = 1",
    "CALL pragma_version()",
    "CHECKPOINT",
    "VACUUM",
    "BEGIN",
    "PREPARE gone AS DELETE FROM managers",
    "EXECUTE gone",
    "EXPLAIN ANALYZE DELETE FROM managers",
    "LOAD json",
    "",
]
LET_IN = {
    "SELECT * FROM managers": "SELECT",
    "WITH m AS (SELECT * FROM managers) SELECT count(*) FROM m": "SELECT",
    "FROM managers": "SELECT",
    "SELECT 'ON CONFLICT DO UPDATE', replace(name, 'o', 'a') AS \"delete\" FROM managers -- update": "SELECT",
    "INSERT INTO managers VALUES ('mgr-2', 1, 'Two', 'm', NULL, now())": "INSERT",
    "INSERT INTO managers VALUES ('mgr-2', 1, 'DO UPDATE', 'm', NULL, now()) ON CONFLICT DO NOTHING": "INSERT",
    "INSERT INTO managers BY NAME SELECT * FROM managers ON CONFLICT (slug, version) DO NOTHING": "INSERT",
}


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@pytest.fixture
def with_opus(ledger: Ledger) -> Ledger:
    ledger.append("managers", [_manager(ledger)])
    return ledger


def _manager(ledger: Ledger, model: str = "house/banker") -> dict[str, object]:
    return {"slug": "opus", "version": 1, "name": "Opus", "model": model, "recorded_at": ledger.now()}


@pytest.mark.parametrize("sql", REFUSED)
def test_whatever_could_change_a_row_is_refused(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    with pytest.raises(ChangeRefused):
        kind_of_statement(connection, sql)


@pytest.mark.parametrize(("sql", "kind"), LET_IN.items())
def test_reading_and_adding_are_let_in(connection: duckdb.DuckDBPyConnection, sql: str, kind: str) -> None:
    assert kind_of_statement(connection, sql) == kind


@pytest.mark.parametrize("sql", [*REFUSED, *(sql for sql, kind in LET_IN.items() if kind == "INSERT")])
def test_a_query_leaves_the_ledger_as_it_was(with_opus: Ledger, sql: str) -> None:
    before = with_opus.rows("SELECT * FROM managers")
    with pytest.raises(ChangeRefused):
        with_opus.rows(sql)
    assert with_opus.rows("SELECT * FROM managers") == before


def test_duckdb_calls_a_select_what_deletes_so_the_kind_alone_would_not_do() -> None:
    bare = duckdb.connect()
    bare.execute("CREATE TABLE managers (slug VARCHAR)")
    bare.execute("INSERT INTO managers VALUES ('opus')")
    sql = "WITH gone AS (DELETE FROM managers RETURNING *) SELECT * FROM gone"
    assert bare.extract_statements(sql)[0].type.name == "SELECT"
    bare.execute(sql).fetchall()
    assert bare.execute("SELECT count(*) FROM managers").fetchone() == (0,)


def test_what_is_no_sql_does_not_get_in(ledger: Ledger) -> None:
    with pytest.raises(duckdb.ParserException):
        ledger.rows("REPLACE INTO managers VALUES ('opus')")


def test_the_engine_reads_no_other_file(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("key")
    with pytest.raises(duckdb.PermissionException):
        ledger.rows("SELECT * FROM read_text(?)", [str(tmp_path / "secret.txt")])


def test_a_key_that_is_there_is_not_written_over(with_opus: Ledger) -> None:
    with pytest.raises(LedgerConflict, match="managers"):
        with_opus.append("managers", [_manager(with_opus, "better")])
    assert with_opus.append("managers", [_manager(with_opus, "better")], ignore_existing=True) == 0
    assert [row["model"] for row in with_opus.rows("SELECT model FROM managers")] == ["house/banker"]


def test_of_a_batch_with_one_known_key_nothing_goes_in(with_opus: Ledger) -> None:
    new = _manager(with_opus) | {"slug": "haiku"}
    with pytest.raises(LedgerConflict):
        with_opus.append("managers", [new, _manager(with_opus)])
    assert with_opus.rows("SELECT slug FROM managers") == [{"slug": "opus"}]
    assert with_opus.append("managers", [new, _manager(with_opus)], ignore_existing=True) == 1


def test_a_ledger_opened_to_be_read_takes_no_row(path: Path) -> None:
    Ledger.open(path).close()
    with Ledger.open(path, read_only=True) as reading, pytest.raises(LedgerError, match="opened to be read"):
        reading.append("managers", [_manager(reading)])


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"slug": "opus", "salary": 3}, "no column salary"),
        ({"slug": "opus", "version": "1"}, "managers.version is INTEGER"),
        ({"slug": "opus", "version": 1 << 40}, "managers.version is INTEGER"),
        ({"slug": 3}, "managers.slug is VARCHAR"),
        ({"slug": "opus"}, "NOT NULL"),
    ],
)
def test_a_row_that_does_not_fit_is_refused_with_its_reason(
    ledger: Ledger, row: dict[str, object], sentence: str
) -> None:
    with pytest.raises(LedgerError, match=sentence):
        ledger.append("managers", [row])


def test_rows_of_different_shape_are_refused(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="same columns"):
        ledger.append("managers", [_manager(ledger), {"slug": "haiku"}])


def test_an_unknown_table_is_named(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="no table salaries"):
        ledger.append("salaries", [{"slug": "opus"}])
