"""Facts and results come back exactly as they were written, every version of them."""

from __future__ import annotations

import json
import math
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backroom_pipeline.fpl.model import (
    ChipWindow,
    Fixture,
    GameweekFacts,
    GameweekResults,
    MatchPerformance,
    Player,
    SeasonFacts,
    Stats,
)
from backroom_pipeline.ledger.canonical import canonical_json, sha256_of
from backroom_pipeline.ledger.facts import (
    gameweek_facts,
    gameweek_results,
    inputs_sha256,
    record_gameweek,
    record_results,
    record_season,
    scoring_version,
    season_facts,
)
from backroom_pipeline.ledger.store import Ledger, LedgerConflict, LedgerError
from backroom_pipeline_tests.ledger.rows import SEASON, facts, results


def test_a_real_gameweek_comes_back_as_it_was(path: Path, real_gameweek: tuple[GameweekFacts, GameweekResults]) -> None:
    world, happened = real_gameweek
    with Ledger.open(path) as ledger:
        sha256 = record_gameweek(ledger, world)
        version = record_results(ledger, happened)
    with Ledger.open(path, read_only=True) as ledger:
        assert len(world.players) > 700
        assert gameweek_facts(ledger, SEASON, 7) == world
        assert gameweek_facts(ledger, SEASON, 7, sha256) == world
        assert gameweek_results(ledger, SEASON, 7) == happened
        assert inputs_sha256(ledger, SEASON, 7) == sha256 == sha256_of(canonical_json(world))
        assert scoring_version(ledger, SEASON, 7) == version == 1
        assert ledger.verify() == []


@pytest.mark.parametrize(
    ("table", "prefix", "others"),
    [
        ("pool", "season", Player.model_fields.keys() - {"id", "season", "recent"}),
        ("pool", "recent", Player.model_fields.keys() - {"id", "season", "recent"}),
        ("performances", "match", MatchPerformance.model_fields.keys() - {"stats"}),
        ("fixtures", None, Fixture.model_fields.keys() - {"id", "gameweek"}),
    ],
)
def test_every_field_of_the_model_has_a_column(
    ledger: Ledger, table: str, prefix: str | None, others: set[str]
) -> None:
    columns = {
        row["column_name"]
        for row in ledger.rows("SELECT column_name FROM duckdb_columns() WHERE table_name = ?", [table])
    }
    assert others <= columns
    if prefix:
        assert {f"{prefix}_{name}" for name in Stats.model_fields} == {
            name for name in columns if str(name).startswith(f"{prefix}_")
        }


def test_the_same_facts_twice_are_one_version(ledger: Ledger) -> None:
    assert record_gameweek(ledger, facts()) == record_gameweek(ledger, facts())
    assert ledger.rows("SELECT count(*) AS n FROM pool") == [{"n": 3}]


def test_corrected_facts_are_a_new_version_beside_the_old(ledger: Ledger) -> None:
    first = record_gameweek(ledger, facts(price=62))
    second = record_gameweek(ledger, facts(price=63))
    assert inputs_sha256(ledger, SEASON, 1) == second != first
    assert gameweek_facts(ledger, SEASON, 1) == facts(price=63)
    assert gameweek_facts(ledger, SEASON, 1, first) == facts(price=62)
    assert record_gameweek(ledger, facts(price=62)) == first
    assert gameweek_facts(ledger, SEASON, 1) == facts(price=62)
    assert ledger.rows("SELECT max(version) AS n FROM gameweeks") == [{"n": 3}]


@pytest.mark.parametrize("late", [timedelta(0), timedelta(seconds=1)])
def test_facts_that_are_not_of_before_the_deadline_are_refused(ledger: Ledger, late: timedelta) -> None:
    peeking = facts().model_copy(update={"cutoff": facts().deadline + late})
    with pytest.raises(LedgerError, match=r"gameweek 1 \(2025-26\).*looking ahead"):
        record_gameweek(ledger, peeking)
    assert inputs_sha256(ledger, SEASON, 1) is None


