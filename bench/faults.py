"""The league over HTTP, with models that fail: what is committed, what is lost, how long it takes. Prints JSON.

``python -m bench.faults``: a thousand malformed and illegal answers, over all roles.
``python -m bench.faults --overlap``: the backrooms step of eight managers whose calls take two seconds each.
``python -m bench.faults --season``: a whole season with one call in twenty failing in some way; ``--to 3`` for a look.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from backroom_pipeline.backroom import play
from backroom_pipeline.backroom.briefing import write_briefing
from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.backroom.facts import take_facts, take_results
from backroom_pipeline.backroom.scoring import attach_outcomes, score_gameweek
from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.fetch import archive_path
from backroom_pipeline.league import League, archive_dir, load_league, state_dir
from backroom_pipeline_tests.backroom.trial import Trial, figures
from backroom_pipeline_tests.models.fault_server import FaultServer
from backroom_pipeline_tests.models.vendor import HouseVendor, VendorProcess

KEY_VARIABLE, KEY = "BACKROOM_BENCH_VENDOR", "canary-9fQx7LmT2vWd4Jq8"
"""A made-up key that must be nowhere afterwards."""
PRICE = {"input": 3.0, "output": 15.0}
TIMEOUT_SECONDS = 60
MOST_RUNS = 10
"""How often a season that stops is run again, as an operator would, before it is called stuck."""


def model_name(model: str) -> str:
    """What the vendor calls a model of the league: ``house-banker`` for house/banker."""
    return model.replace("/", "-")


def personas(league: League) -> dict[str, str]:
    """A house persona behind every manager; a league of real models gets those of the house league in turn."""
    houses = [manager.model.removeprefix("house/") for manager in load_league("house").managers]
    own = [manager.model.removeprefix("house/") for manager in league.managers]
    chosen = [mine if mine in houses else houses[place % len(houses)] for place, mine in enumerate(own)]
    return dict(zip((model_name(manager.model) for manager in league.managers), chosen, strict=True))


def over_http(league: League, api_base: str, **changes: Any) -> League:
    """The same managers, each behind the vendor's address and paid for."""
    options = {"api_base": api_base, "api_key_env": KEY_VARIABLE, "timeout": TIMEOUT_SECONDS, "price": PRICE}
    managers = tuple(
        manager.model_copy(update={"model": f"openai/{model_name(manager.model)}", "options": options})
        for manager in league.managers
    )
    return league.model_copy(update={"managers": managers, **changes})


