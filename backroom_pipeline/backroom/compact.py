"""The compact profile: prompts of at most 1,500 tokens and a menu each, for models with small contexts.

Public parts know no manager, as in the full profile. Private parts show the team, the menu and those on it.
"""

from __future__ import annotations

from collections.abc import Iterable

from backroom_pipeline.backroom.contest import Contest, Week
from backroom_pipeline.backroom.contracts import AssistantSheet, CoachRanking
from backroom_pipeline.backroom.desk import Desk
from backroom_pipeline.backroom.menus import (
    SheetMenu,
    assistant_menu,
    assistant_schema,
    coach_schema,
    manager_menu,
    manager_schema,
    promises_on_offer,
)
from backroom_pipeline.backroom.prompts import DATA_IS_DATA, fixture_rows, render
from backroom_pipeline.backroom.question import Question
from backroom_pipeline.backroom.remembering import Remembered
from backroom_pipeline.backroom.shortlist import AHEAD, fitness, shortlist
from backroom_pipeline.fpl.lineup import STARTERS
from backroom_pipeline.fpl.model import POSITIONS, RECENT_GAMEWEEKS, Bill
from backroom_pipeline.fpl.squad import sale_price
from backroom_pipeline.ledger.standings import form
from backroom_pipeline.memory.model import MemoryRecord, Role
from backroom_pipeline.models.blocks import object_block
from backroom_pipeline.models.sanitiser import clean
from backroom_pipeline.tokens import estimated_tokens

MOST_TOKENS = 1500
"""Of a prompt, system text and all."""
FILLED_TO = 1360
"""Tokens to which memory may fill a prompt: small vocabularies take up to a tenth more than is estimated."""
WORDS = (300, 200, 120, 80, 50, 30, 15)
"""Characters of each record of memory, the most for which there is room."""
NEWS = 30
"""Characters of a player's news."""
LONGEST_PROMISE = 50
_HEADING = 5
"""Tokens of the line above what was brought to mind."""
MOST_NEWS = 2
ADVICE = 60
"""Characters of the coach's notes and of the assistant's case."""


def system_text(role: Role) -> str:
    return render(f"compact/system_{role}", data_is_data=DATA_IS_DATA)


def public_text(role: Role, week: Week) -> str:
    """The fixtures for everybody; for the coach the shortlist too."""
    briefing = render(
        "compact/briefing",
        facts=week.facts,
        rules=week.rules,
        ahead=AHEAD,
        recent_gameweeks=RECENT_GAMEWEEKS,
        gameweek_block=object_block("gameweek", _gameweek(week)),
        schedule_block=object_block("schedule", schedule(week)),
        opening=week.opening,
    )
    return f"{briefing}\n{_coach_text(week)}" if role == "coach" else briefing


def schedule(week: Week) -> dict[str, str]:
    """Club to its next gameweeks, in order: ``MUN A3 LEE H2 + CHE A4 -``."""
    weeks = range(week.gameweek, min(week.gameweek + AHEAD, week.rules.last_gameweek + 1))
    matches: dict[str, dict[int, list[str]]] = {}
    for fixture in week.facts.fixtures:
        for club in (fixture.home, fixture.away):
            matches.setdefault(club, {number: [] for number in weeks})
    for number, club, opponent, venue, difficulty in fixture_rows(week.facts.fixtures, weeks):
        matches[club][number].append(f"{opponent} {venue}{difficulty}")
    return {
        club: " ".join(" + ".join(of_week) or "-" for of_week in by_week.values())
        for club, by_week in sorted(matches.items())
    }


def coach_question(week: Week) -> Question:
    return Question(private="", schema=coach_schema(shortlist(week)))


def assistant_question(desk: Desk, ranking: CoachRanking, memory: Remembered | None) -> Question:
    menu = assistant_menu(desk, ranking)
    private = _with_memory(
        "assistant",
        desk.week,
        "proposed",
        memory,
        **_shared(desk, menu),
        team_block=object_block("team", _team(desk)),
        advice_block=object_block("advice", {"coach": clean(ranking.notes, ADVICE)}),
    )
    return Question(private, assistant_schema(menu))


def manager_question(
    contest: Contest, desk: Desk, ranking: CoachRanking, proposal: AssistantSheet, bill: Bill,
    memory: Remembered | None,
) -> Question:  # fmt: skip
    menu = manager_menu(desk, ranking, proposal.sheet)
    promises = promises_on_offer(desk, menu)
    private = _with_memory(
        "manager",
        desk.week,
        "said",
        memory,
        **_shared(desk, menu),
        team_block=object_block(
            "team", {"name": contest.manager(desk.manager).name, **_team(desk), **_standing(contest, desk)}
        ),
        advice_block=object_block(
            "advice",
            {
                "coach": clean(ranking.notes, ADVICE),
                "assistant": clean(proposal.case, ADVICE),
                "hit": bill.hit_points,
                "left": bill.bank_after,
            },
        ),
        promises_block=object_block("offers", {"offers": [claim.text for claim in promises]}),
    )
    return Question(private, manager_schema(menu, promises))


