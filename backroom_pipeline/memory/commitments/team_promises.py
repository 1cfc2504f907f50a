"""Promises about the team as a whole: money in the bank, the formation, players of one club."""

from __future__ import annotations

import re

from backroom_pipeline.memory.commitments import patterns
from backroom_pipeline.memory.commitments.amounts import bounds, negations, with_money
from backroom_pipeline.memory.commitments.clauses import Clause, Draft, is_negated, position_named, says, whole
from backroom_pipeline.memory.commitments.phrases import Lexicon
from backroom_pipeline.memory.commitments.vocabulary import CAPTAIN, VICE

_ABOUT_MONEY = Lexicon(
    """
    bank, itb, reserve, kitty, coffers, left over, idle, spare, cash, war chest, unspent, float, in hand,
    in the pot, funds, balance, purse, wallet, budget, lying around, put by, rainy day, aside, back, leave*,
    left, unused, sit* on, hold*, keep*, have*, dip*, go/goes/going/drop*/fall*, spend* my last, last, stash*,
    reserves, savings, piggy bank, buffer, cushion, warchest, spent, floor, caught with, hoard*, minimum, spend*,
    """,
)
_AMOUNT = re.compile(r"\bhundred (?:thousand|k)\b|£ ?\d|\d ?m\b|\bm(?:illion|il)\b|\d\.\d|\b\d+ ?k\b|\bhalf a m\b")
_EMPTY = re.compile(
    r"\b(?:bank|kitty|war chest|purse)(?: account)?(?:'s| is| will be| stays)? (?:empty|dry|at 0(?![.\d])|bare)\b"
    r"|\b(?:nothing|not a penny|no money|no cash|(?<![\d.])0)(?: at all)? (?:is )?(?:left )?in the (?:bank|kitty)\b"
    r"|\bspen\w+ every (?:last )?penny\b"
)
_PRICES = re.compile(r"free transfers?|\bpriced?\b|\bcost(?:s|ing)?\b|\bworth\b|\bplayers?\b|\bpoints?\b|<[pc]")


def money(clause: Clause) -> list[Draft]:
    """What stays in the bank, in tenths of a million."""
    text = clause.text
    if _EMPTY.search(text) and not clause.players:
        if is_negated(_EMPTY.sub("", text)):
            return [{"kind": "bank_money", "at_least": 1}]
        return [{"kind": "bank_money", "at_least": 0, "at_most": 0}]
    if not (_AMOUNT.search(text) and (says(r"£|million", text) or _ABOUT_MONEY.found_in(text))) or _PRICES.search(text):
        return []
    found = bounds(with_money(text), step=0)
    if found is None:
        return []
    at_least, at_most = found.at_least, found.at_most
    if not found.is_limit:
        if is_negated(text) and not says(r"\b(?:spen[dt]|touch)", text):
            at_most = found.number
        else:
            at_least = found.number
            if clause.one_week and says(r"\b(?:leav(?:e|es|ing)|left|just|only|down to)\b", text):
                at_most = found.number
    return [{"kind": "bank_money", "at_least": whole(at_least), "at_most": whole(at_most)}]


_SHAPE = re.compile(r"(?<![\d-])[345]-[2345]-[123](?![\d-])")
_LINED_UP = re.compile(
    r"\b(?:start|field|play|go|use|deploy|pick|set up|do|line|never|always|at the back|up front|up top|at the top"
    r"|in (?:midfield|attack|defence)|[1-5][- ]?man|back [345]|front [123]|start\w*|have|run|keep|stick|xi|11"
    r"|on the pitch|across the middle)\b"
    r"|\b\d (?:\w+ )?(?:defenders|midfielders|forwards|strikers|attackers|centre-halves|centre-backs)\b"
    r"|\b(?:defence|midfield|attack)(?: is| with| of)?(?: an?)? \d\b"
)
_ONE = re.compile(r"\b(?:a )?(?:lone|single|sole|solitary|just 1|only 1)\b")


def formation(clause: Clause) -> list[Draft]:
    """The shape of the eleven, or the number of starters in one line of it."""
    text = clause.text
    shapes = _SHAPE.findall(text)
    if shapes:
        others = tuple(shapes[1:])
        return [{"kind": "formation", "formation": shapes[0], "or_formations": others, "never": is_negated(text)}]
    line = position_named(text)
    others_meant = clause.clubs or clause.players or CAPTAIN.found_in(text) or VICE.found_in(text)
    if others_meant or line in (None, "GK") or not _LINED_UP.search(text) or says(r"\b(?:own|bench)", text):
        return []
    found = bounds(_ONE.sub("1", text.replace("always", "").replace("all 3", "3")))
    if found is None or found.number > 5:
        return []
    draft: Draft = {"kind": "formation", "line": line}
    if found.is_limit and found.at_least != found.at_most:
        return [{**draft, "at_least": whole(found.at_least), "at_most": whole(found.at_most)}]
    if either := patterns.search(r"\b([1-5]) or ([1-5])\b", text):
        return [{**draft, "at_least": int(either[1]), "at_most": int(either[2]), "never": is_negated(text)}]
    number = int(found.number)
    return [{**draft, "at_least": number, "at_most": number, "never": is_negated(text)}]


