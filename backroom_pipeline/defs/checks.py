"""The checks that close a gameweek: one fails while anybody lacks anything, one warns of teams nobody decided."""

from collections.abc import Iterator

import dagster as dg

from backroom_pipeline.backroom.carrying import carried_over
from backroom_pipeline.defs.outcomes import outcome_key
from backroom_pipeline.defs.partitions import Gameweek
from backroom_pipeline.defs.resources import ContestResource
from backroom_pipeline.league import League
from backroom_pipeline.ledger.completeness import incomplete

TABLE = dg.AssetKey("league_table")
CHECKS = {
    "nobody_missing": "Every manager of the league has a decision, its memory, a score and an outcome in the ledger.",
    "nobody_carried_over": "Every manager decided. A team that was carried over is named with the reason: a warning.",
}


def final_checks(league: League, partitions: dg.PartitionsDefinition) -> dg.AssetChecksDefinition:
    """One step, two named checks on the league table, after all outcomes."""

    @dg.multi_asset_check(
        name="final_checks",
        specs=[
            dg.AssetCheckSpec(
                name,
                asset=TABLE,
                description=text,
                partitions_def=partitions,
                additional_deps=[outcome_key(slug) for slug in league.slugs],
            )
            for name, text in CHECKS.items()
        ],
    )
    def check_afterwards(
        context: dg.AssetCheckExecutionContext, room: ContestResource
    ) -> Iterator[dg.AssetCheckResult]:
        season, number = Gameweek.of(context.partition_key)
        with room.open(league, f"final checks of {context.partition_key}") as contest:
            missing = incomplete(contest.ledger, season, number, league.slugs)
            told = {slug: carried_over(contest.ledger, season, number, slug) for slug in league.slugs}
        carried = {slug: reason for slug, reason in told.items() if reason}
        yield dg.AssetCheckResult(
            check_name="nobody_missing",
            asset_key=TABLE,
            passed=not missing,
            description="\n".join(manager.sentence for manager in missing) or None,
            metadata={"managers": len(league.slugs), "missing": ", ".join(m.manager for m in missing) or "nobody"},
        )
        yield dg.AssetCheckResult(
            check_name="nobody_carried_over",
            asset_key=TABLE,
            passed=not carried,
            severity=dg.AssetCheckSeverity.WARN,
            description="\n".join(f"{slug}: {reason}" for slug, reason in carried.items()) or None,
            metadata={"carried_over": ", ".join(carried) or "nobody"},
        )

    return check_afterwards
