"""What a clause promises that no rule reads: the kind its likeness to known examples speaks for, or nothing.

A linear classifier (ridge regression) on the words of ``examples.yaml``: every example votes by how like it is. Only
kinds that can be about what the clause names are heard, opinions always, and a narrow vote decides nothing.
"""

from __future__ import annotations

import importlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, NamedTuple, cast

from backroom_pipeline.memory.commitments.amounts import negations
from backroom_pipeline.memory.commitments.clauses import Clause
from backroom_pipeline.memory.commitments.conditions import read_conditions
from backroom_pipeline.memory.commitments.phrases import Lexicon
from backroom_pipeline.memory.commitments.vocabulary import (
    ARRIVES,
    BENCH,
    BUYS,
    CAPTAIN,
    HOLD_CHIP,
    LEAVES,
    OFF_BENCH,
    OWNED,
    PLAY_CHIP,
    SHUNS,
    START,
    STAYS,
    STAYS_PUT,
    VICE,
)
from backroom_pipeline.memory.commitments.windows import read_window, with_digits
from backroom_pipeline.memory.commitments.wording import plainly, without_reasons

OPINION = "opinion"
MARGIN = 0.1
"""By how much the first kind must lead the second."""
LEAST = 0.25
"""The least vote that is heard; a clause that is exactly like an example has about 0.8."""
_SMOOTHING = 1.0
_FLAG = 0.5
"""Weight of what is said of the clause as a whole, where all its words together weigh 1."""

_ABOUT_PLAYERS = frozenset(["keep", "sell", "buy", "avoid", "captain", "not_captain", "vice", "start", "bench"])
_ABOUT_CLUBS = frozenset(["club_max", "club_min", "club_none", "club_some", "captain", "not_captain", "vice"])
_ABOUT_TRANSFERS = frozenset(
    ["no_hits", "hit", "hit_limit", "max_transfers", "no_transfers", "make_transfer", "leave_unused", "save_until"]
)
_ABOUT_THE_ELEVEN = frozenset(
    ["line_min", "line_max", "line_exactly", "pair_apart", "pair_together", "captain", "not_captain", "vice"]
)
_ABOUT_THE_TEAM = _ABOUT_TRANSFERS | _ABOUT_THE_ELEVEN | {"club_max"}
_VOCABULARIES: Mapping[str, Lexicon] = {
    "captain": CAPTAIN,
    "vice": VICE,
    "bench": BENCH,
    "off bench": OFF_BENCH,
    "start": START,
    "stays": STAYS,
    "leaves": LEAVES,
    "stays put": STAYS_PUT,
    "arrives": ARRIVES,
    "buys": BUYS,
    "shuns": SHUNS,
    "owned": OWNED,
    "play chip": PLAY_CHIP,
    "hold chip": HOLD_CHIP,
}
_MASKS = tuple(
    (re.compile(pattern), f" {mask} ")
    for pattern, mask in (
        (r"<p[^>]*>", "PLAYER"),
        (r"<c:[^>]*>", "CLUB"),
        (r"<(?:any|wildcard|free_hit|bench_boost|triple_captain)>", "CHIP"),
        (r"\bgw\d+", "WEEK"),
        (r"(?<!\d)[345]-[2345]-[123](?!\d)", "SHAPE"),
        (
            r"£ ?\d[\d.]*(?: ?m(?:illion)?)?\b|\b\d+(?:\.\d+)? ?(?:m|million)\b|\b\d\.\d\b"
            r"|\b(?:half )?a(?: cool)? million(?: and a half)?\b",
            "MONEY",
        ),
        (r"\d+", "NUMBER"),
    )
)


class Nearest(NamedTuple):
    """The kind of promise a clause is, and the example of it that is most like the clause."""

    kind: str
    example: str


def nearest(clause: Clause) -> Nearest | None:
    """The kind of promise that the clause is most like; None for an opinion and for what is like nothing known."""
    known = _known()
    features = known.weighed(_features(clause.text, clause.window))
    possible = _possible(clause) | {OPINION}
    votes = {kind: vote for kind, vote in known.votes_of(features).items() if kind in possible}
    first, second = sorted(votes, key=lambda kind: (-votes[kind], kind))[:2]
    if first == OPINION or votes[first] < LEAST or votes[first] - votes[second] < MARGIN:
        return None
    return Nearest(first, known.most_like(features, first))


def _possible(clause: Clause) -> frozenset[str]:
    """Kinds of promises that can be about what the clause names."""
    masked = _masked(clause.text).split()
    if "SHAPE" in masked:
        return frozenset(("formation", "not_formation"))
    if "CHIP" in masked:
        return frozenset(("hold_chip", "play_chip"))
    if clause.players:
        return _ABOUT_PLAYERS | {"swap"} if len(clause.players) == 2 else _ABOUT_PLAYERS
    if clause.clubs:
        return _ABOUT_CLUBS
    return frozenset(("bank_min", "bank_max")) if "MONEY" in masked else _ABOUT_THE_TEAM


