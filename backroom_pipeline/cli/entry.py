"""``backroom verify entry`` and ``verify entries``: real teams replayed and compared, figure by figure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from backroom_pipeline.cli.output import JsonOption, emit, log
from backroom_pipeline.league import archive_dir

if TYPE_CHECKING:
    from backroom_pipeline.backroom.verification.entry import Check, EntryVerification, Field
    from backroom_pipeline.backroom.verification.payloads import Entry
    from backroom_pipeline.backroom.verification.season_book import SeasonBook

FileOption = Annotated[Path | None, typer.Option(help="A JSON file as the API gives it.")]


def verify_entry(
    picks: FileOption = None,
    transfers: FileOption = None,
    history: FileOption = None,
    season: Annotated[str | None, typer.Option("--season", help="Season of the files, such as 2025-26.")] = None,
    entry: Annotated[int | None, typer.Option("--entry", help="Number of a team, asked for at the live API.")] = None,
    archive: Annotated[bool, typer.Option("--archive", help="The real team in the archive, in every season.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Replay a real team gameweek by gameweek and compare every figure with the official one.

    The files hold the lists as the API gives them: an answer of entry/ID/event/N/picks/ for every gameweek, the list of
    entry/ID/transfers/, and the answer of entry/ID/history/ or its list "current".
    """
    from backroom_pipeline.backroom.verification import entry as replay
    from backroom_pipeline.backroom.verification.report import entry_json
    from backroom_pipeline.fpl.rules import load_rules

    files = {"--picks": picks, "--transfers": transfers, "--history": history}
    given = [name for name, file in files.items() if file]
    if sum((bool(given), entry is not None, archive)) != 1:
        raise typer.BadParameter("give the three files, or --entry, or --archive: exactly one of them")
    if given and (len(given) < len(files) or season is None):
        lacking = [name for name in (*files, "--season") if name not in given and not (name == "--season" and season)]
        raise typer.BadParameter(f"the files of a team need {', '.join(lacking)} too")

    verified: list[EntryVerification] = []
    for team, book in _teams(picks, transfers, history, season, entry):
        verified.append(replay.verify_entry(team, book, load_rules(book.season)))
        log.print(f"{book.season} from {book.source}: {verified[-1].gameweeks} gameweeks", markup=False)
    emit(
        as_json,
        entry_json(verified),
        _gameweeks_table(verified[0]) if len(verified) == 1 else _seasons_table(verified),
    )
    for one in verified:
        for remark in one.remarks:
            log.print(f"{one.season}: {remark}", markup=False)
    _report_differences([(one.season, check) for one in verified for check in one.mismatches])


def verify_entries(
    file: Annotated[Path, typer.Argument(help="A list of histories: objects with entry, current and chips.")],
    season: Annotated[str, typer.Option("--season", help="Season of the histories.")] = "2025-26",
    as_json: JsonOption = False,
) -> None:
    """Count the free transfers of many real teams by their histories, and compare every hit with the official one."""
    from backroom_pipeline.backroom.verification.free_transfers import verify_hits
    from backroom_pipeline.backroom.verification.payloads import read_histories
    from backroom_pipeline.backroom.verification.report import hits_json
    from backroom_pipeline.fpl.rules import load_rules

    verified = verify_hits(read_histories(_json_of(file)), load_rules(season))
    emit(
        as_json,
        hits_json(verified),
        f"Hit cost equal in {verified.hit_cost_equal:,} of {verified.gameweeks:,} gameweeks of {verified.entries} "
        "teams.",
    )
    for wrong in verified.mismatches:
        log.print(
            f"{wrong.entry}, gameweek {wrong.gameweek}: hit {wrong.ours}, officially {wrong.official}", markup=False
        )
    if verified.mismatches:
        raise typer.Exit(1)


def _teams(
    picks: Path | None, transfers: Path | None, history: Path | None, season: str | None, entry: int | None
) -> Iterator[tuple[Entry, SeasonBook]]:
    """The teams to replay, each with what replaying it needs: from files, the live API, or the archive."""
    from backroom_pipeline.backroom.verification.archived_team import archived_entry, archived_seasons
    from backroom_pipeline.backroom.verification.live import api_fetch, live_entry
    from backroom_pipeline.backroom.verification.payloads import read_entry
    from backroom_pipeline.backroom.verification.season_book import archive_book
    from backroom_pipeline.feeds.fetch import archive_path

    if entry is not None:
        yield live_entry(api_fetch(), entry, on_progress=lambda sentence: log.print(sentence, markup=False))
        return
    path = archive_path(archive_dir())
    if picks and transfers and history and season:
        yield read_entry(_json_of(picks), _json_of(transfers), _json_of(history)), archive_book(path, season)
        return
    for held in archived_seasons(path):
        if season in (None, held):
            yield archived_entry(path, held), archive_book(path, held)


def _json_of(file: Path) -> object:
    from backroom_pipeline.feeds.protocol import FeedError

    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as fault:
        raise FeedError(
            f"The file {file} cannot be read as JSON ({fault}). Save the API's answer unchanged."
        ) from fault


HEADINGS: dict[Field, str] = {
    "points": "pts", "bench_points": "bench", "substitutions": "subs", "total_points": "total",
    "transfers": "moves", "hit_cost": "hit", "free_transfers": "free", "bank": "bank", "value": "value",
    "squad": "squad", "sale_prices": "sold",
}  # fmt: skip


def _seasons_table(verified: Sequence[EntryVerification]) -> Table:
    """A row a figure, a column a season: equal, of as many as the official game tells."""
    text = Table(title="Gameweeks equal to the official game, of those it tells", box=None)
    for heading in ("", *(one.season for one in verified), "all"):
        text.add_column(heading, justify="right" if heading else "left")
    for field in HEADINGS:
        counts = [(one.equal(field), one.told(field)) for one in verified]
        counts.append((sum(equal for equal, _ in counts), sum(told for _, told in counts)))
        text.add_row(field.replace("_", " "), *(f"{equal}/{told}" for equal, told in counts))
    return text


def _gameweeks_table(verified: EntryVerification) -> Table:
    """A row a gameweek: our figure, beside the official one in red where they differ; a dash where none is told."""
    text = Table(title=f"{verified.season}, ours beside {verified.source}", box=None)
    for heading in ("", *HEADINGS.values()):
        text.add_column(heading, justify="right")
    for gameweek in dict.fromkeys(check.gameweek for check in verified.checks):
        checks = {check.field: check for check in verified.checks if check.gameweek == gameweek}
        text.add_row(str(gameweek), *(_cell(checks[field]) for field in HEADINGS))
    text.add_section()
    text.add_row("", *(f"{verified.equal(field)}/{verified.told(field)}" for field in HEADINGS))
    return text


def _cell(check: Check) -> str:
    if check.result == "not told":
        return "-"
    if check.result == "equal":
        return str(len(check.ours) if isinstance(check.ours, list) else check.ours)
    if isinstance(check.ours, list):
        return "[red]differs[/red]"
    return f"[red]{check.ours}/{check.official}[/red]"


def _report_differences(mismatches: list[tuple[str, Check]]) -> None:
    """Every difference on standard error; exit code 1 when there is one."""
    for season, check in mismatches:
        log.print(
            f"{season} gameweek {check.gameweek}, {check.field.replace('_', ' ')}: ours {check.ours}, "
            f"officially {check.official}",
            markup=False,
        )
    if mismatches:
        raise typer.Exit(1)
