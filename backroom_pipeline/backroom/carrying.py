"""A team carried over: it stands as in the real game, because its backroom could not be brought to a decision.

Only where the league file says so, and only for want of an answer. What an operator has to mend (facts, memory, the
league file) stops the gameweek under either policy. It is done by whichever step is left without an answer: the steps
after it have nothing to go on, and no later answer is put in its place.
"""

from __future__ import annotations

import re

from backroom_pipeline.backroom.contest import CannotDecide, Contest, Week
from backroom_pipeline.backroom.contracts import ManagerDecision
from backroom_pipeline.backroom.findings import findings_when_carried_over
from backroom_pipeline.fpl.model import IllegalSheet, TeamSheet
from backroom_pipeline.fpl.squad import apply_sheet
from backroom_pipeline.ledger.answers import Answer, AnswerKey, answer, answers, commit_answer, team_state
from backroom_pipeline.ledger.findings import record_findings
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.models.call import CannotAnswer, CapReached
from backroom_pipeline.models.redaction import storable

_LONGEST_WHY = 400
"""Characters: enough for what a vendor said, or for the first breaches of the last answer."""
_NO_TEAM = (
    "There is no team to carry over in the opening week of a season, so the gameweek waits. Mend the cause and run it "
    "again, or give the manager another model."
)


def carry_over(contest: Contest, week: Week, key: AnswerKey, problem: CannotAnswer) -> Answer:
    """Let the team stand in place of a decision, committed and final; the committed row.

    ``key``: of the role that could not answer. Raises CannotDecide where the league stops instead, and where there is
    no team yet.
    """
    if contest.league.when_a_manager_cannot_decide == "stop":
        raise CannotDecide(key.manager, key.role, key.gameweek, problem.reason) from problem
    sheet = standing_sheet(contest.ledger, week.season, week.gameweek, key.manager)
    if sheet is None:
        raise CannotDecide(key.manager, key.role, key.gameweek, f"{_ended(problem.reason)} {_NO_TEAM}") from problem
    state = team_state(contest.ledger, week.season, week.gameweek, key.manager)
    try:
        applied = apply_sheet(state, sheet, week.pool, week.rules, week.gameweek)
    except IllegalSheet as illegal:
        reason = f"{_ended(problem.reason)} Nor can its team stand as it is: {illegal}"
        raise CannotDecide(key.manager, key.role, key.gameweek, reason) from illegal
    decision = ManagerDecision(sheet=sheet, reasoning=_told(key, problem), claims=())
    row = Answer(
        season=week.season,
        gameweek=week.gameweek,
        manager=key.manager,
        role="manager",
        answer_json=decision.model_dump_json(),
        bill_json=applied.bill.model_dump_json(),
        source="carried_over",
        inputs_sha256=week.inputs_sha256,
        cutoff=week.facts.cutoff,
    )
    with contest.ledger.transaction():
        commit_answer(contest.ledger, row, state_after=applied.state_after)
        record_findings(contest.ledger, findings_when_carried_over(contest, week, key.manager))
    return row


def carried_over(ledger: Ledger, season: str, gameweek: int, manager: str) -> str | None:
    """Why the team was carried over in a gameweek, in one sentence; None where it was not."""
    row = answer(ledger, AnswerKey(season=season, gameweek=gameweek, manager=manager, role="manager"))
    if row is None or row.source != "carried_over":
        return None
    return ManagerDecision.model_validate_json(row.answer_json).reasoning


def standing_sheet(ledger: Ledger, season: str, gameweek: int, manager: str) -> TeamSheet | None:
    """The sheet of a team nobody touches: its last one of the season, without the chip; None before the first.

    A free hit's team goes back when its gameweek is over, so the sheet before it stands again.
    """
    decided = answers(ledger, season, manager=manager, role="manager")
    for row in reversed([row for row in decided if row.gameweek < gameweek]):
        sheet = ManagerDecision.model_validate_json(row.answer_json).sheet
        if sheet.chip != "free_hit":
            return sheet.model_copy(update={"chip": None})
    return None


def _told(key: AnswerKey, problem: CannotAnswer) -> str:
    who = "it" if key.role == "manager" else f"its {key.role}"
    return (
        f"Carried over: the manager could not decide, because {who} gave no legal answer ({_why(problem)}), so the "
        "team stands as it was."
    )


def _why(problem: CannotAnswer) -> str:
    """On one line and without keys: it is published, and remembered."""
    said = " ".join(storable(problem.reason).split())
    if isinstance(problem, CapReached):
        # What follows tells an operator how to go on, which is over with.
        said = re.split(r"(?<=\.)\s", said)[0]
    return (said if len(said) <= _LONGEST_WHY else f"{said[:_LONGEST_WHY].rstrip()}…").rstrip(".")


def _ended(reason: str) -> str:
    return reason if reason.endswith((".", "!", "?")) else f"{reason}."
