"""One manager's week: the coach ranks, the assistant proposes, the manager decides, and the room remembers.

Each step returns what is committed already and calls nobody then; it commits in one transaction otherwise. A step that
cannot be done raises CannotDecide, and nothing is decided in its place; or the team is carried over, where it could not
be done for want of an answer and the league file says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from backroom_pipeline.backroom.briefing import compose_briefing
from backroom_pipeline.backroom.carrying import carried_over, carry_over
from backroom_pipeline.backroom.contest import CannotDecide, Contest, Week, spec_of
from backroom_pipeline.backroom.contracts import AssistantSheet, CoachRanking, ManagerDecision
from backroom_pipeline.backroom.desk import open_desk
from backroom_pipeline.backroom.findings import Examined, examine, findings_of
from backroom_pipeline.backroom.judging import OFF
from backroom_pipeline.backroom.legality import decision_breaches, proposal_breaches, ranking_breaches
from backroom_pipeline.backroom.question import Question
from backroom_pipeline.backroom.questions import assistant_question, coach_question, manager_question
from backroom_pipeline.backroom.remembering import Remembered, remembered
from backroom_pipeline.fpl.model import Applied, Bill, Breach, Frozen
from backroom_pipeline.ledger.answers import Answer, AnswerKey, answer, commit_answer
from backroom_pipeline.ledger.findings import findings, record_findings
from backroom_pipeline.memory.model import ROLES, Member, Role
from backroom_pipeline.memory.records import week_records
from backroom_pipeline.models.call import Asked, CannotAnswer, ask
from backroom_pipeline.models.prompt import Prompt

A = TypeVar("A", CoachRanking, AssistantSheet, ManagerDecision)


@dataclass(frozen=True)
class Step:
    """What one step did: whose, whether it was replayed from the ledger, and figures for whoever watches."""

    manager: str
    role: Role
    replayed: bool
    metadata: dict[str, object] = field(default_factory=dict)
    answered: bool = True
    """False where the role has no answer in the ledger, because the team was carried over without it."""


def committed(contest: Contest, season: str, gameweek: int, slug: str, role: Role, answer_type: type[A]) -> A | None:
    """The committed answer of a role, typed; None when there is none yet."""
    row = answer(contest.ledger, AnswerKey(season=season, gameweek=gameweek, manager=slug, role=role))
    return None if row is None else answer_type.model_validate_json(row.answer_json)


def rank(contest: Contest, season: str, gameweek: int, slug: str) -> Step:
    """The coach ranks the pool from statistics alone."""
    week = contest.week(season, gameweek)

    def check(ranking: CoachRanking) -> Sequence[Breach]:
        return ranking_breaches(ranking, week.pool, week.rules, opening=week.opening)

    def ask_coach(key: AnswerKey) -> Step:
        asked, prompt = _asked(contest, key, week, coach_question(week), CoachRanking, check)
        return _commit(contest, key, week, asked, prompt, None, None)

    return _once(contest, week, slug, "coach", CoachRanking, ask_coach)


def propose(contest: Contest, season: str, gameweek: int, slug: str) -> Step:
    """The assistant turns the ranking into a legal sheet."""
    week = contest.week(season, gameweek)

    def ask_assistant(key: AnswerKey) -> Step:
        ranking = _needed(contest, week, slug, "assistant", "coach", CoachRanking)
        desk = open_desk(contest, week, slug, "assistant")
        memory = remembered(contest, desk, "assistant")

        def check(answer: AssistantSheet) -> Sequence[Breach]:
            return proposal_breaches(answer, ranking, desk.state, week.pool, week.rules, gameweek)

        question = assistant_question(desk, ranking, memory)
        asked, prompt = _asked(contest, key, week, question, AssistantSheet, check)
        return _commit(contest, key, week, asked, prompt, memory, desk.apply(asked.value.sheet))

    return _once(contest, week, slug, "assistant", AssistantSheet, ask_assistant)


def decide(contest: Contest, season: str, gameweek: int, slug: str) -> Step:
    """The manager decides, explains and promises."""
    week = contest.week(season, gameweek)

    def ask_manager(key: AnswerKey) -> Step:
        ranking = _needed(contest, week, slug, "manager", "coach", CoachRanking)
        proposal = _needed(contest, week, slug, "manager", "assistant", AssistantSheet)
        desk = open_desk(contest, week, slug, "manager")
        memory = remembered(contest, desk, "manager")

        def check(answer: ManagerDecision) -> Sequence[Breach]:
            return decision_breaches(answer, desk.state, week.pool, week.rules, gameweek)

        question = manager_question(contest, desk, ranking, proposal, memory)
        asked, prompt = _asked(contest, key, week, question, ManagerDecision, check)
        applied = desk.apply(asked.value.sheet)
        owned = {player.player_id for player in (*desk.state.owned, *applied.state_after.owned)}
        examined = examine(contest, week, slug, asked.value, owned)
        return _commit(contest, key, week, asked, prompt, memory, applied, examined)

    return _once(contest, week, slug, "manager", ManagerDecision, ask_manager)


def remember(contest: Contest, season: str, gameweek: int, slug: str) -> Step:
    """Write what the three roles committed this week into their stores. Idempotent: ids come from the ledger."""
    written: dict[Role, int] = {}
    owed = week_records(contest.ledger, season, gameweek, slug)
    undecided = carried_over(contest.ledger, season, gameweek, slug) is not None
    for role in ROLES:
        records = owed.get(role)
        if not records and undecided:
            continue
        if not records:
            raise CannotDecide(
                slug, role, gameweek, f"there is no committed {role} answer to remember; run its earlier steps first."
            )
        contest.gateway.store(Member(manager=slug, role=role), slug, role, records)
        written[role] = len(records)
    threads = contest.gateway.consolidate(Member(manager=slug, role="manager"), slug, "manager")
    return Step(slug, "manager", False, {"records": sum(written.values()), "by_role": written, "threads": len(threads)})


def _needed(contest: Contest, week: Week, slug: str, role: Role, needed: Role, answer_type: type[A]) -> A:
    found = committed(contest, week.season, week.gameweek, slug, needed, answer_type)
    if found is None:
        raise CannotDecide(slug, role, week.gameweek, f"its {needed} has not answered yet; run that step first.")
    return found


def _once(
    contest: Contest, week: Week, slug: str, role: Role, answer_type: type[A], ask_role: Callable[[AnswerKey], Step]
) -> Step:
    """Replay what is committed; ask only when nothing is, and the team was not carried over without the role."""
    key = AnswerKey(season=week.season, gameweek=week.gameweek, manager=slug, role=role)
    row = answer(contest.ledger, key)
    if row is not None:
        return Step(slug, role, True, _figures(contest, answer_type.model_validate_json(row.answer_json), row))
    if undecided := carried_over(contest.ledger, week.season, week.gameweek, slug):
        return Step(slug, role, True, {"reason": undecided}, answered=False)
    try:
        return ask_role(key)
    except CannotAnswer as problem:
        row = carry_over(contest, week, key, problem)
    decision = ManagerDecision.model_validate_json(row.answer_json)
    if role == "manager":
        return Step(slug, role, False, _figures(contest, decision, row))
    return Step(slug, role, False, {"reason": decision.reasoning}, answered=False)


def _asked(
    contest: Contest,
    key: AnswerKey,
    week: Week,
    question: Question,
    answer_type: type[A],
    check: Callable[[A], Sequence[Breach]],
) -> tuple[Asked[A], Prompt]:  # fmt: skip
    prompt = compose_briefing(week).for_role(key.role, question.private)
    spec = spec_of(contest.manager(key.manager))
    asked = ask(
        contest.ledger, key, prompt, spec, answer_type, check, guard=contest.guard, schema=question.schema
    )  # fmt: skip
    return asked, prompt


def _commit(
    contest: Contest, key: AnswerKey, week: Week, asked: Asked[A], prompt: Prompt, memory: Remembered | None,
    applied: Applied | None, examined: Examined | None = None,
) -> Step:  # fmt: skip
    """Commit an answer with the evidence it was made from.

    A decision with its claims, the team it leaves, and what was found about it.
    """
    decision = asked.value if isinstance(asked.value, ManagerDecision) else None
    with contest.ledger.transaction():
        row = Answer(
            **key.model_dump(),
            answer_json=asked.value.model_dump_json(),
            bill_json=None if applied is None else applied.bill.model_dump_json(),
            attempt_id=asked.attempt_id,
            public_sha256=prompt.public_sha256,
            prompt_sha256=prompt.sha256,
            recall_sha256=None if memory is None else memory.record(contest.ledger),
            inputs_sha256=week.inputs_sha256,
            cutoff=week.facts.cutoff,
        )
        committed_now = commit_answer(
            contest.ledger,
            row,
            claims=examined.claims if examined else (),
            state_after=applied.state_after if decision and applied else None,
        )
        if committed_now and decision and examined:
            record_findings(contest.ledger, findings_of(contest, week, key.manager, decision, examined))
    figures = _figures(contest, asked.value, row)
    figures |= {"attempts": asked.attempts, "cost_micro_dollars": asked.cost_micro_dollars}
    if examined is not None and examined.judged is not OFF:
        figures["judge"] = examined.judged.note
        if examined.judged.attempt_id is not None:
            figures["judge_cost_micro_dollars"] = examined.judged.cost_micro_dollars
    if memory is not None:
        figures |= {"recall": memory.recall.state, "recalled": len(memory.recall.items)}
    return Step(key.manager, key.role, False, figures)


def _figures(contest: Contest, value: Frozen, row: Answer) -> dict[str, object]:
    """What a person watching the step would want to see."""
    figures: dict[str, object] = {"answer": value, "source": row.source}
    if row.prompt_sha256 is not None:
        figures["prompt_sha256"] = row.prompt_sha256
    if row.source == "carried_over" and isinstance(value, ManagerDecision):
        figures["reason"] = value.reasoning
    if row.bill_json:
        figures["bill"] = Bill.model_validate_json(row.bill_json)
    if row.role == "manager":
        figures["findings"] = tuple(findings(contest.ledger, row.season, row.gameweek, row.manager))
    return figures
