"""Untrusted words (player news, names, a model's own recalled sentences) made harmless before a prompt shows them.

Cleaning removes what a reader cannot see and a model can: control, bidirectional, zero-width and unassigned
characters, tags and variation selectors, blank letters. What is left is visible text on one line. Delimiters are the
block writer's business (blocks.py escapes them).
"""

from __future__ import annotations

import unicodedata

SANITISER_VERSION = 1
"""Part of every prompt's hash. Raise it whenever ``clean`` or the block writer gives other text for the same input."""

NEWS_CHARACTERS = 200
"""Length to which foreign text is cut; pass ``limit=None`` for words the contest itself stored."""

# Letters and marks that print nothing: they pass every category test and can hide or fake a word boundary.
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def clean(text: str, limit: int | None = NEWS_CHARACTERS) -> str:
    """Visible characters only, NFC, white space as single spaces, cut to ``limit`` characters with an ellipsis."""
    if not (text.isascii() and text.isprintable()):
        spaced = "".join(" " if character.isspace() else character for character in text)
        text = unicodedata.normalize("NFC", "".join(filter(_is_visible, spaced)))
    text = " ".join(text.split())
    if limit is not None and len(text) > limit:
        text = text[: limit - 1].rstrip() + "…"
    return text


def _is_visible(character: str) -> bool:
    return unicodedata.category(character) not in _INVISIBLE_CATEGORIES and character not in _BLANK
