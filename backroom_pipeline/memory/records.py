"""Memory records derived from committed ledger rows: what each role's store owes its agent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from weakref import WeakKeyDictionary

from backroom_pipeline.fpl.model import Bill, TeamSheet, Trade
from backroom_pipeline.ledger.answers import answer, claims
from backroom_pipeline.ledger.canonical import canonical_json, sha256_of
from backroom_pipeline.ledger.rows import Answer, AnswerKey, ClaimRow
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.model import Category, MemoryRecord, Role

Names = Mapping[int, str]
"""Player id to name and club: ``Salah (LIV)``."""

_TASKS: dict[Role, str] = {
    "coach": "I rank players from statistics alone, five for each position, and never see the squad.",
    "assistant": "I turn the coach's names into a legal team sheet and propose it to the manager.",
    "manager": "I decide the team of every gameweek, say why, and answer for what I promise.",
}
_CHIPS = {
    "wildcard": "wildcard", "free_hit": "free hit", "bench_boost": "bench boost", "triple_captain": "triple captain",
}  # fmt: skip

# A manager goes by the name it enrolled with, so it is read once.
_names: WeakKeyDictionary[Ledger, dict[str, str]] = WeakKeyDictionary()

# A committed answer never changes, so its records are derived once in a process.
_derived: dict[tuple[Path, AnswerKey, datetime], tuple[MemoryRecord, ...]] = {}
_DERIVED_AT_MOST = 4096


class NotEnrolled(LookupError):
    """A manager the ledger has never heard of."""


def identity_record(ledger: Ledger, manager: str, role: Role) -> MemoryRecord:
    """Who this agent is. It stays the same when the model behind the manager changes. Raises NotEnrolled."""
    text = f"I am the {role} of {_first_name(ledger, manager)}. {_TASKS[role]}"
    return _record(manager, role, "identity", "", 0, 0, text, f"managers/{manager}/1", pinned=True)


def records_owed(ledger: Ledger, manager: str, role: Role, before: tuple[str, int] | None = None) -> list[MemoryRecord]:
    """The identity, then everything the role's committed answers owe its store, in the order of time.

    ``before``: a (season, gameweek); only answers of strictly earlier gameweeks count. Raises NotEnrolled.
    """
    return [identity_record(ledger, manager, role), *committed_records(ledger, manager, role, before)]


def committed_records(
    ledger: Ledger, manager: str, role: Role, before: tuple[str, int] | None = None
) -> list[MemoryRecord]:
    """The same without the identity."""
    committed = ledger.rows(
        "SELECT season, gameweek, committed_at FROM answers WHERE manager = ? AND role = ? ORDER BY season, gameweek",
        [manager, role],
    )
    records: list[MemoryRecord] = []
    for row in committed:
        season, gameweek = cast(str, row["season"]), cast(int, row["gameweek"])
        if before is not None and (season, gameweek) >= before:
            break
        key = AnswerKey(season=season, gameweek=gameweek, manager=manager, role=role)
        records += records_of(ledger, key, cast(datetime, row["committed_at"]))
    return records


def committed_weeks(ledger: Ledger, manager: str, role: Role, season: str) -> dict[int, datetime]:
    """The gameweeks of a season in which a role's answer was committed, and when."""
    found = ledger.rows(
        "SELECT gameweek, committed_at FROM answers WHERE season = ? AND manager = ? AND role = ? ORDER BY gameweek",
        [season, manager, role],
    )
    return {cast(int, row["gameweek"]): cast(datetime, row["committed_at"]) for row in found}


def week_records(ledger: Ledger, season: str, gameweek: int, manager: str) -> dict[Role, list[MemoryRecord]]:
    """What one gameweek's committed answers owe the stores, for each role that has answered."""
    committed = ledger.rows(
        "SELECT role, committed_at FROM answers WHERE season = ? AND gameweek = ? AND manager = ?",
        [season, gameweek, manager],
    )
    found: dict[Role, list[MemoryRecord]] = {}
    for row in committed:
        role = cast(Role, row["role"])
        key = AnswerKey(season=season, gameweek=gameweek, manager=manager, role=role)
        found[role] = list(records_of(ledger, key, cast(datetime, row["committed_at"])))
    return found


