"""A league: who plays, which seasons, under which policies. Read from a YAML file with an error for every line."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import BaseModel, Field, ValidationError

from backroom_pipeline.fpl.model import Frozen
from backroom_pipeline.fpl.rules import load_rules

SLUG = re.compile(r"[a-z0-9-]{1,24}")
SEASON = re.compile(r"\d{4}-\d{2}")

Slug = Annotated[str, Field(pattern=rf"^{SLUG.pattern}$")]
Season = Annotated[str, Field(pattern=rf"^{SEASON.pattern}$")]
Text = Annotated[str, Field(min_length=1)]
Profile = Literal["full", "compact"]
MicroDollars = Annotated[int, Field(ge=0, description="millionths of a US dollar")]

COMPACT_MEMORY_TOKENS = 320
"""The most that a role of the compact profile may bring to mind."""

Place = tuple[str | int, ...]
"""Where in the file something stands: ("managers", 2, "model")."""


class LeagueError(Exception):
    """A league file that cannot be used; the message has one line for every problem found."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class ManagerConfig(Frozen):
    """One manager: a slug for life, a name for people, and the model behind all three of its roles."""

    slug: Slug
    """Ties a manager to its ledger rows and its memory, so it never changes; the model may."""
    name: Text
    model: Text
    """A LiteLLM model id, or ``house/<persona>`` for an offline house model."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Passed on with every call: temperature, max_tokens, api_base, timeout and the like."""
    persona: str = ""
    """A paragraph about the manager for its readers. It is never part of a prompt."""


class RecallPolicy(Frozen):
    """What one role may bring to mind. Switching something off is allowed, widening is not."""

    own_memory: bool = True
    """Recalls from its own store."""
    standing_commitments: bool = True
    """Sees the manager's open promises."""
    budget_tokens: Annotated[int, Field(ge=0, le=100_000)] = 1500
    """The most that open promises and what is recalled may take together, the same in every gameweek."""


class RecallPolicies(Frozen):
    """A policy per role that reads. The coach has none: it has nothing to be consistent with."""

    assistant: RecallPolicy = RecallPolicy()
    manager: RecallPolicy = RecallPolicy()

    def of(self, role: Literal["assistant", "manager"]) -> RecallPolicy:
        return {"assistant": self.assistant, "manager": self.manager}[role]


class League(Frozen):
    """One contest. ``data/leagues/house.yaml`` shows every key with a comment."""

    name: Slug
    seasons: Annotated[tuple[Season, ...], Field(min_length=1)]
    first_gameweek: Annotated[int, Field(ge=1)] = 1
    """The gameweek the first season is entered in, for a league that starts in mid-season."""
    managers: Annotated[tuple[ManagerConfig, ...], Field(min_length=1)]
    recall: RecallPolicies = RecallPolicies()
    memory: Literal["on", "off"] = "on"
    """Off: nobody recalls anything and nobody is shown its promises. The stores are written all the same."""
    feed: Literal["archive", "official", "snapshot"] = "archive"
    """Where facts and results come from: past seasons, the official API live, or what was kept of it."""
    embedder: Text = "local"
    spend_cap_per_gameweek: MicroDollars | None = None
    """No call is made that might carry a gameweek over this."""
    spend_cap_per_season: MicroDollars | None = None
    """The same for all calls of a season."""
    when_a_manager_cannot_decide: Literal["stop", "carry_over"] = "stop"
    """What becomes of a team whose model cannot be brought to a legal answer. Stop: the gameweek waits until it can.
    Carry over: the team stands as in the real game, which is final, and says so wherever it shows."""
    profile: Profile = "full"
    """What a prompt holds. Compact is for small models with small contexts: few players, and a menu to choose from."""
    conflict_judge: Text | None = None
    """A LiteLLM model id, asked about promises the rules can say nothing of. None: nobody is asked."""

    def recall_of(self, role: Literal["assistant", "manager"]) -> RecallPolicy:
        """What a role may bring to mind, within what a prompt of the league's profile can hold."""
        policy = self.recall.of(role)
        if self.profile == "full":
            return policy
        return policy.model_copy(update={"budget_tokens": min(policy.budget_tokens, COMPACT_MEMORY_TOKENS)})

    def manager(self, slug: str) -> ManagerConfig:
        """The manager with this slug; raises LeagueError naming those there are."""
        for manager in self.managers:
            if manager.slug == slug:
                return manager
        guess = _did_you_mean(slug, self.slugs) or "."
        raise LeagueError([f'league {self.name} has no manager "{slug}"{guess} It has {_listed(self.slugs)}.'])

    @property
    def slugs(self) -> tuple[str, ...]:
        return tuple(manager.slug for manager in self.managers)

    @property
    def gameweeks(self) -> tuple[tuple[str, int], ...]:
        """Every (season, gameweek) the league plays, in order."""
        return tuple(
            (season, gameweek)
            for place, season in enumerate(self.seasons)
            for gameweek in range(self.first_gameweek if place == 0 else 1, load_rules(season).last_gameweek + 1)
        )

    def gameweek_before(self, season: str, gameweek: int) -> tuple[str, int] | None:
        """The (season, gameweek) played before this one; None when the league starts with it."""
        place = self.gameweeks.index((season, gameweek))
        return self.gameweeks[place - 1] if place else None


