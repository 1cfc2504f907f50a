"""What belongs together is linked with a reason, and what is repeated becomes a thread, once and for all."""

from __future__ import annotations

from pathlib import Path

import pytest

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.associations import links_for
from backroom_pipeline.memory.embedder import WordsOnly
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import (
    ROLES,
    CaptainPlayer,
    Claim,
    FreeText,
    KeepPlayer,
    Member,
    MemoryRecord,
    PlayChipIn,
    SellPlayer,
)
from backroom_pipeline.memory.project import _project_for
from backroom_pipeline.memory.rebuild import records_due
from backroom_pipeline.memory.store import Store
from backroom_pipeline_tests.memory import invented
from backroom_pipeline_tests.memory.test_gateway import OPUS, play

SOLD = 8
"""Whom every invented week from the second on sells."""
NEVER_CAPTAIN = 13
"""Whom no invented week captains."""

KEEP = Claim(text="Raya stays.", terms=KeepPlayer(kind="keep_player", player_id=1))
KEEP_AGAIN = Claim(text="As I said, Raya stays.", terms=KeepPlayer(kind="keep_player", player_id=1, last=30))
SELL = Claim(text="Raya goes by Christmas.", terms=SellPlayer(kind="sell_player", player_id=1, first=17, last=18))
KEEP_OTHER = Claim(text="Gabriel stays.", terms=KeepPlayer(kind="keep_player", player_id=3))
WILDCARD = Claim(
    text="The wildcard goes in gameweek 9.", terms=PlayChipIn(kind="play_chip_in", chip="wildcard", first=9, last=9)
)
WILDCARD_LATER = Claim(
    text="The wildcard goes in gameweek 12.", terms=PlayChipIn(kind="play_chip_in", chip="wildcard", first=12, last=12)
)
BOOST = Claim(
    text="The bench boost goes in gameweek 9.",
    terms=PlayChipIn(kind="play_chip_in", chip="bench_boost", first=9, last=9),
)
SELL_SOON = Claim(
    text="Palmer is sold within three weeks.",
    terms=SellPlayer(kind="sell_player", player_id=SOLD, first=2, last=4),
)
CAPTAIN = Claim(
    text="Haaland is captain in gameweek 3.",
    terms=CaptainPlayer(kind="captain_player", player_id=NEVER_CAPTAIN, first=3, last=3),
)
OPINION = Claim(text="Patience pays.", terms=FreeText(kind="free_text"))


