"""Menus: what a small model chooses from, laid by code so that every combination is legal.

A menu narrows the schema that is sent with one request; the answer keeps its contract and is judged by the same code.
Each place of a sheet has its own candidates and nobody is a candidate for two places, so no player can be named twice
and no place filled by the wrong position. Money, club limit and transfers are held by the dearest, the most of a club
and the most bought that any combination could come to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from backroom_pipeline.backroom.contracts import PER_POSITION, CoachRanking
from backroom_pipeline.backroom.desk import Desk
from backroom_pipeline.backroom.shortlist import Figures, Shortlist
from backroom_pipeline.fpl.feasible import cheapest_squad
from backroom_pipeline.fpl.lineup import FORMATION, STARTERS
from backroom_pipeline.fpl.model import POSITIONS, Chip, Position, TeamSheet
from backroom_pipeline.fpl.rules import FREE_TRANSFER_CHIPS
from backroom_pipeline.fpl.squad import sale_price
from backroom_pipeline.memory.model import Claim
from backroom_pipeline.models.sanitiser import clean

Schema = dict[str, Any]

REASON, ENABLER, NOTES, CASE, REASONING = 40, 20, 60, 60, 300
"""Characters of the texts a small model writes: short ones, for it writes slowly and is given five minutes."""
MOST_CLAIMS = 2
MOST_OFFERED = 4
MOST_ALTERNATIVES = 5
"""Players on a menu who are not in the team it starts from."""
MOST_CHANGES = 3
"""Places of a standing team that may change, where it has so many free transfers."""
CANDIDATES = 3
"""For one place of a standing team; an opening squad, in which any place may change, has two."""
KEPT_BACK = 30
"""Tenths of a million an opening squad leaves unspent, for the dearer alternatives."""
ARMBANDS = 4
"""Starters nobody may replace: two who may be captain, two who may be vice captain."""


@dataclass(frozen=True)
class SheetMenu:
    """The candidates of each place, the one who holds it now first: eleven starters, then the bench in its order."""

    places: tuple[tuple[int, ...], ...]
    captains: tuple[int, ...]
    vice_captains: tuple[int, ...]
    chips: tuple[Chip | None, ...]

    @property
    def player_ids(self) -> tuple[int, ...]:
        return tuple(player for place in self.places for player in place)

    @property
    def schema(self) -> Schema:
        return _object(
            starting=_list(map(_one_of, self.places[:STARTERS])),
            bench=_list(map(_one_of, self.places[STARTERS:])),
            captain=_one_of(self.captains),
            vice_captain=_one_of(self.vice_captains),
            chip=_one_of(self.chips),
        )


def coach_places(favourites: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The candidates for first to fifth: one of the five that lead by the figures, or one of those behind them."""
    return tuple(tuple(favourites[place::PER_POSITION]) for place in range(PER_POSITION))


def coach_schema(listed: Shortlist) -> Schema:
    def picks(places: Iterable[Sequence[int]], characters: int) -> Schema:
        return _list(_object(player_id=_one_of(place), reason=_text(characters)) for place in places)

    rankings = {position: picks(coach_places(listed.favourites[position]), REASON) for position in POSITIONS}
    enablers = {
        position: picks([(player,) for player in listed.enablers[position]], ENABLER)
        for position in POSITIONS
        if listed.enablers[position]
    }
    return _object(rankings=_object(**rankings), enablers=_object(**enablers), notes=_text(NOTES))


def assistant_schema(menu: SheetMenu) -> Schema:
    return _object(sheet=menu.schema, case=_text(CASE))


def manager_schema(menu: SheetMenu, promises: Sequence[Claim]) -> Schema:
    """At most two promises: one of the odd ones on the list, then one of the even ones, so never the same twice."""
    claims = [claim.model_dump(mode="json", exclude_defaults=True) for claim in promises]
    halves = [[{"const": claim} for claim in claims[half::MOST_CLAIMS]] for half in range(MOST_CLAIMS)]
    offered = [{"anyOf": half} for half in halves if half]
    return _object(
        sheet=menu.schema,
        reasoning=_text(REASONING),
        claims={"type": "array", "prefixItems": offered, "minItems": 0, "maxItems": len(offered)},
    )


