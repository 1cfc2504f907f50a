"""Who is meant: names of players and clubs in a sentence, without accents, told apart by club where they collide."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import cache
from importlib import resources
from typing import NamedTuple, cast
from zlib import crc32

from backroom_pipeline.fpl.model import Player, Position
from backroom_pipeline.memory.commitments import patterns

NOBODY = 0
"""The id of somebody who was named but is none of the roster: nobody owns, buys or captains him."""
_ABSENT_FROM = 1_000_000
"""Well-known players missing from the roster are numbered from here, so that two of them are not one."""
_STRANGERS_FROM = 2_000_000
"""Namesakes of players in the roster are numbered from here."""

_UNDECOMPOSED = str.maketrans("øØđĐłŁıæÆœŒßþÞðÐ", "oOdDlLiaAoOstTdD")


def folded(text: str) -> str:
    """The text without accents, character for character, so that positions stay the same."""
    return "".join(unicodedata.normalize("NFKD", character)[0] for character in text.translate(_UNDECOMPOSED))


class Named(NamedTuple):
    """A player as the parser of sentences needs him."""

    id: int
    name: str
    club: str
    """Empty when it is not known: then a club named beside him does not rule him out."""
    position: Position | None = None


class _Mention(NamedTuple):
    """A stretch of the sentence that names a club or somebody; ``name`` as listed in the roster's tables."""

    start: int
    end: int
    name: str


class WellKnown(NamedTuple):
    """A player whom people know by several names, the full one first; club and position as of the season listed."""

    names: tuple[str, ...]
    club: str
    position: Position

    @property
    def usual_name(self) -> str:
        """The short name, where it is his alone."""
        full, *others = self.names
        return full if not others or "." in others[0] else others[0]


class _Known(NamedTuple):
    clubs: dict[str, str]
    """Every name of a club to its short name."""
    people: tuple[WellKnown, ...]
    game_words: frozenset[str]
    openers: frozenset[str]
    first_names: frozenset[str]


def _words(lines: object) -> frozenset[str]:
    return frozenset(word for line in cast("list[list[str]]", lines) for word in line)


@cache
def _known() -> _Known:
    import yaml

    text = resources.files("backroom_pipeline.memory.commitments").joinpath("names.yaml").read_text(encoding="utf-8")
    data = cast("dict[str, object]", yaml.safe_load(text))
    clubs = cast("dict[str, list[str]]", data["clubs"])
    squads = cast("dict[str, dict[Position, list[list[str]]]]", data["players"])
    return _Known(
        {_plain(name): short for short, names in clubs.items() for name in (short, *names)},
        tuple(
            WellKnown(tuple(names), club, position)
            for club, lines in squads.items()
            for position, people in lines.items()
            for names in people
        ),
        _words(data["words of the game"]),
        _words(data["openers"]),
        _words(data["first names"]),
    )


def is_known(name: str) -> bool:
    """Whether the name is that of a club or of a well-known player."""
    known, plain = _known(), _plain(name)
    return plain in known.clubs or any(plain in map(_plain, person.names) for person in known.people)


def well_known() -> tuple[WellKnown, ...]:
    """Players whom people know by several names."""
    return _known().people


def words_written_with_a_capital() -> frozenset[str]:
    """Words of the game that are no names though people write them with a capital, in lower case."""
    return _known().game_words


def words_that_open_sentences() -> frozenset[str]:
    """Words that open sentences where a name might, in lower case."""
    return _known().openers


