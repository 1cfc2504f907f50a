"""How well promises in plain English are understood: verdicts and contradictions over labelled cases.

Usage: python bench/commitments.py [--labels FOLDER] [--json FILE] [--faults]. The folder holds verdicts.jsonl and
contradictions.jsonl, and perhaps narratives.jsonl, whose claims are not meant to contradict one another. ``kind``,
``axis`` and ``why`` of a case sort and explain results; nothing that is measured reads them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from backroom_pipeline.memory.commitments.conflicts import Context, Said, conflict
from backroom_pipeline.memory.commitments.labelled import Answer, Confusion, check_cases, check_pairs, roster_of
from backroom_pipeline.memory.commitments.sentences import parse_terms

LABELS = Path(__file__).resolve().parents[2] / "shared" / "labels"
NOWHERE = Path("no squads at all")

_Result = TypeVar("_Result")


def verdicts(labels: Path) -> dict[str, Any]:
    """Share of right verdicts, in all and by kind, with the confusion of each kind."""
    checked, milliseconds = _timed(lambda: check_cases(labels / "verdicts.jsonl"))
    return {
        "cases": checked.cases,
        "accuracy": checked.accuracy,
        "right_by_kind": {kind: _right(table) for kind, table in checked.by_kind.items()},
        "confusion_by_kind": checked.by_kind,
        "milliseconds_a_case": round(milliseconds / checked.cases, 2),
        "faults": _wrong(checked.answers, labels / "verdicts.jsonl"),
    }


def contradictions(labels: Path, people: Path) -> dict[str, Any]:
    """Precision and recall of the label contradiction against the other three, with the confusion of each axis."""
    compared, milliseconds = _timed(lambda: check_pairs(labels / "contradictions.jsonl", people))
    return {
        "pairs": compared.pairs,
        "precision": compared.precision,
        "recall": compared.recall,
        "confusion_by_axis": compared.by_axis,
        "milliseconds_a_pair": round(milliseconds / compared.pairs, 2),
        "faults": _wrong(compared.answers, labels / "contradictions.jsonl"),
    }


def false_alarms(labels: Path) -> dict[str, Any]:
    """Conflicts found among the claims of narratives, whose manager is not meant to contradict itself."""
    roster = roster_of(labels / "verdicts.jsonl")
    context = Context(roster.clubs, roster.positions)
    said: dict[str, list[tuple[str, Said]]] = {}
    for row in _rows(labels / "narratives.jsonl"):
        said.setdefault(row["manager"], []).extend(
            (text, Said(parse_terms(text, roster, row["gameweek"]), row["gameweek"])) for text in row["claims"]
        )
    pairs, alarms = 0, list[dict[str, str]]()
    for claims in said.values():
        for at, (earlier_text, earlier) in enumerate(claims):
            for later_text, later in claims[at + 1 :]:
                pairs += 1
                if reason := conflict(earlier, later, context):
                    alarms.append({"earlier": earlier_text, "later": later_text, "reason": reason})
    return {"pairs": pairs, "alarms": len(alarms), "faults": alarms}


def _timed(work: Callable[[], _Result]) -> tuple[_Result, float]:
    started = time.perf_counter()
    return work(), (time.perf_counter() - started) * 1000


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def _right(table: Mapping[str, Mapping[str, int]]) -> tuple[int, int]:
    """How many of one kind were answered right, and how many there are."""
    return sum(given.get(label, 0) for label, given in table.items()), sum(sum(row.values()) for row in table.values())


def _wrong(answers: tuple[Answer, ...], path: Path) -> list[dict[str, Any]]:
    cases = {row["id"]: row for row in _rows(path)}
    return [
        {"id": a.id, "right": a.expected, "given": a.answer, "said": _said(cases[a.id])}
        for a in answers
        if a.expected is not None and a.answer != a.expected
    ]


def _said(case: dict[str, Any]) -> str:
    return case["claim"] if "claim" in case else f"{case['earlier']['text']} / {case['later']['text']}"


def _print_confusion(tables: Confusion) -> None:
    for sort, table in tables.items():
        right, of = _right(table)
        mixed = ", ".join(
            f"{number} {label} taken for {given}"
            for label, row in table.items()
            for given, number in row.items()
            if given != label
        )
        print(f"  {sort or 'of no kind':18}{right:4} of {of:3}  {mixed}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--json", type=Path, help="also write the result there")
    parser.add_argument("--faults", action="store_true", help="print every fault")
    chosen = parser.parse_args()
    result = {
        "verdicts": verdicts(chosen.labels),
        "contradictions": contradictions(chosen.labels, chosen.labels / "verdicts.jsonl"),
        "contradictions_without_squads": contradictions(chosen.labels, NOWHERE),
    }
    if (chosen.labels / "narratives.jsonl").exists():
        result["narratives"] = false_alarms(chosen.labels)
    if chosen.json:
        chosen.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    judged = result["verdicts"]
    print(
        f"verdicts        accuracy {judged['accuracy']} of {judged['cases']}, {judged['milliseconds_a_case']} ms a case"
    )
    _print_confusion(judged["confusion_by_kind"])
    for name in ("contradictions", "contradictions_without_squads"):
        compared = result[name]
        print(f"{name.replace('_', ' ')}  precision {compared['precision']}, recall {compared['recall']}", end="")
        print(f" of {compared['pairs']} pairs, {compared['milliseconds_a_pair']} ms a pair")
        _print_confusion(compared["confusion_by_axis"])
    if told := result.get("narratives"):
        print(f"narratives      {told['alarms']} alarms in {told['pairs']} pairs of claims")
    if chosen.faults:
        for part in result.values():
            for fault in part["faults"]:
                print(json.dumps(fault, ensure_ascii=False))


if __name__ == "__main__":
    main()
