"""One door: isolation, audit, no delete, writes that are really there, outcomes, conflicts, threads, links."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from backroom_pipeline.ledger.memory_rows import audit_rows
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments import standing_claims
from backroom_pipeline.memory.embedder import WordsOnly, load_embedder
from backroom_pipeline.memory.gateway import Gateway, Refused
from backroom_pipeline.memory.model import ROLES, Claim, HoldChip, Member, MemoryRecord, PlayChipIn, Recall, Role
from backroom_pipeline.memory.project import NoSuchProject, _project_for
from backroom_pipeline.memory.records import records_owed
from backroom_pipeline.memory.store import Store
from backroom_pipeline_tests.memory import invented
from backroom_pipeline_tests.memory.invented import MANAGERS, SEASON

OPUS = Member(manager="opus", role="manager")


def play(ledger: Ledger, gateway: Gateway, *gameweeks: int, managers: tuple[str, ...] = ("opus", "grok")) -> None:
    for gameweek in gameweeks:
        invented.decide(ledger, gameweek, managers)
        for manager in managers:
            invented.remember(ledger, gateway, gameweek, manager)


def ask(
    ledger: Ledger, gateway: Gateway, question: str, before: int, role: Role = "manager", budget: int = 1500
) -> Recall:
    owed = records_owed(ledger, "opus", role, (SEASON, before))
    return gateway.recall(
        Member(manager="opus", role=role),
        "opus",
        role,
        [question],
        before=(SEASON, before),
        expected=[record.id for record in owed],
        budget_tokens=budget,
    )


def test_eight_teams_have_twenty_four_members_and_none_in_common() -> None:
    projects = {manager: {_project_for(manager, role) for role in ROLES} for manager in MANAGERS}
    teams = {manager: {project.team for project in own} for manager, own in projects.items()}
    assert len(set().union(*projects.values())) == 24
    assert [len(team) for team in teams.values()] == [1] * 8
    assert len(set().union(*teams.values())) == 8


def test_eight_managers_hold_twenty_four_stores_with_no_record_in_common(ledger: Ledger, root: Path) -> None:
    gateway = Gateway(root, ledger, WordsOnly())
    invented.enrol(ledger, gateway)
    invented.decide(ledger, 1)
    for manager in MANAGERS:
        invented.remember(ledger, gateway, 1, manager)
    held = [
        {record.id for record in gateway.get(Member(manager=manager, role=role), manager, role)}
        for manager in MANAGERS
        for role in ROLES
    ]
    assert all(held)
    assert sum(map(len, held)) == len(set().union(*held))
    assert len(list(root.glob("*/*.lance"))) == 24


def test_slugs_that_look_alike_have_stores_of_their_own() -> None:
    alike = ["mgr-1", "mgr_1", "MGR 1", "mgr 1", "Mgr-1", "mgr_5f1", "mgr.1", "mgr/1", "mgr-1 ", "mgr\u20111"]
    names = {_project_for(slug, "manager") for slug in alike}
    assert len(names) == len(alike)
    folded = {(project.team.casefold(), project.table.casefold()) for project in names}
    assert len(folded) == len(alike)


@pytest.mark.parametrize("slug", ["", "x" * 300])
def test_a_slug_that_cannot_name_a_store_is_refused(gateway: Gateway, slug: str) -> None:
    with pytest.raises(NoSuchProject):
        gateway.team_create(slug)


def test_a_foreign_caller_is_refused_and_the_refusal_is_audited(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1)
    with pytest.raises(Refused, match="teams share nothing"):
        gateway.recall(Member(manager="grok", role="manager"), "opus", "manager", ["chips"], before=(SEASON, 2))
    last = audit_rows(ledger)[-1]
    assert (last.caller_manager, last.project, last.verb, last.allowed) == (
        "grok",
        "context_fpl_mgr_opus",
        "recall",
        False,
    )
    assert last.ids_json == "[]"


def test_every_verb_refuses_a_foreign_caller_and_notes_it(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1)
    grok = Member(manager="grok", role="manager")
    claim = Claim(text="x", terms=HoldChip(kind="hold_chip", chip="any"))
    requests = {
        "store": lambda: gateway.store(grok, "opus", "manager", []),
        "recall": lambda: gateway.recall(grok, "opus", "manager", ["x"], before=(SEASON, 2)),
        "get": lambda: gateway.get(grok, "opus", "manager"),
        "links": lambda: gateway.links(grok, "opus", "manager", []),
        "conflict_check": lambda: gateway.conflict_check(grok, "opus", claim, at=(SEASON, 2)),
        "outcome_record": lambda: gateway.outcome_record(grok, "opus", "manager", {}),
        "associate": lambda: gateway.associate(grok, "opus", "manager"),
        "consolidate": lambda: gateway.consolidate(grok, "opus", "manager"),
        "audit": lambda: gateway.audit(grok, "opus", "manager"),
    }
    for verb, request in requests.items():
        with pytest.raises(Refused):
            request()
        last = audit_rows(ledger)[-1]
        assert (last.verb, last.caller_manager, last.allowed) == (verb, "grok", False)


def test_somebody_who_was_never_added_to_the_team_is_refused(ledger: Ledger, root: Path) -> None:
    gateway = Gateway(root, ledger, WordsOnly())
    gateway.team_create("opus")
    with pytest.raises(Refused, match="team_add_member"):
        gateway.recall(OPUS, "opus", "manager", ["chips"], before=(SEASON, 2))


def test_every_granted_request_is_one_audit_row_with_its_ids(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1)
    before = len(audit_rows(ledger))
    recall = ask(ledger, gateway, "chips", 2)
    rows = audit_rows(ledger)[before:]
    assert [(row.verb, row.allowed) for row in rows] == [("recall", True)]
    assert all(item.record.id in rows[0].ids_json for item in recall.items)


def test_the_gateway_has_no_way_to_delete() -> None:
    verbs = [name for name in dir(Gateway) if not name.startswith("_")]
    assert not [name for name in verbs if any(word in name for word in ("delete", "remove", "drop", "clear", "forget"))]
    source = Path(__file__).parents[2] / "backroom_pipeline" / "memory"
    for module in ("gateway.py", "store.py", "project.py"):
        assert ".delete(" not in (source / module).read_text()
        assert "drop_table" not in (source / module).read_text()


def test_only_one_piece_of_code_names_a_store() -> None:
    source = Path(__file__).parents[2] / "backroom_pipeline"
    naming = [path.name for path in source.rglob("*.py") if 'f"context_fpl' in path.read_text()]
    assert naming == ["project.py"]


def test_a_record_altered_on_the_way_is_refused(ledger: Ledger, gateway: Gateway) -> None:
    invented.decide(ledger, 1, ("opus", "grok"))
    record = records_owed(ledger, "opus", "manager")[-1]
    with pytest.raises(Refused, match="unaltered"):
        gateway.store(OPUS, "opus", "manager", [record.model_copy(update={"text": "I never said that."})])
    with pytest.raises(Refused, match="own records only"):
        gateway.store(OPUS, "opus", "manager", [records_owed(ledger, "grok", "manager")[-1]])


def test_a_duplicate_in_one_batch_or_a_second_write_is_one_record(ledger: Ledger, gateway: Gateway) -> None:
    invented.decide(ledger, 1, ("opus", "grok"))
    records = records_owed(ledger, "opus", "manager")
    gateway.store(OPUS, "opus", "manager", [*records, *records])
    gateway.store(OPUS, "opus", "manager", records)
    assert sorted(record.id for record in gateway.get(OPUS, "opus", "manager")) == sorted(r.id for r in records)


def test_an_outcome_is_attached_to_the_weeks_records_and_read_back(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1, 2)
    invented.score(ledger, gateway, 1, {"opus": 34, "grok": 50})
    by_week = {record.gameweek: record.outcome for record in gateway.get(OPUS, "opus", "manager")}
    assert by_week[0] is None
    assert by_week[2] is None
    assert by_week[1] is not None
    assert by_week[1].sentence == "RESULT: mixed. Gameweek 1: 34 net points, finishing 2 of 2. Season total 34."


def test_a_restated_result_is_attached_again_with_its_version(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1)
    invented.score(ledger, gateway, 1, {"opus": 34, "grok": 50})
    invented.score(ledger, gateway, 1, {"opus": 52, "grok": 50}, version=2)
    outcome = gateway.get(OPUS, "opus", "manager")[-1].outcome
    assert outcome is not None
    assert (outcome.net_points, outcome.rank, outcome.scoring_version) == (52, 1, 2)


def test_an_outcome_never_changes_what_is_recalled_or_its_order(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1, 2, 3)
    before = ask(ledger, gateway, "Will I take a points hit?", 4)
    for gameweek, points in ((1, 10), (2, 90), (3, 10)):
        invented.score(ledger, gateway, gameweek, {"opus": points, "grok": 50})
    after = ask(ledger, gateway, "Will I take a points hit?", 4)
    assert [(item.record.id, item.score) for item in after.items] == [
        (item.record.id, item.score) for item in before.items
    ]
    assert after.dropped == before.dropped
    assert any(item.record.outcome for item in after.items)


def test_an_outcome_for_an_unknown_record_is_refused(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1)
    invented.score(ledger, gateway, 1, {"opus": 34, "grok": 50})
    outcome = gateway.get(OPUS, "opus", "manager")[-1].outcome
    assert outcome is not None
    with pytest.raises(Refused, match="never given"):
        gateway.outcome_record(OPUS, "opus", "manager", {"00" * 32: outcome})


def test_links_point_backwards_carry_a_reason_and_do_not_change(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1, 2, 3)
    records = {record.id: record for record in gateway.get(OPUS, "opus", "manager")}
    links = gateway.links(OPUS, "opus", "manager", list(records))
    assert gateway.associate(OPUS, "opus", "manager") == {}
    assert gateway.links(OPUS, "opus", "manager", list(records)) == links
    narrative = next(r for r in records.values() if r.category == "narrative" and r.gameweek == 3)
    assert "the narrative of the gameweek before, 2" in [link.reason for link in links[narrative.id]]
    for record_id, found in links.items():
        for link in found:
            assert link.reason
            assert records[link.record_id].gameweek <= records[record_id].gameweek


def test_association_links_a_store_that_was_written_without(ledger: Ledger, gateway: Gateway, root: Path) -> None:
    invented.decide(ledger, 1, ("opus", "grok"))
    invented.decide(ledger, 2, ("opus", "grok"))
    records = records_owed(ledger, "opus", "manager")
    Store(root / _project_for("opus", "manager").team, "context_fpl_mgr_opus", WordsOnly()).write(
        records, [[]] * len(records)
    )
    made = gateway.associate(OPUS, "opus", "manager")
    assert set(made) == {record.id for record in records if record.category != "identity"}
    assert gateway.links(OPUS, "opus", "manager", list(made)) == made
    assert gateway.associate(OPUS, "opus", "manager") == {}


def test_the_same_promise_made_again_is_linked_to_the_earlier_one(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1, 2)
    records = {record.id: record for record in gateway.get(OPUS, "opus", "manager")}
    again = next(r for r in records.values() if r.gameweek == 2 and r.text == "I will not take a points hit.")
    earlier = [records[link.record_id] for link in gateway.links(OPUS, "opus", "manager", [again.id])[again.id]]
    assert (1, "I will not take a points hit.") in [(record.gameweek, record.text) for record in earlier]


def test_repeating_a_promise_makes_a_thread_and_loses_nothing(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1, 2, 3, 4, 5)
    records = gateway.get(OPUS, "opus", "manager")
    threads = [record for record in records if record.category == "thread"]
    assert [thread.text for thread in threads] == [
        "In gameweeks 1 and 2 I said the same: I will not take a points hit.",
        "In gameweeks 1, 2, 3 and 4 I said the same: I will not take a points hit.",
    ]
    assert gateway.consolidate(OPUS, "opus", "manager") == []
    owed = records_owed(ledger, "opus", "manager")
    assert {record.id for record in owed} == {record.id for record in records if record.category != "thread"}
    assert {record.id for record in records if record.pinned} == {record.id for record in owed if record.pinned}


def test_recall_shows_only_the_longest_thread_of_its_time(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1, 2, 3, 4)
    for before, weeks in ((4, "1 and 2"), (5, "1, 2, 3 and 4")):
        shown = [i.record.text for i in ask(ledger, gateway, "points hit in gameweeks said the same", before).items]
        assert [text for text in shown if text.startswith("In gameweeks")] == [
            f"In gameweeks {weeks} I said the same: I will not take a points hit."
        ]


def test_a_promise_against_an_open_one_is_a_conflict_that_names_it(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1)
    early = Claim(
        text="The wildcard goes in gameweek three.",
        terms=PlayChipIn(kind="play_chip_in", chip="wildcard", first=3, last=3),
    )
    late = early.model_copy(update={"terms": PlayChipIn(kind="play_chip_in", chip="wildcard", first=8, last=8)})
    found = gateway.conflict_check(OPUS, "opus", early, at=(SEASON, 2))
    assert "My chips, all of them, wait until at least gameweek six." in [c.earlier.claim.text for c in found]
    assert gateway.conflict_check(OPUS, "opus", late, at=(SEASON, 2)) == []
    assert len(standing_claims(ledger, "opus", SEASON, 2)) > len(found)


def test_eight_managers_write_and_recall_at_once(ledger: Ledger, root: Path) -> None:
    gateway = Gateway(root, ledger, WordsOnly())
    invented.enrol(ledger, gateway)
    invented.decide(ledger, 1)
    invented.decide(ledger, 2)

    def week(manager: str) -> tuple[int, str]:
        written = sum(invented.remember(ledger, gateway, gameweek, manager) for gameweek in (1, 2))
        owed = [record.id for record in records_owed(ledger, manager, "manager", (SEASON, 3))]
        member = Member(manager=manager, role="manager")
        recall = gateway.recall(member, manager, "manager", ["captain"], before=(SEASON, 3), expected=owed)
        assert {item.record.manager for item in recall.items} == {manager}
        return written, recall.state

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(week, MANAGERS)) == [(16, "complete")] * 8


def test_a_store_refuses_another_embedder_until_it_is_rebuilt(ledger: Ledger, gateway: Gateway, root: Path) -> None:
    play(ledger, gateway, 1)
    other = Gateway(root, ledger, load_embedder("local"))
    recall = ask(ledger, other, "chips", 2)
    assert recall.state == "unavailable"
    assert "rebuilt" in recall.reason


def states(ledger: Ledger, gateway: Gateway, role: Role = "manager") -> tuple[str, str]:
    owed = [record.id for record in records_owed(ledger, "opus", role)]
    checked = gateway.store_check("opus", role, owed)
    recalled = gateway.recall(
        Member(manager="opus", role=role), "opus", role, ["x"], before=(SEASON, 38), expected=owed
    )
    assert recalled.state == checked[0]
    # Of several files that are gone, either may name another one.
    assert recalled.reason == checked[1] or checked[0] == "unavailable"
    return checked


def test_a_store_with_everything_the_ledger_owes_it_is_complete(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1)
    assert states(ledger, gateway)[0] == "complete"


def test_a_store_that_lacks_the_week_just_committed_is_partial_and_names_it(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1)
    invented.decide(ledger, 2, ("opus", "grok"))
    state, reason = states(ledger, gateway)
    assert state == "partial"
    assert "the narrative of gameweek 2" in reason


def test_lost_rows_make_a_store_partial(ledger: Ledger, gateway: Gateway, root: Path) -> None:
    import lancedb

    play(ledger, gateway, 1, 2)
    team, table = _project_for("opus", "manager")
    lancedb.connect(root / team).open_table(table).delete("category = 'commitment' AND gameweek = 1")
    state, reason = states(ledger, gateway)
    assert state == "partial"
    assert "6 of the" in reason
    assert "the commitment of gameweek 1" in reason


def test_a_store_nothing_was_ever_written_to_is_empty(ledger: Ledger, root: Path) -> None:
    gateway = Gateway(root, ledger, WordsOnly())
    gateway.team_create("opus")
    gateway.team_add_member("opus", "manager")
    state, reason = gateway.store_check("opus", "manager", ["ab" * 32])
    assert state == "empty"
    assert "not even its identity" in reason


@pytest.mark.parametrize("what", ["table", "versions", "data", "one file of data", "all"])
def test_a_store_deleted_by_hand_is_unavailable(ledger: Ledger, gateway: Gateway, root: Path, what: str) -> None:
    """Also to a process that has read it before."""
    play(ledger, gateway, 1)
    assert states(ledger, gateway)[0] == "complete"
    team, table = _project_for("opus", "manager")
    folder = root / team / f"{table}.lance"
    if what == "one file of data":
        min((folder / "data").iterdir()).unlink()
    else:
        shutil.rmtree({"table": folder, "versions": folder / "_versions", "data": folder / "data", "all": root}[what])
    state, reason = states(ledger, gateway)
    assert state == "unavailable"
    assert "opus" in reason


def test_record_ids_differ_where_anything_they_are_made_of_differs(ledger: Ledger, gateway: Gateway) -> None:
    play(ledger, gateway, 1, 2)
    records: list[MemoryRecord] = [
        record for manager in ("opus", "grok") for role in ROLES for record in records_owed(ledger, manager, role)
    ]
    assert len({record.id for record in records}) == len(records)
