"""What the house personas expect of players, fixtures and flags."""

from __future__ import annotations

import pytest

from backroom_pipeline.models.house import reading as room
from backroom_pipeline.models.house.forecast import Tint, expected_minutes, fitness_in, outlooks
from backroom_pipeline.models.house.reading import Match, Reading, Seen, UnreadablePromptError, read_prompt
from backroom_pipeline.models.house.voices import OCCASIONS, VOICES

REGULAR = Seen(
    player_id=1, name="Regular", club="ARS", position="MID", price=80,
    matches=10, minutes=880, starts=10, points=55, xg=3.0, xa=2.0, xgc=10.0,
    r_matches=5, r_minutes=440, r_points=28, r_xg=1.5, r_xa=1.0, r_xgc=5.0,
)  # fmt: skip


def reading(*weeks: tuple[Match, ...]) -> Reading:
    return Reading(
        role="assistant", season="2025-26", gameweek=11, last_gameweek=38, early=False, club_limit=3, hit_cost=4,
        free_transfer_cap=5, top_ups={}, fixtures={"ARS": {11 + n: matches for n, matches in enumerate(weeks)}},
        weeks=tuple(11 + n for n in range(len(weeks))), blanks_doubles=(), opening=False,
    )  # fmt: skip


def expected(player: Seen, *weeks: tuple[Match, ...], tint: Tint | None = None) -> tuple[float, ...]:
    return outlooks(reading(*weeks), [player], len(weeks), tint or Tint())[player.player_id].points


EASY, HARD = Match("BUR", True, 2), Match("LIV", False, 5)


def changed(**fields: object) -> Seen:
    return Seen(**{name: getattr(REGULAR, name) for name in room.FIELDS} | fields)


def test_a_double_is_worth_nearly_two_matches_and_a_blank_nothing() -> None:
    single, double, blank = expected(REGULAR, (EASY,), (EASY, EASY), ())
    assert 1.8 * single < double < 2 * single
    assert blank == 0


def test_an_easy_match_at_home_is_worth_more_than_a_hard_one_away() -> None:
    easy, hard = expected(REGULAR, (EASY,), (HARD,))
    assert easy > hard + 1


def test_a_flag_counts_as_often_as_such_players_really_played() -> None:
    played = {chance: fitness_in(changed(chance=chance, status="d"), 0) for chance in (100, 75, 50, 25, 0)}
    assert played == {100: 1.0, 75: 0.5, 50: 0.24, 25: 0.04, 0: 0.0}


def test_no_news_is_fit() -> None:
    assert fitness_in(changed(chance=None), 0) == 1.0


def test_an_injured_man_comes_back_slowly_and_one_who_left_never() -> None:
    injured = [fitness_in(changed(chance=0, status="i"), ahead) for ahead in range(5)]
    assert injured[0] == 0
    assert injured == sorted(injured)
    assert 0 < injured[-1] < 0.6
    assert fitness_in(changed(chance=0, status="u"), 4) == 0


def test_minutes_lately_count_more_than_minutes_long_ago() -> None:
    assert expected_minutes(changed(minutes=900, starts=10, r_minutes=90), False) < expected_minutes(
        changed(minutes=450, starts=5, r_minutes=450), False
    )


def test_before_the_first_match_a_newcomer_is_judged_by_his_price() -> None:
    cheap, dear = (
        Seen(player_id=n, name="New", club="ARS", position="MID", price=price) for n, price in ((1, 50), (2, 90))
    )
    early = reading((EASY,))
    values = outlooks(early, [cheap, dear], 1)
    assert values[2].points[0] > values[1].points[0] > 0


def test_tints_pull_where_they_should() -> None:
    popular = changed(selected_by=50.0)
    assert expected(popular, (EASY,), tint=Tint(crowd=0.05)) > expected(popular, (EASY,), tint=Tint(crowd=-0.05))
    assert expected(REGULAR, (HARD,), tint=Tint(fixtures=1.5)) < expected(REGULAR, (HARD,))
    mine = changed(sale_price=80)
    assert expected(mine, (EASY,), tint=Tint(loyalty=0.3)) > expected(REGULAR, (EASY,), tint=Tint(loyalty=0.3))


@pytest.mark.parametrize(
    ("system", "user", "missing"),
    [
        ("You are a coach.", "", "ROLE"),
        ("ROLE: coach\nYou read statistics.", "Nothing here.", "gameweek"),
    ],
)
def test_a_prompt_without_role_or_gameweek_is_refused_with_a_sentence(system: str, user: str, missing: str) -> None:
    with pytest.raises(UnreadablePromptError, match=missing):
        read_prompt(system, user)


@pytest.mark.parametrize("persona", sorted(VOICES))
def test_every_voice_has_words_for_every_occasion_with_the_slots_it_is_given(persona: str) -> None:
    voice = VOICES[persona]
    assert set(voice) == set(OCCASIONS)
    for occasion, wordings in voice.items():
        assert len(set(wordings)) == len(wordings) >= 1
        for wording in wordings:
            wording.format(**dict.fromkeys(OCCASIONS[occasion], "x"))
    if "broken" in voice:
        assert all("{promise}" in wording and "{week}" in wording for wording in voice["broken"] + voice["let_go"])
