"""A text taken apart: sentences, quotations, and words with their places and roots, alike in any tense or person."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from backroom_pipeline.memory.commitments.names import folded

_WORD = re.compile(r"gw(?=\s?\d)|[^\W_]+(?:['.-][^\W_]+)*", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…]+[\"”»)]*(?=\s|$)|\n+")
_QUOTED = re.compile(r'"[^"\n]+"|“[^”\n]+”|«[^»\n]+»|„[^“”\n]+[“”]')

_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_SAME = {
    "be": "am is are was were been being",
    "have": "has had having",
    "do": "does did done doing",
    "will": "would shall",
    "can": "could",
    "i": "me my mine myself we us our ours i'm i'll i've i'd we're we'll we've",
    "he": "him his himself he's he'll",
    "they": "them their theirs they're",
    "it": "its it's",
    "gw": "gameweek gameweeks week weeks gws round rounds matchday",
    "until": "till til",
    "sell": "sold",
    "keep": "kept",
    "buy": "bought",
    "hold": "held",
    "take": "took taken",
    "go": "went gone goes",
    "leave": "left",
    "make": "made",
    "wear": "wore worn",
    "say": "said says",
    "bring": "brought",
    "spend": "spent",
    "pay": "paid pays",
    "get": "got",
    "come": "came",
    "give": "gave given",
    "sit": "sat",
    "break": "broke broken",
    "captain": "captaincy skipper",
}
_NEGATIVE = (
    "isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't didn't won't wouldn't shan't can't couldn't cannot"
)
_ROOTS = {
    **{form: root for root, forms in _SAME.items() for form in forms.split()},
    **{word: str(number) for number, word in enumerate(_NUMBERS.split())},
    **{word: f"{number}th" for number, word in enumerate(_ORDINALS.split(), 1)},
    **dict.fromkeys(_NEGATIVE.split(), "not"),
}
_COMMON = (
    "a an the and or but nor so if then than that this these those there here of in on at by for from to with without "
    "into onto over under up down out off as be have do will can i he they it you your she her who whom which what "
    "when where while not no all any some each every one just very too also only even still yet again now more most "
    "much many should may might must let get go come make take say am gw until about after before because since"
)
COMMON = frozenset(_COMMON.split())
"""Words that every sentence has; what is left carries the meaning."""
_NO_NAMES = frozenset(("i", "gw", "i'm", "i'll", "i've", "i'd"))


class Span(NamedTuple):
    """A stretch of a text by characters."""

    start: int
    end: int

    def holds(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def meets(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


class Word(NamedTuple):
    """One word of a text."""

    start: int
    end: int
    plain: str
    """Lower case, without accents, apostrophes straight."""
    root: str
    name: bool
    """Begins with a capital in the middle of a sentence."""

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def carries(self) -> bool:
        """Whether it carries meaning: no article, pronoun or auxiliary."""
        return self.root not in COMMON and self.plain not in COMMON

    @property
    def number(self) -> bool:
        return self.root[0].isdigit()

    @property
    def amount(self) -> bool:
        """A number that says how many or when: neither "one" nor an ordinal, which are in any sentence."""
        return self.number and self.root != "1" and not self.root.endswith("th")


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[Word, ...]:
    """The words in order. A text that was taken apart once is kept: last week's narrative is read all season."""
    plain = folded(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    lower = plain.lower()
    starts = iter([sentence.start for sentence in sentences(text)])
    start = next(starts, len(text))
    found: list[Word] = []
    for match in _WORD.finditer(plain):
        begins = match.start() >= start
        while start <= match.start():
            start = next(starts, len(text))
        word = lower[match.start() : match.end()]
        name = not begins and plain[match.start()].isupper() and word not in _NO_NAMES
        found.append(Word(match.start(), match.end(), word, root(word), name))
    return tuple(found)


def sentences(text: str) -> list[Span]:
    """The sentences, without the space between them."""
    found: list[Span] = []
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]:
        piece = text[start:end]
        if piece.strip():
            left = start + len(piece) - len(piece.lstrip())
            found.append(Span(left, start + len(piece.rstrip())))
        start = end
    return found


def quoted(text: str) -> list[Span]:
    """What stands between quotation marks, the marks left out."""
    return [Span(match.start() + 1, match.end() - 1) for match in _QUOTED.finditer(text)]


@lru_cache(maxsize=16384)
def root(word: str) -> str:
    """What a word shares with its other forms: number, tense and person taken off."""
    if word in _ROOTS:
        return _ROOTS[word]
    word = word.removesuffix("'s").removesuffix("'")
    for suffix, least in (("ying", 5), ("ies", 5), ("ied", 5)):
        if word.endswith(suffix) and len(word) >= least:
            return word.removesuffix(suffix) + "y"
    for suffix, least in (("ing", 6), ("ed", 5), ("es", 5), ("s", 4)):
        if word.endswith(suffix) and len(word) >= least and not word.endswith("ss"):
            word = word.removesuffix(suffix)
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word
