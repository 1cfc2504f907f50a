"""Memory is derived: it can be lost, and comes back the same from the ledger through the same gateway."""

from __future__ import annotations

import shutil
from pathlib import Path

import lancedb
import pytest

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory import rebuild as rebuilding
from backroom_pipeline.memory.embedder import WordsOnly
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import ROLES, Member, Role
from backroom_pipeline.memory.project import NoSuchProject, _project_for
from backroom_pipeline.memory.rebuild import rebuild
from backroom_pipeline.memory.records import NotEnrolled
from backroom_pipeline.memory.store import Store, StoreError
from backroom_pipeline_tests.memory import invented
from backroom_pipeline_tests.memory.test_gateway import ask, play


def everything(gateway: Gateway) -> list[object]:
    """Every record of every store with its links and their reasons, outcomes and pins."""
    found: list[object] = []
    for manager in ("opus", "grok"):
        for role in ROLES:
            member = Member(manager=manager, role=role)
            records = gateway.get(member, manager, role)
            found.append([record.model_dump() for record in records])
            found.append(gateway.links(member, manager, role, [record.id for record in records]))
    return found


@pytest.fixture
def played(ledger: Ledger, gateway: Gateway) -> Gateway:
    play(ledger, gateway, 1, 2, 3, 4)
    for gameweek in (1, 2, 3):
        invented.score(ledger, gateway, gameweek, {"opus": 40 + gameweek, "grok": 42})
    return gateway


def test_a_rebuilt_memory_is_the_same_in_every_record(ledger: Ledger, played: Gateway, root: Path) -> None:
    before, recalled = everything(played), ask(ledger, played, "captain and chips", 5)
    shutil.rmtree(root)
    rebuilt = rebuild(ledger, root, None, WordsOnly())
    assert rebuilt.managers == ("grok", "opus")
    assert {difference.what for difference in rebuilt.differences} == {"unreadable"}
    assert everything(played) == before
    assert ask(ledger, played, "captain and chips", 5) == recalled
    assert sorted(path.name for path in root.iterdir()) == ["fpl-team-grok", "fpl-team-opus"]


def test_the_season_goes_on_after_a_rebuild(ledger: Ledger, played: Gateway, root: Path) -> None:
    rebuild(ledger, root, ["opus"], WordsOnly())
    play(ledger, played, 5)
    assert ask(ledger, played, "captain", 6).state == "complete"


def test_a_dry_run_lists_what_differs_and_writes_nothing(ledger: Ledger, played: Gateway, root: Path) -> None:
    team, table = _project_for("opus", "manager")
    store = lancedb.connect(root / team).open_table(table)
    store.delete("category = 'narrative' AND gameweek = 2")
    store.update(where="category = 'commitment' AND gameweek = 1 AND ordinal = 0", values={"text": "I never said so."})
    files = sorted(path for path in root.rglob("*"))
    found = rebuild(ledger, root, None, WordsOnly(), dry_run=True)
    assert sorted((difference.what, difference.sentence) for difference in found.differences) == [
        ("altered", "opus's manager store holds the commitment 0 of gameweek 1 in another form."),
        ("missing", "opus's manager store lacks the narrative 0 of gameweek 2."),
    ]
    assert found.records == 0
    assert sorted(path for path in root.rglob("*")) == files


def test_a_memory_that_is_right_has_no_differences(ledger: Ledger, played: Gateway, root: Path) -> None:
    assert rebuild(ledger, root, None, WordsOnly(), dry_run=True).differences == ()


