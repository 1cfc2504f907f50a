"""Eight language models manage Fantasy Premier League teams for a season, with a memory that is accountable."""

__version__ = "0.1.0"
