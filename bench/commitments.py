"""How well promises in plain English are understood: verdicts and contradictions over the labelled cases.

Usage: python bench/commitments.py [--labels FOLDER] [--json FILE] [--faults]. ``kind``, ``axis`` and ``why`` of a case
sort and explain results; nothing that is measured reads them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from backroom_pipeline.memory.commitments import Context, Roster, Said, conflict, judge, parse_terms
from backroom_pipeline.memory.commitments.labelled import pair_cases, roster_of, verdict_cases

LABELS = Path(__file__).resolve().parents[2] / "shared" / "labels"


def verdicts(labels: Path) -> dict[str, Any]:
    """Share of right verdicts, in all and by kind, and every wrong one."""
    cases = verdict_cases(labels / "verdicts.jsonl")
    right: Counter[str] = Counter()
    of: Counter[str] = Counter(case.kind for case in cases)
    faults: list[dict[str, str]] = []
    started = time.perf_counter()
    for case in cases:
        terms = parse_terms(case.claim, case.roster, case.made_in)
        verdict = judge(terms, case.made_in, case.facts)
        if verdict == case.verdict:
            right[case.kind] += 1
        else:
            faults.append({"id": case.id, "claim": case.claim, "right": case.verdict, "given": verdict})
    return {
        "cases": len(cases),
        "right": right.total(),
        "accuracy": round(right.total() / len(cases), 3),
        "by_kind": {kind: [right[kind], of[kind]] for kind in sorted(of)},
        "milliseconds_a_case": round((time.perf_counter() - started) * 1000 / len(cases), 2),
        "faults": faults,
    }


def contradictions(labels: Path) -> dict[str, Any]:
    """Precision and recall of the label contradiction against the other three, and every fault."""
    roster = roster_of(labels / "verdicts.jsonl")
    context = Context(roster.clubs, roster.positions)
    counts: Counter[str] = Counter()
    faults: list[dict[str, str]] = []
    cases = pair_cases(labels / "contradictions.jsonl")
    for case in cases:
        earlier, later = (Said(parse_terms(text, roster, week), week) for week, text in (case.earlier, case.later))
        reason = conflict(earlier, later, context)
        outcome = ("true" if (reason is not None) == (case.label == "contradiction") else "false") + (
            " positive" if reason else " negative"
        )
        counts[outcome] += 1
        if outcome.startswith("false"):
            faults.append({"id": case.id, "label": case.label, "earlier": case.earlier[1], "later": case.later[1]})
    found, real = counts["true positive"] + counts["false positive"], counts["true positive"] + counts["false negative"]
    return {
        "cases": len(cases),
        "precision": round(counts["true positive"] / found, 3) if found else None,
        "recall": round(counts["true positive"] / real, 3) if real else None,
        "counts": dict(sorted(counts.items())),
        "faults": faults,
    }


def false_alarms(labels: Path) -> dict[str, Any]:
    """Conflicts found among the claims of narratives, whose manager is not meant to contradict itself."""
    roster: Roster = roster_of(labels / "verdicts.jsonl")
    context = Context(roster.clubs, roster.positions)
    said: dict[str, list[tuple[str, Said]]] = {}
    for line in (labels / "narratives.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        said.setdefault(row["manager"], []).extend(
            (text, Said(parse_terms(text, roster, row["gameweek"]), row["gameweek"])) for text in row["claims"]
        )
    pairs, alarms = 0, []
    for claims in said.values():
        for at, (earlier_text, earlier) in enumerate(claims):
            for later_text, later in claims[at + 1 :]:
                pairs += 1
                if reason := conflict(earlier, later, context):
                    alarms.append({"earlier": earlier_text, "later": later_text, "reason": reason})
    return {"pairs": pairs, "alarms": len(alarms), "faults": alarms}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--json", type=Path, help="also write the result there")
    parser.add_argument("--faults", action="store_true", help="print every fault")
    chosen = parser.parse_args()
    result = {
        "verdicts": verdicts(chosen.labels),
        "contradictions": contradictions(chosen.labels),
        "narratives": false_alarms(chosen.labels),
    }
    if chosen.json:
        chosen.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    judged, compared, told = result["verdicts"], result["contradictions"], result["narratives"]
    print(f"verdicts        {judged['right']} of {judged['cases']} ({judged['accuracy']:.3f})", end=", ")
    print(f"{judged['milliseconds_a_case']} ms a sentence with its verdict")
    for kind, (right, of) in judged["by_kind"].items():
        print(f"  {kind:16}{right:3} of {of}")
    print(f"contradictions  precision {compared['precision']}, recall {compared['recall']}, {compared['counts']}")
    print(f"narratives      {told['alarms']} alarms in {told['pairs']} pairs of claims")
    if chosen.faults:
        for part in result.values():
            for fault in part["faults"]:
                print(json.dumps(fault, ensure_ascii=False))


if __name__ == "__main__":
    main()
