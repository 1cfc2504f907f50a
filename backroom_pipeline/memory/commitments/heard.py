"""Players heard of in sentences that come without a roster: capitalised names that are no club, chip or plain word."""

from __future__ import annotations

import re
from collections.abc import Iterable

from backroom_pipeline.memory.commitments.names import (
    Named,
    Roster,
    folded,
    is_known,
    well_known,
    words_that_open_sentences,
    words_written_with_a_capital,
)

_FIRST_ID = 500_000
_WELL_KNOWN_ID = 600_000
"""Far above the ids of any season's pool and below those of well-known players without one."""

_WORD = r"[A-Z][\w'-]*"
_NAME = re.compile(rf"(?<![\w'-]){_WORD}(?: (?:(?:van|de|der|dos|da|di|le|la|el|al|ter) )*{_WORD})*")
_FOLLOWED_LIKE_A_NAME = re.compile(
    r"(?:'s)? (?:is|isn't|was|has|hasn't|will|won't|would|can|can't|cannot|does|doesn't|never|always|only"
    r"|stays?|starts?"
    r"|gets?|goes|comes?|leaves|keeps|takes|wears|leads|sits|plays?|captains?|remains|makes|(?:and|or) [A-Z])\b"
)


def heard_in(sentences: Iterable[str], known: Iterable[Named] = ()) -> list[Named]:
    """Everybody named in the sentences who is neither in ``known`` nor a well-known player, numbered by name.

    Nothing is known of their clubs.
    """
    texts = [sentence.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") for sentence in sentences]
    listed = Roster(known)
    found: set[str] = set()
    written_small = {word for text in texts for word in re.findall(r"(?<![\w'-])[a-z][\w'-]*", folded(text))}
    for text in texts:
        found.update(name for name in _names(text) if _is_new(name, listed, written_small))
    # "Wilson" and "Harry Wilson" are one man.
    names = sorted(name for name in found if not any(name != other and name in other.split(" ") for other in found))
    return [Named(number, name, "") for number, name in enumerate(names, _FIRST_ID)]


def well_known_beside(people: Iterable[Named]) -> list[Named]:
    """Well-known players who are none of the people, each under the name by which he is listed most."""
    listed = Roster(people)
    return [
        Named(_WELL_KNOWN_ID + at, person.usual_name, listed.spelled(person.club), person.position)
        for at, person in enumerate(well_known())
        if not listed.lists(at)
    ]


def _is_new(name: str, listed: Roster, written_small: set[str]) -> bool:
    """Whether the name is nobody's yet, and no word that the sentences also write without a capital."""
    return not is_known(name) and folded(name).lower() not in written_small and "<p" not in listed.marked(name)


def _names(text: str) -> list[str]:
    names: list[str] = []
    for match in _NAME.finditer(folded(text)):
        name = text[match.start() : match.end()]
        opens = match.start() == 0 or text[: match.start()].rstrip()[-1:] in (".", "!", "?", ";", ":")
        words = [word.removesuffix("-free").removesuffix("'s").removesuffix("'") for word in name.split(" ")]
        while words and _is_no_name(words[0], opens):
            words, opens = words[1:], False
        while words and _is_no_name(words[-1], False):
            words = words[:-1]
        if not words or (opens and len(words) == 1 and not _FOLLOWED_LIKE_A_NAME.match(text, match.end())):
            continue
        names.append(" ".join(words))
    return names


def _is_no_name(word: str, opens: bool) -> bool:
    lower = word.lower()
    plain = re.split(r"['-]", lower)[0]
    return (
        (plain in words_written_with_a_capital() or lower in words_written_with_a_capital())
        or re.fullmatch(r"gws?\d.*|i|i'\w+", lower) is not None
        or (opens and (plain in words_that_open_sentences() or plain.endswith(("ing", "ed", "ity", "ence", "tion"))))
        or (word.isupper() and len(word) <= 3 and word not in ("VVD", "KDB", "TAA", "DCL", "MGW", "JP"))
    )
