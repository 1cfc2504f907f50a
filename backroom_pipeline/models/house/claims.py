"""The promises a manager makes with a decision: one sentence each, and the same in terms that code can judge.

Every claim binds from the next gameweek on and is honoured by the decision it is made with, so that nobody is caught
lying in the sentence that promises. "Before N" and "until N" bind through N - 1; "through N" includes N.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from backroom_pipeline.models.house.forecast import CHEAPEST, Outlook
from backroom_pipeline.models.house.personas import Temper
from backroom_pipeline.models.house.promises import ruled_out
from backroom_pipeline.models.house.reading import Reading, Seen, Window
from backroom_pipeline.models.house.solver import Plan
from backroom_pipeline.models.house.words import CHIP_NAMES, chance, club, number, variant

MOST_OPEN = 7
"""With so many promises open a manager adds at most one."""
NEVER_BOTH = {"no_hits": "max_transfers", "max_transfers": "bank_transfers", "bank_transfers": "max_transfers"}
"""A new promise of the one kind while the other is open would say nearly the same thing twice."""

Terms = dict[str, object]
Made = tuple[str, Terms]


@dataclass(frozen=True, slots=True)
class Week:
    """Everything a promise may be made from."""

    reading: Reading
    temper: Temper
    plan: Plan
    outlook: Mapping[int, Outlook]
    bank_after: int
    free_transfers_after: int

    @property
    def gameweek(self) -> int:
        return self.reading.gameweek

    @property
    def windows(self) -> list[Window]:
        """Chips left that can be played next week."""
        return [w for w in self.reading.chips_left if w.first <= self.gameweek + 1 <= w.last]

    def player(self, player_id: int) -> Seen:
        return self.outlook[player_id].player

    def until(self, kind: str, least: int, most: int) -> int:
        """The last gameweek of a new promise's window: between ``least`` and ``most`` weeks from now."""
        weeks = least + int(chance(self.temper.persona, self.reading.season, self.gameweek, kind) * (most - least + 1))
        return min(self.gameweek + weeks, self.reading.last_gameweek)

    def says(self, kind: str, *options: str) -> str:
        """One of several wordings; none that speaks of a gameweek after the last."""
        beyond = f"gameweek {self.reading.last_gameweek + 1}"
        possible = [option for option in options if beyond not in option] or list(options)
        return variant(possible, self.temper.persona, "claim", kind, week=self.gameweek)

    def long_term(self, player_id: int) -> float:
        return self.outlook[player_id].total(0.95)


def claims(week: Week) -> list[dict[str, object]]:
    """One to four new promises in the persona's taste; a conviction without a window after the last deadline."""
    reading, temper = week.reading, week.temper
    if week.gameweek >= reading.last_gameweek:
        text = week.says("last", "I would play this season again the same way.", "I will remember this one.")
        return [{"text": text, "terms": {"kind": "free_text", "first": week.gameweek, "last": week.gameweek}}]
    wanted = 1 + int(chance(temper.persona, reading.season, week.gameweek, "how many") * 3.4)
    wanted = min(wanted, 1 if len(reading.promises) >= MOST_OPEN else 4)
    turn = week.gameweek % len(temper.favourite_claims)
    # The fondest kinds come round every week, the others in turn.
    kinds = [*temper.favourite_claims[:2], *temper.favourite_claims[turn:], *temper.favourite_claims[:turn], *MAKERS]
    made: list[dict[str, object]] = []
    used: set[str] = set()
    for kind in dict.fromkeys(kinds):
        if len(made) == wanted:
            break
        if kind in used or NEVER_BOTH.get(kind) in used or _open_already(reading, kind):
            continue
        for text, terms in MAKERS[kind](week):
            if _repeats(reading, kind, terms):
                continue
            terms = {"kind": kind, "first": week.gameweek + 1, **terms}
            made.append({"text": text, "terms": terms})
            used.add(kind)
            break
    return made


