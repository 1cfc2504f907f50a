"""The backrooms: one step that plays all managers at once, with four assets for each that nobody else touches.

One multi_asset, because a step per stage would make every manager wait for the slowest, and one manager's failure
would skip the next stage for all; as separate assets they would call one model at a time.
"""

import queue
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

import dagster as dg

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.contest import CannotDecide, Contest
from backroom_pipeline.backroom.play import Step
from backroom_pipeline.defs.metadata import step_metadata, usage_metadata
from backroom_pipeline.defs.partitions import Gameweek, manager_group
from backroom_pipeline.defs.preflight import BRIEFING
from backroom_pipeline.defs.resources import OPERATOR_ERRORS, ContestResource
from backroom_pipeline.league import League, ManagerConfig
from backroom_pipeline.ledger.rows import AnswerKey
from backroom_pipeline.ledger.usage import usage

Play = Callable[[Contest, str, int, str], Step]


@dataclass(frozen=True)
class Stage:
    """One of the four things a backroom does in a gameweek."""

    asset: str
    role: str
    kind: str
    play: Callable[[], Play]
    description: str

    @property
    def asks(self) -> bool:
        """Whether a model is called; memory is written by code."""
        return self.role != "memory"


STAGES = (
    Stage(
        "coach_rankings", "coach", "statistics", lambda: play.rank,
        "ranks five players per position from the statistics alone, each with a reason; it never sees the squad.",
    ),
    Stage(
        "assistant_sheets", "assistant", "sheet", lambda: play.propose,
        "turns the ranking into a complete legal sheet, knowing the squad, past sheets and standing commitments.",
    ),
    Stage(
        "manager_decisions", "manager", "decision", lambda: play.decide,
        "decides and explains, free to ignore both advisers, and promises what it will be held to.",
    ),
    Stage(
        "memory_writes", "memory", "lancedb", lambda: play.remember,
        "writes ranking, sheet, narrative and claims to the three stores of this backroom, derived from the ledger.",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Stuck:
    """A manager that could not finish, at which stage and why."""

    manager: str
    stage: Stage
    error: Exception

    @property
    def ours(self) -> bool:
        """Whether it is a fault of the program and not something an operator can mend."""
        return not isinstance(self.error, OPERATOR_ERRORS)

    @property
    def sentence(self) -> str:
        if isinstance(self.error, CannotDecide):
            return str(self.error)
        kind = f"{type(self.error).__name__}: " if self.ours else ""
        return f"{self.manager} failed at {self.stage.asset}: {kind}{self.error}"


def backroom_key(stage: str, slug: str) -> dg.AssetKey:
    """``backroom_opus/coach_rankings``: the lineage labels a box with the end of its key, and four read opus else."""
    return dg.AssetKey([manager_group(slug), stage])


def decision_keys(league: League) -> list[dg.AssetKey]:
    """The eight assets a gameweek waits for."""
    return [backroom_key("manager_decisions", slug) for slug in league.slugs]


def backroom_specs(league: League, partitions: dg.PartitionsDefinition) -> list[dg.AssetSpec]:
    return [spec for manager in league.managers for spec in _chain(manager, partitions)]


def _chain(manager: ManagerConfig, partitions: dg.PartitionsDefinition) -> Iterator[dg.AssetSpec]:
    before = BRIEFING
    for stage in STAGES:
        key = backroom_key(stage.asset, manager.slug)
        yield dg.AssetSpec(
            key,
            deps=[before],
            skippable=True,
            group_name=manager_group(manager.slug),
            partitions_def=partitions,
            owners=[f"team:{manager.slug}"],
            kinds={stage.kind, _provider(manager)} if stage.asks else {stage.kind},
            tags={"stage": stage.asset, "role": stage.role, "manager": manager.slug},
            description=f"{manager.name} ({manager.model}): the {stage.role} {stage.description}",
        )
        before = key


def _provider(manager: ManagerConfig) -> str:
    """anthropic of anthropic/claude-x: Dagster draws an icon for the providers it knows."""
    provider, slash, _ = manager.model.partition("/")
    return provider if slash else "llm"


def backroom_assets(league: League, partitions: dg.PartitionsDefinition) -> dg.AssetsDefinition:
    """Four assets a manager; any subset of them can be run.

    What a role did not answer because its team was carried over is not materialized; the decision and its memory are.
    """

    @dg.multi_asset(name="backrooms", specs=backroom_specs(league, partitions), can_subset=True)
    def backrooms(context: dg.AssetExecutionContext, room: ContestResource) -> Iterator[dg.MaterializeResult]:
        gameweek = Gameweek.of(context.partition_key)
        selected = context.selected_asset_keys
        chains = {
            slug: [stage for stage in STAGES if backroom_key(stage.asset, slug) in selected] for slug in league.slugs
        }
        stuck: list[Stuck] = []
        with room.open(league, f"backrooms of {context.partition_key}") as contest:
            pool = contest.pool(gameweek.season, gameweek.number)
            played = play_together(contest, gameweek, chains, stuck)
            room.before_closing(played.close)
            for slug, stage, step in played:
                if not step.answered:
                    context.log.warning(f"{slug}, {stage.asset}: {step.metadata['reason']}")
                    continue
                metadata = step_metadata(step, pool)
                if stage.asks:
                    answer = AnswerKey(season=gameweek.season, gameweek=gameweek.number, manager=slug, role=step.role)
                    metadata |= usage_metadata(usage(contest.ledger, answer))
                yield dg.MaterializeResult(asset_key=backroom_key(stage.asset, slug), metadata=metadata)
        if stuck:
            for trouble in stuck:
                if trouble.ours:
                    context.log.error(f"{trouble.manager}, {trouble.stage.asset}", exc_info=trouble.error)
            raise dg.Failure(
                description=why_stuck(gameweek, stuck),
                metadata={trouble.manager: trouble.sentence for trouble in stuck},
                allow_retries=False,
            )

    return backrooms


def why_stuck(gameweek: Gameweek, stuck: Sequence[Stuck]) -> str:
    """Every manager that could not finish and why, and what to do next."""
    ordered = sorted(stuck, key=lambda trouble: trouble.manager)
    names = ", ".join(trouble.manager for trouble in ordered)
    return "\n".join(
        [
            f"{len(stuck)} of the managers could not finish gameweek {gameweek.number} of {gameweek.season}: {names}.",
            *(trouble.sentence for trouble in ordered),
            "All other answers are committed. Mend the cause and run it again: only what is missing is asked.",
        ]
    )


def play_together(
    contest: Contest, gameweek: Gameweek, chains: Mapping[str, Sequence[Stage]], stuck: list[Stuck]
) -> Generator[tuple[str, Stage, Step]]:
    """Play every manager's stages in sequence, the managers in parallel, and yield each step as it is committed.

    A manager that raises goes no further and is added to ``stuck``; the others are not disturbed. When the caller stops
    listening (an interrupt), each manager finishes the stage it is in and begins no other.
    """
    finished: queue.Queue[tuple[str, Stage, Step] | Stuck | None] = queue.Queue()
    stop = threading.Event()

    def backroom(slug: str, stages: Sequence[Stage]) -> None:
        stage = stages[0]
        try:
            for stage in stages:
                if stop.is_set():
                    return
                finished.put((slug, stage, stage.play()(contest, gameweek.season, gameweek.number, slug)))
        except Exception as error:
            finished.put(Stuck(slug, stage, error))
        finally:
            finished.put(None)

    rooms = [
        threading.Thread(target=backroom, args=(slug, stages), name=f"backroom {slug}")
        for slug, stages in chains.items()
        if stages
    ]
    for room in rooms:
        room.start()
    try:
        still_playing = len(rooms)
        while still_playing:
            match finished.get():
                case None:
                    still_playing -= 1
                case Stuck() as trouble:
                    stuck.append(trouble)
                case step:
                    yield step
    finally:
        stop.set()
        for room in rooms:
            room.join()
