"""What a person sees beside a materialization: tables, bills, words and figures to plot over the season."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict

import dagster as dg

from backroom_pipeline.backroom.contracts import AssistantSheet, CoachRanking, ManagerDecision, Picks
from backroom_pipeline.backroom.play import Step
from backroom_pipeline.fpl.model import POSITIONS, Bill, Player, TeamSheet
from backroom_pipeline.ledger.rows import Finding
from backroom_pipeline.ledger.standings import ScoreRow, Standing
from backroom_pipeline.ledger.usage import Usage

_KINDS = {"claim": "claim contradicts", "decision": "promise broken", "quote": "own words"}

Pool = Mapping[int, Player]
Metadata = dict[str, dg.MetadataValue | str | int | float]


def step_metadata(step: Step, pool: Pool) -> Metadata:
    """A step's answer as a person would want to read it, its bill, then its figures and hashes."""
    shown: Metadata = {}
    figures: Metadata = {"asked": "nobody, replayed from the ledger" if step.replayed else "now"}
    for name, value in step.metadata.items():
        match value:
            case CoachRanking():
                shown |= _ranking(value, pool)
            case AssistantSheet():
                shown |= {"sheet": _sheet(value.sheet, pool), "case": dg.MetadataValue.md(_quoted(value.case))}
            case ManagerDecision():
                shown |= _decision(value, pool)
            case Bill():
                shown |= _bill(value, pool)
            case tuple() if all(isinstance(each, Finding) for each in value):
                found = [each for each in value if isinstance(each, Finding)]
                shown |= findings_table(found)
                figures |= findings_figures(found)
            case bool() | int() | float() | str():
                figures[name] = value
            case Mapping():
                figures |= {f"{name}_{part}": figure for part, figure in value.items()}
            case None:
                figures[name] = "unknown"
            case _:
                raise TypeError(f"no way to show {name}, a {type(value).__name__}, is written down in defs/metadata.py")
    return shown | figures


def findings_table(found: Sequence[Finding]) -> Metadata:
    """What was found about a decision, both texts side by side; nothing where nothing was."""
    if not found:
        return {}
    rows = [
        (
            _KINDS[each.kind],
            each.earlier_gameweek
            if each.earlier_season == each.season
            else f"{each.earlier_gameweek}, {each.earlier_season}",
            each.earlier_text,
            each.later_text,
            "" if each.openly is None else "yes" if each.openly else "no",
            f"{each.reason} ({each.found_by})",
        )
        for each in found
    ]
    head = ("found", "week", "earlier", "now", "openly", "how")
    return {"found": dg.MetadataValue.md(markdown_table(head, rows))}


def findings_figures(found: Sequence[Finding]) -> Metadata:
    """How many findings of each kind, to plot over the season."""
    counts = Counter(each.kind for each in found)
    silent = sum(each.openly is False for each in found)
    return {
        "findings": len(found),
        "claims_contradicting": counts["claim"],
        "promises_broken": counts["decision"],
        "promises_broken_silently": silent,
        "own_words_repeated": counts["quote"],
    }


def usage_metadata(usage: Usage) -> Metadata:
    """What the calls took; a figure nobody reported is left out, so that it is not plotted as 0."""
    shown: Metadata = {name: value for name, value in asdict(usage).items() if value is not None}
    if usage.cost_micro_dollars is not None:
        shown["cost"] = f"${usage.cost_micro_dollars / 1_000_000:.4f}"
    return shown


def scores_metadata(rows: Sequence[ScoreRow], pool: Pool, carried_over: Collection[str] = ()) -> Metadata:
    """The gameweek's scores, best first. ``carried_over``: managers who did not decide it."""
    ordered = sorted(rows, key=lambda row: (-row.net_points, row.manager))

    def cells(row: ScoreRow) -> tuple[object, ...]:
        armband = _name(row.captain, pool) if row.captain else "nobody"
        who = f"{row.manager} (carried over)" if row.manager in carried_over else row.manager
        return who, row.net_points, row.points, row.hit_points, row.bench_points, armband

    table = markdown_table(
        ("manager", "net points", "gross", "hit", "left on the bench", "armband"), [cells(row) for row in ordered]
    )
    return {
        "scores": dg.MetadataValue.md(table),
        "best": ordered[0].net_points,
        "worst": ordered[-1].net_points,
        "scoring_version": ordered[0].scoring_version,
    }


