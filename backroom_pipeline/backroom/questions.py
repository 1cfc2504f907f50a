"""The three questions of a gameweek, in the profile of the league."""

from __future__ import annotations

from backroom_pipeline.backroom import compact
from backroom_pipeline.backroom.contest import Contest, Week
from backroom_pipeline.backroom.contracts import AssistantSheet, CoachRanking
from backroom_pipeline.backroom.desk import Desk
from backroom_pipeline.backroom.private import assistant_text, coach_text, manager_text
from backroom_pipeline.backroom.question import Question
from backroom_pipeline.backroom.remembering import Remembered


def coach_question(week: Week) -> Question:
    return compact.coach_question(week) if week.profile == "compact" else Question(coach_text())


def assistant_question(desk: Desk, ranking: CoachRanking, memory: Remembered | None) -> Question:
    if desk.week.profile == "compact":
        return compact.assistant_question(desk, ranking, memory)
    return Question(assistant_text(desk, ranking, memory))


def manager_question(
    contest: Contest, desk: Desk, ranking: CoachRanking, proposal: AssistantSheet, memory: Remembered | None
) -> Question:
    bill = desk.apply(proposal.sheet).bill
    if desk.week.profile == "compact":
        return compact.manager_question(contest, desk, ranking, proposal, bill, memory)
    return Question(manager_text(contest, desk, ranking, proposal, bill, memory))
