"""Turns at a vendor: so many at once, and nobody waits for somebody else's vendor."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

import pytest
from tenacity import RetryCallState
from tenacity.wait import wait_base

from backroom_pipeline.ledger.answers import AnswerKey
from backroom_pipeline.models.call import CallBudget, CannotAnswer, ModelSpec
from backroom_pipeline.models.spending import Guard
from backroom_pipeline.models.vendors import Vendors
from backroom_pipeline_tests.models.fault_server import Connection, FaultServer, Reply, message, status
from backroom_pipeline_tests.models.room import GOOD, KEY, Room

PATIENCE = 60
"""Seconds after which a test that should never wait gives up."""


class Held:
    """A reply that lets the test look at the calls in the air before it lets them go."""

    def __init__(self) -> None:
        self.arrived = threading.Semaphore(0)
        self.release = threading.Event()

    def __call__(self, connection: Connection) -> None:
        self.arrived.release()
        assert self.release.wait(PATIENCE)
        message(GOOD)(connection)

    def wait_for(self, calls: int) -> None:
        for _ in range(calls):
            assert self.arrived.acquire(timeout=PATIENCE)


@pytest.fixture
def other() -> Iterator[FaultServer]:
    with FaultServer().running() as running:
        yield running


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


@pytest.mark.parametrize(
    ("model", "api_base", "vendor"),
    [
        ("anthropic/claude-opus-5-5", None, "anthropic"),
        ("openai/anything", "http://127.0.0.1:8080/v1", "127.0.0.1:8080"),
        ("anthropic/claude-opus-5-5", "https://somebody@proxy.example/v1", "proxy.example"),
        ("house/banker", None, "house"),
    ],
)
def test_a_vendor_is_the_host_that_is_called_else_litellms_prefix(
    model: str, api_base: str | None, vendor: str
) -> None:
    assert ModelSpec(model=model, options={"api_base": api_base} if api_base else {}).vendor == vendor


def test_a_slow_vendor_delays_only_its_own_managers(
    room: Room, other: FaultServer, threads: ThreadPoolExecutor
) -> None:
    slow, quick = {"api_base": room.server.api_base, "concurrency": 1}, {"api_base": other.api_base, "concurrency": 1}
    room.guard = Guard(vendors=Vendors(ModelSpec(model="openai/gpt-4o-mini", options=o) for o in (slow, slow, quick)))
    held = Held()
    room.server.will(held, message(GOOD))
    other.will(message(GOOD))
    first = threads.submit(room.ask, key=_manager("first"), **slow)
    held.wait_for(1)
    second = threads.submit(room.ask, key=_manager("second"), **slow)
    assert threads.submit(room.ask, key=_manager("elsewhere"), **quick).result(PATIENCE).attempts == 1
    assert not first.done()
    assert not second.done()
    assert len(room.server.requests) == 1, "the second waits for its turn"
    held.release.set()
    assert [future.result(PATIENCE).attempts for future in (first, second)] == [1, 1]


def test_a_limit_of_two_lets_two_go_at_once_and_never_three(room: Room, threads: ThreadPoolExecutor) -> None:
    spec = ModelSpec(model="openai/gpt-4o-mini", options=room.options | {"concurrency": 2})
    room.guard = Guard(vendors=Vendors([spec] * 6))
    pair, most, in_the_air, lock = threading.Barrier(2), [0], [0], threading.Lock()

    def together(connection: Connection) -> None:
        with lock:
            in_the_air[0] += 1
            most[0] = max(most[0], in_the_air[0])
        pair.wait(PATIENCE)
        with lock:
            in_the_air[0] -= 1
        message(GOOD)(connection)

    room.server.will(*[together] * 6)
    asked = [threads.submit(room.ask, key=_manager(f"manager-{n}"), concurrency=2) for n in range(6)]
    assert sum(future.result(PATIENCE).attempts for future in asked) == 6
    assert most == [2]


def test_the_lowest_limit_stated_for_a_vendor_holds_for_all_its_models() -> None:
    vendors = Vendors(
        ModelSpec(model=f"openai/{name}", options={"concurrency": limit} if limit else {})
        for name, limit in (("large", 3), ("small", 1), ("other", None))
    )
    with vendors.turn(ModelSpec(model="openai/other")):
        assert not _gets_a_turn(vendors, "openai/large")
        assert _gets_a_turn(vendors, "mistral/large")
    assert _gets_a_turn(vendors, "openai/large")


def test_a_manager_that_waits_to_try_again_leaves_its_turn_to_others(room: Room, threads: ThreadPoolExecutor) -> None:
    room.guard = Guard(
        vendors=Vendors([ModelSpec(model="openai/gpt-4o-mini", options=room.options | {"concurrency": 1})])
    )
    waiting, go_on = threading.Event(), threading.Event()

    class UntilTheOtherIsThrough(wait_base):
        def __call__(self, retry_state: RetryCallState) -> float:
            waiting.set()
            assert go_on.wait(PATIENCE)
            return 0

    room.server.will(status(503, "overloaded"), message(GOOD), message(GOOD))
    patient = CallBudget(wait=UntilTheOtherIsThrough())
    stumbling = threads.submit(room.ask, key=_manager("stumbling"), budget=patient, concurrency=1)
    assert waiting.wait(PATIENCE)
    assert threads.submit(room.ask, key=_manager("quick"), concurrency=1).result(PATIENCE).attempts == 1
    go_on.set()
    assert stumbling.result(PATIENCE).attempts == 2


@pytest.mark.parametrize("reply", [status(401, "no"), message(GOOD)], ids=["rejected", "answered"])
def test_a_turn_ends_however_the_call_ends(room: Room, reply: Reply) -> None:
    spec = ModelSpec(model="openai/gpt-4o-mini", options=room.options | {"concurrency": 1})
    room.guard = Guard(vendors=Vendors([spec]))
    room.server.will(reply, message(GOOD))
    with suppress(CannotAnswer):
        room.ask(concurrency=1)
    assert room.ask(key=_manager("next"), concurrency=1).attempts == 1


def test_of_managers_who_share_a_marked_prefix_one_goes_ahead(threads: ThreadPoolExecutor) -> None:
    spec = ModelSpec(model="anthropic/claude-opus-5-5")
    vendors = Vendors([spec] * 3)
    inside, leave = threading.Semaphore(0), threading.Event()

    def manager(prefix: str | None) -> None:
        with vendors.turn(spec, prefix):
            inside.release()
            assert leave.wait(PATIENCE)

    first = threads.submit(manager, "coach, gameweek 7")
    assert inside.acquire(timeout=PATIENCE)
    others: list[Future[None]] = [threads.submit(manager, "coach, gameweek 7") for _ in range(2)]
    with vendors.turn(spec, "assistant, gameweek 7"), vendors.turn(spec):
        pass  # another prefix, and a request without one, wait for nobody
    assert not inside.acquire(blocking=False)
    leave.set()
    for future in (first, *others):
        future.result(PATIENCE)
    assert [inside.acquire(blocking=False) for _ in range(3)] == [True, True, False]


def _manager(slug: str) -> AnswerKey:
    return KEY.model_copy(update={"manager": slug})


def _gets_a_turn(vendors: Vendors, model: str) -> bool:
    """Whether another thread does, now."""
    through = threading.Event()

    def call() -> None:
        with vendors.turn(ModelSpec(model=model)):
            through.set()

    threading.Thread(target=call, daemon=True).start()
    return through.wait(0.3)
