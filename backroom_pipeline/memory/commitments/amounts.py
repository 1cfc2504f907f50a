"""Limits in a sentence: at most, fewer than, never more than, exactly; and money in tenths of a million."""

from __future__ import annotations

import re
from typing import NamedTuple

from backroom_pipeline.memory.commitments import patterns

_NEGATIONS = re.compile(
    r"n't\b|\bnot\b(?! only)|\bcannot\b|\bnever\b|\bno\b(?! (?:more|fewer"
    r"|less|higher|matter|later|earlier|sooner|further"
    r"|exceptions?|doubt|question(?! of))\b)|\bnobody\b|\bneither\b|\bnone\b|\bnothing\b|\bwithout\b|\brefus\w+"
    r"|\b0\b(?![.\d])"
)


def negations(text: str) -> int:
    """How often prepared text says no; "never, ever" and the like count once, "not not" twice."""
    return len(_NEGATIONS.findall(text))


class Bounds(NamedTuple):
    """A number with its limits; neither limit is set for a bare number."""

    number: float
    at_least: float | None
    at_most: float | None

    @property
    def is_limit(self) -> bool:
        return self.at_least is not None or self.at_most is not None


_N = r"(?:a |an |the |back |just |around |about |as many as |minus |-|£)*(\d+(?:\.\d+)?)(?![-\d])"
_BELOW = (
    r"(?:fewer than|less than|lower than|lighter than|under|below|beneath|south of|short of|dip(?:s"
    r"|ping)? (?:under|below))"
)
_ABOVE = (
    r"(?:more than|over|above|beyond|past|exceed(?:s|ing)?|greater than|higher than|further than|north of|bigger than"
    r"|worse than|deeper than|heavier than|upwards of|in excess of)"
)
_WORDS = r"(?: [^\s.,;]+)"
_CEILING = r"(?:limit|cap|ceiling|max|maximum|allowance|allocation|quota|budget|ration)"

_NO_MORE = re.compile(
    rf"\b(?:no|not|nothing|never(?: (?:go|going|have|own|take|pay|make))?)(?: (?:go(?:ing)?|any))? {_ABOVE} {_N}"
    rf"|\bnever exceed {_N}"
)
_NO_FEWER = re.compile(rf"\b(?:no|not|never|nothing)(?: (?:go(?:ing)?|any|a|be|drop|dip|fall))? {_BELOW} {_N}")
_AT_MOST = re.compile(
    rf"\b(?:at (?:the )?(?:very )?most|max(?:imum)?(?: of)?|up to|only(?: ever)?|no further than|no higher than)"
    rf"(?: (?:have|own|take|make|use|play|hold))? {_N}"
    rf"|\b{_CEILING}(?:s|ed)?{_WORDS}{{0,3}}? (?:is|at|of|to|stands at|:) {_N}"
    rf"|\b(?:cap|limit|restrict|confin|ration)\w*{_WORDS}{{0,4}}? (?:at|to) {_N}"
    rf"|\b(?:keep|hold|stick)(?:s|ing)?(?: (?:it|this|that|things|myself|<> \w+|\S+))?(?: (?:down|myself))? to {_N}"
    rf"|\b(?:stop(?:s|ping)?|draw(?:s|ing)? (?:the|a) line) (?:at|after) {_N}"
    rf"|\bthe (?:most|maximum) [^,.;]{{0,40}}? is {_N}"
)
_AT_MOST_AFTER = re.compile(
    rf"{_N}{_WORDS}{{0,6}}?,? (?:at (?:the )?(?:very )?most|max(?:imum)?|tops|or (?:fewer|less|under|below)"
    rf"|(?:is|are|as|being){_WORDS}{{0,2}}? (?:{_CEILING}|plenty|enough|as far as|as much as|the furthest"
    rf"|where i stop|as many|as high as"
    rf"|the most|all))\b"
)
_AT_LEAST = re.compile(
    rf"\b(?:at (?:the )?(?:very )?least|(?:a )?minimum(?: of)?|(?:the )?(?:floor|minimum) (?:is|of)"
    rf"|always{_WORDS}{{0,2}}?) {_N}|\bthe least [^,.;]{{0,40}}? is {_N}"
)
_AT_LEAST_AFTER = re.compile(
    rf"{_N}{_WORDS}{{0,4}}?,? (?:or (?:more|better|above|over|upwards)|upwards|at (?:the )?(?:very )?least|minimum"
    rf"|(?:is|as) (?:my |the |a )?(?:floor|minimum|least))\b|{_N}\+"
)
_TOO_MANY = re.compile(rf"{_N}{_WORDS}{{0,5}}? (?:is|are) (?:1 )?too many\b")
_EXACTLY = re.compile(rf"\b(?:exactly|precisely|just the|just|a single) {_N}")
_BARE_BELOW = re.compile(rf"\b{_BELOW} {_N}")
_BARE_ABOVE = re.compile(rf"\b{_ABOVE} {_N}")
_NUMBER = re.compile(_N)


