"""Calls to language models in the ledger: a row before each, a row after, and the texts by hash."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, cast

from backroom_pipeline.ledger.canonical import sha256_of
from backroom_pipeline.ledger.rows import Attempt, AttemptResult, CallRow
from backroom_pipeline.ledger.store import Ledger, LedgerError

_ATTEMPT = tuple(Attempt.model_fields)
_RESULT = tuple(AttemptResult.model_fields)


def put_text(ledger: Ledger, text: str) -> str:
    """Keep a prompt or an answer, once; its sha256."""
    sha256 = sha256_of(text)
    ledger.append("texts", [{"sha256": sha256, "zlib": zlib.compress(text.encode())}], ignore_existing=True)
    return sha256


def put_texts(ledger: Ledger, texts: Sequence[str]) -> list[str]:
    """Keep several texts, each once; their sha256s in order. Those already kept are not compressed again."""
    named = {sha256_of(text): text for text in texts}
    places = ", ".join("?" * len(named))
    found = ledger.rows(f"SELECT sha256 FROM texts WHERE sha256 IN ({places})", list(named)) if named else []
    held = {row["sha256"] for row in found}
    missing = [(sha256, text) for sha256, text in named.items() if sha256 not in held]
    rows = [{"sha256": sha256, "zlib": zlib.compress(text.encode())} for sha256, text in missing]
    ledger.append("texts", rows, ignore_existing=True)
    return [sha256_of(text) for text in texts]


def text(ledger: Ledger, sha256: str) -> str:
    """The text with that hash. Raises LedgerError when the ledger does not hold it."""
    found = ledger.rows("SELECT zlib FROM texts WHERE sha256 = ?", [sha256])
    if not found:
        raise LedgerError(f"The ledger holds no text with sha256 {sha256}.")
    return zlib.decompress(cast(bytes, found[0]["zlib"])).decode()


def start_attempt(ledger: Ledger, attempt: Attempt) -> None:
    """Record that a model is about to be called."""
    ledger.append("attempts", [attempt.model_dump()])


def end_attempt(ledger: Ledger, result: AttemptResult) -> None:
    """Record how a call ended. Raises LedgerError when it was never started."""
    if not ledger.rows("SELECT 1 FROM attempts WHERE attempt_id = ?", [result.attempt_id]):
        raise LedgerError(f"Attempt {result.attempt_id} ended without having been started; record the start first.")
    ledger.append("attempt_results", [result.model_dump()])


def calls(
    ledger: Ledger,
    season: str,
    gameweek: int | None = None,
    manager: str | None = None,
    role: str | None = None,
) -> list[CallRow]:
    """Attempts with their results, in the order of gameweek, manager, role and number."""
    found = ledger.rows(
        "SELECT * FROM calls WHERE season = ? AND gameweek = coalesce(?, gameweek) "
        "AND manager = coalesce(?, manager) AND role = coalesce(?, role) ORDER BY gameweek, manager, role, number",
        [season, gameweek, manager, role],
    )
    return [CallRow(attempt=_attempt(row), result=_result(row)) for row in found]


def next_number(ledger: Ledger, season: str, gameweek: int, manager: str, role: str) -> int:
    """The number the next attempt under this key has."""
    found = ledger.rows(
        "SELECT coalesce(max(number), 0) + 1 AS number FROM attempts "
        "WHERE season = ? AND gameweek = ? AND manager = ? AND role = ?",
        [season, gameweek, manager, role],
    )
    return cast(int, found[0]["number"])


def stored_results(
    ledger: Ledger, season: str, gameweek: int, manager: str, role: str, request_sha256: str
) -> list[tuple[Attempt, AttemptResult]]:
    """The ended attempts at one request, oldest first: what a crash between answer and commit left behind."""
    return [
        (call.attempt, call.result)
        for call in calls(ledger, season, gameweek, manager, role)
        if call.result is not None and call.attempt.request_sha256 == request_sha256
    ]


def _attempt(row: Mapping[str, object]) -> Attempt:
    return Attempt(**cast(dict[str, Any], {name: row[name] for name in _ATTEMPT}))


def _result(row: Mapping[str, object]) -> AttemptResult | None:
    if row["status"] == "pending":
        return None
    return AttemptResult(**cast(dict[str, Any], {name: row[name] for name in _RESULT}))
