"""What code checks in the answers of the three roles, every breach at once and named, so that it can go back."""

from __future__ import annotations

from collections.abc import Mapping

from backroom_pipeline.backroom.contracts import PER_POSITION, AssistantSheet, CoachRanking, ManagerDecision
from backroom_pipeline.fpl.feasible import cheapest_legal_squad
from backroom_pipeline.fpl.model import POSITIONS, Breach, IllegalSheet, Player, TeamSheet, TeamState
from backroom_pipeline.fpl.rules import Rules
from backroom_pipeline.fpl.squad import apply_sheet
from backroom_pipeline.memory.model import Claim


def ranking_breaches(
    ranking: CoachRanking, pool: Mapping[int, Player], rules: Rules, *, opening: bool
) -> tuple[Breach, ...]:
    """Five known players of each position, nobody twice; in an opening week enablers too, and a squad one can buy."""
    breaches: list[Breach] = []
    for name, picks, wanted in (("rankings", ranking.rankings, PER_POSITION), ("enablers", ranking.enablers, 0)):
        for position in POSITIONS:
            ids = [pick.player_id for pick in picks.get(position, ())]
            if name == "rankings" and len(ids) != wanted:
                breaches.append(
                    Breach(
                        code="ranking_size",
                        sentence=f"{position} has {len(ids)} players in rankings; it takes exactly {wanted}.",
                    )
                )
            if name == "enablers" and opening and len(ids) < PER_POSITION:
                breaches.append(
                    Breach(
                        code="enablers_size",
                        sentence=f"{position} has {len(ids)} enablers; an opening week takes at least {PER_POSITION}.",
                    )
                )
            if unknown := tuple(sorted({i for i in ids if i not in pool})):
                breaches.append(
                    Breach(code="unknown_player", sentence=f"No player has the id {_ids(unknown)}.", players=unknown)
                )
            if wrong := tuple(sorted({i for i in ids if i in pool and pool[i].position != position})):
                breaches.append(
                    Breach(
                        code="wrong_position",
                        sentence=f"{_names(wrong, pool)} listed as {position} in {name}: "
                        + ", ".join(f"{pool[i].web_name} is a {pool[i].position}" for i in wrong)
                        + ".",
                        players=wrong,
                    )
                )
    named = [pick.player_id for picks in (ranking.rankings, ranking.enablers) for p in picks.values() for pick in p]
    if twice := tuple(sorted({i for i in named if named.count(i) > 1})):
        breaches.append(
            Breach(code="duplicate_player", sentence=f"{_names(twice, pool)} named more than once.", players=twice)
        )
    if ranking.enablers and not opening:
        breaches.append(Breach(code="no_enablers", sentence="Enablers are for an opening week only; leave them empty."))
    if opening and not breaches:
        cost = cheapest_legal_squad([pool[i] for i in named], rules)
        if cost is None or cost > rules.budget:
            breaches.append(
                Breach(
                    code="no_legal_squad",
                    sentence="No legal squad can be built from the players named: "
                    + ("the club limit stands in the way" if cost is None else f"the cheapest costs {cost / 10:.1f}")
                    + f", and there is {rules.budget / 10:.1f}. Name cheaper enablers, or of more clubs.",
                )
            )
    return tuple(breaches)


def sheet_breaches(
    sheet: TeamSheet, state: TeamState, pool: Mapping[int, Player], rules: Rules, gameweek: int
) -> tuple[Breach, ...]:
    """Every rule of the game the sheet breaks."""
    try:
        apply_sheet(state, sheet, pool, rules, gameweek)
    except IllegalSheet as illegal:
        return illegal.breaches
    return ()


def proposal_breaches(
    answer: AssistantSheet, ranking: CoachRanking, state: TeamState, pool: Mapping[int, Player], rules: Rules,
    gameweek: int,
) -> tuple[Breach, ...]:  # fmt: skip
    """The rules of the game, and the room's own: an assistant buys only whom the coach named."""
    offered = {pick.player_id for picks in (ranking.rankings, ranking.enablers) for p in picks.values() for pick in p}
    strangers = tuple(sorted(set(answer.sheet.player_ids) - offered - state.player_ids))
    breaches = sheet_breaches(answer.sheet, state, pool, rules, gameweek)
    if strangers:
        breaches += (
            Breach(
                code="not_offered",
                sentence=f"{_names(strangers, pool)} neither owned nor named by the coach; buy from the ranking only.",
                players=strangers,
            ),
        )
    return breaches


def decision_breaches(
    answer: ManagerDecision, state: TeamState, pool: Mapping[int, Player], rules: Rules, gameweek: int
) -> tuple[Breach, ...]:
    """The rules of the game, and claims that could be judged: known players, windows that exist."""
    breaches = sheet_breaches(answer.sheet, state, pool, rules, gameweek)
    clubs = {player.club for player in pool.values()}
    return breaches + tuple(b for claim in answer.claims for b in _claim_breaches(claim, pool, clubs, rules, gameweek))


def _claim_breaches(
    claim: Claim, pool: Mapping[int, Player], clubs: set[str], rules: Rules, gameweek: int
) -> list[Breach]:
    terms = claim.terms
    breaches: list[Breach] = []
    if not 1 <= terms.first <= terms.last <= rules.last_gameweek or terms.last < gameweek:
        breaches.append(
            Breach(
                code="claim_window",
                sentence=f'The claim "{claim.text}" binds gameweeks {terms.first} to {terms.last}; a window must lie '
                f"between 1 and {rules.last_gameweek} and must not be over in gameweek {gameweek}.",
            )
        )
    player = getattr(terms, "player_id", None) or getattr(terms, "captain_id", None)
    if player is not None and player not in pool:
        breaches.append(
            Breach(
                code="claim_unknown_player",
                sentence=f'The claim "{claim.text}" names player {player}; no player has that id.',
                players=(player,),
            )
        )
    club = getattr(terms, "club", None)
    if club is not None and club not in clubs:
        breaches.append(
            Breach(
                code="claim_unknown_club",
                sentence=f'The claim "{claim.text}" names the club {club}; use a short name from the fixtures.',
            )
        )
    return breaches


def _ids(ids: tuple[int, ...]) -> str:
    return ", ".join(map(str, ids))


def _names(ids: tuple[int, ...], pool: Mapping[int, Player]) -> str:
    return ", ".join(f"{pool[i].web_name} ({i})" if i in pool else f"player {i}" for i in ids)
