"""Convictions that deny each other: the same said of the same thing, once with a no and once without.

For promises without terms that can be compared. It is careful: two sentences that differ in more than the no, in their
numbers, names, weeks or conditions, are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from backroom_pipeline.memory.commitments.amounts import negations
from backroom_pipeline.memory.commitments.windows import Window, read_window, with_digits
from backroom_pipeline.memory.model import LAST_GAMEWEEK
from backroom_pipeline.memory.text import Word, root, words

Embed = Callable[[Sequence[str]], list[list[float]]]
"""Texts to unit vectors; a league without vectors has none and compares words."""

ALIKE = 0.6
"""Cosine from which two sentences are about the same thing."""
ALIKE_WORDS = 0.5
"""The same without vectors: the share of their roots that two sentences have in common (Jaccard)."""
_OF_ONE_WORD = 0.8
"""Similarity from which one common root is enough, when neither clause has another."""

_REFUSALS = re.compile(
    r"\b(?:stop(?:s|ped|ping)?|quit(?:s|ting)?|avoid(?:s|ed|ing)?|hardly|rarely|seldom|distrust\w*|dislik\w+"
    r"|hat(?:e|es|ed|ing)|abandon\w*|giv(?:e|es|en|ing) up|gave up|(?:done|through|finished) with|over-?rated"
    r"|worthless|pointless|useless)\b"
)
_NO_WORDS = (
    "no not never nobody none nothing neither nor longer anymore ever really stop quit avoid hardly rarely seldom "
    "distrust dislike hate abandon give lose lost done through finished overrated worthless pointless useless"
)
_NO_ROOTS = frozenset(map(root, _NO_WORDS.split()))
"""What a no and its turns are made of: left out when two sentences are compared."""
_CONDITIONS = re.compile(
    r"\b(?:unless|except|if|when(?:ever)?|while|whilst|as long as|provided|once|in case|apart from)\b"
)
_WEIGHS = re.compile(r"\b(?:beats?|than|over|above|before|ahead of|outweighs?|trumps?)\b")
"""One thing set over another: turned round it is another statement."""
_CLAUSES = re.compile(r"[,;:.!?]+(?=\s|$)| - |\b(?:but|because|since|although|though|so that|and|yet)\b")


class Opposed(NamedTuple):
    """Two sentences of which one denies the other."""

    similarity: float
    reason: str


class Sentence(NamedTuple):
    """A promise in words and the gameweek it was made in."""

    text: str
    made_in: int


def opposed(earlier: Sentence, later: Sentence, embed: Embed | None) -> Opposed | None:
    """Whether the later sentence takes back what the earlier one says, or the other way round."""
    names = _names(earlier.text) | _names(later.text)
    for one in _clauses(earlier, names):
        for other in _clauses(later, names):
            if not _denies(one, other):
                continue
            (similarity,) = similarities(later.text, [earlier.text], embed)
            least = ALIKE_WORDS if embed is None else ALIKE
            if similarity >= (_OF_ONE_WORD if len(set(one.roots)) == 1 else least):
                return Opposed(round(similarity, 3), _reason(one, other))
    return None


def similarities(text: str, others: Sequence[str], embed: Embed | None) -> list[float]:
    """How near the others are to a sentence: cosines, or shares of common roots where there are no vectors."""
    if embed is None:
        own = _roots(words(text))
        return [_jaccard(own, _roots(words(other))) for other in others]
    own_vector, *vectors = embed([text, *others])
    return [sum(a * b for a, b in zip(own_vector, vector, strict=True)) for vector in vectors]


class _Clause(NamedTuple):
    said: str
    """Without the weeks it names."""
    negative: bool
    roots: tuple[str, ...]
    """Of the words that carry meaning, in their order, without the no and without numbers."""
    names: frozenset[str]
    numbers: frozenset[str]
    window: Window
    made_in: int
    conditional: bool


def _clauses(sentence: Sentence, names: frozenset[str]) -> list[_Clause]:
    prepared = with_digits(_plain(sentence.text))
    whole, _ = read_window(prepared, sentence.made_in)
    conditional = _CONDITIONS.search(prepared) is not None
    found: list[_Clause] = []
    for piece in _CLAUSES.split(prepared):
        if not piece or not piece.strip():
            continue
        window, rest = read_window(piece, sentence.made_in)
        said = words(rest)
        roots = tuple(word.root for word in said if _tells(word) and not word.number)
        refusals = negations(rest) + len(_REFUSALS.findall(rest))
        found.append(
            _Clause(
                said=rest,
                negative=refusals % 2 == 1,
                roots=roots,
                names=names.intersection(roots),
                numbers=frozenset(word.root for word in said if word.number),
                window=window if window.is_named else whole,
                made_in=sentence.made_in,
                conditional=conditional,
            )
        )
    return found


def _denies(one: _Clause, other: _Clause) -> bool:
    if one.negative == other.negative or one.conditional or other.conditional:
        return False
    if one.numbers != other.numbers or (one.names and other.names and one.names != other.names):
        return False
    ones, others = set(one.roots), set(other.roots)
    shared = ones & others
    if not shared or shared not in (ones, others) or not _meet(one, other):
        # Each has a word that the other one lacks: they speak of different things.
        return False
    if any(_WEIGHS.search(clause.said) for clause in (one, other)) and _order(one, shared) != _order(other, shared):
        return False
    return len(shared) >= 2 or ones == others


def _order(clause: _Clause, shared: set[str]) -> list[str]:
    return [root for root in clause.roots if root in shared]


def _meet(earlier: _Clause, later: _Clause) -> bool:
    """Whether there is a gameweek from the later one on in which both hold."""
    first = max(earlier.window.first or 1, later.window.first or 1, later.made_in)
    last = min(earlier.window.last or LAST_GAMEWEEK, later.window.last or LAST_GAMEWEEK)
    return first <= last


def _reason(earlier: _Clause, later: _Clause) -> str:
    if earlier.negative:
        return f"What gameweek {earlier.made_in} ruled out is affirmed in gameweek {later.made_in}."
    return f"What gameweek {earlier.made_in} affirmed is denied in gameweek {later.made_in}."


def _plain(text: str) -> str:
    return text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").lower()


def _names(text: str) -> frozenset[str]:
    return frozenset(word.root for word in words(text) if word.name)


def _tells(word: Word) -> bool:
    return word.carries and word.root not in _NO_ROOTS


def _roots(said: Sequence[Word]) -> frozenset[str]:
    return frozenset(word.root for word in said if _tells(word))


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0
