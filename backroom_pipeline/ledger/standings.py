"""Scores, the league table and a manager's form, always by the latest scoring version of each gameweek."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from backroom_pipeline.fpl.model import Bill, Chip, ChipPlay, Substitution
from backroom_pipeline.fpl.table import TableEntry, rank_table
from backroom_pipeline.ledger.canonical import canonical_json
from backroom_pipeline.ledger.rows import Form, FormWeek, ScoreRow, Standing
from backroom_pipeline.ledger.store import Ledger, LedgerConflict

__all__ = [
    "Form",
    "FormWeek",
    "ScoreRow",
    "Standing",
    "form",
    "league_table",
    "place_in",
    "record_scores",
    "scored_gameweeks",
    "season_total",
    "week_scores",
]

FORM_GAMEWEEKS = 5
_FREE_OF_COUNT: tuple[Chip, ...] = ("wildcard", "free_hit")

_LATEST_SCORES = """
SELECT * FROM scores WHERE season = ? AND gameweek BETWEEN ? AND ?
QUALIFY scoring_version = max(scoring_version) OVER (PARTITION BY gameweek, manager)
ORDER BY gameweek, manager
"""
_EVERY_VERSION = "SELECT * FROM scores WHERE season = ? AND gameweek = ? ORDER BY manager, scoring_version"
_TOTAL = """
SELECT CAST(coalesce(sum(net_points), 0) AS INTEGER) AS total FROM (
    SELECT arg_max(net_points, scoring_version) AS net_points FROM scores
    WHERE season = ? AND gameweek <= ? AND manager = ? GROUP BY gameweek
)
"""
_DECISIONS = """
SELECT gameweek, manager, chip, bill_json, source FROM decisions
WHERE season = ? AND gameweek <= ? ORDER BY gameweek, manager
"""
_NO_END = 1_000_000


def record_scores(ledger: Ledger, scores: Sequence[ScoreRow]) -> int:
    """Keep the scores of a gameweek; how many were new.

    Raises LedgerConflict when a score is already there under the same scoring version and says something else.
    """
    with ledger.transaction():
        there = {
            (row.season, row.gameweek, row.manager, row.scoring_version): row
            for season, gameweek in sorted({(score.season, score.gameweek) for score in scores})
            for row in _scores(ledger, _EVERY_VERSION, season, gameweek)
        }
        rows: list[dict[str, object]] = []
        for score in scores:
            before = there.get((score.season, score.gameweek, score.manager, score.scoring_version))
            if before is None:
                rows.append(_score_row(score) | {"recorded_at": ledger.now()})
            elif before != score:
                raise LedgerConflict(
                    f"{score.manager} has {before.net_points} net points in gameweek {score.gameweek} ({score.season}) "
                    f"by scoring version {score.scoring_version}, not {score.net_points}. A score changes only with "
                    "a new scoring version: record the restated results first."
                )
        return ledger.append("scores", rows)


def week_scores(ledger: Ledger, season: str, gameweek: int, scoring_version: int | None = None) -> list[ScoreRow]:
    """The scores of one gameweek by manager, of the latest scoring version or of that one; empty until scored."""
    if scoring_version is not None:
        every = _scores(ledger, _EVERY_VERSION, season, gameweek)
        return [score for score in every if score.scoring_version == scoring_version]
    return _scores(ledger, _LATEST_SCORES, season, gameweek, gameweek)


def season_total(ledger: Ledger, season: str, through: int, manager: str) -> int:
    """The manager's net points from the first gameweek through that one."""
    (row,) = ledger.rows(_TOTAL, [season, through, manager])
    return cast(int, row["total"])


def scored_gameweeks(ledger: Ledger, season: str) -> list[int]:
    """Gameweeks with scores, in order."""
    found = ledger.rows("SELECT DISTINCT gameweek FROM scores WHERE season = ? ORDER BY gameweek", [season])
    return [cast(int, row["gameweek"]) for row in found]


def league_table(ledger: Ledger, season: str, through: int | None = None) -> list[Standing]:
    """The table after the last scored gameweek (or ``through``), best first; empty before the first."""
    last = _NO_END if through is None else through
    return _table(_scores(ledger, _LATEST_SCORES, season, 1, last), ledger.rows(_DECISIONS, [season, last]))