def league_name() -> str:
    """The league chosen by the environment: BACKROOM_LEAGUE, a name or the path of a file (default house)."""
    return os.environ.get("BACKROOM_LEAGUE") or "house"


def project_top() -> Path:
    """The folder that holds ``data/``: the working directory if it is a project, else the one of the source tree."""
    source = Path(__file__).resolve().parents[1]
    here = Path.cwd()
    return source if not _holds_leagues(here) and _holds_leagues(source) else here


def state_dir(league: League) -> Path:
    """Where the league keeps its ledger and memory: ``$BACKROOM_STATE`` (or data/state) / the league's name."""
    return Path(os.environ.get("BACKROOM_STATE") or project_top() / "data" / "state") / league.name


def archive_dir() -> Path:
    """Where the season archive is kept: ``$BACKROOM_ARCHIVE`` (or data/archive)."""
    return Path(os.environ.get("BACKROOM_ARCHIVE") or project_top() / "data" / "archive")


def load_league(name_or_path: str | Path | None = None) -> League:
    """The league of that name in data/leagues, or of that file; the environment's choice when none is given.

    Raises LeagueError with one sentence, with file and line, for every problem of the file.
    """
    path = _league_file(str(name_or_path or league_name()))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LeagueError([f"{_shown(path)}: cannot be read ({error})"]) from error
    return parse_league(text, _shown(path))


