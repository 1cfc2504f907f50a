"""Retrieval on LoCoMo, through the product's own door: every turn a record, every question one recall. Prints JSON.

Run: python -m bench.locomo [--locomo ../shared/data/locomo/locomo-dev-5.json] [--choose]

Counted are all questions with evidence that is in the conversation, the unanswerable ones (category 5) included: R@5
and R@10 are the mean share of a question's evidence turns among the first five and ten records, hit@1 the share of
questions whose first record is evidence. A turn is linked to the one before it, as the records of successive gameweeks
are. LoCoMo (Maharana et al. 2024, CC BY-NC 4.0) is for measuring only and is not part of this project.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from statistics import mean, quantiles
from typing import Any, NamedTuple

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.embedder import Embedder, load_embedder
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import Member, MemoryRecord
from backroom_pipeline.memory.project import Stores
from backroom_pipeline.memory.ranking import RecallSettings
from backroom_pipeline.memory.records import record_id
from backroom_pipeline.memory.search import Asked, search
from backroom_pipeline.memory.store import Link

LOCOMO = Path(__file__).resolve().parents[2] / "shared" / "data" / "locomo" / "locomo-dev-5.json"
CATEGORIES = {1: "several turns", 2: "time", 3: "world knowledge", 4: "one turn", 5: "unanswerable"}
SEASON = "2000-01"
WHO = Member(manager="listener", role="manager")
FIRST_TEN = RecallSettings(per_question=10, linked=0)
"""The product's settings; only that all ten places of a question are looked at, where a prompt takes the best few."""
GRID = {"words_weight": (0.4, 0.5, 0.6), "borrow": (0.2, 0.3, 0.4)}


class Question(NamedTuple):
    text: str
    category: int
    evidence: tuple[str, ...]


class Conversation(NamedTuple):
    """Turns by id in the order they were said, and what is asked about them."""

    turns: dict[str, str]
    questions: tuple[Question, ...]
    left_out: int = 0
    """Questions without evidence in the conversation."""
    in_order: bool = True
    """Whether a turn has to do with the one before it."""


class Found(NamedTuple):
    """How well one question was answered."""

    conversation: int
    category: int
    five: float
    ten: float
    hit: float


def conversations(path: Path) -> list[Conversation]:
    return [_conversation(talk) for talk in json.loads(path.read_text(encoding="utf-8"))]


def _conversation(talk: Mapping[str, Any]) -> Conversation:
    turns: dict[str, str] = {}
    for session in talk["conversation"].values():
        for turn in session if isinstance(session, list) else ():
            caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            turns[turn["dia_id"]] = f"{turn['speaker']}: {turn['text']}{caption}"
    asked = [Question(qa["question"], qa["category"], _evidence(qa.get("evidence", ()), turns)) for qa in talk["qa"]]
    usable = tuple(question for question in asked if question.evidence)
    return Conversation(turns, usable, len(asked) - len(usable))


def _evidence(named: Sequence[str], turns: Mapping[str, str]) -> tuple[str, ...]:
    """Turns the file names, several of them in one string now and then; what is no turn is left out."""
    ids = [f"D{int(day)}:{int(turn)}" for text in named for day, turn in re.findall(r"\bD(\d+):(\d+)", text)]
    return tuple(turn for turn in dict.fromkeys(ids) if turn in turns)


def score(number: int, question: Question, ranked: Sequence[str]) -> Found:
    evidence = set(question.evidence)

    def share(first: int) -> float:
        return len(evidence.intersection(ranked[:first])) / len(evidence)

    return Found(number, question.category, share(5), share(10), float(bool(ranked) and ranked[0] in evidence))


def figures(found: Sequence[Found]) -> dict[str, float]:
    if not found:
        return {"questions": 0}
    return {
        "questions": len(found),
        "R@5": round(mean(each.five for each in found), 3),
        "R@10": round(mean(each.ten for each in found), 3),
        "hit@1": round(mean(each.hit for each in found), 3),
    }


def milliseconds(seconds: Sequence[float]) -> dict[str, float]:
    centiles = quantiles(seconds, n=100) if len(seconds) > 1 else [*seconds] * 99
    return {"p50": round(centiles[49] * 1000, 1), "p95": round(centiles[94] * 1000, 1)}


