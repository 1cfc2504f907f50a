"""Promises about players: armband, eleven and bench, who stays, goes, comes or is left alone."""

from __future__ import annotations

import re

from backroom_pipeline.memory.commitments.amounts import negations
from backroom_pipeline.memory.commitments.clauses import Clause, Draft, Who, is_negated, position_named, says
from backroom_pipeline.memory.commitments.vocabulary import (
    ARRIVES,
    BENCH,
    BUYS,
    CAPTAIN,
    LEAVES,
    OFF_BENCH,
    OWNED,
    SHUNS,
    START,
    STAYS,
    STAYS_PUT,
    VICE,
)


def captain_pair(clause: Clause) -> list[Draft]:
    """Captain and vice captain of one club or of two."""
    text = clause.text
    captain_too = CAPTAIN.found_in(VICE.taken_from(text))
    if not (VICE.found_in(text) and captain_too) and not says(r"\b(?:both|2) armbands\b", text):
        return []
    if len(clause.clubs) == 1 and says(r"\bboth\b", text):
        return [{"kind": "captain_pair", "same_club": not is_negated(text)}]
    if says(r"\b(?:same|1|single|a) (?:club|team|side)|\b(?:team|club)-?mates?\b", text):
        return [{"kind": "captain_pair", "same_club": not is_negated(text)}]
    if says(r"\b(?:different|separate|2|distinct|another|other) (?:different )?(?:clubs?|teams?|sides?)\b", text):
        return [{"kind": "captain_pair", "same_club": is_negated(text)}]
    return []


def captain(clause: Clause) -> list[Draft]:
    """Who wears the armband: a player, somebody of a club, somebody of a position, or none of these."""
    text = clause.text
    vice = VICE.found_in(text)
    if not CAPTAIN.found_in(text) and not vice:
        return []
    odd = is_negated(_LOSES.sub(" not ", _AWAY_FROM.sub(" not ", _NEVER_LEAVES.sub(" ", text))))
    kind = "never_captain" if odd else "captain_player"
    extra: Draft = {"vice": True} if vice else {}
    if clause.window == "earliest":
        odd, kind, extra = True, "never_captain", {**extra, "earliest": True}
    if vice and len(clause.players) == 2 and not odd and CAPTAIN.found_in(VICE.taken_from(text)):
        deputy = _VICE_IS.search(text)
        at = 1 if deputy is None or f"<p{clause.players[1].ids[0]}" in deputy.group() else 0
        return [
            {"kind": kind, "player_id": clause.players[1 - at].ids[0]},
            {"kind": kind, "player_id": clause.players[at].ids[0], "vice": True},
        ]
    if clause.players:
        who = clause.players[0]
        if odd:
            return [{"kind": kind, "player_id": player, **extra} for player in who.ids]
        # Two players cannot both wear it, so "Haaland and Salah" means one of them.
        return [{"kind": kind, "player_id": who.ids[0], "or_player_ids": who.ids[1:], **extra}]
    if clause.clubs:
        return [{"kind": kind, "club": clause.clubs[0], **extra}]
    position = position_named(text)
    if position is not None and not says(r"\band (?:my |the )?captain|\bcaptain and\b", text):
        return [{"kind": kind, "position": position, **extra}]
    return []


_LOSES = re.compile(
    r"\b(?:off captaincy(?: dut(?:y|ies))?|los(?:e|es|ing)|strip\w*|look\w* (?:past|beyond)|rotat\w+"
    r"|tak(?:e|es|en|ing) the (?:armband|captaincy) (?:off|from)"
    r"|(?:armband|captaincy) \w* ?(?:mov|chang|switch)\w*)\b"
)
_NEVER_LEAVES = re.compile(
    r"(?:\b(?:never|not)|n't) (?:leav|com|go|mov|slip|stray)\w* (?:(?:away|off) )?(?:from |off )?(?=<p)"
)
_VICE_IS = re.compile(
    r"<p[^>]+>(?:'s)?(?: (?:is|as|for|gets|takes|wears|my|the|a|will|be))* (?:vice|deputy)"
    r"|\b(?:vice|deputy)(?:[- ]captain(?:cy)?)?(?: (?:is|to|goes|for|my|the|on))*:? <p[^>]+>"
)
_AWAY_FROM = re.compile(
    r"\b(?:away from|clear of|(?:armband|captaincy) from|off|taken from|(?:banned|barred|excluded) from"
    r"|out of the hands of)"
    r"(?= (?:of )?(?:<[pc]|the (?:captaincy|armband)))"
)


