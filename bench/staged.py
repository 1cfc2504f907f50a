"""Seasons on paper for PromiseBench: managers who say what a script gives them and keep the same fifteen players."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from backroom_pipeline.fpl.model import POSITIONS, Bill, OwnedPlayer, Player, SeasonFacts, TeamSheet, TeamState
from backroom_pipeline.league import League, ManagerConfig
from backroom_pipeline.ledger.answers import Answer, commit_answer
from backroom_pipeline.ledger.facts import record_gameweek, record_season
from backroom_pipeline.ledger.managers import record_manager
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments import Named, Roster, parse_terms
from backroom_pipeline.memory.model import (
    LAST_GAMEWEEK,
    AvoidPlayer,
    BankMoney,
    CaptainPlayer,
    Claim,
    KeepPlayer,
    NoHits,
    StartPlayer,
)
from backroom_pipeline_tests.memory import invented

SEASON = invented.SEASON
GAMEWEEKS = range(1, LAST_GAMEWEEK + 1)
_SQUAD = {"GK": 2, "DEF": 5, "MID": 5, "FWD": 3}
_STARTING = {"GK": 1, "DEF": 4, "MID": 4, "FWD": 2}


class Said(NamedTuple):
    reasoning: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Script:
    """Who plays with which players, and what the manager of a number says in a gameweek."""

    name: str
    managers: tuple[str, ...]
    players: tuple[Player, ...]
    said: Callable[[int, int], Said]

    @property
    def league(self) -> League:
        managers = tuple(ManagerConfig(slug=slug, name=slug.title(), model="staged/none") for slug in self.managers)
        return League(name=self.name, seasons=(SEASON,), managers=managers)


def enter(ledger: Ledger, script: Script) -> None:
    """The season and its managers, before anybody has decided anything."""
    record_season(
        ledger,
        SeasonFacts(season=SEASON, gameweeks=tuple(GAMEWEEKS), clubs={}, chips=(), scoring_json="", source="staged"),
    )
    for slug in script.managers:
        record_manager(ledger, slug, slug.title(), "staged/none")


def decide(ledger: Ledger, script: Script, gameweek: int) -> None:
    """The gameweek's facts and every manager's decision."""
    facts = invented.facts(gameweek).model_copy(update={"players": _with_news(script.players, gameweek)})
    inputs = record_gameweek(ledger, facts)
    for number, slug in enumerate(script.managers):
        said = script.said(number, gameweek)
        sheet = _sheet(script.players, number + gameweek)
        answer = {
            "sheet": sheet.model_dump(),
            "reasoning": said.reasoning,
            "claims": [claim.model_dump(mode="json") for claim in said.claims],
        }
        owned = tuple(OwnedPlayer(player_id=player, purchase_price=50) for player in sheet.player_ids)
        commit_answer(
            ledger,
            Answer(
                season=SEASON,
                gameweek=gameweek,
                manager=slug,
                role="manager",
                answer_json=json.dumps(answer),
                bill_json=_NO_TRANSFERS.model_dump_json(),
                inputs_sha256=inputs,
                cutoff=facts.cutoff,
            ),
            claims=said.claims,
            state_after=TeamState(owned=owned, bank=6),
        )


_NO_TRANSFERS = Bill(
    sold=(), bought=(), paid_transfers=0, hit_points=0, bank_before=6, bank_after=6, free_transfers_before=1,
    free_transfers_after=1,
)  # fmt: skip


def _with_news(players: tuple[Player, ...], gameweek: int) -> tuple[Player, ...]:
    """Every eleventh player is doubtful, each week another one."""
    return tuple(
        player.model_copy(update={"chance_of_playing": 50}) if (place + gameweek) % 11 == 0 else player
        for place, player in enumerate(players)
    )


def _sheet(players: tuple[Player, ...], turn: int) -> TeamSheet:
    """The first fifteen that make a squad; captain and vice captain take turns."""
    starting: list[int] = []
    bench: list[int] = []
    for position in POSITIONS:
        squad = [player.id for player in players if player.position == position][: _SQUAD[position]]
        starting += squad[: _STARTING[position]]
        bench += squad[_STARTING[position] :]
    captain, vice = starting[turn % 11], starting[(turn + 1) % 11]
    return TeamSheet(starting=tuple(starting), bench=tuple(bench), captain=captain, vice_captain=vice)


def crowded(managers: int = 4) -> Script:
    """Managers who promise six different things a week: 228 in a season, of which some ten bind at a time."""
    players = invented.facts(1).players

    def said(number: int, gameweek: int) -> Said:
        return Said(invented.reasoning(gameweek, number), six_promises(players, number, gameweek))

    return Script("crowded", invented.MANAGERS[:managers], players, said)


def six_promises(players: tuple[Player, ...], number: int, gameweek: int) -> tuple[Claim, ...]:
    """One of each kind, in other words in the second half; some bind next week, some in spring."""
    left = max(1, LAST_GAMEWEEK - gameweek)

    def week(step: int) -> int:
        return min(LAST_GAMEWEEK, gameweek + 1 + (step * gameweek + number) % left)

    def player(step: int) -> Player:
        return players[(gameweek * step + number * 3) % len(players)]

    def said(first_half: str, second_half: str) -> str:
        return first_half if gameweek < 20 else second_half

    captain, starter, kept, avoided, tempting, dear = (player(step) for step in (7, 11, 13, 17, 19, 23))
    armband = min(LAST_GAMEWEEK, gameweek + 1 + (gameweek + number) % 4)
    starts, shut, dry, rich = week(7), week(5), week(11), week(3)
    stays = min(LAST_GAMEWEEK, gameweek + 4)
    shut_to = min(LAST_GAMEWEEK, shut + 1)
    return (
        Claim(
            text=said(
                f"{captain.web_name} gets the armband in gameweek {armband}.",
                f"In gameweek {armband} I captain {captain.web_name}.",
            ),
            terms=CaptainPlayer(kind="captain_player", player_id=captain.id, first=armband, last=armband),
        ),
        Claim(
            text=said(
                f"Whatever happens, {starter.web_name} is in my eleven in gameweek {starts}.",
                f"{starter.web_name} starts in gameweek {starts}.",
            ),
            terms=StartPlayer(kind="start_player", player_id=starter.id, first=starts, last=starts),
        ),
        Claim(
            text=said(
                f"{kept.web_name} does not leave my squad before gameweek {stays + 1}.",
                f"I keep {kept.web_name} through gameweek {stays}.",
            ),
            terms=KeepPlayer(kind="keep_player", player_id=kept.id, first=gameweek, last=stays),
        ),
        Claim(
            text=said(
                f"I buy no {avoided.web_name} from gameweek {shut} to gameweek {shut_to}.",
                f"{avoided.web_name} is not for me in gameweeks {shut} to {shut_to}.",
            ),
            terms=AvoidPlayer(kind="avoid_player", player_id=avoided.id, first=shut, last=shut_to),
        ),
        Claim(
            text=said(
                f"No points hit in gameweek {dry}, not even for {tempting.web_name}.",
                f"{tempting.web_name} or not, I pay no points in gameweek {dry}.",
            ),
            terms=NoHits(kind="no_hits", first=dry, last=dry),
        ),
        Claim(
            text=said(
                f"At least {gameweek / 10} million waits for {dear.web_name} in the bank in gameweek {rich}.",
                f"For {dear.web_name} I leave {gameweek / 10} million unspent in gameweek {rich}.",
            ),
            terms=BankMoney(kind="bank_money", at_least=gameweek, first=rich, last=rich),
        ),
    )


class LabelledClaim(NamedTuple):
    """A claim of a narrative that was written by hand."""

    manager: str
    made_in: int
    claim: Claim


def labelled(labels: Path) -> tuple[Script, list[LabelledClaim]]:
    """The managers of the labelled narratives; in the weeks they have none, they say and promise invented things."""
    players = _people(labels / "verdicts.jsonl")
    roster = Roster.of(players)
    written: dict[tuple[str, int], Said] = {}
    for line in (labels / "narratives.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        gameweek = row["gameweek"]
        claims = tuple(Claim(text=text, terms=parse_terms(text, roster, gameweek)) for text in row["claims"])
        written[row["manager"], gameweek] = Said(row["text"], claims)
    managers = tuple(dict.fromkeys(manager for manager, _ in written))

    def said(number: int, gameweek: int) -> Said:
        invented_week = Said(invented.reasoning(gameweek, number), six_promises(players, number, gameweek)[:2])
        return written.get((managers[number], gameweek), invented_week)

    claims = [
        LabelledClaim(manager, gameweek, claim)
        for (manager, gameweek), week in written.items()
        for claim in week.claims
    ]
    return Script("labelled", managers, players, said), claims


def _people(verdicts: Path) -> tuple[Player, ...]:
    """Everybody in the squads of the labelled verdicts, as a pool."""
    known: dict[str, Named] = {}
    for line in verdicts.read_text(encoding="utf-8").splitlines():
        state = json.loads(line)["state"]
        for name, club in state["clubs"].items():
            known.setdefault(name, Named(0, name, club, state["positions"].get(name)))
    return tuple(
        Player(
            id=number,
            code=1000 + number,
            web_name=name,
            club=known[name].club,
            position=known[name].position or "MID",
            price=50,
        )
        for number, name in enumerate(sorted(known), start=1)
    )
