"""Keys taken out of every text before it is stored, logged or shown."""

from __future__ import annotations

import logging
import os
import re
from functools import lru_cache
from urllib.parse import quote

REDACTED = "[redacted]"

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_SHORTEST_SECRET = 8
"""A shorter value is a setting ("true", "1") rather than a key, and replacing it would garble ordinary words."""
# Shapes of keys that are in no variable of ours: a vendor's masked echo, another account's key in a proxy's error.
_SECRET_SHAPE = re.compile(
    r"\bsk-[\w*-]{6,}|\bBearer\s+[\w.*~+/=-]{8,}|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)|\bAIza[\w-]{20,}"
)

_protected: set[str] = set()


def protect(variable: str) -> None:
    """Take the value of this environment variable for a secret, whatever the variable is called."""
    _protected.add(variable)


def storable(text: str) -> str:
    """Without keys, and without the lone surrogates that JSON can smuggle in and UTF-8 cannot hold."""
    return redact(text.encode("utf-8", "backslashreplace").decode())


def redact(text: str) -> str:
    """The text without the value of any environment variable that is named like a secret, nor anything key-shaped."""
    for value in _secret_values():
        text = _spellings(value).sub(REDACTED, text)
    return _SECRET_SHAPE.sub(REDACTED, text)


@lru_cache(maxsize=64)
def _spellings(value: str) -> re.Pattern[str]:
    """The value as it is, as an address holds it, and inside JSON inside JSON, to whatever depth."""
    escaped = r"\\*".join(map(re.escape, value))
    return re.compile(f"{escaped}|{re.escape(quote(value, safe=''))}")


class RedactingFilter(logging.Filter):
    """For the loggers of libraries that write about requests."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redact(record.getMessage()), ()
        # A traceback quotes the request, and a handler would format it later, unredacted.
        record.exc_info = record.exc_text = record.stack_info = None
        return True


def _secret_values() -> list[str]:
    """Longest first, so that a key which contains another one leaves no rest."""
    named = (value for name, value in os.environ.items() if _SECRET_NAME.search(name) or name in _protected)
    return sorted({value for value in named if len(value) >= _SHORTEST_SECRET}, key=lambda value: (-len(value), value))
