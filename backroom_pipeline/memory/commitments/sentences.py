"""Plain English into typed terms: a sentence a manager binds itself with, read without any model."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from pydantic import TypeAdapter

from backroom_pipeline.fpl.model import Chip, Player
from backroom_pipeline.memory.commitments import patterns
from backroom_pipeline.memory.commitments.clauses import Clause, Draft, Who
from backroom_pipeline.memory.commitments.conditions import Conditions, read_conditions, read_stated
from backroom_pipeline.memory.commitments.decision import SECOND_HALF_FROM
from backroom_pipeline.memory.commitments.hedging import HEDGES, PERHAPS
from backroom_pipeline.memory.commitments.likely import likely
from backroom_pipeline.memory.commitments.names import Roster
from backroom_pipeline.memory.commitments.promises import read_promise
from backroom_pipeline.memory.commitments.windows import Window, read_window, with_digits
from backroom_pipeline.memory.commitments.wording import plainly, without_reasons
from backroom_pipeline.memory.model import (
    LAST_GAMEWEEK,
    AllOf,
    Condition,
    FreeText,
    MaxTransfers,
    PlayChipIn,
    SingleTerms,
    Terms,
)

_single: TypeAdapter[SingleTerms] = TypeAdapter(SingleTerms)

_PAST = re.compile(
    r"\b(?:i (?:said|used to|promised|told|set)|has gone\b|have gone\b"
    r"|'s gone\b|has left\b|have left\b|have sold\b|has been sold\b|'s been sold\b"
    r"|ended\b|expired\b|is (?:over|finished|done|played)\b|are (?:over"
    r"|done)\b"
    r"|was\b|were\b|set myself)"
)
_DONE_JUST_NOW = re.compile(
    # "I've sold him", "he's been benched": an act of this very week unless another one is named.
    r"(?<!until )(?<!till )(?<!before )(?<!once )(?<!when )(?<!after )(?<!since )"
    r"(?:\bi(?:'ve| have)|<p[^>]+>(?:'s| has)(?: been)?)"
    r"(?: just| now| already| finally| duly| gone and)?"
    r" (?!been (?:in|with|my|a)\b|always|never|some)\w*(?:ed|ought|old|aken|iven|ent|one|ut|own|ade|ome|eft)\b"
    r"(?! (?:to|that|until|never|not)\b)"
)
_JUST_SOLD = re.compile(r"(<p\d+>)(?:'s| has)(?: just| now)? been sold(?: this week)?[,;.-]")
_OF_PROMISES = re.compile(r"\b(?:so|promise|pledge|vow|word|rule|over|longer|free|released?)\b")
_WEEKLY = re.compile(
    r",? ?\b(?:every|each|any)(?: and every)?(?: single)? (?:gameweek"
    r"|game week|week|gw|round|match ?day|time)(?: of the season)?\b"
    r"|\b(?:week in,? week out|all season(?: long)?|this season"
    r"|all year|at all times|for the whole season|the whole season|throughout(?: the season)?|for good|ever again)\b"
)
_JOINT = re.compile(
    r"\s*(?:;|:| - | -- |,? but |,? and |,? yet |, (?=<p[^>]+> (?:is|comes|goes|stays|starts|gets|in\b|out\b))"
    r"|, (?=(?:the |my |a )?<(?:wildcard|free_hit|bench_boost|triple_captain)>))\s*"
)
_HE = re.compile(r"\b(?:he|him|they|them|his$)\b")
_CHIP = re.compile(r"<(?:wildcard|free_hit)>")
_TRANSFERS = re.compile(r"\b(?:changes?|transfers?|new (?:faces?|men|players)|moves|swaps|in and \d)\b")
_STRONG_JOINT = re.compile(r";|: | - | -- ")
_GROUP = re.compile(
    r"(?:\bboth |\beither )?<p([^>]+)>(?:,? (and|&|plus|as well as|or|and/or"
    r"|nor) |(,) (?=<p[^>]+>,? (?:and|or) <p))<p([^>]+)>"
)
_VERB_NEXT = re.compile(
    r" (?:is|are|has|gets?|starts?|stays?|comes?|goes|takes?|will|wears?"
    r"|leads?|captains?|plays?|keeps?|makes|sits|'s)\b"
)
_VERB_BEFORE = re.compile(r"\b(?:keep|hold|captain|start|sell|buy|bring|sign|bench|play)\w*\b")
_SUBJECTLESS = re.compile(
    r"(?:captains|starts|stays|plays|wears|has|keeps|leads|gets|is|goes|sits|leaves|comes|takes|never|doesn't|won't)\b"
)
_MENTION = re.compile(r"<p([^>]+)>")


def parse_terms(sentence: str, players: Roster | Iterable[Player], made_in: int = 1) -> Terms:
    """Terms of a promise made in gameweek ``made_in``; FreeText for what no rule can test.

    ``players`` is the gameweek's pool, or a Roster made of it once for many sentences.
    """
    return _read(sentence, players, made_in)[0]


def how_read(sentence: str, players: Roster | Iterable[Player], made_in: int = 1) -> str:
    """How the terms of a sentence were found: ``rules``, ``nearest: <example>`` or, for FreeText, ``not``."""
    return _read(sentence, players, made_in)[1]


def _read(sentence: str, players: Roster | Iterable[Player], made_in: int) -> tuple[Terms, str]:
    roster = players if isinstance(players, Roster) else Roster.of(players)
    text = plainly(with_digits(roster.marked(sentence)))
    if "<p?>" in text:
        return FreeText(kind="free_text"), "not"
    if parts := _Reading(made_in, roster).sentence(text):
        return _all_of(parts), "rules"
    by_likeness = _Reading(made_in, roster, by_likeness=True)
    parts = by_likeness.sentence(text)
    return _all_of(parts), f"nearest: {' / '.join(dict.fromkeys(by_likeness.examples))}" if parts else "not"


def _all_of(parts: list[SingleTerms]) -> Terms:
    if not parts:
        return FreeText(kind="free_text")
    return parts[0] if len(parts) == 1 else AllOf(kind="all_of", parts=tuple(parts[:6]))


class _Reading:
    """One sentence while it is read: the week it was said in and whom it spoke of last."""

    def __init__(self, made_in: int, roster: Roster, *, by_likeness: bool = False) -> None:
        self.made_in = made_in
        self.roster = roster
        self.by_likeness = by_likeness
        """Whether a clause that no rule reads is read as the known example it is most like."""
        self.examples: list[str] = []

    def sentence(self, text: str) -> list[SingleTerms]:
        if PERHAPS.match(text):
            return []
        if both := _BOTH_OUT.search(text):
            # "Unless both are out" binds while either is fit.
            one, other = (
                self.sentence(f"{text[: both.start()]}unless {who} is injured{text[both.end() :]}")
                for who in both.groups()
            )
            return _distinct([*one, *other]) if one and other else []
        if otherwise := _OTHERWISE.search(text):
            return self._either_way(text[: otherwise.start()], text[otherwise.end() :])
        text = _grouped(without_reasons(text))
        main, news = _first_player(text), _JUST_SOLD.match(text)
        stated, text = read_stated(text, None)
        leading, text = self._leading_condition(text, main)
        common = stated.joined(leading)
        whole_window, _ = read_window(_without_past(text), self.made_in)
        parts = None if self.by_likeness else self._clauses(text, common, whole_window, main)
        if parts is None:
            parts = self._clause(text, common, whole_window, main)
        if not parts and news and not _OF_PROMISES.search(text):
            # A sale that nothing is made of is told for its own sake.
            parts = self._clause(f"i sell {news.group(1)} this week", Conditions(), self._this_week(), main)
        return parts

    def _either_way(self, head: str, tail: str) -> list[SingleTerms]:
        """ "If he is fit he is captain, if not it's Saka": the second half says only what is different."""
        parts = self.sentence(head)
        if len(parts) != 1:
            return []
        first = parts[0]
        opposite = _opposite(first)
        players = _MENTION.search(tail)
        if opposite is None or players is None:
            return parts
        rest = self.sentence(tail) if not patterns.fullmatch(r"(?:it's|it is|then)? ?<p[^>]+>", tail.strip()) else []
        second = rest[0] if len(rest) == 1 else first.model_copy(update={"player_id": _who(players.group(1)).ids[0]})
        return [first, second.model_copy(update={"only_if_fit": False, "when": opposite, "unless": None})]

    def _leading_condition(self, text: str, main: int | None) -> tuple[Conditions, str]:
        """A condition that opens the sentence is about all of it."""
        if not patterns.match(
            r"(?:only )?(?:if|when|whenever|unless|while|whilst|as long as|so long as"
            r"|should|provided|once|in (?:the )?(?:weeks|event)|on condition"
            r"|assuming|barring|with|except)\b",
            text,
        ):
            return Conditions(), text
        head, comma, rest = text.partition(",")
        if comma:
            read, left = read_conditions(head, main)
            if (read.when or read.unless) and len(left) < 4:
                return read, rest.strip()
            return Conditions(), text
        return Conditions(), text

    def _clauses(self, text: str, common: Conditions, whole: Window, main: int | None) -> list[SingleTerms] | None:
        """The sentence as several promises; None where it does not fall apart into such."""
        pieces = _split(text)
        if len(pieces) < 2:
            return None
        found: list[SingleTerms] = []
        said, topic = 0, None
        for piece in pieces:
            piece_main = _first_player(piece)
            chip = _CHIP.search(piece)
            if chip is None and topic is not None and _TRANSFERS.search(piece):
                piece = f"{piece} on my {topic}"
            topic = chip.group() if chip else topic
            if piece_main is None and main is not None and _SUBJECTLESS.match(piece):
                piece = f"<p{main}> {piece}"
            parts = [] if _PAST.search(piece) else self._clause(piece, common, whole, piece_main or main, alone=False)
            if parts:
                said += 1
                found += parts
            main = piece_main or main
        if said >= 2 or (said == 1 and (_STRONG_JOINT.search(text) or any(_PAST.search(piece) for piece in pieces))):
            return _distinct(_on_the_chip(found))
        return (self._clause(text, common, whole, main) or found) if said else None

    def _clause(
        self, text: str, common: Conditions, whole: Window, main: int | None, *, alone: bool = True
    ) -> list[SingleTerms]:
        window, rest = read_window(text, self.made_in)
        conditions, rest = read_conditions(rest, main)
        if not window.is_named:
            window = self._this_week() if _DONE_JUST_NOW.search(rest) and not whole.is_named else whole
        conditions = common.joined(conditions)
        only = bool(patterns.search(r"\bonly\b", rest)) and conditions.unless is not None
        rest = patterns.sub(r"\bonly\b", "", rest) if only else rest
        all_season = patterns.search(r"\b(?:all|whole|this|per|a) season\b", rest) is not None
        rest = patterns.sub(r"\s+", " ", _WEEKLY.sub(" ", rest)).strip(" ,.;")
        if window.is_named:
            rest = patterns.sub(r"\b(?:at )?some (?:point|stage|time)\b", "", rest)
        if conditions.unreadable or HEDGES.found_in(rest):
            return []
        if main is not None and f"<p{main}>" not in rest:
            rest = _HE.sub(f"<p{main}>", rest, count=1)
        players = tuple(_who(match.group(1)) for match in _MENTION.finditer(rest))
        clubs = tuple(dict.fromkeys(patterns.findall(r"<c:([^>]+)>", rest)))
        one_week = window.kind == "week"
        clause = Clause(rest, players, clubs, window.kind, one_week, only, main, window.lasts, all_season, alone)
        drafts = read_promise(clause) or self._by_likeness(clause)
        return [terms for draft in drafts for terms in self._finished(draft, window, conditions)]

    def _by_likeness(self, clause: Clause) -> list[Draft]:
        found = likely(clause) if self.by_likeness else None
        if found is None:
            return []
        self.examples.append(found.example)
        return found.drafts

    def _this_week(self) -> Window:
        return Window(kind="week", first=self.made_in, last=self.made_in)

    def _finished(self, draft: Draft, window: Window, conditions: Conditions) -> list[SingleTerms]:
        draft = dict(draft)
        first, last = window.first, window.last
        earliest = draft.pop("earliest", False)
        if draft.pop("now", False):
            first = last = self.made_in
        if window.kind == "earliest" and earliest:
            # "Not before N": the act is forbidden until N instead of the promise beginning there.
            first, last = None, min(last or LAST_GAMEWEEK, (first or 1) - 1)
        chip_week = draft.pop("chip_week", None)
        when, unless, fit = conditions.when, conditions.unless or draft.pop("unless", None), False
        if chip_week:
            when = Condition(chip=chip_week) if when is None else when.model_copy(update={"chip": chip_week})
        if window.after_chip:
            when = (when or Condition()).model_copy(update={"chip_used": window.after_chip})
        about = draft.get("player_id")
        if when is not None and about is not None and when == Condition(player_fit=about):
            when, fit = None, True
            if draft["kind"] == "buy_player":
                # "If he's fit, he's in" speaks of the eleven.
                draft = {"kind": "start_player", "player_id": about}
        half = window.half
        if draft["kind"] in ("play_chip_in", "hold_chip"):
            if half == 2:
                first = max(first or SECOND_HALF_FROM, SECOND_HALF_FROM)
            if half == 1 or (draft["kind"] == "play_chip_in" and last is None and self.made_in < SECOND_HALF_FROM):
                last = min(last or SECOND_HALF_FROM - 1, SECOND_HALF_FROM - 1)
        base: Draft = {
            "first": first if first is not None else 1,
            "last": min(last if last is not None else LAST_GAMEWEEK, LAST_GAMEWEEK),
            "only_if_fit": fit,
            "until_chip": draft.pop("until_chip", None) or window.until_chip,
            "when": when,
            "unless": unless,
        }
        if base["first"] > base["last"]:
            return []
        if draft.pop("over_window", False):
            base["over_gameweeks"] = base["last"] + 1 - max(base["first"], self.made_in)
        if window.weeks and draft["kind"] != "play_chip_in":
            return [self._terms({**draft, **base, "first": week, "last": week}) for week in window.weeks]
        return [self._terms({**draft, **base})]

    @staticmethod
    def _terms(fields: Draft) -> SingleTerms:
        return _single.validate_python(fields)


_BOTH_OUT = re.compile(
    r"\bunless (?:both )?(<p\d+>) and (<p\d+>)(?: are| get| have been)? (?:both )?(?:out|injured|ruled out"
    r"|unavailable|suspended)\b"
)
_OTHERWISE = re.compile(
    r"[,;.:-]* ?(?:and |but )?\b(?:if (?:not|he isn't|he's not|he is injured)|otherwise|failing that|or else),? "
)


def _opposite(terms: SingleTerms) -> Condition | None:
    """The condition under which a promise about a player's fitness does not bind."""
    if terms.only_if_fit:
        return Condition(player_out=getattr(terms, "player_id", None))
    if terms.when == Condition(player_fit=terms.when.player_fit if terms.when else None) and terms.when:
        return Condition(player_out=terms.when.player_fit)
    if terms.when == Condition(player_out=terms.when.player_out if terms.when else None) and terms.when:
        return Condition(player_fit=terms.when.player_out)
    return None


