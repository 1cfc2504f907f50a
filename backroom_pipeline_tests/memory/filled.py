"""Stores filled with any number of invented records, for measuring and for tests of size.

A week is six records: in a manager's store the narrative and five claims, committed to the ledger as a played week is;
in the others six pieces of advice that no answer owes. Seasons are counted back from the newest, so that four thousand
records are eighteen of them.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from backroom_pipeline.fpl.model import GameweekFacts
from backroom_pipeline.ledger.answers import commit_answer
from backroom_pipeline.ledger.facts import record_gameweek
from backroom_pipeline.ledger.rows import Answer
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.embedder import Embedder
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import (
    ROLES,
    CaptainPlayer,
    Category,
    Claim,
    FreeText,
    HoldChip,
    KeepPlayer,
    Member,
    MemoryRecord,
    NoHits,
    Outcome,
    Role,
)
from backroom_pipeline.memory.records import record_id, week_records
from backroom_pipeline_tests.memory import invented

PER_WEEK = 6
NEWEST = 2025
"""The year the newest season starts in."""
LAST_FILLED = 30
"""The gameweek of the newest season that filling ends with; the weeks after it are left to be measured."""
CATEGORY: dict[Role, Category] = {"coach": "ranking", "assistant": "sheet", "manager": "narrative"}

SENTENCES = (
    *invented.THOUGHTS,
    "I looked at {a} for a long time, because the underlying numbers have been better than the returns since {month}.",
    "The fixtures turn for {a} after the break, and I would rather be a week early than pay the premium later.",
    "Selling {b} hurts, but he has one goal in {n} matches and the bench is thin enough already.",
    "My rivals nearly all own {a}; without him a good day of his costs me more than a bad day of mine.",
    "The rotation between {a} and {b} is the one thing in this team that I understand completely.",
    "I keep {n} tenths in the bank so that {b} can become {a} when the price moves.",
    "A hit for {a} would need eight points from him to be worth it, and he has managed that {n} times.",
    "There is an argument for the bench boost with {a} and {b} at home, and I do not believe it yet.",
    "The double in {month} decides where the wildcard goes, not one bad afternoon of {b}.",
    "{a} takes the penalties now, which I did not know when I left him out {n} weeks ago.",
    "At the back I want nailed minutes before clean sheets, and {b} has started every match since {month}.",
    "The news about {a} is bad: a hamstring, {n} days at least, and no word from the manager before Friday.",
    "It is tempting to move on {b} after a blank, but that was {n} shots and two of them off the post.",
    "My captain is {a}; {b} away from home is a coin I have thrown often enough this season.",
    "The assistant's sheet is legal and sensible and I take most of it, except for {b} on the bench.",
    "Nothing about this week is urgent, so the free transfer is rolled and {a} has to wait.",
)
MONTHS = ("September", "October", "November", "December", "January", "February", "March", "April")
QUESTIONS = (
    "What did I say about {a} in gameweek {n}?",
    "Why did I sell {b} for {a} in {month}?",
    "Whom will I captain in gameweek {n}, {a} or {b}?",
    "When do I play the bench boost with {a}?",
    "Will I take a points hit for {b} before gameweek {n}?",
    "What did I plan for the double of {a} in {month}?",
    "How long do I keep {b} in my team after {month}?",
    "What did I do in gameweek {n} about {a}, and why?",
    "How much money do I leave in the bank for {a} in {month}?",
)


class Mixed:
    """Vectors as another embedder's in name, size and spread, mixed from its vectors of a few sentences.

    The bulk of a store is filled with them: what a search costs does not depend on what a vector means, and embedding
    a hundred thousand texts takes a quarter of an hour.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.dimension = embedder.name, embedder.dimension
        self._known = embedder.embed([sentence.format(**_names(Random(sentence))) for sentence in SENTENCES])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._mixed(hashlib.sha256(text.encode()).digest()) for text in texts]

    def _mixed(self, seed: bytes) -> list[float]:
        if not self.dimension:
            return []
        shares = [
            (self._known[byte % len(self._known)], weight) for byte, weight in zip(seed, (4, 3, 2, 1), strict=False)
        ]
        noise = np.random.default_rng(list(seed)).standard_normal(self.dimension) / math.sqrt(self.dimension)
        mixed = sum((weight * np.array(vector) for vector, weight in shares), 2 * noise)
        return (mixed / np.linalg.norm(mixed)).tolist()


def weeks(records: int) -> list[tuple[str, int]]:
    """The weeks it takes to fill a store with so many records, oldest first, up to LAST_FILLED of the newest season."""
    needed = math.ceil(records / PER_WEEK)
    seasons = range(NEWEST - math.ceil(needed / 38), NEWEST + 1)
    every = [(season_name(year), gameweek) for year in seasons for gameweek in range(1, 39)]
    return every[: len(every) - (38 - LAST_FILLED)][-needed:]


def season_name(year: int) -> str:
    return f"{year}-{(year + 1) % 100:02d}"


