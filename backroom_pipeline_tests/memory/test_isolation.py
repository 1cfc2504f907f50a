"""No store is reachable from another team: random intruders, who know everything they should not."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from backroom_pipeline.ledger.memory_rows import audit_rows
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.embedder import WordsOnly
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import Member, Role
from backroom_pipeline.memory.project import NoSuchProject
from backroom_pipeline_tests.memory import invented
from backroom_pipeline_tests.memory.intruders import VERBS, intrude
from backroom_pipeline_tests.memory.test_gateway import play

MANAGERS = ("opus", "grok", "sonnet")


@pytest.mark.parametrize("seed", [1, 2])
def test_random_requests_of_other_teams_see_nothing_change_nothing_and_are_all_noted(
    ledger: Ledger, root: Path, seed: int
) -> None:
    """``python -m bench.isolation`` makes ten thousand of them."""
    gateway = Gateway(root, ledger, WordsOnly())
    invented.enrol(ledger, gateway, MANAGERS)
    play(ledger, gateway, 1, 2, managers=MANAGERS)
    invented.score(ledger, gateway, 1, {"opus": 50, "grok": 40, "sonnet": 30})
    report = intrude(ledger, gateway, MANAGERS, 330, seed)
    assert report.records_seen == 0
    assert report.audit_rows == report.audit_rows_that_fit == report.attempts == 330
    assert report.records_kept == report.records > 40
    assert set(report.by_verb) == set(VERBS)
    assert report.refused > report.granted > 0


def test_intruders_would_be_seen_to_see_if_the_door_were_open(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway = Gateway(root, ledger, WordsOnly())
    invented.enrol(ledger, gateway, MANAGERS)
    play(ledger, gateway, 1, managers=MANAGERS)
    guarded = Gateway._granted

    def open_door(self: Gateway, caller: Member, manager: str, role: Role, verb: str) -> AbstractContextManager[Any]:
        return (self._named if manager in MANAGERS else guarded.__get__(self))(caller, manager, role, verb)

    monkeypatch.setattr(Gateway, "_granted", open_door)
    assert intrude(ledger, gateway, MANAGERS, 200).records_seen > 50


def test_a_slug_that_cannot_name_a_store_is_refused_and_noted(ledger: Ledger, gateway: Gateway) -> None:
    for slug in ("", "x" * 300):
        with pytest.raises(NoSuchProject):
            gateway.team_create(slug)
        last = audit_rows(ledger)[-1]
        assert (last.caller_manager, last.verb, last.allowed) == (slug, "team_create", False)
        assert last.reason