def _open_already(reading: Reading, kind: str) -> bool:
    """Kinds of which one open promise is enough."""
    single = kind in ("no_hits", "max_transfers", "bank_transfers", "bank_money", "formation", "captain_player")
    opened = {promise.kind for promise in reading.promises}
    return (single and kind in opened) or NEVER_BOTH.get(kind) in opened


def _repeats(reading: Reading, kind: str, terms: Terms) -> bool:
    """True when a promise about the same thing is open, or one that this would contradict."""
    for promise in reading.promises:
        if promise.kind == kind and all(promise.terms.get(key) == terms.get(key) for key in ("chip", "club")):
            if promise.player_id == terms.get("player_id"):
                return True
        elif ("player_id" in terms and promise.player_id == terms["player_id"]) or (
            kind in ("hold_chip", "play_chip_in") and promise.terms.get("chip") in (terms.get("chip"), "any")
        ):
            return True
    return False


def _hold_chip(week: Week) -> Iterator[Made]:
    windows = [w for w in week.windows if w.chip != week.plan.sheet.chip]
    planned = {promise.terms.get("chip") for promise in week.reading.promises if promise.kind == "play_chip_in"}
    if len(windows) == 4 and not planned and min(w.last for w in windows) - week.gameweek > 9:
        until = week.until("hold any", 3, 4) + 1
        text = week.says(
            "hold any",
            f"All my chips stay in the drawer until at least gameweek {until}.",
            f"No chip of mine is played before gameweek {until}.",
        )
        yield text, {"chip": "any", "last": until - 1}
    for window in sorted(windows, key=lambda w: chance(week.temper.persona, week.gameweek, w.chip)):
        if window.last - week.gameweek < 8 or window.chip in planned:
            continue
        until = week.until("hold", 2, 5) + 1
        name = CHIP_NAMES[window.chip]
        text = week.says(
            "hold",
            f"I am holding my {name} until at least gameweek {until}.",
            f"I will not touch my {name} before gameweek {until}.",
            f"My {name} stays unplayed through gameweek {until - 1}.",
        )
        yield text, {"chip": window.chip, "last": until - 1}


def _play_chip_in(week: Week) -> Iterator[Made]:
    left = {w.chip: w for w in week.windows if w.chip != week.plan.sheet.chip}
    doubles, blanks = Counter[int](), Counter[int]()
    for gameweek, _, matches in week.reading.blanks_doubles:
        if gameweek > week.gameweek + 1:
            (doubles if matches > 1 else blanks)[gameweek] += 1
    for counts, chips, least in ((doubles, ("bench_boost", "triple_captain"), 2), (blanks, ("free_hit",), 4)):
        best = max(sorted(counts), key=lambda gameweek: counts[gameweek], default=0)
        wanted = [chip for chip in chips if chip in left and left[chip].first <= best <= left[chip].last]
        if counts[best] >= least and wanted:
            chip = wanted[int(chance(week.temper.persona, best) * len(wanted))]
            yield f"I will play my {CHIP_NAMES[chip]} in gameweek {best}.", {"chip": chip, "first": best, "last": best}
    for window in sorted(left.values(), key=lambda w: chance(week.temper.persona, week.gameweek, "plan", w.chip)):
        room = window.last - week.gameweek
        if 4 <= room <= 9:
            by = min(week.gameweek + 3 + room % 3, window.last - 1)
            text = week.says(
                "chip by",
                f"I will play my {CHIP_NAMES[window.chip]} by gameweek {by}.",
                f"My {CHIP_NAMES[window.chip]} is played no later than gameweek {by}.",
            )
            yield text, {"chip": window.chip, "last": by}


