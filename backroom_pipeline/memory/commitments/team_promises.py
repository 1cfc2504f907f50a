"""Promises about chips, transfers, hits, clubs, formation and money: readers of one clause each."""

from __future__ import annotations

import re
from typing import Literal, cast

from backroom_pipeline.fpl.model import Chip, Position
from backroom_pipeline.memory.commitments.amounts import bounds, with_money
from backroom_pipeline.memory.commitments.clauses import Clause, Draft, is_negated, position_named, says, whole
from backroom_pipeline.memory.commitments.vocabulary import CAPTAIN, HIT, HOLD_CHIP, MOVES, PLAY_CHIP, VICE

UNLIMITED = 20
"""More transfers than anybody makes in a week with free ones."""


def money(clause: Clause) -> list[Draft]:
    text = clause.text
    about = (
        r"\b(?:bank\b|in the bank|itb|reserve\b|kitty|coffers|left over|idle"
        r"|spare cash|war chest|unspent|cash|in hand|in the pot|float|funds"
        r"|balance|purse|budget)"
    )
    has_amount = says(r"£ ?\d|\d ?m\b|million|\d\.\d|\b\d+k\b|half a m", text)
    if not (says(about, text) and has_amount) and not says(
        r"£ ?\d.*\b(?:left|spare|unused)|\b(?:leav|sit|hold|keep|have|having)\w*\b.*(?:£ ?\d|\dm\b|million)", text
    ):
        return []
    if says(r"free transfers?|\bpriced?\b|\bcost(?:s|ing)?\b|\bworth\b|\bplayers?\b", text) or clause.players:
        return []
    found = bounds(with_money(text), step=0)
    if found is None:
        return []
    at_least, at_most = found.at_least, found.at_most
    if not found.is_limit:
        at_least = found.number
        if clause.one_week and says(r"\bleav(?:e|es|ing)\b", text):
            at_most = found.number
        if is_negated(text):
            at_least, at_most = None, found.number
    return [{"kind": "bank_money", "at_least": whole(at_least), "at_most": whole(at_most)}]


def formation(clause: Clause) -> list[Draft]:
    text = clause.text
    shapes = re.findall(r"\b[345]-[2345]-[123]\b", text)
    if shapes:
        return [
            {"kind": "formation", "formation": shapes[0], "or_formations": tuple(shapes[1:]), "never": is_negated(text)}
        ]
    if clause.clubs or clause.players:
        return []
    if says(r"\b(?:back (?:3|4|5)\b|(?:3|4|5)[- ]?(?:man|at the) (?:defence|back))", text):
        number = int(cast("re.Match[str]", re.search(r"[345]", text)).group())
        return _line("DEF", text, number)
    line = position_named(text)
    if (
        line is None
        or line == "GK"
        or not says(
            r"\b(?:start|field|play|at the back|up front|up top|at the top|in midfield|line)"
            r"|^(?:always |never |no |at (?:least|most) "
            r"|(?:fewer|more|less) than |exactly |a (?:max|min)imum of )*\d \w+$",
            text,
        )
    ):
        return []
    return _line(line, text, None)


def _line(line: Position, text: str, stated: int | None) -> list[Draft]:
    found = bounds(text.replace("always", ""))
    if found is None:
        return []
    draft: Draft = {"kind": "formation", "line": line}
    if found.is_limit:
        return [{**draft, "at_least": whole(found.at_least), "at_most": whole(found.at_most)}]
    number = stated or int(found.number)
    return [{**draft, "at_least": number, "at_most": number, "never": is_negated(text)}]