def records_of(ledger: Ledger, key: AnswerKey, committed_at: datetime) -> tuple[MemoryRecord, ...]:
    """What one committed answer owes its store."""
    place = (ledger.path, key, committed_at)
    if place not in _derived:
        committed = answer(ledger, key)
        assert committed is not None, f"{key.path} was found committed a line ago"
        while len(_derived) >= _DERIVED_AT_MOST:
            _derived.pop(next(iter(_derived)), None)
        _derived[place] = tuple(_derive(ledger, committed))
    return _derived[place]


def record_id(manager: str, role: Role, season: str, gameweek: int, category: Category, ordinal: int, text: str) -> str:
    """The same words said by the same agent in the same place have the same id, on every machine."""
    return sha256_of(canonical_json([manager, role, season, gameweek, category, ordinal, text]))


def claim_record_id(claim: ClaimRow) -> str:
    """Of the record that a committed claim becomes."""
    return record_id(claim.manager, "manager", claim.season, claim.gameweek, "commitment", claim.ordinal, claim.text)


def thread_record(manager: str, said: tuple[ClaimRow, ...]) -> MemoryRecord:
    """A standing claim and the gameweeks in which it was repeated, dated by the last of them."""
    first, last = said[0], said[-1]
    weeks = [str(claim.gameweek) for claim in said]
    text = f"In gameweeks {', '.join(weeks[:-1])} and {weeks[-1]} I said the same: {last.text}"
    if first.text != last.text:
        text += f" At first in these words: {first.text}"
    source = f"claims/{last.season}/{manager}/" + "+".join(f"{claim.gameweek}.{claim.ordinal}" for claim in said)
    return _record(manager, "manager", "thread", last.season, last.gameweek, last.ordinal, text, source, pinned=False)


def overtaken(sources: Mapping[int, str]) -> dict[int, list[int]]:
    """For each thread that longer ones of the same claim go on from, those longer ones. ``sources``: by any key."""
    threads: dict[str, list[int]] = {}
    for key, source in sources.items():
        threads.setdefault(source, []).append(key)
    longer: dict[int, list[int]] = {}
    for key, source in sources.items():
        for end in (at for at, sign in enumerate(source) if sign == "+"):
            for shorter in threads.get(source[:end], ()):
                longer.setdefault(shorter, []).append(key)
    return longer


def _first_name(ledger: Ledger, manager: str) -> str:
    names = _names.setdefault(ledger, {})
    if manager not in names:
        found = ledger.rows("SELECT name FROM managers WHERE slug = ? ORDER BY version LIMIT 1", [manager])
        if not found:
            raise NotEnrolled(
                f"The ledger has no manager {manager}: take the facts of a gameweek first, which enrols it."
            )
        names[manager] = str(found[0]["name"])
    return names[manager]


def _derive(ledger: Ledger, answer: Answer) -> list[MemoryRecord]:
    key = answer.key
    said: dict[str, Any] = json.loads(answer.answer_json)
    if key.role == "coach":
        picks = [pick for group in ("rankings", "enablers") for line in said.get(group, {}).values() for pick in line]
        names = _player_names(ledger, answer, (pick["player_id"] for pick in picks))
        return [_of_answer(answer, "ranking", _ranking_text(key, said, names))]
    sheet = TeamSheet.model_validate_json(json.dumps(said["sheet"]))
    bill = Bill.model_validate_json(answer.bill_json) if answer.bill_json else None
    traded = [trade.player_id for trade in (*bill.sold, *bill.bought)] if bill else []
    names = _player_names(ledger, answer, (*sheet.player_ids, *traded))
    if key.role == "assistant":
        return [_of_answer(answer, "sheet", _sheet_text(key, said["case"], sheet, bill, names))]
    narrative = _of_answer(answer, "narrative", _sheet_text(key, said["reasoning"], sheet, bill, names))
    promised = [claim for claim in claims(ledger, key.manager, key.season) if claim.gameweek == key.gameweek]
    return [narrative, *(_of_claim(claim) for claim in promised)]


