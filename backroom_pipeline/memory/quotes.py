"""Own words repeated: passages of a text that quote, or closely echo, an earlier record of the same manager.

A passage counts when it stands between quotation marks, when the text says that it was said before, or when it says
the same of the same players and numbers. A turn of phrase, which says nothing of anybody or is said in many weeks of
whomever, counts between quotation marks only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple, cast

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.records import committed_records
from backroom_pipeline.memory.text import Span, Word, quoted, sentences, words

_SEED = 4
"""Words in the same order that a passage begins with; no shorter sentence can be quoted."""
_MARKED = (4, 2)
"""Least words, and words that carry meaning, of a passage that is marked, or announced and a whole sentence."""
_WHOLE = (6, 3)
"""The same for a whole sentence without quotation marks."""
_PART = (9, 4)
"""The same for a part of one."""
_ECHO = (6, 4)
"""The same for what an echo shares with its source."""
_ALIKE, _ALIKE_ANNOUNCED = 0.8, 0.7
"""Least similarity of an echo, and of one that is marked or announced."""
_MANY_WEEKS = 3
"""What was said in so many earlier gameweeks is a turn of phrase."""
_CANDIDATES = 6
"""Earlier sentences that one sentence is aligned with, those that share most first."""

_ANNOUNCED = re.compile(
    r"\b(?:i (?:said|wrote|told|swore|promised|vowed|minuted|recorded|noted|declared|set down)"
    r"|i (?:had|have|'ve) (?:said|written|promised)|as (?:i|promised|said)|remember\w*|quot\w+|on (?:the )?record"
    r"|my (?:words?|promise|line|rule|vow)|(?:back )?in (?:game ?week|gw|week))\b"
)
_NAMED_WEEK = re.compile(r"gw (\d+)")


class Earlier(NamedTuple):
    """What a manager said or promised: a source of quotations."""

    record_id: str
    season: str
    gameweek: int
    text: str
    is_promise: bool = False


class Quote(NamedTuple):
    """A passage of a text and the earlier sentence it repeats."""

    record_id: str
    season: str
    gameweek: int
    sentence: str
    """Of the earlier record, whole."""
    passage: str
    start: int
    end: int
    """Characters of the text."""
    similarity: float
    """Of a verbatim one, the share of the sentence that is repeated."""
    verbatim: bool


class _Sentence(NamedTuple):
    """An earlier sentence; ``ordinal`` counts sources in the order they are given."""

    source: Earlier
    ordinal: int
    span: Span
    words: tuple[Word, ...]


class _Match(NamedTuple):
    """A stretch of a text's words, ``first`` to ``last``, that says what an earlier sentence says."""

    sentence: _Sentence
    first: int
    last: int
    shared: int
    similarity: float
    verbatim: bool
    dated: bool
    """The text names the gameweek the sentence is of."""


def earlier_words(ledger: Ledger, manager: str, before: tuple[str, int]) -> list[Earlier]:
    """What a manager said and promised before a (season, gameweek), oldest first, without what code added to it."""
    decisions = ledger.rows("SELECT season, gameweek, reasoning, source FROM decisions WHERE manager = ?", [manager])
    reasons = {
        f"answers/{row['season']}/{row['gameweek']}/{manager}/manager": cast(str, row["reasoning"])
        for row in decisions
        if row["source"] == "model"
    }
    said = sorted(
        committed_records(ledger, manager, "manager", before),
        key=lambda record: (record.season, record.gameweek, record.category != "commitment", record.ordinal),
    )
    return [
        Earlier(
            record_id=record.id,
            season=record.season,
            gameweek=record.gameweek,
            text=reasons.get(record.source, record.text),
            is_promise=record.category == "commitment",
        )
        for record in said
        if record.category != "narrative" or record.source in reasons
    ]


