"""``backroom data fetch`` and ``verify``, ``gameweek rescore``: facts, the same against captures, restated results."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group
from rich.table import Table

from backroom_pipeline.cli.output import JsonOption, emit, gameweek_of, log, opened, season_of
from backroom_pipeline.league import archive_dir

if TYPE_CHECKING:
    from backroom_pipeline.backroom.scoring import Restatement
    from backroom_pipeline.backroom.verification.captures import CapturesVerification
    from backroom_pipeline.backroom.verification.look_ahead import LookAheadAudit
    from backroom_pipeline.feeds.protocol import Feed


def data_verify(
    official: Annotated[
        Path | None, typer.Option("--official", help="Folder of dated official captures (players_asof.parquet, ...).")
    ] = None,
    season: Annotated[str, typer.Option("--season", help="Season of the captures.")] = "2025-26",
    gameweek: Annotated[
        list[int] | None, typer.Option("--gameweek", "-g", help="Only this gameweek; may be given again.")
    ] = None,
    audit: Annotated[bool, typer.Option(help="Rewrite the archive after each cutoff and compare briefings.")] = True,
    as_json: JsonOption = False,
) -> None:
    """Compare the facts before each deadline with official captures, and show that nothing later reaches a briefing."""
    from backroom_pipeline.backroom.verification.captures import verify_captures
    from backroom_pipeline.backroom.verification.look_ahead import audit_look_ahead
    from backroom_pipeline.feeds.archive import ArchiveFeed
    from backroom_pipeline.feeds.fetch import archive_path

    if official is None and not audit:
        raise typer.BadParameter("give --official, or leave the audit on: there is nothing else to verify")
    path = archive_path(archive_dir())
    captures = looked_ahead = None
    with log.status("Facts against captures") as status:
        if official is not None:
            captures = verify_captures(
                ArchiveFeed(path), season, official, gameweek,
                on_gameweek=lambda week: status.update(f"Gameweek {week} against its capture"),
            )  # fmt: skip
        if audit:
            looked_ahead = audit_look_ahead(
                path, season, gameweek,
                on_gameweek=lambda week: status.update(f"Gameweek {week}: rewriting what came after"),
            )  # fmt: skip
    value = {
        "season": season,
        "captures": _captures_json(captures) if captures else None,
        "look_ahead": {**asdict(looked_ahead), "passed": looked_ahead.passed} if looked_ahead else None,
    }
    tables = [_captures_table(captures)] if captures else []
    emit(as_json, value, Group(*tables, *([_audit_sentence(looked_ahead)] if looked_ahead else [])))
    for remark in captures.remarks if captures else ("No captures are given, so only the audit was made.",):
        log.print(remark, markup=False)
    if not as_json and captures:
        for found in captures.differences:
            log.print(
                f"Gameweek {found.gameweek}, {found.field.replace('_', ' ')} of {found.name} {found.of}: ours "
                f"{found.ours}, officially {found.official}; {found.explanation or 'unexplained'}",
                markup=False,
            )
    if (captures and not captures.passed) or (looked_ahead and not looked_ahead.passed):
        raise typer.Exit(1)


def _captures_json(captures: CapturesVerification) -> dict[str, Any]:
    return {
        "gameweeks": len(captures.gameweeks),
        "rows": captures.rows,
        "not_listed": captures.not_listed,
        "fields": {name: asdict(count) for name, count in captures.fields.items()},
        "passed": captures.passed,
        "differences": [asdict(found) for found in captures.differences],
    }


def _captures_table(captures: CapturesVerification) -> Table:
    text = Table(title=f"{captures.season}: {captures.rows:,} captured rows of players", box=None)
    for heading in ("", "compared", "equal", "different", "explained", "share"):
        text.add_column(heading, justify="right" if heading else "left")
    for name, count in captures.fields.items():
        different = [found for found in captures.differences if found.field == name]
        text.add_row(
            name.replace("_", " "),
            f"{count.compared:,}",
            f"{count.equal:,}",
            f"{len(different):,}",
            f"{sum(found.explanation is not None for found in different):,}",
            f"{count.equal / count.compared:.2%}",
        )
    return text


def _audit_sentence(audited: LookAheadAudit) -> str:
    weeks = len(audited.gameweeks)
    changed = ", ".join(f"gameweek {week} ({what})" for week, what in audited.changed)
    verdict = f"changed in {changed}" if changed else f"kept every byte in {weeks} of {weeks} gameweeks"
    return (
        f"Look-ahead: the briefing {verdict} when everything after the cutoff was rewritten; the same rewriting shows "
        f"in {audited.controls_changed} of {audited.controls} briefings of the gameweek after."
    )


def gameweek_rescore(
    gameweek: Annotated[int, typer.Argument(min=1, help="Number of the gameweek.")],
    league_name: Annotated[
        str | None,
        typer.Option("--league", "-l", help="League name in data/leagues, or a file.", envvar="BACKROOM_LEAGUE"),
    ] = None,
    season: Annotated[str | None, typer.Option("--season", help="The league's last by default.")] = None,
    feed: Annotated[str, typer.Option("--feed", help="Where the results are taken from.")] = "archive",
    as_json: JsonOption = False,
) -> None:
    """Take a gameweek's results again. Where they were restated, scores, table, form and outcomes follow."""
    from backroom_pipeline.backroom.scoring import restate
    from backroom_pipeline.league import load_league, state_dir
    from backroom_pipeline.ledger.season_lock import SeasonLock

    directory = state_dir(load_league(league_name))
    with (
        SeasonLock(directory).acquire("backroom gameweek rescore"),
        opened(league_name, read_only=False) as (league, contest),
    ):
        season = season_of(league, season)
        gameweek_of(league, season, gameweek)
        restated = restate(contest, season, gameweek, _feed(feed).results(season, gameweek))
        names = {player.id: player.web_name for player in contest.facts(season, gameweek).players}
    emit(as_json, _restated_json(restated), _restated_text(restated, names))


