"""Committed answers in the ledger: one per role and gameweek, with the claims and the team that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from backroom_pipeline.fpl.model import TeamState
from backroom_pipeline.ledger.rows import Answer, AnswerKey, ClaimRow, Promise
from backroom_pipeline.ledger.store import Ledger, LedgerError

__all__ = [
    "Answer",
    "AnswerKey",
    "ClaimRow",
    "answer",
    "answers",
    "claims",
    "commit_answer",
    "team_state",
]


def commit_answer(
    ledger: Ledger, answer: Answer, *, claims: Sequence[Promise] = (), state_after: TeamState | None = None
) -> bool:
    """Commit an answer with its claims and the team after it, all or nothing.

    False when the key already has an answer: that one stays and nothing is added. Raises LedgerError for a decision
    without bill or team, or claims and a team from another role.
    """
    key = answer.key
    if key.role == "manager" and (state_after is None or answer.bill_json is None):
        raise LedgerError(f"{key.path} is a decision; it is committed with its bill and the team after it.")
    if key.role != "manager" and (claims or state_after is not None):
        raise LedgerError(f"{key.path} is no decision; only a manager makes claims and changes the team.")
    with ledger.transaction():
        row: dict[str, object] = {**answer.model_dump(), "committed_at": answer.committed_at or ledger.now()}
        if not ledger.append("answers", [row], ignore_existing=True):
            return False
        of_manager = {"season": key.season, "gameweek": key.gameweek, "manager": key.manager}
        ledger.append(
            "claims",
            [
                {**of_manager, "ordinal": ordinal, "text": claim.text, "terms_json": claim.terms.model_dump_json()}
                for ordinal, claim in enumerate(claims)
            ],
        )
        if state_after is not None:
            ledger.append("team_states", [{**of_manager, "state_json": state_after.model_dump_json()}])
    return True


def answer(ledger: Ledger, key: AnswerKey) -> Answer | None:
    """The committed answer, or None."""
    found = ledger.rows(
        "SELECT * FROM answers WHERE season = ? AND gameweek = ? AND manager = ? AND role = ?",
        [key.season, key.gameweek, key.manager, key.role],
    )
    return Answer(**cast(dict[str, Any], found[0])) if found else None


def answers(
    ledger: Ledger,
    season: str | None = None,
    gameweek: int | None = None,
    manager: str | None = None,
    role: str | None = None,
) -> list[Answer]:
    """Committed answers in the order of season, gameweek, manager and role; every filter may be left out."""
    found = ledger.rows(
        "SELECT * FROM answers WHERE season = coalesce(?, season) AND gameweek = coalesce(?, gameweek) "
        "AND manager = coalesce(?, manager) AND role = coalesce(?, role) ORDER BY season, gameweek, manager, role",
        [season, gameweek, manager, role],
    )
    return [Answer(**cast(dict[str, Any], row)) for row in found]


def team_state(ledger: Ledger, season: str, gameweek: int, manager: str) -> TeamState:
    """The team before the deadline of a gameweek: after the latest earlier decision, or one not entered yet."""
    found = ledger.rows(
        "SELECT state_json FROM team_states WHERE season = ? AND gameweek < ? AND manager = ? "
        "ORDER BY gameweek DESC LIMIT 1",
        [season, gameweek, manager],
    )
    return TeamState.model_validate_json(str(found[0]["state_json"])) if found else TeamState()


def claims(ledger: Ledger, manager: str, season: str | None = None) -> list[ClaimRow]:
    """What the manager bound itself with, oldest first."""
    found = ledger.rows(
        "SELECT * FROM claims WHERE manager = ? AND season = coalesce(?, season) ORDER BY season, gameweek, ordinal",
        [manager, season],
    )
    return [ClaimRow(**cast(dict[str, Any], row)) for row in found]
