"""The cheapest squad that a list of players allows."""

from __future__ import annotations

import itertools
import threading
import warnings

from backroom_pipeline.fpl.feasible import cheapest_legal_squad
from backroom_pipeline.fpl.model import POSITIONS, Player
from backroom_pipeline.fpl.rules import Rules
from backroom_pipeline_tests.fpl.squads import made_up_pool, repriced


def test_the_cheapest_squad_of_a_uniform_pool_is_fifteen_times_the_price(rules) -> None:
    assert cheapest_legal_squad(made_up_pool(price=45).values(), rules) == 15 * 45


def test_a_cheaper_player_is_taken_once_even_if_listed_twice(rules) -> None:
    pool = repriced(made_up_pool(price=45), p101=40)
    assert cheapest_legal_squad([*pool.values(), pool[101]], rules) == 14 * 45 + 40


def test_there_is_no_squad_without_enough_of_a_position_or_of_clubs(rules) -> None:
    pool = made_up_pool().values()
    assert cheapest_legal_squad([], rules) is None
    assert cheapest_legal_squad([p for p in pool if p.position != "GK" or p.id == 101], rules) is None
    four_clubs = [p.model_copy(update={"club": f"C{p.id % 4}"}) for p in pool]
    assert cheapest_legal_squad(four_clubs, rules) is None


def test_the_answer_is_the_best_of_all_squads(rules: Rules) -> None:
    """Against every combination, in a game small enough to try them all."""
    small = rules.model_copy(update={"squad": dict.fromkeys(POSITIONS, 1), "club_limit": 1})
    players = [
        Player(id=i, code=i, web_name=str(i), club=f"C{i * 7 % 5}", position=POSITIONS[i % 4], price=40 + i * 13 % 31)
        for i in range(1, 21)
    ]
    legal = (
        sum(player.price for player in four)
        for four in itertools.combinations(players, 4)
        if len({p.position for p in four}) == 4 and len({p.club for p in four}) == 4
    )
    assert cheapest_legal_squad(players, small) == min(legal)


def test_real_opening_prices_allow_a_squad_well_under_the_budget(real_season, rules) -> None:
    cost = cheapest_legal_squad(real_season("2025-26").pool(1).values(), rules)
    assert cost is not None
    assert 600 < cost < rules.budget


def test_eight_threads_that_look_for_a_squad_leave_the_warnings_of_the_process_as_they_were(
    rules: Rules,
) -> None:
    pool = made_up_pool()
    before = list(warnings.filters)
    threads = [
        threading.Thread(target=lambda: [cheapest_legal_squad(pool.values(), rules) for _ in range(20)])
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert warnings.filters == before