def fill(ledger: Ledger, gateway: Gateway, managers: Sequence[str], records: int) -> int:
    """Fill every store of the (enrolled) managers; how many records each of them holds afterwards, identity included.

    A season at a time goes through the gateway.
    """
    due: dict[tuple[str, Role], list[MemoryRecord]] = {}

    def store() -> None:
        for (manager, role), found in due.items():
            member = Member(manager=manager, role=role)
            gateway.store(member, manager, role, found)
            gateway.outcome_record(member, manager, role, {record.id: outcome(record) for record in found})
        due.clear()

    filled = weeks(records)
    for season, gameweek in filled:
        with ledger.transaction():
            commit_week(ledger, season, gameweek, managers)
        for manager in managers:
            for role in ROLES:
                due.setdefault((manager, role), []).extend(_due(ledger, season, gameweek, manager, role))
        if gameweek == 38:
            store()
    store()
    return len(filled) * PER_WEEK + 1


def commit_week(ledger: Ledger, season: str, gameweek: int, managers: Sequence[str]) -> None:
    """The facts of a week and every manager's decision with its claims."""
    week = facts(season, gameweek)
    inputs = record_gameweek(ledger, week)
    for number, manager in enumerate(managers):
        sheet, chance = invented.sheet(gameweek, number), Random(f"{manager} {season} {gameweek}")
        made = claims(gameweek, chance)
        said = {
            "sheet": sheet.model_dump(),
            "reasoning": narrative(chance),
            "claims": [claim.model_dump(mode="json") for claim in made],
        }
        answer = Answer(
            season=season,
            gameweek=gameweek,
            manager=manager,
            role="manager",
            answer_json=json.dumps(said, ensure_ascii=False),
            bill_json=invented.bill(gameweek, hit_points=4 if chance.random() < 0.2 else 0).model_dump_json(),
            inputs_sha256=inputs,
            cutoff=week.cutoff,
        )
        commit_answer(ledger, answer, claims=made, state_after=invented.state_after(sheet))


def outcome(record: MemoryRecord) -> Outcome:
    return Outcome(
        verdict="mixed",
        season=record.season,
        gameweek=record.gameweek,
        net_points=40 + record.gameweek,
        rank=4,
        of=8,
        season_total=50 * record.gameweek,
        scoring_version=1,
    )


def facts(season: str, gameweek: int) -> GameweekFacts:
    return invented.facts(gameweek).model_copy(update={"season": season})


def narrative(chance: Random) -> str:
    return " ".join(sentence.format(**_names(chance)) for sentence in chance.sample(SENTENCES, 5))


def claims(gameweek: int, chance: Random) -> tuple[Claim, ...]:
    """Five promises, of which the first is the same for life."""
    player, other = chance.sample(range(len(invented.NAMES)), 2)
    until, following = min(38, gameweek + chance.randint(2, 8)), min(38, gameweek + 1)
    return (
        Claim(text="I will not take a points hit.", terms=NoHits(kind="no_hits")),
        Claim(
            text=f"I am keeping {invented.NAMES[player]} until gameweek {until}, whatever {_month(chance)} brings.",
            terms=KeepPlayer(kind="keep_player", player_id=player + 1, first=gameweek, last=until),
        ),
        Claim(
            text=f"I will captain {invented.NAMES[other]} in gameweek {following}.",
            terms=CaptainPlayer(kind="captain_player", player_id=other + 1, first=following, last=following),
        ),
        Claim(
            text=f"The bench boost stays in my pocket until gameweek {until} is over.",
            terms=HoldChip(kind="hold_chip", chip="bench_boost", first=gameweek, last=until),
        ),
        Claim(text=f"I believe in {narrative(chance)[:90]}", terms=FreeText(kind="free_text")),
    )


def questions(number: int, chance: Random) -> list[str]:
    """Narrow questions, different ones every time."""
    asked: dict[str, None] = {}
    while len(asked) < number:
        asked[QUESTIONS[len(asked) % len(QUESTIONS)].format(**_names(chance))] = None
    return list(asked)


def _due(ledger: Ledger, season: str, gameweek: int, manager: str, role: Role) -> Iterator[MemoryRecord]:
    if role == "manager":
        yield from week_records(ledger, season, gameweek, manager)["manager"]
        return
    chance = Random(f"{manager} {role} {season} {gameweek}")
    for ordinal in range(PER_WEEK):
        text = f"Gameweek {gameweek}. {narrative(chance)}"
        category = CATEGORY[role]
        yield MemoryRecord(
            id=record_id(manager, role, season, gameweek, category, ordinal, text),
            manager=manager,
            role=role,
            category=category,
            season=season,
            gameweek=gameweek,
            ordinal=ordinal,
            text=text,
            pinned=False,
            source=f"invented/{season}/{gameweek}/{ordinal}",
        )


def _names(chance: Random) -> dict[str, object]:
    a, b = chance.sample(invented.NAMES, 2)
    return {"a": a, "b": b, "month": _month(chance), "n": chance.randint(2, 38)}


def _month(chance: Random) -> str:
    return chance.choice(MONTHS)
