"""The rows of the ledger that other rooms write and read, as they are outside the database."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Literal, Protocol, Self

from pydantic import BaseModel, Field

from backroom_pipeline.fpl.model import Chip, ChipPlay, Frozen, LineupScore, Substitution

Role = Literal["coach", "assistant", "manager"]
CallRole = Literal["coach", "assistant", "manager", "judge"]
"""Who may be asked: the roles, and a judge of promises, which answers nothing that is committed."""
AnswerSource = Literal["model", "carried_over"]
AttemptKind = Literal["content", "transport"]
AttemptStatus = Literal["ok", "invalid", "illegal", "refused", "truncated", "timeout", "transport", "error"]


class ManagerRow(Frozen):
    """A manager as last recorded; ``version`` counts the changes of name or model."""

    slug: str
    version: int
    name: str
    model: str
    persona: str | None = None
    """Of an offline manager."""


class Attempt(Frozen):
    """A call to a model, recorded before it is made."""

    attempt_id: str
    season: str
    gameweek: int
    manager: str
    role: CallRole
    number: int
    """1, 2, … within the key (season, gameweek, manager, role), whatever the kind."""
    kind: AttemptKind
    """Which budget it draws on: content (a first try or a repair) or transport (the same request once more)."""
    model: str
    request_sha256: str
    public_sha256: str
    prompt_sha256: str
    started_at: datetime


class AttemptResult(Frozen):
    """How a call ended."""

    attempt_id: str
    status: AttemptStatus
    answer_sha256: str | None = None
    """The raw answer, kept with ``put_text``."""
    error: str | None = None
    usage_json: str | None = None
    cost_micro_dollars: int | None = None
    """None where the cost is unknown, which is not the same as 0."""
    cost_source: str | None = None
    latency_ms: int | None = None
    finish_reason: str | None = None
    ended_at: datetime


class CallRow(Frozen):
    """An attempt with its result; ``status`` is pending where there is none."""

    attempt: Attempt
    result: AttemptResult | None

    @property
    def status(self) -> str:
        return self.result.status if self.result else "pending"


class AnswerKey(Frozen):
    """What is paid for once."""

    season: str
    gameweek: int
    manager: str
    role: Role

    @property
    def path(self) -> str:
        """The row's name in sentences and sources: ``answers/2025-26/7/opus/manager``."""
        return f"answers/{self.season}/{self.gameweek}/{self.manager}/{self.role}"


class JudgeKey(Frozen):
    """Under which a manager's judge of promises is asked in a gameweek. Nothing is committed under it."""

    season: str
    gameweek: int
    manager: str
    role: Literal["judge"] = "judge"


CallKey = AnswerKey | JudgeKey
"""What attempts are counted under."""


class Answer(Frozen):
    """A committed answer and the evidence of what it was made from."""

    season: str
    gameweek: int
    manager: str
    role: Role
    answer_json: str
    """CoachRanking, AssistantSheet or ManagerDecision, as JSON."""
    bill_json: str | None = None
    """The Bill of the sheet, as JSON; always there for a manager."""
    source: AnswerSource = "model"
    attempt_id: str | None = None
    public_sha256: str | None = None
    prompt_sha256: str | None = None
    recall_sha256: str | None = None
    inputs_sha256: str
    cutoff: datetime
    committed_at: datetime | None = None
    """Left out, the ledger's clock at the commit."""

    @property
    def key(self) -> AnswerKey:
        return AnswerKey(season=self.season, gameweek=self.gameweek, manager=self.manager, role=self.role)


class Promise(Protocol):
    """What a decision binds itself with (memory's Claim): the words, and the same as terms."""

    @property
    def text(self) -> str: ...

    @property
    def terms(self) -> BaseModel: ...


class ClaimRow(Frozen):
    """A committed promise. ``ordinal`` counts from 0 within the decision."""

    season: str
    gameweek: int
    manager: str
    ordinal: int
    text: str
    terms_json: str


class ScoreRow(Frozen):
    """One manager's gameweek under one scoring version. ``net_points`` is ``points`` less ``hit_points``."""

    season: str
    gameweek: int
    manager: str
    scoring_version: int
    points: int
    bench_points: int
    hit_points: int
    net_points: int
    substitutions: tuple[Substitution, ...] = ()
    captain: int | None = None
    multipliers: dict[int, int] = Field(default_factory=dict[int, int])

    @classmethod
    def of(
        cls, season: str, gameweek: int, manager: str, scoring_version: int, score: LineupScore, hit_points: int
    ) -> Self:
        """The score of a lineup less its hit."""
        return cls(
            season=season,
            gameweek=gameweek,
            manager=manager,
            scoring_version=scoring_version,
            points=score.points,
            bench_points=score.bench_points,
            hit_points=hit_points,
            net_points=score.points - hit_points,
            substitutions=score.substitutions,
            captain=score.captain,
            multipliers=score.multipliers,
        )


