"""What becomes of every fault: which budget it draws on, what the ledger says of it, and what the operator reads."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
import threading
import traceback
import zlib
from pathlib import Path
from typing import Any

import pytest
from tenacity import wait_none

from backroom_pipeline.backroom.contracts import AssistantSheet
from backroom_pipeline.ledger.answers import AnswerKey
from backroom_pipeline.ledger.calls import text
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.models.blocks import Blocks
from backroom_pipeline.models.call import Asked, CallBudget, CannotAnswer
from backroom_pipeline_tests.models.fault_server import FaultServer, Request, message, status
from backroom_pipeline_tests.models.faults import CUT_OFF, FAULTS, FINAL, MALFORMED, ODD, PASSING, REFUSALS, Named
from backroom_pipeline_tests.models.room import GOOD, KEY, PROMPT, Room, sheet_with

PATIENCE = 2.0
"""Seconds of time-out for those faults that the caller has to sit out."""
BY_USAGE = 270
"""Micro-dollars: 1,000 tokens in at 0.15 and 200 out at 0.60 dollars a million."""
BY_CACHED_USAGE = 225
"""The same with 600 of the 1,000 tokens at half the price."""


def of(group: tuple[Named, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("fault", group, ids=[fault.name for fault in group])


def ask(room: Room, fault: Named, *, transport: int = 0, content: int = 0, **options: Any) -> Asked[Any]:
    """Ask with these budgets and no more."""
    if fault.waits:
        options["timeout"] = PATIENCE
    return room.ask(budget=CallBudget(transport=transport, content=content, wait=wait_none()), **options)


def assert_row(room: Room, fault: Named) -> None:
    """The row of the first attempt names the fault and its cost, and an answer that came is kept."""
    result = room.calls[0].result
    assert result is not None
    assert result.status == fault.status
    assert bool(result.error) == bool(fault.says)
    assert re.search(fault.says, result.error or ""), result.error
    known = BY_CACHED_USAGE if fault.name == "usage with cached tokens" else BY_USAGE
    assert result.cost_micro_dollars == {"by usage": known, "nothing": 0, "unknown": None}[fault.cost]
    assert (result.cost_source == "unknown") == (fault.cost == "unknown")
    if fault.status in ("ok", "invalid", "truncated"):
        assert result.answer_sha256 is not None
        assert text(room.ledger, result.answer_sha256) is not None


def assert_given_up(room: Room, fault: Named, calls: int, *, transport: int = 4, content: int = 2) -> None:
    """A vendor or model that stays so is left after so many calls, with one sentence that names everything."""
    room.server.script.clear()
    room.server.otherwise = lambda _: fault.reply(GOOD)
    before = len(room.server.requests)
    with pytest.raises(CannotAnswer) as told:
        ask(room, fault, transport=transport, content=content, max_tokens=500, temperature=0.5)
    assert len(room.server.requests) - before == calls
    sentence = str(told.value)
    assert sentence.startswith("opus's assistant could not answer in gameweek 7 of 2025-26: openai/gpt-4o-mini ")
    assert re.search(fault.says, sentence), sentence
    assert told.value.key == KEY
    assert len(told.value.reasons) == calls
    assert "\n" not in sentence
    assert "Traceback" not in sentence


@of(ODD)
def test_an_odd_answer_is_read_at_the_first_try(room: Room, fault: Named) -> None:
    room.server.will(fault.reply(GOOD))
    assert ask(room, fault).value == AssistantSheet.model_validate_json(GOOD)
    assert len(room.server.requests) == 1
    assert_row(room, fault)


@of(PASSING)
def test_a_passing_fault_is_asked_again_in_the_same_words_and_costs_no_repair(room: Room, fault: Named) -> None:
    room.server.will(fault.reply(GOOD), message(GOOD))
    assert ask(room, fault, transport=1).attempts == 2
    assert room.kinds == ["content", "transport"]
    assert room.server.user_texts[0] == room.server.user_texts[1]
    assert_row(room, fault)
    if not fault.takes_long:
        assert_given_up(room, fault, calls=5)


@of(FINAL)
def test_what_no_repetition_mends_is_given_up_at_once(room: Room, fault: Named) -> None:
    assert_given_up(room, fault, calls=1)
    assert_row(room, fault)


@of(REFUSALS)
def test_a_refusal_gets_one_more_try_with_the_same_words_and_no_third(room: Room, fault: Named) -> None:
    room.server.will(fault.reply(GOOD), message(GOOD))
    assert ask(room, fault).attempts == 2
    assert room.server.user_texts[0] == room.server.user_texts[1]
    assert_row(room, fault)
    assert_given_up(room, fault, calls=2)


@of(CUT_OFF)
def test_a_truncated_answer_gets_more_room_once_and_is_never_read(room: Room, fault: Named) -> None:
    room.server.will(fault.reply(GOOD), message(GOOD))
    assert ask(room, fault, max_tokens=500).attempts == 2
    assert [request["body"]["max_tokens"] for request in room.server.requests] == [500, 1000]
    assert room.server.user_texts[0] == room.server.user_texts[1]
    assert_row(room, fault)
    assert_given_up(room, fault, calls=4)


@of(CUT_OFF)
def test_a_vendor_that_does_not_grant_more_room_is_asked_for_a_shorter_answer(room: Room, fault: Named) -> None:
    room.server.will(fault.reply(GOOD), status(400, "max_tokens is too large"), message(GOOD))
    assert ask(room, fault, content=1, max_tokens=500).attempts == 3
    assert [request["body"]["max_tokens"] for request in room.server.requests] == [500, 1000, 500]
    assert room.statuses == ["truncated", "error", "ok"]
    assert "cut off" in Blocks(room.server.user_texts[2]).rows("breaches")[0]["sentence"]


@of(MALFORMED)
def test_a_malformed_answer_goes_back_with_its_breaches_named(room: Room, fault: Named) -> None:
    room.server.will(fault.reply(GOOD), message(GOOD))
    assert ask(room, fault, content=1).attempts == 2
    assert room.kinds == ["content", "content"]
    first, repair = room.server.user_texts
    assert repair.startswith(first + "\n\n## BREACHES\n")
    named = [row["sentence"] for row in Blocks(repair).rows("breaches")]
    assert re.search(fault.says, " ".join(named))
    assert_row(room, fault)
    if not fault.takes_long:
        assert_given_up(room, fault, calls=3)


def test_every_fault_has_a_name_of_its_own_and_there_are_at_least_twenty() -> None:
    groups = (PASSING, FINAL, REFUSALS, CUT_OFF, MALFORMED, ODD)
    assert len(FAULTS) == sum(map(len, groups)) >= 20


def test_sixteen_faults_at_once_do_not_mix(room: Room, server: FaultServer) -> None:
    faults = [fault for fault in PASSING if not fault.waits][:16]
    asked_before: set[int] = set()
    captains: dict[int, int] = {}

    def reply(request: Request) -> Any:
        number = int(request["body"]["messages"][1]["content"].rpartition(" ")[2])
        good = sheet_with(captain=1000 + number)
        if number in asked_before:
            return message(good)
        asked_before.add(number)
        return faults[number].reply(good)

    def manager(number: int) -> None:
        key = AnswerKey(season=KEY.season, gameweek=KEY.gameweek, manager=f"m{number}", role="assistant")
        asked = room.ask(key=key, prompt=PROMPT.model_copy(update={"private": f"Manager {number}"}))
        captains[number] = asked.value.sheet.captain

    server.otherwise = reply
    threads = [threading.Thread(target=manager, args=[number]) for number in range(len(faults))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert captains == {number: 1000 + number for number in range(len(faults))}


CANARY = 'canary/4Jq9"vXw2+LmT7'
"""A key whose spelling changes in JSON and in addresses, in a variable that is not named like one."""
VARIABLE = "FIRST_OF_FRONTIER"
LEAKING = GOOD.replace("is the whole case", f"is the whole case, and my key is {json.dumps(CANARY)[1:-1]}")


def provoke_everything(room: Room) -> list[str]:
    """Every fault once, with the key in whatever the vendor says; answers and exceptions as they would be shown."""
    room.options |= {"api_key_env": VARIABLE, "timeout": PATIENCE}
    room.server.leaks = f"your key is {CANARY} "
    room.server.otherwise = lambda _: status(400, "enough")
    shown: list[str] = []
    for number, fault in enumerate(FAULTS.values()):
        room.server.will(fault.reply(LEAKING))
        try:
            shown.append(ask(room, fault, seed=number).value.model_dump_json())
        except CannotAnswer as told:
            behind = (told.__cause__, told.__context__, told.reasons)
            shown.append("".join(traceback.format_exception(told)) + repr(behind))
    return shown


def spellings_in(held: str) -> list[str]:
    return [part for part in (CANARY, "4Jq9", "vXw2", "LmT7") if part in held]


def test_a_key_that_every_fault_echoes_is_nowhere_afterwards(
    room: Room, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv(VARIABLE, CANARY)
    shown = provoke_everything(room)
    assert room.server.requests[0]["headers"]["authorization"] == f"Bearer {CANARY}"
    assert sum("[redacted]" in each for each in shown) > len(FAULTS) / 2, "the server did echo it"
    assert not spellings_in("".join(shown))
    rows = room.ledger.rows("SELECT * FROM attempts") + room.ledger.rows("SELECT * FROM attempt_results")
    assert len(rows) >= 2 * len(FAULTS)
    assert not spellings_in(repr(rows))
    texts = [zlib.decompress(row["zlib"]).decode() for row in room.ledger.rows("SELECT zlib FROM texts")]  # type: ignore[arg-type]
    assert sum("[redacted]" in each for each in texts) > len(MALFORMED) / 2
    assert not spellings_in("".join(texts))
    assert not spellings_in(caplog.text)
    room.ledger.close()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if spellings_in(path.read_bytes().decode("latin-1"))]


def test_nothing_is_printed_whatever_goes_wrong() -> None:
    """In a process of its own: pytest keeps warnings to itself."""
    command, keyed = [sys.executable, "-m", __name__], os.environ | {VARIABLE: CANARY}
    ran = subprocess.run(command, env=keyed, capture_output=True, text=True, check=True)
    assert ran.stdout == f"{len(FAULTS)} faults\n"
    assert ran.stderr == ""


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with (
        TemporaryDirectory() as place,
        Ledger.open(Path(place) / "ledger.duckdb") as ledger,
        FaultServer().running() as server,
    ):
        provoked = provoke_everything(Room(ledger, server, {"api_base": server.api_base}))
    print(f"{len(provoked)} faults")