def hits(clause: Clause) -> list[Draft]:
    text = re.sub(r"\bno-hits? (?:promise|rule|vow|pledge)", "", clause.text)
    if not HIT.search(text) or clause.clubs:
        return []
    over = 1
    rolling = re.search(
        r"(?:(?:in|per|every|over|within|across|for) )?(?:(?:any|each|every"
        r"|a) )?(?:run of |stretch of |spell of |window of )?(\d+) (?:consecutive "
        r"|straight )?"
        r"(?:gameweeks|game weeks|weeks|gws)(?: running| in a row)?",
        text,
    )
    if rolling:
        over, text = int(rolling.group(1)), text[: rolling.start()] + text[rolling.end() :]
    elif spell := re.search(
        r"\b(?:in |within |over )?(?:the same |any |a |1 )?(\d+)[- ](?:game)?week (?:spell"
        r"|period|stretch|window|run|block)",
        text,
    ):
        over, text = int(spell.group(1)), text[: spell.start()] + text[spell.end() :]
    elif says(r"\b(?:a|per|each|every|any|1|calendar) month\b|\bmonthly\b", text):
        over, text = 4, re.sub(r"\b1 month\b", "a month", text)
    elif says(r"\b(?:a|per|all|whole|the|this) season\b", text):
        over = 38
    text = re.sub(
        r"\bin a single (?:game)?week\b|\bthan a single\b", lambda m: "than 1" if "than" in m.group() else "", text
    )
    text = re.sub(r"\b(?:a single|a lone|the occasional|just the|just) (?=(?:hit|minus|-))", "1 ", text)
    text = re.sub(r"\b1 (?:minus|-)(?: ?)", "minus ", text)
    text = re.sub(r"\bnot minus ", "no minus ", text)
    text = re.sub(r"\b(?:a )?(?:minus |-)(\d+)", r"\1 points", text)
    text = re.sub(r"\b(\d+)[ -]points? hits?", r"\1 points", text)
    text = re.sub(r"\bpoints (?:on|for) hits", "points", text)
    text = re.sub(r"\b(\d+) hits?\b", lambda m: f"{4 * int(m.group(1))} points", text)
    text = re.sub(
        r"\b1 such\b|\b(?<=more than )once\b|\bonce (?=a\b|per\b|every\b|in\b)|(?<=at most )once\b", "4 points", text
    )
    text = re.sub(r"\bmore than a hit\b", "more than 4 points", text)
    amount = re.search(r"(\d+) points", text)
    limiting = says(r"\b(?:allow|limit|cap|maximum|max|ration|budget|permit|tolerate|afford)", text)
    if amount is None:
        if is_negated(text) or says(
            r"\b(?:banned|forbidden|outlawed|off the table|off limits|out of the question)\b", text
        ):
            return [{"kind": "no_hits"}]
        if (says(r"\bonly\b|hit-free", text) and not clause.one_week) or says(r"\bhit-free\b", text):
            return [{"kind": "no_hits", "over_gameweeks": 1}]
        if clause.only:
            return [{"kind": "no_hits"}]
        if says(r"\b(?:tak(?:e|ing)|pay(?:ing)?|accept\w*)\b", text):
            return [{"kind": "no_hits", "at_least_points": 4, "at_most_points": 80}]
        return []
    points = int(amount.group(1))
    found = bounds(text, step=4)
    if found is not None and found.is_limit:
        if found.at_least is not None and found.at_most is None:
            return [{"kind": "no_hits", "at_least_points": int(found.at_least), "at_most_points": 80}]
        return [{"kind": "no_hits", "at_most_points": max(0, int(found.at_most or 0)), "over_gameweeks": over}]
    if is_negated(text):
        return [{"kind": "no_hits", "at_most_points": max(0, points - 4), "over_gameweeks": over}]
    if over > 1 or limiting:
        return [{"kind": "no_hits", "at_most_points": points, "over_gameweeks": over}]
    if clause.only:
        return [{"kind": "no_hits"}]
    return [{"kind": "no_hits", "at_least_points": points, "at_most_points": points}]