class Standing(Frozen):
    """One line of the league table, over the scored gameweeks."""

    slug: str
    rank: int
    """Shared by teams equal on points and transfers."""
    points: int
    """Net of hits."""
    gross: int
    hits: int
    """Paid transfers."""
    hit_points: int
    transfers: int
    """All transfers, those under wildcard and free hit not counted: fewer ranks higher among equals."""
    chips_played: tuple[ChipPlay, ...]
    last_points: int
    """Net points of the last scored gameweek; 0 for a team without a score in it."""
    played: int
    """Scored gameweeks of this team."""
    carried_over: tuple[int, ...] = ()
    """Those in which its team stood as it was, because the manager could not decide."""

    @property
    def label(self) -> str:
        """The slug, marked where a gameweek was carried over."""
        return f"{self.slug} †" if self.carried_over else self.slug

    @property
    def footnote(self) -> str | None:
        """What the mark stands for."""
        if not self.carried_over:
            return None
        weeks = ", ".join(map(str, self.carried_over))
        plural = "s" if len(self.carried_over) > 1 else ""
        return f"† {self.slug} could not decide in gameweek{plural} {weeks}; its team was carried over as it was."


class FormWeek(Frozen):
    """One past gameweek of a manager among the field of that week."""

    gameweek: int
    net_points: int
    hit_points: int
    rank: int
    of: int
    chip: Chip | None = None
    carried_over: bool = False
    """The team stood as it was, because the manager could not decide."""


class Form(Frozen):
    """How a manager stands before a gameweek, from the ledger alone."""

    season: str
    gameweek: int
    manager: str
    played: int
    weeks: tuple[FormWeek, ...]
    """The last five scored gameweeks, newest first."""
    total: int
    """Net points of the season so far."""
    rank: int | None
    """Place in the league table; None before the first scored gameweek."""
    of: int
    hits: int
    """Paid transfers so far."""
    hit_cost: int
    """Points they cost."""
    chips_played: tuple[ChipPlay, ...]


class RecallRow(Frozen):
    """What one step asked its memory and what came back, with the evidence for its state."""

    season: str
    gameweek: int
    manager: str
    role: Role
    state: Literal["complete", "partial", "empty", "unavailable"]
    reason: str
    questions_json: str
    shown_json: str
    """In the order of the prompt: record_id, question, legs (search leg to rank), score."""
    dropped_json: str
    """Found and not shown: the same, and why (``budget`` or ``quota``)."""
    expected: int
    found: int
    tokens: int
    recorded_at: datetime


class MemoryIndexRow(Frozen):
    """A memory record that a store was given. The words are in the row it is derived from (``source``)."""

    record_id: str
    manager: str
    role: Role
    category: str
    season: str
    gameweek: int
    ordinal: int
    pinned: bool
    source: str
    text_sha256: str


class OutcomeRow(Frozen):
    """How the gameweek of a memory record turned out."""

    record_id: str
    manager: str
    role: Role
    season: str
    gameweek: int
    scoring_version: int
    verdict: Literal["success", "failure", "mixed"]
    net_points: int
    rank: int
    of: int
    season_total: int


FindingKind = Literal["claim", "decision", "quote"]
FoundBy = Literal["terms", "negation", "model", "verbatim", "near-verbatim"]


class Finding(Frozen):
    """A new text or decision set against an earlier text of the same manager. An event, never an error."""

    season: str
    gameweek: int
    """Of the decision it was found in."""
    manager: str
    kind: FindingKind
    """A new claim contradicts a standing one, a decision breaks one, or a text repeats an earlier one."""
    earlier_id: str
    """A memory record's id, as ``later_id``."""
    earlier_season: str
    earlier_gameweek: int
    earlier_text: str
    later_id: str
    later_text: str
    """The claim, what the decision did, or the passage that repeats."""
    later_start: int = 0
    """Of a quotation: the character of the whole text at which the passage begins."""
    found_by: FoundBy
    reason: str
    openly: bool | None = None
    """Of a decision: whether the reasoning admits what it breaks. None for the others."""
    similarity: float | None = None
    attempt_id: str | None = None
    """The call to a model that found it."""
    cost_micro_dollars: int | None = None
    """Of that whole call, which may have found several. None where it is unknown, and where nobody was asked."""
    recorded_at: datetime | None = None
    """Left out, the ledger's clock."""


class AuditRow(Frozen):
    """One request at the door of memory, granted or refused."""

    at: datetime
    caller_manager: str
    caller_role: str
    project: str
    verb: str
    allowed: bool
    reason: str
    ids_json: str

    @property
    def ids(self) -> list[str]:
        """The records asked for or found."""
        return json.loads(self.ids_json)
