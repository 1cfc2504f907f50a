"""How well own words are recognised when they are repeated. Prints JSON.

Run: python -m bench.quotes [--labels FOLDER] [--ledger FILE]. The labelled narratives name what they quote; in a played
season of the house league everything between quotation marks is a quotation, with its gameweek beside it.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.quotes import Earlier, OwnWords, Quote, earlier_words
from backroom_pipeline.memory.text import quoted

LABELS = Path(__file__).resolve().parents[2] / "shared" / "labels"


def labelled(path: Path) -> dict[str, Any]:
    """Precision and recall over (gameweek, sentence), for the texts alone; claims that repeat something are counted."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    right = found = real = repeated = 0
    faults: list[dict[str, Any]] = []
    for row in rows:
        own = OwnWords([source for each in rows if _before(each, row) for source in _sources(each)])
        given = {(quote.gameweek, quote.sentence) for quote in own.quoted_in(row["text"])}
        wanted = {(quote["gameweek"], quote["text"]) for quote in row["quotes"]}
        right, found, real = right + len(given & wanted), found + len(given), real + len(wanted)
        repeated += sum(bool(own.quoted_in(claim)) for claim in row["claims"])
        if given != wanted:
            wrong = {"missed": sorted(wanted - given), "too many": sorted(given - wanted)}
            faults.append({"manager": row["manager"], "gameweek": row["gameweek"], **wrong})
    return {
        "texts": len(rows),
        "quotations": real,
        "precision": round(right / found, 3) if found else None,
        "recall": round(right / real, 3) if real else None,
        "claims_that_repeat": repeated,
        "faults": faults,
    }


def played(path: Path) -> dict[str, Any]:
    """Over every decision of a ledger: marked quotations found with their gameweek, unmarked ones, and the time."""
    marked = right = unmarked = decisions = 0
    spent: list[float] = []
    with Ledger.open(path, read_only=True) as ledger:
        for row in ledger.rows("SELECT season, gameweek, manager, reasoning FROM decisions ORDER BY ALL"):
            text, before = str(row["reasoning"]), (str(row["season"]), int(str(row["gameweek"])))
            earlier = earlier_words(ledger, str(row["manager"]), before)
            started = time.perf_counter()
            quotes = OwnWords(earlier).quoted_in(text)
            spent.append((time.perf_counter() - started) * 1000)
            decisions += 1
            for span in quoted(text):
                marked += 1
                near = text[max(0, span.start - 90) : span.end + 90]
                weeks = {int(week) for week in re.findall(r"gameweek (\d+)", near.lower())}
                right += any(_within(quote, span.start, span.end) and quote.gameweek in weeks for quote in quotes)
            unmarked += sum(not any(_within(quote, span.start, span.end) for span in quoted(text)) for quote in quotes)
    return {
        "decisions": decisions,
        "marked": marked,
        "marked_found_with_gameweek": right,
        "unmarked_found": unmarked,
        "milliseconds_p50": round(median(spent), 1),
        "milliseconds_p95": round(quantiles(spent, n=20)[-1], 1),
    }


def _before(each: dict[str, Any], row: dict[str, Any]) -> bool:
    return each["manager"] == row["manager"] and each["gameweek"] < row["gameweek"]


def _sources(row: dict[str, Any]) -> list[Earlier]:
    said = [(claim, True) for claim in row["claims"]] + [(row["text"], False)]
    return [Earlier(f"{row['gameweek']}.{at}", "", row["gameweek"], *each) for at, each in enumerate(said)]


def _within(quote: Quote, start: int, end: int) -> bool:
    return quote.start < end and start < quote.end


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--ledger", type=Path, help="of a played season of the house league")
    chosen = parser.parse_args()
    report: dict[str, Any] = {"narratives": labelled(chosen.labels / "narratives.jsonl")}
    if chosen.ledger:
        report["ledger"] = played(chosen.ledger)
    print(json.dumps(report, indent=1, ensure_ascii=False))
