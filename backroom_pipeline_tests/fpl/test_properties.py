"""The algebra of squads: what holds for every team, whatever the week."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backroom_pipeline.fpl.lineup import FORMATION, automatic_substitutions, score_lineup
from backroom_pipeline.fpl.model import (
    POSITIONS,
    Chip,
    ChipPlay,
    IllegalSheet,
    Performance,
    Player,
    Position,
    TeamSheet,
    TeamState,
)
from backroom_pipeline.fpl.rules import load_rules
from backroom_pipeline.fpl.squad import apply_sheet, sale_price
from backroom_pipeline_tests.fpl.squads import made_up_pool

RULES = load_rules("2025-26")
POOL = made_up_pool()
BY_POSITION: dict[Position, list[int]] = {
    position: [id for id, player in POOL.items() if player.position == position] for position in POSITIONS
}
FORMATIONS = [
    (defenders, midfielders, forwards)
    for defenders in range(3, 6)
    for midfielders in range(2, 6)
    for forwards in range(1, 4)
    if defenders + midfielders + forwards == 10
]
CHIPS_OR_NONE = st.sampled_from([None, None, None, "wildcard", "free_hit", "bench_boost", "triple_captain"])


@st.composite
def sheets(draw, chip: st.SearchStrategy[Chip | None] = CHIPS_OR_NONE) -> TeamSheet:
    """A sheet of the right shape in any formation; it may still break the club limit or the budget."""
    chosen = {
        position: draw(st.lists(st.sampled_from(BY_POSITION[position]), min_size=n, max_size=n, unique=True))
        for position, n in RULES.squad.items()
    }
    eleven = dict(zip(POSITIONS, (1, *draw(st.sampled_from(FORMATIONS))), strict=True))
    starting = [id for position in POSITIONS for id in chosen[position][: eleven[position]]]
    outfield_bench = [id for position in POSITIONS[1:] for id in chosen[position][eleven[position] :]]
    captain, vice_captain = draw(st.permutations(starting))[:2]
    return TeamSheet(
        starting=tuple(starting),
        bench=(chosen["GK"][1], *draw(st.permutations(outfield_bench))),
        captain=captain,
        vice_captain=vice_captain,
        chip=draw(chip),
    )


@st.composite
def markets(draw) -> dict[int, Player]:
    """The pool at prices between 3.8 and 8.0, as they might stand in some week."""
    stride, offset = draw(st.integers(1, 42)), draw(st.integers(0, 42))
    return {id: p.model_copy(update={"price": 38 + (id * stride + offset) % 43}) for id, p in POOL.items()}


weeks = st.lists(st.tuples(sheets(), markets()), min_size=1, max_size=5)


def legal_weeks(weeks):
    """Play the sheets that are legal, week after week; yields (state before, sheet, market, applied)."""
    state = TeamState()
    for gameweek, (sheet, market) in enumerate(weeks, start=14):
        try:
            applied = apply_sheet(state, sheet, market, RULES, gameweek)
        except IllegalSheet:
            continue
        yield state, sheet, market, applied
        state = applied.state_after


@given(weeks)
def test_money_is_conserved(weeks) -> None:
    """Bank and sales before are bank and purchases after, and nobody spends what he does not have."""
    for state, _, market, applied in legal_weeks(weeks):
        bill = applied.bill
        paid_for = {owned.player_id: owned.purchase_price for owned in state.owned}
        assert bill.bank_before + sum(t.price for t in bill.sold) == bill.bank_after + sum(t.price for t in bill.bought)
        assert bill.bank_after >= 0
        assert all(t.price == sale_price(paid_for[t.player_id], market[t.player_id].price) for t in bill.sold)
        assert all(t.price == market[t.player_id].price for t in bill.bought)


@given(weeks)
def test_the_free_transfer_counter_stays_between_zero_and_the_cap_and_hits_are_what_exceeds_it(weeks) -> None:
    for state, sheet, _, applied in legal_weeks(weeks):
        bill = applied.bill
        assert 0 <= bill.free_transfers_after <= RULES.free_transfer_cap
        assert bill.hit_points == RULES.hit_cost * bill.paid_transfers
        if not state.owned or sheet.chip in ("wildcard", "free_hit"):
            assert bill.paid_transfers == 0
        else:
            assert bill.paid_transfers == max(0, len(bill.bought) - bill.free_transfers_before)


@given(weeks)
def test_a_free_hit_gives_back_exactly_the_team_it_was_played_on(weeks) -> None:
    for state, sheet, _, applied in legal_weeks(weeks):
        if sheet.chip == "free_hit":
            after = applied.state_after
            assert (after.owned, after.bank) == (state.owned, state.bank)
            assert after.chips_played[-1].chip == "free_hit"
        else:
            assert applied.state_after.player_ids == frozenset(sheet.player_ids)
            assert applied.state_after.bank == applied.bill.bank_after


@given(sheets(), sheets(), markets(), st.randoms(use_true_random=False))
def test_the_order_of_the_fifteen_does_not_change_the_bill(first, second, market, random) -> None:
    def shuffled(sheet: TeamSheet) -> TeamSheet:
        starting, reserves = list(sheet.starting), list(sheet.bench[1:])
        random.shuffle(starting)
        random.shuffle(reserves)
        return sheet.model_copy(update={"starting": tuple(starting), "bench": (sheet.bench[0], *reserves)})

    def outcome(state: TeamState, sheet: TeamSheet):
        try:
            return apply_sheet(state, sheet, market, RULES, 15)
        except IllegalSheet as illegal:
            return sorted(breach.code for breach in illegal.breaches)

    opening = first.model_copy(update={"chip": None})
    assert outcome(TeamState(), opening) == outcome(TeamState(), shuffled(opening))
    try:
        state = apply_sheet(TeamState(), opening, POOL, RULES, 1).state_after
    except IllegalSheet:
        return
    assert outcome(state, second) == outcome(state, shuffled(second))


@given(sheets(st.none()), sheets(st.just("free_hit")), markets())
def test_a_week_after_a_free_hit_is_as_if_it_had_not_been_played(opening, free_hit, market) -> None:
    try:
        state = apply_sheet(TeamState(), opening, POOL, RULES, 1).state_after
        reverted = apply_sheet(state, free_hit, market, RULES, 5).state_after
    except IllegalSheet:
        return
    assert reverted.model_copy(update={"chips_played": ()}) == state
    again = apply_sheet(reverted, opening, market, RULES, 6)
    assert (again.bill.sold, again.bill.bought) == ((), ())
    assert again.state_after.chips_played == (ChipPlay(chip="free_hit", gameweek=5),)


@given(sheets(st.none()), st.data())
def test_substitutions_keep_a_legal_eleven_and_miss_no_allowed_one(sheet, data) -> None:
    played = frozenset(data.draw(st.sets(st.sampled_from(sheet.player_ids))))
    positions = {id: POOL[id].position for id in sheet.player_ids}
    substitutions = automatic_substitutions(sheet, played, positions)
    eleven = {*sheet.starting} - {s.out for s in substitutions} | {s.came_in for s in substitutions}

    assert is_legal(eleven, positions)
    assert all(s.out not in played and s.came_in in played for s in substitutions)
    for out in eleven - played:
        for reserve in played.intersection(sheet.bench) - eleven:
            assert not is_legal(eleven - {out} | {reserve}, positions), f"{reserve} could have come in for {out}"


def is_legal(eleven: set[int], positions: dict[int, Position]) -> bool:
    count = {position: sum(positions[id] == position for id in eleven) for position in POSITIONS}
    return len(eleven) == 11 and all(fewest <= count[p] <= most for p, (fewest, most) in FORMATION.items())


@given(sheets(), st.data())
def test_points_are_those_of_eleven_and_one_armband_or_of_all_fifteen(sheet, data) -> None:
    points = data.draw(st.lists(st.integers(-3, 20), min_size=15, max_size=15))
    minutes = data.draw(st.lists(st.sampled_from([0, 1, 90]), min_size=15, max_size=15))
    performances = {
        id: Performance(points=p if m else 0, minutes=m, played=m > 0)
        for id, p, m in zip(sheet.player_ids, points, minutes, strict=True)
    }
    scored = score_lineup(sheet, performances, {id: POOL[id].position for id in sheet.player_ids})

    counted = [id for id, times in scored.multipliers.items() if times]
    assert len(counted) == (15 if sheet.chip == "bench_boost" else 11)
    everybody = sum(performance.points for performance in performances.values())
    extra = 0
    if scored.captain is not None:
        extra = performances[scored.captain].points * (2 if sheet.chip == "triple_captain" else 1)
    assert scored.points + scored.bench_points == everybody + extra
