"""The ledger's file: who may have it, what survives a crash, and times that mean the same everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import duckdb
import pytest

from backroom_pipeline.ledger import schema
from backroom_pipeline.ledger.store import Ledger, LedgerBusy, LedgerConflict, LedgerError, LedgerMissing, SeasonLock
from backroom_pipeline_tests.ledger.other_process import another_process, let_go

NOON = datetime(2025, 10, 3, 12, 0, 0, 123456, tzinfo=UTC)
HOLD_THE_LEDGER = """
with SeasonLock(Path(sys.argv[1]).parent).acquire("backroom season run"), Ledger.open(Path(sys.argv[1])):
    hold()
"""


def text_row(sha256: str) -> dict[str, object]:
    return {"sha256": sha256, "zlib": b"\x00\xff"}


def audit_row(at: datetime) -> dict[str, object]:
    words = ("caller_manager", "caller_role", "project", "verb", "reason", "ids_json")
    return {"at": at, "allowed": True, **dict.fromkeys(words, "")}


def hashes(ledger: Ledger) -> list[object]:
    return [row["sha256"] for row in ledger.rows("SELECT sha256 FROM texts ORDER BY sha256")]


def test_what_was_added_is_there_when_opened_again(path: Path) -> None:
    with Ledger.open(path) as ledger:
        assert ledger.append("texts", [text_row("a"), text_row("b")]) == 2
    with Ledger.open(path) as ledger:
        assert ledger.rows("SELECT * FROM texts ORDER BY sha256") == [text_row("a"), text_row("b")]


def test_the_schema_is_made_once(path: Path) -> None:
    Ledger.open(path).close()
    with Ledger.open(path) as ledger:
        made = ledger.rows("SELECT number, name FROM schema_migrations ORDER BY number")
    assert [row["number"] for row in made] == [step.number for step in schema.migrations()]


def test_a_ledger_of_another_schema_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Ledger.open(path).close()
    first, *rest = schema.migrations()
    changed = schema.Migration(first.number, first.name, first.sql + "-- changed")
    monkeypatch.setattr(schema, "migrations", lambda: (changed, *rest))
    with pytest.raises(LedgerError, match="another schema step 0001"):
        Ledger.open(path)


def test_a_ledger_from_a_newer_program_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    newer = schema.Migration(9999, "9999_newer.sql", "CREATE TABLE newer (a INTEGER)")
    with monkeypatch.context() as patched:
        every = (*schema.migrations(), newer)
        patched.setattr(schema, "migrations", lambda: every)
        Ledger.open(path).close()
    with pytest.raises(LedgerError, match="9999"):
        Ledger.open(path, read_only=True)


def test_a_missing_schema_step_is_added_by_a_writer_and_named_to_a_reader(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Ledger.open(path).close()
    newer = schema.Migration(9999, "9999_newer.sql", "CREATE TABLE newer (a INTEGER)")
    every = (*schema.migrations(), newer)
    monkeypatch.setattr(schema, "migrations", lambda: every)
    with pytest.raises(LedgerError, match="backroom season run"):
        Ledger.open(path, read_only=True)
    with Ledger.open(path) as ledger:
        assert ledger.rows("SELECT * FROM newer") == []


def test_a_schema_step_that_fails_leaves_no_half_of_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Ledger.open(path).close()
    broken = schema.Migration(9999, "9999_broken.sql", "CREATE TABLE half (a INTEGER); CREATE TABLE texts (a INTEGER)")
    with monkeypatch.context() as patched:
        every = (*schema.migrations(), broken)
        patched.setattr(schema, "migrations", lambda: every)
        with pytest.raises(duckdb.CatalogException):
            Ledger.open(path)
    with Ledger.open(path) as ledger:
        assert ledger.rows("SELECT table_name FROM duckdb_tables() WHERE table_name = 'half'") == []


def test_reading_where_nothing_was_played_says_what_to_do(path: Path) -> None:
    with pytest.raises(LedgerMissing, match="backroom season run"):
        Ledger.open(path, read_only=True)
    assert not path.exists()


def test_a_file_that_is_no_ledger_is_named(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("not a database")
    with pytest.raises(LedgerError, match=str(path)):
        Ledger.open(path, wait_seconds=0)


def test_a_closed_ledger_says_so(path: Path) -> None:
    ledger = Ledger.open(path)
    ledger.close()
    ledger.close()
    with pytest.raises(LedgerError, match="closed"):
        ledger.rows("SELECT 1")


def test_a_transaction_is_all_or_nothing(ledger: Ledger) -> None:
    def fail() -> None:
        with ledger.transaction():
            ledger.append("texts", [text_row("a")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert hashes(ledger) == []
    with ledger.transaction():
        ledger.append("texts", [text_row("a")])
        assert hashes(ledger) == ["a"]
    assert hashes(ledger) == ["a"]


def test_transactions_nest_into_one(ledger: Ledger) -> None:
    def fail() -> None:
        with ledger.transaction():
            with ledger.transaction():
                ledger.append("texts", [text_row("a")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert hashes(ledger) == []


def test_a_failed_part_that_was_swallowed_still_undoes_the_whole(ledger: Ledger) -> None:
    def fail() -> None:
        with ledger.transaction():
            ledger.append("texts", [text_row("a")])
            raise ZeroDivisionError

    def swallow() -> None:
        with ledger.transaction():
            with suppress(ZeroDivisionError):
                fail()
            ledger.append("texts", [text_row("b")])

    with pytest.raises(LedgerError, match="none of it was committed"):
        swallow()
    assert hashes(ledger) == []


def test_a_conflict_inside_a_transaction_undoes_the_whole(ledger: Ledger) -> None:
    def collide() -> None:
        with ledger.transaction():
            ledger.append("texts", [text_row("b")])
            ledger.append("texts", [text_row("a")])

    ledger.append("texts", [text_row("a")])
    with pytest.raises(LedgerConflict):
        collide()
    assert hashes(ledger) == ["a"]
    ledger.append("texts", [text_row("c")])
    assert hashes(ledger) == ["a", "c"]


def test_eight_threads_add_and_read_at_once(ledger: Ledger) -> None:
    def work(thread: int) -> int:
        added = 0
        for number in range(12):
            with ledger.transaction():
                added += ledger.append("texts", [text_row(f"{thread}-{number}")])
                added += ledger.append("texts", [text_row(f"shared-{number}")], ignore_existing=True)
            assert {f"{thread}-{number}", f"shared-{number}"} <= set(hashes(ledger))
        return added

    with ThreadPoolExecutor(8) as pool:
        added = sum(pool.map(work, range(8)))
    assert added == len(hashes(ledger)) == 8 * 12 + 12


def test_two_ledgers_on_one_file_in_one_process_take_turns(path: Path) -> None:
    Ledger.open(path).close()

    def work(thread: int) -> None:
        for number in range(5):
            with Ledger.open(path) as ledger, ledger.transaction():
                there = len(hashes(ledger))
                ledger.append("texts", [text_row(f"{there:03d} by {thread} in {number}")])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    with Ledger.open(path, read_only=True) as ledger:
        assert [str(sha256)[:3] for sha256 in hashes(ledger)] == [f"{number:03d}" for number in range(40)]


def test_a_reader_in_the_writers_own_process_reads_beside_it(path: Path) -> None:
    with Ledger.open(path) as writing, Ledger.open(path, read_only=True, wait_seconds=0) as reading:
        writing.append("texts", [text_row("a")])
        assert hashes(reading) == ["a"]
        with pytest.raises(LedgerError, match="opened to be read"):
            reading.append("texts", [text_row("b")])


def test_a_reader_waits_for_a_writer_in_another_process(path: Path) -> None:
    with another_process(HOLD_THE_LEDGER, path) as holder, ThreadPoolExecutor(1) as pool:
        with pytest.raises(LedgerBusy):
            Ledger.open(path, read_only=True, wait_seconds=0)
        opening = pool.submit(Ledger.open, path, read_only=True, wait_seconds=60)
        let_go(holder)
        with opening.result() as ledger:
            assert hashes(ledger) == []


@pytest.mark.parametrize("read_only", [True, False])
def test_who_waits_in_vain_is_told_who_has_the_ledger(path: Path, read_only: bool) -> None:
    with another_process(HOLD_THE_LEDGER, path) as holder:
        with pytest.raises(LedgerBusy) as busy:
            Ledger.open(path, read_only=read_only, wait_seconds=0.2)
        assert f"pid {holder.pid} on host" in str(busy.value)
        assert "(backroom season run)" in str(busy.value)


def test_a_holder_who_does_not_play_the_season_is_named_by_its_pid(path: Path) -> None:
    browse = "with Ledger.open(Path(sys.argv[1])): hold()"
    with another_process(browse, path) as holder, SeasonLock(path.parent).acquire("test"):
        with pytest.raises(LedgerBusy) as busy:
            Ledger.open(path, wait_seconds=0)
        assert f"in use by pid {holder.pid} and" in str(busy.value)


@pytest.mark.parametrize("read_only", [True, False])
def test_a_process_killed_in_a_transaction_leaves_nothing_of_it(path: Path, read_only: bool) -> None:
    code = """