_ANY_CLUB = re.compile(
    r"(?:(?:from|of|at|for) )?\b(?:(?:any|the|a|each|per|no|1)(?: (?:1|single|same|other|given"
    r"|individual))?) (?:club|team|side)s?\b"
    r"|\bper club\b"
)
_PACKS = (
    # "Triple up on Arsenal", "an Arsenal double-up", "the Chelsea trio", "triple Chelsea".
    (re.compile(r"\b(?:tripl|trebl)(?:e|es|ed|ing)[- ]?(?:ups?)?\b(?: on)?|\b(?:trio|threesome)\b"), "3"),
    (re.compile(r"\bdoubl(?:e|es|ed|ing)[- ]?(?:ups?)\b(?: on)?|\b(?:duo|pair)\b|\bdouble (?=<c)"), "2"),
    (re.compile(r"\b(?:quota|full house|full set|maximum allocation)\b"), "3"),
    (re.compile(r"\b(?:a )?(?:single|lone|solitary|sole)\b"), "1"),
)
_SHUNS_CLUB = Lexicon(
    """
    free, avoid*, without, [well] clear of, [well] away from, boycott*, shun*, banned, blacklist*, off-limits,
    off limits, no-go, swerve*, do/go without, wide berth, a miss,
    """,
)
_LIMITING = Lexicon("limit, cap, maximum, max, ceiling, allow*, permit*, only, enough, plenty, just 1/2/3")


def club_limit(clause: Clause) -> list[Draft]:
    """How many players of a club, or of any one club, are owned or started."""
    text = clause.text
    if CAPTAIN.found_in(text) or VICE.found_in(text) or (clause.players and not clause.clubs):
        return []
    text = patterns.sub(
        r"\b(?:(?:in|of|from|among|across) )?(?:my|the|any) (?:starting |first )?(?:15|11|squad of 15)(?: places)?\b"
        r"|\bout of 15\b|\bmax\w* out\b",
        "",
        text,
    )
    for pack, number in _PACKS:
        text = pack.sub(number, text)
    text = patterns.sub(r"(<c:[^>]+>) (\d)\b", r"\2 \1", text)
    any_club = says(_ANY_CLUB, text) or says(r"^(?:no|never)(?: a)? [23]s?$", text)
    if not clause.clubs and not any_club:
        return []
    no_club = says(r"\bno (?:single |1 )?(?:club|team|side)\b", text)
    text = _ANY_CLUB.sub(" no club " if no_club else " club ", text)
    draft: Draft = {"kind": "club_limit", "club": clause.clubs[0] if clause.clubs else None}
    if says(r"\bstart|\bxi\b|\b11\b|line-?up|on the pitch|\bfield", clause.text):
        draft["starting_only"] = True
    position = position_named(text)
    if position is not None:
        draft["position"] = position
    found = bounds(text)
    if found is None or found.number == 0:
        return _none_or_some(clause, draft, text)
    if no_club and found.at_least is not None and found.at_most is None:
        return [{**draft, "at_most": int(found.at_least) - 1}]
    if found.is_limit:
        return [{**draft, "at_least": whole(found.at_least), "at_most": whole(found.at_most)}]
    number = int(found.number)
    if is_negated(text):
        return [{**draft, "at_most": number - 1}]
    if clause.one_week:
        return [{**draft, "at_least": number, "at_most": number}]
    return [{**draft, ("at_most" if _LIMITING.found_in(text) else "at_least"): number}]


def _none_or_some(clause: Clause, draft: Draft, text: str) -> list[Draft]:
    """A club that is named without a number: nobody of it, or always somebody."""
    if not clause.clubs:
        return []
    shunned = _SHUNS_CLUB.found_in(text)
    if is_negated(_SHUNNING.sub(" ", text)) != shunned:
        return [{**draft, "at_most": 0}]
    if (
        negations(text)
        or says(r"\ban? (?:\w+ )?<c|\b(?:somebody|someone) (?:from|of) <c", clause.text)
        or says(r"\b(?:always|somebody|someone|at all times|represent\w*|never without)\b", clause.text)
    ):
        return [{**draft, "at_least": 1}]
    return []


_SOMEBODY_OF = re.compile(r"\ban? (?:\w+ )?<c|\b(?:always|somebody|someone|at all times|represent\w*)\b")
_SHUNNING = re.compile(r"\b(?:do|go|doing|going)? ?without\b|\bno-go\b")