def thousand_answers(league: League, wanted: int, seed: int) -> dict[str, Any]:
    """Spoil ``wanted`` answers in three gameweeks, evenly over managers and roles, and account for each of them."""
    gameweeks, season = 3, league.seasons[-1]
    slots = gameweeks * len(league.managers) * len(play_roles())
    trial = Trial(seed)
    behind = dict(zip(league.slugs, personas(league).values(), strict=True))
    began = time.perf_counter()
    feed = ArchiveFeed(archive_path(archive_dir()))
    with FaultServer(HouseVendor(behind, trial.spoil)).running() as server, tempfile.TemporaryDirectory() as place:
        server.keeps_requests = False
        named = over_http(league, server.api_base)
        by_slug = tuple(m.model_copy(update={"model": f"openai/{m.slug}"}) for m in named.managers)
        with Contest.open(named.model_copy(update={"managers": by_slug}), Path(place)) as contest:
            for gameweek in range(1, gameweeks + 1):
                take_facts(contest, feed, season, gameweek)
                write_briefing(contest, season, gameweek)
                for slug in league.slugs:
                    trial.play(contest, season, gameweek, slug, spoiled=-(-wanted // slots))
                take_results(contest, feed, season, gameweek)
                score_gameweek(contest, season, gameweek)
                for slug in league.slugs:
                    attach_outcomes(contest, season, gameweek, slug)
            account = trial.close(contest, season)
    return figures(account) | {"seed": seed, "wall_seconds": round(time.perf_counter() - began, 1)}


def play_roles() -> tuple[Callable[..., Any], ...]:
    return (play.rank, play.propose, play.decide)


def overlap(league: League, seconds: float) -> dict[str, Any]:
    """Two gameweeks, rehearsed at once so that the vendor has its answers ready, then with calls of that length."""
    with VendorProcess(personas(league)) as vendor:
        named = over_http(league, vendor.api_base)
        with own_place("rehearsal"):
            run_season(named, last=2)
        thought = vendor.report()["thoughts"]
        vendor.take(seconds)
        with own_place("measured"):
            cpu = time.process_time()
            run_season(named, last=2)
            cpu = time.process_time() - cpu
            step = step_seconds("backrooms")
        used = vendor.report()
    return {
        "managers": len(named.managers),
        "seconds_a_call": seconds,
        "backrooms_step_seconds": step,
        "cpu_seconds_of_both_gameweeks": round(cpu, 1),
        "load_average": [round(load, 1) for load in os.getloadavg()],
        "requests": used["requests"],
        "answers_thought_of_while_measured": used["thoughts"] - thought,
    }


def season(league: League, last: int | None, share: float, seed: int, keep: Path | None, when: str) -> dict[str, Any]:
    """Play with that share of the answers failing; run again when it stops, as an operator would."""
    with VendorProcess(personas(league), share=share, seed=seed) as vendor:
        named = over_http(
            league,
            vendor.api_base,
            when_a_manager_cannot_decide=when,
            spend_cap_per_gameweek=None,
            spend_cap_per_season=None,
        )
        began = time.perf_counter()
        with own_place("season", keep):
            stops = run_season(named, last)
            wall = time.perf_counter() - began
            left = left_behind(named)
        used = vendor.report()
    spoiled = sum(used["spoiled"].values())
    return {
        "wall_seconds": round(wall, 1),
        "stops": stops,
        "requests": used["requests"],
        "requests_without_row": used["requests"] - sum(left["calls_by_status"].values()),
        "spoiled": spoiled,
        "spoiled_share": round(spoiled / max(1, used["requests"]), 4),
        "spoiled_by_way": used["spoiled"],
        **left,
    }


def run_season(league: League, last: int | None) -> list[str]:
    """Run the season until it is over; the sentences of the stops on the way."""
    from backroom_pipeline.defs.season import play_season
    from backroom_pipeline.defs.stopped import SeasonStopped

    stops: list[str] = []
    while True:
        try:
            play_season(league, league.seasons[-1], last=last)
            return stops
        except SeasonStopped as stop:
            stops.append(str(stop))
            if stops.count(str(stop)) >= MOST_RUNS:
                raise


def step_seconds(step: str) -> list[float]:
    """How long a step took, by Dagster's own account, in the order of the gameweeks."""
    from backroom_pipeline.defs.season import dagster_instance

    with dagster_instance() as instance:
        runs = sorted(instance.get_runs(), key=lambda run: run.tags["dagster/partition"])
        stats = [instance.get_run_step_stats(run.run_id, [step])[0] for run in runs]
    return [round((each.end_time or 0) - (each.start_time or 0), 2) for each in stats]


def left_behind(league: League) -> dict[str, Any]:
    """What the ledger holds after it, every sheet judged again, and whether the key is anywhere."""
    from backroom_pipeline.ledger.reliability import reliability

    directory, season = state_dir(league), league.seasons[-1]
    with Contest.open(league, directory, read_only=True) as contest:
        rows = contest.ledger.rows("SELECT status, count(*) AS n FROM calls GROUP BY status ORDER BY status")
        weeks = contest.ledger.rows("SELECT count(DISTINCT gameweek) AS n FROM scores")[0]["n"]
        pending = contest.ledger.rows("SELECT count(*) AS n FROM calls WHERE status = 'pending'")[0]["n"]
        unknown = contest.ledger.rows("SELECT count(*) AS n FROM calls WHERE cost_micro_dollars IS NULL")[0]["n"]
        texts = [zlib.decompress(row["zlib"]) for row in contest.ledger.rows("SELECT zlib FROM texts")]  # type: ignore[arg-type]
        table = [row.model_dump() for row in reliability(contest.ledger, season)]
        illegal = Trial(0).close(contest, season).illegal
    files = [path for path in directory.rglob("*") if path.is_file()]
    return {
        "gameweeks_scored": weeks,
        "calls_by_status": {str(row["status"]): row["n"] for row in rows},
        "calls_without_result": pending,
        "calls_of_unknown_cost": unknown,
        "illegal_squads_committed": illegal,
        "places_that_hold_the_key": sum(KEY.encode() in text for text in texts)
        + sum(KEY.encode() in path.read_bytes() for path in files),
        "reliability": table,
    }


@contextmanager
def own_place(name: str, keep: Path | None = None) -> Iterator[Path]:
    """State and Dagster instance in a folder of their own."""
    with tempfile.TemporaryDirectory() as scratch:
        place = (keep or Path(scratch)) / name
        home = place / "dagster"
        home.mkdir(parents=True, exist_ok=True)
        shutil.copyfile("dagster.yaml", home / "dagster.yaml")
        os.environ |= {"BACKROOM_STATE": str(place / "state"), "DAGSTER_HOME": str(home)}
        yield place


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--league", default="house", help="whose managers play; house personas answer for all of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--answers", type=int, default=1000, help="malformed and illegal answers to give")
    parser.add_argument("--overlap", action="store_true", help="measure the backrooms step instead")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each call of --overlap takes")
    parser.add_argument("--season", action="store_true", help="play a season instead")
    parser.add_argument("--to", type=int, default=None, help="last gameweek of --season")
    parser.add_argument("--share", type=float, default=0.05, help="of the answers of --season that fail")
    parser.add_argument("--carry-over", action="store_true", help="a manager that cannot decide keeps its team")
    parser.add_argument("--keep", type=Path, default=None, help="folder to leave the state of --season in")
    arguments = parser.parse_args()
    os.environ[KEY_VARIABLE] = KEY
    league = load_league(arguments.league)
    if arguments.overlap:
        found = overlap(league, arguments.seconds)
    elif arguments.season:
        when = "carry_over" if arguments.carry_over else "stop"
        found = season(league, arguments.to, arguments.share, arguments.seed, arguments.keep, when)
    else:
        found = thousand_answers(league, arguments.answers, arguments.seed)
    print(json.dumps(found, indent=1, default=str))


if __name__ == "__main__":
    main()
