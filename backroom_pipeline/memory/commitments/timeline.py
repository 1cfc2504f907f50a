"""A manager's promises over a season, each from the gameweek it was made to how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from backroom_pipeline.fpl.model import Frozen
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments.decision import DecisionFacts
from backroom_pipeline.memory.commitments.history import decisions_before, standing_claims
from backroom_pipeline.memory.commitments.standing import is_closed
from backroom_pipeline.memory.model import FreeText, StandingClaim


class Course(Frozen):
    """What became of one promise so far."""

    standing: StandingClaim
    ending: str
    """``open``, ``a conviction`` (nothing can test it), or how and when it ended."""

    @property
    def sentence(self) -> str:
        """``made in 3, kept 5 times (4 to 8), broken in 9, lapsed after 12``."""
        standing = self.standing
        told = [f"made in {standing.made_in}"]
        if standing.kept:
            times = "once" if len(standing.kept) == 1 else f"{len(standing.kept)} times"
            told.append(f"kept {times} ({weeks_in_words(standing.kept)})")
        if standing.broken:
            told.append(f"broken in {weeks_in_words(standing.broken)}")
        return ", ".join([*told, self.ending])


def timeline(ledger: Ledger, manager: str, season: str, gameweek: int) -> list[Course]:
    """Every promise of the season made before ``gameweek``, in the order they were made."""
    decisions = decisions_before(ledger, season, gameweek, manager)
    made = standing_claims(ledger, manager, season, gameweek, include_closed=True)
    return [
        Course(standing=standing, ending=_ending(standing, decisions))
        for standing in sorted(made, key=lambda standing: (standing.made_in, standing.ordinal))
    ]


def _ending(standing: StandingClaim, decisions: Sequence[DecisionFacts]) -> str:
    terms = standing.claim.terms
    if standing.open:
        return "a conviction" if isinstance(terms, FreeText) else "open"
    since = [facts for facts in decisions if facts.gameweek >= standing.made_in]
    for place, facts in enumerate(since, start=1):
        if facts.gameweek < terms.last and is_closed(terms, standing.made_in, since[:place], facts.gameweek + 1):
            if terms.until_chip is not None and facts.chip == terms.until_chip:
                return f"released by the {terms.until_chip.replace('_', ' ')} in {facts.gameweek}"
            return f"{'done' if facts.gameweek in standing.kept else 'over'} in {facts.gameweek}"
    return f"lapsed after {terms.last}"


def weeks_in_words(weeks: tuple[int, ...]) -> str:
    """Runs as ranges: ``2, 4 to 8, 11``."""
    runs: list[list[int]] = []
    for week in sorted(weeks):
        if runs and week == runs[-1][-1] + 1:
            runs[-1].append(week)
        else:
            runs.append([week])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
