"""Ten thousand random requests of other teams' memory, through every verb: how many records they saw. Prints JSON.

Run: python -m bench.isolation [--attempts 10000] [--seed 0] [--gameweeks 6]
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.embedder import WordsOnly
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline_tests.memory import invented
from backroom_pipeline_tests.memory.intruders import intrude


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--attempts", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--gameweeks", type=int, default=6, help="played before, by eight managers")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "ledger.duckdb") as ledger:
        gateway = Gateway(Path(folder) / "memory", ledger, WordsOnly())
        invented.enrol(ledger, gateway)
        for gameweek in range(1, chosen.gameweeks + 1):
            invented.decide(ledger, gameweek)
            for manager in invented.MANAGERS:
                invented.remember(ledger, gateway, gameweek, manager)
            invented.score(ledger, gateway, gameweek, {slug: 40 + at for at, slug in enumerate(invented.MANAGERS)})
        begun = time.perf_counter()
        report = intrude(ledger, gateway, invented.MANAGERS, chosen.attempts, chosen.seed)
        seconds = time.perf_counter() - begun
    print(json.dumps({**report._asdict(), "seed": chosen.seed, "seconds": round(seconds, 1)}, indent=2))


if __name__ == "__main__":
    main()