class Roster:
    """The players and clubs a sentence may speak of.

    ``prefer`` are ids that win when a name fits several players and no club tells them apart: the own squad.
    """

    def __init__(self, people: Iterable[Named], prefer: Collection[int] = ()) -> None:
        self._prefer = frozenset(prefer)
        self._spelling: dict[str, str] = {}
        """Short name of a club to the name this roster uses for it."""
        self._listed: dict[str, list[Named]] = {}
        self._also: dict[str, list[Named]] = {}
        self._well_known: set[int] = set()
        """Which of the well-known players are listed, by their places."""
        self._words: dict[int, frozenset[str]] = {}
        """The words of everybody's full names, where one is known."""
        self.positions: dict[int, Position] = {}
        self.clubs: dict[int, str] = {}
        known = _known()
        for person in people:
            name = _plain(person.name)
            if person.club:
                self.clubs[person.id] = person.club
            if person.position is not None:
                self.positions[person.id] = person.position
            short = known.clubs.get(_plain(person.club))
            if short is not None:
                self._spelling[short] = person.club
            self._listed.setdefault(name, []).append(person)
            bearers = _bearers(person)
            self._well_known.update(bearers)
            others = {other for bearer in bearers for other in _nicknames()[bearer]}
            for form in sorted((_parts(name) | others) - {name}):
                self._also.setdefault(form, []).append(person)
            self._words[person.id] = _words_of_full_names((name, *others))
        self._absent: dict[str, int] = {}
        for number, names in enumerate(_nicknames()):
            if number not in self._well_known:
                for name in names:
                    if name not in self._also and name not in self._listed:
                        self._absent.setdefault(name, _ABSENT_FROM + number)
        self._player_pattern = _any_of({*self._listed, *self._also, *self._absent})
        self._club_pattern = _any_of(known.clubs)

    @classmethod
    def of(cls, players: Iterable[Player], prefer: Collection[int] = ()) -> Roster:
        """The roster of a gameweek's pool."""
        return cls((Named(p.id, p.web_name, p.club, p.position) for p in players), prefer)

    def spelled(self, short: str) -> str:
        """The name this roster uses for a club of the given short name."""
        return self._spelling.get(short, short)

    def lists(self, well_known_at: int) -> bool:
        """Whether the well-known player of this place in ``well_known()`` is listed, by whatever name."""
        return well_known_at in self._well_known

    def marked(self, sentence: str) -> str:
        """The sentence in lower case without accents, players as ``<p7>`` and clubs as ``<c:ARS>``.

        ``<p?>`` is somebody whose name fits several players. A club that only says which player is meant is left out.
        """
        original = folded(sentence.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
        lower = original.lower()
        players = _mentions(self._player_pattern, original, lower)
        clubs = [
            club
            for club in _mentions(self._club_pattern, original, lower)
            if not any(club.start < player.end and player.start < club.end for player in players)
        ]
        marks: list[tuple[int, int, str]] = []
        for player in players:
            beside = _club_beside(player, clubs, lower)
            start, end, short = player.start, player.end, None
            if beside is not None:
                clubs.remove(beside)
                short = _known().clubs[beside.name]
                if lower.startswith(" one", beside.end):
                    marks.append((beside.start, _end_of_apposition(lower, beside.end), ""))
                elif beside.start > player.start:
                    end = _end_of_apposition(lower, beside.end)
                else:
                    start = beside.start
            chosen = self._by_position(player, lower) if beside is None else None
            if chosen is None:
                chosen = self._chosen(player.name, short)
            if beside is None and (first_name := self._of_somebody_else(player, chosen, lower)):
                start, chosen = start - len(first_name) - 1, _stranger(f"{first_name} {player.name}")
            marks.append((start, end, f"<p{'?' if chosen is None else chosen}>"))
        for club in clubs:
            short = _known().clubs[club.name]
            marks.append((club.start, club.end, f"<c:{self._spelling.get(short, short)}>"))
        marked, at = "", 0
        for start, end, mark in sorted(marks):
            marked += lower[at:start] + mark
            at = end
        return marked + lower[at:]

    def _by_position(self, player: _Mention, lower: str) -> int | None:
        """Who is meant when a position tells two of one name apart: "Gabriel, the striker"."""
        said = _POSITION_BESIDE.match(lower, player.end)
        if said is None:
            return None
        position = next(position for word, position in _POSITIONS.items() if word in said.group(1))
        people = {person for table in (self._listed, self._also) for person in table.get(player.name, [])}
        fitting = sorted(person.id for person in people if person.position == position)
        return fitting[0] if len(fitting) == 1 and len(people) > 1 else None

    def _of_somebody_else(self, player: _Mention, chosen: int | None, lower: str) -> str | None:
        """The first name that shows a namesake to be meant: "Jordan Henderson" is not Dean Henderson."""
        before = _WORD_BEFORE.search(lower, 0, player.start)
        words = self._words.get(chosen or NOBODY)
        if before is None or not words or before.group(1) not in _first_names():
            return None
        # Spellings and short forms begin alike: Mohammed and Mohamed, Danny and Daniel.
        return None if any(word[:2] == before.group(1)[:2] for word in words) else before.group(1)

    def _chosen(self, name: str, short: str | None) -> int | None:
        """The player meant: None when several fit, NOBODY when the club named beside him rules all of them out."""
        club = None if short is None else self._spelling.get(short, short)
        # The name a player is listed under is his before it is anybody else's nickname or part of a name.
        for people in (self._listed.get(name, []), self._also.get(name, [])):
            fitting = [person for person in people if club is None or person.club in (club, "")]
            preferred = [person for person in fitting if person.id in self._prefer]
            for choice in (fitting, preferred):
                if len(choice) == 1:
                    return choice[0].id
            if fitting:
                return None
        return self._absent.get(name, NOBODY)


_POSITIONS: dict[str, Position] = {
    "keeper": "GK",
    "defender": "DEF",
    "half": "DEF",
    "centre-back": "DEF",
    "back": "DEF",
    "midfielder": "MID",
    "winger": "MID",
    "striker": "FWD",
    "forward": "FWD",
}
_POSITION_BESIDE = re.compile(
    r"[^,.;:<-]{0,40}(?:,| -| \(|:) ?(?:i mean )?(?:the|my) (?:\w+ )?"
    r"((?:goal)?keeper|defender|cent(?:re|er)[- ](?:half|back)"
    r"|(?:left|right)[- ]back|midfielder|winger|striker|forward)\b"
)
_REST_OF_APPOSITION = re.compile(
    r"(?: (?:one|man|player|striker|keeper|goalkeeper|defender|midfielder|forward|winger|left back|right back"
    r"|cent(?:re|er)[- ](?:half|back|forward)))?(?:,? (?:i mean|i'm talking about|i'm thinking of"
    r"|that is))?(?:,|\))?(?= |$|\.)"
)
_BEFORE_A_NAME = re.compile(r"(?:'s?)?\s+(?:(?:man|player|striker|keeper|defender|midfielder)\s+)?")
_AFTER_A_NAME = re.compile(r" (?:of |from |at )(?:the )?|, (?:the )?(?:one (?:of|from|at) )?| ?\((?:the )?")
_LATER_ON = re.compile(r"[^,.;:<]{0,24},? (?:\(|i mean |and (?:it's|that's|i mean) )?the ")


def _end_of_apposition(lower: str, at: int) -> int:
    rest = _REST_OF_APPOSITION.match(lower, at)
    return rest.end() if rest else at


def _plain(name: str) -> str:
    return folded(name).lower()


def _parts(name: str) -> set[str]:
    """What may stand for a name: without its initial, without the first word, the first or the last word alone."""
    whole = patterns.sub(r"^(?:[a-z]\.\s*)+", "", name)
    words = whole.split()
    forms = {whole, words[0], words[-1], " ".join(words[1:])} if words else set[str]()
    return {form for form in forms if len(form) > 2 and form not in ("van", "von", "dos")}


@cache
def _nicknames() -> tuple[tuple[str, ...], ...]:
    """The names of well-known players as they are compared."""
    return tuple(
        tuple(dict.fromkeys(form for name in person.names for form in (_plain(name), _plain(name).rstrip("."))))
        for person in _known().people
    )


@cache
def _first_names() -> frozenset[str]:
    full = [names[0].split() for names in _nicknames()]
    return _known().first_names | {words[0] for words in full if len(words) > 1}


_WORD_BEFORE = re.compile(r"(?<![\w'-])([a-z]+) $")


def _stranger(name: str) -> int:
    """A number for somebody who is in no list, the same wherever he is named."""
    return _STRANGERS_FROM + crc32(name.encode()) % 1_000_000


def _bearers(person: Named) -> list[int]:
    """Places of the well-known player that somebody is listed as.

    Of several with that name he is the one of his club and position, else the one who is called so first of all.
    """
    name, short = _plain(person.name), _known().clubs.get(_plain(person.club))
    people = list(enumerate(well_known()))
    in_full = [at for at, _ in people if name == _nicknames()[at][0]]
    called = in_full or [at for at, _ in people if name in _nicknames()[at]]
    for alike in (
        [at for at in called if short in (None, people[at][1].club)],
        [at for at in called if person.position in (None, people[at][1].position)],
    ):
        called = [at for at in called if at in alike] or called
    return sorted(called, key=lambda at: _nicknames()[at].index(name))[:1]


def _words_of_full_names(names: Iterable[str]) -> frozenset[str]:
    return frozenset(word for name in names if " " in name for one in names for word in one.split())


def _any_of(names: Collection[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(
        rf"(?:(?<=no-)|(?<![\w'-]))(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w|-(?!free))"
    )


def _mentions(pattern: re.Pattern[str], original: str, lower: str) -> list[_Mention]:
    """Names begin with a capital, which tells Rice from rice; a particle (van Dijk) may be written small.

    In a sentence without any capital every name is written small, and only words of everyday use are none.
    """
    small = original == lower
    return [
        _Mention(match.start(), match.end(), match.group())
        for match in pattern.finditer(lower)
        if (small and match.group() not in _EVERYDAY)
        or original[match.start()].isupper()
        or (" " in match.group() and any(map(str.isupper, original[match.start() : match.end()])))
    ]


_EVERYDAY = frozenset(
    (
        *("back", "barnes", "best", "burn", "cash", "cook", "day", "field", "forest", "hall", "hill", "king", "little"),
        *("long", "may", "mount", "small", "son", "stones", "united", "walker", "ward", "white", "wood", "young"),
    )
)
"""Names that are words, too."""


def _club_beside(player: _Mention, clubs: list[_Mention], lower: str) -> _Mention | None:
    """The club that says which player is meant: "United's Bruno", "Bruno of Newcastle", "Gabriel, the Arsenal one"."""
    for club in clubs:
        if club.end <= player.start and _BEFORE_A_NAME.fullmatch(lower, club.end, player.start):
            return club
        if club.start < player.end:
            continue
        if _AFTER_A_NAME.fullmatch(lower, player.end, club.start):
            return club
        if lower.startswith(" one", club.end) and _LATER_ON.fullmatch(lower, player.end, club.start):
            return club
    return None
