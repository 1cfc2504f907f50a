"""A result that is restated: a further version, and everything that hangs on it follows."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backroom_pipeline.backroom.contest import Contest, MissingFacts
from backroom_pipeline.backroom.scoring import restate
from backroom_pipeline.cli import app
from backroom_pipeline.fpl.model import GameweekResults
from backroom_pipeline.ledger.facts import gameweek_results
from backroom_pipeline.ledger.memory_rows import outcomes
from backroom_pipeline.ledger.standings import form, league_table, week_scores
from backroom_pipeline.memory.model import Member
from backroom_pipeline_tests.backroom.conftest import LEAGUE, LEAGUE_TEXT, SEASON

RISE = 3


def recorded(contest: Contest, gameweek: int) -> GameweekResults:
    results = gameweek_results(contest.ledger, SEASON, gameweek)
    assert results is not None
    return results


def with_points(results: GameweekResults, player: int, more: int) -> GameweekResults:
    performances = tuple(
        one.model_copy(update={"points": one.points + more}) if one.player_id == player else one
        for one in results.performances
    )
    return results.model_copy(update={"performances": performances})


@pytest.fixture
def captain(contest: Contest) -> int:
    """Somebody a manager captained in gameweek 1, who played one match."""
    worn = next(score.captain for score in week_scores(contest.ledger, SEASON, 1) if score.captain)
    assert [one.player_id for one in recorded(contest, 1).performances].count(worn) == 1
    return worn


def test_scores_table_and_form_follow_the_restated_points(contest: Contest, captain: int) -> None:
    old = {row.manager: row for row in week_scores(contest.ledger, SEASON, 1)}
    table = {row.slug: row.points for row in league_table(contest.ledger, SEASON)}
    restated = restate(contest, SEASON, 1, with_points(recorded(contest, 1), captain, RISE))

    assert (restated.version_before, restated.version, restated.changed) == (1, 2, True)
    assert [(change.who, change.after - change.before) for change in restated.players] == [(captain, RISE)]
    gained = {slug: RISE * row.multipliers.get(captain, 0) for slug, row in old.items()}
    assert max(gained.values()) >= 2 * RISE
    assert {change.who: change.after - change.before for change in restated.managers} == gained
    assert {row.slug: row.points for row in restated.table_before} == table
    assert {row.slug: row.points - table[row.slug] for row in restated.table_after} == gained
    assert restated.table_after == tuple(league_table(contest.ledger, SEASON))
    for slug in LEAGUE.slugs:
        assert form(contest.ledger, SEASON, 3, slug).total == table[slug] + gained[slug]


def test_the_earlier_version_stays_readable_under_its_number(contest: Contest, captain: int) -> None:
    results, scores = recorded(contest, 1), week_scores(contest.ledger, SEASON, 1)
    restate(contest, SEASON, 1, with_points(results, captain, RISE))
    assert gameweek_results(contest.ledger, SEASON, 1, 1) == results
    assert week_scores(contest.ledger, SEASON, 1, 1) == scores
    assert week_scores(contest.ledger, SEASON, 1, 2) == week_scores(contest.ledger, SEASON, 1) != scores


def test_records_of_the_gameweek_and_of_later_ones_are_told_the_new_figures(contest: Contest, captain: int) -> None:
    restated = restate(contest, SEASON, 1, with_points(recorded(contest, 1), captain, RISE))
    points = {
        gameweek: {row.manager: row.net_points for row in week_scores(contest.ledger, SEASON, gameweek)}
        for gameweek in (1, 2)
    }
    retold = 0
    for slug in LEAGUE.slugs:
        for role in ("assistant", "manager"):
            for record in contest.gateway.get(Member(manager=slug, role=role), slug, role):
                if record.outcome is None:
                    continue
                assert record.outcome.net_points == points[record.gameweek][slug]
                assert record.outcome.season_total == sum(points[week][slug] for week in range(1, record.gameweek + 1))
                assert record.outcome.scoring_version == (2 if record.gameweek == 1 else 1)
                retold += record.gameweek == 2
    assert retold > 0
    assert restated.outcomes_changed > 0


def test_the_same_results_again_change_nothing(contest: Contest) -> None:
    told = outcomes(contest.ledger)
    again = restate(contest, SEASON, 2, recorded(contest, 2))
    assert (again.version, again.changed, again.players, again.outcomes_changed) == (1, False, (), 0)
    assert again.table_before == again.table_after
    assert outcomes(contest.ledger) == told


def test_a_restatement_interrupted_before_the_outcomes_is_finished_by_the_next(
    contest: Contest, captain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    restated = with_points(recorded(contest, 1), captain, RISE)

    class Killed(Exception):
        """The process ended here."""

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr("backroom_pipeline.backroom.scoring.attach_outcomes", die)
        with pytest.raises(Killed):
            restate(contest, SEASON, 1, restated)
    assert {row.scoring_version for row in week_scores(contest.ledger, SEASON, 1)} == {2}
    assert restate(contest, SEASON, 1, restated).outcomes_changed > 0
    assert {o.scoring_version for o in outcomes(contest.ledger).values() if o.gameweek == 1} == {2}


def test_a_gameweek_that_was_never_scored_cannot_be_restated(contest: Contest, played) -> None:
    with pytest.raises(MissingFacts, match="not scored yet"):
        restate(contest, SEASON, 3, played.feed.results(SEASON, 3))
    assert gameweek_results(contest.ledger, SEASON, 3) is None


def test_rescoring_by_command_puts_a_wrong_version_right(played, tmp_path: Path, monkeypatch) -> None:
    shutil.copytree(played.directory, tmp_path / "small")
    (tmp_path / "small.yaml").write_text(LEAGUE_TEXT, encoding="utf-8")
    monkeypatch.setenv("BACKROOM_STATE", str(tmp_path))
    monkeypatch.setenv("BACKROOM_ARCHIVE", str(played.feed.path.parent))
    command = ["gameweek", "rescore", "2", "--league", str(tmp_path / "small.yaml"), "--json"]

    unchanged = json.loads(CliRunner().invoke(app, command).stdout)
    assert (unchanged["changed"], unchanged["scoring_version"]) == (False, 1)
    with Contest.open(LEAGUE, tmp_path / "small") as contest:
        captain = next(score.captain for score in week_scores(contest.ledger, SEASON, 2) if score.captain)
        wrong = restate(contest, SEASON, 2, with_points(recorded(contest, 2), captain, RISE))
    righted = json.loads(CliRunner().invoke(app, command).stdout)
    assert (righted["scoring_version_before"], righted["scoring_version"]) == (2, 3)
    assert [player["player_id"] for player in righted["players"]] == [captain]
    assert righted["players"][0]["before"] - righted["players"][0]["after"] == RISE
    assert [row["points"] for row in righted["table_after"]] == [row.points for row in wrong.table_before]
    text = CliRunner().invoke(app, command[:-1])
    assert "stands as it was scored (scoring version 3)" in text.stdout
