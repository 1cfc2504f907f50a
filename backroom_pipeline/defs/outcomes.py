"""How it turned out, told to the records that led to it: one asset per manager, so that no memory reads another's."""

from collections.abc import Iterator

import dagster as dg

from backroom_pipeline.backroom.scoring import attach_outcomes
from backroom_pipeline.defs.backrooms import backroom_key
from backroom_pipeline.defs.partitions import Gameweek, dagster_name
from backroom_pipeline.defs.resources import ContestResource
from backroom_pipeline.league import League

GROUP = "outcomes"


def outcome_key(slug: str) -> dg.AssetKey:
    return dg.AssetKey(["outcomes", dagster_name(slug)])


def outcome_assets(league: League, partitions: dg.PartitionsDefinition) -> dg.AssetsDefinition:
    """One asset a manager; any subset of them can be run."""

    @dg.multi_asset(
        name="outcomes",
        can_subset=True,
        specs=[
            dg.AssetSpec(
                outcome_key(manager.slug),
                deps=[backroom_key("memory_writes", manager.slug), dg.AssetKey("league_table")],
                skippable=True,
                group_name=GROUP,
                partitions_def=partitions,
                owners=[f"team:{manager.slug}"],
                kinds={"python", "lancedb"},
                tags={"stage": "outcomes", "role": "memory", "manager": manager.slug},
                description=(
                    f"{manager.name}: success, failure or mixed, by rank within the field, attached by id to the "
                    "records of the gameweek. Attached again when a result is restated."
                ),
            )
            for manager in league.managers
        ],
    )
    def outcomes(context: dg.AssetExecutionContext, room: ContestResource) -> Iterator[dg.MaterializeResult]:
        season, number = Gameweek.of(context.partition_key)
        with room.open(league, f"outcomes of {context.partition_key}") as contest:
            for slug in league.slugs:
                if outcome_key(slug) not in context.selected_asset_keys:
                    continue
                attached = attach_outcomes(contest, season, number, slug)
                told = next(iter(attached.values()))
                yield dg.MaterializeResult(
                    asset_key=outcome_key(slug),
                    metadata={
                        "outcome": told.sentence,
                        "verdict": told.verdict,
                        "records_told": len(attached),
                        "net_points": told.net_points,
                        "rank_of_the_week": told.rank,
                        "season_total": told.season_total,
                        "scoring_version": told.scoring_version,
                    },
                )

    return outcomes
