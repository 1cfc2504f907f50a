"""The benches that hold memory to its figures, on input small enough to work out by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from backroom_pipeline.memory.embedder import Embedder, WordsOnly
from backroom_pipeline.memory.model import AllOf, CaptainPlayer, FreeText, KeepPlayer, MemoryRecord
from backroom_pipeline_tests.memory import invented
from bench import peers, promises
from bench.locomo import conversations, listeners, measure
from bench.staged import crowded, labelled, six_promises

LABELS = Path(__file__).resolve().parents[3] / "shared" / "labels"
TALK = {
    "conversation": {
        "speaker_a": "Ada",
        "session_1_date_time": "1 May 2023",
        "session_1": [
            {"dia_id": "D1:1", "speaker": "Ada", "text": "I adopted a greyhound."},
            {"dia_id": "D1:2", "speaker": "Ben", "text": "Lovely.", "blip_caption": "a dog on a sofa"},
        ],
        "session_2": [{"dia_id": "D2:1", "speaker": "Ben", "text": "I moved to Lisbon in spring."}],
    },
    "qa": [
        {"question": "What did Ada adopt, a greyhound?", "category": 4, "evidence": ["D1:1"]},
        {"question": "Who moved to Lisbon?", "category": 2, "evidence": ["D2:01; D1:2", "D"]},
        {"question": "Why?", "category": 3, "evidence": []},
        {"question": "And of another talk?", "category": 1, "evidence": ["D9:9"]},
    ],
}


def test_a_conversation_is_asked_through_the_product_and_counted_by_its_evidence(tmp_path: Path) -> None:
    file = tmp_path / "talks.json"
    file.write_text(json.dumps([TALK]))
    talks = conversations(file)
    assert talks[0].turns["D1:2"] == "Ben: Lovely. [a dog on a sofa]"
    assert [question.evidence for question in talks[0].questions] == [("D1:1",), ("D2:1", "D1:2")]
    with listeners(talks, WordsOnly()) as heard:
        report = measure(talks, heard)
        assert heard[0].ask("a sofa")[0] == "D1:2"
    assert (report["questions"], report["left_out_without_evidence"]) == (2, 2)
    assert report["hit@1"] == 1.0
    assert report["by_category"]["one turn"] == {"questions": 1, "R@5": 1.0, "R@10": 1.0, "hit@1": 1.0}
    assert report["by_category"]["unanswerable"] == {"questions": 0}


class Forgetful:
    """A peer that keeps nothing but the last text."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._last: dict[str, str] = {}

    def store(self, owner: str, text: str) -> None:
        self._last[owner] = text

    def search(self, owner: str, question: str, first: int) -> list[str]:
        return [self._last[owner]] if owner in self._last else []


def test_every_binding_promise_is_in_our_prompt_and_not_in_a_forgetful_one(tmp_path: Path) -> None:
    with promises.on_paper(crowded(1), weeks=6) as season:
        arms: dict[str, promises.Arm] = {"ours": promises.Ours(season), "newest": promises.Newest()}
        report = promises.go_through(season, arms, {"peer": promises.OfPeer(Forgetful(tmp_path, WordsOnly()))})
    assert report["promises_asked"]["all weeks"] > 10
    ours, peer = report["arms"]["ours"], report["arms"]["peer"]
    assert ours["found"] == {"2": 1.0, "these weeks": 1.0, "every week asked": 1.0}
    assert ours["tokens"]["most"] <= promises.BUDGET_TOKENS
    assert ours["store_week_ms"]["p50"] > 0
    assert peer["found"]["every week asked"] < 0.5
    assert set(peer["tokens"]) == {"6", "most"}, "peers are asked in the weeks that are reported"


def test_a_crowded_season_has_six_promises_a_week_and_no_two_alike() -> None:
    players = invented.facts(1).players
    said = [claim.text for week in range(1, 39) for claim in six_promises(players, 0, week)]
    assert len(said) == len(set(said)) == 228


def test_a_window_holds_a_week_by_its_own_ends_and_those_of_a_part() -> None:
    kept = KeepPlayer(kind="keep_player", player_id=1, first=2, last=5)
    captain = CaptainPlayer(kind="captain_player", player_id=1, first=9, last=9)
    assert [week for week in range(1, 12) if promises.covers(kept, week)] == [2, 3, 4, 5]
    both = AllOf(kind="all_of", parts=(kept, captain))
    assert [week for week in range(1, 12) if promises.covers(both, week)] == [2, 3, 4, 5, 9]
    assert not promises.covers(FreeText(kind="free_text"), 3)


def test_a_budget_is_filled_with_different_texts_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promises, "BUDGET_TOKENS", 5)
    section = promises.filled(["one two", "one two", "one two three four", "five six seven"])
    assert section == promises.Section(["one two", "five six seven"], 5)


def test_a_peer_that_is_not_installed_is_named_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(folder: Path, embedder: Embedder) -> peers.Peer:
        raise ImportError("No module named 'mem0'")

    monkeypatch.setattr(peers, "PEERS", {"mem0": absent, "forgetful": Forgetful})
    found, reasons = peers.open_peers(tmp_path, WordsOnly())
    assert (list(found), reasons) == (["forgetful"], {"mem0": "No module named 'mem0'"})


def test_newest_remembers_the_last_week_first() -> None:
    def said(texts: Sequence[str], gameweek: int) -> list[MemoryRecord]:
        return [
            MemoryRecord(
                id=text, manager="opus", role="manager", category="commitment", season=invented.SEASON,
                gameweek=gameweek, ordinal=0, text=text, pinned=True, source="test",
            )
            for text in texts
        ]  # fmt: skip

    arm = promises.Newest()
    arm.store("opus", said(["a narrative", "a claim"], 1))
    arm.store("opus", said(["a later claim"], 2))
    assert arm.section(promises.Ask("opus", 3, ())).texts == ["a later claim", "a narrative", "a claim"]


def test_the_labelled_narratives_are_staged_with_their_claims_understood() -> None:
    if not (LABELS / "narratives.jsonl").is_file():
        pytest.skip(f"no labelled narratives at {LABELS}")
    script, claims = labelled(LABELS)
    assert len(script.managers) == 4
    kinds = {said.claim.text: said.claim.terms.kind for said in claims}
    assert kinds["I will not play any chip before gameweek six."] == "hold_chip"
    assert script.said(0, 1).claims[0].text in kinds
