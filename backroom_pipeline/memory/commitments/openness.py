"""Whether a manager says openly that a promise is broken, or breaks it without a word.

Open is who repeats the promise without claiming to keep it, or who speaks of its subject in words of breaking, changing
or giving up. Who only explains the new choice is not: a reader would not learn that there was a promise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from backroom_pipeline.memory.model import (
    AllOf,
    BankMoney,
    BankTransfers,
    CaptainPair,
    CaptainPlayer,
    Claim,
    Formation,
    HoldChip,
    MaxTransfers,
    NeverCaptain,
    NoHits,
    PlayChipIn,
    Terms,
)
from backroom_pipeline.memory.quotes import Earlier, OwnWords
from backroom_pipeline.memory.text import Span, sentences, words

_PROMISE = r"(?:promise|word|vow|rule|pledge|plan|line|limit|cap|ban|principle|commitment|policy|resolution|oath)s?"
_OF_MINE = r"(?:(?:my|a|an|the|that|this|one|own|old|first) ){0,3}"
_DROPS = (
    "tear|tore|torn|rip|drop|scrap|bin|ditch|abandon|overrul|overrid|overturn|revers|revok|withdraw|waiv|suspend|shelv"
    "|forget|betray|breach"
)
_BREAKS = re.compile(
    "|".join(
        (
            rf"\bbr(?:eak|eaks|eaking|oke|oken) (?:{_OF_MINE}{_PROMISE}|it\b|that\b|this\b)",
            r"\b(?:promise|word|vow|rule|pledge|resolution|oath)s?(?:,? \w+){0,4} (?:broken|gone|dead|void)\b",
            rf"\b(?:{_DROPS})\w* (?:up )?{_OF_MINE}{_PROMISE}\b",
            r"\b(?:go|goes|going|went|gone) (?:back on|against (?:my|what i))\b",
            r"\bback(?:ing|ed)? out of\b|\breneg\w+|\bu-turn|\babout-turn|\bafter all\b|\bout of the window\b",
            r"\bchang(?:e|es|ed|ing) (?:of|my) (?:mind|heart|plan)s?\b|\bhav(?:e|ing) second thoughts\b",
            r"\bcontrary to\b|\bdespite (?:what i|my (?:promise|word))\b|\bin spite of what i\b",
            r"\beat(?:ing)? my (?:own )?words\b|\bswallow\w* my\b|\b(?:default|breach)\b",
            r"\b(?:cannot|can't|could not|couldn't|unable to|fail(?:ed|ing)? to) (?:be )?"
            r"(?:keep|kept|honou?r(?:ed)?|hold|held|stick|stand by|done?)\b",
            r"\bnot (?:keeping|honou?ring|sticking)\b|\blet(?:ting)? (?:it|that|this|(?:the|my) promise) go\b",
            r"\breleas(?:e|es|ed|ing) (?:myself|me) from\b|\bmak(?:e|es|ing) (?:an|one) exception\b",
            r"\bforget gameweek\b|\bi know (?:that )?i (?:said|promised)\b",
            r"\bi (?:said|promised|swore|wrote|vowed)\b[^.!?]{0,90}\b(?:but|yet|however)\b",
            r"\bused to (?:say|cap|limit|promise|refuse)\b|\bi was wrong\b|\bmy mistake\b|\bmea culpa\b|\bguilty\b",
        )
    )
)
_KEEPS = re.compile(
    r"\b(?:as (?:i )?promised|(?:keep|keeps|keeping|kept) (?:my word|(?:my|that) promise|to (?:it|my|that))"
    r"|(?:keep|keeps|keeping|kept) it\b(?! (?:would|costs?|is|was))"
    r"|true to my word|stand(?:s|ing)? by (?:it|that|my)|stick(?:s|ing)? (?:to|by|with) (?:it|that|my)|still stands"
    r"|honou?r(?:s|ed|ing) (?:it|that|my)|in line with|by my own rule|which (?:meets|honours|complies)|complies)\b"
)
_DENIED = re.compile(r"(?:\b(?:not|never|no|without|nobody|hardly)\b|n't\b)(?: \w+){0,2} $")
_WORDS_FOR: dict[type, str] = {
    NoHits: "hit hits points minus",
    MaxTransfers: "transfer transfers move moves",
    BankTransfers: "transfer transfers saving bank banked",
    BankMoney: "bank million money reserve",
    CaptainPlayer: "captain armband skipper band",
    NeverCaptain: "captain armband skipper band",
    CaptainPair: "captain armband vice",
    HoldChip: "chip chips",
    PlayChipIn: "chip chips",
    Formation: "formation shape line-up",
}
_NEARBY = 1
"""Sentences before and behind one that names the subject: "Saka goes. I am breaking my word and I know it"."""
_AFTERWARDS = 2
"""Sentences behind a repeated promise in which it may be taken back."""


def is_open(reasoning: str, promise: Claim, names: Iterable[str] = ()) -> bool:
    """Whether the reasoning of a decision that breaks the promise admits it. ``names``: of the players it is about."""
    spans = sentences(reasoning)
    texts = [reasoning[span.start : span.end].replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").lower() for span in spans]
    repeated = OwnWords([Earlier("promise", "", 0, promise.text, True)]).quoted_in(reasoning)
    for place in _places(spans, [Span(quote.start, quote.end) for quote in repeated]):
        if _breaks(_around(texts, place, _AFTERWARDS)) or not _KEEPS.search(_around(texts, place, _NEARBY)):
            return True
    subject = _subject(promise, names)
    return any(
        _breaks(_around(texts, place, _NEARBY))
        for place, span in enumerate(spans)
        if subject & _forms(reasoning[span.start : span.end])
    )


def _places(spans: Sequence[Span], passages: Sequence[Span]) -> list[int]:
    return [place for place, span in enumerate(spans) if any(passage.meets(span) for passage in passages)]


def _around(texts: Sequence[str], place: int, behind: int) -> str:
    return " ".join(texts[max(0, place - _NEARBY) : place + behind + 1])


def _breaks(text: str) -> bool:
    return any(not _DENIED.search(text[: match.start()]) for match in _BREAKS.finditer(text))


def _subject(promise: Claim, names: Iterable[str]) -> set[str]:
    """Words by which a reader knows what is spoken of: the players, or else chip, hit and the like."""
    of_players = {form for name in names for form in _forms(name)}
    return of_players or {form for word in _topics(promise.terms) for form in _forms(word)}


def _topics(terms: Terms) -> list[str]:
    if isinstance(terms, AllOf):
        return [word for part in terms.parts for word in _topics(part)]
    chip = getattr(terms, "chip", None)
    named = chip.split("_") if isinstance(chip, str) and chip != "any" else []
    return [*_WORDS_FOR.get(type(terms), "").split(), *named]


def _forms(text: str) -> set[str]:
    """Roots of the words, with surnames out of their initials."""
    return {form for word in words(text) for form in (word.root, word.root.rpartition(".")[2]) if len(form) > 2}
