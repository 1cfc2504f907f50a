"""A real team replayed gameweek by gameweek, and every figure the official game gives of it compared with ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from backroom_pipeline.backroom.verification.payloads import Entry, PicksWeek, Transfer
from backroom_pipeline.backroom.verification.season_book import AssistantManager, Priced, SeasonBook
from backroom_pipeline.feeds.protocol import FeedError
from backroom_pipeline.fpl.lineup import automatic_substitutions, score_lineup
from backroom_pipeline.fpl.model import (
    POSITIONS,
    Applied,
    IllegalSheet,
    LineupScore,
    OwnedPlayer,
    Performance,
    Player,
    Substitution,
    TeamSheet,
    TeamState,
    Tenths,
)
from backroom_pipeline.fpl.rules import FREE_TRANSFER_CHIPS, Rules
from backroom_pipeline.fpl.squad import apply_sheet, free_transfers_after, sale_price

Field = Literal[
    "points", "bench_points", "substitutions", "total_points", "transfers", "hit_cost", "free_transfers",
    "bank", "value", "squad", "sale_prices", "chip", "picks_history", "legal",
]  # fmt: skip
HALF_A_YEAR = timedelta(days=180)
"""Longer than any pause between two deadlines, shorter than from one season to the next."""
Comparison = Literal["equal", "different", "not told"]


@dataclass(frozen=True)
class Check:
    """One figure of one gameweek, ours and the official one."""

    gameweek: int
    field: Field
    ours: object
    official: object
    result: Comparison

    @classmethod
    def of(cls, gameweek: int, field: Field, ours: object, official: object) -> Check:
        return cls(gameweek, field, ours, official, "equal" if ours == official else "different")

    @classmethod
    def not_told(cls, gameweek: int, field: Field, ours: object = None) -> Check:
        return cls(gameweek, field, ours, None, "not told")


@dataclass(frozen=True)
class EntryVerification:
    """The outcome for one season of one team."""

    season: str
    source: str
    gameweeks: int
    checks: tuple[Check, ...]
    sale_prices_compared: int
    remarks: tuple[str, ...]
    """What the official payloads cannot tell, in sentences."""

    def equal(self, field: Field) -> int:
        return sum(check.field == field and check.result == "equal" for check in self.checks)

    def told(self, field: Field) -> int:
        return sum(check.field == field and check.result != "not told" for check in self.checks)

    @property
    def mismatches(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.result == "different")


def verify_entry(entry: Entry, book: SeasonBook, rules: Rules) -> EntryVerification:
    """Replay the entry by our rules and compare every gameweek. Raises FeedError when it is of another season."""
    _check_season(entry, book)
    checks: list[Check] = []
    compared = total = 0
    undetermined: list[int] = []
    unpriced: list[int] = []
    state = TeamState()
    for week, official in zip(entry.picks, entry.history, strict=True):
        gameweek = week.gameweek
        performances = book.performances(gameweek)
        sheet = sheet_as_submitted(week, book)
        if _order_mattered(sheet, week, performances, book):
            undetermined.append(gameweek)
        score = score_lineup(sheet, performances, book.positions)
        managers = [
            book.assistant_managers[manager, gameweek]
            for manager in week.assistant_managers
            if (manager, gameweek) in book.assistant_managers
        ]
        managers_points = sum(manager.points for manager in managers)
        traded = _Traded.of(state, [row for row in entry.transfers if row.gameweek == gameweek], book)
        compared += len(traded.sales)
        pool = book.pool(gameweek, traded.prices)
        made = _counted(state, week, traded)
        applied, refusal = _applied(traded.settled(state, week), sheet, pool, rules, gameweek)
        after = applied.state_after if applied else traded.state_after(state, week, made, rules)
        hit = applied.bill.hit_points if applied else _hit(state, week, made, rules)
        total += score.points + managers_points - hit
        value, unknown = _value(after, book, gameweek)
        if unknown:
            unpriced.append(gameweek)
        entering = not state.owned
        checks += [
            Check.of(gameweek, "points", score.points + managers_points, official.points),
            Check.of(gameweek, "bench_points", score.bench_points, official.bench_points),
            Check.of(
                gameweek,
                "substitutions",
                _pairs(_substitutions_as_listed(sheet, score, performances, book)),
                _pairs(week.substitutions),
            ),
            Check.of(gameweek, "total_points", total, official.total_points),
            Check.of(gameweek, "transfers", made, official.transfers),
            Check.of(gameweek, "hit_cost", hit, official.hit_cost),
            _free_transfers(state, week, official.transfers, official.hit_cost, rules),
            Check.of(gameweek, "bank", after.bank - _paid_for_managers(entry, week, managers), official.bank),
            Check.not_told(gameweek, "value", value) if unknown else Check.of(gameweek, "value", value, official.value),
            Check.not_told(gameweek, "squad")
            if entering
            else Check.of(gameweek, "squad", sorted(traded.squad), sorted(week.order)),
            Check.of(gameweek, "sale_prices", [ours for ours, _ in traded.sales], [paid for _, paid in traded.sales])
            if traded.sales
            else Check.not_told(gameweek, "sale_prices"),
        ]
        checks += _disagreements(entry, week, official.gameweek)
        if refusal:
            checks.append(Check(gameweek, "legal", refusal, "played", "different"))
        state = after
    return EntryVerification(
        season=rules.season,
        source=book.source,
        gameweeks=len(entry.picks),
        checks=tuple(checks),
        sale_prices_compared=compared,
        remarks=_remarks(entry, book, undetermined, unpriced),
    )


def _check_season(entry: Entry, book: SeasonBook) -> None:
    """Ids mean other players in other seasons, but a transfer is dated."""
    strange = [
        f"the picks of gameweek {week.gameweek} name a player or gameweek it has not"
        for week in entry.picks
        if week.gameweek not in book.deadlines or not set(week.order) <= set(book.positions)
    ]
    for row in entry.transfers:
        deadline = book.deadlines.get(row.gameweek)
        if deadline is None or not deadline - HALF_A_YEAR < row.moment <= deadline:
            strange.append(f"a transfer of gameweek {row.gameweek} was made at {row.time}")
    if strange:
        raise FeedError(f"This team is not of {book.season}: {strange[0]}. Name the season of the files with --season.")


def sheet_as_submitted(week: PicksWeek, book: SeasonBook) -> TeamSheet:
    """The team before its automatic substitutions, which the picks show as made already.

    The API also sorts the eleven by position, so that the order within a line is lost. Who was replaced must have stood
    before others of his line who did not play either.
    """
    order = list(week.order)
    for substitution in week.substitutions:
        out, came_in = order.index(substitution.out), order.index(substitution.came_in)
        order[out], order[came_in] = order[came_in], order[out]
    replaced = [substitution.out for substitution in week.substitutions]
    starting = sorted(
        order[:11],
        key=lambda player: (
            POSITIONS.index(book.positions[player]),
            replaced.index(player) if player in replaced else len(replaced),
        ),
    )
    return TeamSheet(
        starting=tuple(starting),
        bench=tuple(order[11:]),
        captain=week.captain,
        vice_captain=week.vice_captain,
        chip=week.chip,
    )


def _order_mattered(
    sheet: TeamSheet, week: PicksWeek, performances: Mapping[int, Performance], book: SeasonBook
) -> bool:
    """Whether another order within a line could have made other substitutions."""
    missing = [player for player in sheet.starting if not _played(player, performances)]
    replaced = {substitution.out for substitution in week.substitutions}
    for position in POSITIONS:
        line = [player for player in missing if book.positions[player] == position]
        # With nobody or everybody of the line replaced, the order only decides who came in for whom.
        if len(line) > 1 and replaced.intersection(line):
            return True
    return False


def _played(player: int, performances: Mapping[int, Performance]) -> bool:
    return player in performances and performances[player].played


def _substitutions_as_listed(
    sheet: TeamSheet, score: LineupScore, performances: Mapping[int, Performance], book: SeasonBook
) -> tuple[Substitution, ...]:
    """The API lists substitutions under bench boost too, where they move no points (CASES R7)."""
    if sheet.chip != "bench_boost":
        return score.substitutions
    played = frozenset(player for player in sheet.player_ids if _played(player, performances))
    return automatic_substitutions(sheet, played, book.positions)


def _pairs(substitutions: Sequence[Substitution]) -> list[list[int]]:
    """Without their order: the API lists them by the bench."""
    return sorted([substitution.out, substitution.came_in] for substitution in substitutions)


@dataclass(frozen=True)
class _Traded:
    """The transfers of one gameweek, made one after the other in the order of the list."""

    squad: frozenset[int]
    bank: Tenths
    bought_for: dict[int, Tenths]
    """The last price of everybody who was bought."""
    sold_for: dict[int, Tenths]
    """The first price of everybody who was sold."""
    prices: dict[int, Tenths]
    """The market's price of everybody who was traded, at that moment."""
    sales: tuple[tuple[Tenths, Tenths], ...]
    """Our sale price and the official one, where the market's price at that moment is on record."""
    rows: int

    @classmethod
    def of(cls, state: TeamState, rows: Sequence[Transfer], book: SeasonBook) -> _Traded:
        paid = {owned.player_id: owned.purchase_price for owned in state.owned}
        bank = state.bank
        bought_for: dict[int, Tenths] = {}
        sold_for: dict[int, Tenths] = {}
        prices: dict[int, Tenths] = {}
        sales: list[tuple[Tenths, Tenths]] = []
        seen: dict[int, Priced] = {}
        for row in rows:
            purchase = paid.pop(row.sold, None)
            # Somebody bought earlier in the gameweek was priced then; a dated list may be older than that.
            on_record = [known for known in (book.dated_price(row.sold, row.moment), seen.get(row.sold)) if known]
            if on_record:
                market = max(on_record).price
                if purchase is not None:
                    sales.append((sale_price(purchase, market), row.sold_for))
            else:
                # Only the sale itself tells: any price that sells for so much will do.
                market = row.sold_for if purchase is None else _market_price(purchase, row.sold_for)
            prices.setdefault(row.sold, market)
            sold_for.setdefault(row.sold, row.sold_for)
            bought_for[row.bought] = prices[row.bought] = paid[row.bought] = row.bought_for
            seen[row.bought] = Priced(row.moment, row.bought_for)
            bank += row.sold_for - row.bought_for
        return cls(frozenset(paid), bank, bought_for, sold_for, prices, tuple(sales), len(rows))

    def settled(self, state: TeamState, week: PicksWeek) -> TeamState:
        """The team once changes of mind are paid for: a sheet states the fifteen, not the way to them.

        A player sold and bought back within a gameweek keeps his place at a new purchase price; one bought and sold
        again leaves nothing but a difference. After a free hit neither counts.
        """
        if week.chip == "free_hit" or not state.owned:
            return state
        before = state.player_ids
        net = sum(price for player, price in self.sold_for.items() if player in before - self.squad)
        net -= sum(price for player, price in self.bought_for.items() if player in self.squad - before)
        owned = tuple(
            OwnedPlayer(player_id=one.player_id, purchase_price=self.bought_for[one.player_id])
            if one.player_id in self.squad and one.player_id in self.bought_for
            else one
            for one in state.owned
        )
        return state.model_copy(update={"owned": owned, "bank": self.bank - net})

    def state_after(self, state: TeamState, week: PicksWeek, made: int, rules: Rules) -> TeamState:
        """What the list alone makes of the team: to go on from when our rules refuse what was really played."""
        left = free_transfers_after(state, week.chip, made, rules, week.gameweek)
        if week.chip == "free_hit":
            return state.model_copy(update={"free_transfers": left})
        paid = {one.player_id: one.purchase_price for one in state.owned} | self.bought_for
        return state.model_copy(
            update={
                "owned": tuple(OwnedPlayer(player_id=p, purchase_price=paid.get(p, 0)) for p in sorted(week.order)),
                "bank": self.bank,
                "free_transfers": left,
            }
        )