def parse_league(text: str, file: str) -> League:
    """The league described by YAML ``text``; ``file`` is only for the error messages."""
    try:
        root = yaml.compose(text, Loader=_PlainLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise LeagueError([f"{file}:{line}: not valid YAML ({getattr(error, 'problem', None) or error})"]) from error
    if not isinstance(root, yaml.MappingNode):
        raise LeagueError([f"{file}:1: a league file is a list of keys such as name, seasons and managers"])
    source = _Source(file)
    data = source.read(root, ())
    source.check_repetition(data)
    try:
        league = League.model_validate_json(json.dumps(data))
    except ValidationError as error:
        source.report(error, data)
        league = None
    if source.problems or league is None:
        raise LeagueError([f"{file}:{line}: {sentence}" for line, sentence in sorted(source.problems)])
    return league


class _PlainLoader(yaml.SafeLoader):
    """YAML without its surprises: on, off, yes and no are words (``memory: off``), and dates are text."""


_PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":bool", ":timestamp"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_PlainLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


class _Source:
    """The parsed file with the line of every key, collecting what is wrong with it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: dict[Place, int] = {}
        self.problems: list[tuple[int, str]] = []
        self._scalars = _PlainLoader("")

    def read(self, node: yaml.Node, path: Place) -> Any:
        self.lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            mapping: dict[str, Any] = {}
            for key_node, value_node in node.value:
                key = str(key_node.value)
                line = key_node.start_mark.line + 1
                if key in mapping:
                    self.problems.append((line, f'key "{key}" stands twice, first on line {self.lines[(*path, key)]}'))
                    continue
                self.lines[(*path, key)] = line
                mapping[key] = self.read(value_node, (*path, key))
            return mapping
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, (*path, place)) for place, item in enumerate(node.value)]
        return self._scalars.construct_object(node)

    def check_repetition(self, data: dict[str, Any]) -> None:
        named = data.get("seasons")
        seasons: list[Any] = named if isinstance(named, list) else []
        for place, season in enumerate(seasons):
            if season in seasons[:place]:
                self.problems.append((self.line(("seasons", place)), f'season "{season}" stands twice'))
        first: dict[str, int] = {}
        for place, manager in enumerate(_managers(data)):
            slug = manager.get("slug") if isinstance(manager, dict) else None
            line = self.line(("managers", place, "slug"))
            if isinstance(slug, str) and slug in first:
                self.problems.append((line, f'slug "{slug}" is taken by the manager on line {first[slug]}'))
            elif isinstance(slug, str):
                first[slug] = line

    def report(self, error: ValidationError, data: dict[str, Any]) -> None:
        for problem in error.errors():
            path = problem["loc"]
            if problem["type"] == "too_short" and problem["input"]:
                continue  # its items are wrong, not their number, and each is reported on its own line
            self.problems.append((self.line(path), self._sentence(problem, path, data)))

    def line(self, path: Place) -> int:
        while path not in self.lines:
            path = path[:-1]
        return self.lines[path]

    def _sentence(self, problem: Any, path: Place, data: dict[str, Any]) -> str:
        key, owner = path[-1], _owner(path[:-1], data)
        match problem["type"]:
            case "extra_forbidden":
                return f'unknown key "{key}"{owner}{_did_you_mean(str(key), _keys_at(path[:-1]))}'
            case "missing":
                return f'{owner.removeprefix(" in ") or "the league"} needs "{key}"'
            case "string_pattern_mismatch" if key in ("slug", "name"):
                return f'{key} "{problem["input"]}"{owner} must be 1 to 24 of a-z, 0-9 and -'
            case "string_pattern_mismatch":
                return f'season "{problem["input"]}" must be written like 2025-26'
            case "literal_error":
                choices = _choices(path)
                return (
                    f'"{key}"{owner} must be {_listed(choices, "or")}, not {_value(problem["input"])}'
                    f"{_did_you_mean(str(problem['input']), choices)}"
                )
            case kind:
                named = f'item {int(key) + 1} of "{path[-2]}"' if isinstance(key, int) and len(path) > 1 else f'"{key}"'
                wanted = _WANTED.get(kind) or problem["msg"].removeprefix("Input should be ")
                where = "" if isinstance(key, int) else owner
                return f"{named}{where} must be {wanted}, not {_value(problem['input'])}"


_WANTED = {
    "string_type": "text",
    "string_too_short": "a text that is not empty",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "too_short": "a list that is not empty",
    "dict_type": "a list of keys and values",
    "model_type": "a list of keys and values",
    "model_attributes_type": "a list of keys and values",
}


def _managers(data: dict[str, Any]) -> list[Any]:
    managers = data.get("managers")
    return managers if isinstance(managers, list) else []


def _owner(path: Place, data: dict[str, Any]) -> str:
    """`` in manager opus``, `` in recall.assistant``, or nothing at the top of the file."""
    match path:
        case ("managers", int(place), *rest):
            manager = _managers(data)[place]
            slug = manager.get("slug") if isinstance(manager, dict) else None
            inner = "".join(f", {part}" for part in rest)
            return f" in manager {slug if isinstance(slug, str) else f'number {place + 1}'}{inner}"
        case ():
            return ""
        case _:
            return f" in {'.'.join(str(part) for part in path)}"


def _models(path: Place) -> Iterator[type[BaseModel]]:
    match path:
        case ():
            yield League
        case ("managers", int()):
            yield ManagerConfig
        case ("recall",):
            yield RecallPolicies
        case ("recall", _):
            yield RecallPolicy
        case _:
            return


def _keys_at(path: Place) -> tuple[str, ...]:
    return tuple(key for model in _models(path) for key in model.model_fields)


def _choices(path: Place) -> tuple[str, ...]:
    return tuple(
        str(choice) for model in _models(path[:-1]) for choice in get_args(model.model_fields[str(path[-1])].annotation)
    )


def _did_you_mean(word: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return f'; did you mean "{close[0]}"?' if close else ""


def _listed(words: tuple[str, ...], joint: str = "and") -> str:
    return " ".join((", ".join(words[:-1]), joint, words[-1])) if len(words) > 1 else "".join(words)


def _value(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _holds_leagues(folder: Path) -> bool:
    return (folder / "data" / "leagues").is_dir()


def _league_file(name_or_path: str) -> Path:
    if name_or_path.endswith((".yaml", ".yml")):
        path = Path(name_or_path)
        if path.is_file():
            return path
        raise LeagueError([f"{name_or_path}: there is no such league file"])
    folder = project_top() / "data" / "leagues"
    path = folder / f"{name_or_path}.yaml"
    if SLUG.fullmatch(name_or_path) and path.is_file():
        return path
    known = tuple(sorted(file.stem for file in folder.glob("*.yaml")))
    found = f"This folder has {_listed(known)}." if known else "This folder has none yet."
    guess = _did_you_mean(name_or_path, known) or "."
    raise LeagueError([f'{_shown(folder)}: no league "{name_or_path}"{guess} {found}'])


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else str(path)
