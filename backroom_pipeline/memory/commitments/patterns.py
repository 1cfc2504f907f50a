"""Regular expressions that stay compiled: reading a sentence takes more of them than the standard library keeps."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def compiled(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(pattern)


def search(pattern: str, text: str) -> re.Match[str] | None:
    return compiled(pattern).search(text)


def match(pattern: str, text: str) -> re.Match[str] | None:
    return compiled(pattern).match(text)


def fullmatch(pattern: str, text: str) -> re.Match[str] | None:
    return compiled(pattern).fullmatch(text)


def findall(pattern: str, text: str) -> list[Any]:
    return compiled(pattern).findall(text)


def sub(pattern: str, instead: str | Callable[[re.Match[str]], str], text: str) -> str:
    return compiled(pattern).sub(instead, text)
