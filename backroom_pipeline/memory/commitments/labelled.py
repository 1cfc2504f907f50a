"""Labelled cases as files hold them: read, judged, compared, and scored where they carry labels.

``check_cases`` judges sentences with decisions (lines as in verdicts.jsonl), ``check_pairs`` tells how two sentences
stand to each other (lines as in contradictions.jsonl). Labels are for scoring only; nothing that answers reads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from backroom_pipeline.fpl.model import Chip, ChipPlay, Frozen, Position
from backroom_pipeline.memory.commitments import patterns
from backroom_pipeline.memory.commitments.conflicts import Context
from backroom_pipeline.memory.commitments.decision import DecisionFacts
from backroom_pipeline.memory.commitments.heard import heard_in, well_known_beside
from backroom_pipeline.memory.commitments.names import Named, Roster
from backroom_pipeline.memory.commitments.relations import relation
from backroom_pipeline.memory.commitments.sentences import parse_terms
from backroom_pipeline.memory.commitments.verdicts import judge
from backroom_pipeline.memory.model import Verdict

Confusion = dict[str, dict[str, dict[str, int]]]
"""Kind (or axis) of case to expected label to given answer to number of cases."""


class Answer(Frozen):
    """What one case was answered with; ``expected`` is None where the file has no label for it."""

    id: str
    expected: str | None
    answer: str


class CheckResult(Frozen):
    """Verdicts over a file of cases. ``accuracy`` is the share of labelled cases answered right, None without any."""

    cases: int
    accuracy: float | None
    by_kind: Confusion
    answers: tuple[Answer, ...]


class PairsResult(Frozen):
    """Relations over a file of pairs; precision and recall of the label contradiction against all others.

    Either is None where it has no denominator.
    """

    pairs: int
    precision: float | None
    recall: float | None
    by_axis: Confusion
    answers: tuple[Answer, ...]


def check_cases(path: Path) -> CheckResult:
    """Read every sentence of the file, judge it against its decision, and score it by its label.

    Raises ValueError naming the line that is no such case.
    """
    cases = verdict_cases(path)
    answers = tuple(
        Answer(
            id=case.id,
            expected=case.verdict,
            answer=judge(parse_terms(case.claim, case.roster, case.made_in), case.made_in, case.facts),
        )
        for case in cases
    )
    scored = [answer for answer in answers if answer.expected is not None]
    right = sum(answer.expected == answer.answer for answer in scored)
    return CheckResult(
        cases=len(cases),
        accuracy=_share(right, len(scored)),
        by_kind=_confusion((case.kind for case in cases), answers),
        answers=answers,
    )


def check_pairs(path: Path, people: Path | None = None) -> PairsResult:
    """Tell how the two sentences of every pair of the file stand to each other, and score it by its label.

    The pairs name no squads. Players are those of ``people``, a file of cases with squads (the verdicts.jsonl beside
    the pairs where there is one), and whoever else the sentences name. Raises ValueError naming the line that is no
    such pair.
    """
    cases = pair_cases(path)
    beside = people or path.with_name("verdicts.jsonl")
    roster = _roster_for([text for case in cases for _, text in (case.earlier, case.later)], beside)
    context = Context(roster.clubs, roster.positions)
    answers = tuple(
        Answer(id=case.id, expected=case.label, answer=relation(case.earlier, case.later, roster, context))
        for case in cases
    )
    scored = [answer for answer in answers if answer.expected is not None]
    found = [answer for answer in scored if answer.answer == "contradiction"]
    real = [answer for answer in scored if answer.expected == "contradiction"]
    true = sum(answer.expected == "contradiction" for answer in found)
    return PairsResult(
        pairs=len(cases),
        precision=_share(true, len(found)),
        recall=_share(true, len(real)),
        by_axis=_confusion((case.axis for case in cases), answers),
        answers=answers,
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _confusion(sorts: Iterable[str], answers: Iterable[Answer]) -> Confusion:
    table: Confusion = {}
    for sort, answer in sorted(zip(sorts, answers, strict=True), key=lambda row: (row[0], row[1].expected or "")):
        if answer.expected is not None:
            given = table.setdefault(sort, {}).setdefault(answer.expected, {})
            given[answer.answer] = given.get(answer.answer, 0) + 1
    return table


class VerdictCase(NamedTuple):
    """A sentence, the decision it is judged on, and the right verdict where the file has it."""

    id: str
    kind: str
    claim: str
    made_in: int
    facts: DecisionFacts
    roster: Roster
    verdict: Verdict | None


class PairCase(NamedTuple):
    """Two sentences of one manager and how they stand to each other."""

    id: str
    axis: str
    earlier: tuple[int, str]
    later: tuple[int, str]
    label: str | None


def verdict_cases(path: Path) -> list[VerdictCase]:
    """All cases of a file of lines as in verdicts.jsonl. Names become ids by their place in the file's alphabet."""
    return _VerdictFile(path).cases()


def pair_cases(path: Path) -> list[PairCase]:
    """All cases of a file of lines as in contradictions.jsonl."""
    return [_read(path, number, line, _pair) for number, line in _lines(path)]


def roster_of(path: Path) -> Roster:
    """Everybody named in a file of verdict cases, for sentences that come without a squad."""
    return _VerdictFile(path).roster


