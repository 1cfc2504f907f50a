"""Phrases that mean the same, written down as people say them and compiled into one pattern.

``sell*`` is any form of the verb, ``[well]`` may be left out, ``up/down`` is either, ``~`` is up to three other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

_IRREGULAR = {
    "be": "is are am was were being been 's 're 'm",
    "become": "became",
    "bid": "bid",
    "bite": "bit bitten",
    "bring": "brought",
    "build": "built",
    "burn": "burnt",
    "buy": "bought",
    "come": "came",
    "cut": "cut",
    "do": "does did done",
    "draw": "drew drawn",
    "fall": "fell fallen",
    "forgo": "forgoes forwent forgone",
    "get": "got gotten",
    "give": "gave given",
    "go": "goes went gone",
    "hang": "hung",
    "have": "has had 's 've",
    "hit": "hit",
    "hold": "held",
    "keep": "kept",
    "lead": "led",
    "leave": "left",
    "let": "let",
    "lie": "lying lay lain",
    "make": "made",
    "own": "owned",
    "pay": "paid",
    "put": "put",
    "ride": "rode ridden",
    "sell": "sold",
    "set": "set",
    "shed": "shed",
    "show": "shown",
    "sit": "sat",
    "spend": "spent",
    "stand": "stood",
    "stick": "stuck",
    "swear": "swore sworn",
    "take": "took taken",
    "throw": "threw thrown",
    "transfer": "transferred transferring",
    "wear": "wore worn",
}


def forms_of(verb: str) -> set[str]:
    """A verb with its endings: sell, sells, selling, sold."""
    forms = {verb, *_IRREGULAR.get(verb, "").split()}
    if verb == "be":
        return forms
    doubled = verb + verb[-1] if re.search(r"^[^aeiou]*[aeiou][^aeiouwxy]$", verb) else verb
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else doubled
    forms.add(stem + "ing")
    if verb not in _IRREGULAR:
        past = verb[:-1] + "ied" if re.search(r"[^aeiou]y$", verb) else stem + "ed"
        forms.add(past)
    if verb not in ("have", "go", "do", "forgo"):
        third = verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"
        forms.add(verb + "es" if re.search(r"(?:s|x|ch|sh|z|o)$", verb) else third)
    return forms


def pattern_of(phrases: Iterable[str]) -> str:
    """The regular expression that matches any of the phrases as whole words."""
    written = "|".join(map(_phrase, sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))))
    return rf"(?<![\w'<-])(?:{written})(?!\w|-(?!free))"


class Lexicon:
    """Phrases of one meaning, but not those of ``but_not``, in which the same words mean something else.

    Both are texts with the phrases between commas; a line that begins with # is a comment.
    """

    def __init__(self, phrases: str, but_not: str = "") -> None:
        self._phrases = phrases
        self._but_not = but_not

    # Compiled when first used: most commands that import this read no sentence.
    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The phrases as one pattern."""
        return re.compile(pattern_of(_phrases(self._phrases)))

    @cached_property
    def _other(self) -> re.Pattern[str] | None:
        return re.compile(pattern_of(_phrases(self._but_not))) if self._but_not else None

    def found_in(self, text: str) -> bool:
        """Whether prepared text says any of the phrases."""
        return self.pattern.search(self._other.sub(" ", text) if self._other else text) is not None

    def count_in(self, text: str) -> int:
        """How often prepared text says any of the phrases."""
        return len(self.pattern.findall(self._other.sub(" ", text) if self._other else text))

    def taken_from(self, text: str, instead: str = " ") -> str:
        """The text with ``instead`` in place of each phrase."""
        return self.pattern.sub(instead, text)


def _phrases(text: str) -> list[str]:
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return [" ".join(phrase.split()) for phrase in ",".join(lines).split(",") if phrase.strip()]


def _phrase(phrase: str) -> str:
    written = ""
    for word in phrase.split(" "):
        if word == "~":
            written += r"(?: [^\s,;:.]+){0,3}?"
            continue
        optional = word.startswith("[")
        step = ("" if not written else " ") + _word(word.strip("[]"))
        if optional and not written:
            written = f"(?:{_word(word.strip('[]'))} )?"
        elif written.endswith(" )?"):
            written += _word(word)
        else:
            written += f"(?:{step})?" if optional else step
    return written


def _word(word: str) -> str:
    choices: set[str] = set()
    for choice in word.split("/"):
        choices |= forms_of(choice[:-1]) if choice.endswith("*") else {choice}
    longest_first = sorted(map(re.escape, choices), key=lambda choice: (-len(choice), choice))
    return longest_first[0] if len(longest_first) == 1 else f"(?:{'|'.join(longest_first)})"