def assistant_menu(desk: Desk, ranking: CoachRanking) -> SheetMenu:
    """The team as it stands, with the coach's names for the places where they promise most.

    In an opening week, the dearest of the coach's names that go together, with others for the rest.
    """
    figures = Figures(desk.week)
    offered = _offered(ranking)
    if desk.opening:
        fifteen, transfers = _opening_squad(desk, ranking), desk.week.rules.squad_size
    else:
        fifteen = [owned.player_id for owned in desk.state.owned]
        transfers = min(desk.state.free_transfers, MOST_CHANGES)
    places = _Places(desk, fifteen, transfers)
    line_up = _line_up(places, figures, ())
    bands = _armbands([places.holder(place) for place in line_up[:STARTERS]], desk, figures)
    places.open(offered, set(line_up[:STARTERS]), bands, figures)
    line_up = _line_up(places, figures, bands)
    return SheetMenu(
        places=tuple(tuple(places.candidates[place]) for place in line_up),
        captains=bands[:2],
        vice_captains=bands[2:],
        chips=(None, *desk.chips_playable),
    )


def manager_menu(desk: Desk, ranking: CoachRanking, proposal: TeamSheet) -> SheetMenu:
    """The assistant's sheet place by place, with those it would sell and the coach's other names beside it."""
    figures = Figures(desk.week)
    bought = [player for player in proposal.player_ids if player not in desk.state.player_ids]
    places = _Places(desk, proposal.player_ids, max(len(bought), min(desk.state.free_transfers, MOST_CHANGES)))
    others = [player for player in proposal.starting if player not in (proposal.captain, proposal.vice_captain)]
    others = [
        *_armbands([player for player in others if player not in bought], desk, figures),
        *_armbands([player for player in others if player in bought], desk, figures),
    ]
    captains, vice_captains = (proposal.captain, others[0]), (proposal.vice_captain, others[1])
    bands = (*captains, *vice_captains)
    starters = set(range(STARTERS))
    sold = sorted(desk.state.player_ids - set(proposal.player_ids))
    places.open(sold, {place for place in range(len(places.candidates)) if places.holder(place) in bought}, bands,
                figures, only=True)  # fmt: skip
    places.open(_offered(ranking), starters, bands, figures)
    chips: tuple[Chip | None, ...] = tuple(dict.fromkeys((proposal.chip, None, *desk.chips_playable)))
    if proposal.chip in FREE_TRANSFER_CHIPS and len(bought) > desk.state.free_transfers:
        chips = (proposal.chip,)  # Without it, what the assistant bought would have to be paid for in points.
    return SheetMenu(tuple(map(tuple, places.candidates)), captains, vice_captains, chips)


def promises_on_offer(desk: Desk, menu: SheetMenu) -> tuple[Claim, ...]:
    """Typed promises a manager may choose from, four at most; none that still stands from an earlier week."""
    standing = {_promised(claim.claim) for claim in desk.pinned.claims}
    offered = [Claim.model_validate({"text": text, "terms": terms}) for text, terms in _promises(desk, menu)]
    return tuple(claim for claim in offered if _promised(claim) not in standing)[:MOST_OFFERED]


def _promised(claim: Claim) -> tuple[str, object]:
    """What is promised, whatever the gameweeks."""
    about = getattr(claim.terms, "player_id", None) or getattr(claim.terms, "chip", None)
    return claim.terms.kind, about