def _grouped(text: str) -> str:
    """Players named together as one mention: ``<p1&2>`` for "and", ``<p1|2>`` for "or"."""

    def group(match: re.Match[str]) -> str:
        one, word, _, other = match.groups()
        before, after = text[: match.start()], text[match.end() :]
        if word in ("and", "&") and _VERB_NEXT.match(after) and _VERB_BEFORE.search(before):
            return match.group()
        return f"<p{one}{'|' if word in ('or', 'nor') else '&'}{other}>"

    for _ in range(4):
        merged = _GROUP.sub(group, text)
        if merged == text:
            break
        text = merged
    return text


def _who(ids: str) -> Who:
    return Who(tuple(int(number) for number in patterns.findall(r"-?\d+", ids)), either="|" in ids)


def _first_player(text: str) -> int | None:
    match = _MENTION.search(text)
    return _who(match.group(1)).ids[0] if match else None


def _without_past(text: str) -> str:
    """Only the clauses that speak of what is to come, whose weeks count."""
    pieces = _split(text)
    coming = [piece for piece in pieces if not _PAST.search(piece)]
    return " ; ".join(coming) if coming and len(coming) < len(pieces) else text


def _split(text: str) -> list[str]:
    """Clauses; "and" inside a range of weeks or a list is no joint."""
    guarded = patterns.sub(r"(gw\d+),? (and|or) (?=gw\d)", r"\1_\2_", text)
    # "Wildcard: not before ..." names what the rest is about.
    guarded = patterns.sub(r"^((?:gw\d+ )?(?:the |my )?<[^>]+>): ", r"\1 ", guarded)
    guarded = patterns.sub(r"\b(captain|captaincy|armband) and ((?:my |the )?vice)", r"\1_and_\2", guarded)
    pieces = [piece.replace("_and_", " and ").replace("_or_", " or ").strip() for piece in _JOINT.split(guarded)]
    return [piece for piece in pieces if piece]


def _on_the_chip(parts: list[SingleTerms]) -> list[SingleTerms]:
    """Transfers that are named beside a chip played in one week are those made on it."""
    chip = next((p for p in parts if isinstance(p, PlayChipIn) and p.chip in ("wildcard", "free_hit")), None)
    if chip is None or chip.first != chip.last:
        return parts
    week = {"first": chip.first, "last": chip.last, "when": Condition(chip=cast(Chip, chip.chip))}
    return [
        p.model_copy(update={**week, "at_least": p.limit})
        if isinstance(p, MaxTransfers) and p.when in (None, week["when"]) and not p.at_least
        else p
        for p in parts
    ]


def _distinct(parts: list[SingleTerms]) -> list[SingleTerms]:
    kept: list[SingleTerms] = []
    for part in parts:
        if part not in kept:
            kept.append(part)
    return kept
