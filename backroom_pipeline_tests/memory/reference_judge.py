"""A second judge of typed promises, written from the rules alone, to hold the real one against.

Slow and plain on purpose: weeks are lists, counts are loops, and a promise of several parts is first taken apart
into single promises that say everything themselves. It shares no code with the judge it checks, only the terms and
the recorded facts of a decision, of which it uses none of the prepared answers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from backroom_pipeline.memory.commitments.decision import DecisionFacts
from backroom_pipeline.memory.model import AllOf, Condition, Terms, Verdict

ALL_WEEKS = list(range(1, 39))
FIRST_HALF = list(range(1, 20))
SECOND_HALF = list(range(20, 39))
ALL_CHIPS = ["wildcard", "free_hit", "bench_boost", "triple_captain"]


def reference_verdict(terms: Terms, made_in: int, facts: DecisionFacts) -> Verdict:
    """Kept, broken, not applicable or unclear, from first principles."""
    answers: list[Verdict] = [_verdict_of_single(single, made_in, facts) for single in _taken_apart(terms)]
    for decisive in ("broken", "kept", "not_applicable"):
        if decisive in answers:
            return decisive
    return "unclear"


class _Single(NamedTuple):
    """One promise with everything that restrains it, its own restraints and those of the sentence around it."""

    terms: Any
    weeks: list[int]
    ends_with: list[str]
    must_hold: list[Condition]
    must_not_hold: list[Condition]
    only_if_fit: bool


def _taken_apart(terms: Terms) -> list[_Single]:
    parts = list(terms.parts) if isinstance(terms, AllOf) else [terms]
    singles: list[_Single] = []
    for part in parts:
        layers = [terms, part]
        singles.append(
            _Single(
                terms=part,
                weeks=[week for week in ALL_WEEKS if all(layer.first <= week <= layer.last for layer in layers)],
                ends_with=[layer.until_chip for layer in layers if layer.until_chip is not None],
                must_hold=[layer.when for layer in layers if layer.when is not None],
                must_not_hold=[layer.unless for layer in layers if layer.unless is not None],
                only_if_fit=any(layer.only_if_fit for layer in layers),
            )
        )
    return singles


def _verdict_of_single(single: _Single, made_in: int, facts: DecisionFacts) -> Verdict:
    if single.terms.kind == "free_text":
        return "unclear"
    weeks = [week for week in single.weeks if week >= made_in]
    if not weeks or facts.gameweek < made_in or facts.gameweek > weeks[-1]:
        return "not_applicable"
    # Only a chip can spoil its promise before the window opens: once spent, it is not there when it is due.
    if facts.gameweek < weeks[0] and single.terms.kind != "play_chip_in":
        return "not_applicable"
    if any(_chip_came(chip, made_in, facts) for chip in single.ends_with):
        return "not_applicable"
    if not all(_is_so(condition, facts) for condition in single.must_hold):
        return "not_applicable"
    if any(_is_so(condition, facts) for condition in single.must_not_hold):
        return "not_applicable"
    if single.only_if_fit:
        concerned = _players_concerned(single.terms)
        if concerned and all(player in facts.unavailable for player in concerned):
            return "not_applicable"
    rule = globals()[f"_{single.terms.kind}"]
    honoured: bool | None = rule(single._replace(weeks=weeks), facts)
    if honoured is None:
        return "not_applicable"
    return "kept" if honoured else "broken"


# Each rule below says True for honoured, False for violated, None for a week in which the promise is silent.


def _hold_chip(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    held = [chip for chip in _named(terms.chip) if chip not in _spent_earlier_in_half_of(facts.gameweek, facts)]
    if not held:
        return None
    return facts.chip not in held


def _play_chip_in(single: _Single, facts: DecisionFacts) -> bool | None:
    """Walk the season: where was the chip played up to now, and is there a week left in which it still could be?"""
    terms = single.terms
    weeks, now = single.weeks, facts.gameweek
    earlier = [play.gameweek for play in facts.chips_played_before if play.chip in _named(terms.chip)]
    if any(week in weeks for week in earlier if week < now):
        return None
    if facts.chip in _named(terms.chip) and now in weeks:
        return terms.captain_id is None or facts.captain == terms.captain_id
    for week in weeks:
        if week <= now:
            continue
        spent = _spent_earlier_in_half_of(week, facts)
        if facts.chip is not None and _half_of(week) == _half_of(now):
            spent.append(facts.chip)
        if any(chip not in spent for chip in _named(terms.chip)):
            return None
    return False


def _no_hits(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    if facts.hit_points < terms.at_least_points:
        return False
    if facts.hit_points == 0:
        # A week without a hit cannot be the one that goes too far.
        return True
    paid = facts.hit_points
    for weeks_ago in range(1, terms.over_gameweeks):
        paid += facts.hits_before.get(facts.gameweek - weeks_ago, 0)
    # Whoever announces a hit of some size allows one of that size.
    return paid <= terms.at_most_points or paid == terms.at_least_points


def _max_transfers(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    speaks_of_it = terms.in_chip_weeks or any(condition.chip == facts.chip for condition in single.must_hold)
    if facts.chip in ["wildcard", "free_hit"] and not speaks_of_it:
        return None
    return len(facts.bought) in range(terms.at_least, terms.limit + 1)


def _keep_player(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    if facts.chip == "free_hit":
        return None
    return terms.player_id in _fifteen(facts)


def _sell_player(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    if facts.chip != "free_hit" and terms.player_id in facts.sold:
        return terms.replacement_id is None or terms.replacement_id in facts.bought
    if terms.player_id not in _team_that_goes_on(facts):
        return None
    return False if _is_last_chance(single, facts) else None


def _buy_player(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    if facts.chip != "free_hit" and terms.player_id in facts.bought:
        return True
    if not _is_last_chance(single, facts):
        return None
    return terms.player_id in _team_that_goes_on(facts)


def _avoid_player(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    if terms.player_id in facts.bought:
        return False
    return not (terms.owned and terms.player_id in _fifteen(facts))


def _captain_player(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    return _wears_it(terms, [terms.player_id, *terms.or_player_ids], facts)


def _never_captain(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    return not _wears_it(terms, [terms.player_id], facts)


def _captain_pair(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    clubs = [facts.clubs[facts.captain], facts.clubs[facts.vice_captain]]
    return (len(set(clubs)) == 1) == terms.same_club


def _start_player(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    named = [terms.player_id, *terms.or_player_ids]
    starters = [player for player in named if player in facts.starting]
    return len(starters) > 0 if terms.starting else len(starters) == 0


def _club_limit(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    counted = list(facts.starting) if terms.starting_only else _fifteen(facts)
    if terms.position is not None:
        counted = [player for player in counted if facts.positions[player] == terms.position]
    clubs = sorted(set(facts.clubs.values())) if terms.club is None else [terms.club]
    sizes: list[int] = []
    for club in clubs:
        sizes.append(len([player for player in counted if facts.clubs[player] == club]))
    too_many = terms.at_most is not None and any(size > terms.at_most for size in sizes)
    enough = terms.at_least is None or any(size >= terms.at_least for size in sizes)
    return enough and not too_many


def _bank_transfers(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    if facts.chip in ["wildcard", "free_hit"]:
        return None
    made = len(facts.bought)
    answers: list[bool] = []
    if terms.leave_unused is not None:
        answers.append(facts.free_transfers_before - made >= terms.leave_unused)
    if terms.save_until is not None and facts.free_transfers_before < terms.save_until:
        answers.append(made == 0)
    return all(answers) if answers else None


def _bank_money(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    return _between(terms.at_least, facts.bank_after, terms.at_most)


def _formation(single: _Single, facts: DecisionFacts) -> bool | None:
    terms = single.terms
    if terms.line is None:
        as_said = facts.formation in [terms.formation, *terms.or_formations]
    else:
        defenders, midfielders, forwards = facts.formation.split("-")
        in_line = {"GK": 1, "DEF": int(defenders), "MID": int(midfielders), "FWD": int(forwards)}[terms.line]
        as_said = _between(terms.at_least, in_line, terms.at_most)
    return as_said != terms.never


def _is_last_chance(single: _Single, facts: DecisionFacts) -> bool:
    """The deadline; for "if he is out, he goes", which names none, every week in which that is so."""
    has_deadline = single.weeks[-1] != 38
    return facts.gameweek == single.weeks[-1] or (len(single.must_hold) > 0 and not has_deadline)


def _half_of(week: int) -> list[int]:
    return FIRST_HALF if week in FIRST_HALF else SECOND_HALF


def _named(chip: str) -> list[str]:
    return ALL_CHIPS if chip == "any" else [chip]


def _spent_earlier_in_half_of(week: int, facts: DecisionFacts) -> list[str]:
    """Chips of the half around ``week`` that went before the decision."""
    return [play.chip for play in facts.chips_played_before if play.gameweek in _half_of(week)]


def _chip_came(chip: str, made_in: int, facts: DecisionFacts) -> bool:
    """The chip a promise waits for is played this week, was played since, or was gone when the promise was made."""
    if facts.chip == chip:
        return True
    weeks = [play.gameweek for play in facts.chips_played_before if play.chip == chip]
    return any(week >= made_in or week in _half_of(made_in) for week in weeks)


def _is_so(condition: Condition, facts: DecisionFacts) -> bool:
    before = [player for player in [*_fifteen(facts), *facts.sold] if player not in facts.bought]
    out = len([player for player in before if player in facts.unavailable])
    free = facts.free_transfers_before
    tests = {
        "player_out": lambda player: player in facts.unavailable,
        "player_fit": lambda player: player not in facts.unavailable,
        "out_at_least": lambda number: out >= number,
        "out_at_most": lambda number: out <= number,
        "owns": lambda player: player in _fifteen(facts),
        "owns_not": lambda player: player not in _fifteen(facts),
        "free_transfers_at_least": lambda number: free >= number,
        "free_transfers_at_most": lambda number: free <= number,
        "chip": lambda chip: facts.chip == chip,
        "chip_used": lambda chip: chip in _spent_earlier_in_half_of(facts.gameweek, facts),
    }
    given = {name: value for name, value in condition.model_dump().items() if value is not None}
    return all(tests[name](value) for name, value in given.items())


def _players_concerned(terms: Any) -> list[int]:
    said = [getattr(terms, "player_id", None), *getattr(terms, "or_player_ids", ())]
    if terms.kind == "play_chip_in":
        said = [terms.captain_id]
    return [player for player in said if player is not None]


def _wears_it(terms: Any, players: list[int | None], facts: DecisionFacts) -> bool:
    wearer = facts.vice_captain if terms.vice else facts.captain
    if terms.club is not None:
        return facts.clubs[wearer] == terms.club
    if terms.position is not None:
        return facts.positions[wearer] == terms.position
    return wearer in players


def _fifteen(facts: DecisionFacts) -> list[int]:
    return [*facts.starting, *facts.bench]


def _team_that_goes_on(facts: DecisionFacts) -> list[int]:
    """The fifteen after the week, which a free hit gives back as they were."""
    if facts.chip != "free_hit":
        return _fifteen(facts)
    return [player for player in [*_fifteen(facts), *facts.sold] if player not in facts.bought]


def _between(least: int | None, number: int, most: int | None) -> bool:
    return (least is None or least <= number) and (most is None or number <= most)