def _promises(desk: Desk, menu: SheetMenu) -> Iterator[tuple[str, dict[str, object]]]:
    last = desk.week.rules.last_gameweek
    soon, later = (min(desk.week.gameweek + weeks, last) for weeks in (1, 4))
    star, second = menu.captains
    name = {player: clean(desk.pool[player].web_name) for player in (star, second, *menu.vice_captains)}

    def through(week: int, **terms: object) -> dict[str, object]:
        return {**terms, "first": min(soon, week), "last": week}

    yield f"I take no points hit through gameweek {later}.", through(later, kind="no_hits")
    yield f"{name[star]} stays in my team through gameweek {later}.", through(later, kind="keep_player", player_id=star)
    for window in desk.chips_left:
        if window.first <= soon <= window.last:
            held = min(later, window.last)
            chip = window.chip.replace("_", " ")
            yield f"I hold my {chip} through gameweek {held}.", through(held, kind="hold_chip", chip=window.chip)
            break
    yield f"{name[star]} is my captain in gameweek {soon}.", through(soon, kind="captain_player", player_id=star)
    yield f"I make at most one transfer a week through gameweek {later}.", through(later, kind="max_transfers", limit=1)
    vice = menu.vice_captains[0]
    yield f"{name[vice]} starts in gameweek {soon}.", through(soon, kind="start_player", player_id=vice)
    kept = through(later, kind="keep_player", player_id=second)
    yield f"{name[second]} stays in my team through gameweek {later}.", kept


class _Places:
    """Fifteen places with their candidates; nobody is let in who could make any combination illegal."""

    def __init__(self, desk: Desk, fifteen: Iterable[int], transfers: int) -> None:
        self._desk, self._transfers = desk, transfers
        self.candidates = [[player] for player in fifteen]
        sales = {
            owned.player_id: sale_price(owned.purchase_price, desk.pool[owned.player_id].price)
            for owned in desk.state.owned
        }
        self._sales = sales
        self._there_is = sum(sales.values()) + (desk.state.bank if sales else desk.week.rules.budget)

    def holder(self, place: int) -> int:
        return self.candidates[place][0]

    def position(self, place: int) -> Position:
        return self._desk.pool[self.holder(place)].position

    def open(
        self, offered: Iterable[int], eleven: set[int], bands: Sequence[int], figures: Figures, *, only: bool = False
    ) -> None:
        """Let those offered in, where they promise most first. ``only``: nowhere but in places of ``eleven``.

        A place on the bench is worth no more than the weakest starter of its position, whoever sits there.
        """
        held = {player for place in self.candidates for player in place}
        weakest = {
            position: min((figures.ahead(self.holder(p)) for p in eleven if self.position(p) == position), default=0.0)
            for position in POSITIONS
        }
        pairs: list[tuple[float, int, int]] = []
        for player in dict.fromkeys(offered):
            for place in range(len(self.candidates)):
                position = self._desk.pool[player].position
                if player in held or self.position(place) != position or self.holder(place) in bands:
                    continue
                if place not in eleven and only:
                    continue
                holds = figures.ahead(self.holder(place))
                gain = figures.ahead(player) - (holds if place in eleven else max(holds, weakest[position]))
                pairs.append((-gain, place, player))
        for _, place, player in sorted(pairs):
            if player not in held and self._let_in(place, player):
                held.add(player)

    def _let_in(self, place: int, player: int) -> bool:
        most = 2 if self._desk.opening else CANDIDATES
        if len(self.candidates[place]) >= most or self._alternatives >= MOST_ALTERNATIVES:
            return False
        self.candidates[place].append(player)
        if self._always_legal():
            return True
        self.candidates[place].pop()
        return False

    @property
    def _alternatives(self) -> int:
        return sum(len(place) - 1 for place in self.candidates)

    def _always_legal(self) -> bool:
        """Whether the dearest combination can be paid, no club is over its limit, and transfers stay within theirs."""
        bought = [[player for player in place if player not in self._sales] for place in self.candidates]
        dearest = sum(max(map(self._cost, place)) for place in self.candidates)
        clubs = Counter(
            club for place in self.candidates for club in {self._desk.pool[player].club for player in place}
        )
        buying = {self._desk.pool[player].club for place in bought for player in place}
        return (
            dearest <= self._there_is
            and all(clubs[club] <= self._desk.week.rules.club_limit for club in buying)
            and sum(map(bool, bought)) <= self._transfers
        )

    def _cost(self, player: int) -> int:
        """Of having him: what he would be sold for, or what he is bought for."""
        return self._sales.get(player, self._desk.pool[player].price)