def _no_hits(week: Week) -> Iterator[Made]:
    wildcard = next((w for w in week.windows if w.chip == "wildcard" and week.plan.sheet.chip != "wildcard"), None)
    if wildcard and wildcard.last - week.gameweek > 5 and chance(week.temper.persona, week.gameweek, "until") < 0.4:
        text = "No points hits from me before my wildcard is played."
        yield text, {"last": week.reading.last_gameweek, "until_chip": "wildcard"}
    until = week.until("no hits", 2, 5)
    text = week.says(
        "no hits",
        f"I will not take a points hit before gameweek {until + 1}.",
        f"I am paying no points for transfers through gameweek {until}.",
        f"No hits from me until gameweek {until + 1}.",
    )
    yield text, {"last": until}


def _max_transfers(week: Week) -> Iterator[Made]:
    until = week.until("max", 2, 4)
    text = week.says(
        "max",
        f"I will make at most one transfer a gameweek through gameweek {until}.",
        f"One transfer a gameweek is my limit through gameweek {until}.",
    )
    yield text, {"limit": 1, "last": until}


def _keep_player(week: Week) -> Iterator[Made]:
    for player in _owned_best(week)[:3]:
        until = week.until("keep", 3, 6)
        text = week.says(
            "keep",
            f"I am keeping {player.name} through gameweek {until}.",
            f"{player.name} stays in my squad through gameweek {until}, whatever he scores.",
            f"I will not sell {player.name} before gameweek {until + 1}.",
        )
        yield text, {"player_id": player.player_id, "last": until}


def _sell_player(week: Week) -> Iterator[Made]:
    if week.reading.opening or week.plan.sheet.chip == "free_hit":
        return
    bench = [week.player(player_id) for player_id in week.plan.sheet.bench if week.player(player_id).owned]
    weak = sorted(bench, key=lambda p: (week.long_term(p.player_id) - p.price / 10, p.player_id))
    for player in weak:
        if player.price <= CHEAPEST[player.position] + 3 or week.gameweek + 3 > week.reading.last_gameweek:
            continue
        by = week.until("sell", 2, 4)
        text = week.says(
            "sell",
            f"I will sell {player.name} by gameweek {by}.",
            f"{player.name} is out of my squad by gameweek {by} at the latest.",
        )
        yield text, {"player_id": player.player_id, "last": by}


def _avoid_player(week: Week) -> Iterator[Made]:
    tempting = [p for p in week.reading.ranking if p.player_id not in week.plan.ids and not p.owned and p.price >= 50]
    tempting.sort(key=lambda p: (p.rank or 9, chance(week.temper.persona, week.gameweek, p.player_id)))
    for player in tempting[:4]:
        until = week.until("avoid", 2, 4) + 1
        text = week.says(
            "avoid",
            f"I will not buy {player.name} before gameweek {until}.",
            f"I am not buying {player.name} before gameweek {until}.",
            f"I am not buying {player.name} through gameweek {until - 1}.",
        )
        yield text, {"player_id": player.player_id, "last": until - 1}


def _captain_player(week: Week) -> Iterator[Made]:
    captain = week.player(week.plan.sheet.captain)
    if captain.price < 75 or week.plan.sheet.chip == "free_hit" or _owned_best(week)[:1] != [captain]:
        return
    until = week.until("captain", 2, 4)
    text = week.says(
        "captain",
        f"I am captaining {captain.name} every gameweek he is fit through gameweek {until}.",
        f"{captain.name} wears my armband through gameweek {until} as long as he is fit.",
    )
    yield text, {"player_id": captain.player_id, "last": until, "only_if_fit": True}


def _never_captain(week: Week) -> Iterator[Made]:
    captain = week.plan.sheet.captain
    others = [week.player(player_id) for player_id in week.plan.sheet.starting if player_id != captain]
    others = [player for player in others if player.position in ("MID", "FWD") and player.owned]
    others.sort(key=lambda p: (-(p.selected_by or 0.0), -week.long_term(p.player_id), p.player_id))
    for player in others[:2]:
        until = week.until("never", 2, 4)
        text = week.says(
            "never",
            f"{player.name} does not wear my armband through gameweek {until}.",
            f"I will not captain {player.name} before gameweek {until + 1}.",
        )
        yield text, {"player_id": player.player_id, "last": until}


