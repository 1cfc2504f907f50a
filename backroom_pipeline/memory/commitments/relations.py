"""How two promises of one manager stand to each other: contradiction, consistent, unrelated or update."""

from __future__ import annotations

import re
from typing import Literal

from backroom_pipeline.fpl.model import CHIPS
from backroom_pipeline.memory.commitments import patterns
from backroom_pipeline.memory.commitments.conflicts import Context, Said, conflict
from backroom_pipeline.memory.commitments.given import given_by, implies
from backroom_pipeline.memory.commitments.names import Roster
from backroom_pipeline.memory.commitments.sentences import parse_terms
from backroom_pipeline.memory.commitments.transfer_promises import left_of_free_transfers
from backroom_pipeline.memory.commitments.verdicts import parts_of
from backroom_pipeline.memory.commitments.windows import with_digits
from backroom_pipeline.memory.commitments.wording import plainly
from backroom_pipeline.memory.model import (
    LAST_GAMEWEEK,
    AllOf,
    BankTransfers,
    BuyPlayer,
    CaptainPlayer,
    ClubLimit,
    HoldChip,
    MaxTransfers,
    NeverCaptain,
    PlayChipIn,
    SellPlayer,
    SingleTerms,
    Terms,
)

Relation = Literal["contradiction", "consistent", "unrelated", "update"]

_SUBJECTS: dict[str, str] = {
    "no_hits": "hits",
    "max_transfers": "transfers",
    "bank_transfers": "transfers",
    "bank_money": "money",
    "formation": "formation",
    "captain_pair": "armbands",
}
"""Kinds that are about a quantity of which a team has one."""

_SAYS_IT_IS_OVER = re.compile(
    r"\b(?:promise|pledge|vow|hold|ban|cap|limit|rule|spell|run|stint|window|period|weeks|waiting|saving|wait|deadline|embargo|freeze|word)"
    r"\b.*\b(?:over|up|ended?|ends|expired?|finished|done|complete|lapsed?|served|passed|past|behind|fulfilled|kept"
    r"|run (?:its|their) course)\b"
    r"|\b(?:i (?:said|promised|vowed|swore|pledged)|as promised)\b"
    r"|\b(?:releas|freed?|lets me off|no longer (?:binds?|bound|holds?|applies)|is (?:gone|played|used|spent|sold), so)"
    r"|\bwith (?:the|that|those|my) .*\b(?:over|done|gone|behind (?:me|us)|expired|played|used|finished)\b"
)


def relation(
    earlier: tuple[int, str], later: tuple[int, str], roster: Roster, context: Context | None = None
) -> Relation:
    """The relation of two sentences, each with the gameweek it was said in."""
    context = context or Context(roster.clubs, roster.positions)
    one, other = (Said(parse_terms(text, roster, week), week) for week, text in (earlier, later))
    clash = conflict(due(one, other), announced(other), context) is not None
    if clash or put_off(one, other) or _uses_what_is_saved(one, other, later[1], roster):
        return "contradiction"
    shared = _subjects(one.terms, earlier[1], roster) & _subjects(other.terms, later[1], roster)
    if _SAYS_IT_IS_OVER.search(roster.marked(later[1])) and (shared or other.terms.kind == "free_text"):
        return "update"
    return "consistent" if shared else "unrelated"


def announced(said: Said) -> Said:
    """The promise with acts that name no week put into its own: "I'm selling Saka", said today, is about today.

    For sentences that stand against an earlier promise; a sale without a deadline is otherwise good for any week.
    """
    week = {"first": said.made_in, "last": said.made_in}
    terms = said.terms
    if isinstance(terms, AllOf):
        parts = tuple(part.model_copy(update=week) if _is_undated(part) else part for part in terms.parts)
        return said._replace(terms=terms.model_copy(update={"parts": parts}))
    return said._replace(terms=terms.model_copy(update=week)) if _is_undated(terms) else said


def _is_undated(terms: SingleTerms) -> bool:
    conditions = terms.only_if_fit or terms.when is not None or terms.unless is not None
    return isinstance(terms, SellPlayer | BuyPlayer) and terms.last == LAST_GAMEWEEK and not conditions


def due(earlier: Said, later: Said) -> Said:
    """The earlier promise, its sales and purchases for when something happens put into the week in which it has.

    "Sold the week he gets injured" is about today once the later sentence says that he is injured.
    """
    stated = [(part.first, given_by(part)) for part in _parts(later.terms) if part.first == part.last]

    def dated(part: SingleTerms) -> SingleTerms:
        condition = part.when
        if condition is None or not isinstance(part, SellPlayer | BuyPlayer) or part.last != LAST_GAMEWEEK:
            return part
        week = next((week for week, given in stated if week >= part.first and implies(given, condition)), None)
        return part if week is None else part.model_copy(update={"first": week, "last": week})

    terms = earlier.terms
    if isinstance(terms, AllOf):
        return earlier._replace(terms=terms.model_copy(update={"parts": tuple(map(dated, terms.parts))}))
    return earlier._replace(terms=dated(terms))


def _uses_what_is_saved(earlier: Said, later: Said, text: str, roster: Roster) -> bool:
    """Whether more free transfers are used than one that is always kept back allows.

    How many there are is said in the sentence only; its terms count those that are made.
    """
    left = left_of_free_transfers(plainly(with_digits(roster.marked(text))))
    return left is not None and any(
        isinstance(one, BankTransfers)
        and isinstance(other, MaxTransfers)
        and (one.leave_unused or 0) > left
        and other.at_least > 0
        and one.when is one.unless is None
        and max(one.first, other.first, later.made_in) <= min(one.last, other.last)
        for one in _parts(earlier.terms)
        for other in _parts(later.terms)
    )


def put_off(earlier: Said, later: Said) -> bool:
    """Whether a sale or a purchase is promised again, for a time after the one promised first.

    Both could be honoured by selling, buying back and selling again; nobody who says it means that.
    """
    return any(
        isinstance(one, SellPlayer | BuyPlayer)
        and isinstance(other, type(one))
        and one.player_id == other.player_id
        and later.made_in <= one.last < other.first
        for one in _parts(earlier.terms)
        for other in _parts(later.terms)
    )


def _parts(terms: Terms) -> list[SingleTerms]:
    return parts_of(terms) if isinstance(terms, AllOf) else [terms]


def _subjects(terms: Terms, text: str, roster: Roster) -> set[str]:
    """What a promise is about: players, chips, clubs and limited quantities."""
    marked = roster.marked(text)
    subjects = {f"player {number}" for number in patterns.findall(r"<p(\d+)>", marked)}
    for part in _parts(terms):
        subjects |= _of_part(part)
    return subjects


def _of_part(part: SingleTerms) -> set[str]:
    if part.kind in _SUBJECTS:
        return {_SUBJECTS[part.kind]}
    if isinstance(part, HoldChip | PlayChipIn):
        return {f"chip {chip}" for chip in (CHIPS if part.chip == "any" else (part.chip,))}
    if isinstance(part, ClubLimit):
        return {f"club {part.club or 'any'}"}
    if isinstance(part, CaptainPlayer | NeverCaptain):
        if part.when is not None and part.when.chip is not None:
            return {f"chip {part.when.chip}"}
        return {"vice armband" if part.vice else "armband"} | ({f"club {part.club}"} if part.club else set())
    return set()
