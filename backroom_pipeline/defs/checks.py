"""The check that closes a gameweek: it fails while anybody lacks anything, and names who and what."""

import dagster as dg

from backroom_pipeline.defs.outcomes import outcome_key
from backroom_pipeline.defs.partitions import Gameweek
from backroom_pipeline.defs.resources import ContestResource
from backroom_pipeline.league import League
from backroom_pipeline.ledger.completeness import incomplete


def final_check(league: League, partitions: dg.PartitionsDefinition) -> dg.AssetChecksDefinition:
    """nobody_missing, on the league table, after all outcomes."""

    @dg.asset_check(
        asset=dg.AssetKey("league_table"),
        additional_deps=[outcome_key(slug) for slug in league.slugs],
        partitions_def=partitions,
        description="Every manager of the league has a decision, its memory, a score and an outcome in the ledger.",
    )
    def nobody_missing(context: dg.AssetCheckExecutionContext, room: ContestResource) -> dg.AssetCheckResult:
        season, number = Gameweek.of(context.partition_key)
        with room.open(league, f"final check of {context.partition_key}") as contest:
            missing = incomplete(contest.ledger, season, number, league.slugs)
        return dg.AssetCheckResult(
            passed=not missing,
            description="\n".join(manager.sentence for manager in missing) or None,
            metadata={"managers": len(league.slugs), "missing": ", ".join(m.manager for m in missing) or "nobody"},
        )

    return nobody_missing
