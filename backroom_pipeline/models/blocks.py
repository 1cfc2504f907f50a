"""Data blocks of a prompt: JSON between ``<data name="…">`` and ``</data>``, written and read here.

A table block holds its column names on the first line and one JSON array a row; an object block holds one JSON object.
Every string is cleaned, and ``<``, ``>`` and the backtick are \\u-escaped, so that nothing inside a block can end it,
open another, or start a code fence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from backroom_pipeline.models.sanitiser import clean

_NAME = re.compile(r"[a-z][a-z0-9_]*")
# No "<" occurs in a block's body, which makes the search linear.
_BLOCK = re.compile(r'^<data name="([a-z][a-z0-9_]*)">\n([^<]*)\n</data>$', re.MULTILINE)


class BlockError(ValueError):
    """A data block that cannot be written or read; the message names the block."""


def data_block(name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table block, without a final newline. BlockError for a row of the wrong length or a value not in JSON."""
    lines = [_json_line(name, list(columns))]
    for number, row in enumerate(rows, 1):
        if len(row) != len(columns):
            raise BlockError(f"Row {number} of block {name} has {len(row)} values for {len(columns)} columns.")
        lines.append(_json_line(name, [_cleaned(value) for value in row]))
    return _wrapped(name, "\n".join(lines))


def object_block(name: str, value: Mapping[str, Any]) -> str:
    """An object block, without a final newline. Raises BlockError for a value not in JSON."""
    return _wrapped(name, _json_line(name, _cleaned(value)))


class Blocks:
    """The data blocks of a prompt text. Parsed when asked for; a block that is absent or malformed is a BlockError."""

    def __init__(self, text: str) -> None:
        self._bodies: dict[str, str] = {}
        for match in _BLOCK.finditer(text):
            name = match[1]
            if name in self._bodies:
                raise BlockError(f"Block {name} occurs twice in one prompt.")
            self._bodies[name] = match[2]

    @property
    def names(self) -> tuple[str, ...]:
        """Names in the order of the text."""
        return tuple(self._bodies)

    def __contains__(self, name: str) -> bool:
        return name in self._bodies

    def rows(self, name: str) -> list[dict[str, Any]]:
        """A table block as one dictionary a row, keyed by column."""
        columns, *rows = self._parsed(name, "[" + self._body(name).replace("\n", ",") + "]")
        try:
            return [dict(zip(columns, row, strict=True)) for row in rows]
        except (TypeError, ValueError):
            raise BlockError(f"Block {name} has a row that does not fit its {len(columns)} columns.") from None

    def object(self, name: str) -> dict[str, Any]:
        """An object block."""
        value = self._parsed(name, self._body(name))
        if not isinstance(value, dict):
            raise BlockError(f"Block {name} is not an object.")
        return value

    def _body(self, name: str) -> str:
        if name not in self._bodies:
            raise BlockError(f"The prompt has no block {name}; it has {', '.join(self._bodies) or 'none'}.")
        return self._bodies[name]

    @staticmethod
    def _parsed(name: str, text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError as error:
            raise BlockError(f"Block {name} is not JSON: {error}.") from None


def _wrapped(name: str, body: str) -> str:
    if not _NAME.fullmatch(name):
        raise BlockError(f"{name!r} cannot name a block: use lower-case letters, digits and underscores.")
    body = body.replace("<", "\\u003c").replace(">", "\\u003e").replace("`", "\\u0060")
    return f'<data name="{name}">\n{body}\n</data>'


def _json_line(name: str, value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise BlockError(f"Block {name} holds a value that is not JSON: {error}.") from None


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value, limit=None)
    if isinstance(value, Mapping):
        return {clean(str(key), limit=None): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return value