with Ledger.open(Path(sys.argv[1])) as ledger:
    ledger.append("texts", [{"sha256": "committed", "zlib": b""}])
    with ledger.transaction():
        ledger.append("texts", [{"sha256": "half", "zlib": b""}])
        hold()
"""
    with another_process(code, path) as writer:
        writer.kill()
        writer.wait()
        with Ledger.open(path, read_only=read_only) as ledger:
            assert hashes(ledger) == ["committed"]


def test_times_come_back_in_utc(ledger: Ledger) -> None:
    in_manila = NOON.astimezone(timezone(timedelta(hours=8)))
    ledger.append("audit", [audit_row(NOON), audit_row(in_manila)])
    read = [row["at"] for row in ledger.rows('SELECT "at" FROM audit')]
    assert read == [NOON, NOON]
    assert [moment.tzinfo for moment in read if isinstance(moment, datetime)] == [UTC, UTC]
    assert ledger.rows('SELECT count(*) AS n FROM audit WHERE "at" = ?', [in_manila]) == [{"n": 2}]


def test_a_time_without_a_zone_is_refused(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="no time zone"):
        ledger.append("audit", [audit_row(NOON.replace(tzinfo=None))])
    with pytest.raises(LedgerError, match="no time zone"):
        ledger.rows("SELECT 1 WHERE now() > ?", [NOON.replace(tzinfo=None)])


def test_the_zone_of_the_machine_does_not_matter(path: Path) -> None:
    code = """
import sys
from pathlib import Path
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline_tests.ledger.test_store import NOON, audit_row
with Ledger.open(Path(sys.argv[1])) as ledger:
    ledger.append("audit", [audit_row(NOON)])
    print([row["at"].isoformat() for row in ledger.rows('SELECT "at" FROM audit')])
"""
    read = [
        subprocess.run(
            [sys.executable, "-c", code, str(path)],
            env={**os.environ, "TZ": zone},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for zone in ("Pacific/Auckland", "America/St_Johns")
    ]
    assert read == [str([NOON.isoformat()]), str([NOON.isoformat()] * 2)]
