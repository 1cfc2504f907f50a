"""How a manager's promises stand before a gameweek: judged over the decisions since, closed when nothing is left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backroom_pipeline.fpl.model import Chip
from backroom_pipeline.memory.commitments.decision import DecisionFacts, half
from backroom_pipeline.memory.commitments.verdicts import is_settled, judge, parts_of
from backroom_pipeline.memory.model import (
    AllOf,
    BuyPlayer,
    FreeText,
    HoldChip,
    KeepPlayer,
    PlayChipIn,
    SellPlayer,
    StandingClaim,
    Terms,
)


def stand(made: StandingClaim, decisions: Sequence[DecisionFacts], gameweek: int) -> StandingClaim:
    """A claim as it stands before ``gameweek``.

    ``decisions`` are the manager's committed ones of the season before that gameweek, oldest first; those from before
    the claim are ignored.
    """
    terms = made.claim.terms
    since = [facts for facts in decisions if facts.gameweek >= made.made_in]
    kept: list[int] = []
    broken: list[int] = []
    if not isinstance(terms, FreeText):
        for place, facts in enumerate(since, 1):
            if facts.gameweek > terms.last:
                break
            verdict = judge(terms, made.made_in, facts)
            if verdict in ("kept", "broken"):
                (kept if verdict == "kept" else broken).append(facts.gameweek)
            if is_closed(terms, made.made_in, since[:place], facts.gameweek + 1):
                # Sold is sold: neither is it sold again, nor is the same promise broken anew every week.
                break
    return made.model_copy(
        update={
            "kept": tuple(kept),
            "broken": tuple(broken),
            "open": not is_closed(terms, made.made_in, since, gameweek),
        }
    )


def is_closed(terms: Terms, made_in: int, since: Sequence[DecisionFacts], gameweek: int) -> bool:
    """Whether a promise can bind no decision from ``gameweek`` on: lapsed, discharged, released or beyond repair."""
    if terms.last < gameweek:
        return True
    if terms.until_chip is not None and since:
        if any(facts.chip == terms.until_chip for facts in since):
            return True
        if any(p.chip == terms.until_chip and half(p.gameweek) == half(made_in) for p in since[0].chips_played_before):
            return True
    if terms.when is not None:
        if terms.when.owns is not None and any(terms.when.owns in facts.sold_for_good for facts in since):
            return True
        if terms.when.chip is not None and _no_copy_left(terms.when.chip, terms.last, since, gameweek):
            return True
    if isinstance(terms, AllOf):
        return all(is_closed(part, made_in, since, gameweek) for part in parts_of(terms))
    if isinstance(terms, KeepPlayer):
        return any(facts.gameweek >= terms.first and terms.player_id in facts.sold_for_good for facts in since)
    if isinstance(terms, SellPlayer):
        return any(terms.player_id in facts.sold_for_good for facts in since)
    if isinstance(terms, BuyPlayer):
        return any(terms.player_id in facts.owned - facts.squad_before for facts in since)
    if isinstance(terms, HoldChip):
        return terms.chip != "any" and _no_copy_left(terms.chip, terms.last, since, gameweek)
    if isinstance(terms, PlayChipIn):
        return bool(since) and is_settled(terms, made_in, since[-1])
    return False


def in_order_of_weight(claims: Iterable[StandingClaim], gameweek: int) -> list[StandingClaim]:
    """Most binding first: those that apply this week by nearness of their end, those to come, convictions, closed."""

    def weight(standing: StandingClaim) -> tuple[int, int, int, int]:
        terms = standing.claim.terms
        if not standing.open:
            return (3, -standing.made_in, standing.ordinal, 0)
        if isinstance(terms, FreeText):
            return (2, standing.made_in, standing.ordinal, 0)
        first, last = _binding_weeks(terms)
        if first <= gameweek:
            return (0, last, standing.made_in, standing.ordinal)
        return (1, first, standing.made_in, standing.ordinal)

    return sorted(claims, key=weight)


def without_repeats(claims: Iterable[StandingClaim]) -> list[StandingClaim]:
    """Open claims of the same terms become the first of them, with the gameweeks in which it was said again.

    Closed claims are left as they are: a promise made anew after it was closed is a new promise.
    """
    places: dict[str, list[int]] = {}
    kept: list[StandingClaim] = []
    for standing in sorted(claims, key=lambda claim: (claim.made_in, claim.ordinal)):
        same = _same_promise(standing) if standing.open else None
        if same is not None:
            said_before = places.setdefault(same, [])
            at = next((place for place in said_before if _begin_together(kept[place], standing)), None)
            if at is not None:
                earlier = kept[at]
                if standing.made_in > earlier.made_in and standing.made_in not in earlier.repeated_in:
                    again = (*earlier.repeated_in, standing.made_in)
                    kept[at] = earlier.model_copy(update={"repeated_in": again})
                continue
            said_before.append(len(kept))
        kept.append(standing)
    return kept


def _same_promise(standing: StandingClaim) -> str | None:
    """What two open claims share when they bind alike once both have begun; None for one that is like no other."""
    terms = standing.claim.terms
    if isinstance(terms, FreeText):
        return standing.claim.text.casefold()
    opinion = ""
    if isinstance(terms, AllOf):
        if any(isinstance(part, PlayChipIn) or part.until_chip is not None for part in terms.parts):
            # The chip of one part may have come already, and only what was said since still waits for the next.
            return None
        if any(isinstance(part, FreeText) for part in terms.parts):
            opinion = standing.claim.text.casefold()
    return opinion + terms.model_dump_json(exclude={"first"})


def _begin_together(earlier: StandingClaim, later: StandingClaim) -> bool:
    """Whether both bind in the same weeks from the later one on."""
    first, again = earlier.claim.terms.first, later.claim.terms.first
    return first == again or max(first, again) <= later.made_in


def _binding_weeks(terms: Terms) -> tuple[int, int]:
    if isinstance(terms, AllOf):
        firsts, lasts = zip(*(_binding_weeks(part) for part in terms.parts), strict=True)
        return max(terms.first, min(firsts)), min(terms.last, max(lasts))
    return terms.first, terms.last


def _no_copy_left(chip: Chip, last: int, since: Sequence[DecisionFacts], gameweek: int) -> bool:
    """Whether no copy of the chip can be played from ``gameweek`` to ``last``."""
    if not since:
        return False
    latest = since[-1]
    played = {half(play.gameweek) for play in latest.chips_played_before if play.chip == chip}
    if latest.chip == chip:
        played.add(half(latest.gameweek))
    return {half(gameweek), half(last)} <= played
