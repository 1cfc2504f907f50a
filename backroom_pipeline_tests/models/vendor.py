"""A vendor whose models are house models: the whole way over HTTP, with faults in it where they are wanted.

``python -m backroom_pipeline_tests.models.vendor '{"personas": {"some-model": "banker"}, "share": 0.05}'`` serves until
its input is closed, in a process of its own, and prints its address first.
"""

from __future__ import annotations

import hashlib
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from backroom_pipeline.models import house
from backroom_pipeline.models.house.reading import Reading, read_prompt
from backroom_pipeline_tests.models.fault_server import Connection, FaultServer, Reply, Request, message
from backroom_pipeline_tests.models.faults import FAULTS
from backroom_pipeline_tests.models.illegal import ILLEGAL
from backroom_pipeline_tests.models.malformed import MALFORMED

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class Question:
    """One request, read: who is asked for what, for the how-manieth time, and the good answer to it."""

    model: str
    role: str
    gameweek: int
    number: int
    """1, 2, … within model, role and gameweek."""
    reading: Reading
    good: str
    usage: dict[str, int]


Spoil = Callable[[Question], Reply | None]
"""A reply in place of the good one, or None."""


class HouseVendor:
    """Give it to a FaultServer: it answers a model's name with the persona behind it."""

    def __init__(self, personas: Mapping[str, str], spoil: Spoil = lambda _: None, seconds: float = 0.0) -> None:
        """``seconds`` is how long every answer takes, the thinking included."""
        self._personas, self.spoil, self.seconds = dict(personas), spoil, seconds
        self._shelf: dict[str, str] = {}
        self._asked: Counter[tuple[str, str, int]] = Counter()
        self._guard = threading.Lock()

    def __call__(self, request: Request) -> Reply:
        arrived = time.monotonic()
        question = self._question(request["body"])
        reply = self.spoil(question) or message(question.good, usage=question.usage)
        return _not_before(arrived + self.seconds, reply) if self.seconds else reply

    def _question(self, body: dict[str, Any]) -> Question:
        model: str = body["model"]
        system, user = (said["content"] for said in body["messages"])
        reading = read_prompt(system, user)
        with self._guard:
            self._asked[model, reading.role, reading.gameweek] += 1
            number = self._asked[model, reading.role, reading.gameweek]
        good = self._answer(self._personas[model], system, user)
        read, written = (-(-len(text) // CHARACTERS_PER_TOKEN) for text in (system + user, good))
        usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        return Question(model, reading.role, reading.gameweek, number, reading, good, usage)

    def _answer(self, persona: str, system: str, user: str) -> str:
        """Thought of once: who asks the same again is not kept waiting for the same thought."""
        place = hashlib.sha256(f"{persona}\n{system}\n{user}".encode()).hexdigest()
        if place not in self._shelf:
            self._shelf[place] = house.answer(persona, system, user)
        return self._shelf[place]


class Mixture:
    """Spoils a share of the answers: by a fault of the catalogue, a malformed answer, or an illegal one.

    What happens to a question depends on the seed and the question, not on which thread comes first.
    """

    def __init__(self, share: float, seed: int = 0, without: Sequence[str] = ()) -> None:
        self._share, self._seed = share, seed
        self._kinds = [name for name in (*FAULTS, *MALFORMED, *(way.name for way in ILLEGAL)) if name not in without]
        self.spoiled: Counter[str] = Counter()
        self._guard = threading.Lock()

    def __call__(self, question: Question) -> Reply | None:
        random = Random(f"{self._seed}/{question.model}/{question.role}/{question.gameweek}/{question.number}")
        if random.random() >= self._share:
            return None
        while True:
            name = random.choice(self._kinds)
            reply = spoiled(name, random, question)
            if reply is not None:
                with self._guard:
                    self.spoiled[name] += 1
                return reply


def spoiled(name: str, random: Random, question: Question) -> Reply | None:
    """The good answer spoiled in the way of that name; None where the question does not allow it."""
    if name in FAULTS:
        return FAULTS[name].reply(question.good)
    text = spoiled_text(name, random, question)
    return None if text is None else message(text, usage=question.usage)


def spoiled_text(name: str, random: Random, question: Question) -> str | None:
    """The same for malformed and illegal answers, as text."""
    if name in MALFORMED:
        return MALFORMED[name](random, question.good)
    (way,) = (way for way in ILLEGAL if way.name == name)
    if question.role not in way.roles:
        return None
    answer = way(random, json.loads(question.good), question.reading)
    return None if answer is None else json.dumps(answer, ensure_ascii=False)


def _not_before(moment: float, reply: Reply) -> Reply:
    def waiting(connection: Connection) -> None:
        if not connection.owner.released.wait(max(0.0, moment - time.monotonic())):
            reply(connection)

    return waiting


def main() -> None:
    wish = json.loads(sys.argv[1])
    mixture = Mixture(wish.get("share", 0.0), wish.get("seed", 0), wish.get("without", ()))
    vendor = HouseVendor(wish["personas"], mixture, wish.get("seconds", 0.0))
    server = FaultServer(vendor)
    server.keeps_requests = False
    server.report = lambda: {"spoiled": dict(sorted(mixture.spoiled.items()))}
    with server.running():
        print(server.api_base, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