def _start_player(week: Week) -> Iterator[Made]:
    keeper = week.player(week.plan.sheet.starting[0])
    if week.plan.sheet.chip != "free_hit":
        until = week.until("start", 2, 5)
        yield (
            f"{keeper.name} starts in goal every gameweek he is fit through gameweek {until}.",
            {"player_id": keeper.player_id, "last": until, "only_if_fit": True},
        )


def _club_limit(week: Week) -> Iterator[Made]:
    if week.plan.sheet.chip == "free_hit":
        return
    clubs = Counter(week.player(player_id).club for player_id in sorted(week.plan.ids))
    listed = Counter(player.club for player in week.reading.ranking)
    for short, _ in sorted(listed.items(), key=lambda item: (-item[1], item[0])):
        if clubs[short] in (1, 2):
            until = week.until("club", 2, 5)
            most = clubs[short]
            text = week.says(
                "club",
                f"I will own at most {number(most)} {club(short)} {'player' if most == 1 else 'players'} "
                f"through gameweek {until}.",
            )
            yield text, {"club": short, "at_most": most, "last": until}


def _bank_transfers(week: Week) -> Iterator[Made]:
    if week.gameweek + 1 in week.reading.top_ups or week.gameweek + 4 > week.reading.last_gameweek:
        return
    if week.free_transfers_after >= 2:
        until = week.until("leave", 2, 3)
        yield (
            f"I will leave at least one free transfer unused every gameweek through gameweek {until}.",
            {"leave_unused": 1, "last": until},
        )
    until = week.until("save", 3, 4)
    goal = week.free_transfers_after + (2 if week.temper.most_paid == 0 and week.free_transfers_after > 1 else 1)
    if goal <= week.reading.free_transfer_cap:
        text = f"I will make no transfer until I have {number(goal)} free ones banked, through gameweek {until}."
        yield text, {"save_until": goal, "last": until}


def _bank_money(week: Week) -> Iterator[Made]:
    floor = min(week.bank_after // 5 * 5, 10)
    if floor >= 5 and week.plan.sheet.chip != "free_hit":
        until = week.until("money", 2, 4)
        yield (
            f"I will keep at least {floor / 10:.1f} million in the bank through gameweek {until}.",
            {"at_least": floor, "last": until},
        )


def _formation(week: Week) -> Iterator[Made]:
    lines = Counter(week.player(player_id).position for player_id in week.plan.sheet.starting)
    shape = f"{lines['DEF']}-{lines['MID']}-{lines['FWD']}"
    until = week.until("shape", 1, 2)
    weeks = "next week" if until == week.gameweek + 1 else f"through gameweek {until}"
    yield f"I will line up in a {shape} {weeks}.", {"formation": shape, "last": until}


def _owned_best(week: Week) -> list[Seen]:
    """The squad's outfield players worth the most over the coming weeks, the best first."""
    ids = week.plan.ids if week.plan.sheet.chip != "free_hit" else {p.player_id for p in week.reading.squad}
    players = [week.player(player_id) for player_id in sorted(ids)]
    players = [player for player in players if player.position != "GK" and not ruled_out(player)]
    return sorted(players, key=lambda p: (-week.long_term(p.player_id), p.player_id))


MAKERS: Mapping[str, Callable[[Week], Iterator[Made]]] = {
    "hold_chip": _hold_chip,
    "play_chip_in": _play_chip_in,
    "no_hits": _no_hits,
    "max_transfers": _max_transfers,
    "keep_player": _keep_player,
    "sell_player": _sell_player,
    "avoid_player": _avoid_player,
    "captain_player": _captain_player,
    "never_captain": _never_captain,
    "start_player": _start_player,
    "club_limit": _club_limit,
    "bank_transfers": _bank_transfers,
    "bank_money": _bank_money,
    "formation": _formation,
}
"""How each kind of promise is made: candidates in the order of preference."""
