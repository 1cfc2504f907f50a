"""Plays a gameweek of the compact league with a real language model on this machine: ``make localmodel``.

SmolLM2-135M-Instruct is served on loopback, asked through LiteLLM like any vendor's model, and its decisions are
committed, remembered and scored. It proves that a real model can play: plumbing and legality. It says nothing about
quality; a model of this size does not understand what it is asked.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from backroom_pipeline.fpl.model import Player
from bench.llama_server import KEY, weights

LEAGUE = Path("data/leagues/compact.yaml")
HONEST = (
    "SmolLM2-135M-Instruct, 135 million parameters, four bits each. What follows shows that its answers are legal, "
    "committed and remembered. It is no sign of quality: code lays the menus, and the model hardly understands them."
)


@contextmanager
def served(threads: int) -> Iterator[str]:
    """The address of a server that runs in a process of its own, and no longer than it is needed."""
    command = [sys.executable, "-m", "bench.llama_server", "--threads", str(threads)]
    with tempfile.TemporaryFile("w+") as log:
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        assert server.stdin
        assert server.stdout
        try:
            address = server.stdout.readline().strip()
            if not address:
                log.seek(0)
                sys.exit(f"The model server did not start. It said:\n{log.read()[-2000:]}")
            yield address
        finally:
            server.stdin.close()
            try:
                server.wait(timeout=30)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def league_at(address: str, place: Path) -> Path:
    """The compact league with the server's address in it, as a file."""
    league = yaml.safe_load(LEAGUE.read_text(encoding="utf-8"))
    for manager in league["managers"]:
        manager["options"]["api_base"] = f"{address}/v1"
    file = place / LEAGUE.name
    file.write_text(yaml.safe_dump(league, sort_keys=False), encoding="utf-8")
    return file


def play(file: Path, last: int) -> dict[str, Any]:
    """Play the gameweeks up to ``last`` through Dagster; what was decided, remembered and counted."""
    from backroom_pipeline.backroom.contest import Contest
    from backroom_pipeline.defs.season import play_season
    from backroom_pipeline.league import load_league, state_dir
    from backroom_pipeline.ledger.calls import calls

    league = load_league(file)
    season = league.seasons[0]
    begun = time.monotonic()
    play_season(league, season, last=last)
    with Contest.open(league, state_dir(league), read_only=True) as contest:
        made = calls(contest.ledger, season)
        return {
            "seconds": round(time.monotonic() - begun),
            "decisions": [decision_of(contest, season, last, slug) for slug in league.slugs],
            "records_in_memory": contest.ledger.rows("SELECT count(*) AS n FROM memory_index")[0]["n"],
            "calls": [
                {"call": call.attempt.attempt_id, "status": call.status, **measured(contest, call)} for call in made
            ],
        }


def measured(contest: Any, call: Any) -> dict[str, Any]:
    """How long it took, and its prompt as it is estimated and as the model's own tokenizer counts it."""
    from backroom_pipeline.models.attempts import stored_prompt
    from backroom_pipeline.tokens import estimated_tokens

    prompt = stored_prompt(contest.ledger, call.attempt.prompt_sha256)
    usage = json.loads(call.result.usage_json) if call.result and call.result.usage_json else {}
    milliseconds = call.result.latency_ms if call.result else None
    return {
        "seconds": None if milliseconds is None else round(milliseconds / 1000, 1),
        "prompt_tokens_estimated": sum(map(estimated_tokens, (prompt.system, prompt.public, prompt.private))),
        "prompt_tokens": usage.get("prompt_tokens"),
        "answer_tokens": usage.get("completion_tokens"),
    }


def decision_of(contest: Any, season: str, gameweek: int, slug: str) -> dict[str, Any]:
    from backroom_pipeline.backroom.contracts import ManagerDecision
    from backroom_pipeline.backroom.play import committed

    decision = committed(contest, season, gameweek, slug, "manager", ManagerDecision)
    assert decision is not None
    pool: dict[int, Player] = contest.pool(season, gameweek)

    def names(players: tuple[int, ...]) -> str:
        return ", ".join(f"{pool[player].web_name} ({pool[player].club})" for player in players)

    sheet = decision.sheet
    return {
        "manager": slug,
        "starting": names(sheet.starting),
        "bench": names(sheet.bench),
        "captain": names((sheet.captain,)),
        "vice_captain": names((sheet.vice_captain,)),
        "chip": sheet.chip,
        "cost": sum(pool[player].price for player in sheet.player_ids) / 10,
        "reasoning": decision.reasoning,
        "claims": [claim.text for claim in decision.claims],
    }


def shown(figures: dict[str, Any]) -> None:
    for decision in figures["decisions"]:
        print(f"\n{decision.pop('manager')}")
        for name, value in decision.items():
            print(f"  {name.replace('_', ' ')}: {value if value != [] else 'none'}")
    print(f"\n{figures['records_in_memory']} records in memory; {figures['seconds']} seconds in all.\n")
    for call in figures["calls"]:
        print(
            f"{call['call']}: {call['status']} in {call['seconds']} s; a prompt of {call['prompt_tokens']} tokens "
            f"(estimated {call['prompt_tokens_estimated']}), an answer of {call['answer_tokens']}"
        )
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=int, default=1, help="last gameweek")
    parser.add_argument("--threads", type=int, default=1, help="more than one only where nothing else is running")
    parser.add_argument("--keep", type=Path, default=None, help="folder to leave the league and its state in")
    parser.add_argument("--json", action="store_true", help="figures alone, as JSON")
    arguments = parser.parse_args()
    weights()
    os.environ[KEY] = secrets.token_urlsafe(24)
    with tempfile.TemporaryDirectory() as scratch, served(arguments.threads) as address:
        place = (arguments.keep or Path(scratch)).resolve()
        os.environ["BACKROOM_STATE"] = str(place / "state")
        os.environ["DAGSTER_HOME"] = str(place / "dagster")
        (place / "dagster").mkdir(parents=True, exist_ok=True)
        shutil.copyfile("dagster.yaml", place / "dagster" / "dagster.yaml")
        file = league_at(address, place)
        print(HONEST, file=sys.stderr)
        figures = play(file, arguments.to)
        if arguments.json:
            print(json.dumps(figures, indent=1, ensure_ascii=False))
            return
        shown(figures)
        backroom = [sys.executable, "-c", "from backroom_pipeline.cli import main; main()"]
        subprocess.run([*backroom, "models", "--league", str(file)], check=True)


if __name__ == "__main__":
    main()
