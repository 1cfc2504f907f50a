"""One manager's week: the coach ranks, the assistant proposes, the manager decides, and the room remembers.

Each step returns what is committed already and calls nobody then; it commits in one transaction otherwise. A step that
cannot be done raises CannotDecide, and nothing is decided in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from backroom_pipeline.backroom.briefing import compose_briefing
from backroom_pipeline.backroom.contest import CannotDecide, Contest
from backroom_pipeline.backroom.contracts import AssistantSheet, CoachRanking, ManagerDecision
from backroom_pipeline.backroom.desk import Desk, assistant_text, coach_text, manager_text, open_desk
from backroom_pipeline.backroom.legality import decision_breaches, proposal_breaches, ranking_breaches
from backroom_pipeline.backroom.remembering import Remembered, remembered, week_records
from backroom_pipeline.fpl.model import Bill, Breach, Frozen, TeamState
from backroom_pipeline.fpl.squad import apply_sheet
from backroom_pipeline.ledger.answers import Answer, AnswerKey, answer, commit_answer
from backroom_pipeline.memory.model import ROLES, Claim, Member, Role
from backroom_pipeline.models.call import CannotAnswer, ask
from backroom_pipeline.models.spec import ModelSpec

A = TypeVar("A", CoachRanking, AssistantSheet, ManagerDecision)


@dataclass(frozen=True)
class Step:
    """What one step did: whose, whether it was replayed from the ledger, and figures for whoever watches."""

    manager: str
    role: Role
    replayed: bool
    metadata: dict[str, object] = field(default_factory=dict)


def committed(contest: Contest, season: str, gameweek: int, slug: str, role: Role, answer_type: type[A]) -> A | None:
    """The committed answer of a role, typed; None when there is none yet."""
    row = answer(contest.ledger, AnswerKey(season=season, gameweek=gameweek, manager=slug, role=role))
    return None if row is None else answer_type.model_validate_json(row.answer_json)


def rank(contest: Contest, season: str, gameweek: int, slug: str) -> Step:
    """The coach ranks the pool from statistics alone."""
    opening = contest.is_opening(season, gameweek)
    pool, rules = contest.pool(season, gameweek), contest.rules(season)

    def check(ranking: CoachRanking) -> Sequence[Breach]:
        return ranking_breaches(ranking, pool, rules, opening=opening)

    return _step(contest, season, gameweek, slug, "coach", CoachRanking, lambda: (coach_text(), None), check)


def propose(contest: Contest, season: str, gameweek: int, slug: str) -> Step:
    """The assistant turns the ranking into a legal sheet."""
    pool, rules = contest.pool(season, gameweek), contest.rules(season)
    ranking = _needed(contest, season, gameweek, slug, "assistant", "coach", CoachRanking)
    desk = open_desk(contest, season, gameweek, slug)

    def private() -> tuple[str, Remembered | None]:
        memory = remembered(contest, season, gameweek, slug, "assistant", desk)
        return assistant_text(contest, desk, ranking, memory), memory

    def check(sheet: AssistantSheet) -> Sequence[Breach]:
        return proposal_breaches(sheet, ranking, desk.state, pool, rules, gameweek)

    return _step(contest, season, gameweek, slug, "assistant", AssistantSheet, private, check)


def decide(contest: Contest, season: str, gameweek: int, slug: str) -> Step:
    """The manager decides, explains and promises."""
    pool, rules = contest.pool(season, gameweek), contest.rules(season)
    ranking = _needed(contest, season, gameweek, slug, "manager", "coach", CoachRanking)
    proposal = _needed(contest, season, gameweek, slug, "manager", "assistant", AssistantSheet)
    desk = open_desk(contest, season, gameweek, slug)

    def private() -> tuple[str, Remembered | None]:
        memory = remembered(contest, season, gameweek, slug, "manager", desk)
        bill = apply_sheet(desk.state, proposal.sheet, pool, rules, gameweek).bill
        return manager_text(contest, desk, ranking, proposal, bill, memory), memory

    def check(decision: ManagerDecision) -> Sequence[Breach]:
        return decision_breaches(decision, desk.state, pool, rules, gameweek)

    return _step(contest, season, gameweek, slug, "manager", ManagerDecision, private, check)


def remember(contest: Contest, season: str, gameweek: int, slug: str) -> Step:
    """Write what the three roles committed this week into their stores. Idempotent: ids come from the ledger."""
    written: dict[Role, int] = {}
    for role in ROLES:
        records = week_records(contest, season, gameweek, slug, role)
        if not records:
            raise CannotDecide(
                slug, role, gameweek, f"there is no committed {role} answer to remember; run its earlier steps first."
            )
        contest.gateway.store(Member(manager=slug, role=role), slug, role, records)
        contest.gateway.associate(Member(manager=slug, role=role), slug, role)
        written[role] = len(records)
    return Step(slug, "manager", False, {"records": sum(written.values()), "by_role": written})


def _needed(
    contest: Contest, season: str, gameweek: int, slug: str, role: Role, needed: Role, answer_type: type[A]
) -> A:
    found = committed(contest, season, gameweek, slug, needed, answer_type)
    if found is None:
        raise CannotDecide(slug, role, gameweek, f"its {needed} has not answered yet; run that step first.")
    return found


def _step(
    contest: Contest, season: str, gameweek: int, slug: str, role: Role, answer_type: type[A],
    private: Callable[[], tuple[str, Remembered | None]], check: Callable[[A], Sequence[Breach]],
) -> Step:  # fmt: skip
    """Replay the committed answer, or ask for one and commit it with its bill, claims and the team it leaves."""
    key = AnswerKey(season=season, gameweek=gameweek, manager=slug, role=role)
    row = answer(contest.ledger, key)
    if row is not None:
        return Step(slug, role, True, _figures(contest, key, answer_type.model_validate_json(row.answer_json), row))
    private_text, memory = private()
    briefing = compose_briefing(contest, season, gameweek)
    prompt = briefing.for_role(role, private_text)
    manager = contest.manager(slug)
    spec = ModelSpec(model=manager.model, options=manager.options)
    try:
        asked = ask(contest.ledger, key, prompt, spec, answer_type, check)
    except CannotAnswer as problem:
        raise CannotDecide(slug, role, gameweek, problem.reason) from problem
    bill, state_after, claims = _consequences(contest, season, gameweek, slug, asked.value)
    with contest.ledger.transaction():
        row = Answer(
            **key.model_dump(),
            answer_json=asked.value.model_dump_json(),
            bill_json=None if bill is None else bill.model_dump_json(),
            attempt_id=asked.attempt_id,
            public_sha256=prompt.public_sha256,
            prompt_sha256=prompt.sha256,
            recall_sha256=None if memory is None else memory.record(contest.ledger),
            inputs_sha256=briefing.inputs_sha256,
            cutoff=contest.facts(season, gameweek).cutoff,
        )
        commit_answer(contest.ledger, row, claims=claims, state_after=state_after)
    figures = _figures(contest, key, asked.value, row)
    figures |= {"attempts": asked.attempts, "cost_micro_dollars": asked.cost_micro_dollars}
    if memory is not None:
        figures |= {"recall": memory.recall.state, "recalled": len(memory.recall.items)}
    return Step(slug, role, False, figures)


def _consequences(
    contest: Contest, season: str, gameweek: int, slug: str, value: Frozen
) -> tuple[Bill | None, TeamState | None, tuple[Claim, ...]]:
    if isinstance(value, CoachRanking):
        return None, None, ()
    assert isinstance(value, AssistantSheet | ManagerDecision)
    desk: Desk = open_desk(contest, season, gameweek, slug)
    applied = apply_sheet(desk.state, value.sheet, contest.pool(season, gameweek), contest.rules(season), gameweek)
    if isinstance(value, AssistantSheet):
        return applied.bill, None, ()
    return applied.bill, applied.state_after, value.claims


def _figures(contest: Contest, key: AnswerKey, value: Frozen, row: Answer) -> dict[str, object]:
    """What a person watching the step would want to see."""
    figures: dict[str, object] = {"answer": value, "prompt_sha256": row.prompt_sha256, "source": row.source}
    if row.bill_json:
        figures["bill"] = Bill.model_validate_json(row.bill_json)
    return figures
