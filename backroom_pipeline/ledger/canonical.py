"""One spelling for each value, so that equal facts have equal hashes on every machine."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime

from pydantic import BaseModel

from backroom_pipeline.ledger.errors import LedgerError


def canonical_json(value: object) -> str:
    """JSON with sorted keys, no spaces, times as UTC, no NaN.

    Raises LedgerError for a time without a zone.
    """
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="python")
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_time_as_text
    )


def sha256_of(text: str) -> str:
    """Hex sha256 of the UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


def in_utc(moment: datetime) -> datetime:
    """The same instant in UTC. Raises LedgerError for a time without a zone, which is no instant."""
    if moment.tzinfo is None:
        raise LedgerError(f"{moment.isoformat()} has no time zone; the ledger keeps instants, so give it one (UTC).")
    return moment.astimezone(UTC)


def _time_as_text(value: object) -> str:
    if isinstance(value, datetime):
        return in_utc(value).isoformat()
    raise TypeError(f"{type(value).__name__} has no canonical spelling.")
