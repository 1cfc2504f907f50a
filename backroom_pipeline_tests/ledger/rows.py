"""Small rows to fill a ledger with: four players, two matches, whatever a test wants to say about them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

from backroom_pipeline.fpl.model import (
    Bill,
    Chip,
    Fixture,
    FixtureScore,
    GameweekFacts,
    GameweekResults,
    MatchPerformance,
    OwnedPlayer,
    Player,
    Stats,
    TeamSheet,
    TeamState,
    Trade,
)
from backroom_pipeline.ledger.answers import commit_answer
from backroom_pipeline.ledger.calls import end_attempt, put_text, start_attempt
from backroom_pipeline.ledger.facts import record_gameweek, record_results
from backroom_pipeline.ledger.rows import Answer, Attempt, AttemptResult, Role, ScoreRow
from backroom_pipeline.ledger.standings import record_scores
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.model import Claim

SEASON = "2025-26"
FIRST_DEADLINE = datetime(2025, 8, 15, 17, 30, tzinfo=UTC)


def facts(gameweek: int = 1, *, price: int = 62, season: str = SEASON) -> GameweekFacts:
    deadline = FIRST_DEADLINE + timedelta(weeks=gameweek - 1)
    return GameweekFacts(
        season=season,
        gameweek=gameweek,
        deadline=deadline,
        cutoff=deadline - timedelta(minutes=90),
        players=(
            Player(id=4, code=104, web_name="Ødegaard", club="ARS", position="MID", price=price, selected_by=8.1),
            Player(id=2, code=102, web_name="Raya", club="ARS", position="GK", price=55, chance_of_playing=75),
            Player(id=9, code=109, web_name="Bowen", club="WHU", position="FWD", price=78, recent=Stats(xg=0.1 + 0.2)),
        ),
        fixtures=(
            Fixture(id=7, gameweek=gameweek, kickoff=deadline, home="ARS", away="WHU", home_difficulty=2,
                    away_difficulty=5),
            Fixture(id=3, gameweek=None, kickoff=None, home="WHU", away="ARS", home_difficulty=4, away_difficulty=3),
        ),
        statistics_season="2024-25",
        fitness_known=False,
        notes=("Fitness is not known before the first dated source.",),
        source="test",
    )  # fmt: skip


def results(gameweek: int = 1, *, points: int = 8, final: bool = True, season: str = SEASON) -> GameweekResults:
    known_at = FIRST_DEADLINE + timedelta(weeks=gameweek - 1, days=4)
    return GameweekResults(
        season=season,
        gameweek=gameweek,
        known_at=known_at,
        final=final,
        performances=(
            MatchPerformance(player_id=9, fixture_id=7, points=2, minutes=90, stats=Stats(matches=1, minutes=90)),
            MatchPerformance(player_id=4, fixture_id=7, points=points, minutes=88, stats=Stats(matches=1, xg=0.37)),
        ),
        scores=(FixtureScore(fixture_id=7, home_goals=2, away_goals=0),),
        average_score=54,
        highest_score=127,
        source="test",
    )


def bill(*, sold: Sequence[int] = (), paid: int = 0) -> Bill:
    return Bill(
        sold=tuple(Trade(player_id=player, price=50) for player in sold),
        bought=tuple(Trade(player_id=player + 100, price=50) for player in sold),
        paid_transfers=paid,
        hit_points=4 * paid,
        bank_before=5,
        bank_after=5,
        free_transfers_before=1,
        free_transfers_after=1,
    )


def state(bank: int = 5) -> TeamState:
    return TeamState(owned=(OwnedPlayer(player_id=4, purchase_price=60),), bank=bank, free_transfers=2)


def decision_json(chip: Chip | None = None, claims: Sequence[Claim] = ()) -> str:
    sheet = TeamSheet(starting=(2, 4, 9), bench=(), captain=4, vice_captain=9, chip=chip)
    promises = ",".join(claim.model_dump_json() for claim in claims)
    return '{"sheet":' + sheet.model_dump_json() + ',"reasoning":"Because he is due.","claims":[' + promises + "]}"


def attempt(manager: str, gameweek: int = 1, role: Role = "manager", number: int = 1, request: str = "r") -> Attempt:
    return Attempt(
        attempt_id=f"{manager}-{role}-{gameweek}-{number}",
        season=SEASON,
        gameweek=gameweek,
        manager=manager,
        role=role,
        number=number,
        kind="content",
        model="house/banker",
        request_sha256=request,
        public_sha256=f"public-{role}-{gameweek}",
        prompt_sha256="prompt",
        started_at=FIRST_DEADLINE,
    )


def ended(attempt_id: str, answer_sha256: str | None = None, cost: int | None = 12) -> AttemptResult:
    return AttemptResult(
        attempt_id=attempt_id,
        status="ok",
        answer_sha256=answer_sha256,
        cost_micro_dollars=cost,
        latency_ms=340,
        ended_at=FIRST_DEADLINE,
    )


def decision(
    inputs_sha256: str,
    manager: str = "opus",
    gameweek: int = 1,
    *,
    chip: Chip | None = None,
    its_bill: Bill | None = None,
    claims: Sequence[Claim] = (),
    carried_over: bool = False,
) -> Answer:
    return Answer(
        season=SEASON,
        gameweek=gameweek,
        manager=manager,
        role="manager",
        answer_json=decision_json(chip, claims),
        bill_json=(its_bill or bill()).model_dump_json(),
        source="carried_over" if carried_over else "model",
        attempt_id=None if carried_over else f"{manager}-manager-{gameweek}-1",
        public_sha256=None if carried_over else f"public-manager-{gameweek}",
        prompt_sha256=None if carried_over else "prompt",
        inputs_sha256=inputs_sha256,
        cutoff=facts(gameweek).cutoff,
    )


def play(
    ledger: Ledger,
    gameweek: int,
    points: dict[str, int],
    *,
    bills: dict[str, Bill] | None = None,
    chips: dict[str, Chip] | None = None,
    claims: Sequence[Claim] = (),
    kept: Sequence[Claim] | None = None,
    score: bool = True,
    carried_over: Collection[str] = (),
) -> None:
    """A gameweek of these managers: facts, a decision each, results and scores (gross ``points``).

    ``kept`` are the claims as they are committed, where that is not as the decision makes them; ``carried_over`` the
    managers who were asked and could not decide.
    """
    sha256 = record_gameweek(ledger, facts(gameweek))
    for manager in points:
        its_bill = (bills or {}).get(manager, bill())
        start_attempt(ledger, attempt(manager, gameweek))
        end_attempt(ledger, ended(f"{manager}-manager-{gameweek}-1", put_text(ledger, decision_json())))
        commit_answer(
            ledger,
            decision(
                sha256,
                manager,
                gameweek,
                chip=(chips or {}).get(manager),
                its_bill=its_bill,
                claims=claims,
                carried_over=manager in carried_over,
            ),
            claims=claims if kept is None else kept,
            state_after=state(),
        )
    if score:
        version = record_results(ledger, results(gameweek))
        record_scores(
            ledger,
            [
                scored(manager, gameweek, gross, version, (bills or {}).get(manager))
                for manager, gross in points.items()
            ],
        )


def scored(manager: str, gameweek: int, points: int, version: int = 1, its_bill: Bill | None = None) -> ScoreRow:
    hit = its_bill.hit_points if its_bill else 0
    return ScoreRow(
        season=SEASON,
        gameweek=gameweek,
        manager=manager,
        scoring_version=version,
        points=points,
        bench_points=3,
        hit_points=hit,
        net_points=points - hit,
        captain=4,
        multipliers={2: 1, 4: 2, 9: 1},
    )
