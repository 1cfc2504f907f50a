"""The public archive layout, laid out from the official records of 2025/26, against what the archive says."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from backroom_pipeline.backroom.rehearsal.loopback import Answer, LoopbackApi
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.feeds.vaastav import VaastavFeed
from backroom_pipeline_tests.feeds.conftest import SEASON, FactsOf, ResultsOf

LAST_GAMEWEEK = 27
"""Gameweeks laid out: enough for moved matches, doubles and players who changed clubs."""


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    rows = list(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture(scope="module")
def layout(official: Path, captures: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``data/2025-26`` as the public archive has it, with its faults: rows twice, and rows of the week before."""
    root = tmp_path_factory.mktemp("vaastav")
    season = root / "data" / SEASON
    season.mkdir(parents=True)
    final = json.loads(gzip.decompress((captures / "GW38-2026-05-24T1322Z.json.gz").read_bytes()))
    write(season / "players_raw.csv", final["elements"])
    write(season / "teams.csv", final["teams"])
    (season / "fixtures.csv").write_bytes((official / "fixtures_final.csv").read_bytes())
    rows = pd.read_parquet(official / "live_player_fixture.parquet")
    for gameweek in range(1, LAST_GAMEWEEK + 1):
        played = rows[rows["round"] == gameweek]
        repeated = played[played["element"].isin([100, 391])]
        strayed = rows[rows["round"] == gameweek - 1].head(3)
        write(season / "gws" / f"gw{gameweek}.csv", pd.concat([played, repeated, strayed]).to_dict("records"))
    return root


@pytest.fixture(scope="module")
def laid_out(layout: Path) -> VaastavFeed:
    return VaastavFeed(layout)


@pytest.mark.parametrize("gameweek", [2, 3, 12, 20, 23, 27])
def test_facts_are_the_archives_where_both_know(laid_out: VaastavFeed, facts_of: FactsOf, gameweek: int) -> None:
    facts, archived = laid_out.facts(SEASON, gameweek), {player.id: player for player in facts_of(gameweek).players}
    assert facts.deadline == facts_of(gameweek).deadline
    assert facts.cutoff < facts.deadline
    assert {player.id for player in facts.players} <= set(archived)
    assert len(facts.players) > 0.98 * len(archived)
    for player in facts.players:
        known = archived[player.id]
        assert (player.code, player.web_name, player.position) == (known.code, known.web_name, known.position)
        assert (player.season, player.recent) == (known.season, known.recent), player
    same = [p for p in facts.players if (p.price, p.club) == (archived[p.id].price, archived[p.id].club)]
    # Clubs of players without a match in the gameweek, or on the move, are those of their last row.
    assert len(same) / len(facts.players) > 0.99
    assert not facts.fitness_known


def test_a_row_that_lies_there_twice_counts_once(laid_out: VaastavFeed, official: Path) -> None:  # CASES R25, B20
    rows = pd.read_parquet(official / "live_player_fixture.parquet", columns=["element", "round", "total_points"])
    kroupi = rows[(rows["element"] == 100) & (rows["round"] < 27)]
    player = next(player for player in laid_out.facts(SEASON, 27).players if player.id == 100)
    assert player.web_name == "Kroupi.Jr"
    assert (player.season.points, player.season.matches) == (kroupi["total_points"].sum(), len(kroupi))


def test_results_are_the_archives(laid_out: VaastavFeed, results_of: ResultsOf) -> None:
    for gameweek in (1, 17, 26):
        ours, archived = laid_out.results(SEASON, gameweek), results_of(gameweek)
        assert ours.performances == archived.performances
        assert ours.scores == archived.scores
        assert ours.known_at == archived.known_at


def test_a_gameweek_without_its_file_is_refused_and_not_taken_for_nobody_played(laid_out: VaastavFeed) -> None:
    with pytest.raises(FeedError, match=rf"no rows of gameweek {LAST_GAMEWEEK + 1}, though its matches were played"):
        laid_out.results(SEASON, LAST_GAMEWEEK + 1)


def test_nothing_of_the_gameweek_or_later_reaches_its_facts(layout: Path, tmp_path: Path) -> None:
    before = VaastavFeed(layout).facts(SEASON, 12)

    def perturb(name: str, rows: list[dict[str, str]]) -> None:
        for row in rows:
            if name == "players_raw.csv":
                row |= {"now_cost": "1", "status": "u", "news": "Gone", "team": "1", "total_points": "999"}
            elif name == "fixtures.csv" and row["event"] and float(row["event"]) >= 12:
                row |= {"team_h_score": "9", "team_a_score": "9"}
            elif "round" in row and int(row["round"]) >= 12:
                row |= {"total_points": "99", "minutes": "9", "goals_scored": "9", "xP": "9", "transfers_in": "9"}

    for path in sorted(layout.rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        perturb(path.name, rows)
        write(tmp_path / path.relative_to(layout), rows)
    assert VaastavFeed(tmp_path).facts(SEASON, 12).model_dump_json() == before.model_dump_json()


def test_the_opening_week_shows_last_seasons_totals_where_the_folder_has_them(
    layout: Path, tmp_path: Path, facts_of: FactsOf
) -> None:
    assert "Last season's statistics are not on record" in " ".join(VaastavFeed(layout).facts(SEASON, 1).notes)
    for name in ("players_raw.csv", "teams.csv", "fixtures.csv", "gws/gw1.csv"):
        target = tmp_path / "data" / SEASON / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((layout / "data" / SEASON / name).read_bytes())
    opening = {player.code: player for player in facts_of(1).players}
    salah = next(player for player in opening.values() if player.web_name == "M.Salah")
    with (layout / "data" / SEASON / "players_raw.csv").open(encoding="utf-8", newline="") as lines:
        before = [row for row in csv.DictReader(lines) if int(row["code"]) == salah.code]
    before[0] |= {"id": "328", "total_points": "344"}
    write(tmp_path / "data" / "2024-25" / "players_raw.csv", before)
    facts = VaastavFeed(tmp_path).facts(SEASON, 1)
    assert facts.statistics_season == "2024-25"
    assert {p.id: p.season.points for p in facts.players if p.season.points} == {salah.id: 344}


@pytest.mark.parametrize("gone", ["players_raw.csv", "fixtures.csv", "teams.csv"])
def test_a_missing_list_is_named(layout: Path, tmp_path: Path, gone: str) -> None:
    for name in {"players_raw.csv", "teams.csv", "fixtures.csv", "gws/gw1.csv"} - {gone}:
        target = tmp_path / "data" / SEASON / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((layout / "data" / SEASON / name).read_bytes())
    with pytest.raises(FeedError, match=f"has no data/2025-26/{gone}"):
        VaastavFeed(tmp_path).facts(SEASON, 1)


def test_a_url_gives_what_the_folder_gives(
    layout: Path, laid_out: VaastavFeed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    def says(path: str) -> Answer:
        file = layout / path
        return Answer(file.read_bytes() if file.is_file() else None)

    with LoopbackApi(says) as api:
        remote = VaastavFeed(api.url)
        assert remote.facts(SEASON, 12).model_dump_json() == laid_out.facts(SEASON, 12).model_dump_json()
        assert "data/2025-26/gws/gw1.csv" in api.asked
    with pytest.raises(FeedError, match="cannot be fetched"):
        VaastavFeed("http://127.0.0.1:9").facts(SEASON, 12)
