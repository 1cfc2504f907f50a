"""Good answers made unreadable: what no strict reader may take for an answer, whichever role it is from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Place = tuple[dict[str, Any] | list[Any], str | int]
"""A container and the key or index of a value in it."""

MALFORMED: dict[str, Callable[[Random, str], str]] = {}
NEEDED = {
    "coach": (("rankings",), ("notes",)),
    "assistant": (("sheet",), ("case",), ("sheet", "starting"), ("sheet", "bench"), ("sheet", "captain")),
    "manager": (("sheet",), ("reasoning",), ("claims",), ("sheet", "bench"), ("sheet", "vice_captain")),
}
"""Keys without which an answer of the role is none."""
ALWAYS = {
    "rankings", "enablers", "notes", "player_id", "reason", "sheet", "case", "starting", "bench", "captain",
    "vice_captain", "reasoning", "claims", "text",
}  # fmt: skip
"""Keys whose values have one type and are never null."""
WRONG: dict[type, tuple[Any, ...]] = {
    int: ("7", 7.5, 7.0, True, None, [], {}),
    str: (5, None, [], {}, "", True),
    list: ({}, "x", None, 3),
    dict: ([], "x", None, 3),
}
"""For a value of the type, values that no strict reader takes in its place."""


def _way(name: str) -> Callable[[Callable[[Random, str], str]], Callable[[Random, str], str]]:
    def keep(spoil: Callable[[Random, str], str]) -> Callable[[Random, str], str]:
        MALFORMED[name] = spoil
        return spoil

    return keep


@_way("cut off somewhere")
def _(random: Random, good: str) -> str:
    return good[: random.randrange(len(good.rstrip()) - 1)]


@_way("begun somewhere")
def _(random: Random, good: str) -> str:
    return good[random.randrange(good.index("{") + 1, len(good)) :].replace("{", "(")


@_way("a bracket lost")
def _(random: Random, good: str) -> str:
    place = random.choice([place for place, character in _outside_strings(good) if character in "[]:,{}"])
    return good[:place] + good[place + 1 :]


@_way("a comma too many")
def _(random: Random, good: str) -> str:
    place = random.choice([place for place, character in _outside_strings(good) if character in "]}"])
    return good[:place] + "," + good[place:]


@_way("a remark in it")
def _(random: Random, good: str) -> str:
    place = random.choice([place for place, character in _outside_strings(good) if character == ","])
    return good[: place + 1] + " // the best of them\n" + good[place + 1 :]


@_way("quoted as Python does")
def _(random: Random, good: str) -> str:
    return str(json.loads(good))


@_way("a line break in a word")
def _(random: Random, good: str) -> str:
    place = random.choice([place for place in range(1, len(good)) if good[place - 1].isalpha() and good[place] == " "])
    return good[:place] + random.choice("\n\t\x00\x1f") + good[place + 1 :]


@_way("a value of another type")
def _(random: Random, good: str) -> str:
    answer = json.loads(good)
    container, key = random.choice([place for place in _places(answer) if type(_at(place)) in WRONG and _typed(place)])
    container[key] = random.choice(WRONG[type(container[key])])  # type: ignore[index]
    return json.dumps(answer)


@_way("a needed key missing")
def _(random: Random, good: str) -> str:
    answer = json.loads(good)
    *way, last = random.choice(NEEDED[_role(answer)])
    inner = answer[way[0]] if way else answer
    del inner[last]
    return json.dumps(answer)


@_way("a key nobody knows")
def _(random: Random, good: str) -> str:
    answer = json.loads(good)
    known = [answer, *(_at(place) for place in _places(answer) if isinstance(_at(place), dict))]
    random.choice(known)[random.choice(("confidence", "", "Captain", "__proto__", "\u202e", "x" * 5000))] = 1
    return json.dumps(answer)


@_way("a key twice")
def _(random: Random, good: str) -> str:
    place = random.choice([place for place, character in _outside_strings(good) if character == "{"])
    key, _ = json.JSONDecoder().raw_decode(good, good.index('"', place))
    return good[: place + 1] + f"{json.dumps(key)}: 1, " + good[place + 1 :]


@_way("no number")
def _(random: Random, good: str) -> str:
    constant = random.choice(("NaN", "Infinity", "-Infinity", "1e999", "0x1F", "007", "1_000", "9" * 5000, "7.0", "+7"))
    starts = [place for place, character in _outside_strings(good) if character.isdigit()]
    start = random.choice([place for place in starts if not good[place - 1].isdigit() and good[place - 1] != "-"])
    end = start
    while good[end].isdigit():
        end += 1
    return good[:start] + constant + good[end:]


@_way("words without end")
def _(random: Random, good: str) -> str:
    answer = json.loads(good)
    name = next(name for name in ("notes", "case", "reasoning") if name in answer)
    answer[name] = random.choice(("word " * 1000, "\u0000" * 5000, "🦖" * 4001, ""))
    return json.dumps(answer, ensure_ascii=False)


@_way("two answers")
def _(random: Random, good: str) -> str:
    return good + random.choice(("\n", "\nor rather\n", "")) + random.choice((good, good[: len(good) // 2], "{}"))


@_way("a list of answers")
def _(random: Random, good: str) -> str:
    return f"[{good}, {good}]"


@_way("wrapped in another object")
def _(random: Random, good: str) -> str:
    return json.dumps({random.choice(("answer", "json", "result", "arguments")): json.loads(good)})


@_way("as a string of JSON")
def _(random: Random, good: str) -> str:
    return json.dumps(good)


@_way("no answer at all")
def _(random: Random, good: str) -> str:
    return random.choice(
        (
            "",
            " \n",
            "null",
            "[]",
            "{}",
            "{",
            "}",
            "I cannot decide.",
            "```json\n```",
            "<think>" + good + "</think>",
            "7",
        )
    )


@_way("nested beyond reason")
def _(random: Random, good: str) -> str:
    return random.choice(("[" * 50_000, '{"a":' * 50_000, '{"case": ' + "[" * 50_000, "{" * 50_000))


@_way("far too long")
def _(random: Random, good: str) -> str:
    return good + " " * 200_000 + "."


@_way("half a character")
def _(random: Random, good: str) -> str:
    end = good.rindex('"')
    return good[:end] + random.choice(("\ud800", r"\ud83e", r"\u12", r"\x41", "\\")) + good[end:]


def _outside_strings(text: str) -> Iterator[tuple[int, str]]:
    inside = escaped = False
    for place, character in enumerate(text):
        if inside:
            inside, escaped = (character != '"' or escaped), character == "\\" and not escaped
        elif character == '"':
            inside = True
        else:
            yield place, character


def _places(value: Any) -> Iterator[Place]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key
        yield from _places(item)


def _at(place: Place) -> Any:
    container, key = place
    return container[key]  # type: ignore[index]


def _typed(place: Place) -> bool:
    """Whether only one type will do there; chips and terms of promises may be null or left out."""
    container, key = place
    if isinstance(container, list):
        return not isinstance(_at(place), str)
    return key in ALWAYS and "kind" not in container


def _role(answer: dict[str, Any]) -> str:
    return "coach" if "rankings" in answer else "assistant" if "case" in answer else "manager"
