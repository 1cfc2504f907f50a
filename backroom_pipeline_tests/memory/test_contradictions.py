"""New promises against standing ones and each other: terms first, then a denial, and what is left for a judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from backroom_pipeline.ledger.memory_rows import audit_rows
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.commitments.conflicts import Context
from backroom_pipeline.memory.commitments.contradictions import (
    UNDECIDED_AT_MOST,
    Known,
    contradictions,
    known_before,
    new_claims,
    players_of,
    undecided,
)
from backroom_pipeline.memory.embedder import WordsOnly
from backroom_pipeline.memory.gateway import Gateway, Refused
from backroom_pipeline.memory.model import (
    AllOf,
    CaptainPlayer,
    Claim,
    FreeText,
    KeepPlayer,
    Member,
    NoHits,
    SellPlayer,
    StandingClaim,
    Terms,
)
from backroom_pipeline.memory.records import week_records
from backroom_pipeline_tests.memory import invented

SEASON = invented.SEASON
OKAFOR, SANTOS, RUIZ = 4, 7, 9
KNOWN = Known(Context({OKAFOR: "ARS"}), {OKAFOR: "Okafor", SANTOS: "Santos", RUIZ: "Ruiz"})
WORDS = FreeText(kind="free_text")
KEEP = KeepPlayer(kind="keep_player", player_id=OKAFOR, last=9)
SELL = SellPlayer(kind="sell_player", player_id=OKAFOR, first=7, last=7)


def said(gameweek: int, *claims: tuple[str, Terms]) -> list[StandingClaim]:
    return new_claims("opus", SEASON, gameweek, [Claim(text=text, terms=terms) for text, terms in claims])


def test_terms_decide_and_the_reason_names_the_player() -> None:
    (found,) = contradictions(said(6, ("Okafor goes next week.", SELL)), said(2, ("Okafor stays.", KEEP)), KNOWN, None)
    assert found.reason == "Okafor cannot be both kept and sold in gameweek 7."
    assert (found.found_by, found.similarity, found.earlier.made_in) == ("terms", None, 2)


def test_where_two_players_clash_both_are_named() -> None:
    one, other = (CaptainPlayer(kind="captain_player", player_id=player, first=7, last=7) for player in (SANTOS, RUIZ))
    (found,) = contradictions(said(6, ("Ruiz leads.", other)), said(2, ("Santos leads.", one)), KNOWN, None)
    assert found.reason == "The armband is promised to two different players in gameweek 7 (Santos, Ruiz)."


def test_a_promise_without_terms_is_compared_by_what_it_denies() -> None:
    earlier = said(2, ("Patience pays in this game.", WORDS), ("No hits.", NoHits(kind="no_hits")))
    later = said(6, ("Patience does not pay in this game.", WORDS))
    (found,) = contradictions(later, earlier, KNOWN, None)
    assert (found.found_by, found.earlier.claim.text) == ("negation", "Patience pays in this game.")
    assert found.similarity == 1.0
    assert found.later_id == later[0].record_id


def test_promises_with_terms_are_left_to_their_terms() -> None:
    kept = said(2, ("Okafor stays in my squad.", KEEP))
    same = said(6, ("Okafor does not stay in my squad.", KEEP))
    assert contradictions(same, kept, KNOWN, None) == []


def test_promises_of_one_decision_are_held_against_each_other() -> None:
    new = said(6, ("Okafor stays.", KEEP), ("Okafor goes next week.", SELL))
    (found,) = contradictions(new, [], KNOWN, None)
    assert (found.earlier.record_id, found.later_id) == (new[0].record_id, new[1].record_id)


def test_a_judge_is_left_what_is_near_and_undecided_those_without_terms_first() -> None:
    standing = said(
        2,
        ("Okafor is the heart of my midfield.", WORDS),
        ("Okafor stays in my midfield until gameweek nine.", KEEP),
        ("I read no newspapers.", WORDS),
    )
    new = said(6, ("Okafor is the weak spot of my midfield.", KEEP))
    left = undecided(new, standing, [], None)
    assert [pair.earlier.claim.text for pair in left] == ["Okafor is the heart of my midfield."]
    assert left[0].similarity >= 0.25


def test_what_was_found_or_is_only_said_again_needs_no_judge() -> None:
    standing = said(2, ("Patience pays in this game.", WORDS), ("Okafor stays.", KEEP), ("No hits, ever.", WORDS))
    new = said(6, ("Patience does not pay in this game.", WORDS), ("Okafor remains.", KEEP), ("No Hits, Ever.", WORDS))
    found = contradictions(new, standing, KNOWN, None)
    assert [conflict.found_by for conflict in found] == ["negation"]
    assert undecided(new, standing, found, None) == []


def test_a_judge_is_asked_about_so_many_pairs_and_no_more() -> None:
    standing = said(2, *((f"Okafor suits my midfield in week {week}.", WORDS) for week in range(10, 40)))
    assert len(undecided(said(6, ("Okafor suits my midfield.", WORDS)), standing, [], None)) == UNDECIDED_AT_MOST


def test_players_are_found_in_every_part_of_a_compound_promise() -> None:
    swap = SellPlayer(kind="sell_player", player_id=OKAFOR, replacement_id=SANTOS)
    either = CaptainPlayer(kind="captain_player", player_id=SANTOS, or_player_ids=(RUIZ,))
    assert players_of(AllOf(kind="all_of", parts=(swap, either))) == (OKAFOR, SANTOS, RUIZ)


class TestTheGateway:
    def test_its_ids_are_those_the_promises_have_once_committed(self, ledger: Ledger, gateway: Gateway) -> None:
        invented.decide(ledger, 1, ("opus",))
        claims = invented.promises(1, 0) + invented.FIRST_PROMISES
        committed = [
            record.id
            for record in week_records(ledger, SEASON, 1, "opus")["manager"]
            if record.category == "commitment"
        ]
        assert [claim.record_id for claim in new_claims("opus", SEASON, 1, claims)] == committed

    def test_promises_of_a_decision_are_checked_in_one_request(self, ledger: Ledger, gateway: Gateway) -> None:
        invented.decide(ledger, 1, ("opus",))
        opus = Member(manager="opus", role="manager")
        hit = NoHits(kind="no_hits", at_most_points=4, at_least_points=4, first=2, last=2)
        claims = [
            Claim(text="A hit of four next week.", terms=hit),
            Claim(text="No hits ever.", terms=NoHits(kind="no_hits")),
        ]
        found = gateway.conflict_check(opus, "opus", claims, at=(SEASON, 2))
        assert [(each.earlier.made_in, each.later.text) for each in found] == [
            (1, "A hit of four next week."),
            (2, "No hits ever."),
        ]
        asked = [row for row in audit_rows(ledger) if row.verb == "conflict_check"]
        assert len(asked) == 1
        assert set(asked[0].ids) == {each.earlier.record_id for each in found}

    def test_convictions_are_compared_by_the_vectors_of_the_league(
        self, ledger: Ledger, root: Path, hybrid: Gateway
    ) -> None:
        words_only = Gateway(root, ledger, WordsOnly())
        opus = Member(manager="opus", role="manager")
        texts = ("Patience pays in this game.", "Patience does not pay in this game any more.")
        claims = [Claim(text=text, terms=WORDS) for text in texts]
        similar = [
            door.conflict_check(opus, "opus", claims, at=(SEASON, 2))[0].similarity for door in (hybrid, words_only)
        ]
        assert similar[0] != similar[1] == 1.0
        assert 0.6 < (similar[0] or 0) < 1

    def test_another_team_is_refused(self, ledger: Ledger, gateway: Gateway) -> None:
        grok = Member(manager="grok", role="manager")
        with pytest.raises(Refused):
            gateway.conflict_check(grok, "opus", [], at=(SEASON, 2))

    def test_names_are_those_of_the_gameweeks_pool(self, ledger: Ledger, gateway: Gateway) -> None:
        invented.decide(ledger, 1, ("opus",))
        known = known_before(ledger, SEASON, 1)
        assert (known.names[13], known.context.positions[13]) == ("Haaland", "FWD")
        assert known_before(ledger, SEASON, 9).names == {}
