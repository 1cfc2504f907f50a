"""What a promise takes for given, and whether that lets another one off."""

from __future__ import annotations

from backroom_pipeline.memory.model import Condition, SingleTerms


def let_off(one: SingleTerms, other: SingleTerms) -> bool:
    """Whether what ``other`` takes for given keeps ``one`` from binding."""
    given = given_by(other)
    if one.only_if_fit and given.player_out is not None and given.player_out == getattr(one, "player_id", None):
        return True
    if one.until_chip is not None and given.chip_used == one.until_chip:
        return True
    if one.when is not None and _rules_out(given, one.when):
        return True
    return one.unless is not None and implies(given, one.unless)


def given_by(terms: SingleTerms) -> Condition:
    """What a promise takes for given."""
    given = terms.when or Condition()
    if terms.only_if_fit:
        given = given.model_copy(update={"player_fit": getattr(terms, "player_id", None)})
    return given


def _rules_out(given: Condition, needed: Condition) -> bool:
    def apart(low: int | None, high: int | None) -> bool:
        return low is not None and high is not None and low > high

    def same(one: int | None, other: int | None) -> bool:
        return one is not None and one == other

    return (
        same(given.player_out, needed.player_fit)
        or same(given.player_fit, needed.player_out)
        or same(given.owns, needed.owns_not)
        or same(given.owns_not, needed.owns)
        or apart(given.out_at_least, needed.out_at_most)
        or apart(needed.out_at_least, given.out_at_most)
        or apart(given.free_transfers_at_least, needed.free_transfers_at_most)
        or apart(needed.free_transfers_at_least, given.free_transfers_at_most)
        or (given.out_at_most == 0 and needed.player_out is not None)
        or (given.chip is not None and needed.chip is not None and given.chip != needed.chip)
    )


def implies(given: Condition, exception: Condition) -> bool:
    """Whether everything the exception asks for is taken for given."""

    def enough(have: int | None, need: int | None) -> bool:
        return need is None or (have is not None and have >= need)

    def few_enough(have: int | None, need: int | None) -> bool:
        return need is None or (have is not None and have <= need)

    return (
        exception != Condition()
        and all(
            getattr(exception, name) in (None, getattr(given, name))
            for name in ("player_out", "player_fit", "owns", "owns_not", "chip", "chip_used")
        )
        and enough(given.out_at_least, exception.out_at_least)
        and few_enough(given.out_at_most, exception.out_at_most)
        and enough(given.free_transfers_at_least, exception.free_transfers_at_least)
        and few_enough(given.free_transfers_at_most, exception.free_transfers_at_most)
    )