class Listener:
    """One conversation in a store of the product, asked through the gateway."""

    def __init__(self, folder: Path, ledger: Ledger, embedder: Embedder) -> None:
        self._gateway = Gateway(folder, ledger, embedder, FIRST_TEN)
        self._gateway.team_create(WHO.manager)
        self._gateway.team_add_member(WHO.manager, WHO.role)
        # Links come from a ledger of gameweeks elsewhere; a conversation has none, so its turns are written beneath.
        self._store = Stores(folder, embedder).open(WHO.manager, WHO.role)
        self._embedder = embedder
        self._turns: dict[str, str] = {}
        self._last = ""

    def hear(self, talk: Conversation) -> None:
        """Store a whole conversation in one commit."""
        self._write(talk.turns.items(), linked=talk.in_order)

    def hear_turn(self, turn: str, text: str) -> None:
        """Store one turn, after those heard before."""
        self._write([(turn, text)], linked=True)

    def _write(self, turns: Iterable[tuple[str, str]], *, linked: bool) -> None:
        links: dict[str, list[Link]] = {}
        fresh: list[MemoryRecord] = []
        for turn, text in turns:
            record = _record(turn, len(self._turns), text)
            links[record.id] = [Link(self._last, "the turn before")] if linked and self._last else []
            self._turns[record.id], self._last = turn, record.id
            fresh.append(record)
        self._store.write(fresh, self._embedder.embed([record.text for record in fresh]), links)

    def ask(self, question: str) -> list[str]:
        """The first ten turns by the product's own recall, best first."""
        recall = self._gateway.recall(
            WHO, WHO.manager, WHO.role, [question], before=(SEASON, 1000), budget_tokens=1_000_000
        )
        return [self._turns[item.record.id] for item in recall.items]

    def asked(self, question: str) -> Asked:
        """A question made ready once, to be tried with many settings."""
        return Asked(question, self._store.analyse(question), self._embedder.embed([question])[0])

    def tried(self, asked: Asked, settings: RecallSettings) -> list[str]:
        """The first ten turns with some settings."""
        view = self._store.view()
        visible = view.visible(len(view), ("narrative",))
        return [self._turns[record] for record, _ in search(view, visible, asked, settings, 10).ranked]


@contextmanager
def listeners(talks: Sequence[Conversation], embedder: Embedder) -> Iterator[list[Listener]]:
    """A store with a ledger of its own for every conversation, all turns stored."""
    with ExitStack() as stack:
        heard: list[Listener] = []
        for talk in talks:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            ledger = stack.enter_context(Ledger.open(folder / "ledger.duckdb"))
            heard.append(Listener(folder / "memory", ledger, embedder))
            heard[-1].hear(talk)
        yield heard


def _record(turn: str, place: int, text: str) -> MemoryRecord:
    gameweek = int(session.group(1)) if (session := re.match(r"D(\d+):", turn)) else 1
    return MemoryRecord(
        id=record_id(WHO.manager, WHO.role, SEASON, gameweek, "narrative", place, text),
        manager=WHO.manager,
        role=WHO.role,
        category="narrative",
        season=SEASON,
        gameweek=gameweek,
        ordinal=place,
        text=text,
        pinned=False,
        source=f"locomo/{turn}",
    )


def measure(talks: Sequence[Conversation], heard: Sequence[Listener]) -> dict[str, Any]:
    found: list[Found] = []
    taken: list[float] = []
    for number, (talk, listener) in enumerate(zip(talks, heard, strict=True)):
        for question in talk.questions:
            started = time.perf_counter()
            ranked = listener.ask(question.text)
            taken.append(time.perf_counter() - started)
            found.append(score(number, question, ranked))
    return {
        **figures(found),
        "left_out_without_evidence": sum(talk.left_out for talk in talks),
        "answerable_only": figures([each for each in found if each.category != 5]),
        "by_category": {
            name: figures([each for each in found if each.category == category])
            for category, name in CATEGORIES.items()
        },
        "by_conversation": [
            figures([each for each in found if each.conversation == number]) for number in range(len(talks))
        ],
        "recall_ms": milliseconds(taken),
        "settings": RecallSettings().model_dump(),
    }


def tried(
    talks: Sequence[Conversation], heard: Sequence[Listener], settings: Sequence[RecallSettings]
) -> list[list[Found]]:
    """How every question is answered, with one settings after the other."""
    ready = [
        (number, question, listener, listener.asked(question.text))
        for number, (talk, listener) in enumerate(zip(talks, heard, strict=True))
        for question in talk.questions
    ]
    return [
        [score(number, question, listener.tried(asked, values)) for number, question, listener, asked in ready]
        for values in settings
    ]


def choose(talks: Sequence[Conversation], heard: Sequence[Listener]) -> dict[str, Any]:
    """Leave one conversation out: for each, the settings that are best on the others, and what they make of it."""
    grid = [dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())]
    results = tried(talks, heard, [RecallSettings(**values) for values in grid])
    held_out: list[Found] = []
    chosen: list[dict[str, float]] = []
    for number in range(len(talks)):
        best = max(results, key=lambda found: _total(each for each in found if each.conversation != number))
        chosen.append(grid[results.index(best)])
        held_out += [each for each in best if each.conversation == number]
    return {
        "chosen_without": chosen,
        "held_out": figures(held_out),
        "grid": [{**values, **figures(found)} for values, found in zip(grid, results, strict=True)],
    }


def _total(found: Any) -> float:
    return mean(each.five + each.ten + each.hit for each in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", type=Path, default=LOCOMO)
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--choose", action="store_true", help="also try settings, leaving one conversation out")
    chosen = parser.parse_args()
    talks, embedder = conversations(chosen.locomo), load_embedder(chosen.embedder)
    with listeners(talks, embedder) as heard:
        report = {**measure(talks, heard), "embedder": embedder.name}
        if chosen.choose:
            report["settings_tried"] = choose(talks, heard)
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
