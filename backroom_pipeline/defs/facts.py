"""Before the deadline: players and fixtures into the ledger, and the briefing every manager is given."""

import dagster as dg

from backroom_pipeline.backroom.briefing import write_briefing
from backroom_pipeline.backroom.facts import take_facts
from backroom_pipeline.defs.metadata import markdown_table
from backroom_pipeline.defs.partitions import Gameweek
from backroom_pipeline.defs.resources import ContestResource, FeedResource
from backroom_pipeline.league import League

GROUP = "gameweek"
OFFICE = ["team:league-office"]


def fact_assets(league: League, partitions: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """players_and_fixtures and briefing, shared by the whole field."""

    @dg.asset(
        group_name=GROUP,
        partitions_def=partitions,
        owners=OFFICE,
        kinds={"python", "duckdb"},
        tags={"stage": "facts"},
        description=(
            "The world strictly before the deadline: every player with price, fitness and statistics to date, and the "
            "fixture list as it then stood. Written to the ledger with its cut-off; the same facts twice are one row."
        ),
    )
    def players_and_fixtures(
        context: dg.AssetExecutionContext, room: ContestResource, source: FeedResource
    ) -> dg.MaterializeResult:
        season, number = Gameweek.of(context.partition_key)
        with room.open(league, f"facts of {context.partition_key}") as contest:
            facts = take_facts(contest, source.feed(), season, number)
            matches = [fixture for fixture in facts.fixtures if fixture.gameweek == number]
            return dg.MaterializeResult(
                metadata={
                    "deadline": facts.deadline.isoformat(),
                    "cutoff": facts.cutoff.isoformat(),
                    "players": len(facts.players),
                    "flagged_players": sum(player.status != "a" for player in facts.players),
                    "matches": len(matches),
                    "fixtures": dg.MetadataValue.md(
                        markdown_table(
                            ("home", "difficulty", "away", "difficulty"),
                            [(f.home, f.home_difficulty, f.away, f.away_difficulty) for f in matches],
                        )
                    ),
                    "statistics_of": facts.statistics_season,
                    "source": facts.source,
                    "notes": "\n".join(facts.notes) or "none",
                    "inputs_sha256": contest.inputs_sha256(season, number),
                }
            )

    @dg.asset(
        deps=[players_and_fixtures],
        group_name=GROUP,
        partitions_def=partitions,
        owners=OFFICE,
        kinds={"python", "markdown"},
        tags={"stage": "briefing"},
        description=(
            "The public part of the prompts, one text a role, byte-identical for all managers of the gameweek. "
            "Everything that costs money waits for the checks that hang on it."
        ),
    )
    def briefing(context: dg.AssetExecutionContext, room: ContestResource) -> dg.MaterializeResult:
        season, number = Gameweek.of(context.partition_key)
        with room.open(league, f"briefing of {context.partition_key}") as contest:
            written = write_briefing(contest, season, number)
        sizes = {f"{role}_characters": len(prompt.public) for role, prompt in written.prompts.items()}
        hashes = {f"{role}_public_sha256": prompt.public_sha256 for role, prompt in written.prompts.items()}
        shown = dg.MetadataValue.md(written.prompts["manager"].public)
        return dg.MaterializeResult(metadata={"shown_to_managers": shown, **sizes, **hashes})

    return [players_and_fixtures, briefing]
