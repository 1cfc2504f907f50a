"""A key that must appear nowhere, whatever the vendor does with it."""

from __future__ import annotations

import logging
import traceback
import zlib
from pathlib import Path

import pytest
from pydantic import ValidationError

from backroom_pipeline.models.call import CannotAnswer, ModelSpec
from backroom_pipeline.models.redaction import redact
from backroom_pipeline_tests.models.fault_server import drop_connection, echo_authorization, message, status
from backroom_pipeline_tests.models.room import GOOD, SHEET, Room

CANARY = "canary-4Jq9vXw2LmT7"
"""In no shape a pattern would know: only its variable's name says that it is a key."""


@pytest.fixture
def keyed(room: Room, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setenv("SOME_VENDOR_API_KEY", CANARY)
    room.options["api_key_env"] = "SOME_VENDOR_API_KEY"
    return room


def chained(error: BaseException | None) -> list[BaseException]:
    """The error and everything behind it, suppressed or not: some reporters print it all."""
    return [] if error is None else [error, *chained(error.__cause__ or error.__context__)]


def test_a_key_the_vendor_echoes_is_in_no_ledger_error_or_log(
    keyed: Room, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    leaking = GOOD.replace("is the whole case", f"and key {CANARY}")
    keyed.server.will(
        echo_authorization(500),
        status(429, f"key {CANARY} is over its limit"),
        drop_connection,
        message(f"Your key is {CANARY}."),
        message(leaking),
    )
    asked = keyed.ask()
    assert keyed.server.requests[0]["headers"]["authorization"] == f"Bearer {CANARY}"
    assert CANARY not in asked.value.case
    keyed.server.will(echo_authorization(401))
    with pytest.raises(CannotAnswer) as told:
        keyed.ask(temperature=0.1)
    assert "[redacted]" in str(told.value)
    assert CANARY not in "".join(map(str, chained(told.value)))
    shown = "".join(traceback.format_exception(told.value)) + caplog.text + "".join(capfd.readouterr())
    assert CANARY not in shown
    rows = keyed.ledger.rows("SELECT * FROM attempts") + keyed.ledger.rows("SELECT * FROM attempt_results")
    assert CANARY not in str(rows)
    texts = [zlib.decompress(row["zlib"]).decode() for row in keyed.ledger.rows("SELECT zlib FROM texts")]  # type: ignore[arg-type]
    assert any(SHEET["sheet"].keys() <= set(text.split('"')) for text in texts)
    assert all(CANARY not in text for text in texts)
    keyed.ledger.close()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert all(CANARY.encode() not in path.read_bytes() for path in files)


@pytest.mark.parametrize("library", ["LiteLLM", "httpx", "openai._base_client"])
def test_what_a_library_logs_about_a_request_is_redacted(
    keyed: Room, caplog: pytest.LogCaptureFixture, library: str
) -> None:
    keyed.server.will(message(GOOD))
    keyed.ask()
    try:
        raise ValueError(f"the proxy said {CANARY}")
    except ValueError:
        logging.getLogger(library).exception("%s was turned away", CANARY)
    assert "[redacted] was turned away" in caplog.text
    assert CANARY not in caplog.text


def test_the_operator_is_told_which_variable_holds_no_key_and_nobody_is_called(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BACKROOM_TEST_KEY")
    with pytest.raises(CannotAnswer, match="BACKROOM_TEST_KEY, which should hold the key for openai/gpt-4o-mini"):
        room.ask()
    assert room.server.requests == []


@pytest.mark.parametrize("option", ["api_key", "extra_headers", "num_retries", "fallbacks", "stream", "drop_params"])
def test_an_option_that_could_hold_a_key_or_hide_a_call_is_refused(option: str) -> None:
    with pytest.raises(ValidationError, match=f"Option {option} of model openai/m is not accepted"):
        ModelSpec(model="openai/m", options={option: "x"})


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Incorrect API key provided: sk-proj-abcd1234efgh", "Incorrect API key provided: [redacted]"),
        ("sent Authorization: Bearer abc.def-123456", "sent Authorization: [redacted]"),
        ("POST https://user:hunter22@host/v1", "POST https://[redacted]@host/v1"),
        ("a risk-free pick; task-sharing; the bearer of news", "a risk-free pick; task-sharing; the bearer of news"),
    ],
)
def test_what_has_the_shape_of_a_key_is_taken_out_and_ordinary_words_stay(text: str, kept: str) -> None:
    assert redact(text) == kept