@pytest.fixture
def promised(ledger: Ledger, gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> Gateway:
    """Four weeks in which opus says what the constants above say."""
    said = {1: (KEEP, WILDCARD, SELL_SOON, CAPTAIN, OPINION), 2: (SELL, KEEP_OTHER, BOOST, OPINION), 3: (KEEP_AGAIN,)}
    monkeypatch.setattr(invented, "promises", lambda gameweek, _: said.get(gameweek, (WILDCARD_LATER,)))
    monkeypatch.setattr(invented, "FIRST_PROMISES", ())
    play(ledger, gateway, 1, 2, 3, 4)
    return gateway


def linked(gateway: Gateway, record: MemoryRecord) -> set[tuple[str, str]]:
    """Reason and text of what a record is linked to; of decisions only the gameweek."""
    known = {other.id: other for other in gateway.get(OPUS, "opus", "manager")}
    found = gateway.links(OPUS, "opus", "manager", [record.id])[record.id]
    return {
        (link.reason, other.text if (other := known[link.record_id]).category != "narrative" else str(other.gameweek))
        for link in found
    }


def record_of(gateway: Gateway, text: str) -> MemoryRecord:
    return [record for record in gateway.get(OPUS, "opus", "manager") if record.text == text][-1]


def decision_of(gateway: Gateway, gameweek: int) -> MemoryRecord:
    records = gateway.get(OPUS, "opus", "manager")
    return next(record for record in records if (record.category, record.gameweek) == ("narrative", gameweek))


def test_the_same_stance_on_the_same_player_is_linked_across_weeks(promised: Gateway) -> None:
    assert linked(promised, record_of(promised, KEEP_AGAIN.text)) == {
        ("the decision it was made with", "3"),
        ("the same stance on the same player in gameweek 1", KEEP.text),
    }


def test_another_stance_on_a_player_and_the_same_on_another_are_not(promised: Gateway) -> None:
    for text in (SELL.text, KEEP_OTHER.text):
        assert linked(promised, record_of(promised, text)) == {("the decision it was made with", "2")}


def test_the_same_plan_is_linked_and_the_same_week_for_another_chip_is_not(promised: Gateway) -> None:
    assert ("the same plan in gameweek 1", WILDCARD.text) in linked(promised, record_of(promised, WILDCARD_LATER.text))
    assert linked(promised, record_of(promised, BOOST.text)) == {("the decision it was made with", "2")}


def test_an_opinion_is_linked_to_its_decision_only(promised: Gateway) -> None:
    assert linked(promised, record_of(promised, OPINION.text)) == {("the decision it was made with", "2")}


def test_a_promise_is_linked_to_the_decision_that_keeps_or_breaks_it(promised: Gateway) -> None:
    second, third, fourth = (linked(promised, decision_of(promised, gameweek)) for gameweek in (2, 3, 4))
    assert second == {
        ("the narrative of the gameweek before, 1", "1"),
        ("a promise of gameweek 1, kept here", SELL_SOON.text),
    }
    assert third == {
        ("the narrative of the gameweek before, 2", "2"),
        ("a promise of gameweek 1, broken here", CAPTAIN.text),
    }
    assert fourth == {("the narrative of the gameweek before, 3", "3")}


def test_links_are_the_same_week_by_week_and_all_at_once(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, *range(1, 7))
    for role in ROLES:
        member = Member(manager="opus", role=role)
        records = records_due(ledger, "opus", role)
        by_week = gateway.links(member, "opus", role, [record.id for record in records])
        assert by_week == links_for(ledger, "opus", role, records)
        assert sum(map(len, by_week.values())) >= 5
        assert all(link.reason for found in by_week.values() for link in found)


def test_the_weekly_run_leaves_nothing_to_associate_or_to_consolidate(
    ledger: Ledger, gateway: Gateway, root: Path
) -> None:
    """Neither adds, changes or even writes anything when it is run again, and again."""
    play(ledger, gateway, 1, 2, 3, 4)
    assert [record for record in gateway.get(OPUS, "opus", "manager") if record.category == "thread"]
    for role in ROLES:
        member, project = Member(manager="opus", role=role), _project_for("opus", role)
        records = gateway.get(member, "opus", role)
        written = Store(root / project.team, project.table, WordsOnly()).view().state
        for _ in range(2):
            assert gateway.associate(member, "opus", role) == {}
            assert gateway.consolidate(member, "opus", role) == []
        assert Store(root / project.team, project.table, WordsOnly()).view().state == written
        assert gateway.get(member, "opus", role) == records


def test_threads_are_never_pinned_and_name_pinned_promises_that_stay_as_they_were(
    ledger: Ledger, gateway: Gateway
) -> None:
    play(ledger, gateway, 1)
    pinned = [record for record in gateway.get(OPUS, "opus", "manager") if record.pinned]
    play(ledger, gateway, 2, 3, 4)
    records = {record.id: record for record in gateway.get(OPUS, "opus", "manager")}
    assert [records[record.id] for record in pinned] == pinned
    threads = [record for record in records.values() if record.category == "thread"]
    assert threads
    for thread in threads:
        assert not thread.pinned
        named = [records[link.record_id] for link in gateway.links(OPUS, "opus", "manager", [thread.id])[thread.id]]
        assert all(promise.pinned and promise.category == "commitment" for promise in named)
        assert len({promise.gameweek for promise in named}) == len(named) >= 2
