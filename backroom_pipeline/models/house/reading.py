"""What a house persona can see: the data blocks of the prompt it was given, as typed values, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from backroom_pipeline.fpl.model import POSITIONS, Position
from backroom_pipeline.models.blocks import Blocks
from backroom_pipeline.models.house.short_forms import first_choice, matches_in, players_in

ROLE = re.compile(r"\AROLE: (coach|assistant|manager)\b")


class UnreadablePromptError(ValueError):
    """The prompt lacks something a house persona cannot do without; the sentence says what."""


@dataclass(frozen=True, slots=True)
class Match:
    """One coming match of a club."""

    opponent: str
    home: bool
    difficulty: int


@dataclass(frozen=True, slots=True)
class Seen:
    """One player as the prompt shows him. Money in tenths; ``chance`` in percent, None when there is no news."""

    player_id: int
    name: str
    club: str
    position: Position
    price: int
    status: str = "a"
    chance: int | None = None
    selected_by: float | None = None
    matches: int = 0
    minutes: int = 0
    starts: int = 0
    points: int = 0
    goals: int = 0
    assists: int = 0
    clean_sheets: int = 0
    saves: int = 0
    bonus: int = 0
    dc: int = 0
    xg: float = 0.0
    xa: float = 0.0
    xgc: float = 0.0
    r_matches: int = 0
    r_minutes: int = 0
    r_points: int = 0
    r_xg: float = 0.0
    r_xa: float = 0.0
    r_xgc: float = 0.0
    purchase_price: int | None = None
    sale_price: int | None = None
    rank: int | None = None
    reason: str = ""

    @property
    def owned(self) -> bool:
        return self.sale_price is not None


@dataclass(frozen=True, slots=True)
class Window:
    """A chip that can still be played, and in which gameweeks."""

    chip: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Promise:
    """An open commitment of this manager, as STANDING_COMMITMENTS shows it."""

    made_in: int
    text: str
    terms: Mapping[str, Any]
    kept: tuple[int, ...] = ()
    broken: tuple[int, ...] = ()

    @property
    def kind(self) -> str:
        return str(self.terms.get("kind", "free_text"))

    @property
    def first(self) -> int:
        return int(self.terms.get("first", 1))

    @property
    def last(self) -> int:
        return int(self.terms.get("last", 38))

    @property
    def player_id(self) -> int | None:
        return cast("int | None", self.terms.get("player_id"))


@dataclass(frozen=True, slots=True)
class Recollection:
    """A recalled record: the persona's own earlier words and how that week turned out."""

    gameweek: int
    category: str
    text: str
    result: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A team sheet in plain values."""

    starting: tuple[int, ...]
    bench: tuple[int, ...]
    captain: int
    vice_captain: int
    chip: str | None

    def as_json(self) -> dict[str, object]:
        return {
            "starting": list(self.starting),
            "bench": list(self.bench),
            "captain": self.captain,
            "vice_captain": self.vice_captain,
            "chip": self.chip,
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """One prompt, read."""

    role: str
    season: str
    gameweek: int
    last_gameweek: int
    early: bool
    """True in gameweek 1: the statistics are last season's."""
    club_limit: int
    hit_cost: int
    free_transfer_cap: int
    top_ups: Mapping[int, int]
    fixtures: Mapping[str, Mapping[int, tuple[Match, ...]]]
    """Club to gameweek to matches; a gameweek missing for a club is one without a match for it."""
    weeks: tuple[int, ...]
    """The coming gameweeks for which fixtures are shown, this one first."""
    blanks_doubles: tuple[tuple[int, str, int], ...]
    opening: bool
    bank: int = 0
    free_transfers: int = 1
    chips_playable: tuple[str, ...] = ()
    chips_left: tuple[Window, ...] = ()
    players: tuple[Seen, ...] = ()
    """Coach: the pool. Assistant and manager: everybody they see, squad first, each once."""
    ranking: tuple[Seen, ...] = ()
    promises: tuple[Promise, ...] = ()
    own_sheets: tuple[Recollection, ...] = ()
    memory: tuple[Recollection, ...] = ()
    proposal: Sheet | None = None
    form: Mapping[str, Any] = field(default_factory=dict)
    breaches: tuple[str, ...] = ()

    def matches(self, club: str, gameweek: int) -> tuple[Match, ...]:
        return self.fixtures.get(club, {}).get(gameweek, ())

    def by_id(self) -> dict[int, Seen]:
        return {player.player_id: player for player in self.players}

    @property
    def squad(self) -> tuple[Seen, ...]:
        return tuple(player for player in self.players if player.owned)


