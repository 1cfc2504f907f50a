"""YOUR_FORM: how the season is going, derived from the ledger at every prompt and never remembered."""

from __future__ import annotations

from backroom_pipeline.backroom.prompts import render
from backroom_pipeline.fpl.model import ChipWindow
from backroom_pipeline.ledger.rows import Form
from backroom_pipeline.models.blocks import object_block


def chip_name(chip: str) -> str:
    return chip.replace("_", " ")


def form_text(form: Form, chips_left: tuple[ChipWindow, ...]) -> str:
    """About sixty tokens, the same size in gameweek 38: five weeks are listed, every week is counted."""
    return render("form", form=form, chips_left=[chip_name(window.chip) for window in chips_left])


def form_block(form: Form, chips_left: tuple[ChipWindow, ...]) -> str:
    return object_block(
        "form",
        {
            "played": form.played,
            "weeks": [
                {
                    "gameweek": week.gameweek,
                    "points": week.net_points,
                    "hit_points": week.hit_points,
                    "rank": week.rank,
                    "of": week.of,
                }
                | ({"carried_over": True} if week.carried_over else {})
                for week in form.weeks
            ],
            "total": form.total,
            "rank": form.rank,
            "of": form.of,
            "hits": form.hits,
            "hit_cost": form.hit_cost,
            "chips_left": [window.chip for window in chips_left],
        },
    )