def _player_names(ledger: Ledger, answer: Answer, players: Iterable[int]) -> Names:
    """As in the very facts the answer was made on: a later spelling must not give the record another id."""
    found = ledger.rows(
        "SELECT player_id, web_name, club FROM pool JOIN gameweeks USING (season, gameweek, version) "
        "WHERE season = ? AND gameweek = ? AND inputs_sha256 = ? AND list_contains(?, player_id)",
        [answer.key.season, answer.key.gameweek, answer.inputs_sha256, sorted(set(players))],
    )
    return {cast(int, row["player_id"]): f"{row['web_name']} ({row['club']})" for row in found}


def _ranking_text(key: AnswerKey, said: Mapping[str, Any], names: Names) -> str:
    lines = [f"Gameweek {key.gameweek}, my ranking. {said['notes']}"]
    for group, title in (("rankings", ""), ("enablers", " enablers")):
        for position, picks in said.get(group, {}).items():
            ranked = "; ".join(f"{_name(names, pick['player_id'])}: {pick['reason']}" for pick in picks)
            if ranked:
                lines.append(f"{position}{title}: {ranked}")
    return "\n".join(lines)


def _sheet_text(key: AnswerKey, why: str, sheet: TeamSheet, bill: Bill | None, names: Names) -> str:
    """The words first: an embedder reads only the beginning of a long text, and the words exist nowhere else."""

    def listed(players: Iterable[int]) -> str:
        return ", ".join(_name(names, player) for player in players)

    def traded(trades: Iterable[Trade]) -> str:
        return ", ".join(f"{_name(names, trade.player_id)} {trade.price / 10:.1f}" for trade in trades)

    facts = [f"Captain {_name(names, sheet.captain)}, vice captain {_name(names, sheet.vice_captain)}."]
    if sheet.chip:
        facts.append(f"Chip played: {_CHIPS[sheet.chip]}.")
    if bill and bill.sold:
        facts.append(f"Transfers out: {traded(bill.sold)}; in: {traded(bill.bought)}.")
        facts.append(f"Points hit: {bill.hit_points}." if bill.hit_points else "No points hit.")
    elif bill and not bill.bought:
        facts.append("No transfers.")
    if bill:
        facts.append(f"Bank {bill.bank_after / 10:.1f}.")
    facts.append(f"Starting: {listed(sheet.starting)}. Bench: {listed(sheet.bench)}.")
    return f"Gameweek {key.gameweek}. {why}\n{' '.join(facts)}"


def _name(names: Names, player: int) -> str:
    return names.get(player, f"player {player}")


def _of_answer(answer: Answer, category: Category, text: str) -> MemoryRecord:
    key = answer.key
    return _record(key.manager, key.role, category, key.season, key.gameweek, 0, text, key.path, pinned=False)


def _of_claim(claim: ClaimRow) -> MemoryRecord:
    source = f"claims/{claim.season}/{claim.gameweek}/{claim.manager}/{claim.ordinal}"
    return _record(
        claim.manager, "manager", "commitment", claim.season, claim.gameweek, claim.ordinal, claim.text, source,
        pinned=True,
    )  # fmt: skip


def _record(
    manager: str, role: Role, category: Category, season: str, gameweek: int, ordinal: int, text: str, source: str,
    *, pinned: bool,
) -> MemoryRecord:  # fmt: skip
    return MemoryRecord(
        id=record_id(manager, role, season, gameweek, category, ordinal, text),
        manager=manager,
        role=role,
        category=category,
        season=season,
        gameweek=gameweek,
        ordinal=ordinal,
        text=text,
        pinned=pinned,
        source=source,
    )