def test_a_rebuild_cut_off_while_writing_leaves_the_old_store(
    ledger: Ledger, played: Gateway, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(played)

    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(rebuilding, "put_in_place", cut_off)
    with pytest.raises(KeyboardInterrupt):
        rebuild(ledger, root, ["opus"], WordsOnly())
    monkeypatch.undo()
    assert everything(played) == before
    rebuild(ledger, root, ["opus"], WordsOnly())
    assert everything(played) == before


@pytest.mark.parametrize("roles", [None, ("manager",), ("coach", "assistant")])
@pytest.mark.parametrize("renames", range(6))
def test_a_rebuild_cut_off_before_any_rename_leaves_every_store_whole(
    ledger: Ledger,
    played: Gateway,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    renames: int,
    roles: tuple[Role, ...] | None,
) -> None:
    """Each store is put in place by two renames; the process dies before the one with this number."""
    before, done = everything(played), 0
    rename = Path.rename

    def cut_off(self: Path, target: Path) -> Path:
        nonlocal done
        if done == renames:
            raise KeyboardInterrupt
        done += 1
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", cut_off)
    if renames < 2 * len(roles or ROLES):
        with pytest.raises(KeyboardInterrupt):
            rebuild(ledger, root, ["opus"], WordsOnly(), roles=roles)
    monkeypatch.undo()
    assert everything(Gateway(root, ledger, WordsOnly())) == before
    assert rebuild(ledger, root, None, WordsOnly(), dry_run=True).differences == ()


def test_one_store_is_rebuilt_and_the_others_are_not_touched(ledger: Ledger, played: Gateway, root: Path) -> None:
    before = everything(played)
    lost = _project_for("opus", "manager")
    shutil.rmtree(root / lost.team / f"{lost.table}.lance")
    others = sorted(path for path in root.rglob("*") if path.is_file())
    written = {path: path.stat().st_mtime_ns for path in others}
    rebuilt = rebuild(ledger, root, ["opus"], WordsOnly(), roles=["manager"])
    assert (rebuilt.managers, rebuilt.roles) == (("opus",), ("manager",))
    assert [(found.role, found.what) for found in rebuilt.differences] == [("manager", "unreadable")]
    assert str(rebuilt).endswith(f"Wrote {rebuilt.records} records for opus (manager only).")
    assert everything(played) == before
    assert {path: path.stat().st_mtime_ns for path in others} == written
    assert ask(ledger, played, "captain and chips", 5).state == "complete"


def test_a_dry_run_of_one_store_speaks_of_that_store_only(ledger: Ledger, played: Gateway, root: Path) -> None:
    for role in ("coach", "manager"):
        project = _project_for("opus", role)
        lancedb.connect(root / project.team).open_table(project.table).delete("gameweek = 2")
    found = rebuild(ledger, root, ["opus"], WordsOnly(), roles=["coach"], dry_run=True)
    assert [difference.sentence for difference in found.differences] == [
        "opus's coach store lacks the ranking 0 of gameweek 2."
    ]


def test_words_lost_from_the_index_are_a_difference(ledger: Ledger, played: Gateway, root: Path) -> None:
    """Without them a record would silently never be found by its words."""
    project = _project_for("opus", "assistant")
    lancedb.connect(root / project.team).open_table(project.table).update(where="gameweek = 3", values={"words": ""})
    found = rebuild(ledger, root, None, WordsOnly(), dry_run=True)
    assert [difference.sentence for difference in found.differences] == [
        "opus's assistant store has other words in its index for the sheet 0 of gameweek 3."
    ]


def test_a_new_store_that_is_not_what_the_ledger_says_does_not_take_the_old_ones_place(
    ledger: Ledger, played: Gateway, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, write = everything(played), Store.write
    monkeypatch.setattr(
        Store, "write", lambda store, records, _, links: write(store, records[1:], [[]] * (len(records) - 1), links)
    )
    with pytest.raises(StoreError, match="the old one stays"):
        rebuild(ledger, root, ["opus"], WordsOnly())
    monkeypatch.undo()
    assert everything(played) == before


def test_an_unknown_role_cannot_be_rebuilt(ledger: Ledger, played: Gateway, root: Path) -> None:
    before = everything(played)
    with pytest.raises(NoSuchProject, match="boss"):
        rebuild(ledger, root, ["opus"], WordsOnly(), roles=["boss"])  # type: ignore[list-item]
    assert everything(played) == before


def test_an_embedder_is_changed_by_rebuilding(ledger: Ledger, played: Gateway, root: Path) -> None:
    from backroom_pipeline.memory.embedder import load_embedder

    rebuild(ledger, root, ["opus"], load_embedder("local"))
    assert ask(ledger, Gateway(root, ledger, load_embedder("local")), "captain", 5).state == "complete"
    assert ask(ledger, played, "captain", 5).state == "unavailable"


def test_a_manager_nobody_knows_cannot_be_rebuilt(ledger: Ledger, gateway: Gateway, root: Path) -> None:
    with pytest.raises(NotEnrolled, match="it has grok, opus"):
        rebuild(ledger, root, ["nobody"], WordsOnly())
