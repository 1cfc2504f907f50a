"""Promises: judged against decisions by typed terms, followed through a season, compared, and read from sentences.

``judge``, ``standing_claims`` and ``conflict`` need typed terms only; ``parse_terms`` makes them from plain English.
"""

from backroom_pipeline.memory.commitments.conflicts import Context, Said, conflict
from backroom_pipeline.memory.commitments.decision import DecisionFacts
from backroom_pipeline.memory.commitments.history import decision_facts, decisions_before, standing_claims
from backroom_pipeline.memory.commitments.names import Named, Roster
from backroom_pipeline.memory.commitments.sentences import how_read, parse_terms
from backroom_pipeline.memory.commitments.standing import in_order_of_weight, stand, without_repeats
from backroom_pipeline.memory.commitments.verdicts import judge

__all__ = [
    "Context",
    "DecisionFacts",
    "Named",
    "Roster",
    "Said",
    "conflict",
    "decision_facts",
    "decisions_before",
    "how_read",
    "in_order_of_weight",
    "judge",
    "parse_terms",
    "stand",
    "standing_claims",
    "without_repeats",
]
