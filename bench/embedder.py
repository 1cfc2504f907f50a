"""Which embedder and which fusion find what was said. Prints JSON; docs/decisions/0001-embedder.md holds the choice.

Run: python -m bench.embedder [--locomo ../shared/data/locomo/locomo-dev-5.json]

Questions and figures are those of bench/locomo.py, and 24 sentences asked for in other words.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from statistics import median

import yaml

from backroom_pipeline.memory.embedder import Embedder, MiniLM, UniversalSentenceEncoder, WordsOnly
from backroom_pipeline.memory.ranking import RecallSettings
from bench.locomo import LOCOMO, Conversation, Question, conversations, figures, listeners, tried

HERE = Path(__file__).parent
SETTINGS = {
    "words": RecallSettings(words_weight=1.0, borrow=0.0),
    "vector": RecallSettings(words_weight=0.0, borrow=0.0),
    "rrf": RecallSettings(fusion="rrf", borrow=0.0),
    "rrf words x2": RecallSettings(fusion="rrf", words_weight=2 / 3, rrf_k=10, borrow=0.0),
    "convex": RecallSettings(borrow=0.0),
    "convex, neighbours lend .3": RecallSettings(),
}


def paraphrases(wording: str) -> Conversation:
    said = yaml.safe_load((HERE / "paraphrases.yaml").read_text(encoding="utf-8"))
    texts = {f"{place:02}": entry["text"] for place, entry in enumerate(said)}
    questions = [Question(entry[wording], 0, (f"{place:02}",)) for place, entry in enumerate(said)]
    return Conversation(texts, tuple(questions), in_order=False)


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
    corpora = {
        "paraphrases, hard": [paraphrases("hard")],
        "paraphrases, natural": [paraphrases("natural")],
    }
    if locomo.is_file():
        corpora["LoCoMo"] = conversations(locomo)
    report: dict[str, object] = {}
    embedders: list[Embedder] = [WordsOnly(), MiniLM(64), MiniLM(128), UniversalSentenceEncoder()]
    for embedder in embedders:
        own: dict[str, object] = milliseconds(embedder) if embedder.dimension else {}
        usable = SETTINGS if embedder.dimension else {"words": SETTINGS["words"]}
        for name, talks in corpora.items():
            with listeners(talks, embedder) as heard:
                results = tried(talks, heard, list(usable.values()))
            own[name] = {setting: figures(found) for setting, found in zip(usable, results, strict=True)}
        report[embedder.name] = own
    return report


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--locomo", type=Path, default=LOCOMO)
    print(json.dumps(measure(arguments.parse_args().locomo), indent=2))