def _masked(text: str) -> str:
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text


def _features(text: str, window: str) -> tuple[set[str], set[str]]:
    """Words, their first letters and pairs of words; and what is said of the clause as a whole."""
    words = re.findall(r"[A-Za-z']+", _masked(text))
    said = {*words, *(f"{word[:5]}-" for word in words if len(word) > 4)}
    said.update(f"{one} {other}" for one, other in zip(("^", *words), (*words, "$"), strict=True))
    odd = negations(text) % 2
    spoken = [name for name, vocabulary in _VOCABULARIES.items() if vocabulary.found_in(text)]
    return said, {f"no {odd}", f"window {window}", *spoken, *(f"{name} {odd}" for name in spoken)}


@dataclass(frozen=True, slots=True)
class _Known:
    """The examples and what was learned from them."""

    examples: tuple[tuple[str, str], ...]
    """Kind and sentence."""
    features: tuple[dict[str, float], ...]
    rarity: dict[str, float]
    kinds: tuple[str, ...]
    votes: dict[str, list[float]]
    """How much each feature speaks for each of the kinds."""

    def weighed(self, features: tuple[set[str], set[str]]) -> dict[str, float]:
        return _weighed(*features, self.rarity)

    def votes_of(self, features: Mapping[str, float]) -> dict[str, float]:
        rows = [(weight, self.votes[name]) for name, weight in sorted(features.items()) if name in self.votes]
        return {kind: math.fsum(weight * row[at] for weight, row in rows) for at, kind in enumerate(self.kinds)}

    def most_like(self, features: Mapping[str, float], kind: str) -> str:
        likeness = {
            sentence: _product(features, self.features[at])
            for at, (of_kind, sentence) in enumerate(self.examples)
            if of_kind == kind
        }
        return max(likeness, key=lambda sentence: (likeness[sentence], sentence))


def _product(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return math.fsum(weight * other.get(name, 0.0) for name, weight in sorted(one.items()))


def _weighed(said: Iterable[str], whole: Iterable[str], rarity: Mapping[str, float]) -> dict[str, float]:
    weights = {name: rarity[name] for name in sorted(said) if name in rarity}
    length = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
    return {name: weight / length for name, weight in weights.items()} | {f"({name})": _FLAG for name in sorted(whole)}


def _prepared(example: str) -> tuple[set[str], set[str]]:
    """An example taken apart as a sentence is: its clause without window and conditions."""
    names = {"PLAYER": "<p1>", "OTHER": "<p2>", "CLUB": "<c:club>", "CHIP": "<wildcard>"}
    text = re.sub(r"PLAYER|OTHER|CLUB|CHIP", lambda name: names[name.group()], example)
    window, text = read_window(without_reasons(plainly(with_digits(text.lower()))), 1)
    _, text = read_conditions(text, 1 if "<p1>" in text else None)
    return _features(text, window.kind)


@cache
def _known() -> _Known:
    import yaml

    written = resources.files("backroom_pipeline.memory.commitments").joinpath("examples.yaml")
    data = cast("dict[str, list[str]]", yaml.load(written.read_text(encoding="utf-8"), yaml.CSafeLoader))
    return _learned([(kind, sentence) for kind, sentences in data.items() for sentence in sentences])


def _learned(examples: Sequence[tuple[str, str]]) -> _Known:
    """Votes that give every example its kind as nearly as words alike in several kinds allow."""
    np: Any = importlib.import_module("numpy")
    sparse: Any = importlib.import_module("scipy.sparse")

    prepared = [_prepared(sentence) for _, sentence in examples]
    found = Counter(name for said, _ in prepared for name in said)
    rarity = {name: math.log((len(examples) + 1) / (found[name] + 0.5)) for name in sorted(found)}
    weighed = tuple(_weighed(said, whole, rarity) for said, whole in prepared)
    places = {name: place for place, name in enumerate(sorted({name for weights in weighed for name in weights}))}
    weights = [weight for row in weighed for weight in row.values()]
    rows = [at for at, row in enumerate(weighed) for _ in row]
    columns = [places[name] for row in weighed for name in row]
    matrix: Any = sparse.csr_matrix((weights, (rows, columns)), shape=(len(weighed), len(places)))
    kinds = tuple(sorted({kind for kind, _ in examples}))
    wanted = np.array([[float(kind == of_kind) for of_kind in kinds] for kind, _ in examples])
    shares = np.linalg.solve((matrix @ matrix.T).toarray() + _SMOOTHING * np.eye(len(examples)), wanted)
    learned: list[list[float]] = np.round(matrix.T @ shares, 9).tolist()
    return _Known(tuple(examples), weighed, rarity, kinds, dict(zip(places, learned, strict=True)))
