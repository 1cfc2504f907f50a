"""One process plays a season; the second is told who does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from backroom_pipeline.ledger.season_lock import LOCK_FILE, SeasonLock
from backroom_pipeline.ledger.store import SeasonLocked
from backroom_pipeline_tests.ledger.other_process import another_process, let_go

HOLD_THE_LOCK = 'with SeasonLock(Path(sys.argv[1])).acquire("backroom season run"): hold()'


def test_a_second_process_is_refused_and_told_who_plays(tmp_path: Path) -> None:
    with another_process(HOLD_THE_LOCK, tmp_path) as first:
        with pytest.raises(SeasonLocked) as refused, SeasonLock(tmp_path).acquire("backroom gameweek run"):
            pytest.fail("two processes play one season")
        assert str(refused.value).startswith(f"The season is being played by pid {first.pid} on host ")
        assert str(refused.value).endswith("(backroom season run). Wait for it or stop it.")
        assert str(SeasonLock(tmp_path).holder()).startswith(f"pid {first.pid} on host ")


def test_the_lock_is_free_when_its_holder_is_done(tmp_path: Path) -> None:
    with another_process(HOLD_THE_LOCK, tmp_path) as first:
        let_go(first)
        assert SeasonLock(tmp_path).holder() is None
        with SeasonLock(tmp_path).acquire("test"):
            assert f"pid {os.getpid()} " in str(SeasonLock(tmp_path).holder())


def test_a_holder_that_is_killed_frees_it(tmp_path: Path) -> None:
    with another_process(HOLD_THE_LOCK, tmp_path) as first:
        first.kill()
        first.wait()
        assert "backroom season run" in (tmp_path / LOCK_FILE).read_text()
        assert SeasonLock(tmp_path).holder() is None
        with SeasonLock(tmp_path).acquire("test"):
            assert f"pid {os.getpid()} " in str(SeasonLock(tmp_path).holder())


def test_one_process_may_take_it_again(tmp_path: Path) -> None:
    with SeasonLock(tmp_path).acquire("season"):
        with SeasonLock(tmp_path).acquire("gameweek"):
            assert "(season)" in str(SeasonLock(tmp_path).holder())
        assert "(season)" in str(SeasonLock(tmp_path).holder())
    assert SeasonLock(tmp_path).holder() is None


def test_leagues_do_not_lock_each_other(tmp_path: Path) -> None:
    with another_process(HOLD_THE_LOCK, tmp_path / "house"), SeasonLock(tmp_path / "frontier").acquire("test"):
        assert "backroom season run" in str(SeasonLock(tmp_path / "house").holder())


def test_a_failing_block_lets_go(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), SeasonLock(tmp_path).acquire("test"):
        raise ZeroDivisionError
    assert SeasonLock(tmp_path).holder() is None


def test_a_holder_that_has_not_written_its_name_yet_is_still_a_holder(tmp_path: Path) -> None:
    code = """
import fcntl
lock = open(sys.argv[1], "w")
fcntl.flock(lock, fcntl.LOCK_EX)
hold()
"""
    with another_process(code, tmp_path / LOCK_FILE):
        assert str(SeasonLock(tmp_path).holder()).startswith("another process")
        with pytest.raises(SeasonLocked, match="another process"), SeasonLock(tmp_path).acquire("test"):
            pytest.fail("two processes play one season")