def start(clause: Clause) -> list[Draft]:
    """Who starts and who sits on the bench."""
    text = clause.text
    if not clause.players:
        return []
    who = clause.players[0]
    odd = is_negated(text)
    if OFF_BENCH.found_in(text):
        starting = not odd
    elif BENCH.found_in(text):
        starting = odd
    elif START.found_in(text) and not says(r"\bin my (?:squad|15)\b|\bplay\w* <c", text):
        starting = odd if clause.window == "earliest" and not odd else not odd
        if not odd and says(r"\b(?:mak|giv)\w+ way\b|\bdrop\w* out\b|\blos\w+ (?:his|their) (?:place|spot)", text):
            starting = False
    else:
        return []
    draft: Draft = {"kind": "start_player", "starting": starting}
    if clause.window == "earliest" and not starting:
        draft["earliest"] = True
    if who.either and not odd:
        return [{**draft, "player_id": who.ids[0], "or_player_ids": who.ids[1:]}]
    return [{**draft, "player_id": player} for player in who.ids]


def exchange(clause: Clause) -> list[Draft]:
    """One player for another."""
    text, who = clause.text, clause.players
    if (
        len(who) == 1
        and clause.he is not None
        and clause.he not in who[0].ids
        and says(r"\bhis (?:replac|success)", text)
    ):
        who = (Who((clause.he,)), *who)
    if len(who) < 2 or is_negated(text):
        return []
    p = r"<p[^>]+>"
    goes = (
        r"\b(?:sell|sold|selling|swap\w*|replac(?:e|ed|ing)|exchang\w+|mov(?:e"
        r"|ing)|ship\w*|trad\w+|upgrad\w+|downgrad\w+|turn\w*|switch\w*)\b"
    )
    made_way = (
        r"\b(?:sold|swapped|replaced|out|goes|makes way|gives way|exits|leaves|becomes|sacrificed"
        r"|exchanged|upgraded|downgraded|traded|switched)\b"
    )
    place = rf"{p} (?:takes|gets|has|fills|in) (?:the )?(?:place of )?{p}(?:'s (?:place|spot|slot))?"
    outgoing_first = says(
        rf"^(?:i go |from )?{p} (?:to|into|->|for) {p}$|{goes}[^<]*{p}[^<]*\b(?:for|with|to|into|by)\b[^<]*{p}"
        rf"|{p}[^<]*{made_way}[^<]*{p}",
        text,
    )
    incoming_first = says(
        rf"{p}[^<]*\b(?:replaces|takes the place of|takes over from|in for|for)\b[^<]*{p}|{place}", text
    )
    his_replacement = says(r"\b(?:his|the) (?:replacement|successor)\b|\breplaces him\b", text)
    if outgoing_first:
        out, into = who[0], who[1]
    elif incoming_first:
        out, into = who[1], who[0]
    elif his_replacement:
        out, into = who[0], who[-1]
    else:
        return []
    if START.found_in(text) and not says(r"\b(?:sell|sold|replac)", text):
        return []
    single = into.ids[0] if len(into.ids) == 1 and len(out.ids) == 1 else None
    return [{"kind": "sell_player", "player_id": player, "replacement_id": single} for player in out.ids] + [
        {"kind": "buy_player", "player_id": player} for player in into.ids if single is None
    ]


