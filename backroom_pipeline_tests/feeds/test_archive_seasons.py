"""Six seasons of the archive and their oddities: namesakes, gameweeks without matches, managers who are no players."""

from __future__ import annotations

from datetime import UTC, datetime

from backroom_pipeline.feeds.archive import ArchiveFeed
from backroom_pipeline.feeds.archive_season import stats


def test_b11_the_two_ben_davieses_each_have_their_own_matches(feed: ArchiveFeed) -> None:
    tottenham, liverpool = 395, 653  # ids of 2020/21; in the archive both go by the name "Ben Davies"
    archived = feed.archived("2020-21")
    assert {row.club for row in archived.appearances[tottenham]} == {"TOT"}
    assert sum(row.figures[1] for row in archived.appearances[tottenham]) == 1340  # minutes, as in the player list
    assert [(row.gameweek, row.club) for row in archived.appearances[liverpool]][:2] == [(22, "LIV"), (23, "LIV")]
    assert not any(stats(row.figures).minutes for row in archived.appearances[liverpool])
    # On loan all of 2022/23: the archive has no match of his, and the other's are not his either.
    assert feed.archived("2022-23").appearances[499] == ()


def test_r8_a_gameweek_all_of_whose_matches_were_postponed_is_final_and_empty(feed: ArchiveFeed) -> None:
    results = feed.results("2022-23", 7)
    assert (results.final, results.performances, results.scores) == (True, (), ())
    deadline, next_deadline = (feed.archived("2022-23").deadlines[gameweek] for gameweek in (7, 8))
    assert deadline < results.known_at < next_deadline
    facts = feed.facts("2022-23", 8)
    assert max(player.season.matches for player in facts.players) == 6


def test_a_season_that_skips_gameweeks_and_ends_beyond_38_is_read(feed: ArchiveFeed) -> None:
    """2019/20 was interrupted after gameweek 29 and went on with gameweek 39."""
    assert feed.season("2019-20").gameweeks == tuple(range(1, 48))
    for gameweek in range(30, 39):
        assert feed.results("2019-20", gameweek).performances == ()
    assert len(feed.results("2019-20", 47).scores) == 10
    facts = feed.facts("2019-20", 39)
    assert facts.deadline == datetime(2020, 6, 17, 16, 0, tzinfo=UTC)
    assert max(player.season.matches for player in facts.players) == 29


def test_r17_a_player_who_moved_is_at_the_club_of_the_deadline_in_an_older_season_too(feed: ArchiveFeed) -> None:
    ferguson = 123  # Brighton to West Ham between gameweeks 24 and 25 of 2024/25
    clubs = {
        gameweek: next(player.club for player in feed.facts("2024-25", gameweek).players if player.id == ferguson)
        for gameweek in (24, 26)
    }
    assert clubs == {24: "BHA", 26: "WHU"}


def test_r18_season_totals_are_the_official_ones_not_sums_of_ours(feed: ArchiveFeed) -> None:
    """Both are kept: the player list's total for the season after, the rows for the season itself."""
    archived = feed.archived("2024-25")
    totals = archived.totals_by_code()
    ferguson = archived.players[123]
    assert stats(totals[ferguson.code]).points == 28
    unequal = [
        player.id
        for player in archived.players.values()
        if stats(totals[player.code]).points
        != sum(stats(row.figures).points for row in archived.appearances[player.id])
    ]
    assert unequal == []  # here even his: the archive's rows were taken after the late correction
    carried = next(player for player in feed.facts("2025-26", 1).players if player.code == ferguson.code)
    assert carried.season.points == 28


def test_r31_positions_and_ids_hold_for_one_season_and_codes_for_all(feed: ArchiveFeed) -> None:
    before, after = (
        {player.code: player for player in feed.archived(season).players.values()} for season in ("2024-25", "2025-26")
    )
    in_both = sorted(set(before) & set(after))
    assert len(in_both) == 534
    assert sum(before[code].id == after[code].id for code in in_both) == 1
    moved = {after[code].web_name for code in in_both if before[code].position != after[code].position}
    assert {"Bowen", "Gakpo", "Cunha", "Matheus N."} <= moved


def test_r32_assistant_managers_are_read_and_reported_but_are_no_players(feed: ArchiveFeed) -> None:
    archived = feed.archived("2024-25")
    managers = {manager for manager, _ in archived.assistant_managers}
    assert len(managers) == 20
    assert 748 in managers  # Southampton's, two men under one id (CASES R17)
    assert sum(points for points, _ in archived.assistant_managers.values()) > 0
    for gameweek in (24, 38):
        facts, results = feed.facts("2024-25", gameweek), feed.results("2024-25", gameweek)
        assert managers.isdisjoint(player.id for player in facts.players)
        assert managers.isdisjoint(performance.player_id for performance in results.performances)
        assert any("20 assistant managers" in note for note in facts.notes)
    assert not any("assistant manager" in note for note in feed.facts("2024-25", 22).notes)
    assert "manager" not in {window.chip for window in feed.season("2024-25").chips}
