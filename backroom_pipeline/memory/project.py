"""Where a role's memory lies: the only code that turns a manager and a role into the name of a store."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

from backroom_pipeline.memory.embedder import Embedder
from backroom_pipeline.memory.model import ROLES, Role
from backroom_pipeline.memory.store import Store

_SHORT: dict[Role, str] = {"coach": "coach", "assistant": "asst", "manager": "mgr"}
REPLACED = ".replaced"
"""Where a rebuild keeps the old stores while the new ones take their place."""
_LONGEST = 120
"""Characters of an encoded slug: file systems allow 255 for a name, of which a table's prefix and suffix take some."""


_OPEN_AT_MOST = 64
"""Two leagues of eight managers, and some."""
_open: OrderedDict[tuple[Path, str], tuple[int, Store]] = OrderedDict()
"""Stores this process has open, by place and embedder, with the folder they were opened in; the last used last. Every
step of a week makes a gateway of its own, and would read every store anew."""
_guard = threading.Lock()


class Project(NamedTuple):
    """One role's store: the team's database and the table in it."""

    team: str
    """Name of the database's folder, for example ``fpl-team-opus``."""
    table: str
    """For example ``context_fpl_mgr_opus``."""


class NoSuchProject(ValueError):
    """A manager or a role that cannot have a store."""


class Stores:
    """Every team's database under one folder, opened with one embedder."""

    def __init__(self, root: Path, embedder: Embedder) -> None:
        put_back_interrupted(root)
        self.root = root
        self._embedder = embedder

    def project(self, manager: str, role: Role) -> Project:
        """The name for the audit trail and for messages. Raises NoSuchProject."""
        return _project_for(manager, role)

    def team_folder(self, manager: str) -> Path:
        return self.root / _project_for(manager, "manager").team

    def place(self, manager: str, role: Role) -> Path:
        """The folder of one store's table."""
        project = _project_for(manager, role)
        return self.root / project.team / f"{project.table}.lance"

    def open(self, manager: str, role: Role) -> Store:
        """Raises StoreMissing, or StoreError when it cannot be read or was made with another embedder."""
        return self._store(manager, role, create=False)

    def create(self, manager: str, role: Role) -> Store:
        """Make the store, or open the one that is there."""
        return self._store(manager, role, create=True)

    def _store(self, manager: str, role: Role, *, create: bool) -> Store:
        project, place = _project_for(manager, role), self.place(manager, role)
        key = (place.absolute(), self._embedder.name)
        with _guard:
            held, on_disk = _open.get(key), _identity(place)
            if held is None or on_disk is None or held[0] != on_disk:
                store = Store(place.parent, project.table, self._embedder, create=create)
                held = (_identity(place) or 0, store)
            _open[key] = held
            _open.move_to_end(key)
            while len(_open) > _OPEN_AT_MOST:
                _open.popitem(last=False)
        return held[1]


def put_back_interrupted(root: Path) -> None:
    """A rebuild that was cut off between its two renames left the old store aside; it goes back to its place."""
    for replaced in sorted((root / REPLACED).glob("*/*.lance")):
        store = root / replaced.parent.name / replaced.name
        if not store.exists():
            store.parent.mkdir(parents=True, exist_ok=True)
            replaced.rename(store)


def _identity(folder: Path) -> int | None:
    """Which folder it is: a rebuilt store has the old one's name and is another."""
    try:
        return folder.stat().st_ino
    except OSError:
        return None


def _project_for(manager: str, role: Role) -> Project:
    if role not in ROLES:
        raise NoSuchProject(f"There is no role {role!r}: a backroom has {', '.join(ROLES)}.")
    slug = _encoded(manager)
    return Project(f"fpl-team-{slug}", f"context_fpl_{_SHORT[role]}_{slug}")


def _encoded(slug: str) -> str:
    """The slug in lower-case letters, digits and hyphens; every other byte as ``_`` and two hex digits.

    ``_`` itself is escaped, so two slugs never share a name; capitals are, because some file systems fold case.
    """
    if not slug:
        raise NoSuchProject("A manager without a slug has no memory: give every manager of the league one.")
    name = re.sub(rb"[^a-z0-9-]", lambda byte: b"_%02x" % byte[0][0], slug.encode()).decode()
    if len(name) > _LONGEST:
        raise NoSuchProject(f"The slug {slug!r} is too long to name a store: use at most {_LONGEST} plain characters.")
    return name