def _pair(line: Mapping[str, Any]) -> PairCase:
    earlier, later = line["earlier"], line["later"]
    return PairCase(
        id=line["id"],
        axis=line.get("axis", ""),
        earlier=(earlier["gameweek"], earlier["text"]),
        later=(later["gameweek"], later["text"]),
        label=line.get("label"),
    )


def _roster_for(sentences: list[str], beside: Path) -> Roster:
    """The people of a file of cases if there is one, and those the sentences name."""
    people = _VerdictFile(beside).people if beside.exists() else []
    people = [*people, *well_known_beside(people)]
    people += heard_in(sentences, people)
    roster = Roster(people)
    keepers = {number for sentence in sentences for number in _in_goal(roster.marked(sentence))}
    roster.positions.update({number: "GK" for number in sorted(keepers) if number not in roster.positions})
    return roster


_GOAL = re.compile(r"\b(?:keepers?|goalkeepers?|in (?:my |the )?goal|between the (?:sticks|posts))\b")


def _in_goal(marked: str) -> list[int]:
    """Whom a clause speaks of as goalkeeper."""
    return [
        int(number)
        for clause in re.split(r"[,;:.]| but | while ", marked)
        if _GOAL.search(clause)
        for number in patterns.findall(r"<p(\d+)>", clause)
    ]


class _VerdictFile:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._numbered = _lines(path)

    @cached_property
    def _people(self) -> dict[str, Named]:
        clubs: dict[str, str] = {}
        positions: dict[str, Position] = {}
        for number, line in self._numbered:
            squad, where = _read(self._path, number, line, _squad)
            clubs.update(squad)
            positions.update(where)
        people = {name: Named(at, name, clubs[name], positions.get(name)) for at, name in enumerate(sorted(clubs), 1)}
        heard = heard_in((line.get("claim", "") for _, line in self._numbered), people.values())
        return people | {person.name: person for person in heard}

    @property
    def people(self) -> list[Named]:
        return list(self._people.values())

    @cached_property
    def roster(self) -> Roster:
        return Roster(self.people)

    def cases(self) -> list[VerdictCase]:
        return [_read(self._path, number, line, self._case) for number, line in self._numbered]

    def _case(self, line: Mapping[str, Any]) -> VerdictCase:
        return VerdictCase(
            id=line["id"],
            kind=line.get("kind", ""),
            claim=line["claim"],
            made_in=line["made_in"],
            facts=self._facts(line["state"], line["decision"]),
            roster=Roster(self.people, prefer=self._ids(line["state"]["clubs"])),
            verdict=line.get("verdict"),
        )

    def _ids(self, names: Iterable[str]) -> frozenset[int]:
        return frozenset(self._people[name].id for name in names)

    def _facts(self, state: Mapping[str, Any], decision: Mapping[str, Any]) -> DecisionFacts:
        clubs, positions = cast("dict[str, str]", state["clubs"]), cast("dict[str, Position]", state["positions"])
        plays = cast("dict[Chip, int]", state.get("chips_played_before", {}))
        hits = cast("dict[str, int]", state.get("hits_before", {}))
        return DecisionFacts(
            gameweek=decision["gameweek"],
            chip=decision.get("chip"),
            captain=self._people[decision["captain"]].id,
            vice_captain=self._people[decision["vice_captain"]].id,
            starting=self._ids(decision["starting"]),
            bench=self._ids(decision["bench"]),
            bought=self._ids(decision["transfers_in"]),
            sold=self._ids(decision["transfers_out"]),
            hit_points=decision["hit_points"],
            formation=decision["formation"],
            bank_after=round(decision["bank_after"] * 10),
            free_transfers_before=state["free_transfers_before"],
            chips_played_before=tuple(ChipPlay(chip=chip, gameweek=week) for chip, week in plays.items()),
            unavailable=self._ids(state.get("unavailable", ())),
            clubs={self._people[name].id: club for name, club in clubs.items()},
            positions={self._people[name].id: position for name, position in positions.items()},
            hits_before={int(week): points for week, points in hits.items()},
        )


def _squad(line: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Position]]:
    """Clubs and positions of everybody a case names, the club empty where the case does not say it."""
    state, decision = line["state"], line["decision"]
    named = [
        decision["captain"],
        decision["vice_captain"],
        *decision["starting"],
        *decision["bench"],
        *decision["transfers_in"],
        *decision["transfers_out"],
        *state.get("unavailable", ()),
    ]
    return dict.fromkeys(named, "") | state["clubs"], state["positions"]


def _lines(path: Path) -> list[tuple[int, dict[str, Any]]]:
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return [(number, _read(path, number, line, json.loads)) for number, line in lines if line.strip()]


_Line = TypeVar("_Line")
_Case = TypeVar("_Case")


def _read(path: Path, number: int, line: _Line, reader: Callable[[_Line], _Case]) -> _Case:
    try:
        return reader(line)
    except KeyError as missing:
        raise ValueError(f"Line {number} of {path} lacks {missing}: see how the other lines are made.") from missing
    except (TypeError, AttributeError, ValueError) as wrong:
        raise ValueError(f"Line {number} of {path} is no labelled case ({wrong}).") from wrong
