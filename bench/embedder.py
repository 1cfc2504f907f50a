"""Which embedder and which fusion find what was said. Prints JSON; docs/decisions/0001-embedder.md holds the choice.

Run: python -m bench.embedder [--locomo ../shared/data/locomo/locomo-dev-5.json]

LoCoMo (Maharana et al. 2024, CC BY-NC 4.0) is for measuring only and is not part of this project. Its turns are linked
to their neighbours, as the records of successive gameweeks are.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, median

import numpy as np
import yaml

from backroom_pipeline.memory.embedder import Embedder, MiniLM, UniversalSentenceEncoder, WordsOnly
from backroom_pipeline.memory.ranking import RecallSettings, answered
from backroom_pipeline.memory.store import Store
from backroom_pipeline.memory.words import Ranked, Words, best_first

HERE = Path(__file__).parent
LOCOMO = HERE.parents[1] / "shared" / "data" / "locomo" / "locomo-dev-5.json"
SETTINGS = {
    "words": RecallSettings(words_weight=1.0, borrow=0.0),
    "vector": RecallSettings(words_weight=0.0, borrow=0.0),
    "rrf": RecallSettings(fusion="rrf", borrow=0.0),
    "rrf words x2": RecallSettings(fusion="rrf", words_weight=2 / 3, rrf_k=10, borrow=0.0),
    "convex": RecallSettings(borrow=0.0),
    "convex, neighbours lend .3": RecallSettings(),
}

Corpus = tuple[dict[str, str], list[tuple[str, list[str]]], dict[str, list[str]]]
"""Texts by id, questions with the ids that answer them, neighbours by id."""


def conversations(path: Path) -> Iterator[Corpus]:
    for talk in json.loads(path.read_text()):
        sessions = [turns for name, turns in talk["conversation"].items() if isinstance(turns, list)]
        texts: dict[str, str] = {}
        for turn in (turn for session in sessions for turn in session):
            caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            texts[turn["dia_id"]] = f"{turn['speaker']}: {turn['text']}{caption}"
        questions = [(entry["question"], [e for e in entry["evidence"] if e in texts]) for entry in talk["qa"]]
        ids = list(texts)
        near = {turn: ids[max(0, place - 1) : place] + ids[place + 1 : place + 2] for place, turn in enumerate(ids)}
        yield texts, [(question, evidence) for question, evidence in questions if evidence], near


def paraphrases(wording: str) -> Corpus:
    said = yaml.safe_load((HERE / "paraphrases.yaml").read_text())
    texts = {f"{place:02}": entry["text"] for place, entry in enumerate(said)}
    return texts, [(entry[wording], [f"{place:02}"]) for place, entry in enumerate(said)], {}


def search(corpus: Corpus, embedder: Embedder, analyser: Store) -> list[tuple[dict[str, Ranked], list[str]]]:
    """For every question its legs and its evidence."""
    texts, questions, _ = corpus
    words = Words({record: analyser.analyse(text) for record, text in texts.items()})
    vectors = np.array(embedder.embed(list(texts.values())))
    found: list[tuple[dict[str, Ranked], list[str]]] = []
    for (question, evidence), vector in zip(questions, embedder.embed([q for q, _ in questions]), strict=True):
        legs = {"bm25": words.search(analyser.analyse(question))}
        if embedder.dimension:
            legs["vector"] = best_first(dict(zip(texts, (vectors @ np.array(vector)).tolist(), strict=True)))
        found.append((legs, evidence))
    return found


def figures(
    asked: Sequence[tuple[dict[str, Ranked], list[str], Mapping[str, list[str]]]], settings: RecallSettings
) -> dict[str, float]:
    hit, five, ten = [], [], []
    for legs, evidence, near in asked:
        ranked = [record for record, _ in answered("", legs, near, settings).ranked]
        hit.append(float(bool(ranked) and ranked[0] in evidence))
        five.append(len(set(ranked[:5]) & set(evidence)) / len(evidence))
        ten.append(len(set(ranked[:10]) & set(evidence)) / len(evidence))
    return {"R@5": round(mean(five), 3), "R@10": round(mean(ten), 3), "hit@1": round(mean(hit), 3)}


def milliseconds(embedder: Embedder) -> dict[str, float]:
    long = " ".join(entry["text"] for entry in yaml.safe_load((HERE / "paraphrases.yaml").read_text()))
    taken: dict[str, float] = {}
    for name, text in (("short", "Which chips am I holding"), ("long", long)):
        times = []
        for number in range(20):
            started = time.process_time()
            embedder.embed([f"{text} {number}"] if name == "short" else [f"{number} {text}"])
            times.append((time.process_time() - started) * 1000)
        taken[f"{name}_cpu_ms"] = round(median(times), 1)
    return taken


def measure(locomo: Path) -> dict[str, object]:
    corpora: dict[str, list[Corpus]] = {
        "paraphrases, hard": [paraphrases("hard")],
        "paraphrases, natural": [paraphrases("natural")],
    }
    if locomo.is_file():
        corpora["LoCoMo"] = list(conversations(locomo))
    report: dict[str, object] = {"questions": {name: sum(len(c[1]) for c in found) for name, found in corpora.items()}}
    embedders: list[Embedder] = [WordsOnly(), MiniLM(64), MiniLM(128), UniversalSentenceEncoder()]
    with tempfile.TemporaryDirectory() as folder:
        analyser = Store(Path(folder), "analyser", WordsOnly(), create=True)
        for embedder in embedders:
            own: dict[str, object] = milliseconds(embedder) if embedder.dimension else {}
            for name, found in corpora.items():
                asked = [(*each, corpus[2]) for corpus in found for each in search(corpus, embedder, analyser)]
                usable = SETTINGS if embedder.dimension else {"words": SETTINGS["words"]}
                own[name] = {setting: figures(asked, values) for setting, values in usable.items()}
            report[embedder.name] = own
    return report


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--locomo", type=Path, default=LOCOMO)
    print(json.dumps(measure(arguments.parse_args().locomo), indent=2))
