"""``backroom data rehearse``: a recorded season through the live feed. Any difference is exit code 1."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from backroom_pipeline.cli.output import JsonOption, emit, log

MISMATCHES_SHOWN = 20


def data_rehearse(
    captures: Annotated[
        Path, typer.Option("--captures", help="Folder of player lists, such as GW07-2025-10-03T1703Z.json.gz.")
    ],
    tables: Annotated[
        Path | None,
        typer.Option("--tables", help="Folder of the season's tables; by default official-… beside captures-…."),
    ] = None,
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Keep the ledger and the snapshots in this new folder.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Take a recorded season through the live feed into a new ledger and compare that with the records.

    The captures are served on the loopback address under a moving clock. No league's ledger is touched.
    """
    from tempfile import TemporaryDirectory

    from backroom_pipeline.backroom.rehearsal.recorded import tables_beside
    from backroom_pipeline.backroom.rehearsal.season import rehearse

    if keep is not None and keep.exists():
        raise typer.BadParameter(f"{keep} exists already: a rehearsal begins with a new ledger.", param_hint="--keep")
    with TemporaryDirectory(prefix="rehearsal-") as passing:
        found = rehearse(captures, tables or tables_beside(captures), keep or Path(passing))
    text = Table(title=f"Live feed rehearsed over {found.season}", show_header=False)
    for name, value in asdict(found).items():
        text.add_row(name.replace("_", " "), str(len(value) if isinstance(value, list) else value))
    emit(as_json, {**asdict(found), "equal": found.equal}, text)
    for mismatch in found.mismatches[:MISMATCHES_SHOWN]:
        log.print(mismatch, markup=False)
    if not found.equal:
        raise typer.Exit(1)
