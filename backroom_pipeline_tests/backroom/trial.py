"""A gameweek played against a vendor that spoils its answers, and an account of what became of every one of them."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.contest import CannotDecide, Contest
from backroom_pipeline.backroom.contracts import AssistantSheet, ManagerDecision
from backroom_pipeline.fpl.model import TeamSheet
from backroom_pipeline.ledger.answers import answer, answers, team_state
from backroom_pipeline.ledger.calls import calls, text
from backroom_pipeline.ledger.rows import AnswerKey
from backroom_pipeline.memory.model import ROLES, Role
from backroom_pipeline.models.redaction import storable
from backroom_pipeline_tests.backroom.referee import offences
from backroom_pipeline_tests.models.fault_server import Reply, message
from backroom_pipeline_tests.models.illegal import ILLEGAL
from backroom_pipeline_tests.models.malformed import MALFORMED
from backroom_pipeline_tests.models.vendor import Question, spoiled_text

STEPS: dict[Role, Callable[[Contest, str, int, str], play.Step]] = {
    "coach": play.rank,
    "assistant": play.propose,
    "manager": play.decide,
}
SHEETS_AGAINST_THE_LAW = {way.name for way in ILLEGAL if "assistant" in way.roles and "not_offered" not in way.codes}
TRIES = 3
"""An answer and two repairs."""


@dataclass
class Account:
    """What a trial found. The lists are empty when all is well."""

    ways: Counter[str] = field(default_factory=Counter)
    """Spoiled answers by the way they were spoiled."""
    statuses: Counter[str] = field(default_factory=Counter)
    """Of their rows."""
    roles: Counter[str] = field(default_factory=Counter)
    failures: int = 0
    """Steps that ended without an answer."""
    accepted: list[str] = field(default_factory=list)
    """Spoiled answers that were taken for good."""
    unnamed: list[str] = field(default_factory=list)
    """Illegal answers whose breach was not the one that was put in."""
    lost: list[str] = field(default_factory=list)
    """Answers without a row, or whose row does not hold them."""
    unclear: list[str] = field(default_factory=list)
    """Failures whose sentence lacks the manager, the role, the gameweek or the reason."""
    decided: list[str] = field(default_factory=list)
    """Failures after which something was committed all the same."""
    illegal: list[str] = field(default_factory=list)
    """Committed sheets that break a law."""
    overlooked: list[str] = field(default_factory=list)
    """Illegal sheets in which the referee of the committed ones finds nothing."""

    @property
    def spoiled(self) -> int:
        return self.ways.total()


class Trial:
    """Hand ``spoil`` to the HouseVendor whose models are named like the managers, then play."""

    def __init__(self, seed: int) -> None:
        self.account = Account()
        self._random = Random(seed)
        self._planned = 0
        self._served: dict[AnswerKey, list[tuple[str | None, str]]] = {}
        """The way each answer was spoiled, if it was, and its text, by key and in order."""
        self._ways = {role: self._endlessly(role) for role in ROLES}
        self._season = ""

    def spoil(self, question: Question) -> Reply:
        key = AnswerKey(
            season=self._season,
            gameweek=question.gameweek,
            manager=question.model,
            role=question.role,  # type: ignore[arg-type]
        )
        served = self._served.setdefault(key, [])
        self._check_repair(question, served)
        way, said = None, question.good
        if self._planned:
            self._planned -= 1
            way, said = self._bad(question)
        served.append((way, said))
        return message(said, usage=question.usage)

    def play(self, contest: Contest, season: str, gameweek: int, slug: str, spoiled: int) -> None:
        """One manager's week, with so many spoiled answers to each role before the good one."""
        self._season = season
        for role in ROLES:
            key = AnswerKey(season=season, gameweek=gameweek, manager=slug, role=role)
            left = spoiled
            while left >= TRIES:
                left -= TRIES
                self._step(contest, key, TRIES)
            self._step(contest, key, left)
            self._look_up(contest, key)
        play.remember(contest, season, gameweek, slug)

    def close(self, contest: Contest, season: str) -> Account:
        """Judge every sheet that was committed, with the referee's own laws."""
        for row in answers(contest.ledger, season):
            if row.role == "coach":
                continue
            kind = ManagerDecision if row.role == "manager" else AssistantSheet
            before = team_state(contest.ledger, season, row.gameweek, row.manager)
            sheet = kind.model_validate_json(row.answer_json).sheet
            broken = offences(sheet, before, contest.pool(season, row.gameweek), contest.rules(season), row.gameweek)
            self.account.illegal += [f"{row.key.path}: {law}" for law in broken]
        return self.account

    def _step(self, contest: Contest, key: AnswerKey, bad: int) -> None:
        self._planned = bad
        try:
            STEPS[key.role](contest, key.season, key.gameweek, key.manager)
        except CannotDecide as problem:
            self._failed(contest, key, problem)
        self._planned = 0

    def _failed(self, contest: Contest, key: AnswerKey, problem: CannotDecide) -> None:
        sentence, account = str(problem), self.account
        account.failures += 1
        last = calls(contest.ledger, key.season, key.gameweek, key.manager, key.role)[-1].result
        named = (f"{key.manager}'s {key.role} ", f"gameweek {key.gameweek}:", (last and last.error) or "no reason")
        if not all(part in sentence for part in named):
            account.unclear.append(sentence)
        if answer(contest.ledger, key) is not None:
            account.decided.append(sentence)

    def _check_repair(self, question: Question, served: list[tuple[str | None, str]]) -> None:
        """A prompt that asks again names the very breach that was put into the answer before."""
        found = set(question.reading.breaches)
        codes = next((way.codes for way in ILLEGAL if served and way.name == served[-1][0]), ())
        if found and codes and not found & set(codes):
            self.account.unnamed.append(f"{question.model}'s {question.role}: {served[-1][0]}: {sorted(found)}")

    def _look_up(self, contest: Contest, key: AnswerKey) -> None:
        """Hold what was served against the rows."""
        account, served = self.account, self._served.get(key, [])
        rows = calls(contest.ledger, key.season, key.gameweek, key.manager, key.role)
        if len(rows) != len(served):
            account.lost.append(f"{key.path}: {len(served)} answers, {len(rows)} rows")
        for row, (way, said) in zip(rows, served, strict=False):
            result = row.result
            kept = text(contest.ledger, result.answer_sha256) if result and result.answer_sha256 else None
            if kept != storable(said):
                account.lost.append(f"{row.attempt.attempt_id}: {way}")
            if way is None:
                continue
            if way in SHEETS_AGAINST_THE_LAW and not self._objects(contest, key, said):
                account.overlooked.append(f"{row.attempt.attempt_id}: {way}")
            account.ways[way] += 1
            account.statuses[row.status] += 1
            account.roles[key.role] += 1
            if row.status not in ("invalid", "illegal") or not (result and result.error):
                account.accepted.append(f"{row.attempt.attempt_id}: {way}: {row.status}")

    def _objects(self, contest: Contest, key: AnswerKey, said: str) -> list[str]:
        sheet = TeamSheet.model_validate_json(json.dumps(json.loads(said)["sheet"]))
        before = team_state(contest.ledger, key.season, key.gameweek, key.manager)
        pool, rules = contest.pool(key.season, key.gameweek), contest.rules(key.season)
        return offences(sheet, before, pool, rules, key.gameweek)

    def _bad(self, question: Question) -> tuple[str, str]:
        while True:
            way = next(self._ways[question.role])  # type: ignore[index]
            said = spoiled_text(way, self._random, question)
            if said is not None:
                return way, said

    def _endlessly(self, role: str) -> Iterator[str]:
        """All ways open to the role, one after the other, the two kinds in turn."""
        form, law = list(MALFORMED), [way.name for way in ILLEGAL if role in way.roles]
        queues: tuple[deque[str], deque[str]] = (deque(), deque())
        while True:
            for names, waiting in zip((form, law), queues, strict=True):
                if not waiting:
                    waiting.extend(self._random.sample(names, k=len(names)))
                yield waiting.popleft()


def figures(account: Account) -> dict[str, Any]:
    """The account as JSON values."""
    return {
        "spoiled_answers": account.spoiled,
        "by_role": dict(account.roles),
        "by_status": dict(account.statuses),
        "ways": len(account.ways),
        "failed_steps": account.failures,
        "illegal_squads_committed": account.illegal,
        "lost": account.lost,
        "accepted": account.accepted,
        "breach_not_named": account.unnamed,
        "unclear_sentences": account.unclear,
        "committed_after_failing": account.decided,
        "overlooked_by_referee": account.overlooked,
    }
