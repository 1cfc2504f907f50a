"""A sound ledger has no faults; every kind of damage is told in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from backroom_pipeline.ledger.calls import put_text, start_attempt
from backroom_pipeline.ledger.facts import inputs_sha256
from backroom_pipeline.ledger.memory_rows import index_records, record_outcomes
from backroom_pipeline.ledger.spending import CallEstimate, record_estimate
from backroom_pipeline.ledger.standings import record_scores
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.model import Claim, NoHits
from backroom_pipeline_tests.ledger.rows import (
    FIRST_DEADLINE,
    SEASON,
    attempt,
    bill,
    decision,
    decision_json,
    play,
    scored,
)
from backroom_pipeline_tests.ledger.test_memory_rows import outcome, record

PROMISE = Claim(text="No hits.", terms=NoHits(kind="no_hits"))


@pytest.fixture
def played(path: Path) -> Path:
    """A ledger of two gameweeks of two managers, closed."""
    with Ledger.open(path) as ledger:
        for gameweek in (1, 2):
            play(ledger, gameweek, {"opus": 60, "haiku": 50}, bills={"opus": bill(sold=(1,), paid=1)}, claims=[PROMISE])
        index_records(ledger, [record("a")])
        record_outcomes(ledger, [outcome("a")])
    return path


def test_a_played_ledger_is_sound(played: Path) -> None:
    with Ledger.open(played, read_only=True) as ledger:
        assert ledger.verify() == []


def test_an_empty_ledger_is_sound(ledger: Ledger) -> None:
    assert ledger.verify() == []


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("DELETE FROM team_states WHERE gameweek = 2 AND manager = 'opus'", "the team after it is missing"),
        ("DELETE FROM claims WHERE gameweek = 2", "makes 1 claim(s), but 0 are kept as rows"),
        ("UPDATE claims SET ordinal = 1 WHERE gameweek = 2 AND manager = 'opus'", "not numbered from 0"),
        ("DELETE FROM attempts WHERE attempt_id = 'opus-manager-2-1'", "was never started"),
        ("DELETE FROM texts", "is not among the texts"),
        ("UPDATE pool SET price = price + 1 WHERE gameweek = 2", "The facts of gameweek 2 (2025-26) lost their sha256"),
        ("DELETE FROM pool WHERE gameweek = 2 AND ordinal = 0", "The facts of gameweek 2 (2025-26) lost their sha256"),
        ("UPDATE performances SET points = 15 WHERE gameweek = 1", "The results of gameweek 1 (2025-26)"),
        ("DELETE FROM gameweeks WHERE gameweek = 2", "Players of gameweek 2 (2025-26), version 1, belong to no"),
        ("DELETE FROM gameweeks WHERE gameweek = 2", "from facts the ledger does not hold"),
        ("DELETE FROM results WHERE gameweek = 2", "by scoring version 1, which is unknown"),
        (
            "UPDATE answers SET public_sha256 = 'x' WHERE gameweek = 2 AND manager = 'opus'",
            "2 different public prompts",
        ),
        ("DELETE FROM memory_index", "of no indexed record: a"),
    ],
)
def test_damage_done_behind_the_door_is_found(played: Path, damage: str, sentence: str) -> None:
    with duckdb.connect(str(played)) as behind:
        behind.execute(damage)
    with Ledger.open(played) as ledger:
        assert [fault for fault in ledger.verify() if sentence in fault]


def test_a_team_that_stood_as_before_its_chip_or_free_hit_is_sound(path: Path) -> None:
    with Ledger.open(path) as ledger:
        play(ledger, 1, {"opus": 60}, chips={"opus": "bench_boost"})
        play(ledger, 2, {"opus": 60}, carried_over=["opus"])
        play(ledger, 3, {"opus": 60}, chips={"opus": "free_hit"})
        play(ledger, 4, {"opus": 60}, carried_over=["opus"])
        play(ledger, 5, {"opus": 60}, carried_over=["opus"])
        assert ledger.verify() == []


def orphan_state(ledger: Ledger) -> None:
    row = {"season": SEASON, "gameweek": 9, "manager": "opus", "state_json": "{}"}
    ledger.append("team_states", [row])


def orphan_estimate(ledger: Ledger) -> None:
    record_estimate(ledger, "opus-manager-9-1", CallEstimate(1, 1, 1, f"league-file/sha256:{put_text(ledger, '{}')}"))


def estimate_by_a_lost_price(ledger: Ledger) -> None:
    record_estimate(ledger, "opus-manager-1-1", CallEstimate(1, 1, 1, "league-file/sha256:gone"))


def orphan_claim(ledger: Ledger) -> None:
    row = {"season": SEASON, "gameweek": 9, "manager": "opus", "ordinal": 0, "text": "No.", "terms_json": "{}"}
    ledger.append("claims", [row])


def skipped_gameweek(ledger: Ledger) -> None:
    play(ledger, 4, {"opus": 50})


def answer_of_somebody_else(ledger: Ledger) -> None:
    start_attempt(ledger, attempt("haiku", 3))
    _decide(ledger, attempt_id="haiku-manager-3-1")


def decision_without_a_bill(ledger: Ledger) -> None:
    start_attempt(ledger, attempt("opus", 3))
    _decide(ledger, bill_json=None)


def recall_from_nowhere(ledger: Ledger) -> None:
    start_attempt(ledger, attempt("opus", 3))
    _decide(ledger, recall_sha256="gone")


def facts_of_after_the_deadline(ledger: Ledger) -> None:
    (row,) = ledger.rows("SELECT * FROM gameweeks WHERE gameweek = 2")
    ledger.append("gameweeks", [row | {"version": 2, "cutoff": row["deadline"], "inputs_sha256": "peeked"}])


def score_without_a_decision(ledger: Ledger) -> None:
    record_scores(ledger, [scored("sonnet", 1, 50)])


def score_with_another_hit(ledger: Ledger) -> None:
    record_scores(ledger, [scored("opus", 1, 60, version=2)])


def carried_over_with_another_captain(ledger: Ledger) -> None:
    _carry_over(ledger, '"captain":4', '"captain":9')


def carried_over_with_a_chip(ledger: Ledger) -> None:
    _carry_over(ledger, '"chip":null', '"chip":"wildcard"')


def carried_over_with_a_transfer(ledger: Ledger) -> None:
    _carry_over(ledger, bill_json=bill(sold=(1,)).model_dump_json())


def carried_over_before_any_sheet(ledger: Ledger) -> None:
    _decide(ledger, manager="sonnet", source="carried_over", attempt_id=None)


def coach_carried_over(ledger: Ledger) -> None:
    _decide(ledger, role="coach", source="carried_over", attempt_id=None)


def _carry_over(ledger: Ledger, written: str = "", instead: str = "", **changed: object) -> None:
    sheet = decision_json().replace(written, instead)
    _decide(ledger, answer_json=sheet, source="carried_over", attempt_id=None, **changed)


def mistaken_text(ledger: Ledger) -> None:
    (row,) = ledger.rows("SELECT zlib FROM texts WHERE sha256 = ?", [put_text(ledger, "A")])
    ledger.append("texts", [{"sha256": "b", "zlib": row["zlib"]}])


def _decide(ledger: Ledger, **changed: object) -> None:
    sha256 = str(inputs_sha256(ledger, SEASON, 2))
    made = decision(sha256, "opus", 3).model_dump() | {"committed_at": FIRST_DEADLINE, **changed}
    ledger.append("answers", [made])


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (orphan_state, "opus has a team after gameweek 9 (2025-26) but no decision that made it."),
        (orphan_claim, "opus has claims of gameweek 9 (2025-26) without a decision they came with."),
        (orphan_estimate, "Money was reserved for attempt opus-manager-9-1, which was never started."),
        (
            estimate_by_a_lost_price,
            "Attempt opus-manager-1-1 was priced by league-file/sha256:gone, which is not among the texts.",
        ),
        (
            skipped_gameweek,
            "opus decided gameweek 4 (2025-26) and an earlier one, but not gameweek 3 in between.",
        ),
        (
            answer_of_somebody_else,
            "The manager of opus answered in gameweek 3 (2025-26) without an attempt of its own behind it.",
        ),
        (decision_without_a_bill, "opus decided gameweek 3 (2025-26) without a bill."),
        (recall_from_nowhere, "The manager of opus in gameweek 3 (2025-26) names a recall the ledger does not hold."),
        (
            facts_of_after_the_deadline,
            "The facts of gameweek 2 (2025-26), version 2, are not of before the deadline.",
        ),
        (score_without_a_decision, "sonnet is scored in gameweek 1 (2025-26) but did not decide it."),
        (score_with_another_hit, "opus's score of gameweek 1 (2025-26) deducts 0 for hits, its bill 4."),
        *(
            (fault, "opus's team was carried over in gameweek 3 (2025-26), but it is not the one that stood.")
            for fault in (carried_over_with_another_captain, carried_over_with_a_chip, carried_over_with_a_transfer)
        ),
        (
            carried_over_before_any_sheet,
            "sonnet's team was carried over in gameweek 3 (2025-26), but it is not the one that stood.",
        ),
        (coach_carried_over, "The coach of opus was carried over in gameweek 3 (2025-26); only a team can be."),
        (mistaken_text, "A text lost its sha256 b."),
    ],
)
def test_a_row_that_does_not_belong_is_found(played: Path, fault: Callable[[Ledger], None], sentence: str) -> None:
    with Ledger.open(played) as ledger:
        fault(ledger)
        assert sentence in ledger.verify()
