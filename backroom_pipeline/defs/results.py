"""After the matches: official results, the eight scores, the league table."""

import dagster as dg

from backroom_pipeline.backroom.facts import take_results
from backroom_pipeline.backroom.scoring import score_gameweek
from backroom_pipeline.defs.backrooms import decision_keys
from backroom_pipeline.defs.facts import OFFICE
from backroom_pipeline.defs.metadata import league_table_markdown, scores_metadata
from backroom_pipeline.defs.partitions import Gameweek
from backroom_pipeline.defs.resources import ContestResource, FeedResource
from backroom_pipeline.league import League
from backroom_pipeline.ledger.facts import gameweek_results
from backroom_pipeline.ledger.standings import league_table as standings_of

GROUP = "results"


def result_assets(league: League, partitions: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """match_results, scores and league_table, for the field as a whole."""

    @dg.asset(
        deps=decision_keys(league),
        group_name=GROUP,
        partitions_def=partitions,
        owners=OFFICE,
        kinds={"python", "duckdb"},
        tags={"stage": "results"},
        description=(
            "What every player did, with the official points. Read only once all decisions are committed; a restated "
            "result is a further scoring version, never a change."
        ),
    )
    def match_results(
        context: dg.AssetExecutionContext, room: ContestResource, source: FeedResource
    ) -> dg.MaterializeResult:
        season, number = Gameweek.of(context.partition_key)
        with room.open(league, f"results of {context.partition_key}") as contest:
            version = take_results(contest, source.feed(), season, number)
            results = gameweek_results(contest.ledger, season, number)
        assert results is not None, "results were recorded a line ago"
        return dg.MaterializeResult(
            metadata={
                "scoring_version": version,
                "final": results.final,
                "players_who_played": sum(performance.minutes > 0 for performance in results.performances),
                "official_average": results.average_score if results.average_score is not None else "unknown",
                "official_highest": results.highest_score if results.highest_score is not None else "unknown",
                "source": results.source,
            }
        )

    @dg.asset(
        deps=[match_results],
        group_name=GROUP,
        partitions_def=partitions,
        owners=OFFICE,
        kinds={"python", "duckdb"},
        tags={"stage": "scores"},
        description=(
            "Every manager's sheet scored by the official points: automatic substitutions, armband, chip, hits. "
            "Refuses while a manager has no committed decision, and names it."
        ),
    )
    def scores(context: dg.AssetExecutionContext, room: ContestResource) -> dg.MaterializeResult:
        season, number = Gameweek.of(context.partition_key)
        with room.open(league, f"scores of {context.partition_key}") as contest:
            rows = score_gameweek(contest, season, number)
            carried = [row.slug for row in standings_of(contest.ledger, season, number) if number in row.carried_over]
            return dg.MaterializeResult(metadata=scores_metadata(rows, contest.pool(season, number), carried))

    @dg.asset(
        deps=[scores],
        group_name=GROUP,
        partitions_def=partitions,
        owners=OFFICE,
        kinds={"python", "table"},
        tags={"stage": "league_table"},
        description="The season so far, derived from the ledger: points net of hits, ties to the fewer transfers.",
    )
    def league_table(context: dg.AssetExecutionContext, room: ContestResource) -> dg.MaterializeResult:
        season, number = Gameweek.of(context.partition_key)
        with room.open(league, f"league table of {context.partition_key}") as contest:
            table = standings_of(contest.ledger, season, number)
        return dg.MaterializeResult(
            metadata={
                "table": dg.MetadataValue.md(league_table_markdown(table)),
                "leader": table[0].slug,
                "points_of_the_leader": table[0].points,
                "points_of_the_last": table[-1].points,
                "carried_over": ", ".join(row.slug for row in table if number in row.carried_over) or "nobody",
            }
        )

    return [match_results, scores, league_table]
