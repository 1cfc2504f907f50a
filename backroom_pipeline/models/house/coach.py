"""The house coach: five players per position from statistics alone, a reason each, and notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from backroom_pipeline.fpl.model import POSITIONS, Position
from backroom_pipeline.models.house.forecast import CHEAPEST, Outlook, outlooks
from backroom_pipeline.models.house.personas import Temper
from backroom_pipeline.models.house.reading import Reading, Seen
from backroom_pipeline.models.house.words import (
    club,
    figures,
    fixtures,
    meeting,
    million,
    number,
    sentence,
    several,
    variant,
)

LISTED = 5
ENABLERS = 8
OUTRIGHT = 2
"""How many of the five are simply the best; the others are the best for their price."""
POINTS_PER_MILLION: Mapping[Position, float] = {"GK": 1.2, "DEF": 1.3, "MID": 1.2, "FWD": 1.0}
"""Points over the horizon that a million spent elsewhere would bring."""


def rank(reading: Reading, temper: Temper) -> dict[str, object]:
    """The coach's answer as plain JSON values."""
    outlook = outlooks(reading, reading.players, temper.horizon, temper.eye)
    picks: dict[Position, list[Outlook]] = {position: ranked(outlook, position, temper) for position in POSITIONS}
    entries = {position: _entries(reading, temper, chosen) for position, chosen in picks.items()}
    cheap: dict[Position, list[Outlook]] = {}
    if reading.opening:
        taken = {each.player.player_id for chosen in picks.values() for each in chosen}
        many = ENABLERS * 2 if reading.breaches else ENABLERS
        cheap = {position: enablers(outlook, position, taken, many) for position in POSITIONS}
    return {
        "rankings": entries,
        "enablers": {position: _enabler_entries(reading, chosen) for position, chosen in cheap.items()},
        "notes": _notes(reading, temper, picks),
    }


def ranked(outlook: Mapping[int, Outlook], position: Position, temper: Temper) -> list[Outlook]:
    """Five of a position: the best outright, then the best for their price, listed by forecast."""
    decay = temper.assistant.decay
    rate = POINTS_PER_MILLION[position]
    candidates = [each for each in outlook.values() if each.player.position == position]
    candidates.sort(key=lambda each: (-each.total(decay), each.player.player_id))
    chosen = _from_different_clubs(candidates, [], OUTRIGHT)
    thrifty = sorted(
        candidates, key=lambda each: (-(each.total(decay) - rate * each.player.price / 10), each.player.player_id)
    )
    chosen = _from_different_clubs(thrifty, chosen, LISTED)
    return sorted(chosen, key=lambda each: (-each.total(decay), each.player.player_id))


def _from_different_clubs(candidates: Sequence[Outlook], chosen: list[Outlook], wanted: int) -> list[Outlook]:
    """``chosen`` filled up to ``wanted``, no more than two of a club so that the cap of three wastes no place."""
    chosen = list(chosen)
    for each in candidates:
        if len(chosen) >= wanted:
            break
        clubs = Counter(other.player.club for other in chosen)
        if each not in chosen and clubs[each.player.club] < 2:
            chosen.append(each)
    return chosen


def enablers(outlook: Mapping[int, Outlook], position: Position, taken: set[int], wanted: int) -> list[Outlook]:
    """Cheap players of a position: the likeliest to play near the lowest price, and some at the lowest."""
    candidates = [each for each in outlook.values() if each.player.position == position]
    candidates = [each for each in candidates if each.player.player_id not in taken and each.fit > 0]
    candidates.sort(key=lambda each: (-each.total(), each.player.price, each.player.player_id))
    limit = CHEAPEST[position] + (5 if position == "GK" else 10)
    cheap = [each for each in candidates if each.player.price <= limit]
    cheapest = sorted(candidates, key=lambda each: (each.player.price, -each.total(), each.player.player_id))[:3]
    chosen = cheapest + [each for each in cheap if each not in cheapest]
    return sorted(chosen[:wanted], key=lambda each: (-each.total(), each.player.player_id))


def _entries(reading: Reading, temper: Temper, chosen: Sequence[Outlook]) -> list[dict[str, object]]:
    return [
        {"player_id": each.player.player_id, "reason": _reason(reading, temper, each, place)}
        for place, each in enumerate(chosen)
    ]


REASONS = (
    "{figures}; {fit}, and {fixture}. I expect {now:.1f} this week and {all:.1f} over {weeks}.",
    "{fixture}. Behind it stand {figures}; {fit}. {all:.1f} points over {weeks} by my count.",
    "{figures} make {all:.1f} expected points over {weeks}, {now:.1f} of them now: {fixture}; {fit}.",
    "{now:.1f} points expected now, {all:.1f} over {weeks}: {figures}, {fit}, {fixture}.",
)