def transfers(clause: Clause) -> list[Draft]:
    text = re.sub(r",? (?:and )?never (?:\d+|more|any more)$", "", clause.text)
    text = re.sub(
        r"\b(?:a|per|each|every|any|in any|in a|any given|1) (?:given |single )?(?:gameweek|game week|week|gw|round)\b",
        "",
        text,
    )
    text = re.sub(r"\b(?:in|of|from) my 15\b|\bplayers of my 15\b", "players", text)
    chip = re.search(r"<(wildcard|free_hit)>", text)
    counts_players = (
        chip
        and says(r"\bchang|\btouch|\balter|\baffect|\bbring|\bturn|\breplac|\bswap|\btransfer|\bmov", text)
        and says(r"\d|single", text)
    )
    if not (says(MOVES, text) or says(r"\bspending \d|\btinker", text) or counts_players):
        return []
    if (clause.players or clause.clubs) and not counts_players:
        return []
    save = re.search(
        r"\b(?:until|till|before) (?:i )?(?:have|there are|i've(?: got)?"
        r"|reach(?:ing)?|i hit|i'm (?:at|on))? ?(?:got |reached |saved |banked )?(?:up )?(?:the )?(?:full "
        r"|maximum |max )?(?:set of )?(\d)(?! moves?)"
        r"|\b(?:save|stack|bank|build|saving|stacking|banking|building)(?:s)? (?:it "
        r"|them |everything )?(?:all )?(?:the way )?(?:up )?to (?:the )?(?:full "
        r"|maximum )?(\d)",
        text,
    )
    if save and not chip and says(r"free|transfers?|moves?|fts?", text):
        return [{"kind": "bank_transfers", "save_until": int(save.group(1) or save.group(2))}]
    stacking = re.search(
        r"\b(?:save|stack|bank|build|collect)(?:s|ing)?(?: up)? (?:the full )?(\d) free transfers? before", text
    )
    if stacking and not chip:
        return [{"kind": "bank_transfers", "save_until": int(stacking.group(1))}]
    saving = says(
        r"\b(?:roll(?:s|ed|ing)?|ke(?:ep|eps|eping)(?! (?:to|it|myself))|bank(?:s|ed|ing)?|sav(?:e|es|ed|ing)|carr(?:y"
        r"|ies|ied|ying)|stor(?:e|ing)|stack(?:s|ed|ing)?|unused|in hand"
        r"|in reserve|forward|in my pocket|up my sleeve|spare|hoard\w*|unspent"
        r"|over)\b",
        text,
    )
    if saving and not chip:
        every = says(r"\b(?:every|all|each|both|any)\b", text)
        if is_negated(text):
            return [{"kind": "max_transfers", "limit": UNLIMITED, "at_least": 1}]
        if every:
            return [{"kind": "max_transfers", "limit": 0}]
        found = bounds(text)
        return [{"kind": "bank_transfers", "leave_unused": int(found.number) if found else 1}]
    unused = re.search(r"\buse (?:up )?(?:every|all|both|each)", text)
    if unused and not is_negated(text):
        return [{"kind": "max_transfers", "limit": UNLIMITED, "at_least": 1}]
    text = re.sub(r"\b(?:of|from) (?:my|the) \d+ free transfers?", "transfers", text)
    text = re.sub(r"\ba (?:single|lone|solitary) |\bsingle ", "1 ", text)
    text = re.sub(r"\bmore than (?:a|the) ", "more than 1 ", text)
    draft: Draft = {"kind": "max_transfers"}
    if chip:
        if says(r"\beven (?:in|on|with)\b", text):
            draft["in_chip_weeks"] = True
        elif says(r"\b(?:chang|touch|alter|affect|bring|turn|replac|swap|transfer|mov)", text):
            draft["chip_week"] = chip.group(1)
    found = bounds(re.sub(r"\b(?:both|2) (?:of )?(?:my|the) ", "2 ", text))
    if found is None or found.number == 0:
        if is_negated(text):
            return [{**draft, "limit": 0}]
        spends = says(r"\b(?:mak(?:e|es|ing)|us(?:e|es|ing)|spend(?:s|ing)?) (?:a|my|the|this|that)\b", text)
        return [{**draft, "limit": UNLIMITED, "at_least": 1}] if spends else []
    if found.at_most is not None or found.at_least is not None:
        return [
            {
                **draft,
                "limit": whole(found.at_most) if found.at_most is not None else UNLIMITED,
                "at_least": whole(found.at_least) or 0,
            }
        ]
    number = int(found.number)
    if is_negated(text):
        return [{**draft, "limit": max(0, number - 1)}]
    if clause.one_week or clause.window in ("from", "week"):
        return [{**draft, "limit": number, "at_least": number}]
    return [{**draft, "limit": number}]


