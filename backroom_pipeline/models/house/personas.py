"""The eight house personas: what each sees in a player, how it weighs risk and patience, and what its word is worth."""

from __future__ import annotations

from dataclasses import dataclass, field

from backroom_pipeline.models.house.forecast import Tint
from backroom_pipeline.models.house.solver import Appetite


@dataclass(frozen=True, slots=True)
class Temper:
    """The numbers behind a persona."""

    persona: str
    eye: Tint = field(default_factory=Tint)
    horizon: int = 5
    assistant: Appetite = field(default_factory=Appetite)
    manager: Appetite = field(default_factory=Appetite)
    most_paid_proposed: int = 1
    """Most paid transfers the assistant proposes in one week."""
    most_paid: int = 1
    chip_patience: float = 1.0
    """Above one waits for more before a chip is spent, below one spends it sooner."""
    word: float = 4.0
    """Expected points over the horizon that breaking a promise must be worth."""
    trust: float = 1.0
    """Points over the horizon by which the manager's own plan must beat the assistant's to replace it."""
    assistant_honours: bool = True
    """Whether the assistant treats standing commitments as binding when it drafts."""
    opening_reserve: int = 0
    """Tenths of a million kept in the bank when the squad is built."""
    captain_nerve: float = 0.0
    """Points a captain may cost to be one that fewer own (negative: to be the one most own)."""
    favourite_claims: tuple[str, ...] = ()
    """Kinds of promise, fondest first."""


TEMPERS: dict[str, Temper] = {
    temper.persona: temper
    for temper in (
        Temper(
            "banker",
            horizon=6,
            assistant=Appetite(kept_transfer=1.4, hit_weight=1.1),
            manager=Appetite(kept_transfer=1.8, hit_weight=2.0),
            most_paid=0,
            opening_reserve=5,
            chip_patience=1.15,
            word=7.0,
            trust=0.6,
            favourite_claims=("bank_transfers", "no_hits", "hold_chip", "bank_money", "max_transfers", "start_player"),
        ),
        Temper(
            "gambler",
            eye=Tint(recent=0.7, crowd=-0.03),
            horizon=5,
            assistant=Appetite(kept_transfer=0.8, hit_weight=0.85),
            manager=Appetite(kept_transfer=0.7, hit_weight=0.85),
            most_paid_proposed=2,
            most_paid=2,
            chip_patience=0.85,
            word=2.5,
            trust=0.8,
            assistant_honours=False,
            captain_nerve=0.25,
            favourite_claims=(
                "play_chip_in",
                "captain_player",
                "sell_player",
                "avoid_player",
                "formation",
                "hold_chip",
            ),
        ),
        Temper(
            "loyalist",
            eye=Tint(loyalty=0.12),
            horizon=6,
            assistant=Appetite(kept_transfer=1.1),
            manager=Appetite(kept_transfer=1.4, hit_weight=1.3),
            chip_patience=1.0,
            word=6.0,
            favourite_claims=("keep_player", "captain_player", "start_player", "no_hits", "never_captain", "hold_chip"),
        ),
        Temper(
            "form_chaser",
            eye=Tint(recent=1.4, streak=0.08),
            horizon=4,
            assistant=Appetite(decay=0.85, kept_transfer=1.0),
            manager=Appetite(decay=0.85, kept_transfer=0.9),
            chip_patience=0.95,
            word=3.0,
            favourite_claims=(
                "sell_player",
                "captain_player",
                "avoid_player",
                "max_transfers",
                "hold_chip",
                "start_player",
            ),
        ),
        Temper(
            "fixture_reader",
            eye=Tint(fixtures=1.25),
            horizon=6,
            assistant=Appetite(decay=0.9, kept_transfer=1.2),
            manager=Appetite(decay=0.9, kept_transfer=1.2),
            chip_patience=1.0,
            word=4.5,
            favourite_claims=("play_chip_in", "club_limit", "avoid_player", "sell_player", "hold_chip", "formation"),
        ),
        Temper(
            "contrarian",
            eye=Tint(crowd=-0.06),
            horizon=5,
            assistant=Appetite(kept_transfer=1.1),
            manager=Appetite(kept_transfer=1.1, hit_weight=1.1),
            chip_patience=1.05,
            word=3.0,
            captain_nerve=0.5,
            favourite_claims=("avoid_player", "never_captain", "keep_player", "club_limit", "formation", "hold_chip"),
        ),
        Temper(
            "template",
            eye=Tint(crowd=0.06),
            horizon=5,
            assistant=Appetite(kept_transfer=1.1, hit_weight=1.1),
            manager=Appetite(kept_transfer=1.2, hit_weight=1.2),
            chip_patience=1.0,
            word=5.0,
            captain_nerve=-0.3,
            favourite_claims=("captain_player", "no_hits", "keep_player", "hold_chip", "max_transfers", "club_limit"),
        ),
        Temper(
            "planner",
            horizon=6,
            assistant=Appetite(decay=0.92, kept_transfer=1.4),
            manager=Appetite(decay=0.92, kept_transfer=1.5, hit_weight=1.15),
            chip_patience=1.1,
            word=4.5,
            favourite_claims=("play_chip_in", "hold_chip", "bank_transfers", "sell_player", "formation", "bank_money"),
        ),
    )
}
