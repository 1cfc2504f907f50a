"""A real team as the official API describes it: its picks, transfers and history, read from the lists it gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from backroom_pipeline.feeds.archive import CHIP_OF_API_NAME
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.fpl.model import Chip, Substitution, Tenths

SQUAD_SIZE = 15
"""A sixteenth pick is an assistant manager (2024/25, CASES R32): his points are not a player's."""


@dataclass(frozen=True)
class Transfer:
    """A row of the transfers list: one player for another, at the prices of that moment."""

    gameweek: int
    time: str
    sold: int
    sold_for: Tenths
    bought: int
    bought_for: Tenths

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.time).astimezone(UTC)


@dataclass(frozen=True)
class HistoryWeek:
    """What the official game made of a gameweek. ``points`` is gross of the hit."""

    gameweek: int
    points: int
    total_points: int
    bench_points: int
    transfers: int
    hit_cost: int
    bank: Tenths
    value: Tenths


@dataclass(frozen=True)
class PicksWeek:
    """The picks of a gameweek, as shown after it: automatic substitutions are made already."""

    gameweek: int
    order: tuple[int, ...]
    """The fifteen, the bench last and in its order."""
    captain: int
    vice_captain: int
    chip_name: str | None
    substitutions: tuple[Substitution, ...]
    assistant_managers: tuple[int, ...]
    history: HistoryWeek

    @property
    def chip(self) -> Chip | None:
        """The chip as this game knows it; the assistant manager of 2024/25 is none that changes a team sheet."""
        return CHIP_OF_API_NAME.get(self.chip_name or "")


@dataclass(frozen=True)
class Entry:
    """A team's season: a week for every gameweek it has played, in order."""

    picks: tuple[PicksWeek, ...]
    transfers: tuple[Transfer, ...]
    history: tuple[HistoryWeek, ...]
    chips: dict[int, str]
    """Gameweek to the API's name of the chip played in it, as the history says; empty where it does not."""


def read_entry(picks: object, transfers: object, history: object) -> Entry:
    """The three answers of the API as one entry. Raises FeedError, naming the list that is not as the API gives it.

    ``picks`` is one ``entry/{id}/event/{n}/picks/`` answer a gameweek, ``transfers`` the list of
    ``entry/{id}/transfers/``, ``history`` the answer of ``entry/{id}/history/`` or its list ``current`` alone.
    """
    weeks = tuple(sorted(map(_picks_week, _rows(picks, "picks")), key=lambda week: week.gameweek))
    if not weeks:
        raise FeedError("The picks hold no gameweek: there is nothing to compare. Give one answer for each gameweek.")
    whole = cast(Mapping[str, Any], history if isinstance(history, Mapping) else {"current": history})
    told = {week.gameweek: week for week in map(_history_week, _rows(whole.get("current"), "history"))}
    if lacking := [week.gameweek for week in weeks if week.gameweek not in told]:
        raise FeedError(
            f"The history lacks {_gameweeks(lacking)}, of which there are picks. Give the history of the same team."
        )
    return Entry(
        picks=weeks,
        transfers=tuple(sorted(map(_transfer, _rows(transfers, "transfers")), key=lambda row: row.time)),
        history=tuple(told[week.gameweek] for week in weeks),
        chips=_chips(whole),
    )


def read_histories(payload: object) -> list[tuple[str, Entry]]:
    """Histories alone, each with the name of its team: enough for the free-transfer counter. Raises FeedError."""
    return [
        (str(whole.get("entry", place)), _history(whole)) for place, whole in enumerate(_rows(payload, "histories"))
    ]


def _history(whole: Mapping[str, Any]) -> Entry:
    weeks = map(_history_week, _rows(whole.get("current"), "history"))
    return Entry(
        picks=(),
        transfers=(),
        history=tuple(sorted(weeks, key=lambda week: week.gameweek)),
        chips=_chips(whole),
    )