def chip_plan(clause: Clause) -> list[Draft]:
    text = re.sub(r"<any>(?= (?:i|of)\b)", "<any>", clause.text)
    chips = re.findall(r"<(wildcard|free_hit|bench_boost|triple_captain|any)>", text)
    if not chips:
        return []
    named = [chip for chip in chips if chip != "any"]
    first_chip = says(r"\b(?:first|opening|1st) <any>", text)
    if first_chip and named and clause.window == "open":
        others: list[Chip] = [c for c in ("wildcard", "free_hit", "bench_boost", "triple_captain") if c != named[0]]
        return [{"kind": "hold_chip", "chip": other, "until_chip": named[0]} for other in others]
    chip = cast("Chip | Literal['any']", named[0] if named else "any")
    several = list(dict.fromkeys(named))
    player = clause.players[0] if clause.players else None
    odd = is_negated(re.sub(r"\b(?:and )?(?:nobody|no ?1|no-one|none|not anyone|no) else\b|\bno other\b", "", text))
    for_him_alone = (
        says(
            r"\b(?:only|alone|nobody else|no ?1 else|no-one else|no other|exclusively"
            r"|reserved for|saved for|kept for)\b",
            text,
        )
        or clause.only
    )
    if (
        chip == "triple_captain"
        and player
        and clause.window in ("open", "from")
        and (for_him_alone or not clause.one_week)
    ):
        kind = "never_captain" if odd else "captain_player"
        extra = {"or_player_ids": player.ids[1:]} if not odd else {}
        return [{"kind": kind, "player_id": player.ids[0], "chip_week": "triple_captain", **extra}]
    held = says(HOLD_CHIP, text) and not says(r"\bset to\b", text)
    played = says(PLAY_CHIP, re.sub(r"\bin (?:my|hand|reserve)\b|\bgoing to\b", "", text))
    pinned = clause.window in ("week", "range", "by")
    if clause.window == "earliest":
        return [{"kind": "hold_chip", "chip": c, "earliest": True} for c in several or [chip]]
    if held and not (
        pinned
        and says(r"\b(?:sav|reserv|kept for|keep|hold)", text)
        and not odd
        and says(
            r"\b(?:saved|reserved|kept|saving|keeping|reserving|earmarked|earmarking|holding) .*\bfor\b|\bfor\s*[.,]?$",
            text,
        )
    ):
        return [{"kind": "play_chip_in" if odd else "hold_chip", "chip": c} for c in several or [chip]]
    if odd:
        return [{"kind": "hold_chip", "chip": c} for c in several or [chip]]
    if clause.only and not pinned:
        return [{"kind": "hold_chip", "chip": c} for c in several or [chip]]
    if clause.window == "until" and not played and not held and clause.text.startswith("<"):
        return [{"kind": "play_chip_in", "chip": chip}]
    if pinned or clause.window == "until" or played:
        if clause.window == "open" and not clause.only:
            return []
        draft: Draft = {"kind": "play_chip_in", "chip": chip}
        if player and chip == "triple_captain":
            draft["captain_id"] = player.ids[0]
        return [draft]
    return []


def club_limit(clause: Clause) -> list[Draft]:
    text = clause.text
    if says(CAPTAIN, text) or says(VICE, text) or "captain" in text:
        return []
    any_club = says(r"\b(?:no|1|a single|any 1|any|the same|any single|each|a|per) (?:club|team)s?\b", text)
    if not clause.clubs and not any_club:
        return []
    text = re.sub(
        r"(?:from |of |at )?\b(?:any )?(?:1|a single|any|the same|each|per) (?:single |1 )?(?:club|team)s?\b",
        " club ",
        text,
    )
    text = re.sub(r"\b(?:in|of|from|among|across) (?:my|the) (?:15|11|squad of 15)\b|\bout of 15\b", "", text)
    text = re.sub(r"\btriple[- ]?up\b|\btreble[- ]?up\b|\btrio\b|\bthreesome\b|\btriple up\b", "3", text)
    text = re.sub(r"\bdouble[- ]?up\b|\bduo\b|\bpair\b", "2", text)
    text = re.sub(r"\b(?:a single|a lone)\b", "1", text)
    draft: Draft = {"kind": "club_limit", "club": clause.clubs[0] if clause.clubs else None}
    if says(r"\bstart|\bxi\b|\b11\b|line-?up|on the pitch", text):
        draft["starting_only"] = True
    position = position_named(text)
    if position is not None:
        draft["position"] = position
    found = bounds(text)
    if found is None or found.number == 0:
        if not clause.clubs:
            return []
        if is_negated(text) or says(r"-free\b|\bavoid|\bwithout\b|\bsteer clear", text):
            return [{**draft, "at_most": 0}]
        if says(r"\balways\b|\bat all times\b|\bevery week\b|\bsomebody\b|\bsomeone\b", text) and says(
            r"\ban?\b|<c", text
        ):
            return [{**draft, "at_least": 1}]
        return []
    if found.at_least is not None and found.at_most is None and says(r"\bno club\b", clause.text):
        return [{**draft, "at_most": int(found.at_least) - 1}]
    if found.is_limit:
        return [{**draft, "at_least": whole(found.at_least), "at_most": whole(found.at_most)}]
    number = int(found.number)
    if is_negated(text):
        return [{**draft, "at_most": number - 1}]
    if says(r"\b(?:limit|cap|maximum|max|ceiling|allow|permit|only|just|enough|plenty)\b", text):
        return [{**draft, "at_most": number}]
    return [{**draft, "at_least": number}]