def bounds(text: str, step: float = 1) -> Bounds | None:
    """The first limit in prepared text, else its first number bare; None without a number.

    ``step`` is what "fewer than" takes off: 1 player, 4 points of a hit, 0 for money, whose limits are inclusive.
    """
    text = patterns.sub(r"<[^>]*>", "<>", patterns.sub(r"\b(\d)-(?=man\b|strong\b)", r"\1 ", text))
    text = patterns.sub(r" {2,}", " ", text)
    if match := _NO_MORE.search(text):
        number = _first(match)
        return Bounds(number, None, number)
    if match := _NO_FEWER.search(text):
        number = _first(match)
        return Bounds(number, number, None)
    if match := _TOO_MANY.search(text):
        return Bounds(_first(match), None, _first(match) - step)
    odd = negations(text) % 2 == 1
    for pattern in (_AT_MOST, _AT_MOST_AFTER):
        if match := pattern.search(text):
            number = _first(match)
            return Bounds(number, None, number)
    for pattern in (_AT_LEAST, _AT_LEAST_AFTER):
        if match := pattern.search(text):
            number = _first(match)
            return Bounds(number, None, number - step) if odd else Bounds(number, number, None)
    if match := _BARE_BELOW.search(text):
        number = _first(match)
        return Bounds(number, number, None) if odd else Bounds(number, None, number - step)
    if match := _BARE_ABOVE.search(text):
        number = _first(match)
        return Bounds(number, None, number) if odd else Bounds(number, number + step, None)
    if (match := _EXACTLY.search(text)) and not odd:
        number = _first(match)
        return Bounds(number, number, number)
    if match := _NUMBER.search(text):
        return Bounds(_first(match), None, None)
    return None


def _first(match: re.Match[str]) -> float:
    return float(next(group for group in match.groups() if group is not None))


_MILLIONS = re.compile(
    r"£ ?(\d+(?:\.\d+)?) ?(?:m|mil|million|mn)?\b(?!k)|(?<![\d.])(\d+(?:\.\d+)?) ?(?:m|mil|million|mn)\b"
    r"|£? ?(\d+) ?(?:k|thousand|grand)\b"
)
_HUNDREDS = re.compile(r"\b(\d) hundred (?:thousand|k|grand)\b")
_HALF = re.compile(r"\b(?:half a|half-a|a half|half|½) ?(?:million|mil|m)\b|\bhalf a\b")
_A_MILLION = re.compile(
    r"\b(?:a|1|last|first|that|my|rainy-day) (?:full |whole )?million\b(?! and a half)|\ba cool million\b"
)


def with_money(text: str) -> str:
    """Amounts of money as plain numbers of tenths: "£0.5m" and "half a million" become ``5``."""
    text = patterns.sub(r"\b(?:a|1|(\d+)) million and a half|\b(?:a|1) and a half million", _and_a_half, text)
    text = patterns.sub(r"\b(\d+) and a half million", lambda m: str(int(m.group(1)) * 10 + 5), text)
    text = _HUNDREDS.sub(r"\1", text)
    text = _HALF.sub("5", text)
    text = _A_MILLION.sub("10", text)
    found = _MILLIONS.search(text)
    if found is None:
        return patterns.sub(r"(?<![\d.])(\d+)\.(\d)(?!\d)", lambda m: m.group(1).lstrip("0") + m.group(2), text)

    def tenths(match: re.Match[str]) -> str:
        pounds, millions, thousands = match.groups()
        return str(round(int(thousands) / 100 if thousands else float(pounds or millions) * 10))

    return _MILLIONS.sub(tenths, text)


def _and_a_half(match: re.Match[str]) -> str:
    return str(int(match.group(1) or 1) * 10 + 5)
