"""How a season stops, for those who only need the name of it: this module imports no Dagster."""

from __future__ import annotations


class SeasonStopped(Exception):
    """A gameweek that could not be finished. The message says which, why, for whom, and what to do next."""

    def __init__(self, season: str, gameweek: int, reason: str) -> None:
        super().__init__(
            f"Stopped in gameweek {gameweek} of {season}.\n{reason}\n"
            "Everything committed is kept: once the cause is mended, the same command goes on from here."
        )
        self.season, self.gameweek, self.reason = season, gameweek, reason
