"""Promises about transfers: points paid for them, how many are made, how many free ones are saved."""

from __future__ import annotations

import re

from backroom_pipeline.memory.commitments import patterns
from backroom_pipeline.memory.commitments.amounts import bounds
from backroom_pipeline.memory.commitments.clauses import Clause, Draft, is_negated, says, whole
from backroom_pipeline.memory.commitments.phrases import Lexicon
from backroom_pipeline.memory.commitments.vocabulary import CAPTAIN, HIT, MOVES
from backroom_pipeline.memory.model import LAST_GAMEWEEK

UNLIMITED = 20
"""More transfers than anybody makes in a week with free ones."""
_ANY_POINTS = 80
_A_HIT = 4
_MONTH = 4
"""Gameweeks that count as a month."""

_FREE = r"(?:free (?:transfers?|moves?|ones?)|fts?)"
_FREE_ONES_ONLY = re.compile(
    rf"\b(?:within|stick\w* (?:to|with)|keep\w* to|liv\w+ (?:within|off)) (?:my|the)(?: \d)? {_FREE}"
    rf"|(?:\bnot\b|\bnever\b|n't\b).*\b(?:beyond|exceed\w*|outside|over|past|above) (?:my|the)(?: \w+)? {_FREE}"
    rf"|(?:\bnot\b|\bnever\b|n't\b).*\bmore (?:\w+ )?than (?:i have |my |the )(?:\w+ )?{_FREE}"
    rf"|\bonly (?:(?:use|make|spend|take|work with|deal in) )?(?:my |the )?{_FREE}"
    rf"|\b{_FREE}(?:[^,;]* )?(?:only|alone)\b"
    r"|\b(?:every|each|all|my)(?: of)?(?: my)? (?:transfers?|moves?)\b.*\b(?:is|are|be) (?:always )?free\b"
)
_NO_HITS_AT_ALL = Lexicon(
    "hits off, a miss, wide berth, hit-free, hit ban, ban on hits, no-hits, no-hit, hit-less, embargo on hits"
)
_TAKES = Lexicon("take*, pay*, accept*, go* for, swallow*, bite* the bullet, absorb*, spend*, hand* over, fork* out")
_PERIODS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:\b(?:in|per|every|over|within|across|for) )?(?:(?:any|each|every|a|the same) )?"
        r"(?:(?:run|stretch|spell|window|block|period) of )?(\d+) (?:consecutive |straight |successive )?"
        r"(?:gameweeks|game weeks|weeks|gws)(?: running| in a row)?",
        r"\b(?:in |within |over |per |every )?(?:the same |any |a |each |1 )?(\d+)[- ](?:game)?week"
        r"(?: (?:spell|period|stretch|window|run|block|cycle))?",
    )
)


def hits(clause: Clause) -> list[Draft]:
    """How many points may be paid: in a week, or over a rolling number of them."""
    text = patterns.sub(
        r"\bno-hits? (?:promise|rule|vow|pledge|policy)(?= (?:is|has|was|are|ended|no longer))", "", clause.text
    )
    if clause.clubs:
        return []
    if _FREE_ONES_ONLY.search(text):
        return [{"kind": "no_hits"}]
    if not HIT.search(text):
        return []
    if clause.window == "earliest" and not is_negated(text):
        return [{"kind": "no_hits", "earliest": True}]
    if _NO_HITS_AT_ALL.found_in(text):
        return [{"kind": "no_hits"}]
    over, text = _period(text)
    text = _in_points(text, limited=over > 1)
    amount = patterns.search(r"(\d+) points", text)
    if amount is None:
        return _hits_as_such(clause, text)
    points = int(amount.group(1))
    found = bounds(text, step=_A_HIT)
    spell: Draft = {"kind": "no_hits", "over_gameweeks": over}
    if clause.all_season and over == 1 and says(r"\b[1-9] hits\b", clause.text):
        spell["over_gameweeks"] = LAST_GAMEWEEK
    elif over == 1 and clause.window in ("until", "range", "by") and says(r"\b[1-9] hits\b", clause.text):
        # "Two hits before N" counts them all, not those of one week.
        spell["over_window"] = True
    if found is not None and found.is_limit:
        if found.at_most is None:
            return [{"kind": "no_hits", "at_least_points": int(found.at_least or 0), "at_most_points": _ANY_POINTS}]
        return [{**spell, "at_most_points": max(0, int(found.at_most))}]
    if is_negated(text):
        return [{**spell, "at_most_points": max(0, points - _A_HIT)}]
    if over > 1 or says(r"\b(?:allow|limit|cap|maximum|max|ration|budget|permit|tolerate|afford)", text):
        return [{**spell, "at_most_points": points}]
    if clause.only:
        return [{"kind": "no_hits"}]
    return [{"kind": "no_hits", "at_least_points": points, "at_most_points": points}]


