"""A clause that no rule reads, read as the kind of promise it is most like, with its players, chips and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from backroom_pipeline.fpl.model import CHIPS
from backroom_pipeline.memory.commitments.amounts import bounds, with_money
from backroom_pipeline.memory.commitments.clauses import Clause, Draft, is_negated, position_named, says
from backroom_pipeline.memory.commitments.nearest import nearest
from backroom_pipeline.memory.commitments.transfer_promises import UNLIMITED

_A_HIT = 4
_ANY_POINTS = 80
_MONTH = 4
_MOST_FREE_TRANSFERS = 5


class Likely(NamedTuple):
    """Terms of a clause by its likeness to a known sentence."""

    drafts: list[Draft]
    example: str


def likely(clause: Clause) -> Likely | None:
    """What the clause promises; None where it is like no promise, or lacks what a promise of its kind must name."""
    found = nearest(clause)
    if found is None:
        return None
    drafts = _READERS[found.kind](clause)
    return Likely(drafts, found.example) if drafts else None


def _ids(clause: Clause) -> tuple[int, ...]:
    return tuple(dict.fromkeys(player for who in clause.players for player in who.ids))


def _movement(kind: str, allowed_only: str) -> Callable[[Clause], list[Draft]]:
    """Somebody stays, goes or comes; an act that is allowed under a condition only is otherwise forbidden."""

    def read(clause: Clause) -> list[Draft]:
        if clause.window == "earliest":
            draft: Draft = {"kind": allowed_only, "earliest": True}
        else:
            draft = {"kind": allowed_only if clause.only else kind}
        return [{**draft, "player_id": player} for player in _ids(clause)]

    return read


def _armband(kind: str, *, vice: bool = False) -> Callable[[Clause], list[Draft]]:
    def read(clause: Clause) -> list[Draft]:
        draft: Draft = {"kind": "never_captain" if clause.only else kind} | ({"vice": True} if vice else {})
        if clause.players and draft["kind"] == "never_captain":
            return [{**draft, "player_id": player} for player in _ids(clause)]
        if clause.players:
            first, *others = _ids(clause)
            return [{**draft, "player_id": first, "or_player_ids": tuple(others)}]
        if clause.clubs:
            return [{**draft, "club": clause.clubs[0]}]
        position = position_named(clause.text)
        return [{**draft, "position": position}] if position else []

    return read


def _eleven(starting: bool) -> Callable[[Clause], list[Draft]]:
    def read(clause: Clause) -> list[Draft]:
        if clause.window == "earliest":
            draft: Draft = {"kind": "start_player", "starting": False, "earliest": True}
        else:
            draft = {"kind": "start_player", "starting": starting and not clause.only}
        if draft["starting"] and clause.players[0].either:
            first, *others = clause.players[0].ids
            return [{**draft, "player_id": first, "or_player_ids": tuple(others)}]
        return [{**draft, "player_id": player} for player in _ids(clause)]

    return read


def _swap(clause: Clause) -> list[Draft]:
    outgoing, incoming = clause.players
    if len(outgoing.ids) != 1 or len(incoming.ids) != 1:
        return []
    return [{"kind": "sell_player", "player_id": outgoing.ids[0], "replacement_id": incoming.ids[0]}]


def _chips(clause: Clause) -> list[str]:
    return list(dict.fromkeys(re.findall(rf"<({'|'.join(CHIPS)}|any)>", clause.text)))


def _hold_chip(clause: Clause) -> list[Draft]:
    early: Draft = {"earliest": True} if clause.window == "earliest" else {}
    return [{"kind": "hold_chip", "chip": chip, **early} for chip in _chips(clause)]


def _play_chip(clause: Clause) -> list[Draft]:
    if clause.window == "earliest" or clause.only:
        return _hold_chip(clause)
    if clause.window not in ("week", "range", "by"):
        return []
    chip = _chips(clause)[0]
    captain = _ids(clause)[:1] if chip == "triple_captain" else ()
    return [{"kind": "play_chip_in", "chip": chip, **({"captain_id": captain[0]} if captain else {})}]


def _no_hits(clause: Clause) -> list[Draft]:
    return [{"kind": "no_hits"}]


def _hit(clause: Clause) -> list[Draft]:
    if clause.only:
        return _no_hits(clause)
    if not clause.one_week:
        return []
    return [{"kind": "no_hits", "at_least_points": min(_points(clause.text)), "at_most_points": _ANY_POINTS}]


def _hit_limit(clause: Clause) -> list[Draft]:
    spell = re.search(r"\b(\d+)[- ](?:game)?weeks?\b", clause.text)
    weeks = int(spell.group(1)) if spell else _MONTH if says(r"\bmonth", clause.text) else 1
    return [{"kind": "no_hits", "at_most_points": min(_points(clause.text)), "over_gameweeks": weeks}]


def _points(text: str) -> list[int]:
    """Amounts of points that are named, hits at what they cost; one hit where no number is."""
    points = [int(number) for number in re.findall(r"\b(4|8|12|16)\b", text)]
    return points or [_A_HIT * int(number) for number in re.findall(r"\b([1-3]) hits?\b", text)] or [_A_HIT]


def _max_transfers(clause: Clause) -> list[Draft]:
    limit = _number(clause.text, at_most=True)
    return [] if limit is None else [{"kind": "max_transfers", "limit": limit}]


def _no_transfers(clause: Clause) -> list[Draft]:
    return [{"kind": "max_transfers", "limit": 0}]


def _make_transfer(clause: Clause) -> list[Draft]:
    return [{"kind": "max_transfers", "limit": UNLIMITED, "at_least": 1}]


def _leave_unused(clause: Clause) -> list[Draft]:
    return [{"kind": "bank_transfers", "leave_unused": _number(clause.text, at_most=False) or 1}]


def _save_until(clause: Clause) -> list[Draft]:
    goals = [int(number) for number in re.findall(r"\b([2-5])\b", clause.text)]
    return [{"kind": "bank_transfers", "save_until": max(goals, default=_MOST_FREE_TRANSFERS)}]


def _bank(limit: str) -> Callable[[Clause], list[Draft]]:
    def read(clause: Clause) -> list[Draft]:
        found = bounds(with_money(clause.text), step=0)
        return [] if found is None else [{"kind": "bank_money", limit: round(found.number)}]

    return read


_PACKS = (
    (re.compile(r"\b(?:tripl|trebl)\w*"), "3"),
    (re.compile(r"\bdoubl\w*"), "2"),
    (re.compile(r"\bthird\b"), "3"),
    (re.compile(r"\b(?:single|solitary|lone)\b"), "1"),
)


def _number(text: str, *, at_most: bool) -> int | None:
    """The limit that is named: of "never three" it is two, of "three, not more" three."""
    for pack, number in _PACKS:
        text = pack.sub(number, text)
    found = bounds(text)
    if found is None or found.number == 0:
        return None
    limit = found.at_most if at_most else found.at_least
    if limit is not None:
        return round(limit)
    return round(found.number) - (at_most and not found.is_limit and is_negated(text))


def _of_club(clause: Clause) -> Draft:
    draft: Draft = {"kind": "club_limit", "club": clause.clubs[0] if clause.clubs else None}
    if says(r"\bstart|\bxi\b|\b11\b|line-?up|on the pitch|\bfield", clause.text):
        draft["starting_only"] = True
    position = position_named(clause.text)
    return draft | ({"position": position} if position else {})


def _club_limit(clause: Clause) -> list[Draft]:
    limit = _number(clause.text, at_most=True)
    if limit is None or not (clause.clubs or says(r"\b(?:club|team|side)\b", clause.text)):
        return []
    return [{**_of_club(clause), "at_most": limit}]


def _club_minimum(clause: Clause) -> list[Draft]:
    limit = _number(clause.text, at_most=False)
    return [] if limit is None else [{**_of_club(clause), "at_least": limit}]


def _club_none(clause: Clause) -> list[Draft]:
    return [{**_of_club(clause), "at_most": 0}]


def _club_some(clause: Clause) -> list[Draft]:
    return [{**_of_club(clause), "at_least": 1}]


def _shape(never: bool) -> Callable[[Clause], list[Draft]]:
    def read(clause: Clause) -> list[Draft]:
        first, *others = re.findall(r"(?<!\d)[345]-[2345]-[123](?!\d)", clause.text)
        return [{"kind": "formation", "formation": first, "or_formations": tuple(others), "never": never}]

    return read


def _line(*limits: str) -> Callable[[Clause], list[Draft]]:
    def read(clause: Clause) -> list[Draft]:
        line = position_named(clause.text)
        number = _number(clause.text, at_most="at_least" not in limits)
        if line in (None, "GK") or number is None or number > 5:
            return []
        return [{"kind": "formation", "line": line, **dict.fromkeys(limits, number)}]

    return read


def _pair(same_club: bool) -> Callable[[Clause], list[Draft]]:
    def read(clause: Clause) -> list[Draft]:
        return [{"kind": "captain_pair", "same_club": same_club}]

    return read


_READERS: dict[str, Callable[[Clause], list[Draft]]] = {
    "keep": _movement("keep_player", "keep_player"),
    "sell": _movement("sell_player", "keep_player"),
    "buy": _movement("buy_player", "avoid_player"),
    "avoid": _movement("avoid_player", "avoid_player"),
    "captain": _armband("captain_player"),
    "not_captain": _armband("never_captain"),
    "vice": _armband("captain_player", vice=True),
    "start": _eleven(starting=True),
    "bench": _eleven(starting=False),
    "swap": _swap,
    "hold_chip": _hold_chip,
    "play_chip": _play_chip,
    "no_hits": _no_hits,
    "hit": _hit,
    "hit_limit": _hit_limit,
    "max_transfers": _max_transfers,
    "no_transfers": _no_transfers,
    "make_transfer": _make_transfer,
    "leave_unused": _leave_unused,
    "save_until": _save_until,
    "bank_min": _bank("at_least"),
    "bank_max": _bank("at_most"),
    "club_max": _club_limit,
    "club_min": _club_minimum,
    "club_none": _club_none,
    "club_some": _club_some,
    "formation": _shape(never=False),
    "not_formation": _shape(never=True),
    "line_min": _line("at_least"),
    "line_max": _line("at_most"),
    "line_exactly": _line("at_least", "at_most"),
    "pair_apart": _pair(same_club=False),
    "pair_together": _pair(same_club=True),
}
