"""The private part of a prompt: what lies on one manager's desk and on nobody else's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from backroom_pipeline.backroom.contest import Contest, Week
from backroom_pipeline.backroom.contracts import AssistantSheet, CoachRanking, Picks
from backroom_pipeline.backroom.form import form_block, form_text
from backroom_pipeline.backroom.prompts import PLAYER_COLUMNS, player_row, render, rows_block
from backroom_pipeline.backroom.remembering import Remembered, ShownItem
from backroom_pipeline.fpl.model import POSITIONS, Applied, Bill, Chip, ChipWindow, Player, TeamSheet, TeamState, Trade
from backroom_pipeline.fpl.squad import apply_sheet, chips_left, chips_playable, sale_price
from backroom_pipeline.ledger.answers import team_state
from backroom_pipeline.ledger.standings import form
from backroom_pipeline.memory.commitments import standing_claims
from backroom_pipeline.memory.model import StandingClaim
from backroom_pipeline.models.blocks import data_block, object_block

COMMITMENTS_SHOWN = 12
"""Open commitments in a prompt, most binding first, so that the section keeps its size in gameweek 38."""


@dataclass(frozen=True)
class Desk:
    """One manager's team before a deadline and the promises that bind it."""

    week: Week
    manager: str
    state: TeamState
    commitments: tuple[StandingClaim, ...]

    @property
    def opening(self) -> bool:
        return not self.state.owned

    @property
    def pool(self) -> dict[int, Player]:
        return self.week.pool

    @property
    def chips_left(self) -> tuple[ChipWindow, ...]:
        return chips_left(self.state, self.week.rules, self.week.gameweek)

    @property
    def chips_playable(self) -> tuple[Chip, ...]:
        return chips_playable(self.state, self.week.rules, self.week.gameweek)

    def apply(self, sheet: TeamSheet) -> Applied:
        """The sheet's bill and the team it leaves. Raises IllegalSheet."""
        return apply_sheet(self.state, sheet, self.pool, self.week.rules, self.week.gameweek)


def open_desk(contest: Contest, week: Week, slug: str) -> Desk:
    commitments = standing_claims(contest.ledger, slug, week.season, week.gameweek)
    return Desk(
        week=week,
        manager=slug,
        state=team_state(contest.ledger, week.season, week.gameweek, slug),
        commitments=tuple(commitments[:COMMITMENTS_SHOWN]),
    )


def coach_text() -> str:
    """Nothing: the coach never sees a squad, so its whole prompt is public."""
    return ""


def assistant_text(desk: Desk, ranking: CoachRanking, memory: Remembered | None) -> str:
    return render(
        "assistant",
        **_shared_sections(desk, ranking),
        own_sheets_block=data_block(
            "own_sheets",
            ("gameweek", "text", "result"),
            [(item.record.gameweek, item.record.text, item.result) for item in shown(memory)],
        ),
    )


def manager_text(
    contest: Contest, desk: Desk, ranking: CoachRanking, proposal: AssistantSheet, bill: Bill,
    memory: Remembered | None,
) -> str:  # fmt: skip
    standing = form(contest.ledger, desk.week.season, desk.week.gameweek, desk.manager)
    owned = {o.player_id: o.purchase_price for o in desk.state.owned}
    fifteen = proposal.sheet.player_ids
    return render(
        "manager",
        **_shared_sections(desk, ranking),
        identity_block=object_block("identity", {"name": contest.manager(desk.manager).name}),
        form_text=form_text(standing, desk.chips_left),
        form_block=form_block(standing, desk.chips_left),
        proposal_block=object_block(
            "proposal", {"sheet": proposal.sheet.model_dump(mode="json"), "case": proposal.case}
        ),
        bill_text=render("bill", bill=bill, pool=desk.pool),
        bill_block=object_block("bill", bill_object(bill, desk.pool)),
        proposed_players_block=rows_block(
            "proposed_players",
            ("purchase_price", "sale_price"),
            [(owned.get(i), sale_price(owned[i], desk.pool[i].price) if i in owned else None) for i in fifteen],
            fifteen,
            desk.pool,
        ),
        memory_block=data_block(
            "memory",
            ("gameweek", "category", "text", "result"),
            [(item.record.gameweek, item.record.category, item.record.text, item.result) for item in shown(memory)],
        ),
    )


def shown(memory: Remembered | None) -> tuple[ShownItem, ...]:
    return () if memory is None else memory.shown


def bill_object(bill: Bill, pool: dict[int, Player]) -> dict[str, object]:
    def trades(side: Iterable[Trade]) -> list[dict[str, object]]:
        return [
            {"player_id": trade.player_id, "name": pool[trade.player_id].web_name, "price": trade.price}
            for trade in side
        ]

    return {
        "legal": True,
        "hit_points": bill.hit_points,
        "paid_transfers": bill.paid_transfers,
        "bank_before": bill.bank_before,
        "bank_after": bill.bank_after,
        "free_transfers_before": bill.free_transfers_before,
        "free_transfers_after": bill.free_transfers_after,
        "sold": trades(bill.sold),
        "bought": trades(bill.bought),
    }


def _shared_sections(desk: Desk, ranking: CoachRanking) -> dict[str, object]:
    """What assistant and manager of one team both see."""
    squad = sorted(desk.state.owned, key=lambda o: (POSITIONS.index(desk.pool[o.player_id].position), o.player_id))
    return {
        "opening": desk.opening,
        "team_block": object_block(
            "team",
            {
                "opening": desk.opening,
                "bank": desk.state.bank,
                "free_transfers": desk.state.free_transfers,
                "chips_playable": list(desk.chips_playable),
                "chips_left": [window.model_dump() for window in desk.chips_left],
                "chips_played": [play.model_dump() for play in desk.state.chips_played],
            },
        ),
        "squad_block": rows_block(
            "squad",
            ("purchase_price", "sale_price"),
            [(o.purchase_price, sale_price(o.purchase_price, desk.pool[o.player_id].price)) for o in squad],
            [o.player_id for o in squad],
            desk.pool,
        ),
        "ranking_block": _picks_block("ranking", ranking.rankings, desk.pool),
        "enablers_block": _picks_block("enablers", ranking.enablers, desk.pool),
        "notes_block": object_block("notes", {"notes": ranking.notes}),
        "commitments_block": data_block(
            "standing_commitments",
            ("made_in", "text", "terms", "kept", "broken"),
            [
                (
                    standing.made_in,
                    standing.claim.text,
                    standing.claim.terms.model_dump(mode="json", exclude_defaults=True),
                    list(standing.kept),
                    list(standing.broken),
                )
                for standing in desk.commitments
            ],
        ),
    }


def _picks_block(name: str, picks: Picks, pool: dict[int, Player]) -> str:
    rows = [
        (place, pick.reason, *player_row(pool[pick.player_id]))
        for position in POSITIONS
        for place, pick in enumerate(picks.get(position, ()), start=1)
    ]
    return data_block(name, ("rank", "reason", *PLAYER_COLUMNS), rows)
