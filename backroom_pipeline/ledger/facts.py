"""Facts in the ledger: seasons, gameweeks as known before their deadline, results by scoring version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from backroom_pipeline.fpl.model import (
    ChipWindow,
    Fixture,
    FixtureScore,
    Frozen,
    GameweekFacts,
    GameweekResults,
    MatchPerformance,
    Player,
    SeasonFacts,
    Stats,
)
from backroom_pipeline.ledger.canonical import canonical_json, sha256_of
from backroom_pipeline.ledger.store import Ledger, LedgerError

Model = TypeVar("Model", bound=Frozen)
_STATS = tuple(Stats.model_fields)
_PLAYER = tuple(name for name in Player.model_fields if name not in ("id", "season", "recent"))


def record_season(ledger: Ledger, facts: SeasonFacts) -> int:
    """Keep what a source says about a season; the version it has. The same facts twice are one version."""
    sha256 = sha256_of(canonical_json(facts))
    with ledger.transaction():
        latest = _latest(ledger, "SELECT version, sha256 FROM seasons WHERE season = ? ORDER BY version", facts.season)
        if latest and latest["sha256"] == sha256:
            return _int(latest["version"])
        version = _int(latest["version"]) + 1 if latest else 1
        row: dict[str, object] = {
            "season": facts.season,
            "version": version,
            "gameweeks_json": json.dumps(facts.gameweeks),
            "clubs_json": json.dumps(facts.clubs, ensure_ascii=False),
            "chips_json": json.dumps([window.model_dump() for window in facts.chips]),
            "scoring_json": facts.scoring_json,
            "source": facts.source,
            "sha256": sha256,
            "recorded_at": ledger.now(),
        }
        ledger.append("seasons", [row])
    return version


def season_facts(ledger: Ledger, season: str) -> SeasonFacts:
    """The latest version. Raises LedgerError when the season was never recorded."""
    row = _latest(ledger, "SELECT * FROM seasons WHERE season = ? ORDER BY version", season)
    if row is None:
        raise LedgerError(f"The ledger holds nothing about season {season}. Take its first gameweek's facts.")
    return SeasonFacts(
        season=season,
        gameweeks=tuple(json.loads(str(row["gameweeks_json"]))),
        clubs=json.loads(str(row["clubs_json"])),
        chips=tuple(ChipWindow(**window) for window in json.loads(str(row["chips_json"]))),
        scoring_json=str(row["scoring_json"]),
        source=str(row["source"]),
    )


def record_gameweek(ledger: Ledger, facts: GameweekFacts) -> str:
    """Keep the world before a deadline; the sha256 of these inputs.

    The latest facts once more are no new version; other facts are. Raises LedgerError for facts that are not strictly
    of before the deadline.
    """
    if facts.cutoff >= facts.deadline:
        raise LedgerError(
            f"The facts of gameweek {facts.gameweek} ({facts.season}) are of {facts.cutoff.isoformat()}, not before "
            f"the deadline {facts.deadline.isoformat()}; deciding on them would be looking ahead. Take older facts."
        )
    sha256 = sha256_of(canonical_json(facts))
    with ledger.transaction():
        latest = _latest(
            ledger,
            "SELECT version, inputs_sha256 FROM gameweeks WHERE season = ? AND gameweek = ? ORDER BY version",
            facts.season,
            facts.gameweek,
        )
        if latest and latest["inputs_sha256"] == sha256:
            return sha256
        key = {
            "season": facts.season,
            "gameweek": facts.gameweek,
            "version": _int(latest["version"]) + 1 if latest else 1,
        }
        header: dict[str, object] = {
            **key,
            "deadline": facts.deadline,
            "cutoff": facts.cutoff,
            "statistics_season": facts.statistics_season,
            "fitness_known": facts.fitness_known,
            "notes_json": json.dumps(facts.notes, ensure_ascii=False),
            "source": facts.source,
            "inputs_sha256": sha256,
            "recorded_at": ledger.now(),
        }
        ledger.append("gameweeks", [header])
        ledger.append("pool", [_player_row(key, place, player) for place, player in enumerate(facts.players)])
        ledger.append("fixtures", [_fixture_row(key, place, match) for place, match in enumerate(facts.fixtures)])
    return sha256


def gameweek_facts(ledger: Ledger, season: str, gameweek: int, inputs_sha256: str | None = None) -> GameweekFacts:
    """The facts before a deadline, exactly as recorded: the latest version, or the one with that sha256.

    Raises LedgerError when there are none.
    """
    row = _latest(
        ledger,
        "SELECT * FROM gameweeks WHERE season = ? AND gameweek = ? AND inputs_sha256 = coalesce(?, inputs_sha256) "
        "ORDER BY version",
        season,
        gameweek,
        inputs_sha256,
    )
    if row is None:
        which = f" with sha256 {inputs_sha256}" if inputs_sha256 else ""
        raise LedgerError(
            f"The ledger holds no facts of gameweek {gameweek} ({season}){which}. Take its players and fixtures first."
        )
    of_version = "FROM {} WHERE season = ? AND gameweek = ? AND version = ? ORDER BY ordinal"
    key = [season, gameweek, row["version"]]
    return _built(
        GameweekFacts,
        row,
        "season gameweek deadline cutoff statistics_season fitness_known source",
        players=tuple(_player(found) for found in ledger.rows("SELECT * " + of_version.format("pool"), key)),
        fixtures=tuple(_fixture(found) for found in ledger.rows("SELECT * " + of_version.format("fixtures"), key)),
        notes=tuple(json.loads(str(row["notes_json"]))),
    )


def inputs_sha256(ledger: Ledger, season: str, gameweek: int) -> str | None:
    """The sha256 of the latest facts of a gameweek; None when there are none."""
    row = _latest(
        ledger,
        "SELECT inputs_sha256 FROM gameweeks WHERE season = ? AND gameweek = ? ORDER BY version",
        season,
        gameweek,
    )
    return str(row["inputs_sha256"]) if row else None


def record_results(ledger: Ledger, results: GameweekResults) -> int:
    """Keep what happened in a gameweek; the scoring version it has.

    Results that say the same as the latest are no new version, whenever they were asked for: ``known_at`` of a version
    is the time it was first known.
    """
    sha256 = results_sha256(results)
    with ledger.transaction():
        latest = _latest(
            ledger,
            "SELECT scoring_version, sha256 FROM results WHERE season = ? AND gameweek = ? ORDER BY scoring_version",
            results.season,
            results.gameweek,
        )
        if latest and latest["sha256"] == sha256:
            return _int(latest["scoring_version"])
        version = _int(latest["scoring_version"]) + 1 if latest else 1
        key = {"season": results.season, "gameweek": results.gameweek, "scoring_version": version}
        header: dict[str, object] = {
            **key,
            "known_at": results.known_at,
            "final": results.final,
            "average_score": results.average_score,
            "highest_score": results.highest_score,
            "source": results.source,
            "sha256": sha256,
            "recorded_at": ledger.now(),
        }
        ledger.append("results", [header])
        ledger.append(
            "performances",
            [
                {
                    **key,
                    "ordinal": place,
                    "player_id": match.player_id,
                    "fixture_id": match.fixture_id,
                    "points": match.points,
                    "minutes": match.minutes,
                    **_stats_columns("match", match.stats),
                }
                for place, match in enumerate(results.performances)
            ],
        )
        ledger.append(
            "fixture_scores",
            [{**key, "ordinal": place, **score.model_dump()} for place, score in enumerate(results.scores)],
        )
    return version


def gameweek_results(
    ledger: Ledger, season: str, gameweek: int, scoring_version: int | None = None
) -> GameweekResults | None:
    """What happened, exactly as recorded: the latest scoring version, or that one. None when it is not known yet."""
    row = _latest(
        ledger,
        "SELECT * FROM results WHERE season = ? AND gameweek = ? AND scoring_version = coalesce(?, scoring_version) "
        "ORDER BY scoring_version",
        season,
        gameweek,
        scoring_version,
    )
    if row is None:
        return None
    of_version = "FROM {} WHERE season = ? AND gameweek = ? AND scoring_version = ? ORDER BY ordinal"
    key = [season, gameweek, row["scoring_version"]]
    return _built(
        GameweekResults,
        row,
        "season gameweek known_at final average_score highest_score source",
        performances=tuple(
            _built(
                MatchPerformance,
                found,
                "player_id fixture_id points minutes",
                stats=_stats_from_columns("match", found),
            )
            for found in ledger.rows("SELECT * " + of_version.format("performances"), key)
        ),
        scores=tuple(
            _built(FixtureScore, found, "fixture_id home_goals away_goals")
            for found in ledger.rows("SELECT * " + of_version.format("fixture_scores"), key)
        ),
    )


def scoring_version(ledger: Ledger, season: str, gameweek: int) -> int | None:
    """The latest scoring version of a gameweek; None when nothing is known of it yet."""
    row = _latest(
        ledger,
        "SELECT scoring_version FROM results WHERE season = ? AND gameweek = ? ORDER BY scoring_version",
        season,
        gameweek,
    )
    return _int(row["scoring_version"]) if row else None


def results_sha256(results: GameweekResults) -> str:
    """The hash of what the results say; the time they were asked for is no part of it."""
    return sha256_of(canonical_json({**results.model_dump(), "known_at": None}))


def _player_row(key: Mapping[str, object], ordinal: int, player: Player) -> dict[str, object]:
    return {
        **key,
        "ordinal": ordinal,
        "player_id": player.id,
        **{name: getattr(player, name) for name in _PLAYER},
        **_stats_columns("season", player.season),
        **_stats_columns("recent", player.recent),
    }


def _player(row: Mapping[str, object]) -> Player:
    return Player(
        id=cast(int, row["player_id"]),
        season=_stats_from_columns("season", row),
        recent=_stats_from_columns("recent", row),
        **cast(dict[str, Any], {name: row[name] for name in _PLAYER}),
    )


def _fixture_row(key: Mapping[str, object], ordinal: int, match: Fixture) -> dict[str, object]:
    values = match.model_dump()
    return {
        **key,
        "ordinal": ordinal,
        "fixture_id": values.pop("id"),
        "match_gameweek": values.pop("gameweek"),
        **values,
    }


def _fixture(row: Mapping[str, object]) -> Fixture:
    return _built(
        Fixture,
        row,
        "kickoff home away home_difficulty away_difficulty",
        id=row["fixture_id"],
        gameweek=row["match_gameweek"],
    )


def _stats_columns(prefix: str, stats: Stats) -> dict[str, object]:
    return {f"{prefix}_{name}": getattr(stats, name) for name in _STATS}


def _stats_from_columns(prefix: str, row: Mapping[str, object]) -> Stats:
    return Stats(**cast(dict[str, Any], {name: row[f"{prefix}_{name}"] for name in _STATS}))


def _built(kind: type[Model], row: Mapping[str, object], columns: str, **more: object) -> Model:
    return kind(**{name: row[name] for name in columns.split()}, **more)


def _latest(ledger: Ledger, sql: str, *params: object) -> dict[str, object] | None:
    """The last row of a query that orders by version."""
    found = ledger.rows(sql, params)
    return found[-1] if found else None


def _int(value: object) -> int:
    return cast(int, value)