def _feed(name: str) -> Feed:
    from datetime import UTC, datetime

    from backroom_pipeline.feeds.choose import feed_named
    from backroom_pipeline.feeds.fetch import archive_path
    from backroom_pipeline.league import project_top

    return feed_named(
        name,
        clock=lambda: datetime.now(UTC),
        archive=archive_path(archive_dir()),
        snapshots=project_top() / "data" / "snapshots",
    )


def _restated_json(restated: Restatement) -> dict[str, Any]:
    return {
        "season": restated.season,
        "gameweek": restated.gameweek,
        "changed": restated.changed,
        "scoring_version_before": restated.version_before,
        "scoring_version": restated.version,
        "players": [
            {"player_id": change.who, "before": change.before, "after": change.after} for change in restated.players
        ],
        "managers": [
            {"slug": change.who, "before": change.before, "after": change.after} for change in restated.managers
        ],
        "outcomes_changed": restated.outcomes_changed,
        "table_before": [{"slug": row.slug, "rank": row.rank, "points": row.points} for row in restated.table_before],
        "table_after": [{"slug": row.slug, "rank": row.rank, "points": row.points} for row in restated.table_after],
    }


def _restated_text(restated: Restatement, names: dict[int, str]) -> Group | str:
    where = f"Gameweek {restated.gameweek} of {restated.season}"
    if not restated.changed:
        return f"{where} stands as it was scored (scoring version {restated.version})."
    players = ", ".join(
        f"{names.get(int(change.who), change.who)} {change.before} to {change.after}" for change in restated.players
    )
    before = {row.slug: row for row in restated.table_before}
    points = {change.who: change for change in restated.managers}
    text = Table(title=f"{where}, scoring version {restated.version_before} to {restated.version}", box=None)
    for heading in ("", "manager", "gameweek", "was", "total", "was", "rank was"):
        text.add_column(heading, justify="left" if heading == "manager" else "right")
    for row in restated.table_after:
        change, old = points[row.slug], before[row.slug]
        text.add_row(
            str(row.rank), row.slug, str(change.after), str(change.before), str(row.points), str(old.points),
            str(old.rank),
        )  # fmt: skip
    told = f"{restated.outcomes_changed} records are told another outcome."
    return Group(f"Restated: {players or 'no points of a player'}.", text, told)


def data_fetch(as_json: JsonOption = False) -> None:
    """Fetch the archive of past seasons into data/archive, checked by its hash. Nothing to do when it is there."""
    from backroom_pipeline.feeds.fetch import fetch_archive

    path = fetch_archive(archive_dir())
    emit(as_json, {"archive": str(path), "bytes": path.stat().st_size}, f"Archive ready: {path}")
