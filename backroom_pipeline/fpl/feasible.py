"""Whether a squad can be bought from a list of players at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from backroom_pipeline.fpl.model import Player, Tenths
from backroom_pipeline.fpl.rules import Rules


def cheapest_legal_squad(players: Iterable[Player], rules: Rules) -> Tenths | None:
    """What the cheapest squad of the right shape and within the club limit costs, or None if there is none.

    The budget is not applied: compare the cost with it, so that an answer can say by how much it is missed.
    """
    squad = cheapest_squad(players, rules)
    return None if squad is None else sum(player.price for player in squad)


def cheapest_squad(players: Iterable[Player], rules: Rules) -> tuple[Player, ...] | None:
    """That squad, in order of id."""
    # Imported here because it takes half a second that most steps need not spend.
    from scipy import optimize as untyped  # pyright: ignore[reportMissingTypeStubs]
    from scipy import sparse as untyped_too  # pyright: ignore[reportMissingTypeStubs]

    optimize: Any = untyped
    sparse: Any = untyped_too
    candidates = sorted({player.id: player for player in players}.values(), key=lambda player: player.id)
    if not candidates:
        return None
    clubs = sorted({player.club for player in candidates})
    memberships = [
        *([player.position == position for player in candidates] for position in rules.squad),
        *([player.club == club for player in candidates] for club in clubs),
    ]
    fewest = [*rules.squad.values(), *(0 for _ in clubs)]
    most = [*rules.squad.values(), *(rules.club_limit for _ in clubs)]
    # Sparse, because scipy turns all warnings into errors while it looks at a dense matrix, for all threads, and of two
    # threads that do so at once the later one leaves them so for good.
    matrix = sparse.csr_array(memberships, dtype=float)
    cheapest = optimize.milp(
        c=[player.price for player in candidates],
        constraints=optimize.LinearConstraint(matrix, fewest, most),
        bounds=optimize.Bounds(0, 1),
        integrality=1,
    )
    if cheapest.x is None:
        return None
    return tuple(player for player, share in zip(candidates, cheapest.x, strict=True) if share > 0.5)
