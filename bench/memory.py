"""What memory costs over a season: storing a week, recalling before a decision, eight managers at once. Prints JSON.

Run: python -m bench.memory [--managers 8] [--gameweeks 38]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from backroom_pipeline.ledger.answers import team_state
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.embedder import load_embedder
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import Member
from backroom_pipeline.memory.questions import questions_for
from backroom_pipeline.memory.rebuild import rebuild
from backroom_pipeline.memory.records import records_owed
from backroom_pipeline_tests.memory import invented


def measure(managers: int, gameweeks: int, embedder: str, root: Path) -> dict[str, object]:
    slugs = invented.MANAGERS[:managers]
    load = os.getloadavg()[0]
    weeks: list[dict[str, float]] = []
    with Ledger.open(root / "ledger.duckdb") as ledger:
        gateway = Gateway(root / "memory", ledger, load_embedder(embedder))
        invented.enrol(ledger, gateway, slugs)
        for gameweek in range(1, gameweeks + 1):
            invented.decide(ledger, gameweek, slugs)
            recalls = [timed(recall, ledger, gateway, gameweek, slug) for slug in slugs]
            stores = [timed(remember, ledger, gateway, gameweek, slug) for slug in slugs]
            at_once = timed(recall_all, ledger, gateway, gameweek + 1, slugs)
            invented.score(ledger, gateway, gameweek, {slug: 40 + place for place, slug in enumerate(slugs)})
            weeks.append(
                {
                    "gameweek": gameweek,
                    "recall_ms_p50": median(wall for wall, _ in recalls),
                    "recall_cpu_ms_p50": median(cpu for _, cpu in recalls),
                    "remember_ms_p50": median(wall for wall, _ in stores),
                    "remember_cpu_ms_p50": median(cpu for _, cpu in stores),
                    "all_managers_recall_at_once_ms": at_once[0],
                }
            )
        rebuilt_ms = timed(rebuild, ledger, root / "memory", [slugs[0]], load_embedder(embedder))
        records = len(gateway.get(Member(manager=slugs[0], role="manager"), slugs[0], "manager"))
    return {
        "embedder": load_embedder(embedder).name,
        "managers": managers,
        "load_average_at_start": round(load, 1),
        "manager_store_records": records,
        "rebuild_one_team_ms": round(rebuilt_ms[0]),
        "files": sum(1 for path in (root / "memory").rglob("*") if path.is_file()),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "season": {name: round(median(week[name] for week in weeks), 1) for name in weeks[0] if name != "gameweek"},
        "weeks": [{name: round(value, 1) for name, value in week.items()} for week in weeks[1::6]],
    }


def recall(ledger: Ledger, gateway: Gateway, gameweek: int, slug: str) -> None:
    """What a manager's step asks of memory: the questions, what is owed, the recall."""
    before = (invented.SEASON, gameweek)
    owed = records_owed(ledger, slug, "manager", before)
    gateway.recall(
        Member(manager=slug, role="manager"),
        slug,
        "manager",
        questions_for(invented.facts(gameweek), team_state(ledger, *before, slug), "manager"),
        before=before,
        expected=[record.id for record in owed],
        categories=("narrative", "commitment", "thread"),
    )


def remember(ledger: Ledger, gateway: Gateway, gameweek: int, slug: str) -> None:
    """What a week writes: one commit into each of the three stores."""
    invented.remember(ledger, gateway, gameweek, slug, consolidate=False)


def recall_all(ledger: Ledger, gateway: Gateway, gameweek: int, slugs: Sequence[str]) -> None:
    with ThreadPoolExecutor(len(slugs)) as pool:
        list(pool.map(lambda slug: recall(ledger, gateway, gameweek, slug), slugs))


def timed(work: Callable[..., object], *given: object) -> tuple[float, float]:
    """Milliseconds on the wall, and of CPU: on a busy machine only the latter says what something costs."""
    wall, cpu = time.perf_counter(), time.process_time()
    work(*given)
    return (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--managers", type=int, default=8)
    arguments.add_argument("--gameweeks", type=int, default=38)
    arguments.add_argument("--embedder", default="local")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measure(chosen.managers, chosen.gameweeks, chosen.embedder, Path(folder)), indent=2))
