"""A vendor whose models are house models: the whole way over HTTP, with faults in it where they are wanted.

``python -m backroom_pipeline_tests.models.vendor '{"personas": {"some-model": "banker"}, "share": 0.05}'`` serves until
its input is closed, and prints its address first; ``VendorProcess`` starts it and asks it.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPConnection
from random import Random
from typing import Any, Self
from urllib.parse import urlsplit

from backroom_pipeline.models import house
from backroom_pipeline.models.blocks import Blocks
from backroom_pipeline.models.house.reading import ROLE, Reading, read_prompt
from backroom_pipeline_tests.models.fault_server import Connection, FaultServer, Reply, Request, message
from backroom_pipeline_tests.models.faults import FAULTS
from backroom_pipeline_tests.models.illegal import ILLEGAL
from backroom_pipeline_tests.models.malformed import MALFORMED

CHARACTERS_PER_TOKEN = 4
SECONDS = "/seconds/"
"""Asking for this path and a number makes every later answer take so long."""


@dataclass(frozen=True)
class Question:
    """One request: who is asked for what, for the how-manieth time, and the good answer to it."""

    model: str
    role: str
    gameweek: int
    number: int
    """1, 2, … within model, role and gameweek."""
    system: str
    user: str
    good: str

    @cached_property
    def reading(self) -> Reading:
        return read_prompt(self.system, self.user)

    @property
    def usage(self) -> dict[str, int]:
        read, written = (-(-len(text) // CHARACTERS_PER_TOKEN) for text in (self.system + self.user, self.good))
        return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


Spoil = Callable[[Question], Reply | None]
"""A reply in place of the good one, or None."""


class HouseVendor:
    """Give it to a FaultServer: it answers a model's name with the persona behind it."""

    def __init__(self, personas: Mapping[str, str], spoil: Spoil = lambda _: None) -> None:
        self._personas, self._spoil = dict(personas), spoil
        self.seconds = 0.0
        """How long every answer takes, the thinking included."""
        self.thoughts = 0
        self._shelf: dict[str, str] = {}
        self._asked: Counter[tuple[str, str, int]] = Counter()
        self._guard = threading.Lock()

    def __call__(self, request: Request) -> Reply:
        arrived = time.monotonic()
        question = self._question(request["body"])
        reply = self._spoil(question) or message(question.good, usage=question.usage)
        return _not_before(arrived + self.seconds, reply) if self.seconds else reply

    def _question(self, body: dict[str, Any]) -> Question:
        model: str = body["model"]
        system, user = (said["content"] for said in body["messages"])
        role, gameweek = ROLE.match(system), Blocks(user).object("gameweek")["gameweek"]
        assert role is not None
        with self._guard:
            self._asked[model, role[1], gameweek] += 1
            number = self._asked[model, role[1], gameweek]
        return Question(model, role[1], gameweek, number, system, user, self._answer(model, system, user))

    def _answer(self, model: str, system: str, user: str) -> str:
        """Thought of once: who asks the same again is not kept waiting for the same thought."""
        place = hashlib.sha256(f"{model}\n{system}\n{user}".encode()).hexdigest()
        if place not in self._shelf:
            self._shelf[place] = house.answer(self._personas[model], system, user)
            with self._guard:
                self.thoughts += 1
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


class VendorProcess:
    """The vendor in a process of its own while it is entered, so that its thinking is not the contest's."""

    def __init__(self, personas: Mapping[str, str], **wish: Any) -> None:
        self._wish = json.dumps({"personas": dict(personas), **wish})
        self.api_base = ""

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", __spec__.name if __spec__ else __name__, self._wish]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.api_base = self._process.stdout.readline().strip()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def report(self, path: str = "/") -> dict[str, Any]:
        """How it was used so far: requests, thoughts, and what was spoiled in which way."""
        address = urlsplit(self.api_base)
        connection = HTTPConnection(address.hostname or "", address.port or 0)
        connection.request("GET", path)
        return json.loads(connection.getresponse().read())

    def take(self, seconds: float) -> None:
        """Make every later answer take so long."""
        self.report(f"{SECONDS}{seconds}")


def _not_before(moment: float, reply: Reply) -> Reply:
    def waiting(connection: Connection) -> None:
        if not connection.owner.released.wait(max(0.0, moment - time.monotonic())):
            reply(connection)

    return waiting


def main() -> None:
    wish = json.loads(sys.argv[1])
    mixture = Mixture(wish.get("share", 0.0), wish.get("seed", 0), wish.get("without", ()))
    vendor = HouseVendor(wish["personas"], mixture)
    server = FaultServer(vendor)
    server.keeps_requests = False

    def report(path: str) -> dict[str, Any]:
        if path.startswith(SECONDS):
            vendor.seconds = float(path.removeprefix(SECONDS))
        return {"thoughts": vendor.thoughts, "spoiled": dict(sorted(mixture.spoiled.items()))}

    server.report = report
    with server.running():
        print(server.api_base, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
