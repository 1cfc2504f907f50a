"""``backroom verify``: what we compute, held against what the official game said. Any difference is exit code 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from backroom_pipeline.cli.entry import verify_entries, verify_entry
from backroom_pipeline.cli.output import JsonOption, emit, log
from backroom_pipeline.league import archive_dir

if TYPE_CHECKING:
    from backroom_pipeline.backroom.verification.scoring import ScoringVerification

verify_app = typer.Typer(
    no_args_is_help=True,
    help="Hold what is computed here against what the official game said; a difference is exit code 1.",
)


@verify_app.callback()
def verify() -> None:
    """A group from its first command on: Typer would otherwise merge a single command into it."""


verify_app.command("entry")(verify_entry)
verify_app.command("entries")(verify_entries)


@verify_app.command("scoring")
def verify_scoring_command(
    season: Annotated[str | None, typer.Option("--season", help="One season, such as 2025-26.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every season of the archive; the default.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Score every player in every match again from raw statistics, bonus from bps, and compare with the official."""
    from backroom_pipeline.backroom.verification.scoring import scoring_json, verifiable_seasons, verify_scoring
    from backroom_pipeline.feeds.archive import ArchiveFeed
    from backroom_pipeline.feeds.fetch import archive_path

    if season and every:
        raise typer.BadParameter("give --season or --all, not both")
    feed = ArchiveFeed(archive_path(archive_dir()))
    verified = [verify_scoring(feed, one) for one in ((season,) if season else verifiable_seasons(feed))]
    emit(as_json, scoring_json(verified), None if as_json else _scoring_table(verified))
    for one in verified:
        if one.assistant_managers:
            log.print(f"{one.season}: {one.assistant_managers} assistant managers are no players and not compared.")
        for different in one.differences:
            log.print(
                f"{one.season} gameweek {different.gameweek}, match {different.fixture_id}, player "
                f"{different.player_id}, {different.figure}: ours {different.ours}, officially {different.official}"
            )
    if any(one.differences for one in verified):
        raise typer.Exit(1)


def _scoring_table(verified: list[ScoringVerification]) -> Table:
    table = Table(title="Equal to the official game", show_footer=len(verified) > 1)
    table.add_column("season", footer="all")
    for heading, figure in (
        ("rows", "rows"),
        ("points equal", "rows_equal"),
        ("matches", "matches"),
        ("bonus equal", "bonus_equal"),
    ):
        table.add_column(heading, footer=f"{sum(getattr(one, figure) for one in verified):,}", justify="right")
    table.add_column("scoring from")
    for one in verified:
        counts = (one.rows, one.rows_equal, one.matches, one.bonus_equal)
        source = "the source" if one.scoring_stated else "the season file"
        table.add_row(one.season, *(f"{count:,}" for count in counts), source)
    return table
