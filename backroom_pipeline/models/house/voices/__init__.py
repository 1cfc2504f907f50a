"""How each persona talks: its wordings for everything a manager may have to say in a week.

A voice maps an occasion to wordings with named slots; ``words.variant`` lets them take turns. Every voice knows every
occasion (a test holds it to that), so a new persona is one more module here and one more temper.
"""

from __future__ import annotations

from collections.abc import Mapping

from backroom_pipeline.models.house.voices import (
    banker,
    contrarian,
    fixture_reader,
    form_chaser,
    gambler,
    loyalist,
    planner,
    template,
)

Voice = Mapping[str, tuple[str, ...]]

VOICES: Mapping[str, Voice] = {
    "banker": banker.VOICE,
    "gambler": gambler.VOICE,
    "loyalist": loyalist.VOICE,
    "form_chaser": form_chaser.VOICE,
    "fixture_reader": fixture_reader.VOICE,
    "contrarian": contrarian.VOICE,
    "template": template.VOICE,
    "planner": planner.VOICE,
}

OCCASIONS: Mapping[str, frozenset[str]] = {
    "opening": frozenset({"captain", "premium", "bank"}),
    "sell_one": frozenset({"out", "why_out", "in_", "why_in"}),
    "sell_many": frozenset({"outs", "ins", "in_", "why_in"}),
    "hit": frozenset({"points", "gain"}),
    "roll": frozenset({"left"}),
    "wildcard": frozenset({"count", "in_", "why_in"}),
    "free_hit": frozenset({"count", "in_", "why_in"}),
    "bench_boost": frozenset({"bench", "names"}),
    "triple_captain": frozenset({"captain", "fixture"}),
    "signed": frozenset(),
    "overruled": frozenset({"theirs", "mine"}),
    "coach": frozenset({"name", "place", "because"}),
    "coach_agrees": frozenset({"name", "place"}),
    "captain": frozenset({"captain", "fixture"}),
    "armband": frozenset({"captain", "other", "fixture"}),
    "kept": frozenset({"week", "promise"}),
    "broken": frozenset({"week", "promise", "cost"}),
    "let_go": frozenset({"week", "promise"}),
    "quote": frozenset({"week", "said"}),
    "after_success": frozenset({"last", "points", "rank", "of"}),
    "after_failure": frozenset({"last", "points", "rank", "of"}),
    "closing": frozenset(),
}
"""Every occasion and the slots its wordings may use."""