def _chips(history: Mapping[str, Any]) -> dict[int, str]:
    chips = _rows(history.get("chips", []), "history")
    return {_int(chip, "event", "history"): str(_of(chip, "name", "history")) for chip in chips}


def _picks_week(payload: Mapping[str, Any]) -> PicksWeek:
    history = _history_week(_of(payload, "entry_history", "picks"))
    rows = sorted(_rows(_of(payload, "picks", "picks"), "picks"), key=lambda pick: _int(pick, "position", "picks"))
    if len(rows) < SQUAD_SIZE:
        raise FeedError(f"The picks of gameweek {history.gameweek} are {len(rows)} players, not {SQUAD_SIZE}.")
    order = tuple(_int(pick, "element", "picks") for pick in rows)

    def armband(which: str) -> int:
        worn = [int(pick["element"]) for pick in rows if pick.get(which)]
        if len(worn) != 1:
            raise FeedError(f"The picks of gameweek {history.gameweek} mark {len(worn)} players as {which}, not one.")
        return worn[0]

    substitutions = tuple(
        Substitution(out=_int(row, "element_out", "picks"), came_in=_int(row, "element_in", "picks"))
        for row in _rows(payload.get("automatic_subs", []), "picks")
    )
    if strangers := sorted({p for one in substitutions for p in (one.out, one.came_in)} - set(order)):
        raise FeedError(
            f"The automatic substitutions of gameweek {history.gameweek} name players who are not picked: {strangers}."
        )
    return PicksWeek(
        gameweek=history.gameweek,
        order=order[:SQUAD_SIZE],
        captain=armband("is_captain"),
        vice_captain=armband("is_vice_captain"),
        chip_name=payload.get("active_chip"),
        substitutions=substitutions,
        assistant_managers=order[SQUAD_SIZE:],
        history=history,
    )


def _history_week(row: Mapping[str, Any]) -> HistoryWeek:
    def figure(name: str) -> int:
        return _int(row, name, "history")

    return HistoryWeek(
        gameweek=figure("event"),
        points=figure("points"),
        total_points=figure("total_points"),
        bench_points=figure("points_on_bench"),
        transfers=figure("event_transfers"),
        hit_cost=figure("event_transfers_cost"),
        bank=figure("bank"),
        value=figure("value"),
    )


def _transfer(row: Mapping[str, Any]) -> Transfer:
    def figure(name: str) -> int:
        return _int(row, name, "transfers")

    time = str(_of(row, "time", "transfers"))
    try:
        datetime.fromisoformat(time)
    except ValueError as fault:
        raise FeedError(f"The transfers have the time {time!r}, which is none. Save the answer unchanged.") from fault
    return Transfer(
        gameweek=figure("event"),
        time=time,
        sold=figure("element_out"),
        sold_for=figure("element_out_cost"),
        bought=figure("element_in"),
        bought_for=figure("element_in_cost"),
    )


def _rows(payload: object, what: str) -> list[Mapping[str, Any]]:
    rows = cast(Iterable[object], payload) if isinstance(payload, list) else None
    if rows is None or not all(isinstance(row, Mapping) for row in rows):
        raise FeedError(f"The {what} are not a list of objects, as the API gives them. Save the answer unchanged.")
    return cast(list[Mapping[str, Any]], rows)


def _of(row: object, name: str, what: str) -> Any:
    if not isinstance(row, Mapping) or name not in row:
        raise FeedError(f"The {what} lack {name!r}, which the API gives. Save the answer unchanged.")
    return cast(Mapping[str, Any], row)[name]


def _gameweeks(numbers: list[int]) -> str:
    return f"gameweek{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _int(row: object, name: str, what: str) -> int:
    value = _of(row, name, what)
    if type(value) is not int:
        raise FeedError(f"The {what} have {name!r} {value!r}, which is no whole number. Save the answer unchanged.")
    return value