def _market_price(purchase: Tenths, sold_for: Tenths) -> Tenths:
    return purchase + 2 * (sold_for - purchase) if sold_for > purchase else sold_for


def _counted(state: TeamState, week: PicksWeek, traded: _Traded) -> int:
    """Transfers as the official game counts them: none to enter, under a wildcard or a free hit (CASES R13)."""
    return 0 if not state.owned or week.chip in FREE_TRANSFER_CHIPS else traded.rows


def _hit(state: TeamState, week: PicksWeek, made: int, rules: Rules) -> int:
    unlimited = not state.owned or week.chip in FREE_TRANSFER_CHIPS or week.gameweek in rules.unlimited_gameweeks
    return 0 if unlimited else rules.hit_cost * max(0, made - state.free_transfers)


def _applied(
    state: TeamState, sheet: TeamSheet, pool: Mapping[int, Player], rules: Rules, gameweek: int
) -> tuple[Applied | None, str]:
    try:
        return apply_sheet(state, sheet, pool, rules, gameweek), ""
    except IllegalSheet as refused:
        return None, str(refused)


def _free_transfers(state: TeamState, week: PicksWeek, made: int, hit_cost: int, rules: Rules) -> Check:
    """The API does not give free transfers; a hit implies how many there were, and no hit the fewest there can be."""
    if not state.owned or week.chip in FREE_TRANSFER_CHIPS or week.gameweek in rules.unlimited_gameweeks or not made:
        return Check.not_told(week.gameweek, "free_transfers", state.free_transfers)
    if hit_cost:
        return Check.of(week.gameweek, "free_transfers", state.free_transfers, made - hit_cost // rules.hit_cost)
    result = "equal" if state.free_transfers >= made else "different"
    return Check(week.gameweek, "free_transfers", state.free_transfers, f"at least {made}", result)


def _value(state: TeamState, book: SeasonBook, gameweek: int) -> tuple[Tenths | None, bool]:
    """Market prices at the deadline plus the permanent bank (CASES R12); unknown where a price is not on record."""
    prices = [book.price(owned.player_id, gameweek) for owned in state.owned]
    known = [price for price in prices if price is not None]
    unknown = len(known) < len(prices)
    return (None if unknown else sum(known) + state.bank), unknown


def _paid_for_managers(entry: Entry, week: PicksWeek, managers: Sequence[AssistantManager]) -> Tenths:
    """The bank pays for an assistant manager while he is there; in his last gameweek it is shown repaid."""
    goes_on = any(
        later.gameweek == week.gameweek + 1 and later.assistant_managers == week.assistant_managers
        for later in entry.picks
    )
    return sum(manager.price for manager in managers) if goes_on else 0


def _disagreements(entry: Entry, week: PicksWeek, gameweek: int) -> list[Check]:
    """Where the official payloads contradict each other, which no replay can mend."""
    found: list[Check] = []
    history = next(told for told in entry.history if told.gameweek == gameweek)
    if week.history != history:
        found.append(Check.of(gameweek, "picks_history", _as_text(week.history), _as_text(history)))
    # The assistant manager of 2024/25 lasts three gameweeks and is in the history once.
    if entry.chips and week.chip and entry.chips.get(gameweek) != week.chip_name:
        found.append(Check.of(gameweek, "chip", week.chip_name, entry.chips.get(gameweek)))
    return found


def _as_text(history: object) -> str:
    return str(history).removeprefix("HistoryWeek")


def _remarks(entry: Entry, book: SeasonBook, undetermined: Sequence[int], unpriced: Sequence[int]) -> tuple[str, ...]:
    remarks: list[str] = []
    if undetermined:
        remarks.append(
            "The order of the starting eleven is not in the picks, which come sorted by position. Where two of one "
            "line did not play and one was replaced, he is taken to have stood first: "
            f"{_weeks(undetermined)}."
        )
    if unpriced:
        remarks.append(
            f"The price of a player without a match is not on record, so the value is not compared: {_weeks(unpriced)}."
        )
    if any(week.chip == "bench_boost" for week in entry.picks):
        remarks.append("Under bench boost the substitutions the API lists are compared; they move no points.")
    if managers := [week.gameweek for week in entry.picks if week.assistant_managers]:
        remarks.append(
            "The points of an assistant manager are taken as they are, and his price out of the bank: "
            f"{_weeks(managers)}."
        )
    if first := entry.picks[0].gameweek - min(book.deadlines):
        remarks.append(
            f"The team entered {first} gameweeks late; its opening squad is taken at the prices of its first deadline."
        )
    return tuple(remarks)


def _weeks(numbers: Sequence[int]) -> str:
    return f"gameweek{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