def _period(text: str) -> tuple[int, str]:
    """Over how many gameweeks points are counted, and the text without it."""
    for pattern in _PERIODS:
        if match := pattern.search(text):
            return int(match.group(1)), text[: match.start()] + text[match.end() :]
    if match := patterns.search(
        r"\b(?:in |per )?(?:a|per|each|every|any|1|the same)(?: calendar)? month\b|\bmonthly\b", text
    ):
        return _MONTH, text[: match.start()] + text[match.end() :]
    if says(r"\b(?:a|per|all|whole|the|this) season\b", text):
        return LAST_GAMEWEEK, text
    return 1, text


def _in_points(text: str, *, limited: bool) -> str:
    """Every way to name a hit as a number of points."""
    text = patterns.sub(r"\bin (?:a|any) single (?:game)?week\b", "", text)
    text = patterns.sub(r"\b(?:a single|a lone|the occasional|just the|just) (?=(?:hit|minus|-))", "1 ", text)
    text = patterns.sub(r"\b1 (?:minus|-)(?: ?)", "minus ", text)
    text = patterns.sub(r"\bnot minus ", "no minus ", text)
    text = patterns.sub(r"(?<![\w.])(?:a )?(?:minus |-)(\d+)s?\b", r"\1 points", text)
    text = patterns.sub(r"\b(\d+)[ -]points? hits?", r"\1 points", text)
    text = patterns.sub(r"\bdouble hits?\b", f"{2 * _A_HIT} points", text)
    text = patterns.sub(r"\bhits to (\d)\b", r"\1 hits", text)
    text = patterns.sub(r"\b(more than|beyond|over) ([48])(?! \w*points|\d)", r"\1 \2 points", text)
    text = patterns.sub(r"\bpoints (?:on|for|of|in|worth of) hits", "points", text)
    text = patterns.sub(r"\b(\d+) (?:such )?hits?\b", lambda m: f"{_A_HIT * int(m.group(1))} points", text)
    text = patterns.sub(
        r"\b(\d+) (?:paid|extra) (?:transfers?|moves?)", lambda m: f"{_A_HIT * int(m.group(1))} points", text
    )
    if limited or says(r"\b(?:at most|more than|beyond|worse than|limit|max)", text):
        text = patterns.sub(r"\ba (?:single )?hit\b|\bonce\b|\b1 such\b|\bis 1\b|\b1$", f"{_A_HIT} points", text)
        text = patterns.sub(r"\btwice\b", f"{2 * _A_HIT} points", text)
    return text


def _hits_as_such(clause: Clause, text: str) -> list[Draft]:
    if is_negated(text) or clause.only:
        return [{"kind": "no_hits"}]
    if not clause.one_week and says(r"\bonly\b", text):
        return [{"kind": "no_hits"}]
    if clause.one_week or _TAKES.found_in(text):
        return [{"kind": "no_hits", "at_least_points": _A_HIT, "at_most_points": _ANY_POINTS}]
    return []


