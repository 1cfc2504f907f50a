"""What a person sees of findings beside a decision: figures to plot, and both texts side by side."""

from __future__ import annotations

from typing import Any

import dagster as dg
import pytest

from backroom_pipeline.backroom.play import Step
from backroom_pipeline.defs.metadata import step_metadata
from backroom_pipeline.ledger.rows import Finding

BROKEN = Finding(
    season="2025-26",
    gameweek=9,
    manager="planner",
    kind="decision",
    earlier_id="a",
    earlier_season="2025-26",
    earlier_gameweek=4,
    earlier_text="Saka stays | until gameweek ten.",
    later_id="b",
    later_text="Sold Saka.",
    found_by="terms",
    reason="Promised in gameweek 4, in force in gameweek 9: Sold Saka.",
    openly=False,
)
ADMITTED = BROKEN.model_copy(update={"earlier_id": "c", "openly": True})
CLASH = BROKEN.model_copy(
    update={
        "kind": "claim",
        "openly": None,
        "later_text": "Saka goes next week.",
        "found_by": "model",
        "attempt_id": "1",
    }
)
QUOTE = BROKEN.model_copy(
    update={"kind": "quote", "openly": None, "found_by": "verbatim", "earlier_season": "2024-25", "later_start": 7}
)


def shown(*found: Finding) -> dict[str, Any]:
    return step_metadata(Step("planner", "manager", False, {"findings": found}), {})


def test_findings_are_counted_by_kind_and_silent_ones_apart() -> None:
    figures = shown(BROKEN, ADMITTED, CLASH, QUOTE)
    assert figures["findings"] == 4
    assert (figures["promises_broken"], figures["promises_broken_silently"]) == (2, 1)
    assert (figures["claims_contradicting"], figures["own_words_repeated"]) == (1, 1)


def test_both_texts_stand_side_by_side_with_week_and_openness() -> None:
    table = shown(BROKEN, ADMITTED, CLASH, QUOTE)["found"]
    assert isinstance(table, dg.MarkdownMetadataValue)
    head, _, *rows = str(table.value).splitlines()
    assert head == "| found | week | earlier | now | openly | how |"
    assert rows[0].startswith(
        r"| promise broken | 4 | Saka stays \| until gameweek ten. | Sold Saka. | no | Promised in"
    )
    assert "| yes |" in rows[1]
    assert rows[2].endswith("(model) |")
    assert rows[3].startswith("| own words | 4, 2024-25 |")


def test_a_week_without_findings_shows_zeros_and_no_empty_table() -> None:
    figures = shown()
    assert figures["findings"] == figures["promises_broken"] == 0
    assert "found" not in figures


def test_an_unavailable_judge_is_told_and_an_unknown_cost_is_not_zero() -> None:
    step = Step("planner", "manager", False, {"judge": "not available: down.", "judge_cost_micro_dollars": None})
    figures = step_metadata(step, {})
    assert (figures["judge"], figures["judge_cost_micro_dollars"]) == ("not available: down.", "unknown")


def test_a_tuple_of_anything_else_is_not_taken_for_findings() -> None:
    with pytest.raises(TypeError, match="no way to show oddity"):
        step_metadata(Step("planner", "manager", False, {"oddity": (1, 2)}), {})
