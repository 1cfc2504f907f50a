"""Narrow questions a role asks its memory, built from the week: one broad question would find a bit of everything."""

from __future__ import annotations

from collections.abc import Container

from backroom_pipeline.fpl.model import GameweekFacts, Player, TeamState
from backroom_pipeline.memory.model import Role

# A manager's questions name the gameweek, because promises do; an assistant's are about what it did before.
_STANDING: dict[Role, tuple[str, ...]] = {
    "coach": (),
    "assistant": (
        "Which transfers did I propose, and what did they cost in points hits?",
        "Whom did I propose as captain?",
        "When did I propose to play a chip: wildcard, free hit, bench boost or triple captain?",
    ),
    "manager": (
        "Will I play a chip in gameweek {gameweek}: wildcard, free hit, bench boost or triple captain?",
        "How many transfers will I make in gameweek {gameweek}, and will I take a points hit for one?",
        "Whom will I captain in gameweek {gameweek}?",
    ),
}
_PLAYERS_AT_MOST = 3
_CLUBS_AT_MOST = 2


def questions_for(facts: GameweekFacts, team: TeamState, role: Role) -> tuple[str, ...]:
    """At most nine questions: last week, chips, transfers, the armband, owned players in the news, odd weeks.

    In the order of their importance: when the section is full, the later ones go without.
    """
    if role == "coach":
        return ()
    asked = [f"What did I do in gameweek {facts.gameweek - 1}, and why?"] if facts.gameweek > 1 else []
    asked += [question.format(gameweek=facts.gameweek) for question in _STANDING[role]]
    squad = team.player_ids
    owned = [player for player in facts.players if player.id in squad]
    owned.sort(key=lambda player: (-player.price, player.id))
    asked += [f"What did I say about {player.web_name}?" for player in owned if _in_the_news(player)][:_PLAYERS_AT_MOST]
    clubs = {club: [p.web_name for p in owned if p.club == club] for club in sorted({player.club for player in owned})}
    for club, matches in _odd_weeks(facts, clubs)[:_CLUBS_AT_MOST]:
        whose = f"{club} ({' and '.join(clubs[club])})" if club in clubs else club
        kind = "two matches in one gameweek" if matches else "no match in a gameweek"
        asked.append(f"What did I plan for {whose} having {kind}?")
    return tuple(asked)


def _in_the_news(player: Player) -> bool:
    return player.status != "a" or (player.chance_of_playing is not None and player.chance_of_playing < 100)


def _odd_weeks(facts: GameweekFacts, owned: Container[str]) -> list[tuple[str, int]]:
    """Clubs with two matches in the gameweek, then owned ones without any, with the number of matches."""
    matches = {club: 0 for match in facts.fixtures for club in (match.home, match.away)}
    for match in facts.fixtures:
        if match.gameweek == facts.gameweek:
            matches[match.home] += 1
            matches[match.away] += 1
    odd = [(club, number) for club, number in matches.items() if number > 1 or (number == 0 and club in owned)]
    return sorted(odd, key=lambda found: (-found[1], found[0]))