def _offered(ranking: CoachRanking) -> list[int]:
    """Everybody the coach named, the firsts of each position first."""
    picks = [picks for lists in (ranking.rankings, ranking.enablers) for picks in lists.values()]
    longest = max(map(len, picks), default=0)
    return [line[rank].player_id for rank in range(longest) for line in picks if rank < len(line)]


def _opening_squad(desk: Desk, ranking: CoachRanking) -> list[int]:
    """The cheapest squad of the coach's names, then each of the favourites in it for whom there is money and room."""
    pool, rules = desk.pool, desk.week.rules
    cheapest = cheapest_squad([pool[player] for player in _offered(ranking)], rules)
    assert cheapest is not None, "a ranking from which no squad can be built is not accepted"
    squad = [player.id for player in cheapest]
    spare = rules.budget - KEPT_BACK - sum(player.price for player in cheapest)
    favourites = [player for player in _offered(ranking) if _is_ranked(player, ranking)]
    for favourite in favourites:
        leaves = [
            player
            for player in squad
            if pool[player].position == pool[favourite].position and not _is_ranked(player, ranking)
        ]
        for player in sorted(leaves, key=lambda player: (-pool[player].price, player)):
            others = [pool[other].club for other in squad if other != player]
            price = pool[favourite].price - pool[player].price
            if favourite not in squad and price <= spare and others.count(pool[favourite].club) < rules.club_limit:
                squad[squad.index(player)] = favourite
                spare -= price
                break
    return squad


def _is_ranked(player: int, ranking: CoachRanking) -> bool:
    return any(pick.player_id == player for picks in ranking.rankings.values() for pick in picks)


def _line_up(places: _Places, figures: Figures, must_start: Sequence[int]) -> list[int]:
    """The places in the order of a sheet: eleven by their best candidates, by position, then the bench, keeper first.

    Someone who is out starts where he may be replaced, for it is his replacement who is wanted.
    """

    def promise(place: int) -> tuple[bool, float, int]:
        return places.holder(place) in must_start, max(map(figures.now, places.candidates[place])), -place

    ordered = sorted(range(len(places.candidates)), key=promise, reverse=True)
    of_position = {position: [p for p in ordered if places.position(p) == position] for position in POSITIONS}
    eleven = [place for position in POSITIONS for place in of_position[position][: FORMATION[position][0]]]
    outfield = [place for place in ordered if place not in eleven and places.position(place) != "GK"]
    eleven += outfield[: STARTERS - len(eleven)]
    bench = [place for place in ordered if place not in eleven]
    eleven.sort(key=lambda place: (POSITIONS.index(places.position(place)), ordered.index(place)))
    bench.sort(key=lambda place: (places.position(place) != "GK", ordered.index(place)))
    return eleven + bench


def _armbands(starters: Sequence[int], desk: Desk, figures: Figures) -> tuple[int, ...]:
    """The outfield starters who promise most this week."""
    outfield = [player for player in starters if desk.pool[player].position != "GK"]
    return tuple(sorted(outfield, key=lambda player: (-figures.now(player), player))[:ARMBANDS])


def _one_of(values: Iterable[object]) -> Schema:
    return {"enum": list(values)}


def _text(characters: int) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": characters}


def _list(items: Iterable[Schema]) -> Schema:
    places = list(items)
    return {"type": "array", "prefixItems": places, "minItems": len(places), "maxItems": len(places)}


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
    }  # fmt: skip
