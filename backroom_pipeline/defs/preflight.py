"""The blocking checks between the briefing and the first call: a gameweek that must not start costs nothing."""

from collections.abc import Iterator

import dagster as dg

from backroom_pipeline.backroom.preflight import preflight
from backroom_pipeline.defs.partitions import Gameweek
from backroom_pipeline.defs.resources import ContestResource
from backroom_pipeline.league import League

BRIEFING = dg.AssetKey("briefing")
CHECKS = {
    "order": "The gameweek before this one is committed and scored for every manager, as the ledger has it.",
    "cutoff": "Everything in the prompts was known before the deadline.",
    "one_prompt": "The public part of each role's prompt has one sha256 for the whole field.",
    "stores": "Every memory store holds its identity and every record its manager's decisions owe it.",
    "spend": "The gameweek is within the league's spend cap.",
    "providers": "Every model's provider is configured.",
}


def preflight_checks(league: League, partitions: dg.PartitionsDefinition) -> dg.AssetChecksDefinition:
    """One step, six named checks, each naming every manager concerned."""

    @dg.multi_asset_check(
        name="preflight",
        specs=[
            dg.AssetCheckSpec(name, asset=BRIEFING, description=text, blocking=True, partitions_def=partitions)
            for name, text in CHECKS.items()
        ],
    )
    def check_before_spending(
        context: dg.AssetCheckExecutionContext, room: ContestResource
    ) -> Iterator[dg.AssetCheckResult]:
        gameweek = Gameweek.of(context.partition_key)
        with room.open(league, f"preflight of {context.partition_key}") as contest:
            findings = preflight(contest, gameweek.season, gameweek.number)
        for name in CHECKS:
            found = [finding for finding in findings if finding.check == name]
            managers = sorted({finding.manager for finding in found if finding.manager})
            yield dg.AssetCheckResult(
                check_name=name,
                asset_key=BRIEFING,
                passed=not found,
                description="\n".join(finding.sentence for finding in found) or None,
                metadata={"problems": len(found), "managers": ", ".join(managers) or "none"},
            )

    return check_before_spending
