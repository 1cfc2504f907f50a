"""What one role is asked in one gameweek, beside the public part: its own text, and the form of the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Question:
    """The private part of a prompt; ``schema`` narrows the contract's own for this request, where there is a menu."""

    private: str
    schema: dict[str, Any] | None = None
