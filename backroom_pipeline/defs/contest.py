"""All of a league's assets, checks and jobs put together."""

from __future__ import annotations

import dagster as dg

from backroom_pipeline.defs.backrooms import backroom_assets
from backroom_pipeline.defs.checks import final_checks
from backroom_pipeline.defs.facts import fact_assets
from backroom_pipeline.defs.jobs import asset_jobs, rebuild_job
from backroom_pipeline.defs.outcomes import outcome_assets
from backroom_pipeline.defs.partitions import gameweek_partitions
from backroom_pipeline.defs.preflight import preflight_checks
from backroom_pipeline.defs.resources import resources
from backroom_pipeline.defs.results import result_assets
from backroom_pipeline.league import League


def contest_definitions(league: League) -> dg.Definitions:
    """The gameweeks of one league as Dagster sees them, in the order in which they happen."""
    partitions = gameweek_partitions(league)
    return dg.Definitions(
        assets=[
            *fact_assets(league, partitions),
            backroom_assets(league, partitions),
            *result_assets(league, partitions),
            outcome_assets(league, partitions),
        ],
        asset_checks=[preflight_checks(league, partitions), final_checks(league, partitions)],
        jobs=[*asset_jobs(league), rebuild_job(league)],
        resources=resources(league),
        # Managers are played by threads of one step; a process a step costs seconds a week and buys nothing.
        executor=dg.in_process_executor,
    )