_SAVES = Lexicon(
    """
    skip*, still have, roll*, keep*, bank*, save*, carry*, store*, stack*, hold*, unused, in hand, in reserve,
    forward, in my pocket, up my sleeve, spare, hoard*, unspent, over, stockpile*, pocket, pocketed, collect*,
    stay* in the bank, build* up, stash*, leave* ~ on the table, leave*, untouched, back,
    """,
    but_not="""
    go* over, over 1/2/3/4, over the week, keep* to, keep* it to, keep* myself to, hold* myself to, hold* it to,
    """,
)
_UNCHANGED = Lexicon(
    """
    sit* on my hands, sit* tight, stand* pat, do* nothing, same 15, hands off, no business, roll*,
    leave* my team/squad/side alone/unchanged, team/squad/side stays [exactly] as it is, the same 15 players,
    unchanged squad/team/side/15, squad/team/side is unchanged, squad/team/side stays unchanged, my hands off,
    leave* my team/squad/side [exactly] as it is, squad/team/side goes unchanged, team/squad/side is left alone,
    """,
)
_NOT_CHANGED = re.compile(
    r"\b(?:squad|team|side|15|players)\b.*\b(?:untouched|unchanged|frozen|as (?:it|they) (?:is|are)"
    r"|(?:not|never|n't) change)\b"
    r"|\b(?:squad|team|side|15) (?:isn't|is not|not) changing\b|\b(?:nobody|no ?1) comes (?:in )?or goes\b"
    r"|\bno ins\b.*\bouts\b|\bleav\w+ (?:well|(?:the|my) (?:team|squad|side)) alone\b"
    r"|\b(?:squad|team|side|15|players) (?:won't|doesn't|don't) change\b"
)
_SAVE_UP = (
    re.compile(r"\b(?:until|till|before)\b(?: [^\s,;.]+){0,6}? ([2-5])\b(?! (?:moves?|injur\w*|of|or more|out)\b)"),
    re.compile(
        r"\b(?:sav|stack|bank|build|roll|hoard|collect|stockpil)(?:e|es|ing|s)? (?:(?:up|it|them|everything|all|my|free"
        r"|transfers?|fts|moves) )*(?:the way )?(?:up )?to (?:the |a )?(?:full |maximum )?([2-5])\b"
    ),
    re.compile(r"\b([2-5]) free transfers? (?:have|has|need|must)\b.*\bbefore\b"),
    re.compile(r"\b(?:stack|pile|stash|total|set|stockpile) of ([2-5]) (?:free transfers?|fts?|free 1s)"),
    re.compile(
        r"\b(?:sav|stack|bank|build|collect|hoard)(?:e|es|s|ing)?(?: up)?(?: for)? (?:the full |all )?([2-5])"
        r" (?:free transfers?|fts?) (?:before|first)"
    ),
)
_PER_WEEK = re.compile(
    r"\b(?:a|per|each|every|any|in any|in a|in the same|in one|any given|1|the same)[ -](?:given |single )?"
    r"(?:gameweek|game week|week|gw|round)\b|\bweekly\b"
)
_CHANGES_PLAYERS = re.compile(
    r"\b(?:new (?:faces?|men|players)|gets? me|brought|bought|signed|chang|touch|alter|affect|bring|turn|replac|swap"
    r"|transfer|mov|overhaul|signing)"
)


_USES_ALL = re.compile(
    r"\b(?:us(?:e|es|ing)|spend(?:s|ing)?|burn(?:s|ing)?|empty(?:ing)?|empties) (?:up )?(?:every|all|both|each"
    r"|my last|my free)\b"
    r"|\b(?:all|both)\b.*\b(?:spent|used)\b"
)
_THE_WEEKS = re.compile(
    r"(?:^|'s )(?:free )?(?:transfers?|fts?) (?:(?:is|are|gets?|be|stays?|will be) )?(?:rolled|banked|saved"
    r"|carried|held|in)\b|"
    r"\b(?:my|the|this|next|'s|roll\w*|bank\w*|sav\w+|carr\w+|hold\w*|keep\w*)"
    r"(?: (?:week's|my|the|this|over|free))* (?:transfers?|fts?|moves?)\b"
)


def transfers(clause: Clause) -> list[Draft]:
    """How many transfers are made in a week or on a chip, and how many free ones are left."""
    text = patterns.sub(r"\b(?:in|of|from) my 15\b|\bplayers of my 15\b", "players", _PER_WEEK.sub("", clause.text))
    text = patterns.sub(r"\b(\d)-(transfers?|moves?)-?", r"\1 \2 ", text)
    chip = patterns.search(r"<(wildcard|free_hit)>", text)
    a_week = (clause.one_week or _PER_WEEK.search(clause.text)) and says(r"\bplayers?\b", text)
    counts_players = (chip or a_week) and says(_CHANGES_PLAYERS, text) and says(r"\d|single", text)
    if (clause.players or clause.clubs or CAPTAIN.found_in(text)) and not counts_players:
        return []
    if not chip and _NOT_CHANGED.search(text):
        return [{"kind": "max_transfers", "limit": 0}]
    if not says(MOVES, text) and not chip and _UNCHANGED.found_in(text):
        return [] if is_negated(text) else [{"kind": "max_transfers", "limit": 0}]
    if not (says(MOVES, text) or says(r"\bspending \d|\btinker", text) or counts_players):
        return []
    if not chip and (saved := _saving(text)):
        return saved
    return _number_of_transfers(clause, text, chip.group(1) if chip else None)


