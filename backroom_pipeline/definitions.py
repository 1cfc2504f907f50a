"""The code location: the league named by BACKROOM_LEAGUE, house by default."""

from backroom_pipeline.defs.contest import contest_definitions
from backroom_pipeline.league import load_league

defs = contest_definitions(load_league())
