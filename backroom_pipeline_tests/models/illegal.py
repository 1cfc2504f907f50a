"""Good answers made illegal: of the right form, and against a rule of the game or of the room.

Each way takes a deep copy of an answer and what its prompt showed, and names the breach that must be found. It returns
None where the prompt does not hold what it needs.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from backroom_pipeline.fpl.model import CHIPS, POSITIONS
from backroom_pipeline.models.house.reading import Reading, Seen

Answer = dict[str, Any]
Spoil = Callable[[Random, Answer, Reading], Answer | None]

NOBODY = 999_999
"""No player has this id."""


@dataclass(frozen=True)
class Illegal:
    """A way of breaking a rule, and the codes of which one must be named."""

    name: str
    roles: tuple[str, ...]
    codes: tuple[str, ...]
    spoil: Spoil

    def __call__(self, random: Random, answer: Answer, reading: Reading) -> Answer | None:
        return self.spoil(random, copy.deepcopy(answer), reading)


def _sheets(name: str, *codes: str) -> Callable[[Spoil], Spoil]:
    return _register(name, ("assistant", "manager"), codes)


def _rankings(name: str, *codes: str) -> Callable[[Spoil], Spoil]:
    return _register(name, ("coach",), codes)


def _claims(name: str, *codes: str) -> Callable[[Spoil], Spoil]:
    return _register(name, ("manager",), codes)


ILLEGAL: list[Illegal] = []


def _register(name: str, roles: tuple[str, ...], codes: tuple[str, ...]) -> Callable[[Spoil], Spoil]:
    def keep(spoil: Spoil) -> Spoil:
        ILLEGAL.append(Illegal(name, roles, codes, spoil))
        return spoil

    return keep


@_sheets("twelve starters", "squad_size")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    sheet = answer["sheet"]
    sheet["starting"].append(sheet["bench"].pop())
    return answer


@_sheets("ten starters", "squad_size")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    sheet = answer["sheet"]
    sheet["starting"].remove(_a_follower(random, sheet))
    return answer


@_sheets("no bench", "squad_size")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    answer["sheet"]["bench"] = []
    return answer


@_sheets("nobody at all", "squad_size")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    answer["sheet"] |= {"starting": [], "bench": []}
    return answer


@_sheets("a player named twice", "duplicate_player")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    answer["sheet"]["bench"][random.randrange(1, 4)] = random.choice(answer["sheet"]["starting"])
    return answer


@_sheets("an unknown player", "unknown_player")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    sheet = answer["sheet"]
    unknown = random.choice((NOBODY, 0, -1, 2**63, 10**40))
    _replace(sheet, _a_follower(random, sheet), unknown)
    return answer


@_sheets("a player whom nobody offered", "not_offered", "unknown_player", "squad_shape", "over_budget", "club_limit")
def _(random: Random, answer: Answer, reading: Reading) -> Answer | None:
    if reading.role != "assistant":
        return None
    strangers = [i for i in range(1, 700) if i not in reading.by_id()]
    _replace(answer["sheet"], _a_follower(random, answer["sheet"]), random.choice(strangers))
    return answer


@_sheets("the captain on the bench", "captain_not_starting")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    answer["sheet"]["captain"] = random.choice(answer["sheet"]["bench"][1:])
    return answer


@_sheets("the reserve goalkeeper as captain", "captain_not_starting")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    answer["sheet"]["captain"] = answer["sheet"]["bench"][0]
    return answer


@_sheets("a stranger as captain", "captain_not_starting")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    answer["sheet"]["captain"] = random.choice((NOBODY, 0, -7))
    return answer


@_sheets("the vice captain on the bench", "vice_not_starting")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    answer["sheet"]["vice_captain"] = random.choice(answer["sheet"]["bench"])
    return answer


@_sheets("captain and vice captain in one", "captain_is_vice")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    answer["sheet"]["vice_captain"] = answer["sheet"]["captain"]
    return answer


@_sheets("an outfield player first on the bench", "bench_order")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    bench = answer["sheet"]["bench"]
    other = random.randrange(1, 4)
    bench[0], bench[other] = bench[other], bench[0]
    return answer


@_sheets("two goalkeepers in the eleven", "formation")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    sheet, seen = answer["sheet"], reading.by_id()
    outfield = [place for place, i in enumerate(sheet["starting"]) if seen[i].position != "GK"]
    place = random.choice([p for p in outfield if sheet["starting"][p] not in _armbands(sheet)])
    sheet["starting"][place], sheet["bench"][0] = sheet["bench"][0], sheet["starting"][place]
    return answer


@_sheets("no goalkeeper in the eleven", "formation")
def _(random: Random, answer: Answer, reading: Reading) -> Answer | None:
    sheet, seen = answer["sheet"], reading.by_id()
    place = next(p for p, i in enumerate(sheet["starting"]) if seen[i].position == "GK")
    if sheet["starting"][place] in _armbands(sheet):
        return None
    sheet["starting"][place], sheet["bench"][1] = sheet["bench"][1], sheet["starting"][place]
    return answer


@_sheets("a striker in a defender's place", "squad_shape")
def _(random: Random, answer: Answer, reading: Reading) -> Answer | None:
    sheet, seen = answer["sheet"], reading.by_id()
    here = [i for i in _fifteen(sheet) if seen[i].position == "DEF" and i not in _armbands(sheet)]
    others = [p.player_id for p in reading.players if p.position == "FWD" and p.player_id not in _fifteen(sheet)]
    if not others:
        return None
    _replace(sheet, random.choice(here), random.choice(others))
    return answer


@_sheets("four of one club", "club_limit")
def _(random: Random, answer: Answer, reading: Reading) -> Answer | None:
    sheet = answer["sheet"]
    bought = {p.player_id for p in reading.players if not p.owned}
    for club in random.sample(sorted({p.club for p in reading.players}), k=len({p.club for p in reading.players})):
        trial = copy.deepcopy(answer)
        _fill_with(trial["sheet"], reading, [p for p in reading.players if p.club == club])
        members = [i for i in _fifteen(trial["sheet"]) if reading.by_id()[i].club == club]
        if len(members) > reading.club_limit and bought & (set(members) - set(_fifteen(sheet))):
            return trial
    return None


@_sheets("far too dear", "over_budget")
def _(random: Random, answer: Answer, reading: Reading) -> Answer | None:
    sheet = answer["sheet"]
    dearest = sorted(reading.players, key=lambda p: -p.price)
    before = _fifteen(sheet)
    _fill_with(sheet, reading, dearest)
    seen = reading.by_id()
    owned = {p.player_id for p in reading.squad}
    spent = sum(seen[i].price for i in _fifteen(sheet) if i not in owned)
    got = sum(p.sale_price or 0 for p in reading.squad if p.player_id not in _fifteen(sheet))
    money = 1000 if reading.opening else reading.bank
    return answer if spent > money + got and _fifteen(sheet) != before else None


@_sheets("a chip that cannot be played", "chip_unavailable", "chip_not_in_window")
def _(random: Random, answer: Answer, reading: Reading) -> Answer | None:
    barred = [chip for chip in CHIPS if chip not in reading.chips_playable]
    if not barred:
        return None
    answer["sheet"]["chip"] = random.choice(barred)
    return answer


@_rankings("four of a position", "ranking_size")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    answer["rankings"][random.choice(POSITIONS)].pop()
    return answer


@_rankings("six of a position", "ranking_size")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    position = random.choice(POSITIONS)
    named = {pick["player_id"] for picks in answer["rankings"].values() for pick in picks}
    more = [p.player_id for p in reading.players if p.position == position and p.player_id not in named]
    answer["rankings"][position].append({"player_id": random.choice(more), "reason": "One more."})
    return answer


@_rankings("a position left out", "ranking_size")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    del answer["rankings"][random.choice(POSITIONS)]
    return answer


@_rankings("an unknown player ranked", "unknown_player")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    _a_pick(random, answer)["player_id"] = random.choice((NOBODY, 0, -1, 10**40))
    return answer


@_rankings("a player in the wrong list", "wrong_position")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    ranked = answer["rankings"]
    one, other = random.sample(POSITIONS, k=2)
    ranked[one][0], ranked[other][0] = ranked[other][0], ranked[one][0]
    return answer


@_rankings("a player ranked twice", "duplicate_player")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    picks = answer["rankings"][random.choice(POSITIONS)]
    picks[-1] = dict(picks[0])
    return answer


@_rankings("enablers in a week that has none", "no_enablers")
def _(random: Random, answer: Answer, reading: Reading) -> Answer | None:
    if reading.opening:
        return None
    named = {pick["player_id"] for picks in answer["rankings"].values() for pick in picks}
    other = next(p for p in reading.players if p.player_id not in named)
    answer["enablers"] = {other.position: [{"player_id": other.player_id, "reason": "Cheap."}]}
    return answer


@_rankings("no enablers in an opening week", "enablers_size")
def _(random: Random, answer: Answer, reading: Reading) -> Answer | None:
    if not reading.opening:
        return None
    answer["enablers"] = {}
    return answer


@_rankings("nobody one could afford", "no_legal_squad")
def _(random: Random, answer: Answer, reading: Reading) -> Answer | None:
    if not reading.opening:
        return None
    for position in POSITIONS:
        dearest = sorted((p for p in reading.players if p.position == position), key=lambda p: -p.price)
        picks = [{"player_id": p.player_id, "reason": "The dearest."} for p in dearest[:10]]
        answer["rankings"][position], answer["enablers"][position] = picks[:5], picks[5:]
    return answer


@_claims("a promise for weeks that are over", "claim_window")
def _(random: Random, answer: Answer, reading: Reading) -> Answer | None:
    return _promising(answer, reading, first=1, last=reading.gameweek - 1) if reading.gameweek > 1 else None


@_claims("a promise for weeks that do not exist", "claim_window")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    first, last = random.choice(((1, 39), (0, 38), (38, 37), (-5, 38), (1, 10**30)))
    return _promising(answer, reading, first=first, last=last)


@_claims("a promise about a stranger", "claim_unknown_player")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    return _promising(answer, reading, kind="keep_player", player_id=NOBODY)


@_claims("a promise about a club that is not there", "claim_unknown_club")
def _(random: Random, answer: Answer, reading: Reading) -> Answer:
    return _promising(answer, reading, kind="club_limit", club="XYZ", at_most=2)


def _promising(answer: Answer, reading: Reading, **terms: Any) -> Answer:
    claim = {"text": "I promise.", "terms": {"kind": "no_hits", "first": reading.gameweek, "last": 38} | terms}
    answer["claims"] = [*answer["claims"][:5], claim]
    return answer


def _fifteen(sheet: Answer) -> list[int]:
    return [*sheet["starting"], *sheet["bench"]]


def _armbands(sheet: Answer) -> tuple[int, int]:
    return sheet["captain"], sheet["vice_captain"]


def _a_follower(random: Random, sheet: Answer) -> int:
    """A starter without armband."""
    return random.choice([i for i in sheet["starting"] if i not in _armbands(sheet)])


def _a_pick(random: Random, answer: Answer) -> Answer:
    return random.choice(answer["rankings"][random.choice(POSITIONS)])


def _replace(sheet: Answer, out: int, come_in: int) -> None:
    for part in ("starting", "bench"):
        sheet[part] = [come_in if i == out else i for i in sheet[part]]


def _fill_with(sheet: Answer, reading: Reading, wanted: Sequence[Seen]) -> None:
    """Put those wanted into the places of others of their position, as many as go in, the armbands' aside."""
    seen = reading.by_id()
    for player in wanted:
        if player.player_id in _fifteen(sheet):
            continue
        keep = {p.player_id for p in wanted} | set(_armbands(sheet))
        places = [i for i in _fifteen(sheet) if seen[i].position == player.position and i not in keep]
        if places:
            _replace(sheet, min(places, key=lambda i: seen[i].price), player.player_id)
