"""What memory costs. Prints JSON with the work counted; times are milliseconds on the wall, CPU beside them.

``stores``: 24 stores of 400 and of 4,000 records each: one narrow question, a prompt's nine, a week written.
``season``: eight managers play an invented season, week by week, one at a time and all at once.

Run: python -m bench.memory [stores|season ...] [--records 400 4000] [--managers 8] [--gameweeks 38] [--embedder local]
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
from random import Random
from statistics import median

from backroom_pipeline.ledger.answers import team_state
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory import project
from backroom_pipeline.memory.embedder import load_embedder
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import ROLES, Category, Member, Recall, Role
from backroom_pipeline.memory.questions import questions_for
from backroom_pipeline.memory.rebuild import rebuild
from backroom_pipeline.memory.records import records_owed, week_records
from backroom_pipeline_tests.memory import filled, invented

Times = list[tuple[float, float]]
"""Of each piece of work, milliseconds on the wall and of CPU."""

READ: dict[Role, tuple[Category, ...]] = {
    "coach": ("ranking",),
    "assistant": ("sheet",),
    "manager": ("narrative", "commitment", "thread"),
}
A_PROMPT = 9
"""Questions."""


def measure_stores(records: int, managers: int, embedder_name: str, root: Path) -> dict[str, object]:
    """Fill the stores, then ask and write through a gateway that has opened none of them yet."""
    slugs = invented.MANAGERS[:managers]
    embedder, chance = load_embedder(embedder_name), Random(records)
    season, following = filled.season_name(filled.NEWEST), filled.LAST_FILLED + 1
    with Ledger.open(root / "ledger.duckdb") as ledger:
        bulk = Gateway(root / "memory", ledger, filled.Mixed(embedder))
        begun = time.perf_counter()
        invented.enrol(ledger, bulk, slugs)
        held = filled.fill(ledger, bulk, slugs, records)
        filling = time.perf_counter() - begun
        stores = [(manager, role) for manager in slugs for role in ROLES]
        owed = {
            (manager, role): [record.id for record in bulk.get(Member(manager=manager, role=role), manager, role)]
            for manager, role in stores
        }
        project._open.clear()  # as a new process begins
        gateway = Gateway(root / "memory", ledger, embedder)
        shown: list[int] = []

        def ask(manager: str, role: Role, questions: Sequence[str], gameweek: int = following) -> Recall:
            recall = gateway.recall(
                Member(manager=manager, role=role),
                manager,
                role,
                questions,
                before=(season, gameweek),
                expected=owed[manager, role],
                categories=READ[role],
            )
            assert recall.state == "complete", recall.reason
            assert recall.items
            shown.append(len(recall.items))
            return recall

        load = os.getloadavg()[0]
        resident = resident_mb()
        first = [timed(ask, *store, filled.questions(1, chance)) for store in stores]
        resident = resident_mb() - resident
        one = [timed(ask, *store, filled.questions(1, chance)) for store in stores for _ in range(12)]
        prompts = [(store, filled.questions(A_PROMPT, chance)) for store in stores for _ in range(6)]
        nine = [timed(ask, *store, asked) for store, asked in prompts]
        again = [timed(ask, *store, asked) for store, asked in prompts for _ in range(2)][1::2]
        alone = [timed(embedder.embed, filled.questions(1, chance)) for _ in range(100)]
        together = [timed(embedder.embed, filled.questions(A_PROMPT, chance)) for _ in range(40)]
        stored: Times = []
        after: Times = []
        for gameweek in range(following, 39):
            filled.commit_week(ledger, season, gameweek, slugs)
            for manager in slugs:
                week = week_records(ledger, season, gameweek, manager)["manager"]
                member = Member(manager=manager, role="manager")
                stored.append(timed(gateway.store, member, manager, "manager", week))
                owed[manager, "manager"] += [record.id for record in week]
                after.append(timed(ask, manager, "manager", filled.questions(1, chance), gameweek + 1))
        assert all(len(week_records(ledger, season, g, m)["manager"]) == 6 for g in (following, 38) for m in slugs)
    return {
        "stores": len(stores),
        "records_per_store": held,
        "embedder": embedder.name,
        "filling_seconds": round(filling, 1),
        "load_average": [round(load, 1), round(os.getloadavg()[0], 1)],
        "records_shown_mean": round(sum(shown) / len(shown), 1),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "memory_of_all_stores_read_mb": round(resident),
        "disk_mb": round(sum(path.stat().st_size for path in (root / "memory").rglob("*") if path.is_file()) / 1e6),
        "recall_first_of_a_process": figures(first),
        "recall_one_question": figures(one),
        "recall_prompt_of_nine": figures(nine),
        "recall_prompt_of_nine_again": figures(again),
        "embedding_one_question": figures(alone),
        "embedding_nine_questions": figures(together),
        "store_a_week_of_a_manager": figures(stored),
        "recall_one_question_after_a_write": figures(after),
    }


def measure_season(managers: int, gameweeks: int, embedder: str, root: Path) -> dict[str, object]:
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
        rebuilt_ms = timed(rebuild, ledger, root / "memory", None, load_embedder(embedder))
        records = len(gateway.get(Member(manager=slugs[0], role="manager"), slugs[0], "manager"))
    return {
        "embedder": load_embedder(embedder).name,
        "managers": managers,
        "load_average": [round(load, 1), round(os.getloadavg()[0], 1)],
        "manager_store_records": records,
        "rebuild_all_seconds": round(rebuilt_ms[0] / 1000, 1),
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
        categories=READ["manager"],
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


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def figures(times: Times) -> dict[str, float]:
    walls, cpus = sorted(wall for wall, _ in times), sorted(cpu for _, cpu in times)
    at = (len(times) * 95 - 1) // 100
    return {
        "n": len(times),
        "p50": round(median(walls), 1),
        "p95": round(walls[at], 1),
        "cpu_p50": round(median(cpus), 1),
        "cpu_p95": round(cpus[at], 1),
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parts", nargs="*", help="stores, season; both when left out")
    arguments.add_argument("--records", type=int, nargs="+", default=[400, 4000], help="records per store")
    arguments.add_argument("--managers", type=int, default=8)
    arguments.add_argument("--gameweeks", type=int, default=38)
    arguments.add_argument("--embedder", default="local")
    chosen = arguments.parse_args()
    found: dict[str, object] = {}
    if not chosen.parts or "stores" in chosen.parts:
        for records in chosen.records:
            with tempfile.TemporaryDirectory() as folder:
                found[f"stores_of_{records}"] = measure_stores(records, chosen.managers, chosen.embedder, Path(folder))
    if not chosen.parts or "season" in chosen.parts:
        with tempfile.TemporaryDirectory() as folder:
            found["season"] = measure_season(chosen.managers, chosen.gameweeks, chosen.embedder, Path(folder))
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
