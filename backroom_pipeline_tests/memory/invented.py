"""An invented season in a ledger: what three roles of any number of managers said, committed week by week."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from backroom_pipeline.fpl.model import Bill, Fixture, GameweekFacts, OwnedPlayer, Player, TeamSheet, TeamState, Trade
from backroom_pipeline.ledger.answers import commit_answer
from backroom_pipeline.ledger.facts import record_gameweek
from backroom_pipeline.ledger.managers import record_manager
from backroom_pipeline.ledger.rows import Answer, Role, ScoreRow
from backroom_pipeline.ledger.standings import record_scores
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import (
    ROLES,
    CaptainPlayer,
    Claim,
    FreeText,
    HoldChip,
    KeepPlayer,
    Member,
    NoHits,
    PlayChipIn,
)
from backroom_pipeline.memory.outcomes import outcomes_of_week
from backroom_pipeline.memory.records import records_owed

SEASON = "2025-26"
MANAGERS = ("opus", "grok", "sonnet", "gemini", "qwen", "kimi", "llama", "mistral")
FIRST_DEADLINE = datetime(2025, 8, 15, 17, 30, tzinfo=UTC)
NAMES = (
    "Raya",
    "Dúbravka",
    "Gabriel",
    "Van Dijk",
    "Muñoz",
    "Reinildo",
    "Esteve",
    "Palmer",
    "Salah",
    "Saka",
    "Mbeumo",
    "Rogers",
    "Haaland",
    "João Pedro",
    "Ekitiké",
    "Semenyo",
    "Xhaka",
    "Zubimendi",
    "Wood",
    "Bowen",
    "Kudus",
    "Rice",
    "Foden",
    "Watkins",
    "Isak",
    "Gordon",
    "Eze",
    "Sarr",
    "Mateta",
    "Wissa",
)
CLUBS = ("ARS", "LIV", "CHE", "MCI", "CRY", "MUN", "AVL", "TOT", "NEW", "BRE")
POSITIONS = ("GK", "GK", "DEF", "DEF", "DEF", "DEF", "DEF", "MID", "MID", "MID", "MID", "MID", "FWD", "FWD", "FWD")
THOUGHTS = (
    "Two of mine meet a leaky defence, {a} and {b} among them, and I see no reason to give the armband to a third.",
    "Four points for {a} is too dear: {b} would have to go as well, and two guesses are worse than one.",
    "{a} blanked again, yet the minutes are there and the shots are there, and I would rather wait a week too long.",
    "{b} travels to Anfield and I expect nothing from it; that a little money is left over is a pleasant accident.",
    "A small step: {a} for {b} loses me nothing on a bad day and wins me something on a good one.",
    "My assistant wanted {a}. I listened, and then I looked at the three away days that follow and put {b} in instead.",
    "If {a} is passed fit on Friday he starts; if not, {b} comes off the bench and nobody will notice the difference.",
)


def facts(gameweek: int) -> GameweekFacts:
    deadline = FIRST_DEADLINE + timedelta(weeks=gameweek - 1)
    matches = [*zip(CLUBS[::2], CLUBS[1::2], strict=True)]
    if gameweek == 26:
        matches.append(("ARS", "MCI"))
    return GameweekFacts(
        season=SEASON,
        gameweek=gameweek,
        deadline=deadline,
        cutoff=deadline - timedelta(hours=2),
        players=tuple(
            Player(
                id=number + 1,
                code=1000 + number,
                web_name=name,
                club=CLUBS[number % len(CLUBS)],
                position=POSITIONS[number % len(POSITIONS)],
                price=40 + number,
                chance_of_playing=50 if (number + gameweek) % 11 == 0 else None,
            )
            for number, name in enumerate(NAMES)
        ),
        fixtures=tuple(
            Fixture(
                id=number,
                gameweek=gameweek,
                kickoff=deadline,
                home=home,
                away=away,
                home_difficulty=2,
                away_difficulty=4,
            )
            for number, (home, away) in enumerate(matches)
        ),
        statistics_season="2024-25",
        fitness_known=True,
        source="invented",
    )


def sheet(gameweek: int, number: int) -> TeamSheet:
    squad = [1 + (place + (15 if (place + gameweek + number) % 7 == 0 else 0)) for place in range(15)]
    starting = [squad[0], *squad[2:5], *squad[7:11], *squad[12:15]]
    bench = [squad[1], squad[5], squad[6], squad[11]]
    chip = "bench_boost" if (gameweek + number) % 19 == 0 else None
    return TeamSheet(
        starting=tuple(starting), bench=tuple(bench), captain=starting[-1], vice_captain=starting[4], chip=chip
    )


def bill(gameweek: int, hit_points: int = 0) -> Bill:
    return Bill(
        sold=(Trade(player_id=8, price=71),) if gameweek > 1 else (),
        bought=(Trade(player_id=12, price=70),) if gameweek > 1 else (),
        paid_transfers=hit_points // 4,
        hit_points=hit_points,
        bank_before=5,
        bank_after=6,
        free_transfers_before=1,
        free_transfers_after=1,
    )


def reasoning(gameweek: int, number: int) -> str:
    def name(step: int) -> str:
        return NAMES[(gameweek * 5 + number * 3 + step) % len(NAMES)]

    return " ".join(
        THOUGHTS[(gameweek + number + place) % len(THOUGHTS)].format(a=name(place), b=name(place + 9))
        for place in range(4)
    )


def promises(gameweek: int, number: int) -> tuple[Claim, ...]:
    """Four a week; the first is the same for life, so that it becomes a thread."""
    player = 1 + (gameweek + number) % len(NAMES)
    return (
        Claim(text="I will not take a points hit.", terms=NoHits(kind="no_hits")),
        Claim(
            text=f"I am keeping {NAMES[player - 1]} until at least gameweek {gameweek + 4}.",
            terms=KeepPlayer(kind="keep_player", player_id=player, first=gameweek, last=min(38, gameweek + 3)),
        ),
        Claim(
            text=f"I will captain {NAMES[12]} in gameweek {min(38, gameweek + 1)}.",
            terms=CaptainPlayer(
                kind="captain_player", player_id=13, first=min(38, gameweek + 1), last=min(38, gameweek + 1)
            ),
        ),
        Claim(
            text=f"I believe patience in gameweek {gameweek} is worth more than any fixture.",
            terms=FreeText(kind="free_text"),
        ),
    )


FIRST_PROMISES = (
    Claim(
        text="My chips, all of them, wait until at least gameweek six.",
        terms=HoldChip(kind="hold_chip", chip="any", first=1, last=5),
    ),
    Claim(
        text="The second wildcard is for the double of gameweek 33 and for nothing else.",
        terms=PlayChipIn(kind="play_chip_in", chip="wildcard", first=33, last=33),
    ),
)


def enrol(ledger: Ledger, gateway: Gateway, managers: Sequence[str] = MANAGERS) -> None:
    """Managers with their teams, stores and identities."""
    for manager in managers:
        record_manager(ledger, manager, manager.title(), f"house/{manager}")
        gateway.team_create(manager)
        for role in ROLES:
            gateway.team_add_member(manager, role)
            gateway.store(
                Member(manager=manager, role=role),
                manager,
                role,
                records_owed(ledger, manager, role, before=("0000-00", 0)),
            )


def decide(ledger: Ledger, gameweek: int, managers: Sequence[str] = MANAGERS) -> None:
    """Commit the three answers of every manager; nothing is remembered yet."""
    inputs = record_gameweek(ledger, facts(gameweek))
    for number, manager in enumerate(managers):
        its_sheet, its_bill = sheet(gameweek, number), bill(gameweek)
        claims = (promises(gameweek, number) + FIRST_PROMISES) if gameweek == 1 else promises(gameweek, number)
        words = reasoning(gameweek, number)
        picks = {
            position: [
                {"player_id": 1 + (step + gameweek) % 30, "reason": THOUGHTS[step].format(a="He", b="the other one")}
                for step in range(5)
            ]
            for position in ("GK", "DEF", "MID", "FWD")
        }
        said = {
            "coach": json.dumps({"rankings": picks, "notes": f"Three from one club is the cap. {words[:200]}"}),
            "assistant": json.dumps({"sheet": its_sheet.model_dump(), "case": f"The sheet balances. {words[-250:]}"}),
            "manager": json.dumps(
                {
                    "sheet": its_sheet.model_dump(),
                    "reasoning": words,
                    "claims": [claim.model_dump(mode="json") for claim in claims],
                }
            ),
        }
        for role in ROLES:
            commit_answer(
                ledger,
                _answer(role, manager, gameweek, said[role], None if role == "coach" else its_bill, inputs),
                claims=claims if role == "manager" else (),
                state_after=state_after(its_sheet) if role == "manager" else None,
            )


def _answer(role: Role, manager: str, gameweek: int, said: str, its_bill: Bill | None, inputs: str) -> Answer:
    return Answer(
        season=SEASON,
        gameweek=gameweek,
        manager=manager,
        role=role,
        answer_json=said,
        bill_json=its_bill.model_dump_json() if its_bill else None,
        inputs_sha256=inputs,
        cutoff=facts(gameweek).cutoff,
    )


def state_after(its_sheet: TeamSheet) -> TeamState:
    return TeamState(
        owned=tuple(OwnedPlayer(player_id=player, purchase_price=40 + player) for player in its_sheet.player_ids),
        bank=6,
    )


def remember(ledger: Ledger, gateway: Gateway, gameweek: int, manager: str, *, consolidate: bool = True) -> int:
    """Write one manager's week into its three stores, as the live path does; how many records."""
    written = 0
    for role in ROLES:
        member = Member(manager=manager, role=role)
        owed = records_owed(ledger, manager, role, before=(SEASON, gameweek + 1))
        week = [record for record in owed if record.gameweek == gameweek]
        written += len(gateway.store(member, manager, role, week))
    if consolidate:
        gateway.consolidate(Member(manager=manager, role="manager"), manager, "manager")
    return written


def score(ledger: Ledger, gateway: Gateway, gameweek: int, points: dict[str, int], version: int = 1) -> None:
    """Score the week (net points) and attach the outcomes."""
    record_scores(
        ledger,
        [
            ScoreRow(
                season=SEASON,
                gameweek=gameweek,
                manager=manager,
                scoring_version=version,
                points=net,
                bench_points=0,
                hit_points=0,
                net_points=net,
            )
            for manager, net in points.items()
        ],
    )
    for manager in points:
        for role, outcomes in outcomes_of_week(ledger, SEASON, gameweek, manager).items():
            gateway.outcome_record(Member(manager=manager, role=role), manager, role, outcomes)