def _gameweek(week: Week) -> dict[str, object]:
    return {
        "season": week.season,
        "gameweek": week.gameweek,
        "last_gameweek": week.rules.last_gameweek,
        **({"statistics_season": before} if (before := week.facts.statistics_season) != week.season else {}),
    }


def _coach_text(week: Week) -> str:
    listed = shortlist(week)
    favourites, enablers = (
        [player for position in POSITIONS for player in lists[position]]
        for lists in (listed.favourites, listed.enablers)
    )
    return render(
        "compact/coach",
        opening=week.opening,
        task_block=object_block("task", {"opening": week.opening}),
        shortlist_block=object_block("shortlist", _by_id(week, favourites)),
        cheap_block=object_block("cheap", _by_id(week, enablers)),
        fitness_block=_news_block(week, (*favourites, *enablers)),
    )


def _shared(desk: Desk, menu: SheetMenu) -> dict[str, object]:
    """What assistant and manager of one team both see."""
    leaving = sorted(desk.state.player_ids - set(menu.player_ids))
    places = [_on_menu(desk, place) for place in menu.places]
    return {
        "opening": desk.opening,
        "fitness_block": _news_block(desk.week, menu.player_ids),
        "promised_block": _promised_block(desk),
        "leaving": bool(leaving),
        "menu_block": object_block(
            "menu",
            {
                "starting": places[:STARTERS],
                "bench": places[STARTERS:],
                "captain": list(menu.captains),
                "vice_captain": list(menu.vice_captains),
                "chip": list(menu.chips),
                **({"leaving": _on_menu(desk, leaving)} if leaving else {}),
            },
        ),
    }


def _team(desk: Desk) -> dict[str, object]:
    return {"opening": desk.opening, "bank": desk.state.bank, "free_transfers": desk.state.free_transfers}


def _standing(contest: Contest, desk: Desk) -> dict[str, object]:
    """The season so far and the last gameweek; nothing before the first is scored."""
    so_far = form(contest.ledger, desk.week.season, desk.week.gameweek, desk.manager)
    if not so_far.weeks:
        return {}
    last = so_far.weeks[0]
    hit = f" after a hit of {last.hit_points}" if last.hit_points else ""
    return {
        "season": f"{so_far.total} points, {so_far.rank} of {so_far.of}",
        "lately": f"{last.net_points} points{hit}, {last.rank} of {last.of}",
    }


def _promised_block(desk: Desk) -> str:
    """The promises that bind, most binding first, and how often each was kept and broken; empty where none does."""
    lines = [
        f"GW{standing.made_in}: {clean(standing.claim.text, LONGEST_PROMISE)} "
        f"Kept {len(standing.kept)}, broken {len(standing.broken)}."
        for standing in desk.pinned.claims
    ]
    return object_block("promised", {"promised": lines}) if lines else ""


def _with_memory(role: Role, week: Week, block: str, memory: Remembered | None, **values: object) -> str:
    """The private part with everything that was brought to mind, in as many of its first words as there is room for."""
    template = f"compact/{role}"
    bare = render(template, memory_block="", **values)
    records = [] if memory is None else [item.record for item in memory.recall.items]
    if not records:
        return bare
    room = FILLED_TO - sum(map(estimated_tokens, (system_text(role), public_text(role, week), bare)))
    blocks = [object_block(block, {block: [_said(record, words) for record in records]}) for words in WORDS]
    fitting = [text for text in blocks if estimated_tokens(text) + _HEADING <= room]
    return render(template, memory_block=fitting[0] if fitting else blocks[-1], **values)


def _said(record: MemoryRecord, words: int) -> str:
    outcome = record.outcome
    ended = f" ({outcome.net_points} points, {outcome.rank} of {outcome.of})" if outcome else ""
    # A narrative and a sheet begin with their gameweek.
    text = record.text.removeprefix(f"Gameweek {record.gameweek}. ")
    return f"GW{record.gameweek}: {clean(text, words)}{ended}"


def _line(week: Week, player_id: int) -> str:
    """``name position club price points``: of the last gameweeks, in an opening week of last season."""
    player = week.pool[player_id]
    points = player.season.points if week.opening else player.recent.points
    return f"{clean(player.web_name)} {player.position} {player.club} {player.price} {points}"


def _by_id(week: Week, players: Iterable[int]) -> dict[str, str]:
    return {str(player): _line(week, player) for player in players}


def _on_menu(desk: Desk, players: Iterable[int]) -> list[str]:
    """The id before the line, and after it what one of the team sells for."""
    paid = {owned.player_id: owned.purchase_price for owned in desk.state.owned}
    return [
        f"{player} {_line(desk.week, player)}"
        + (f" sells {sale_price(paid[player], desk.pool[player].price)}" if player in paid else "")
        for player in players
    ]


def _news_block(week: Week, players: Iterable[int]) -> str:
    """Chance of playing and news of those shown who may miss out, the least fit first; empty where there are none."""
    doubtful = sorted((fitness(week.pool[player]), player) for player in players if fitness(week.pool[player]) < 1)
    news = {
        str(player): f"{chance:.0%} {clean(week.pool[player].news, NEWS)}".strip()
        for chance, player in doubtful[:MOST_NEWS]
    }
    return object_block("fitness", news) if news else ""