def read_prompt(system: str, user: str) -> Reading:
    """Read a prompt of any role. Raises UnreadablePromptError when the role or the gameweek is missing."""
    role = ROLE.match(system)
    if role is None:
        raise UnreadablePromptError("The system text does not start with ROLE: coach, assistant or manager.")
    blocks = Blocks(user)
    facts = _single(blocks, "gameweek")
    if not facts:
        raise UnreadablePromptError("The prompt has no gameweek block.")
    gameweek = int(facts["gameweek"])
    last = int(facts.get("last_gameweek", 38))
    fixtures: dict[str, dict[int, tuple[Match, ...]]] = {}
    for row in _rows(blocks, "fixtures"):
        match = Match(row["opponent"], row["venue"] == "H", int(row["difficulty"]))
        club = fixtures.setdefault(row["club"], {})
        club[int(row["gameweek"])] = (*club.get(int(row["gameweek"]), ()), match)
    for club, line in _single(blocks, "schedule").items():
        fixtures[club] = {week: tuple(Match(*match) for match in of) for week, of in matches_in(line, gameweek).items()}
    shown = sorted({week for club in fixtures.values() for week in club if week >= gameweek}) or [gameweek]
    team, task, proposal = _single(blocks, "team"), _single(blocks, "task"), _single(blocks, "proposal")
    ranking = _players(blocks, "ranking")
    visible: dict[int, Seen] = {}
    for name in ("squad", "ranking", "enablers", "proposed_players", "players"):
        for player in _players(blocks, name):
            visible.setdefault(player.player_id, player)
    for row in players_in(blocks):
        visible.setdefault(int(row["player_id"]), Seen(**row))
    sheet = cast("dict[str, Any] | None", proposal.get("sheet")) or first_choice(blocks)
    return Reading(
        role=role.group(1),
        season=str(facts.get("season", "")),
        gameweek=gameweek,
        last_gameweek=last,
        early=gameweek == 1 or facts.get("statistics_season", facts.get("season")) != facts.get("season"),
        club_limit=int(facts.get("club_limit", 3)),
        hit_cost=int(facts.get("hit_cost", 4)),
        free_transfer_cap=int(facts.get("free_transfer_cap", 5)),
        top_ups={int(week): int(count) for week, count in (facts.get("top_ups") or {}).items()},
        fixtures=fixtures,
        weeks=tuple(week for week in shown if week <= last),
        blanks_doubles=tuple(
            (int(row["gameweek"]), str(row["club"]), int(row["matches"])) for row in _rows(blocks, "blanks_doubles")
        ),
        opening=bool(team.get("opening", task.get("opening", False))),
        bank=int(team.get("bank", facts.get("budget", 1000))),
        free_transfers=int(team.get("free_transfers", 1)),
        chips_playable=tuple(team.get("chips_playable", ())),
        chips_left=tuple(
            Window(str(chip["chip"]), int(chip["first"]), int(chip["last"])) for chip in team.get("chips_left", ())
        ),
        players=tuple(visible.values()),
        ranking=ranking,
        promises=tuple(
            Promise(
                int(row["made_in"]),
                str(row["text"]),
                cast("dict[str, Any]", row["terms"] or {}),
                tuple(row.get("kept") or ()),
                tuple(row.get("broken") or ()),
            )
            for row in _rows(blocks, "standing_commitments")
        ),
        own_sheets=tuple(_recollection(row) for row in _rows(blocks, "own_sheets")),
        memory=tuple(_recollection(row) for row in _rows(blocks, "memory")),
        proposal=None
        if not sheet
        else Sheet(
            tuple(sheet["starting"]), tuple(sheet["bench"]), sheet["captain"], sheet["vice_captain"], sheet["chip"]
        ),
        form=_single(blocks, "form"),
        breaches=tuple(str(row.get("code", "")) for row in _rows(blocks, "breaches")),
    )


def _rows(blocks: Blocks, name: str) -> list[dict[str, Any]]:
    return blocks.rows(name) if name in blocks else []


def _single(blocks: Blocks, name: str) -> dict[str, Any]:
    return blocks.object(name) if name in blocks else {}


FIELDS = tuple(Seen.__dataclass_fields__)


def _players(blocks: Blocks, name: str) -> tuple[Seen, ...]:
    found: list[Seen] = []
    for row in _rows(blocks, name):
        if row["position"] not in POSITIONS:
            continue
        known = {key: row[key] for key in FIELDS if row.get(key) is not None}
        if name in ("ranking", "enablers"):
            known.pop("sale_price", None)
        found.append(Seen(**known))
    return tuple(found)


def _recollection(row: Mapping[str, Any]) -> Recollection:
    return Recollection(
        int(row.get("gameweek") or 0),
        str(row.get("category", "sheet")),
        str(row.get("text", "")),
        str(row.get("result") or ""),
    )
