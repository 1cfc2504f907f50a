"""New promises held against standing ones and each other: by their terms, then, where one has none, by what they deny.

Only promises enter, narratives never do. A contradiction is something to show; nothing is refused because of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from backroom_pipeline.fpl.model import Position
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments.conflicts import Context, Said, conflict
from backroom_pipeline.memory.commitments.free_text import Embed, Sentence, opposed, similarities
from backroom_pipeline.memory.model import AllOf, Claim, Conflict, FreeText, StandingClaim, Terms
from backroom_pipeline.memory.records import record_id

UNDECIDED_AT_MOST = 12
"""Pairs that a model is asked about at once, so that a gameweek in May costs what one in September does."""
_NEAR = 0.5
"""Cosine from which two promises may be about the same thing."""
_NEAR_WORDS = 0.25
"""The same without vectors."""


class Known(NamedTuple):
    """What a gameweek's pool says beside the promises: who plays where, and what everybody is called."""

    context: Context = Context()
    names: Mapping[int, str] = {}


class Undecided(NamedTuple):
    """Two promises that may be about the same thing, and of which the rules say nothing."""

    earlier: StandingClaim
    later: StandingClaim
    similarity: float


def known_before(ledger: Ledger, season: str, gameweek: int) -> Known:
    """The pool as known before the gameweek's deadline."""
    pool = ledger.rows(
        "SELECT player_id, web_name, club, position FROM pool WHERE season = ? AND gameweek = ? ORDER BY version",
        [season, gameweek],
    )
    clubs = {cast(int, row["player_id"]): cast(str, row["club"]) for row in pool}
    positions: dict[int, Position] = {cast(int, row["player_id"]): cast(Position, row["position"]) for row in pool}
    return Known(Context(clubs, positions), {cast(int, row["player_id"]): str(row["web_name"]) for row in pool})


def new_claims(manager: str, season: str, gameweek: int, claims: Sequence[Claim]) -> list[StandingClaim]:
    """The promises of one decision, with the ids they have once they are committed."""
    return [
        StandingClaim(
            record_id=record_id(manager, "manager", season, gameweek, "commitment", ordinal, claim.text),
            manager=manager,
            made_in=gameweek,
            ordinal=ordinal,
            claim=claim,
        )
        for ordinal, claim in enumerate(claims)
    ]


def contradictions(
    new: Sequence[StandingClaim], standing: Sequence[StandingClaim], known: Known, embed: Embed | None
) -> list[Conflict]:
    """Every standing promise that a new one contradicts, then those of the same decision; most binding first."""
    found: list[Conflict] = []
    for place, later in enumerate(new):
        for earlier in (*standing, *new[:place]):
            contradiction = _contradiction(earlier, later, known, embed)
            if contradiction is not None:
                found.append(contradiction)
    return found


def undecided(
    new: Sequence[StandingClaim], standing: Sequence[StandingClaim], found: Sequence[Conflict], embed: Embed | None
) -> list[Undecided]:
    """Pairs near enough to be about the same thing of which nothing was found; those without terms first, then nearest.

    At most ``UNDECIDED_AT_MOST``. A promise that is only said again is not among them.
    """
    settled = {(conflict.earlier.record_id, conflict.later_id) for conflict in found}
    pairs: list[Undecided] = []
    for place, later in enumerate(new):
        others = [
            earlier
            for earlier in (*standing, *new[:place])
            if (earlier.record_id, later.record_id) not in settled and not _says_it_again(earlier, later)
        ]
        if not others:
            continue
        near = similarities(later.claim.text, [earlier.claim.text for earlier in others], embed)
        pairs += [
            Undecided(earlier, later, round(similarity, 3))
            for earlier, similarity in zip(others, near, strict=True)
            if similarity >= (_NEAR_WORDS if embed is None else _NEAR)
        ]
    pairs.sort(
        key=lambda pair: (not _without_terms(pair.earlier, pair.later), -pair.similarity, pair.earlier.record_id)
    )
    return pairs[:UNDECIDED_AT_MOST]


def players_of(terms: Terms) -> tuple[int, ...]:
    """Whom a promise is about, each once, in the order of its terms."""
    if isinstance(terms, AllOf):
        return tuple(dict.fromkeys(player for part in terms.parts for player in players_of(part)))
    named = [getattr(terms, name, None) for name in ("player_id", "captain_id", "replacement_id")]
    others: tuple[int, ...] = getattr(terms, "or_player_ids", ())
    return tuple(dict.fromkeys(player for player in (*named, *others) if player is not None))


def _contradiction(
    earlier: StandingClaim, later: StandingClaim, known: Known, embed: Embed | None
) -> Conflict | None:  # fmt: skip
    one, other = earlier.claim, later.claim
    reason = conflict(Said(one.terms, earlier.made_in), Said(other.terms, later.made_in), known.context)
    if reason is not None:
        reason = _named(reason, one.terms, other.terms, known.names)
        return Conflict(earlier=earlier, later=other, later_id=later.record_id, reason=reason)
    if not _without_terms(earlier, later):
        return None
    denial = opposed(Sentence(one.text, earlier.made_in), Sentence(other.text, later.made_in), embed)
    if denial is None:
        return None
    return Conflict(
        earlier=earlier,
        later=other,
        later_id=later.record_id,
        reason=denial.reason,
        found_by="negation",
        similarity=denial.similarity,
    )


def _without_terms(*claims: StandingClaim) -> bool:
    return any(isinstance(standing.claim.terms, FreeText) for standing in claims)


def _says_it_again(earlier: StandingClaim, later: StandingClaim) -> bool:
    one, other = earlier.claim, later.claim
    return one.text.casefold() == other.text.casefold() or (
        one.terms == other.terms and not isinstance(one.terms, FreeText)
    )


def _named(reason: str, one: Terms, other: Terms, names: Mapping[int, str]) -> str:
    """The reason with the players' names: terms know them by number only."""
    ones, others = players_of(one), players_of(other)
    shared = [player for player in ones if player in others]
    if len(shared) == 1 and reason.startswith("The player "):
        return names.get(shared[0], "The player") + reason.removeprefix("The player")
    named = [names[player] for player in dict.fromkeys((*ones, *others)) if player in names]
    return f"{reason.removesuffix('.')} ({', '.join(named)})." if named else reason
