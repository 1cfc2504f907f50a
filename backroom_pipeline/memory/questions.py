"""Narrow questions a role asks its memory, built from the week: one broad question would find a bit of everything."""

from __future__ import annotations

from typing import cast

from backroom_pipeline.ledger.answers import team_state
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.model import Role

_STANDING: dict[Role, tuple[str, ...]] = {
    "coach": (),
    "assistant": (
        "Which transfers did I propose, and what did they cost in points hits?",
        "Whom did I propose as captain?",
        "When did I propose to play a chip: wildcard, free hit, bench boost or triple captain?",
    ),
    "manager": (
        "When will I play my chips: wildcard, free hit, bench boost, triple captain?",
        "How many transfers will I make, and will I take a points hit for one?",
        "Whom will I captain?",
    ),
}
_PLAYERS_AT_MOST = 3
_CLUBS_AT_MOST = 2

_IN_THE_NEWS = """
SELECT web_name FROM pool WHERE season = ? AND gameweek = ? AND version = ? AND list_contains(?, player_id)
    AND (status <> 'a' OR chance_of_playing < 100) ORDER BY price DESC, player_id LIMIT ?
"""

_MATCHES = """
WITH matches AS (
    SELECT home AS club, match_gameweek FROM fixtures WHERE season = $1 AND gameweek = $2 AND version = $3
    UNION ALL SELECT away, match_gameweek FROM fixtures WHERE season = $1 AND gameweek = $2 AND version = $3
)
SELECT club, count(*) FILTER (match_gameweek = $2) AS this_week FROM matches
GROUP BY club HAVING this_week <> 1 ORDER BY this_week DESC, club
"""


def questions_for(ledger: Ledger, season: str, gameweek: int, manager: str, role: Role) -> tuple[str, ...]:
    """At most nine questions: chips, transfers, the armband, owned players in the news, odd weeks, last week."""
    asked = list(_STANDING[role])
    if role == "coach":
        return ()
    found = ledger.rows(
        "SELECT max(version) AS version FROM gameweeks WHERE season = ? AND gameweek = ?", [season, gameweek]
    )
    version = found[0]["version"]
    owned = sorted(team_state(ledger, season, gameweek, manager).player_ids)
    if version is not None:
        news = ledger.rows(_IN_THE_NEWS, [season, gameweek, version, owned, _PLAYERS_AT_MOST])
        asked += [f"What did I say about {row['web_name']}?" for row in news]
        clubs = _clubs_owned(ledger, season, gameweek, cast(int, version), owned)
        odd = [
            row
            for row in ledger.rows(_MATCHES, [season, gameweek, version])
            if row["this_week"] or row["club"] in clubs
        ]
        for row in odd[:_CLUBS_AT_MOST]:
            kind = "two matches in one gameweek" if row["this_week"] else "no match in a gameweek"
            asked.append(f"What did I plan for {clubs.get(str(row['club']), row['club'])} having {kind}?")
    if gameweek > 1:
        asked.append(f"What did I do in gameweek {gameweek - 1}, and why?")
    return tuple(asked)


def _clubs_owned(ledger: Ledger, season: str, gameweek: int, version: int, owned: list[int]) -> dict[str, str]:
    found = ledger.rows(
        "SELECT club, string_agg(web_name, ' and ' ORDER BY price DESC, player_id) AS players FROM pool "
        "WHERE season = ? AND gameweek = ? AND version = ? AND list_contains(?, player_id) GROUP BY club ORDER BY club",
        [season, gameweek, version, owned],
    )
    return {str(row["club"]): f"{row['club']} ({row['players']})" for row in found}
