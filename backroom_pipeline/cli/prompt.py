"""``backroom prompt``: what the models were shown."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

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
    out,
    role_of,
    season_of,
)

if TYPE_CHECKING:
    from backroom_pipeline.backroom.contest import Contest
    from backroom_pipeline.backroom.prompt_tokens import PromptTokens
    from backroom_pipeline.ledger.answers import Answer
    from backroom_pipeline.memory.model import Role
    from backroom_pipeline.models.prompt import Prompt

PARTS = ("system", "public", "private")

prompt_app = typer.Typer(no_args_is_help=True, help="What the models were shown.")


@prompt_app.command("show")
def prompt_show(
    gameweek: GameweekArgument,
    manager: ManagerOption,
    role: RoleOption = "manager",
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    answer_too: Annotated[bool, typer.Option("--answer", help="The committed answer after it.")] = False,
    tokens: Annotated[bool, typer.Option("--tokens", help="How long each section is, in place of the text.")] = False,
    as_json: JsonOption = False,
) -> None:
    """The exact prompt a role was given, put together from the ledger by its hash."""
    from backroom_pipeline.backroom.prompt_tokens import prompt_tokens
    from backroom_pipeline.models.attempts import stored_prompt

    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        row = _answer(contest, season, gameweek, contest.manager(manager).slug, role_of(role))
        prompt = stored_prompt(contest.ledger, str(row.prompt_sha256))
        lengths = prompt_tokens(contest.ledger, row)
    assert lengths is not None
    hashes = {"prompt_sha256": row.prompt_sha256, "public_sha256": row.public_sha256}
    value = {"key": row.key.model_dump(), **hashes, "source": row.source, **prompt.model_dump()}
    value["tokens"] = {**asdict(lengths), "estimated": lengths.estimated}
    if answer_too:
        value["answer"] = json.loads(row.answer_json)
    if as_json:
        emit(True, value)
        return
    for name, sha256 in hashes.items():
        log.print(f"{name} {sha256}", markup=False)
    if tokens:
        out.print(_lengths(lengths))
    else:
        print(prompt.system, prompt.public, prompt.private, sep="\n\n")
    if answer_too:
        print("\n# The answer\n", json.dumps(value["answer"], indent=1, ensure_ascii=False), sep="\n")


@prompt_app.command("diff")
def prompt_diff(
    earlier: Annotated[int, typer.Argument(min=1, help="A gameweek.")],
    later: Annotated[int, typer.Argument(min=1, help="Another one.")],
    manager: ManagerOption,
    role: RoleOption = "manager",
    part: Annotated[str, typer.Option("--part", help="system, public or private; all three by default.")] = "",
    league_name: LeagueOption = None,
    season: SeasonOption = None,
    as_json: JsonOption = False,
) -> None:
    """What changed in a role's prompt between two gameweeks, part by part, with the hashes of both."""
    if part not in ("", *PARTS):
        raise typer.BadParameter(f"a prompt has the parts {', '.join(PARTS)}", param_hint="--part")
    with opened(league_name) as (league, contest):
        season = season_of(league, season)
        slug, asked = contest.manager(manager).slug, role_of(role)
        prompts = [_prompt(contest, season, gameweek, slug, asked) for gameweek in (earlier, later)]
    differences = {name: _difference(name, (earlier, later), prompts) for name in ((part,) if part else PARTS)}
    hashes = [prompt.sha256 for prompt in prompts]
    if as_json:
        emit(True, {"prompt_sha256": hashes, "differences": differences})
        return
    for gameweek, sha256 in zip((earlier, later), hashes, strict=True):
        log.print(f"gameweek {gameweek}: prompt_sha256 {sha256}", markup=False)
    for name, lines in differences.items():
        print("\n".join(lines) or f"The {name} part is the same, to the byte.")


def _lengths(lengths: PromptTokens) -> Table:
    reported = "" if lengths.reported is None else f"; the vendor counted {lengths.reported}, its framing included"
    table = Table(title=f"{lengths.estimated} tokens, as estimated{reported}")
    for heading in ("part", "section", "tokens"):
        table.add_column(heading, justify="right" if heading == "tokens" else "left")
    for section in lengths.sections:
        table.add_row(section.part, section.name, str(section.tokens))
    return table


def _prompt(contest: Contest, season: str, gameweek: int, slug: str, role: Role) -> Prompt:
    from backroom_pipeline.models.attempts import stored_prompt

    return stored_prompt(contest.ledger, str(_answer(contest, season, gameweek, slug, role).prompt_sha256))


def _answer(contest: Contest, season: str, gameweek: int, slug: str, role: Role) -> Answer:
    """A committed answer that was given to a prompt."""
    from backroom_pipeline.backroom.carrying import carried_over
    from backroom_pipeline.ledger.answers import AnswerKey, answer

    row = answer(contest.ledger, AnswerKey(season=season, gameweek=gameweek, manager=slug, role=role))
    undecided = carried_over(contest.ledger, season, gameweek, slug)
    if undecided and (row is None or row.prompt_sha256 is None):
        raise MissingAnswer(
            f"{slug}'s {role} answered no prompt in gameweek {gameweek} of {season}. {undecided} What was asked and "
            f"came back: backroom call list --gameweek {gameweek} --manager {slug}"
        )
    if row is None or row.prompt_sha256 is None:
        raise MissingAnswer(
            f"{slug}'s {role} has no committed answer in gameweek {gameweek} of {season}. Play it first: "
            f"backroom gameweek run {gameweek}"
        )
    return row


def _difference(part: str, gameweeks: tuple[int, int], prompts: list[Prompt]) -> list[str]:
    """A unified diff of one part; nothing where it is the same."""
    import difflib

    before, after = (str(getattr(prompt, part)).splitlines() for prompt in prompts)
    titles = [f"{part} of gameweek {gameweek}" for gameweek in gameweeks]
    return list(difflib.unified_diff(before, after, titles[0], titles[1], lineterm="", n=1))