class _Text:
    """The text that may quote, and how a stretch of its words stands in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words(text)
        self.marked = quoted(text)
        self.sentences = sentences(text)
        self.names = _names(self.words)

    def is_marked(self, run: Sequence[Word]) -> bool:
        """Whether it is most of what stands between quotation marks."""
        span = _span(run)
        return any(mark.holds(span) and 2 * (span.end - span.start) >= mark.end - mark.start for mark in self.marked)

    def is_announced(self, run: Sequence[Word]) -> bool:
        """Whether the rest of its sentence says that it was said before."""
        span = _span(run)
        sentence = next((each for each in self.sentences if each.holds(span)), span)
        around = f"{self.text[sentence.start : span.start]} | {self.text[span.end : sentence.end]}"
        return _ANNOUNCED.search(around.lower()) is not None

    def around(self, run: Sequence[Word]) -> list[Word]:
        """The words of the sentences it stands in."""
        span = _span(run)
        meeting = [each for each in self.sentences if each.meets(span)]
        return [word for word in self.words if any(each.holds(word.span) for each in meeting)]

    def dates(self, sentence: _Sentence, first: int) -> bool:
        """Whether the gameweek of an earlier sentence is named in the words before a stretch or behind it."""
        near = " ".join(word.root for word in self.words[max(0, first - 12) : first + 40])
        return any(int(match[1]) == sentence.source.gameweek for match in _NAMED_WEEK.finditer(near))


class OwnWords:
    """Everything a manager said before, ready to be recognised. Give the sources oldest first: the first one wins."""

    def __init__(self, earlier: Sequence[Earlier]) -> None:
        self._names = {name for source in earlier for name in _names(words(source.text))}
        self._sentences: list[_Sentence] = []
        self._seeds: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        self._weeks: dict[tuple[str, ...], set[tuple[str, int]]] = {}
        self._by_root: dict[str, list[int]] = {}
        for ordinal, source in enumerate(earlier):
            for span, said in _own_sentences(source.text):
                self._add(_Sentence(source, ordinal, span, said))
        number = len(self._sentences)
        self._rarity = {root: math.log(1 + number / len(places)) for root, places in self._by_root.items()}
        self._unseen = math.log(1 + max(1, number))

    def quoted_in(self, text: str) -> list[Quote]:
        """The passages of a text that repeat earlier words, in the order of the text; none overlaps another."""
        said = _Text(text)
        matches = [*self._verbatim(said)]
        matches += self._alike(said, matches)
        chosen: list[_Match] = []
        for match in sorted(matches, key=_best_first):
            if not any(match.first <= other.last and other.first <= match.last for other in chosen):
                chosen.append(match)
        return [_quote(said, match) for match in sorted(chosen, key=lambda match: match.first)]

    def _add(self, sentence: _Sentence) -> None:
        number = len(self._sentences)
        self._sentences.append(sentence)
        for place, seed in _seeds(sentence.words):
            self._seeds.setdefault(seed, []).append((number, place))
        for shape in self._shapes(sentence.words):
            self._weeks.setdefault(shape, set()).add((sentence.source.season, sentence.source.gameweek))
        for root in {word.root for word in sentence.words if word.carries}:
            self._by_root.setdefault(root, []).append(number)

    def _verbatim(self, text: _Text) -> Iterator[_Match]:
        """Stretches of the same words in the same order."""
        seen: set[tuple[int, int]] = set()
        for place, seed in _seeds(text.words):
            for number, there in self._seeds.get(seed, ()):
                if (number, place - there) in seen:
                    continue
                seen.add((number, place - there))
                sentence = self._sentences[number]
                first, last = _run(text.words, place, sentence.words, there)
                shared = last - first + 1
                share = round(shared / len(sentence.words), 3)
                match = _Match(sentence, first, last, shared, share, True, text.dates(sentence, first))
                if self._is_quotation(text, match):
                    yield match

    def _is_quotation(self, text: _Text, match: _Match) -> bool:
        run = text.words[match.first : match.last + 1]
        whole, announced = match.shared == len(match.sentence.words), text.is_announced(run)
        if text.is_marked(run) or (whole and announced):
            return _has(run, _MARKED)
        if not _has(run, _WHOLE if whole else _PART):
            return False
        return announced or self._says_the_same(text, run, match.sentence, run)

    def _alike(self, text: _Text, verbatim: Sequence[_Match]) -> Iterator[_Match]:
        """Sentences and quotations that say in nearly the same words what an earlier sentence said."""
        for span in (*text.marked, *text.sentences):
            inside = [place for place, word in enumerate(text.words) if span.holds(word.span)]
            if len(inside) < _ECHO[0]:
                continue
            first, last = inside[0], inside[-1]
            if any(match.first <= last and first <= match.last for match in verbatim):
                continue
            for number in self._candidates(text.words[first : last + 1]):
                match = self._aligned(text, first, last, self._sentences[number])
                if match is not None and self._is_echo(text, match):
                    yield match

    def _is_echo(self, text: _Text, match: _Match) -> bool:
        run = text.words[match.first : match.last + 1]
        if text.is_marked(run) or text.is_announced(run):
            return match.similarity >= _ALIKE_ANNOUNCED
        said = match.sentence.words
        return match.similarity >= _ALIKE and self._says_the_same(text, run, match.sentence, said)

    def _says_the_same(self, text: _Text, run: Sequence[Word], sentence: _Sentence, phrase: Sequence[Word]) -> bool:
        """Whether an unannounced stretch says the same of the same players and numbers, in no turn of phrase."""
        said_of = {word.root for word in sentence.words if word.amount or word.root in self._names}
        return (
            (bool(said_of) or sentence.source.is_promise)
            and self._particulars(text.around(run), text.names) == self._particulars(sentence.words, text.names)
            and not self._is_turn_of_phrase(phrase)
        )

    def _candidates(self, window: Sequence[Word]) -> list[int]:
        shared: dict[int, float] = {}
        for root in {word.root for word in window if word.carries}:
            for number in self._by_root.get(root, ()):
                shared[number] = shared.get(number, 0.0) + self._rarity[root]
        return sorted(shared, key=lambda number: (-round(shared[number], 6), number))[:_CANDIDATES]

    def _aligned(self, text: _Text, first: int, last: int, sentence: _Sentence) -> _Match | None:
        """The part of a window that lines up best with a sentence; None where numbers or names differ."""
        window = text.words[first : last + 1]
        ours, theirs = [word.root for word in window], [word.root for word in sentence.words]
        blocks = [b for b in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks() if b.size]
        whole = self._weight(sentence.words)
        best: tuple[float, int, int, list[Word]] | None = None
        for left in range(len(blocks)):
            for right in range(left, len(blocks)):
                begin, end = blocks[left].a, blocks[right].a + blocks[right].size
                same = [word for b in blocks[left : right + 1] for word in window[b.a : b.a + b.size]]
                ratio = 2 * self._weight(same) / (self._weight(window[begin:end]) + whole)
                if best is None or ratio > best[0]:
                    best = ratio, begin, end, same
        if best is None:
            return None
        ratio, begin, end, same = best
        about = self._particulars(sentence.words, text.names)
        if not _has(same, _ECHO) or self._particulars(window[begin:end], text.names) != about:
            return None
        dated = text.dates(sentence, first + begin)
        return _Match(sentence, first + begin, first + end - 1, len(same), round(ratio, 3), False, dated)

    def _weight(self, said: Iterable[Word]) -> float:
        return sum(self._rarity.get(word.root, self._unseen) if word.carries else 0.5 for word in said)

    def _particulars(self, said: Iterable[Word], names: Collection[str]) -> set[str]:
        """Numbers and names: with another of either it is another statement."""
        return {word.root for word in said if word.number or word.root in self._names or word.root in names}

    def _shapes(self, said: Sequence[Word]) -> Iterator[tuple[str, ...]]:
        """Its seeds with names and numbers left open: what may be said of anybody."""
        shape = ["" if word.number or word.root in self._names else word.plain for word in said]
        return (tuple(shape[place : place + _SEED]) for place in range(len(shape) - _SEED + 1))

    def _is_turn_of_phrase(self, said: Sequence[Word]) -> bool:
        """Whether every part of it was said, of whomever, in many earlier gameweeks."""
        return all(len(self._weeks.get(shape, ())) >= _MANY_WEEKS for shape in self._shapes(said))


@lru_cache(maxsize=4096)
def _own_sentences(text: str) -> tuple[tuple[Span, tuple[Word, ...]], ...]:
    """Sentences that are long enough and quote nothing: what a quotation says is another record's already."""
    marked, said = quoted(text), words(text)
    found: list[tuple[Span, tuple[Word, ...]]] = []
    at = 0
    for span in sentences(text):
        begin = at
        while at < len(said) and said[at].start < span.end:
            at += 1
        if at - begin >= _SEED and not any(mark.meets(span) for mark in marked):
            found.append((span, said[begin:at]))
    return tuple(found)


