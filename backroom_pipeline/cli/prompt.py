"""``backroom prompt``: what the models were shown."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from backroom_pipeline.cli.output import (
    GameweekArgument,
    JsonOption,
    LeagueOption,
    ManagerOption,
    MissingAnswer,
    RoleOption,
    SeasonOption,
    emit,
    log,
    opened,
    role_of,
    season_of,
)

prompt_app = typer.Typer(no_args_is_help=True, help="What the models were shown.")


@prompt_app.command("show")
def prompt_show(
    gameweek: GameweekArgument,
    manager: ManagerOption,
    role: RoleOption = "manager",
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    answer_too: Annotated[bool, typer.Option("--answer", help="The committed answer after it.")] = False,
    as_json: JsonOption = False,
) -> None:
    """The exact prompt a role was given, put together from the ledger by its hash."""
    from backroom_pipeline.ledger.answers import AnswerKey, answer
    from backroom_pipeline.models.attempts import stored_prompt

    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        key = AnswerKey(season=season, gameweek=gameweek, manager=contest.manager(manager).slug, role=role_of(role))
        row = answer(contest.ledger, key)
        if row is None or row.prompt_sha256 is None:
            raise MissingAnswer(
                f"{manager}'s {role} has no committed answer in gameweek {gameweek} of {season}. Play it first: "
                f"backroom gameweek run {gameweek}"
            )
        prompt = stored_prompt(contest.ledger, row.prompt_sha256)
    hashes = {"prompt_sha256": row.prompt_sha256, "public_sha256": row.public_sha256}
    value = {"key": key.model_dump(), **hashes, "source": row.source, **prompt.model_dump()}
    if answer_too:
        value["answer"] = json.loads(row.answer_json)
    if as_json:
        emit(True, value)
        return
    for name, sha256 in hashes.items():
        log.print(f"{name} {sha256}", markup=False)
    print(prompt.system, prompt.public, prompt.private, sep="\n\n")
    if answer_too:
        print("\n# The answer\n", json.dumps(value["answer"], indent=1, ensure_ascii=False), sep="\n")
