"""Promises about players: armband, eleven and bench, who stays, goes, comes or is left alone."""

from __future__ import annotations

import re

from backroom_pipeline.memory.commitments.clauses import Clause, Draft, Who, is_negated, position_named, says
from backroom_pipeline.memory.commitments.vocabulary import (
    ARRIVES,
    BENCH,
    CAPTAIN,
    LEAVES,
    OFF_BENCH,
    OWNED,
    SHUNS,
    START,
    STAYS,
    VICE,
)


def captain_pair(clause: Clause) -> list[Draft]:
    text = clause.text
    both_named = says(VICE, text) and says(r"\bcaptain(?:cy)?\b(?! of)|\barmband", re.sub(VICE, "", text))
    if not both_named and not says(r"\b(?:both armbands|captain and (?:his )?(?:deputy|vice)|2 armbands)", text):
        return []
    if says(r"\b(?:same|1|single|a) (?:club|team|side)|\bteam-?mates?\b|\bclub-?mates?\b", text):
        return [{"kind": "captain_pair", "same_club": not is_negated(text)}]
    if says(
        r"\b(?:different|separate|2|distinct) (?:different )?(?:clubs|teams"
        r"|sides)|\bshare a club\b|\bfrom another club",
        text,
    ):
        return [{"kind": "captain_pair", "same_club": is_negated(text) != says(r"\bshare", text)}]
    return []


def captain(clause: Clause) -> list[Draft]:
    text = clause.text
    vice = says(VICE, text)
    if not says(CAPTAIN, text) and not vice:
        return []
    only_one = re.sub(r"\b(?:and )?(?:nobody|no ?1|no-one|none|not anyone) (?:else|other|but)\b|\bno other\b", "", text)
    odd = is_negated(only_one)
    extra: Draft = {"vice": True} if vice else {}
    if clause.players:
        who = clause.players[0]
        if odd:
            return [{"kind": "never_captain", "player_id": player, **extra} for player in who.ids]
        # Two players cannot both wear it, so "Haaland and Salah" means one of them.
        return [{"kind": "captain_player", "player_id": who.ids[0], "or_player_ids": who.ids[1:], **extra}]
    if clause.clubs:
        return [{"kind": "never_captain" if odd else "captain_player", "club": clause.clubs[0], **extra}]
    position = position_named(text)
    if position is not None and not says(r"\band (?:my |the )?captain|\bcaptain and\b", text):
        return [{"kind": "never_captain" if odd else "captain_player", "position": position, **extra}]
    return []


def start(clause: Clause) -> list[Draft]:
    text = clause.text
    if not clause.players:
        return []
    who = clause.players[0]
    odd = is_negated(text)
    if says(OFF_BENCH, text):
        starting = not odd
    elif says(BENCH, text):
        starting = odd
    elif says(START, text) and not says(r"\bin my (?:squad|15)\b", text):
        starting = not odd
    else:
        return []
    if who.either:
        return [{"kind": "start_player", "player_id": who.ids[0], "or_player_ids": who.ids[1:], "starting": starting}]
    return [{"kind": "start_player", "player_id": player, "starting": starting} for player in who.ids]


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
        r"|ing)|ship\w*|trad\w+|turn\w*|switch\w*)\b"
    )
    made_way = r"\b(?:sold|swapped|replaced|out|goes|makes way|gives way|exits|leaves|becomes|sacrificed)\b"
    outgoing_first = says(rf"{goes}[^<]*{p}[^<]*\b(?:for|with|to|into|by)\b[^<]*{p}|{p}[^<]*{made_way}[^<]*{p}", text)
    incoming_first = says(rf"{p}[^<]*\b(?:replaces|takes the place of|takes over from|in for|for)\b[^<]*{p}", text)
    his_replacement = says(r"\b(?:his|the) (?:replacement|successor)\b|\breplaces him\b", text)
    if outgoing_first:
        out, into = who[0], who[1]
    elif incoming_first:
        out, into = who[1], who[0]
    elif his_replacement:
        out, into = who[0], who[-1]
    else:
        return []
    if says(START, text) and not says(r"\b(?:sell|sold|replac)", text):
        return []
    single = into.ids[0] if len(into.ids) == 1 and len(out.ids) == 1 else None
    return [{"kind": "sell_player", "player_id": player, "replacement_id": single} for player in out.ids] + [
        {"kind": "buy_player", "player_id": player} for player in into.ids if single is None
    ]


def coming_and_going(clause: Clause) -> list[Draft]:
    text = re.sub(r"\bsafe from the (?:chop|axe|cull)", "safe", clause.text)
    if not clause.players:
        return []
    ids = tuple(dict.fromkeys(player for who in clause.players for player in who.ids))
    odd = is_negated(text)
    if (
        clause.window == "earliest"
        and says(r"\b(?:wait|before|no|not|only|reserved|earliest|soonest)\b|" + ARRIVES, text)
        and not says(STAYS, text)
    ):
        return [
            {
                "kind": "keep_player" if says(LEAVES, text) and not says(ARRIVES, text) else "avoid_player",
                "player_id": p,
                "earliest": True,
            }
            for p in ids
        ]
    if says(SHUNS, text):
        if says(r"\bgo(?:ing)? near\b", text):
            odd = not odd
        return [{"kind": "buy_player" if odd else "avoid_player", "player_id": p} for p in ids]
    if says(
        r"\b(?:go(?:ing|es)? (?:anywhere|nowhere)|leaving any time|budg(?:e"
        r"|es|ing)|mov(?:e|es|ing) (?:an inch|anywhere))\b",
        text,
    ):
        return [{"kind": "keep_player", "player_id": p} for p in ids]
    leaves = says(
        LEAVES, re.sub(r"\b(?:going to|go(?:es|ing)? for|out of nowhere|goes in|go(?:es|ing)? near)\b", "", text)
    )
    arrives, stays = says(ARRIVES, text), says(STAYS, text)
    if stays and not leaves and not (arrives and odd):
        if says(r"\bown", text) and odd:
            return [{"kind": "avoid_player", "player_id": p, "owned": True} for p in ids]
        return [{"kind": "sell_player" if odd else "keep_player", "player_id": p} for p in ids]
    strong_arrival = says(
        r"\b(?:buy|bought|bring|brought|sign|signed|signing|recruit|purchase|transfer\w* in|back)\b", text
    )
    if arrives and (strong_arrival or not leaves):
        if odd and clause.window == "by":
            return [{"kind": "sell_player", "player_id": p} for p in ids]
        if odd or clause.only:
            owned = says(OWNED, text) and not strong_arrival
            return [{"kind": "avoid_player", "player_id": p, "owned": owned} for p in ids]
        if (
            clause.window in ("open", "from", "until")
            and says(r"\bin my (?:team|squad|side|15)\b", text)
            and not strong_arrival
        ):
            return [{"kind": "keep_player", "player_id": p} for p in ids]
        return [{"kind": "buy_player", "player_id": p} for p in ids]
    if leaves:
        if odd or clause.only:
            return [{"kind": "keep_player", "player_id": p} for p in ids]
        return [{"kind": "sell_player", "player_id": p} for p in ids]
    if stays:
        return [{"kind": "sell_player" if odd else "keep_player", "player_id": p} for p in ids]
    if (
        clause.window in ("until", "range")
        and not odd
        and says(r"^\W*(?:<p[^>]+>)\W*(?:'s|is|with me|for me|here)?\W*$", text)
    ):
        return [{"kind": "keep_player", "player_id": p} for p in ids]
    return []
