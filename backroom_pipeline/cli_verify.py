"""``backroom verify``: what we compute, held against what the official game said. Any difference is exit code 1."""

from __future__ import annotations

import typer

verify_app = typer.Typer(
    no_args_is_help=True,
    help="Hold what is computed here against what the official game said; a difference is exit code 1.",
)


@verify_app.callback()
def verify() -> None:
    """A group from its first command on: Typer would otherwise merge a single command into it."""
