"""What a sentence makes a promise depend on: "if he is fit", "unless two of mine are out", "only when ..."."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from backroom_pipeline.fpl.model import Chip
from backroom_pipeline.memory.commitments import patterns
from backroom_pipeline.memory.model import Condition

_WHO = r"(?:the )?(<p[^>]+>|he|him|they|it)"
_BE = (
    r"(?:'s| is| are|'re| was| were| be| being| has been| have been|'s been| gets?| getting| stays?| remains"
    r"| goes| picks up| suffers| has| have| to be)"
)
_ADVERBS = r"(?: (?:still|all|both|currently|now|declared|deemed|passed|fully|officially|also|either|ever|then|down))*"
_OUT = (
    r"(?:misses out|misses|injured(?: or (?:banned|suspended|out))?|out(?! of (?!action|contention|the match|sorts))"
    r"(?: injured| of (?:action|contention|the match))?|ruled out|suspended|banned|unavailable|hurt|crocked|sidelined"
    r"|missing|absent|unfit|on the treatment table|in the treatment room|injured or banned|an injury|a knock|a ban"
    r"|a suspension|laid up|hamstrung|limping|hobbling|in plaster|on the injury list|can't play|cannot play"
    r"|(?:does|did)(?:n't| not) (?:make it|play))"
)
_FIT = (
    r"(?:fit(?: and well| as a fiddle| and available| again| enough| to (?:play|start|feature))?|available"
    r"(?: again| for selection)?|healthy|passed fit|uninjured|injury-free)"
)
_CHIP = r"(?:my |the |a )?<(wildcard|free_hit|bench_boost|triple_captain)>"
_GROUP = r"(?:squad|players?|lot|team|side|15|11|bench|men|starters?|lads|guys|xi|regulars|picks)"
_MINE = rf"(?:(?: more)?(?: of)?(?: (?:my|mine|the|them|those|our|ours))*(?: (?:first|starting))?(?: {_GROUP})*)"
_COUNTED = (
    r"(at least |more than |over |fewer than |less than |no fewer than |at most |no more than |up to |only |just "
    r"|exactly )?(?:the )?(\d+)( or more|\+| or fewer| or less)?"
)

_EVERYBODY_FIT = re.compile(
    rf"(?:(?:all (?:of )?(?:my |the )?(?:15|squad|players|of mine)|everyone|everybody|my (?:whole|entire|full) {_GROUP}"
    rf"|the (?:whole|entire|full) {_GROUP}|all|every (?:single )?(?:1|player|man)){_MINE}(?:{_BE})?{_ADVERBS} {_FIT}"
    rf"|(?:nobody|no 1|no-one|none|no player){_MINE}(?:{_BE}){_ADVERBS} {_OUT}"
    r"|(?:there are |i have |with )?no (?:injuries|absentees)|(?:with )?a (?:fully fit|clean) (?:squad|bill of health)"
    r"|i have no (?:1|players?) (?:out|injured)|(?:i have )?nobody (?:out|injured))"
)
_SOME_OUT = re.compile(
    rf"{_COUNTED}{_MINE}(?:{_BE})?{_ADVERBS} {_OUT}"
    rf"|(?:there are |i have |i've got |i've |with |i suffer )?{_COUNTED}"
    r" (?:injuries|injury|injured|absentees?|absences?|outs?)"
    r"(?: in my (?:camp|squad|team|side|ranks))?"
    rf"|i(?:'m| am) (?:missing|without|down) {_COUNTED}{_MINE}"
    rf"|i(?:'ve)? (?:have|lose|got|lost) {_COUNTED}{_MINE} {_OUT}"
)
_FREE_TRANSFERS = re.compile(
    rf"(?:with |i(?:'ve| have|'m| am)?(?: got| still)?(?: hold| have| holding| sitting on)? )?"
    rf"(?:all |the full )?{_COUNTED} (?:free (?:transfers?|moves?)|fts?)"
    r"(?: in hand| saved| banked| to (?:use|spend)| available| left| stacked up| in the bank)?"
    rf"|with {_COUNTED} (?:saved|banked)\b"
)
_PLAYER_OUT = re.compile(rf"{_WHO}(?:{_BE})?{_ADVERBS} {_OUT}")
_PLAYER_FIT = re.compile(rf"{_WHO}(?:{_BE})?{_ADVERBS} {_FIT}")
_INJURY_TO = re.compile(rf"(?:an? )?injury to {_WHO}|in {_WHO}'s absence|in the absence of {_WHO}")
_OWNED = re.compile(
    rf"i(?:'ve| have)?(?: still)? (?:own|have|hold|got|keep) {_WHO}"
    rf"|{_WHO}(?:'s| is| are| being)(?: still)? (?:in|part of) my (?:squad|team|side)"
    rf"|{_WHO}(?:{_BE})(?: still)? (?:mine|owned)"
)
_PROMISED = re.compile(r"i (?:still )?(?:keep|hold)\b")
_NOT_OWNED = re.compile(
    rf"i (?:don't|do not|no longer) (?:own|have) {_WHO}|i(?:'ve| have)? sold {_WHO}"
    rf"|{_WHO}(?:{_BE}) (?:sold|gone|no longer in my (?:squad|team))"
)
_I_SELL = re.compile(rf"i sell {_WHO}")
_CHIP_USED = re.compile(
    rf"{_CHIP}(?:{_BE}| has)?(?: been)? (?:gone|used|played|spent|done)(?! this week| in gw)"
    rf"|i(?:'ve| have) (?:used|played) {_CHIP}"
)
_CHIP_NOW = re.compile(
    rf"i(?: am|'m| ever)? (?:(?:play|use|activate|on|playing) )?{_CHIP}"
    rf"|it's {_CHIP} week|{_CHIP}(?:{_BE})? (?:active|played|on|comes(?: out| in)?|in|goes in|drops)|(?:on"
    rf"|with) {_CHIP}"
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
    r"|until|till|other than (?:when|if)|apart from (?:when|if|weeks when)|barring|but not (?:if|when)|not (?:if|when)"
)
_IF = (
    r"(?:for )?as long as|so long as|provided(?: that)?|providing(?: that)?|assuming(?: that)?|on condition that"
    r"|in (?:the )?(?:weeks|event|case) (?:when|in which|that|where|of)|the (?:moment|minute|second|day)(?: that)?"
    r"|(?:in )?the (?:very |same )?(?:game)?week(?: that| when| in which)?|as soon as"
    r"|in any (?:game)?week (?:when|in which|that|where)?"
    r"|(?:every|each|any) (?:single )?(?:gameweek|week|time|match|round)"
    r"(?: that| when| in which)?|whenever|when|while|whilst|once|if|should|in case(?: of)?|with"
)
_OPENER = re.compile(rf"(?<![\w'])(?:(even )|(only )?)(?:({_UNLESS})|({_IF}))(?![\w'])(?: and only (?:if|when))?")
_LOOSE = ("once", "while", "whilst", "with", "should")
_WEEKLY = re.compile(r"(?:every|each|any|(?:in )?the) (?!moment|minute|second|day|weeks|event|case)")
_TAIL = re.compile(r" (?:then|still|at the time|that week|at all|again|by then|too)\b")
_BARE_FIT = re.compile(rf"(?:he's |he is |they're )?{_FIT}(?![\w-])")
_BARE_OUT = re.compile(rf"(?:he's |he is )?(?:{_OUT}|(?:an )?injur(?:y|ies)(?: or suspensions?)?)(?![\w-])")
_WINDOW_WORDS = re.compile(r"\b(?:in|from|by|before|until|till) gw\d+\b|\b(?:this|next) week\b|\b(?:the|my|a)\b|,")
_STATED = re.compile(r"(?:^|[,;.:] ?|\band |\bbut )")


_SAME_SUBJECT = re.compile(r",? and |,? (?:but|yet) (?:still |now )?(?!his\b|this\b|it's)[a-z]+s\b")


def read_conditions(text: str, main: int | None) -> tuple[Conditions, str]:
    """The conditions in prepared text and the text without them; ``main`` is whom "he" and "fit" are about.

    "Only if" stays in the text as ``only`` with its condition under ``unless``: only the promise can turn it round.
    """
    read = Conditions()
    at = 0
    while opener := _OPENER.search(text, at):
        even, only, unless, conjunction = opener.groups()
        phrase = _phrase(text, opener.end(), main)
        if conjunction and _WEEKLY.match(conjunction) and phrase and phrase[0].free_transfers_at_least is not None:
            # "Every week I hold one free transfer" makes no condition of it.
            at = opener.end()
            continue
        if unless in ("until", "till") and (phrase is None or phrase[0].free_transfers_at_least is not None):
            # A week, or free transfers that are saved up.
            at = opener.end()
            continue
        if phrase is None:
            loose = conjunction is not None and (conjunction in _LOOSE or _WEEKLY.match(conjunction))
            if not loose and not even:
                read.unreadable = True
            at = opener.end()
            continue
        condition, end = phrase
        before, after = text[: opener.start()], text[end:]
        only_before = patterns.search(r"\bonly\b(?: \S+){0,7} $", before)
        if not even:
            if unless or only or only_before:
                read.unless = _both(read.unless, condition)
            else:
                read.when = _both(read.when, condition)
        text = before + (" only " if only else " ") + after.removeprefix(",")
        at = len(before)
    return read, patterns.sub(r"\s+", " ", text).strip()


def read_stated(text: str, main: int | None) -> tuple[Conditions, str]:
    """Facts that a sentence states beside its promise ("Haaland is fit, but ..."): they hold when it is kept."""
    read = Conditions()
    apposed = patterns.search(rf"(<p[^>]+>),? {_FIT},", text)
    if apposed:
        who = _player(apposed.group(1), main)
        read.when = _both(read.when, Condition(player_fit=who))
        text = text[: apposed.start()] + apposed.group(1) + " " + text[apposed.end() :]
    for start in [match.end() for match in _STATED.finditer(text)][::-1]:
        phrase = _phrase(text, start, main, bare=False)
        if phrase is None:
            continue
        condition, end = phrase
        week = patterns.match(r" (?:this|next) (?:game)?week| (?:in|for) gw\d+", text[end:])
        end += week.end() if week else 0
        if not text[end:].strip(" .,") and len(_WINDOW_WORDS.sub("", text[:start]).split()) < 3:
            continue
        if patterns.match(r" ?(?:,|;|:|\.|$|and |but |so |yet |which )", text[end:]):
            read.when = _both(read.when, condition)
            subject = patterns.match(r"<p[^>]+>", text[start:])
            keeps = subject.group() if subject and _SAME_SUBJECT.match(text[end:]) else ""
            rest = patterns.sub(r"^ ?(?:[,;:]? ?(?:and|but|so|yet) |[,;:] )", " ", text[end:])
            text = text[:start] + keeps + (week.group() if week else "") + rest
    return read, patterns.sub(r"\s+", " ", text).strip()


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
        return _counted(match, "out"), match.end()
    if match := _FREE_TRANSFERS.match(text, start):
        return _counted(match, "free_transfers"), match.end()
    if match := _PLAYER_FIT.match(text, start):
        who = _player(match.group(1), main)
        return (Condition(player_fit=who), match.end()) if who is not None else None
    if (match := _PLAYER_OUT.match(text, start)) and (bare or not match.group().endswith("> out")):
        who = _player(match.group(1), main)
        return (Condition(player_out=who), match.end()) if who is not None else None
    if match := _INJURY_TO.match(text, start):
        who = _player(next(group for group in match.groups() if group), main)
        return (Condition(player_out=who), match.end()) if who is not None else None
    # "I keep him, ..." is a promise, "as long as I keep him" a condition.
    if (match := _OWNED.match(text, start)) and (bare or not _PROMISED.match(text, start)):
        who = _player(next(group for group in match.groups() if group), main)
        return (Condition(owns=who), match.end()) if who is not None else None
    if match := _NOT_OWNED.match(text, start) or (_I_SELL.match(text, start) if bare else None):
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


def _counted(match: re.Match[str], what: str) -> Condition:
    """A number of absentees or of free transfers with its limit."""
    bound, number, tail = next(
        (match.group(at) or "", int(match.group(at + 1)), match.group(at + 2) or "")
        for at in range(1, match.re.groups, 3)
        if match.group(at + 1) is not None
    )
    if bound in ("fewer than ", "less than "):
        return Condition.model_validate({f"{what}_at_most": number - 1})
    if bound in ("at most ", "no more than ", "up to ") or tail in (" or fewer", " or less"):
        return Condition.model_validate({f"{what}_at_most": number})
    if bound in ("only ", "just ", "exactly "):
        return Condition.model_validate({f"{what}_at_least": number, f"{what}_at_most": number})
    return Condition.model_validate({f"{what}_at_least": number + (bound in ("more than ", "over "))})


def _player(word: str, main: int | None) -> int | None:
    if not word.startswith("<p"):
        return main
    ids = patterns.findall(r"-?\d+", word)
    return int(ids[0]) if len(ids) == 1 else None


def _both(one: Condition | None, other: Condition | None) -> Condition | None:
    """Two conditions that must both hold; of two about the same thing the later one counts."""
    if one is None or other is None:
        return one or other
    return one.model_copy(update=other.model_dump(exclude_none=True))
