"""Labelled cases as files hold them, read into sentences, decisions and answers that the judge can be measured on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast

from backroom_pipeline.fpl.model import Chip, ChipPlay, Position
from backroom_pipeline.memory.commitments.decision import DecisionFacts
from backroom_pipeline.memory.commitments.names import Named, Roster
from backroom_pipeline.memory.model import Verdict


class VerdictCase(NamedTuple):
    """A sentence, the decision it is judged on, and the right verdict."""

    id: str
    kind: str
    claim: str
    made_in: int
    facts: DecisionFacts
    roster: Roster
    verdict: Verdict


class PairCase(NamedTuple):
    """Two sentences of one manager and how they stand to each other."""

    id: str
    axis: str
    earlier: tuple[int, str]
    later: tuple[int, str]
    label: str


def verdict_cases(path: Path) -> list[VerdictCase]:
    """All cases of a file of lines as in verdicts.jsonl. Names become ids by their place in the file's alphabet."""
    return _VerdictFile(path).cases()


def pair_cases(path: Path) -> list[PairCase]:
    """All cases of a file of lines as in contradictions.jsonl."""
    return [
        PairCase(
            id=line["id"],
            axis=line.get("axis", ""),
            earlier=(line["earlier"]["gameweek"], line["earlier"]["text"]),
            later=(line["later"]["gameweek"], line["later"]["text"]),
            label=line["label"],
        )
        for line in _lines(path)
    ]


def roster_of(path: Path) -> Roster:
    """Everybody named in a file of verdict cases, for sentences that come without a squad."""
    return _VerdictFile(path).roster


class _VerdictFile:
    def __init__(self, path: Path) -> None:
        self._lines = _lines(path)

    @cached_property
    def _people(self) -> dict[str, Named]:
        clubs: dict[str, str] = {}
        positions: dict[str, Position] = {}
        for line in self._lines:
            clubs.update(line["state"]["clubs"])
            positions.update(line["state"]["positions"])
        return {name: Named(at, name, clubs[name], positions.get(name)) for at, name in enumerate(sorted(clubs), 1)}

    @cached_property
    def roster(self) -> Roster:
        return Roster(self._people.values())

    def cases(self) -> list[VerdictCase]:
        return [
            VerdictCase(
                id=line["id"],
                kind=line.get("kind", ""),
                claim=line["claim"],
                made_in=line["made_in"],
                facts=self._facts(line["state"], line["decision"]),
                roster=Roster(self._people.values(), prefer=self._ids(line["state"]["clubs"])),
                verdict=line["verdict"],
            )
            for line in self._lines
        ]

    def _ids(self, names: Iterable[str]) -> frozenset[int]:
        return frozenset(self._people[name].id for name in names)

    def _facts(self, state: Mapping[str, Any], decision: Mapping[str, Any]) -> DecisionFacts:
        clubs, positions = cast("dict[str, str]", state["clubs"]), cast("dict[str, Position]", state["positions"])
        plays = cast("dict[Chip, int]", state["chips_played_before"])
        hits = cast("dict[str, int]", state.get("hits_before", {}))
        return DecisionFacts(
            gameweek=decision["gameweek"],
            chip=decision["chip"],
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
            unavailable=self._ids(state["unavailable"]),
            clubs={self._people[name].id: club for name, club in clubs.items()},
            positions={self._people[name].id: position for name, position in positions.items()},
            hits_before={int(week): points for week, points in hits.items()},
        )


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
