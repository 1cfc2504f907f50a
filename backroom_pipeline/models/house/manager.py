"""The house manager: keeps or overrules the proposal, keeps or breaks its word, explains and promises."""

from __future__ import annotations

from backroom_pipeline.models.house.assistant import draft
from backroom_pipeline.models.house.forecast import outlooks
from backroom_pipeline.models.house.personas import Temper
from backroom_pipeline.models.house.promises import binding
from backroom_pipeline.models.house.reading import Reading


def decide(reading: Reading, temper: Temper) -> dict[str, object]:
    outlook = outlooks(reading, reading.players, temper.horizon, temper.eye)
    made = draft(reading, outlook, temper.manager, temper.most_paid, temper.chip_patience, binding(reading))
    return {"sheet": made.plan.sheet.as_json(), "reasoning": "So be it.", "claims": []}