def _reason(reading: Reading, temper: Temper, each: Outlook, place: int) -> str:
    player = each.player
    week = reading.gameweek
    return sentence(
        variant(REASONS, temper.persona, player.position, week=week + place).format(
            figures=figures(reading, player),
            fit=_fitness(player, each),
            fixture=_rated_fixture(reading, player),
            now=each.points[0],
            all=sum(each.points),
            weeks=f"{number(len(each.points))} {'gameweek' if len(each.points) == 1 else 'gameweeks'}",
        )
    )


def _fitness(player: Seen, each: Outlook) -> str:
    if each.fit < 1:
        return f"listed despite fit {player.chance if player.chance is not None else 0}, because the numbers lead"
    if player.r_matches:
        return f"fit, {player.r_minutes} of the last {90 * player.r_matches} minutes"
    return "fit"


def _rated_fixture(reading: Reading, player: Seen) -> str:
    matches = reading.matches(player.club, reading.gameweek)
    if not matches:
        return f"{club(player.club)} have no match this week but return to {_next_match(reading, player)}"
    rated = [f"{meeting(match)} (difficulty {match.difficulty})" for match in matches]
    return f"{club(player.club)} have {' and '.join(rated)}"


def _next_match(reading: Reading, player: Seen) -> str:
    for week in reading.weeks[1:]:
        if reading.matches(player.club, week):
            return f"{fixtures(reading, player, week)} in gameweek {week}"
    return "a list not known yet"


def _enabler_entries(reading: Reading, chosen: Sequence[Outlook]) -> list[dict[str, object]]:
    return [
        {
            "player_id": each.player.player_id,
            "reason": sentence(
                f"{million(each.player.price)} million, {figures(reading, each.player)}; "
                f"{each.minutes:.0%} of the minutes is my guess, and the price makes a favourite affordable."
            ),
        }
        for each in chosen
    ]


def _notes(reading: Reading, temper: Temper, picks: Mapping[Position, Sequence[Outlook]]) -> str:
    """What a table does not say: where the week's points pile up, what the cap allows, who is missing or doubtful."""
    everybody = [each for position in POSITIONS for each in picks[position]]
    clubs = Counter(each.player.club for each in everybody)
    crowd = sorted(clubs.items(), key=lambda item: (-item[1], item[0]))[:2]
    said: list[str] = []
    for short, listed in crowd:
        if listed >= 2:
            members = [each.player for each in everybody if each.player.club == short]
            names = several([player.name for player in members])
            said.append(f"{club(short)} concentrate the week: {names}, with {fixtures(reading, members[0])}.")
            if listed > reading.club_limit:
                said.append(f"{sentence(number(listed))} from one club are more than the cap of {reading.club_limit}.")
            elif listed == reading.club_limit:
                said.append(f"{sentence(number(listed))} from one club is the cap.")
    this_week = [entry for entry in reading.blanks_doubles if entry[0] == reading.gameweek]
    said.extend(_blanks_and_doubles("this week", this_week))
    for week in reading.weeks[1:]:
        later = [entry for entry in reading.blanks_doubles if entry[0] == week]
        said.extend(_blanks_and_doubles(f"in gameweek {week}", later))
    doubtful = [each.player for each in everybody if each.fit < 1]
    if doubtful:
        flagged = several([f"{player.name} ({player.chance or 0})" for player in doubtful])
        said.append(f"Listed despite a doubt: {flagged}. Wait for the last news before paying for them.")
    hard = [each.player for each in everybody if _hard(reading, each.player)]
    if hard:
        names = several([player.name for player in hard[:3]])
        faces, listed = ("faces", "he is listed") if len(hard) == 1 else ("face", "they are listed")
        said.append(f"{names} {faces} a hard match first; {listed} for the weeks after.")
    if reading.early:
        said.append("The figures are last season's; newcomers stand on their price alone.")
    said.append(CREEDS[temper.persona])
    return " ".join(said)[:2000]


def _hard(reading: Reading, player: Seen) -> bool:
    matches = reading.matches(player.club, reading.gameweek)
    return bool(matches) and min(match.difficulty for match in matches) >= 4


def _blanks_and_doubles(when: str, entries: Sequence[tuple[int, str, int]]) -> list[str]:
    said: list[str] = []
    twice = [club(short) for _, short, matches in entries if matches > 1]
    never = [club(short) for _, short, matches in entries if matches == 0]
    if twice:
        said.append(f"{several(twice)} play twice {when}.")
    if never:
        said.append(f"{several(never)} {'has' if len(never) == 1 else 'have'} no match {when}.")
    return said


CREEDS = {
    "banker": "I weigh minutes before goals: a player on the pitch pays every week.",
    "gambler": "I lean to those who can score fifteen, not to those who always score four.",
    "loyalist": "I prefer a long record to a loud month.",
    "form_chaser": "The last five gameweeks count most with me, and I do not apologise for it.",
    "fixture_reader": "I rate the opponent as highly as the man.",
    "contrarian": "Where two are level I name the one fewer people own.",
    "template": "Where two are level I name the one more people own.",
    "planner": "I rank over six gameweeks; this one is only the first of them.",
}
"""How each persona's coach tilts its list, said openly."""
