"""What goes back to a role: every breach at once, named, and nothing that is fine."""

from __future__ import annotations

from typing import Any

from backroom_pipeline.backroom.contracts import AssistantSheet, CoachRanking, ManagerDecision, RankedPlayer
from backroom_pipeline.backroom.legality import decision_breaches, proposal_breaches, ranking_breaches
from backroom_pipeline.fpl.model import POSITIONS, OwnedPlayer, Player, Position, TeamSheet, TeamState
from backroom_pipeline.fpl.rules import load_rules
from backroom_pipeline.memory.model import AvoidPlayer, Claim, NeverCaptain, NoHits

RULES = load_rules("2025-26")
CLUBS = ("ARS", "AVL", "BHA", "BOU", "BRE", "BUR", "CHE", "CRY", "EVE", "FUL", "LEE", "LIV", "MCI", "MUN")


def player(number: int, position: Position, price: int) -> Player:
    return Player(
        id=number, code=number, web_name=f"Man{number}", club=CLUBS[number % len(CLUBS)], position=position, price=price
    )


def pool_of(price: int) -> dict[int, Player]:
    """Fourteen players of each position, clubs in turn, all at one price."""
    players = [
        player(place * 100 + n, position, price) for place, position in enumerate(POSITIONS, 1) for n in range(14)
    ]
    return {p.id: p for p in players}


POOL = pool_of(50)


def picks(pool: dict[int, Player], first: int, many: int) -> dict[Position, tuple[RankedPlayer, ...]]:
    return {
        position: tuple(
            RankedPlayer(player_id=i, reason="good figures")
            for i in sorted(p.id for p in pool.values() if p.position == position)[first : first + many]
        )
        for position in POSITIONS
    }


def ranking(**changes: Any) -> CoachRanking:
    return CoachRanking.model_validate(
        {"rankings": picks(POOL, 0, 5), "enablers": {}, "notes": "Spread them."} | changes, strict=False
    )


def codes(breaches: tuple[Any, ...]) -> list[str]:
    return sorted(breach.code for breach in breaches)


def test_five_known_players_of_each_position_are_a_ranking() -> None:
    assert ranking_breaches(ranking(), POOL, RULES, opening=False) == ()


def test_every_fault_of_a_ranking_is_named_at_once() -> None:
    wrong = picks(POOL, 0, 5)
    wrong["GK"] = wrong["GK"][:4]
    wrong["DEF"] = (*wrong["DEF"][:4], RankedPlayer(player_id=9999, reason="who"))
    wrong["MID"] = (*wrong["MID"][:4], RankedPlayer(player_id=400, reason="a forward"))
    found = ranking_breaches(ranking(rankings=wrong, enablers=picks(POOL, 6, 1)), POOL, RULES, opening=False)
    assert codes(found) == ["duplicate_player", "no_enablers", "ranking_size", "unknown_player", "wrong_position"]
    assert any("GK has 4 players" in breach.sentence for breach in found)


def test_an_opening_ranking_without_enablers_goes_back() -> None:
    assert codes(ranking_breaches(ranking(), POOL, RULES, opening=True)) == ["enablers_size"] * 4


def test_an_opening_ranking_nobody_can_afford_goes_back_with_the_sum() -> None:
    dear = pool_of(70)
    answer = ranking(rankings=picks(dear, 0, 5), enablers=picks(dear, 5, 5))
    (breach,) = ranking_breaches(answer, dear, RULES, opening=True)
    assert breach.code == "no_legal_squad"
    assert "105.0" in breach.sentence
    assert "100.0" in breach.sentence


def test_an_opening_ranking_one_can_afford_passes() -> None:
    answer = ranking(enablers=picks(POOL, 5, 5))
    assert ranking_breaches(answer, POOL, RULES, opening=True) == ()


def squad() -> tuple[TeamState, TeamSheet]:
    gk, de, mid, fwd = ([i for i in sorted(POOL) if POOL[i].position == position] for position in POSITIONS)
    owned = (*gk[:2], *de[2:7], *mid[7:12], *fwd[11:14])
    state = TeamState(owned=tuple(OwnedPlayer(player_id=i, purchase_price=50) for i in owned), bank=0, free_transfers=1)
    sheet = TeamSheet(
        starting=(gk[0], *de[2:6], *mid[7:11], *fwd[11:13]),
        bench=(gk[1], de[6], mid[11], fwd[13]),
        captain=mid[7],
        vice_captain=mid[8],
    )
    return state, sheet


def test_an_assistant_may_keep_and_buy_the_named_but_nobody_else() -> None:
    state, sheet = squad()
    advice = ranking()
    fine = AssistantSheet(sheet=sheet, case="As we are.")
    assert proposal_breaches(fine, advice, state, POOL, RULES, 7) == ()
    stranger = sheet.model_copy(update={"bench": (sheet.bench[0], 212, *sheet.bench[2:])})
    found = proposal_breaches(AssistantSheet(sheet=stranger, case="A surprise."), advice, state, POOL, RULES, 7)
    assert codes(found) == ["not_offered"]
    assert "Man212 (212)" in found[0].sentence


def test_a_claim_about_nobody_and_a_window_that_is_over_go_back_with_the_sheets_breaches() -> None:
    state, sheet = squad()
    decision = ManagerDecision(
        sheet=sheet.model_copy(update={"captain": sheet.bench[3]}),
        reasoning="Trust me.",
        claims=(
            Claim(text="I will never own 9999.", terms=AvoidPlayer(kind="avoid_player", player_id=9999)),
            Claim(text="No hits last month.", terms=NoHits(kind="no_hits", first=2, last=6)),
            Claim(text="Never a captain from Wrexham.", terms=NeverCaptain(kind="never_captain", club="WRX")),
        ),
    )
    found = decision_breaches(decision, state, POOL, RULES, 7)
    assert codes(found) == ["captain_not_starting", "claim_unknown_club", "claim_unknown_player", "claim_window"]
