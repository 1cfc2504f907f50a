"""What an operator starts: a gameweek, its half before the deadline, its half after, a rebuild of memory."""

from typing import TYPE_CHECKING

import dagster as dg
from pydantic import Field

from backroom_pipeline.defs import facts, outcomes, results
from backroom_pipeline.defs.partitions import manager_group
from backroom_pipeline.defs.resources import ContestResource
from backroom_pipeline.league import League

if TYPE_CHECKING:
    from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

PLAY_GAMEWEEK = "play_gameweek"


def asset_jobs(league: League) -> "list[UnresolvedAssetJobDefinition]":
    """The jobs that materialize a gameweek, whole or by halves."""
    before = dg.AssetSelection.groups(facts.GROUP, *(manager_group(slug) for slug in league.slugs))
    after = dg.AssetSelection.groups(results.GROUP, outcomes.GROUP)
    return [
        dg.define_asset_job(
            PLAY_GAMEWEEK,
            selection=before | after,
            description="A whole gameweek of a season whose results are known: decide, score, learn.",
        ),
        dg.define_asset_job(
            "decide_gameweek",
            selection=before,
            description="What a live gameweek runs before the deadline: facts, briefing, preflight, the backrooms.",
        ),
        dg.define_asset_job(
            "score_gameweek",
            selection=after,
            description="What a live gameweek runs after its matches: results, scores, table, outcomes.",
        ),
    ]


class RebuildConfig(dg.Config):
    """Whose memory to rebuild, and whether to only say what it would do."""

    managers: list[str] = Field(default_factory=list, description="Slugs; none means everybody.")
    dry_run: bool = Field(default=False, description="Only say what would be written.")


def rebuild_job(league: League) -> dg.JobDefinition:
    """rebuild_memory: the stores written anew from the ledger, through the gateway the live path uses."""

    @dg.op(description="Replays the ledger into fresh stores and puts them in the place of the old ones.")
    def rebuild_stores(context: dg.OpExecutionContext, config: RebuildConfig, room: ContestResource) -> None:
        from backroom_pipeline.memory.embedder import load_embedder
        from backroom_pipeline.memory.rebuild import rebuild

        with room.open(league, "memory rebuild") as contest:
            managers = [contest.manager(slug).slug for slug in config.managers] or None
            embedder = load_embedder(league.embedder)
            rebuilt = rebuild(contest.ledger, contest.directory / "memory", managers, embedder, dry_run=config.dry_run)
        context.log.info(str(rebuilt))

    @dg.job(description="Memory is derived: replay the ledger through the gateway and get the same records again.")
    def rebuild_memory() -> None:
        rebuild_stores()

    return rebuild_memory
