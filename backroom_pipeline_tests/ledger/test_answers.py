"""An answer is paid for once, and a decision comes with its claims and its team or not at all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from backroom_pipeline.fpl.model import TeamState
from backroom_pipeline.ledger.answers import (
    answer,
    answers,
    claims,
    commit_answer,
    team_state,
)
from backroom_pipeline.ledger.rows import Answer, AnswerKey
from backroom_pipeline.ledger.store import Ledger, LedgerError
from backroom_pipeline.memory.model import Claim, HoldChip, NoHits
from backroom_pipeline_tests.ledger.other_process import another_process
from backroom_pipeline_tests.ledger.rows import SEASON, decision, facts, state

PROMISES = (
    Claim(text="No hits before Christmas.", terms=NoHits(kind="no_hits", first=1, last=17)),
    Claim(text="The wildcard stays in the drawer.", terms=HoldChip(kind="hold_chip", chip="wildcard")),
)
KEY = AnswerKey(season=SEASON, gameweek=1, manager="opus", role="manager")


def ranking(manager: str = "opus") -> Answer:
    return Answer(
        season=SEASON,
        gameweek=1,
        manager=manager,
        role="coach",
        answer_json='{"rankings":{},"notes":"Ødegaard \\u0000 “form”"}',
        attempt_id="a",
        public_sha256="p",
        prompt_sha256="q",
        inputs_sha256="i",
        cutoff=facts().cutoff,
    )


def test_a_committed_answer_comes_back_to_the_letter(ledger: Ledger) -> None:
    assert commit_answer(ledger, ranking())
    committed = answer(ledger, ranking().key)
    assert committed is not None
    assert committed.committed_at is not None
    assert committed.model_copy(update={"committed_at": None}) == ranking()


def test_a_second_answer_under_the_same_key_is_not_taken(ledger: Ledger) -> None:
    assert commit_answer(ledger, decision("i"), claims=PROMISES, state_after=state(bank=5)) is True
    other = decision("i", chip="wildcard")
    assert commit_answer(ledger, other, claims=PROMISES[:1], state_after=state(bank=9)) is False
    committed = answer(ledger, KEY)
    assert committed is not None
    assert committed.answer_json == decision("i").answer_json
    assert team_state(ledger, SEASON, 2, "opus") == state(bank=5)
    assert [claim.text for claim in claims(ledger, "opus")] == [promise.text for promise in PROMISES]


def test_of_eight_threads_with_an_answer_one_is_paid(ledger: Ledger) -> None:
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda bank: commit_answer(ledger, decision("i"), state_after=state(bank)), range(8)))
    assert sorted(taken) == [False] * 7 + [True]
    assert team_state(ledger, SEASON, 2, "opus") == state(taken.index(True))


def test_a_decision_is_not_committed_without_its_bill_or_its_team(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="answers/2025-26/1/opus/manager is a decision"):
        commit_answer(ledger, decision("i"))
    with pytest.raises(LedgerError, match="with its bill"):
        commit_answer(ledger, decision("i").model_copy(update={"bill_json": None}), state_after=state())
    assert answers(ledger) == []


def test_only_a_manager_promises_and_changes_the_team(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="only a manager"):
        commit_answer(ledger, ranking(), claims=PROMISES)
    with pytest.raises(LedgerError, match="only a manager"):
        commit_answer(ledger, ranking(), state_after=state())


def test_claims_keep_their_order_words_and_terms(ledger: Ledger) -> None:
    commit_answer(ledger, decision("i", gameweek=2), claims=PROMISES[:1], state_after=state())
    commit_answer(ledger, decision("i", gameweek=1), claims=PROMISES, state_after=state())
    commit_answer(ledger, decision("i", "haiku"), claims=PROMISES[1:], state_after=state())
    kept = claims(ledger, "opus", SEASON)
    assert [(row.gameweek, row.ordinal) for row in kept] == [(1, 0), (1, 1), (2, 0)]
    assert NoHits.model_validate_json(kept[0].terms_json) == PROMISES[0].terms
    assert claims(ledger, "opus", "2024-25") == []


def test_the_team_before_a_deadline_is_the_one_after_the_latest_earlier_decision(ledger: Ledger) -> None:
    for gameweek, bank in ((1, 10), (2, 20), (4, 40)):
        commit_answer(ledger, decision("i", gameweek=gameweek), state_after=state(bank))
    before = [team_state(ledger, SEASON, gameweek, "opus").bank for gameweek in (2, 3, 4, 5)]
    assert before == [10, 20, 20, 40]
    assert team_state(ledger, SEASON, 1, "opus") == TeamState()
    assert team_state(ledger, "2026-27", 1, "opus") == TeamState()
    assert team_state(ledger, SEASON, 5, "haiku") == TeamState()


def test_the_views_show_each_role_its_own(ledger: Ledger) -> None:
    commit_answer(ledger, decision("i", chip="wildcard"), state_after=state())
    commit_answer(ledger, ranking())
    assert ledger.rows("SELECT manager, chip, reasoning, hit_points FROM decisions") == [
        {"manager": "opus", "chip": "wildcard", "reasoning": "Because he is due.", "hit_points": 0}
    ]
    assert ledger.rows("SELECT manager FROM rankings") == [{"manager": "opus"}]
    assert ledger.rows("SELECT manager FROM sheets") == []


def test_a_process_killed_in_the_middle_of_a_commit_leaves_no_decision(path: Path) -> None:
    code = """
from backroom_pipeline_tests.ledger.rows import decision, state
from backroom_pipeline.ledger import answers
append = Ledger.append
def append_until_the_team(self, table, rows, **options):
    if table == "team_states":
        hold()
    return append(self, table, rows, **options)
Ledger.append = append_until_the_team
with Ledger.open(Path(sys.argv[1])) as ledger:
    answers.commit_answer(ledger, decision("i"), state_after=state())
"""
    with another_process(code, path) as writer:
        writer.kill()
        writer.wait()
    with Ledger.open(path) as ledger:
        assert answer(ledger, KEY) is None
        assert commit_answer(ledger, decision("i"), state_after=state()) is True
