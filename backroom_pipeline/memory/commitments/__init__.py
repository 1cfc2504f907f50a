"""Promises: judged against decisions by typed terms, followed through a season, compared with one another.

``judge`` and ``standing_claims`` need typed terms only.
"""

from backroom_pipeline.memory.commitments.decision import DecisionFacts
from backroom_pipeline.memory.commitments.history import decision_facts, decisions_before, standing_claims
from backroom_pipeline.memory.commitments.standing import in_order_of_weight, stand, without_repeats
from backroom_pipeline.memory.commitments.verdicts import judge

__all__ = [
    "DecisionFacts",
    "decision_facts",
    "decisions_before",
    "in_order_of_weight",
    "judge",
    "stand",
    "standing_claims",
    "without_repeats",
]
