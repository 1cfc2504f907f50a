"""Whether a call may be made: what it may cost at most, reserved before it is made, within the caps of the league."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from backroom_pipeline.ledger.canonical import canonical_json
from backroom_pipeline.ledger.rows import CallKey
from backroom_pipeline.ledger.spending import CallEstimate, spent
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.models.attempts import Request
from backroom_pipeline.models.caching import marks_prefix, messages_of, with_caching
from backroom_pipeline.models.cost import in_micro_dollars
from backroom_pipeline.models.prices import listing, price_of
from backroom_pipeline.models.spec import ModelSpec
from backroom_pipeline.models.vendors import Vendors
from backroom_pipeline.tokens import estimated_schema_tokens, estimated_tokens

USUAL_ROOM = 4096
"""Tokens an answer is taken to have at most when neither the options nor the price map tell."""


@dataclass(frozen=True)
class Caps:
    """The most that may be spent, in micro-dollars; None where nothing limits it."""

    gameweek: int | None = None
    season: int | None = None

    @property
    def none(self) -> bool:
        return self.gameweek is None and self.season is None


class OverCap(Exception):
    """A call that was not made because a cap would not hold, or could not be known to hold. Says what to do."""


@dataclass(frozen=True)
class Sent:
    """A request as it goes out: its shared part marked for the vendor's cache, or not."""

    spec: ModelSpec
    messages: list[dict[str, Any]]


@dataclass(frozen=True)
class Guard:
    """What stands between the backrooms and the vendors, one for all threads of a contest."""

    caps: Caps = Caps()
    vendors: Vendors = field(default_factory=Vendors)

    @contextmanager
    def turn(self, request: Request) -> Iterator[Sent]:
        """Wait until the vendor may be called; what to send."""
        spec, prompt = request.spec, request.prompt
        marked = self.marks(spec)
        with self.vendors.turn(spec, prompt.public_sha256 if marked else None):
            yield Sent(with_caching(spec, prompt, marked=marked), messages_of(prompt, marked=marked))

    def reserve(self, ledger: Ledger, key: CallKey, request: Request) -> CallEstimate | None:
        """What the call may cost at most; None where nobody knows a price, and for a house model. Raises OverCap.

        To be called in the transaction that begins the attempt and records the estimate: writers take turns, so
        no other thread can spend the same money in between.
        """
        if request.spec.is_house:
            return None
        estimate = self.estimate(request)
        if not self.caps.none:
            self._check(ledger, key, request.spec, estimate)
        return estimate

    def estimate(self, request: Request) -> CallEstimate | None:
        """The prompt as estimated and the longest answer allowed, at today's price."""
        prompt, form = request.prompt, request.response_format
        tokens = sum(map(estimated_tokens, (prompt.system, prompt.public, prompt.private)))
        tokens += 0 if form is None else estimated_schema_tokens(canonical_json(form))
        return call_estimate(request.spec, tokens, marked=self.marks(request.spec))

    def marks(self, spec: ModelSpec) -> bool:
        """Whether the end of this model's shared prefix is marked for the vendor's cache."""
        return marks_prefix(spec, shared=self.vendors.sharing(spec) > 1)

    def _check(self, ledger: Ledger, key: CallKey, spec: ModelSpec, estimate: CallEstimate | None) -> None:
        if estimate is None:
            raise OverCap(f"no call was made: {unpriced(spec)}")
        for cap, gameweek, name in (
            (self.caps.gameweek, key.gameweek, "spend_cap_per_gameweek"),
            (self.caps.season, None, "spend_cap_per_season"),
        ):
            if cap is None:
                continue
            so_far = spent(ledger, key.season, gameweek)
            if so_far.total + estimate.micro_dollars > cap:
                period = f"season {key.season}" if gameweek is None else f"gameweek {gameweek}"
                assumed = f" (${so_far.assumed / 1e6:.4f} of it assumed, for calls of unknown cost or still in the air)"
                raise OverCap(
                    f"no call was made: {period} has cost ${so_far.total / 1e6:.4f}"
                    f"{assumed if so_far.assumed else ''}, one more call to {spec.model} may cost up to "
                    f"${estimate.micro_dollars / 1e6:.4f}, and the cap is ${cap / 1e6:.4f}. Raise {name} in the league "
                    "file, or lower max_tokens of this model, and run again."
                )


def call_estimate(spec: ModelSpec, prompt_tokens: int, *, marked: bool = False) -> CallEstimate | None:
    """The most a call with a prompt of that length should cost; None without a price; a house model has none."""
    price = price_of(spec)
    if price is None:
        return None
    rates = price.rates(prompt_tokens)
    answer_tokens = most_answer_tokens(spec)
    pico_dollars = prompt_tokens * (rates.written if marked else rates.input)
    pico_dollars += answer_tokens * max(rates.output, rates.reasoning)
    return CallEstimate(in_micro_dollars(pico_dollars), prompt_tokens, answer_tokens, price.version)


def most_answer_tokens(spec: ModelSpec) -> int:
    """The longest answer the options allow, else the vendor, else a usual one."""
    return spec.most_answer_tokens or (listing(spec.model) or {}).get("max_output_tokens") or USUAL_ROOM


def unpriced(spec: ModelSpec) -> str:
    """Why a cap cannot hold for a model, and what to do."""
    return (
        f"nobody knows the price of {spec.model}, so a spend cap cannot be kept. Give it in the model's options "
        "(price: {input: 3, output: 15}, dollars per million tokens; 0 for a local one), or take the cap out of the "
        "league file."
    )
