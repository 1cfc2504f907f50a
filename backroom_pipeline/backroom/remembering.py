"""What a role brings to mind before it answers, and what a week owes to its memory afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backroom_pipeline.backroom.contest import CannotDecide, Contest
from backroom_pipeline.backroom.desk import Desk, ReadingRole
from backroom_pipeline.ledger.memory_rows import RecallRow, record_recall
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.model import Category, Member, Recall
from backroom_pipeline.memory.questions import questions_for
from backroom_pipeline.memory.records import records_owed

READ_CATEGORIES: dict[ReadingRole, tuple[Category, ...]] = {
    "assistant": ("sheet",),
    "manager": ("narrative", "commitment", "thread"),
}
"""What a role may recall of its own store; the league file may switch a role's reading off, never widen it."""


@dataclass(frozen=True)
class Remembered:
    """A complete recall, ready for a prompt and for the ledger."""

    row: RecallRow
    recall: Recall

    def record(self, ledger: Ledger) -> str:
        """Keep the evidence in the ledger; its sha256."""
        return record_recall(ledger, self.row)


def remembered(contest: Contest, desk: Desk, role: ReadingRole) -> Remembered | None:
    """Ask the role's own store for what does not lie on the desk already.

    Raises CannotDecide unless everything the ledger owes the store is there.

    None when the league has memory switched off for the role: the prompt then shows none, and says so.
    """
    policy = contest.league.recall_of(role)
    if contest.league.memory == "off" or not policy.own_memory:
        return None
    season, gameweek, slug = desk.week.season, desk.week.gameweek, desk.manager
    member = Member(manager=slug, role=role)
    owed = records_owed(contest.ledger, slug, role, before=(season, gameweek))
    recall = contest.gateway.recall(
        member,
        slug,
        role,
        questions_for(desk.week.facts, desk.state, role),
        before=(season, gameweek),
        expected=[record.id for record in owed],
        budget_tokens=policy.budget_tokens - desk.pinned.tokens,
        categories=READ_CATEGORIES[role],
        without=[standing.record_id for standing in desk.pinned.claims],
    )
    row = RecallRow(
        season=season,
        gameweek=gameweek,
        manager=slug,
        role=role,
        state=recall.state,
        reason=recall.reason,
        questions_json=json.dumps(recall.questions, ensure_ascii=False),
        shown_json=_json(
            {"record_id": item.record.id, **item.model_dump(mode="json", exclude={"record"})} for item in recall.items
        ),
        dropped_json=_json(item.model_dump(mode="json") for item in recall.dropped),
        expected=recall.expected,
        found=recall.found,
        tokens=recall.tokens,
        recorded_at=contest.ledger.now(),
    )
    if recall.state != "complete":
        record_recall(contest.ledger, row)
        raise CannotDecide(
            slug,
            role,
            gameweek,
            f"its memory is {recall.state}: {recall.reason} Mend it with: backroom memory rebuild --manager {slug}",
        )
    return Remembered(row, recall)


def _json(items: Iterable[Mapping[str, object]]) -> str:
    return json.dumps(list(items), ensure_ascii=False)
