"""When a promise binds: numbers, chips and gameweeks in a sentence, read and taken out of it.

"Until N" and "before N" end in N-1; "through N" and "by N" include N; "the next three gameweeks" begin next week.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, cast

from backroom_pipeline.fpl.model import Chip
from backroom_pipeline.memory.commitments import patterns
from backroom_pipeline.memory.commitments.decision import SECOND_HALF_FROM
from backroom_pipeline.memory.model import LAST_GAMEWEEK

_UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = {"twenty": 20, "thirty": 30}
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
_NUMBER = re.compile(
    rf"(?<![\w<-])(?:(?:(twenty|thirty)(?:[- ]({'|'.join(_UNITS[1:10])}))?)"
    rf"|({'|'.join(_UNITS)}))(?:s(?= |$|[.,]))?(?![\w>])"
)

_WEEK = r"(?:game ?-?weeks?|gws?|weeks?|wks?|rounds?|match ?-?(?:days?|weeks?)|mws?)"
_LIST_SEPARATOR = r"(?:\s*,\s*(?:and |or )?|\s+(?:and|or|to|through|thru|until|till)\s+|\s*[-&/]\s*)"
_NOT_A_COUNT = (
    r"(?!\d)(?!\s*(?:transfers?|players?|hits?|points?|moves?|free|million|m\b|%|-\d-\d|of (?:my|them|mine|us)|\.\d))"
)
_NOR_A_NUMBER = (
    rf"{_NOT_A_COUNT}(?!\s*(?:or more|are|is|out|fts?|in a row|others?|times?|more|from|frees?"
    rf"|injur\w+|men|{_WEEK})\b|\s*<)"
)
_WEEK_LIST = re.compile(
    rf"\b{_WEEK}\.?\s*(\d{{1,2}}{_NOT_A_COUNT}(?:{_LIST_SEPARATOR}(?:{_WEEK}\s*)?\d{{1,2}}{_NOT_A_COUNT})*)"
)
_BARE_WEEK = re.compile(
    r"\b((?:until|till|til|before|by|through|ahead of|prior to|this side of|onwards from)(?: at least)?"
    r"|not earlier than"
    r"|no later than|(?:after|from|since|come|(?:planned|planning it|set|saved|kept|reserved) for)"
    r"(?= \d+(?: on(?:wards)?\b| ?(?:$|[,.;]))))"
    rf" (\d{{1,2}}){_NOR_A_NUMBER}(?! (?:to|through) \d)"
)
_BARE_LIST = re.compile(rf"\bin (\d{{1,2}}(?:, ?\d{{1,2}})*,? (?:and|or) \d{{1,2}}){_NOR_A_NUMBER}")
_BARE_LIMIT = re.compile(
    r"(?<![\w-])(\d{1,2})(?= (?:at the (?:very )?(?:earliest|soonest|latest)|or (?:later|earlier|sooner))\b)"
)
_BARE_WEEKS = re.compile(
    rf"\b(between|from|anywhere from) (\d{{1,2}}) (and|to|through|until|till) (\d{{1,2}}){_NOR_A_NUMBER}"
)
_CHIP_WEEK = re.compile(r"\b(wc|fh|bb|tc)(\d{1,2})\b")
"""A chip and its week in one word (``wc8``), or which of the two it is (``wc2``)."""
_SHAPE = re.compile(r"\b(three|four|five)[- ](two|three|four|five)[- ](one|two|three)\b")
_LINES_OF_SHAPE = re.compile(
    r"\b(\w+)(?: defenders)? at the back,? (?:and )?(\w+) (?:in midfield|in the middle|midfielders),? (?:and )?"
    r"(\w+) (?:up front|up top|forwards|strikers|in attack)\b"
)
_NTH_WEEK = re.compile(rf"\b(?:the )?({'|'.join(_ORDINALS)}|twentieth) {_WEEK}\b")

_CHIP_NAMES: tuple[tuple[Chip | Literal["any"], str], ...] = (
    ("wildcard", r"wild ?-?card(?:s|ed|ing)?|\bwc\b"),
    ("free_hit", r"free ?-?hit(?:s|ting)?\b|\bfh\b"),
    (
        "bench_boost",
        r"boost(?:s|ed|ing)? (?:my |the )?bench\b|bench (?:\w+ )?gets? (?:its |a )?boost(?:ed)?\b"
        r"|bench ?-?boost(?:s|ed|ing)?|\bbb\b",
    ),
    ("triple_captain", r"triple ?-?captain(?:s|cy|ed|ing)?|\btc\b"),
    ("any", r"(?:all (?:\d |of )?(?:my |the |our )?(?:\d )?|every (?:single )?|any (?:of my )?|each )?\bchips?\b"),
)

WindowKind = Literal["open", "week", "range", "until", "by", "from", "earliest"]


@dataclass(slots=True)
class Window:
    """The gameweeks a sentence names; ``kind`` says how it named them."""

    kind: WindowKind = "open"
    first: int | None = None
    last: int | None = None
    until_chip: Chip | None = None
    after_chip: Chip | None = None
    lasts: bool = False
    """Said with "until", of a state, and not with "before", of an act."""
    half: Literal[1, 2] | None = None
    """The half of the season whose chip is meant ("my second wildcard")."""
    weeks: tuple[int, ...] = field(default_factory=tuple[int, ...])
    """The single weeks of a list, where it leaves some out."""

    @property
    def is_named(self) -> bool:
        return self.kind != "open" or self.until_chip is not None or self.after_chip is not None

    def narrow(self, kind: WindowKind, first: int | None, last: int | None) -> None:
        """Take in one more phrase: both hold."""
        if first is not None:
            self.first = first if self.first is None else max(first, self.first)
        if last is not None:
            self.last = last if self.last is None else min(last, self.last)
        if self.kind in ("open", kind):
            self.kind = kind
        elif {self.kind, kind} & {"week", "by"}:
            self.kind = "week" if "week" in (self.kind, kind) else "by"
        else:
            self.kind = "range" if "earliest" not in (self.kind, kind) else "earliest"


_SAVING_UP = re.compile(r"\b(?:until|till|before|to) [1-5]\b.*\bfree|\bfree.*\b(?:until|till|before|to) [1-5]\b")


def _as_week(match: re.Match[str]) -> str:
    return f"{match[1]} gw{match[2]}" if 1 <= int(match[2]) <= LAST_GAMEWEEK else match[0]


def _chip_and_week(match: re.Match[str]) -> str:
    chip, number = match[1], int(match[2])
    return f"{('first', 'second')[number - 1]} {chip}" if number <= 2 else f"{chip} in gw{number}"


def _digit(word: str) -> str:
    return str(_UNITS.index(word)) if word in _UNITS else word


def with_digits(text: str) -> str:
    """Number words as digits, gameweeks as ``gw9`` (lists and ranges too), chips as ``<wildcard>`` or ``<any>``."""

    def number(match: re.Match[str]) -> str:
        ten, unit, alone = match.groups()
        return str(_TENS[ten] + (_UNITS.index(unit) if unit else 0)) if ten else str(_UNITS.index(alone))

    def week_list(match: re.Match[str]) -> str:
        return " " + patterns.sub(rf"(?:{_WEEK}\s*)?(\d+)", r"gw\1", match.group(1))

    text = _CHIP_WEEK.sub(_chip_and_week, text)
    text = _SHAPE.sub(lambda m: "-".join(str(_UNITS.index(word)) for word in m.groups()), text)
    text = _LINES_OF_SHAPE.sub(lambda m: "-".join(_digit(word) for word in m.groups()), text)
    text = patterns.sub(r"(?<![\d.£-])([345])([2345])([123])(?![\d.%-])(?! points)", r"\1-\2-\3", text)
    text = _NTH_WEEK.sub(lambda m: f"gw{_ORDINALS.index(m[1]) + 1 if m[1] in _ORDINALS else 20}", text)
    text = _NUMBER.sub(number, text)
    text = patterns.sub(r"\ba couple(?: of)?\b|\ba pair(?: of)?\b", "2", text)
    text = _WEEK_LIST.sub(week_list, text)
    text = _BARE_WEEKS.sub(r"\1 gw\2 \3 gw\4", text)
    text = _BARE_LIST.sub(lambda m: "in " + patterns.sub(r"\d+", r"gw\g<0>", m[1]), text)
    text = _BARE_LIMIT.sub(lambda m: f"gw{m[1]}" if 1 <= int(m[1]) <= LAST_GAMEWEEK else m[1], text)
    if not _SAVING_UP.search(text):
        text = _BARE_WEEK.sub(_as_week, text)
    for chip, pattern in _CHIP_NAMES:
        text = patterns.sub(rf"(?<!<)(?:{pattern})(?!>)", f"<{chip}>", text)
    text = patterns.sub(r"\b(gw\d+)\+", r"\1 onwards", text)
    return patterns.sub(r"\s+", " ", text)


_G = r"gw(\d+)"
_DONE = (
    r"(?:is|has been|'s been|was|are|'s|has) (?:done|over|finished|played"
    r"|complete|completed|behind (?:me|us)|gone|past)"
)
_CHIP = (
    r"(?:my |the |a |this half's |that )*(?:first |second |next )?(?:-?half )?<(wildcard"
    r"|free_hit|bench_boost|triple_captain)>"
)
_USED = (
    r"(?:(?:'s|s'| is| has| gets| goes| was| comes)?(?: been| safely)?"
    r" (?:played|used|gone|spent|done|over|out of the way|activated|in|fired|burnt|burned|taken))?"
)
_I_PLAY = (
    r"(?:i(?:'ve| have|'m|'ll| am)? "
    r"(?:(?:play(?:ed|ing)?|us(?:e|ed|ing)|activated?|pull(?:ed)?|spen[dt]|burn(?:ed|t)?) )?)?"
)
_COUNT = r"(\d+)"

_Read = Callable[[re.Match[str], Window, int], None]


def _span(
    kind: WindowKind,
    first: Callable[[re.Match[str], int], int | None],
    last: Callable[[re.Match[str], int], int | None],
) -> _Read:
    def read(match: re.Match[str], window: Window, made_in: int) -> None:
        window.narrow(kind, first(match, made_in), last(match, made_in))

    return read


def _none(match: re.Match[str], made_in: int) -> None:
    return None


def _n(match: re.Match[str]) -> int:
    return int(match.group(1))


def _until_chip(match: re.Match[str], window: Window, made_in: int) -> None:
    window.until_chip = cast(Chip, next(chip for chip in match.groups() if chip))


def _after_chip(match: re.Match[str], window: Window, made_in: int) -> None:
    window.after_chip = cast(Chip, match.group(1))


def _list(match: re.Match[str], window: Window, made_in: int) -> None:
    weeks = sorted({int(number) for number in patterns.findall(r"gw(\d+)", match.group(0))})
    window.narrow("week" if len(weeks) == 1 else "range", weeks[0], weeks[-1])
    if weeks != list(range(weeks[0], weeks[-1] + 1)):
        window.weeks = tuple(weeks)


def _half(number: Literal[1, 2]) -> _Read:
    def read(match: re.Match[str], window: Window, made_in: int) -> None:
        window.half = number

    return read


def _until(offset: int) -> _Read:
    return _span("until", _none, lambda match, _: _n(match) + offset)


# The first pattern that matches wins its words; order goes from the most to the least specific.
_PHRASES: tuple[tuple[str, _Read], ...] = (
    (rf"\b(?:until|till|til|before|up to|ahead of|prior to) (?:after )?{_I_PLAY}{_CHIP}{_USED}", _until_chip),
    (rf"\bfrom {_CHIP} on(?:wards?)?\b", _after_chip),
    (
        rf"\b(?:while|whilst|(?:for )?as long as|so long as) (?:i(?:'ve)? (?:still )?(?:have|hold|own|got) {_CHIP}"
        rf"|{_CHIP}(?:'s| is| stays| remains| sits)? (?:still )?)"
        rf"(?: ?(?:still |left )?(?:unused|unplayed|available|there|to play|left|intact|in (?:hand|reserve)"
        rf"|(?:in|up) (?:my|the) (?:\w+ )?(?:pocket|hand|locker|bag|sleeve|bank|drawer)))?",
        _until_chip,
    ),
    (rf"\b(?:after|once|since|following) {_I_PLAY}{_CHIP}{_USED}", _after_chip),
    (
        r"\b(?:until|till|before) i(?:'ve| have)? (?:watched|seen|had|played"
        r"|got|completed) (\d+) (?:rounds|gameweeks|weeks|games)",
        _span("until", _none, lambda m, _: _n(m)),
    ),
    (
        rf"\b(?:between now and|from now (?:until|till|to|through)|now (?:until|to)) {_G}",
        _span("range", lambda m, w: w, lambda m, _: _n(m)),
    ),
    (rf"\bfrom {_G} (?:until|till) {_G}", _span("range", lambda m, _: _n(m), lambda m, _: int(m.group(2)) - 1)),
    (
        r"(?:\b(?:in|for|during|at|on) )?(?:(?:each|1|any|either) of )?gw\d+, ?gw\d+(?:(?:, ?(?:and |or )?"
        r"| and | or )gw\d+)+",
        _list,
    ),
    (
        rf"\b(?:(?:anywhere|somewhere|sometime) )?(?:from |between |in |during "
        rf"|for )?{_G}(?:,? ?(?:to|through|thru|up to|-|and) ?{_G})(?= |$"
        rf"|[.,;!])(?!,? (?:and|or) gw)",
        _span("range", lambda m, _: _n(m), lambda m, _: int(m.group(2))),
    ),
    (rf"\b(?:until|till|til|before) (?:after )?{_G} {_DONE}", _until(0)),
    (
        rf"\b(?:(?:through|up|on)(?: to| until| till)?(?: and including| the end of)?"
        rf"|right through|(?:up )?(?:until|till|to) (?:and including|the end of"
        rf"|after)|to|until) "
        rf"{_G}(?: inclusive)",
        _until(0),
    ),
    (
        rf"\b(?:all the way |right |straight )?(?:through(?: to| until| till)?"
        rf"|up to(?: and including)?|(?:up )?(?:until|till|to|through|for) (?:and including"
        rf"|the end of|after)) {_G}",
        _until(0),
    ),
    (rf"\b(?:all the way|right|straight|clear) (?:through |up )?to {_G}", _until(0)),
    (
        rf"\b(?:for|until) {_G} (?:onwards?|on|and (?:on|beyond|after)|or (?:later|beyond))(?=$|[ ,.])",
        _span("earliest", lambda m, _: _n(m), _none),
    ),
    (rf"\b(?:earlier|sooner) than {_G}", _span("earliest", lambda m, _: _n(m), _none)),
    (
        rf"\b(?:wait|waits|waiting)(?:s)?(?: to| till| until| for)(?: at least)? {_G}",
        _span("earliest", lambda m, _: _n(m), _none),
    ),
    (
        rf"\b(?:(?:any time |at any point |at any time )?(?:until|till|til"
        rf"|'til|before|prior to|ahead of|up until|this side of))(?: at least"
        rf"| at the very least)?"
        rf"(?: the start of| the deadline of| we reach| we get to| i reach)? {_G}",
        _until(-1),
    ),
    (
        rf"\b(?:reserved for |in |from |for |not before )?{_G},? (?:is (?:the )?"
        rf"|at the |at its |as the )(?:very )?(?:earliest|soonest)",
        _span("earliest", lambda m, _: _n(m), _none),
    ),
    (
        rf"\b(?:for |in |from )?{_G} or (?:later|after(?:wards)?|beyond)",
        _span("earliest", lambda m, _: _n(m), _none),
    ),
    (
        rf"\b(?:by|no later than|not later than|in time for|on or before)(?: the (?:end"
        rf"|deadline|start) of| the time we reach)? {_G}(?: at the (?:very )?latest)?",
        _span("by", _none, lambda m, _: _n(m)),
    ),
    (
        rf"\b(?:in )?{_G},? (?:at the (?:very )?latest|is (?:the|my) deadline"
        rf"|or (?:sooner|earlier|before))",
        _span("by", _none, lambda m, _: _n(m)),
    ),
    (
        rf"\b(?:from|starting (?:in|from|with|at)|beginning (?:in|with|from)"
        rf"|as of|as from|since|come)(?: the start of)? {_G}(?: on(?:wards?)?"
        rf"| and (?:on|beyond|after)| forward)?",
        _span("from", lambda m, _: _n(m), _none),
    ),
    (
        rf"\b{_G} (?:onwards?|and (?:on|beyond|after(?:wards)?)|on(?=[,.]|$))",
        _span("from", lambda m, _: _n(m), _none),
    ),
    (rf"\b(?:after|beyond|past|once) {_G}(?: {_DONE})?", _span("from", lambda m, _: _n(m) + 1, _none)),
    (
        r"(?:\b(?:in|during|at|on|into) )?(?:each of |both |one of |either of "
        r"|either )?gw\d+(?:(?:, ?(?:and |or )?| and | or | ?& ?|/)gw\d+)*",
        _list,
    ),
    (
        rf"\bthis (?:{_WEEK} )?(?:and|or|nor|&) (?:the )?next(?: {_WEEK}| 1)?",
        _span("range", lambda m, w: w, lambda m, w: w + 1),
    ),
    (
        rf"\b(?:in )?(\d+) {_WEEK}(?:'| )?(?:time|from now)\b",
        _span("week", lambda m, w: w + _n(m), lambda m, w: w + _n(m)),
    ),
    (
        rf"(?:\b(?:in|over|for|during|within|across|through) )?(?:each (?:one )?of "
        rf"|every one of |any of |all of |1 of )?(?:my |the |these )?(?:next"
        rf"|coming|following|upcoming) {_COUNT}(?: {_WEEK}|(?=$|[,.]))",
        _span("range", lambda m, w: w + 1, lambda m, w: w + _n(m)),
    ),
    (
        rf"\b(?:for )?(?:at least )?another {_COUNT} (?:more )?{_WEEK}|\bfor (?:at least )?{_COUNT} more {_WEEK}",
        _span("range", _none, lambda m, w: w + int(m.group(1) or m.group(2))),
    ),
    (
        rf"(?:\b(?:in|over|for|during|across|through) )?(?:each of |any of "
        rf"|all of )?(?:my |the )?(?:first|opening) {_COUNT} {_WEEK}",
        _span("range", lambda m, _: 1, lambda m, _: _n(m)),
    ),
    (
        r"(?:\b(?:in|over|for|during) )?(?:each of )?"
        rf"(?:the |my )?(?:last|final) {_COUNT} {_WEEK}(?: of the season)?",
        _span("range", lambda m, _: LAST_GAMEWEEK + 1 - _n(m), _none),
    ),
    (
        rf"\b(?:from )?(?:this {_WEEK}|now(?! and (?:then|again))|here|today)(?: on(?:wards?)?(?: in)?"
        rf"| forward)\b|\bfrom (?:this {_WEEK}|today|here)|\bgoing forward\b",
        _span("from", lambda m, w: w, _none),
    ),
    (rf"\b(?:from|starting|as of) next {_WEEK}(?: on(?:wards?)?)?", _span("from", lambda m, w: w + 1, _none)),
    (rf"\bby (?:the end of )?next {_WEEK}(?:'s deadline)?", _span("by", _none, lambda m, w: w + 1)),
    (rf"\b(?:until|till|before) next {_WEEK}", _span("until", _none, lambda m, w: w)),
    (rf"\b(?:the )?(?:game)?{_WEEK} after next", _span("week", lambda m, w: w + 2, lambda m, w: w + 2)),
    (
        rf"\b(?:in the |the )?next (?:{_WEEK}|time out|time|deadline)(?:'s)?"
        rf"|\b(?:the )?(?:following|coming) {_WEEK}(?:'s)?",
        _span("week", lambda m, w: w + 1, lambda m, w: w + 1),
    ),
    (
        rf"\b(?:for )?this (?:{_WEEK}|time(?: out| around| round)?|deadline)(?:'s)?"
        rf"|\btoday\b|\bright now\b|\bimmediately\b|\bthis very {_WEEK}",
        _span("week", lambda m, w: w, lambda m, w: w),
    ),
    (
        r"\b(?:by|before) (?:the )?"
        r"(?:end of (?:the|this) (?:first )?half|halfway(?: point)?|half ?-?way(?: point)?)",
        _span("by", _none, lambda m, w: 19 if w < SECOND_HALF_FROM else LAST_GAMEWEEK),
    ),
    (
        r"\b(?:for )?(?:the )?rest of (?:the|this) half",
        _span("range", _none, lambda m, w: 19 if w < SECOND_HALF_FROM else LAST_GAMEWEEK),
    ),
    (r"\b(?:in|during|for|throughout) the first half(?: of the season)?", _span("range", _none, lambda m, _: 19)),
    (
        r"\bfrom (?:the )?half ?-?way(?: point)?(?: on(?:wards?)?)?\b",
        _span("from", lambda m, _: SECOND_HALF_FROM, _none),
    ),
    (
        r"\b(?:in|during|for|throughout) the second half(?: of the season)?",
        _span("range", lambda m, _: SECOND_HALF_FROM, _none),
    ),
    (r"\b(?:first|1st)[- ]half(?:'s)?(?= <)|\b(?:my |the )?(?:first|1st)(?= <(?!any))", _half(1)),
    (r"\b(?:second|2nd)[- ]half(?:'s)?(?= <)|\b(?:my |the )?(?:second|2nd|other)(?= <(?!any))", _half(2)),
)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], _Read], ...]:
    return tuple((re.compile(pattern), read) for pattern, read in _PHRASES)


def read_window(text: str, made_in: int) -> tuple[Window, str]:
    """The window that prepared text names, and the text without it."""
    window = Window()
    for pattern, read in _patterns():
        while match := pattern.search(text):
            read(match, window, made_in)
            window.lasts = window.lasts or patterns.search(r"\b(?:until|till?)\b", match.group()) is not None
            text = text[: match.start()] + " " + text[match.end() :]
    return window, patterns.sub(r"\s+", " ", text).strip()
