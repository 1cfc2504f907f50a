"""A house manager's season without ledger, memory or models: real facts in, real prompts, real sheets applied."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from backroom_pipeline.backroom.contracts import AssistantSheet, CoachRanking, ManagerDecision
from backroom_pipeline.backroom.prompts import PLAYER_COLUMNS, player_row, public_text, system_text
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.fpl.model import POSITIONS, Applied, GameweekFacts, Player, TeamSheet, TeamState
from backroom_pipeline.fpl.rules import load_rules
from backroom_pipeline.fpl.squad import apply_sheet, chips_left, chips_playable, sale_price
from backroom_pipeline.models import house
from backroom_pipeline.models.blocks import data_block, object_block

SEASON = "2025-26"
RULES = load_rules(SEASON)
Claim = dict[str, Any]


@dataclass
class Desk:
    """One manager before a deadline; ``play`` takes the whole week and moves on to the next."""

    feed: ArchiveFeed
    persona: str
    gameweek: int = 1
    state: TeamState = field(default_factory=TeamState)
    claims: list[tuple[int, Claim]] = field(default_factory=list)
    memory: list[tuple[int, str, str, str]] = field(default_factory=list)
    form: dict[str, Any] = field(default_factory=dict)

    @property
    def facts(self) -> GameweekFacts:
        return self.feed.facts(SEASON, self.gameweek)

    @property
    def pool(self) -> dict[int, Player]:
        return {player.id: player for player in self.facts.players}

    def ask(self, role: str, private: str) -> str:
        return house.answer(self.persona, *self.prompt(role, private))

    def prompt(self, role: Any, private: str) -> tuple[str, str]:
        public = public_text(role, self.facts, RULES, opening=not self.state.owned)
        return system_text(role, RULES), f"{public}\n\n{private}"

    def ranking(self) -> CoachRanking:
        return CoachRanking.model_validate_json(self.ask("coach", ""))

    def proposal(self, ranking: CoachRanking) -> AssistantSheet:
        return AssistantSheet.model_validate_json(self.ask("assistant", self.assistant_text(ranking)))

    def decision(self, ranking: CoachRanking, proposal: AssistantSheet) -> ManagerDecision:
        return ManagerDecision.model_validate_json(self.ask("manager", self.manager_text(ranking, proposal)))

    def apply(self, sheet: TeamSheet) -> Applied:
        return apply_sheet(self.state, sheet, self.pool, RULES, self.gameweek)

    def play(self) -> tuple[CoachRanking, AssistantSheet, ManagerDecision, Applied]:
        ranking = self.ranking()
        proposal = self.proposal(ranking)
        self.apply(proposal.sheet)
        decision = self.decision(ranking, proposal)
        applied = self.apply(decision.sheet)
        self.claims.extend((self.gameweek, claim.model_dump(mode="json")) for claim in decision.claims)
        self.claims = [(made, claim) for made, claim in self.claims if claim["terms"]["last"] > self.gameweek]
        self.state = applied.state_after
        self.gameweek += 1
        return ranking, proposal, decision, applied

    def assistant_text(self, ranking: CoachRanking) -> str:
        picks = ("rank", "reason")
        team = {
            "opening": not self.state.owned,
            "bank": self.state.bank,
            "free_transfers": self.state.free_transfers,
            "chips_playable": list(chips_playable(self.state, RULES, self.gameweek)),
            "chips_left": [window.model_dump() for window in chips_left(self.state, RULES, self.gameweek)],
            "chips_played": [play.model_dump() for play in self.state.chips_played],
        }
        ranked, enablers = (
            [
                ((place, pick.reason), pick.player_id)
                for position in POSITIONS
                for place, pick in enumerate(listed.get(position, ()), 1)
            ]
            for listed in (ranking.rankings, ranking.enablers)
        )
        owned = [owned.player_id for owned in self.state.owned]
        promises = [(made, claim["text"], claim["terms"], [], []) for made, claim in self.claims]
        return "\n\n".join(
            [
                object_block("team", team),
                self.players("ranking", picks, ranked),
                self.players("enablers", picks, enablers),
                self.players("squad", ("purchase_price", "sale_price"), self.prices(owned)),
                data_block("standing_commitments", ("made_in", "text", "terms", "kept", "broken"), promises),
                data_block("own_sheets", ("gameweek", "text", "result"), []),
            ]
        )

    def manager_text(self, ranking: CoachRanking, proposal: AssistantSheet) -> str:
        bill = self.apply(proposal.sheet).bill
        prices = ("purchase_price", "sale_price")
        return "\n\n".join(
            [
                self.assistant_text(ranking).partition('\n\n<data name="own_sheets">')[0],
                object_block("proposal", proposal.model_dump(mode="json")),
                object_block("bill", {"legal": True, **bill.model_dump(mode="json")}),
                self.players("proposed_players", prices, self.prices(proposal.sheet.player_ids)),
                object_block("form", self.form),
                data_block("memory", ("gameweek", "category", "text", "result"), self.memory),
            ]
        )

    def prices(self, players: Iterable[int]) -> list[tuple[tuple[object, ...], int]]:
        paid = {owned.player_id: owned.purchase_price for owned in self.state.owned}
        return [
            ((paid[each], sale_price(paid[each], self.pool[each].price)) if each in paid else (None, None), each)
            for each in players
        ]

    def players(self, name: str, columns: Sequence[str], rows: Iterable[tuple[Sequence[object], int]]) -> str:
        shown = [(*lead, *player_row(self.pool[player])) for lead, player in rows]
        return data_block(name, (*columns, *PLAYER_COLUMNS), shown)


def terms_of(claims: Iterable[tuple[int, Claim]]) -> list[str]:
    return [json.dumps(claim["terms"], sort_keys=True) for _, claim in claims]
