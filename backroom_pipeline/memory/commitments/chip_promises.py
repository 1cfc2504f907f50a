"""Promises about chips: held back, or played in a week or a stretch of weeks."""

from __future__ import annotations

import re
from typing import Literal, cast

from backroom_pipeline.fpl.model import CHIPS, Chip
from backroom_pipeline.memory.commitments import patterns
from backroom_pipeline.memory.commitments.clauses import Clause, Draft, is_negated, says
from backroom_pipeline.memory.commitments.vocabulary import HOLD_CHIP, PLAY_CHIP
from backroom_pipeline.memory.model import Condition

_SET_ASIDE_FOR = re.compile(
    r"\b(?:saved|reserved|kept|saving|keeping|reserving|earmarked|earmarking|holding|held|save|keep|reserve) .*\bfor\b"
    r"|\bfor$"
)


_BEING_PLAYED = re.compile(
    # "I'm pulling the wildcard", "I've played it", "the wildcard is on", "bench boost it is".
    r"\bi(?:'m| am)(?: \w+)? (?!going|keeping|saving|holding)\w+ing (?:on |the |my )*<"
    r"|\bi(?:'m| am)(?: now| just)? <\w+>(?: all the same)?$"
    r"|\bi(?:'ve| have) (?:just )?\w+ (?:on |the |my )*<"
    r"|<\w+>(?:'s| is) (?:in|on|live|active|go|happening)\b|<\w+> (?:it is|time|week|now|activated|active)\b"
    r"|^(?:it's )?(?:my |the )?<\w+>(?: then| today)?$|\bi <\w+>$"
)


_DENIED_PLAY = re.compile(
    # "The wildcard won't be a revolution" says no, but not to playing it.
    r"\b(?:no|not|never|nobody|none|zero)\b(?: \w+){0,4}? <|\b(?:play|us|activat|burn|touch|press|hit|pull"
    r"|deploy|trigger|com|go|leav|get)\w*"
    r"|\bi \w+n't <|n't (?:be )?<"
)


def _comes_first(named: list[Chip]) -> list[Draft]:
    """All others are held until the chip, or one of two, is played."""
    released: Draft = {"until_chip": named[0]}
    if len(named) > 1:
        released["unless"] = Condition(chip_used=named[1])
    return [{"kind": "hold_chip", "chip": other, **released} for other in CHIPS if other not in named[:2]]


def chip_plan(clause: Clause) -> list[Draft]:
    """A chip that is held or played; the triple captain may be bound to a player instead of a week."""
    text = clause.text
    named = list(dict.fromkeys(cast("list[Chip]", patterns.findall(rf"<({'|'.join(CHIPS)})>", text))))
    if not named and "<any>" not in text:
        return []
    if named and clause.window == "open" and says(r"\b(?:first|opening|1st|next) <any>|<any> i open with", text):
        return _comes_first(named)
    chips: list[Chip | Literal["any"]] = [*named] or ["any"]
    player = clause.players[0] if clause.players else None
    odd = is_negated(text)
    pinned = clause.window in ("week", "range", "by")
    if chips[0] == "triple_captain" and player and clause.window in ("open", "from"):
        kind = "never_captain" if odd else "captain_player"
        others = {} if odd else {"or_player_ids": player.ids[1:]}
        return [{"kind": kind, "player_id": player.ids[0], "chip_week": "triple_captain", **others}]
    if clause.window == "earliest":
        return [{"kind": "hold_chip", "chip": chip, "earliest": True} for chip in chips]
    if HOLD_CHIP.found_in(text) and not says(r"\bset to\b", text):
        let_go = all(is_negated(part) for part in text.split(",") if HOLD_CHIP.found_in(part))
        if odd or not (pinned and says(_SET_ASIDE_FOR, text)):
            return [{"kind": "play_chip_in" if let_go else "hold_chip", "chip": chip} for chip in chips]
    elif (odd and (_DENIED_PLAY.search(text) or clause.window != "open")) or (clause.only and not pinned):
        return [{"kind": "hold_chip", "chip": chip} for chip in chips]
    if clause.lasts:
        return [{"kind": "hold_chip", "chip": chip} for chip in chips]
    played = PLAY_CHIP.found_in(text)
    if clause.window == "open" and not (clause.only and played):
        now = named and _BEING_PLAYED.search(text)
        return [{"kind": "play_chip_in", "chip": chips[0], "now": True}] if now else []
    if not (pinned or clause.window == "until" or played):
        return []
    draft: Draft = {"kind": "play_chip_in", "chip": chips[0]}
    if player and chips[0] == "triple_captain":
        draft["captain_id"] = player.ids[0]
    return [draft]
