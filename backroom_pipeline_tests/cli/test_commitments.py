"""What became of promises, and files of labelled sentences, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backroom_pipeline.cli import app
from backroom_pipeline.cli.commitments import UnreadableCases
from backroom_pipeline_tests.cli.conftest import Command

STARTING = ["Raya", "Gabriel", "Van Dijk", "Konsa", "Saka", "Rice", "Palmer", "Mbeumo", "Haaland", "Watkins", "Wissa"]
BENCH = ["Dubravka", "Andersen", "Reinildo", "Anderson"]
POSITIONS = ["GK", *["DEF"] * 3, *["MID"] * 4, *["FWD"] * 3, "GK", "DEF", "DEF", "MID"]


def case(number: str, claim: str, gameweek: int, *, verdict: str, captain: str = "Haaland") -> dict[str, object]:
    return {
        "id": number, "claim": claim, "made_in": 2, "kind": "captain_player", "verdict": verdict, "why": "",
        "state": {
            "chips_played_before": {}, "free_transfers_before": 1, "unavailable": [],
            "clubs": dict.fromkeys([*STARTING, *BENCH], "Leeds"),
            "positions": dict(zip([*STARTING, *BENCH], POSITIONS, strict=True)),
        },
        "decision": {
            "gameweek": gameweek, "transfers_out": [], "transfers_in": [], "hit_points": 0, "chip": None,
            "captain": captain, "vice_captain": "Saka", "starting": STARTING, "bench": BENCH, "formation": "3-4-3",
            "bank_after": 1.0,
        },
    }  # fmt: skip


def written(path: Path, rows: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_a_file_of_cases_is_judged_and_scored_by_its_labels(answers: Command, says: Command, tmp_path: Path) -> None:
    file = written(
        tmp_path / "verdicts.jsonl",
        [
            case("1", "Haaland captains my side until gameweek 6.", 4, verdict="kept"),
            case("2", "Haaland captains my side until gameweek 6.", 4, verdict="broken", captain="Palmer"),
            case("3", "Haaland captains my side until gameweek 6.", 6, verdict="kept", captain="Palmer"),
        ],
    )
    result = answers("commitments", "check", file)
    assert (result["cases"], result["accuracy"]) == (3, pytest.approx(2 / 3, abs=1e-3))
    assert result["answers"] == [
        {"id": "1", "expected": "kept", "answer": "kept"},
        {"id": "2", "expected": "broken", "answer": "broken"},
        {"id": "3", "expected": "kept", "answer": "not_applicable"},
    ]
    assert "3 cases, accuracy 0.667" in says("commitments", "check", file)


def test_a_file_of_pairs_is_told_apart_and_scored(answers: Command, tmp_path: Path) -> None:
    def pair(number: str, earlier: str, later: str, label: str) -> dict[str, object]:
        return {
            "id": number, "label": label, "axis": "time", "why": "",
            "earlier": {"gameweek": 2, "text": earlier}, "later": {"gameweek": 4, "text": later},
        }  # fmt: skip

    file = written(
        tmp_path / "pairs.jsonl",
        [
            pair("1", "I hold my wildcard until gameweek 9.", "My wildcard goes in next week.", "contradiction"),
            pair("2", "I hold my wildcard until gameweek 9.", "My wildcard goes in gameweek 10.", "consistent"),
        ],
    )
    result = answers("commitments", "conflicts", file)
    assert (result["pairs"], result["precision"], result["recall"]) == (2, 1.0, 1.0)
    assert [answer["answer"] == "contradiction" for answer in result["answers"]] == [True, False]


def test_a_file_that_holds_no_cases_is_refused_naming_the_line(league_file: Path) -> None:
    with pytest.raises(UnreadableCases, match=r"Line 2 of .*small\.yaml is no labelled case"):
        CliRunner().invoke(app, ["commitments", "check", str(league_file)], catch_exceptions=False)
    with pytest.raises(UnreadableCases, match="No such file"):
        CliRunner().invoke(app, ["commitments", "conflicts", "nowhere.jsonl"], catch_exceptions=False)


def test_a_timeline_tells_every_promise_from_its_week_to_its_end(answers: Command) -> None:
    promises = answers("commitments", "timeline", "-m", "planner", "--before", "3")["promises"]
    assert promises
    for promise in promises:
        standing = promise["standing"]
        assert promise["sentence"].startswith(f"made in {standing['made_in']}")
        assert promise["sentence"].endswith(promise["ending"])
        assert (promise["ending"] in ("open", "a conviction")) == standing["open"]
        assert set(standing["kept"]) | set(standing["broken"]) <= {1, 2}


def test_findings_are_listed_by_kind_with_both_texts(answers: Command, league_file: Path) -> None:
    everything = answers("commitments", "findings")["findings"]
    assert all(finding["earlier_text"] and finding["later_text"] and finding["reason"] for finding in everything)
    quotes = answers("commitments", "findings", "--kind", "quote")["findings"]
    assert quotes == [finding for finding in everything if finding["kind"] == "quote"]
    wrong = CliRunner().invoke(app, ["commitments", "findings", "--kind", "lie"])
    assert wrong.exit_code == 2
    assert "claim, decision, quote" in wrong.output