def _saving(text: str) -> list[Draft]:
    """Free transfers that are not used."""
    if says(r"free|transfers?|moves?|fts?", text):
        for pattern in _SAVE_UP:
            if match := pattern.search(text):
                return [{"kind": "bank_transfers", "save_until": int(match.group(1))}]
    odd = is_negated(text)
    used_up: list[Draft] = [
        {"kind": "max_transfers", "limit": UNLIMITED, "at_least": 2 if says(r"\bboth\b", text) else 1}
    ]
    if says(r"(?:\bnever\b|\bnot\b|n't\b).*\b(?:0|no|without(?: a)?) free transfers?\b", text):
        return [{"kind": "bank_transfers", "leave_unused": 1}]
    if _USES_ALL.search(text):
        return [{"kind": "bank_transfers", "leave_unused": 1}] if odd else used_up
    if not _SAVES.found_in(text):
        return []
    if says(r"\b(?:no|0) (?:\w+ )?(?:transfers?|moves?|business|fts?)\b", text):
        return [{"kind": "max_transfers", "limit": 0}]
    if odd:
        return used_up
    if says(r"\b(?:every|all|each|both|any)\b", text):
        return [{"kind": "max_transfers", "limit": 0}]
    found = bounds(text)
    if found is None and _THE_WEEKS.search(text) and not says(r"\ba (?:free )?(?:transfer|move)", text):
        # Rolling the week's transfer is making none; only "a" transfer kept back leaves others to be made.
        return [{"kind": "max_transfers", "limit": 0}]
    return [{"kind": "bank_transfers", "leave_unused": int(found.number) if found else 1}]


def _number_of_transfers(clause: Clause, text: str, chip: str | None) -> list[Draft]:
    text = patterns.sub(r"\b(?:of|from) (?:my|the) \d+ free transfers?", "transfers", text)
    text = patterns.sub(r"\ba (?:single|lone|solitary) |\bsingle ", "1 ", text)
    text = patterns.sub(r"\bmore than (?:a|the) ", "more than 1 ", text)
    text = patterns.sub(r"\b(?:both|2) (?:of )?(?:my|the) ", "2 ", text)
    draft: Draft = {"kind": "max_transfers"}
    if chip:
        if says(r"\beven (?:in|on|with)\b", text):
            draft["in_chip_weeks"] = True
        elif says(_CHANGES_PLAYERS, text) or says(r"\b(?:on|with|in) (?:my |the |a )?<", text):
            draft["chip_week"] = chip
    found = bounds(text)
    if found is None or found.number == 0:
        if is_negated(text):
            return [{**draft, "limit": 0}]
        spends = says(r"\b(?:mak(?:e|es|ing)|us(?:e|es|ing)|spend(?:s|ing)?) (?:a|my|the|this|that)\b", text)
        return [{**draft, "limit": UNLIMITED, "at_least": 1}] if spends else []
    one_act = clause.one_week or clause.window in ("from", "week")
    if found.is_limit:
        exactly = found.at_least == found.at_most and not one_act and not says(r"\b(?:exactly|precisely)\b", text)
        return [
            {
                **draft,
                "limit": whole(found.at_most) if found.at_most is not None else UNLIMITED,
                "at_least": 0 if exactly else whole(found.at_least) or 0,
            }
        ]
    number = int(found.number)
    if is_negated(text):
        return [{**draft, "limit": max(0, number - 1)}]
    return [{**draft, "limit": number, "at_least": number if one_act else 0}]


_PART_OF_THEM = re.compile(r"\b(\d) of (?:my|the) (\d)\b(?: \w+)? (?:transfers?|moves?|fts)\b")
_ALL_OF_THEM = re.compile(
    rf"\b(?:all|both|every 1|every|each|the last)(?: 1)?(?: of)?(?: (?:my|the))?(?: \d)? {_FREE}\b"
    rf"|\bmy last {_FREE}\b|\b{_FREE} (?:are|get) (?:all|both)\b"
)


def left_of_free_transfers(text: str) -> int | None:
    """How many are left when prepared text says of how many it uses some: "three of my four", "both"."""
    if match := _PART_OF_THEM.search(text):
        return max(0, int(match.group(2)) - int(match.group(1)))
    return 0 if _ALL_OF_THEM.search(text) else None
