"""Memory is derived: it can be lost, and comes back the same from the ledger through the same gateway."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory import rebuild as rebuilding
from backroom_pipeline.memory.embedder import WordsOnly
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import ROLES, Member
from backroom_pipeline.memory.project import _project_for
from backroom_pipeline.memory.rebuild import rebuild
from backroom_pipeline.memory.records import NotEnrolled
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
    import lancedb

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


def test_a_rebuild_cut_off_between_its_renames_is_undone(ledger: Ledger, played: Gateway, root: Path) -> None:
    before = everything(played)
    (root / ".replaced").mkdir()
    (root / "fpl-team-opus").rename(root / ".replaced" / "fpl-team-opus")
    assert everything(Gateway(root, ledger, WordsOnly())) == before


def test_an_embedder_is_changed_by_rebuilding(ledger: Ledger, played: Gateway, root: Path) -> None:
    from backroom_pipeline.memory.embedder import load_embedder

    rebuild(ledger, root, ["opus"], load_embedder("local"))
    assert ask(ledger, Gateway(root, ledger, load_embedder("local")), "captain", 5).state == "complete"
    assert ask(ledger, played, "captain", 5).state == "unavailable"


def test_a_manager_nobody_knows_cannot_be_rebuilt(ledger: Ledger, gateway: Gateway, root: Path) -> None:
    with pytest.raises(NotEnrolled, match="it has grok, opus"):
        rebuild(ledger, root, ["nobody"], WordsOnly())
