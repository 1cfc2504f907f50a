"""What a decision says and does against earlier promises, and which of its words were said before: events, not errors.

Promises are compared before the decision is committed, since a judge may have to be asked; what is found is recorded in
the transaction that commits it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from backroom_pipeline.backroom.contest import Contest, Week
from backroom_pipeline.backroom.contracts import ManagerDecision
from backroom_pipeline.backroom.judging import OFF, Judged, judge_spec, judged
from backroom_pipeline.fpl.model import Player
from backroom_pipeline.ledger.rows import Finding, JudgeKey
from backroom_pipeline.memory.commitments import Roster, judge, parse_terms, standing_claims, without_repeats
from backroom_pipeline.memory.commitments.contradictions import new_claims, players_of, undecided
from backroom_pipeline.memory.commitments.deeds import deed
from backroom_pipeline.memory.commitments.free_text import Embed
from backroom_pipeline.memory.commitments.history import decision_just_written
from backroom_pipeline.memory.commitments.openness import is_open
from backroom_pipeline.memory.embedder import load_embedder
from backroom_pipeline.memory.model import Claim, Conflict, FreeText, Member, MemoryRecord, StandingClaim, Terms
from backroom_pipeline.memory.quotes import OwnWords, Quote, earlier_words
from backroom_pipeline.memory.records import week_records


@dataclass(frozen=True)
class Examined:
    """The promises of a decision, held against the standing ones and each other."""

    claims: tuple[Claim, ...]
    """As they are judged from now on: in the words of the model, with terms read from them where it gave none."""
    standing: tuple[StandingClaim, ...]
    new: tuple[StandingClaim, ...]
    conflicts: tuple[Conflict, ...]
    quotes: tuple[tuple[int | None, Quote], ...]
    """Own words repeated by a claim, by its place, or by the reasoning (None)."""
    judged: Judged = OFF


def examine(contest: Contest, week: Week, slug: str, decision: ManagerDecision, owned: Collection[int]) -> Examined:
    """Look at the words of a decision that is not committed yet. Asks a judge only where the league has one.

    ``owned``: whose name wins where several players answer to it.
    """
    said = with_terms(decision.claims, week, owned)
    at = (week.season, week.gameweek)
    conflicts = contest.gateway.conflict_check(Member(manager=slug, role="manager"), slug, said, at=at) if said else []
    standing = standing_claims(contest.ledger, slug, *at)
    new = new_claims(slug, *at, said)
    quotes = _repeated(contest, week, slug, decision)
    examined = Examined(said, tuple(standing), tuple(new), tuple(conflicts), quotes)
    if contest.league.conflict_judge is None:
        return examined
    key = JudgeKey(season=week.season, gameweek=week.gameweek, manager=slug)
    spec = judge_spec(contest.league.conflict_judge)
    pairs = undecided(new, standing, conflicts, _embed(contest))
    return replace(examined, judged=judged(contest.ledger, key, spec, pairs, guard=contest.guard))


def with_terms(claims: Sequence[Claim], week: Week, owned: Collection[int]) -> tuple[Claim, ...]:
    """The claims, with terms read from the sentence where the model gave words alone."""
    if not any(isinstance(claim.terms, FreeText) for claim in claims):
        return tuple(claims)
    roster = Roster.of(week.pool.values(), prefer=owned)
    return tuple(
        claim.model_copy(update={"terms": _read(claim, roster, week)}) if isinstance(claim.terms, FreeText) else claim
        for claim in claims
    )


def _read(claim: Claim, roster: Roster, week: Week) -> Terms:
    try:
        terms = parse_terms(claim.text, roster, week.gameweek)
    except ValidationError:
        # A sentence that reads like terms which cannot be, for example at most minus one transfer.
        return claim.terms
    return terms if all(player in week.pool for player in players_of(terms)) else claim.terms


def findings_of(
    contest: Contest, week: Week, slug: str, decision: ManagerDecision, examined: Examined
) -> list[Finding]:
    """Everything found about a decision, in the open transaction that commits it."""
    narrative = _narrative(contest, week, slug)
    promises = (*examined.standing, *examined.new)
    return _placed(
        week,
        slug,
        *_contradicted(week, examined),
        *_broken(contest, week, slug, decision.reasoning, promises, narrative),
        *_quoted(week, examined, narrative),
    )


def findings_when_carried_over(contest: Contest, week: Week, slug: str) -> list[Finding]:
    """The promises a team breaks by standing as it was, in the open transaction that commits it. Nobody spoke."""
    promises = standing_claims(contest.ledger, slug, week.season, week.gameweek)
    return _placed(week, slug, *_broken(contest, week, slug, None, promises, _narrative(contest, week, slug)))


def _placed(week: Week, slug: str, *found: dict[str, object]) -> list[Finding]:
    place = {"season": week.season, "gameweek": week.gameweek, "manager": slug}
    return [Finding.model_validate(place | each) for each in found]


def _narrative(contest: Contest, week: Week, slug: str) -> MemoryRecord:
    records = week_records(contest.ledger, week.season, week.gameweek, slug)["manager"]
    return next(record for record in records if record.category == "narrative")


def _contradicted(week: Week, examined: Examined) -> Iterator[dict[str, object]]:
    texts = {claim.record_id: claim.claim.text for claim in examined.new}
    for conflict in examined.conflicts:
        yield {
            "kind": "claim",
            **_earlier(week.season, conflict.earlier),
            "later_id": conflict.later_id,
            "later_text": texts[conflict.later_id],
            "found_by": conflict.found_by,
            "reason": conflict.reason,
            "similarity": conflict.similarity,
        }
    for pair, verdict in examined.judged.verdicts:
        if verdict.verdict == "contradiction":
            yield {
                "kind": "claim",
                **_earlier(week.season, pair.earlier),
                "later_id": pair.later.record_id,
                "later_text": pair.later.claim.text,
                "found_by": "model",
                "reason": verdict.reason,
                "similarity": pair.similarity,
                "attempt_id": examined.judged.attempt_id,
                "cost_micro_dollars": examined.judged.cost_micro_dollars,
            }


def _broken(
    contest: Contest, week: Week, slug: str, reasoning: str | None, promises: Iterable[StandingClaim],
    narrative: MemoryRecord,
) -> Iterator[dict[str, object]]:  # fmt: skip
    """``reasoning`` None: nobody decided, so nobody could own up to anything."""
    facts = decision_just_written(contest.ledger, week.season, week.gameweek, slug)
    names = _names(week.pool)
    for standing in without_repeats(promises):
        claim = standing.claim
        if judge(claim, standing.made_in, facts) != "broken":
            continue
        done = deed(claim.terms, standing.made_in, facts, names)
        about = [names[player] for player in players_of(claim.terms) if player in names]
        when = f"Promised in gameweek {standing.made_in}, in force in gameweek {week.gameweek}"
        yield {
            "kind": "decision",
            **_earlier(week.season, standing),
            "later_id": narrative.id,
            "later_text": done,
            "found_by": "terms",
            "reason": f"{when}: {done}" if reasoning is not None else f"{when}, carried over undecided: {done}",
            "openly": reasoning is not None and is_open(reasoning, claim, about),
        }


def _repeated(
    contest: Contest, week: Week, slug: str, decision: ManagerDecision
) -> tuple[tuple[int | None, Quote], ...]:  # fmt: skip
    earlier = earlier_words(contest.ledger, slug, (week.season, week.gameweek))
    if not earlier:
        return ()
    own = OwnWords(earlier)
    texts = [(None, decision.reasoning), *enumerate(claim.text for claim in decision.claims)]
    return tuple((place, quote) for place, text in texts for quote in own.quoted_in(text))


def _quoted(week: Week, examined: Examined, narrative: MemoryRecord) -> Iterator[dict[str, object]]:
    for place, quote in examined.quotes:
        yield {
            "kind": "quote",
            "earlier_id": quote.record_id,
            "earlier_season": quote.season,
            "earlier_gameweek": quote.gameweek,
            "earlier_text": quote.sentence,
            "later_id": narrative.id if place is None else examined.new[place].record_id,
            "later_text": quote.passage,
            "later_start": quote.start,
            "found_by": "verbatim" if quote.verbatim else "near-verbatim",
            "reason": _how_repeated(quote, week.season),
            "similarity": quote.similarity,
        }


def _embed(contest: Contest) -> Embed | None:
    embedder = load_embedder(contest.league.embedder)
    return embedder.embed if embedder.dimension else None


def _earlier(season: str, standing: StandingClaim) -> dict[str, object]:
    return {
        "earlier_id": standing.record_id,
        "earlier_season": season,
        "earlier_gameweek": standing.made_in,
        "earlier_text": standing.claim.text,
    }


def _how_repeated(quote: Quote, season: str) -> str:
    when = f"gameweek {quote.gameweek}" + ("" if quote.season == season else f" of {quote.season}")
    return f"Repeats {when} word for word." if quote.verbatim else f"Says nearly what was said in {when}."


def _names(pool: Mapping[int, Player]) -> dict[int, str]:
    return {player.id: player.web_name for player in pool.values()}