def coming_and_going(clause: Clause) -> list[Draft]:
    """Who is kept, sold, bought or left alone."""
    text = clause.text
    if not clause.players:
        return []
    ids = tuple(dict.fromkeys(player for who in clause.players for player in who.ids))
    kind, extra = _movement(clause, text)
    return [] if kind is None else [{"kind": kind, "player_id": player, **extra} for player in ids]


def _movement(clause: Clause, text: str) -> tuple[str | None, Draft]:
    odd = is_negated(text)
    leaves = LEAVES.found_in(text) or says(r"(?<!coming )(?<!came )(?<!taken )(?<!limped )\boff$", text)
    arrives, stays = ARRIVES.found_in(text), STAYS.found_in(text)
    owned: Draft = {"owned": True} if OWNED.found_in(text) and not BUYS.found_in(text) else {}
    if clause.window == "earliest" and not (stays and not arrives and not leaves):
        return ("keep_player" if leaves and not arrives else "avoid_player"), {"earliest": True}
    if STAYS_PUT.found_in(text):
        return "keep_player", {}
    if SHUNS.found_in(text):
        if not is_negated(_SHUNNING_NO.sub(" ", text)):
            return "avoid_player", {}
        return ("keep_player" if clause.window in ("open", "until") else "buy_player"), {}
    if NEAR.search(text):
        return ("avoid_player" if odd else "buy_player"), {}
    if stays and not leaves and not (arrives and odd):
        if odd and OWNED.found_in(text):
            return "avoid_player", {"owned": True}
        if not odd and clause.window == "by":
            return "buy_player", {}
        return ("sell_player" if odd else "keep_player"), {}
    if arrives and (BUYS.found_in(text) or not leaves):
        if odd and clause.window == "by":
            return "sell_player", {}
        if clause.lasts and not odd and not clause.only:
            return "keep_player", {}
        if odd or clause.only:
            return "avoid_player", owned
        if clause.window in ("open", "from", "until") and says(r"\bin my (?:team|squad|side|15)\b", text) and owned:
            return "keep_player", {}
        return "buy_player", {}
    if leaves:
        return ("keep_player" if odd or clause.only else "sell_player"), {}
    if stays:
        return ("sell_player" if odd else "keep_player"), {}
    return _bare(clause, text, odd), {}


def _bare(clause: Clause, text: str, odd: bool) -> str | None:
    """What is left to conclude when no known word says what is done with the player.

    A window keeps such a clause apart from opinions, and speaking of oneself from what happens on the pitch, so the
    likeliest act is taken.
    """
    if says(r"^(?:<p[^>]+>(?:'s| is) in)$", text):
        return "buy_player"
    if says(r"^no <p[^>]+>$", text) or (odd and says(r"^<p[^>]+>:? (?:not|is not|isn't|no)$", text)):
        return "avoid_player"
    if not odd and negations(text) and says(r"\bhave <p", text):
        return "keep_player"
    if not odd and clause.lasts and says(r"^<p[^>]+>(?:'s| is| has| gets)?(?: here)?$", text):
        return "keep_player"
    if not clause.whole or clause.window == "open" or not _OF_MYSELF.search(text):
        return None
    if odd:
        return "avoid_player" if clause.window in ("until", "range", "from") else None
    if clause.window == "by" and says(r"\bi(?:'ll)? (?:have|get) <p", text):
        return "buy_player"
    if clause.window in ("week", "by") and says(r"\bi(?:'m| am| will|'ll)? \w+ <p[^>]+>$", text):
        return "sell_player"
    return "keep_player" if clause.lasts or clause.window == "range" else None


_OF_MYSELF = re.compile(r"\b(?:i|me|my|mine)\b")
NEAR = re.compile(r"\b(?:go(?:ing|es)? near|touch(?:ing|es)?)\b")
_SHUNNING_NO = re.compile(r"\b(?:a|is) no\b|\bno (?:room|place) for\b|\b(?:(?:do|doing|go|going) )?without\b")
