"""Why did it say that: what a past prompt brought to mind, what it passed over, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, cast

from backroom_pipeline.backroom.carrying import carried_over
from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.fpl.model import Bill, Chip, Frozen, TeamSheet
from backroom_pipeline.ledger.answers import Answer, AnswerKey, answer
from backroom_pipeline.ledger.errors import LedgerError
from backroom_pipeline.ledger.findings import Finding, findings
from backroom_pipeline.ledger.memory_rows import RecallRow, recall_with
from backroom_pipeline.memory.commitments import decision_facts, judge, standing_claims
from backroom_pipeline.memory.model import Category, MemoryRecord, Role, Verdict
from backroom_pipeline.memory.records import records_owed
from backroom_pipeline.memory.threads import threads
from backroom_pipeline.models.attempts import stored_prompt
from backroom_pipeline.models.blocks import Blocks

_SECTION = {"assistant": "own_sheets", "manager": "memory"}


class NothingAsked(LedgerError):
    """A step that asked its memory nothing, or was never made."""


class Recollection(Frozen):
    """One record a question found, shown in the prompt or not."""

    record_id: str
    season: str
    gameweek: int
    category: Category
    text: str
    result: str | None
    """The RESULT line as the prompt had it; none for what was not shown."""
    legs: dict[str, int]
    """Rank in each search leg; ``link``: it followed a record it belongs to."""
    model: str | None
    """Who said it, where that is another model than the one that is reminded of it."""
    score: float
    fate: Literal["shown", "budget", "quota"]
    """Shown, left out because the section was full, or because its question had added its share."""


class Question(Frozen):
    """One narrow question of the week and everything it found, best first."""

    text: str
    found: tuple[Recollection, ...]


class Bound(Frozen):
    """A promise that stood before the decision, and what the decision made of it."""

    made_in: int
    text: str
    shown: bool | None
    """Whether the prompt had room for it; None where there was no prompt."""
    verdict: Verdict


class Decided(Frozen):
    """What the answer to the prompt was; players by the names of that week."""

    words: str
    """The manager's reasoning or the assistant's case, verbatim."""
    captain: str
    vice_captain: str
    chip: Chip | None
    sold: tuple[str, ...]
    bought: tuple[str, ...]
    hit_points: int


class Why(Frozen):
    """Everything behind one answer that came out of memory."""

    season: str
    gameweek: int
    manager: str
    role: Role
    model: str
    """That answered."""
    prompt_sha256: str | None
    """None where the team was carried over and nobody was asked, or nobody answered."""
    state: str
    reason: str
    budget_tokens_used: int
    questions: tuple[Question, ...]
    promises: tuple[Bound, ...]
    findings: tuple[Finding, ...]
    """Of a manager: own claims contradicted, promises broken, own words repeated."""
    decided: Decided


def why(contest: Contest, season: str, gameweek: int, slug: str, role: Role) -> Why:
    """Put together from the ledger: the stores as they are today have no say.

    Raises NothingAsked for a coach, which has no memory, and where there is no committed answer or no recall.
    """
    if role == "coach":
        raise NothingAsked("A coach has no memory: it ranks from the statistics alone. Ask for assistant or manager.")
    ledger = contest.ledger
    key = AnswerKey(season=season, gameweek=gameweek, manager=slug, role=role)
    row = answer(ledger, key)
    if row is not None and row.source == "carried_over":
        return _why_nothing(contest, row)
    if row is None and (undecided := carried_over(ledger, season, gameweek, slug)):
        raise NothingAsked(f"{slug}'s {role} gave no answer in gameweek {gameweek} of {season}. {undecided}")
    if row is None or row.prompt_sha256 is None:
        raise NothingAsked(
            f"{slug}'s {role} has no committed answer in gameweek {gameweek} of {season}. Play it first: "
            f"backroom gameweek run {gameweek}"
        )
    if row.recall_sha256 is None:
        raise NothingAsked(
            f"{slug}'s {role} asked its memory nothing in gameweek {gameweek} of {season}: the league has memory "
            "switched off for it."
        )
    recall = recall_with(ledger, row.recall_sha256)
    models = _models(contest, slug, role)
    blocks = Blocks(stored_prompt(ledger, row.prompt_sha256).private)
    pinned = {(int(shown["made_in"]), str(shown["text"])) for shown in blocks.rows("standing_commitments")}
    return Why(
        season=season,
        gameweek=gameweek,
        manager=slug,
        role=role,
        model=models[season, gameweek],
        prompt_sha256=row.prompt_sha256,
        state=recall.state,
        reason=recall.reason,
        budget_tokens_used=recall.tokens,
        questions=_questions(
            recall, _records(contest, slug, role), blocks.rows(_SECTION[role]), models, models[season, gameweek]
        ),
        promises=_promises(contest, key, pinned),
        findings=tuple(findings(ledger, season, gameweek, slug)) if role == "manager" else (),
        decided=_decided(contest, row),
    )


def _why_nothing(contest: Contest, row: Answer) -> Why:
    """Of a team that was carried over: what that made of its promises, and that no memory had a say."""
    key = row.key
    return Why(
        season=key.season,
        gameweek=key.gameweek,
        manager=key.manager,
        role=key.role,
        model=row.source,
        prompt_sha256=None,
        state="not asked",
        reason="Nothing that came to mind led to this: the team stood as it was.",
        budget_tokens_used=0,
        questions=(),
        promises=_promises(contest, key, None),
        findings=tuple(findings(contest.ledger, key.season, key.gameweek, key.manager)),
        decided=_decided(contest, row),
    )


def _records(contest: Contest, slug: str, role: Role) -> dict[str, MemoryRecord]:
    records = [*records_owed(contest.ledger, slug, role), *(threads(contest.ledger, slug) if role == "manager" else ())]
    return {record.id: record for record in records}


def _models(contest: Contest, slug: str, role: Role) -> dict[tuple[str, int], str]:
    """The model behind each committed answer of a role, by season and gameweek."""
    found = contest.ledger.rows(
        "SELECT a.season, a.gameweek, coalesce(model, a.source) AS model FROM answers a "
        "LEFT JOIN attempts USING (attempt_id) WHERE a.manager = ? AND a.role = ?",
        [slug, role],
    )
    return {(cast(str, row["season"]), cast(int, row["gameweek"])): cast(str, row["model"]) for row in found}


def _questions(
    recall: RecallRow,
    records: Mapping[str, MemoryRecord],
    section: list[dict[str, Any]],
    models: Mapping[tuple[str, int], str],
    now: str,
) -> tuple[Question, ...]:
    """``section``: the rows of the prompt, in the order of what was shown."""
    found: dict[str, list[Recollection]] = {question: [] for question in json.loads(recall.questions_json)}

    def add(item: Mapping[str, Any], fate: str, result: str | None) -> None:
        record = records[item["record_id"]]
        asked = str(item["question"])
        # What followed a record it belongs to carries the reason behind the question.
        question = next((known for known in found if asked == known or asked.startswith(f"{known} (")), asked)
        recollection = Recollection(
            record_id=record.id,
            season=record.season,
            gameweek=record.gameweek,
            category=record.category,
            text=record.text,
            result=result,
            legs=item["legs"],
            model=None if (said_by := models.get((record.season, record.gameweek))) == now else said_by,
            score=item["score"],
            fate=cast(Any, fate),
        )
        found.setdefault(question, []).append(recollection)

    for item, row in zip(json.loads(recall.shown_json), section, strict=True):
        add(item, "shown", row["result"])
    for item in json.loads(recall.dropped_json):
        add(item, str(item["why"]), None)
    return tuple(Question(text=question, found=tuple(recollections)) for question, recollections in found.items())


def _promises(contest: Contest, key: AnswerKey, pinned: set[tuple[int, str]] | None) -> tuple[Bound, ...]:
    try:
        facts = decision_facts(contest.ledger, key.season, key.gameweek, key.manager)
    except LookupError:
        return ()
    return tuple(
        Bound(
            made_in=standing.made_in,
            text=standing.claim.text,
            shown=None if pinned is None else (standing.made_in, standing.claim.text) in pinned,
            verdict=judge(standing.claim, standing.made_in, facts),
        )
        for standing in standing_claims(contest.ledger, key.manager, key.season, key.gameweek)
    )


def _decided(contest: Contest, row: Answer) -> Decided:
    said = json.loads(row.answer_json)
    sheet = TeamSheet.model_validate_json(json.dumps(said["sheet"]))
    bill = Bill.model_validate_json(row.bill_json or "")
    pool = contest.pool(row.season, row.gameweek)
    return Decided(
        words=said["reasoning"] if row.role == "manager" else said["case"],
        captain=pool[sheet.captain].web_name,
        vice_captain=pool[sheet.vice_captain].web_name,
        chip=sheet.chip,
        sold=tuple(pool[trade.player_id].web_name for trade in bill.sold),
        bought=tuple(pool[trade.player_id].web_name for trade in bill.bought),
        hit_points=bill.hit_points,
    )
