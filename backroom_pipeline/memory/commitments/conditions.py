"""What a sentence makes a promise depend on: "if he is fit", "unless two of mine are out", "only when ..."."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from backroom_pipeline.fpl.model import Chip
from backroom_pipeline.memory.model import Condition

_WHO = r"(?:the )?(<p[^>]+>|he|him|they|it)"
_BE = r"(?:'s| is| are|'re| was| were| be| has been| have been|'s been| gets| get| stays| remains| being)"
_ADVERBS = r"(?: (?:still|all|both|currently|now|declared|deemed|passed|fully|officially|also|either))*"
_OUT = (
    r"(?:misses out|misses|injured(?: or (?:banned|suspended|out))?|out(?! of (?!action"
    r"|sorts))(?: injured| of action)?|ruled out|suspended"
    r"|banned|unavailable|hurt|crocked|sidelined|missing|not fit|not available|absent|unfit|on the treatment table"
    r"|injured or banned)"
)
_FIT = (
    r"(?:fit(?: and well| as a fiddle| and available| again| enough| to (?:play|start))?|available|healthy|passed fit"
    r"|uninjured|not injured|not out|not ruled out|not suspended)"
)
_CHIP = r"(?:my |the |a )?<(wildcard|free_hit|bench_boost|triple_captain)>"
_MINE = (
    r"(?:(?: more)?(?: of)?(?: (?:my|mine|the|them|those))*(?: (?:first|starting))?"
    r"(?: (?:squad|players?|lot|team|side|15|11|bench|men|starters?|lads|guys|xi))*)"
)

_EVERYBODY_FIT = re.compile(
    rf"(?:(?:all (?:of )?(?:my |the )?(?:15|squad|players|of mine)|everyone|everybody|my (?:whole|entire|full) squad"
    rf"|the (?:whole|entire) squad|all){_MINE}(?:{_BE})?{_ADVERBS} {_FIT}"
    rf"|(?:nobody|no 1|none{_MINE}|no player){_MINE}(?:{_BE}){_ADVERBS} {_OUT}"
    r"|(?:there are |i have |with )?no injuries|(?:with )?a (?:fully fit|clean) (?:squad|bill of health))"
)
_SOME_OUT = re.compile(
    rf"(at least |more than |over |fewer than )?(\d+)( or more)?{_MINE}(?:{_BE})?{_ADVERBS} {_OUT}"
    rf"|(?:there are |i have |with )?(at least |more than |fewer than )?(\d+)( or more)? (?:injuries"
    rf"|absentees|absences)"
)
_FREE_TRANSFERS = re.compile(
    r"(?:with |i(?:'ve| have|'m| am)?(?: got| still)?(?: hold| have| holding| sitting on)? )?"
    r"(at least |more than |fewer than |less than |all |the full )?(\d+)( or more)? free transfers?"
    r"(?: in hand| saved| banked| to (?:use|spend)| available| left)?"
    r"|with (at least |all )?(\d+)( or more)? (?:saved|banked)\b"
)
_PLAYER_OUT = re.compile(rf"{_WHO}(?:{_BE})?{_ADVERBS} {_OUT}")
_PLAYER_FIT = re.compile(rf"{_WHO}(?:{_BE})?{_ADVERBS} {_FIT}")
_OWNED = re.compile(
    rf"i(?:'ve| have)?(?: still)? (?:own|have|hold|got) {_WHO}|{_WHO}(?:{_BE})(?: still)? in my (?:squad|team|side)"
)
_NOT_OWNED = re.compile(
    rf"i (?:don't|do not|no longer) (?:own|have) {_WHO}|i(?:'ve| have)? (?:sell|sold) {_WHO}"
    rf"|{_WHO}(?:{_BE}) (?:sold|gone|no longer in my (?:squad|team))"
)
_CHIP_USED = re.compile(
    rf"{_CHIP}(?:{_BE}| has)?(?: been)? (?:gone|used|played|spent|done)|i(?:'ve| have) (?:used|played) {_CHIP}"
)
_CHIP_NOW = re.compile(
    rf"i(?: am|'m| ever)? (?:(?:play|use|activate|on|playing) )?{_CHIP}"
    rf"|it's {_CHIP} week|{_CHIP}(?:{_BE})? (?:active|played|on)|on {_CHIP}"
)


@dataclass(slots=True)
class Conditions:
    """What was read: ``when`` and ``unless`` as in terms; ``unreadable`` when a condition is one no code can test."""

    when: Condition | None = None
    unless: Condition | None = None
    unreadable: bool = False

    def joined(self, other: Conditions) -> Conditions:
        return Conditions(
            _both(self.when, other.when), _both(self.unless, other.unless), self.unreadable or other.unreadable
        )


_UNLESS = (
    r"unless|except (?:when|if|where|in weeks when|for when)|save (?:for (?:the case where|when|if|weeks when)|when|if)"
    r"|other than (?:when|if)|apart from (?:when|if|weeks when)|barring|but not (?:if|when)|not (?:if|when)"
)
_IF = (
    r"(?:for )?as long as|so long as|provided(?: that)?|providing(?: that)?|assuming(?: that)?|on condition that"
    r"|in (?:the )?(?:weeks|event|case) (?:when|in which|that|where)"
    r"|(?:every|each|any) (?:single )?(?:gameweek|week|time|match|round)"
    r"(?: that| when| in which)?|whenever|when|while|whilst|once|if|should|in case|with"
)
_OPENER = re.compile(rf"(?<![\w'])(?:(even )|(only )?)(?:({_UNLESS})|({_IF}))(?![\w'])(?: and only (?:if|when))?")
_LOOSE = ("once", "while", "whilst", "with", "should")
_WEEKLY = re.compile(r"(?:every|each|any) ")
_TAIL = re.compile(r" (?:then|still|at the time|that week|at all|again|by then|too)\b")
_BARE_FIT = re.compile(rf"(?:he's |he is |they're )?{_FIT}(?![\w-])")
_BARE_OUT = re.compile(rf"(?:he's |he is )?(?:{_OUT}|(?:an )?injur(?:y|ies)(?: or suspensions?)?)(?![\w-])")
_STATED = re.compile(r"(?:^|[,;.:] ?|\band |\bbut )")


def read_conditions(text: str, main: int | None) -> tuple[Conditions, str]:
    """The conditions in prepared text and the text without them; ``main`` is whom "he" and "fit" are about.

    "Only if" stays in the text as ``only`` with its condition under ``unless``: only the promise can turn it round.
    """
    read = Conditions()
    at = 0
    while opener := _OPENER.search(text, at):
        even, only, unless, conjunction = opener.groups()
        phrase = _phrase(text, opener.end(), main)
        if phrase is None:
            loose = conjunction is not None and (conjunction in _LOOSE or _WEEKLY.match(conjunction))
            if not loose and not even:
                read.unreadable = True
            at = opener.end()
            continue
        condition, end = phrase
        before, after = text[: opener.start()], text[end:]
        only_before = re.search(r"\bonly\b(?: \S+){0,7} $", before)
        if not even:
            if unless or only or only_before:
                read.unless = _both(read.unless, condition)
            else:
                read.when = _both(read.when, condition)
        text = before + (" only " if only else " ") + after.removeprefix(",")
        at = len(before)
    return read, re.sub(r"\s+", " ", text).strip()


def read_stated(text: str, main: int | None) -> tuple[Conditions, str]:
    """Facts that a sentence states beside its promise ("Haaland is fit, but ..."): they hold when it is kept."""
    read = Conditions()
    apposed = re.search(rf"(<p[^>]+>),? {_FIT},", text)
    if apposed:
        who = _player(apposed.group(1), main)
        read.when = _both(read.when, Condition(player_fit=who))
        text = text[: apposed.start()] + apposed.group(1) + " " + text[apposed.end() :]
    for start in [match.end() for match in _STATED.finditer(text)][::-1]:
        phrase = _phrase(text, start, main, bare=False)
        if phrase is None:
            continue
        condition, end = phrase
        week = re.match(r" (?:this|next) (?:game)?week| (?:in|for) gw\d+", text[end:])
        end += week.end() if week else 0
        if re.match(r" ?(?:,|;|:|\.|$|and |but |so |yet |which )", text[end:]):
            read.when = _both(read.when, condition)
            subject = re.match(r"<p[^>]+>", text[start:])
            keeps = subject.group() if subject and text[end:].startswith(" and ") else ""
            rest = re.sub(r"^ ?(?:[,;:]? ?(?:and|but|so|yet) |[,;:] )", " ", text[end:])
            text = text[:start] + keeps + (week.group() if week else "") + rest
    return read, re.sub(r"\s+", " ", text).strip()


def _phrase(text: str, start: int, main: int | None, *, bare: bool = True) -> tuple[Condition, int] | None:
    """The condition that starts there, and where it ends."""
    while start < len(text) and text[start] == " ":
        start += 1
    found = _named_condition(text, start, main, bare)
    if found is None:
        return None
    condition, end = found
    tail = _TAIL.match(text, end)
    return condition, tail.end() if tail else end


def _named_condition(text: str, start: int, main: int | None, bare: bool) -> tuple[Condition, int] | None:
    if match := _EVERYBODY_FIT.match(text, start):
        return Condition(out_at_most=0), match.end()
    if match := _SOME_OUT.match(text, start):
        bound, number = match.group(1) or match.group(4), int(match.group(2) or match.group(5))
        if bound == "fewer than ":
            return Condition(out_at_most=number - 1), match.end()
        return Condition(out_at_least=number + (bound in ("more than ", "over "))), match.end()
    if match := _FREE_TRANSFERS.match(text, start):
        bound, number = match.group(1), int(match.group(2) or match.group(5))
        if bound in ("fewer than ", "less than "):
            return Condition(free_transfers_at_most=number - 1), match.end()
        return Condition(free_transfers_at_least=number + (bound == "more than ")), match.end()
    if match := _PLAYER_FIT.match(text, start):
        who = _player(match.group(1), main)
        return (Condition(player_fit=who), match.end()) if who is not None else None
    if (match := _PLAYER_OUT.match(text, start)) and (bare or not match.group().endswith("> out")):
        who = _player(match.group(1), main)
        return (Condition(player_out=who), match.end()) if who is not None else None
    if match := _OWNED.match(text, start):
        who = _player(match.group(1) or match.group(2), main)
        return (Condition(owns=who), match.end()) if who is not None else None
    if match := _NOT_OWNED.match(text, start):
        who = _player(next(group for group in match.groups() if group), main)
        return (Condition(owns_not=who), match.end()) if who is not None else None
    if match := _CHIP_USED.match(text, start):
        return Condition(chip_used=cast(Chip, match.group(1) or match.group(2))), match.end()
    if bare and (match := _CHIP_NOW.match(text, start)):
        return Condition(chip=cast(Chip, next(group for group in match.groups() if group))), match.end()
    if bare and main is not None and (match := _BARE_FIT.match(text, start)):
        return Condition(player_fit=main), match.end()
    if bare and main is not None and (match := _BARE_OUT.match(text, start)):
        return Condition(player_out=main), match.end()
    return None


def _player(word: str, main: int | None) -> int | None:
    if not word.startswith("<p"):
        return main
    ids = re.findall(r"-?\d+", word)
    return int(ids[0]) if len(ids) == 1 else None


def _both(one: Condition | None, other: Condition | None) -> Condition | None:
    """Two conditions that must both hold; of two about the same thing the later one counts."""
    if one is None or other is None:
        return one or other
    return one.model_copy(update=other.model_dump(exclude_none=True))