def test_facts_that_name_a_player_twice_are_refused_whole(ledger: Ledger) -> None:
    twice = facts().model_copy(update={"players": facts().players * 2})
    with pytest.raises(LedgerConflict):
        record_gameweek(ledger, twice)
    assert inputs_sha256(ledger, SEASON, 1) is None


def test_facts_that_are_missing_are_named(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match=r"no facts of gameweek 4 \(2025-26\)"):
        gameweek_facts(ledger, SEASON, 4)
    with pytest.raises(LedgerError, match="nothing about season 1998-99"):
        season_facts(ledger, "1998-99")
    assert gameweek_results(ledger, SEASON, 4) is None
    assert scoring_version(ledger, SEASON, 4) is None


def test_an_instant_has_one_hash_in_every_zone() -> None:
    in_london = facts().model_copy(update={"deadline": facts().deadline.astimezone(timezone(timedelta(hours=1)))})
    assert canonical_json(in_london) == canonical_json(facts())


def test_the_hash_does_not_depend_on_the_order_of_keys_but_on_every_value() -> None:
    assert canonical_json({"b": 1, "a": [2, 1]}) == '{"a":[2,1],"b":1}'
    assert canonical_json(facts(price=62)) != canonical_json(facts(price=63))
    reordered = facts().model_copy(update={"players": facts().players[::-1]})
    assert canonical_json(reordered) != canonical_json(facts())
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"xg": math.nan})


def test_results_asked_for_again_are_no_new_version(ledger: Ledger) -> None:
    later = results().model_copy(update={"known_at": results().known_at + timedelta(days=2)})
    assert (record_results(ledger, results()), record_results(ledger, later)) == (1, 1)
    assert gameweek_results(ledger, SEASON, 1) == results()


def test_restated_results_are_a_new_scoring_version_beside_the_old(ledger: Ledger) -> None:
    assert record_results(ledger, results(points=8, final=False)) == 1
    assert record_results(ledger, results(points=8, final=True)) == 2
    assert record_results(ledger, results(points=7)) == 3
    assert gameweek_results(ledger, SEASON, 1) == results(points=7)
    assert gameweek_results(ledger, SEASON, 1, 1) == results(points=8, final=False)
    assert scoring_version(ledger, SEASON, 1) == 3


def test_season_facts_come_back_in_their_latest_version(ledger: Ledger) -> None:
    season = SeasonFacts(
        season=SEASON,
        gameweeks=tuple(range(1, 39)),
        clubs={"WHU": "West Ham", "ARS": "Arsenal", "NFO": "Nott'm Forest"},
        chips=(ChipWindow(chip="free_hit", first=2, last=19), ChipWindow(chip="wildcard", first=20, last=38)),
        scoring_json=json.dumps({"goals_scored": {"GKP": 10}}),
        source="test",
    )
    assert (record_season(ledger, season), record_season(ledger, season)) == (1, 1)
    renamed = season.model_copy(update={"clubs": {**season.clubs, "ARS": "The Arsenal"}})
    assert record_season(ledger, renamed) == 2
    assert season_facts(ledger, SEASON) == renamed


whole = st.integers(-(2**31), 2**31 - 1)
words = st.text(st.characters(exclude_categories=["Cs"]))
figures = st.builds(
    Stats,
    **{
        name: st.floats(allow_nan=False, allow_infinity=False) if field.annotation is float else whole
        for name, field in Stats.model_fields.items()
    },
)
players = st.builds(
    Player,
    id=whole,
    code=whole,
    web_name=words,
    club=words,
    price=whole,
    news=words,
    chance_of_playing=st.none() | whole,
    selected_by=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    season=figures,
    recent=figures,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pool=st.lists(players, max_size=3, unique_by=lambda player: player.id), notes=st.lists(words, max_size=2))
def test_any_pool_comes_back_as_it_was(ledger: Ledger, pool: list[Player], notes: list[str]) -> None:
    world = facts().model_copy(update={"players": tuple(pool), "notes": tuple(notes)})
    sha256 = record_gameweek(ledger, world)
    assert gameweek_facts(ledger, SEASON, 1) == world
    assert sha256_of(canonical_json(gameweek_facts(ledger, SEASON, 1))) == sha256
