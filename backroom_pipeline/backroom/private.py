"""The private part of a prompt: one desk, written down for the model that sits at it."""

from __future__ import annotations

from collections.abc import Iterable

from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.backroom.contracts import AssistantSheet, CoachRanking, Picks
from backroom_pipeline.backroom.desk import Desk
from backroom_pipeline.backroom.form import form_block, form_text
from backroom_pipeline.backroom.pinned import PINNED_COLUMNS
from backroom_pipeline.backroom.prompts import PLAYER_COLUMNS, player_row, render, rows_block
from backroom_pipeline.backroom.remembering import Remembered
from backroom_pipeline.fpl.model import POSITIONS, Bill, Player, Trade
from backroom_pipeline.fpl.squad import sale_price
from backroom_pipeline.ledger.standings import form
from backroom_pipeline.memory.model import MemoryRecord
from backroom_pipeline.models.blocks import data_block, object_block


def coach_text() -> str:
    """Nothing: the coach never sees a squad, so its whole prompt is public."""
    return ""


def assistant_text(desk: Desk, ranking: CoachRanking, memory: Remembered | None) -> str:
    return render(
        "assistant",
        **_shared_sections(desk, ranking),
        own_sheets_block=data_block(
            "own_sheets",
            ("season", "gameweek", "text", "result"),
            [(record.season, record.gameweek, record.text, result(record)) for record in recalled(memory)],
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
            ("season", "gameweek", "category", "text", "result"),
            [(r.season, r.gameweek, r.category, r.text, result(r)) for r in recalled(memory)],
        ),
    )


def recalled(memory: Remembered | None) -> list[MemoryRecord]:
    """What was brought to mind, best first; nothing where the league has memory switched off."""
    return [] if memory is None else [item.record for item in memory.recall.items]


def result(record: MemoryRecord) -> str | None:
    return None if record.outcome is None else record.outcome.sentence


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
        "commitments_block": data_block("standing_commitments", PINNED_COLUMNS, desk.pinned.rows),
        "left_out": desk.pinned.left_out,
    }


def _picks_block(name: str, picks: Picks, pool: dict[int, Player]) -> str:
    rows = [
        (place, pick.reason, *player_row(pool[pick.player_id]))
        for position in POSITIONS
        for place, pick in enumerate(picks.get(position, ()), start=1)
    ]
    return data_block(name, ("rank", "reason", *PLAYER_COLUMNS), rows)