def _seeds(said: Sequence[Word]) -> Iterator[tuple[int, tuple[str, ...]]]:
    plain = [word.plain for word in said]
    for place in range(len(plain) - _SEED + 1):
        yield place, tuple(plain[place : place + _SEED])


def _run(ours: Sequence[Word], place: int, theirs: Sequence[Word], there: int) -> tuple[int, int]:
    """The longest stretch of the same words around a place, by our first and last word."""
    first, back = place, there
    while first > 0 and back > 0 and ours[first - 1].plain == theirs[back - 1].plain:
        first, back = first - 1, back - 1
    last, ahead = place, there
    while last + 1 < len(ours) and ahead + 1 < len(theirs) and ours[last + 1].plain == theirs[ahead + 1].plain:
        last, ahead = last + 1, ahead + 1
    return first, last


def _has(run: Sequence[Word], least: tuple[int, int]) -> bool:
    return len(run) >= least[0] and sum(word.carries for word in run) >= least[1]


def _names(said: Iterable[Word]) -> set[str]:
    return {word.root for word in said if word.name}


def _span(run: Sequence[Word]) -> Span:
    return Span(run[0].start, run[-1].end)


def _best_first(match: _Match) -> tuple[bool, int, bool, float, int, int]:
    return (
        not match.verbatim,
        -match.shared,
        not match.dated,
        -match.similarity,
        match.sentence.ordinal,
        match.sentence.span.start,
    )


def _quote(text: _Text, match: _Match) -> Quote:
    start, end = text.words[match.first].start, text.words[match.last].end
    source, span = match.sentence.source, match.sentence.span
    return Quote(
        record_id=source.record_id,
        season=source.season,
        gameweek=source.gameweek,
        sentence=source.text[span.start : span.end],
        passage=text.text[start:end],
        start=start,
        end=end,
        similarity=match.similarity,
        verbatim=match.verbatim,
    )
