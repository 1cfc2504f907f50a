"""A vendor over HTTP behind one manager of the small league: it answers well until a test takes a role down."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from backroom_pipeline.league import League, ManagerConfig
from backroom_pipeline_tests.backroom.conftest import LEAGUE
from backroom_pipeline_tests.models.fault_server import FaultServer, Reply, message, status
from backroom_pipeline_tests.models.vendor import HouseVendor, Question

WHO = "gambler"
KEY = "not-a-real-key-0123456789"


class Vendor:
    """Behind the gambler; the other managers are house models."""

    def __init__(self, server: FaultServer) -> None:
        self.server = server
        self.down: set[str] = set()
        """Roles that get ``fault`` for an answer."""
        self.fault: Reply = status(503, "The engine is overloaded.", ("retry-after", "0"))
        self.changes: Callable[[Question, dict[str, Any]], None] = lambda question, said: None
        """May change the good answer before it is given."""

    def reply(self, question: Question) -> Reply:
        if question.role in self.down:
            return self.fault
        said = json.loads(question.good)
        self.changes(question, said)
        return message(json.dumps(said))

    def league(self, policy: str = "carry_over", **changes: Any) -> League:
        """The small league with the vendor's model behind the gambler."""
        options = {"api_base": self.server.api_base, "api_key_env": "BACKROOM_TEST_KEY", "max_tokens": 8000}
        gambler = ManagerConfig(slug=WHO, name="Rafe Delaney", model="openai/gambler", options=options)
        managers = tuple(gambler if manager.slug == WHO else manager for manager in LEAGUE.managers)
        return LEAGUE.model_copy(update={"managers": managers, "when_a_manager_cannot_decide": policy} | changes)


@contextmanager
def a_vendor() -> Iterator[Vendor]:
    with FaultServer().running() as server, pytest.MonkeyPatch.context() as environment:
        environment.setenv("BACKROOM_TEST_KEY", KEY)
        vendor = Vendor(server)
        server.otherwise = HouseVendor({"gambler": "gambler"}, vendor.reply)
        yield vendor