def form(ledger: Ledger, season: str, gameweek: int, manager: str) -> Form:
    """How the manager stands before the deadline of ``gameweek``: nothing of it or later is looked at."""
    scores = _scores(ledger, _LATEST_SCORES, season, 1, gameweek - 1)
    decisions = ledger.rows(_DECISIONS, [season, gameweek - 1])
    table = _table(scores, decisions)
    own = next((standing for standing in table if standing.slug == manager), None)
    chips: dict[int, Chip] = {play.gameweek: play.chip for play in own.chips_played} if own else {}
    carried_over = own.carried_over if own else ()
    weeks = [score for score in reversed(scores) if score.manager == manager]
    return Form(
        season=season,
        gameweek=gameweek,
        manager=manager,
        played=len(weeks),
        weeks=tuple(
            _form_week(score, [other for other in scores if other.gameweek == score.gameweek], chips, carried_over)
            for score in weeks[:FORM_GAMEWEEKS]
        ),
        total=own.points if own else 0,
        rank=own.rank if own else None,
        of=len(table),
        hits=own.hits if own else 0,
        hit_cost=own.hit_points if own else 0,
        chips_played=own.chips_played if own else (),
    )


def place_in(field: Sequence[ScoreRow], score: ScoreRow) -> int:
    """The place of a score in the field of its gameweek; equal points share the better one."""
    return 1 + sum(other.net_points > score.net_points for other in field)


def _form_week(
    score: ScoreRow, field: Sequence[ScoreRow], chips: Mapping[int, Chip], carried_over: Sequence[int]
) -> FormWeek:
    return FormWeek(
        gameweek=score.gameweek,
        net_points=score.net_points,
        hit_points=score.hit_points,
        rank=place_in(field, score),
        of=len(field),
        chip=chips.get(score.gameweek),
        carried_over=score.gameweek in carried_over,
    )


def _table(scores: Sequence[ScoreRow], decisions: Sequence[Mapping[str, object]]) -> list[Standing]:
    scored: dict[str, dict[int, ScoreRow]] = {}
    for score in scores:
        scored.setdefault(score.manager, {})[score.gameweek] = score
    transfers = dict.fromkeys(scored, 0)
    paid = dict.fromkeys(scored, 0)
    chips: dict[str, list[ChipPlay]] = {slug: [] for slug in scored}
    carried_over: dict[str, list[int]] = {slug: [] for slug in scored}
    for row in decisions:
        slug, gameweek, chip = str(row["manager"]), cast(int, row["gameweek"]), cast(Chip | None, row["chip"])
        if gameweek not in scored.get(slug, {}):
            continue
        bill = Bill.model_validate_json(str(row["bill_json"]))
        paid[slug] += bill.paid_transfers
        if chip not in _FREE_OF_COUNT:
            transfers[slug] += len(bill.sold)
        if chip is not None:
            chips[slug].append(ChipPlay(chip=chip, gameweek=gameweek))
        if row["source"] == "carried_over":
            carried_over[slug].append(gameweek)
    last = max((score.gameweek for score in scores), default=0)
    entries = [
        TableEntry(slug=slug, points=sum(score.net_points for score in weeks.values()), transfers=transfers[slug])
        for slug, weeks in scored.items()
    ]
    return [
        Standing(
            slug=entry.slug,
            rank=rank,
            points=entry.points,
            gross=sum(score.points for score in scored[entry.slug].values()),
            hits=paid[entry.slug],
            hit_points=sum(score.hit_points for score in scored[entry.slug].values()),
            transfers=entry.transfers,
            chips_played=tuple(chips[entry.slug]),
            last_points=scored[entry.slug][last].net_points if last in scored[entry.slug] else 0,
            played=len(scored[entry.slug]),
            carried_over=tuple(carried_over[entry.slug]),
        )
        for rank, entry in rank_table(entries)
    ]


def _scores(ledger: Ledger, sql: str, season: str, *gameweeks: int) -> list[ScoreRow]:
    return [_score(row) for row in ledger.rows(sql, [season, *gameweeks])]


def _score_row(score: ScoreRow) -> dict[str, object]:
    values: dict[str, object] = score.model_dump(exclude={"substitutions", "multipliers"})
    return values | {
        "substitutions_json": json.dumps([substitution.model_dump() for substitution in score.substitutions]),
        "multipliers_json": canonical_json(score.multipliers),
    }


def _score(row: Mapping[str, object]) -> ScoreRow:
    multipliers = cast(dict[str, int], json.loads(str(row["multipliers_json"])))
    return ScoreRow(
        season=cast(str, row["season"]),
        gameweek=cast(int, row["gameweek"]),
        manager=cast(str, row["manager"]),
        scoring_version=cast(int, row["scoring_version"]),
        points=cast(int, row["points"]),
        bench_points=cast(int, row["bench_points"]),
        hit_points=cast(int, row["hit_points"]),
        net_points=cast(int, row["net_points"]),
        substitutions=tuple(Substitution(**pair) for pair in json.loads(str(row["substitutions_json"]))),
        captain=cast(int | None, row["captain"]),
        multipliers={int(player): times for player, times in multipliers.items()},
    )