def league_table_markdown(standings: Sequence[Standing]) -> str:
    """The league table as Markdown, with a footnote for every team that was carried over."""
    table = markdown_table(
        ("", "manager", "points", "this week", "hits", "transfers", "chips"),
        [
            (
                row.rank,
                row.label,
                row.points,
                row.last_points,
                row.hits,
                row.transfers,
                ", ".join(f"{_words(play.chip)} {play.gameweek}" for play in row.chips_played) or "-",
            )
            for row in standings
        ],
    )
    return "\n\n".join([table, *(row.footnote for row in standings if row.footnote)])


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; bars and line ends in cells are escaped."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def money(tenths: int) -> str:
    """62 as £6.2m."""
    return f"£{tenths / 10:.1f}m"


def _ranking(ranking: CoachRanking, pool: Pool) -> Metadata:
    shown: Metadata = {"ranking": _picks(ranking.rankings, pool), "notes": dg.MetadataValue.md(_quoted(ranking.notes))}
    if ranking.enablers:
        shown["enablers"] = _picks(ranking.enablers, pool)
    return shown


def _picks(picks: Picks, pool: Pool) -> dg.MetadataValue:
    rows = [
        (position, place, _name(ranked.player_id, pool), _club(ranked.player_id, pool), ranked.reason)
        for position in POSITIONS
        for place, ranked in enumerate(picks.get(position, ()), start=1)
    ]
    return dg.MetadataValue.md(markdown_table(("position", "", "player", "club", "why"), rows))


def _decision(decision: ManagerDecision, pool: Pool) -> Metadata:
    claims = "\n".join(f"- {claim.text}" for claim in decision.claims) or "none"
    return {
        "sheet": _sheet(decision.sheet, pool),
        "reasoning": dg.MetadataValue.md(_quoted(decision.reasoning)),
        "claims": dg.MetadataValue.md(claims),
        "promises": len(decision.claims),
        "chip": _words(decision.sheet.chip) if decision.sheet.chip else "none",
    }


def _sheet(sheet: TeamSheet, pool: Pool) -> dg.MetadataValue:
    marks = {sheet.captain: " (C)", sheet.vice_captain: " (V)"}

    def line(position: str) -> str:
        return ", ".join(
            _name(player, pool) + marks.get(player, "")
            for player in sheet.starting
            if player in pool and pool[player].position == position
        )

    rows = [(position, line(position)) for position in POSITIONS]
    rows.append(("bench", ", ".join(_name(player, pool) for player in sheet.bench)))
    return dg.MetadataValue.md(markdown_table(("", "players"), rows))


def _bill(bill: Bill, pool: Pool) -> Metadata:
    def trades(kind: str) -> str:
        return ", ".join(
            f"{_name(trade.player_id, pool)} {money(trade.price)}"
            for trade in (bill.sold if kind == "sold" else bill.bought)
        )

    table = markdown_table(
        ("", ""),
        [
            ("sold", trades("sold") or "nobody"),
            ("bought", trades("bought") or "nobody"),
            ("transfer hit", f"{bill.hit_points} points"),
            ("bank", f"{money(bill.bank_before)} before, {money(bill.bank_after)} afterwards"),
            ("free transfers", f"{bill.free_transfers_before} before, {bill.free_transfers_after} next week"),
        ],
    )
    return {"bill": dg.MetadataValue.md(table), "hit_points": bill.hit_points, "transfers_made": len(bill.bought)}


def _name(player_id: int, pool: Pool) -> str:
    return pool[player_id].web_name if player_id in pool else f"player {player_id}"


def _club(player_id: int, pool: Pool) -> str:
    return pool[player_id].club if player_id in pool else "?"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", "\\|")
