"""Whose turn it is at each vendor: so many calls at once, and one ahead of the others where they share its cache.

A vendor that is slow or failing holds up those who wait for it and nobody else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from threading import BoundedSemaphore, Event, Lock

from backroom_pipeline.ledger.canonical import canonical_json
from backroom_pipeline.models.spec import LENGTH_OPTIONS, ModelSpec


class Vendors:
    """The vendors of one contest, shared by all its threads. House models are nobody's."""

    def __init__(self, specs: Iterable[ModelSpec] = ()) -> None:
        """Where several models of a vendor state a limit, the lowest holds for all of them."""
        specs = [spec for spec in specs if not spec.is_house]
        limits: dict[str, int] = {}
        for spec in specs:
            if spec.concurrency is not None:
                limits[spec.vendor] = min(spec.concurrency, limits.get(spec.vendor, spec.concurrency))
        self._limits = {vendor: BoundedSemaphore(limit) for vendor, limit in limits.items()}
        self._managers = Counter(map(_cache, specs))
        self._first: dict[tuple[str, str], Event] = {}
        self._guard = Lock()

    def sharing(self, spec: ModelSpec) -> int:
        """How many managers' prompts meet in the cache that this model's prompts end up in, its own included."""
        return self._managers[_cache(spec)]

    @contextmanager
    def turn(self, spec: ModelSpec, marked_prefix: str | None = None) -> Iterator[None]:
        """Wait until the vendor may be called.

        Of those who send the same marked prefix the first goes ahead, and the others follow when it has its answer:
        sent together, each would pay for writing what none could read yet.
        """
        with self._ahead(spec, marked_prefix), self._limits.get(spec.vendor) or nullcontext():
            yield

    @contextmanager
    def _ahead(self, spec: ModelSpec, marked_prefix: str | None) -> Iterator[None]:
        if marked_prefix is None:
            yield
            return
        mine = Event()
        with self._guard:
            first = self._first.setdefault((_cache(spec), marked_prefix), mine)
        if first is not mine:
            first.wait()
        try:
            yield
        finally:
            mine.set()


def _cache(spec: ModelSpec) -> str:
    """Names the cache a prompt ends up in: account, model, and options such as reasoning effort keep them apart."""
    options = {name: value for name, value in spec.identity.items() if name not in LENGTH_OPTIONS}
    return canonical_json([spec.vendor, spec.api_key_env, spec.model, options])
