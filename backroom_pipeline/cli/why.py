"""The answer to "why did it say that", laid out for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from backroom_pipeline.backroom.why import Bound, Question, Recollection, Why
from backroom_pipeline.ledger.findings import Finding

_LEGS = {"bm25": "words", "vector": "meaning", "link": "belongs to the one above"}
_FATES = {"budget": "no room left in the section", "quota": "its question had added its share"}
_VERDICTS = {
    "kept": "kept",
    "broken": "BROKEN",
    "not_applicable": "not tested this week",
    "unclear": "nothing could test it",
}


def why_text(answer: Why, *, everything: bool) -> RenderableType:
    """From what was said, back to what was promised and what was remembered."""
    parts: list[RenderableType] = [
        _title(f"{answer.manager}'s {answer.role}, gameweek {answer.gameweek} of {answer.season} ({answer.model})"),
        _decision(answer),
        Text(answer.decided.words, style="italic"),
        _title("Promises that stood before it"),
        *_promises(answer.promises),
    ]
    if answer.findings:
        parts += [_title("What it did with its own words"), *map(_finding, answer.findings)]
    parts.append(_title(f"What came to mind ({answer.budget_tokens_used} tokens; memory {answer.state})"))
    parts.append(_line(answer.reason))
    for question in answer.questions:
        parts += _question(question, everything=everything)
    return Group(*parts)


def _title(words: str) -> Text:
    return Text(f"\n{words}", style="bold")


def _line(words: str) -> Padding:
    return Padding(Text(words), (0, 0, 0, 2))


def _decision(answer: Why) -> Padding:
    decided = answer.decided
    told = [f"Captain {decided.captain}, vice captain {decided.vice_captain}."]
    if decided.sold:
        told.append(f"Out: {', '.join(decided.sold)}. In: {', '.join(decided.bought)}.")
    elif not decided.bought:
        told.append("No transfers.")
    if decided.hit_points:
        told.append(f"Paid {decided.hit_points} points for transfers.")
    if decided.chip:
        told.append(f"Played its {decided.chip.replace('_', ' ')}.")
    return _line(" ".join(told))


def _finding(finding: Finding) -> Padding:
    when = f"gameweek {finding.earlier_gameweek}"
    if finding.kind == "decision":
        admitted = "It says so openly." if finding.openly else "It says nothing about it."
        told = f"Broke the promise of {when}, “{finding.earlier_text}”: {finding.later_text} {admitted}"
    elif finding.kind == "claim":
        told = f"Promised “{finding.later_text}” against {when}, “{finding.earlier_text}”. {finding.reason}"
    else:
        told = f"Repeated {when}{' word for word' if finding.found_by == 'verbatim' else ''}: “{finding.earlier_text}”"
    return _line(f"• {told}")


def _promises(promises: Iterable[Bound]) -> list[RenderableType]:
    lines: list[RenderableType] = [
        _line(
            f"• gameweek {bound.made_in}: {bound.text} → {_VERDICTS[bound.verdict]}"
            + (" (the prompt had no room for it)" if bound.shown is False else "")
        )
        for bound in promises
    ]
    return lines or [_line("None.")]


def _question(question: Question, *, everything: bool) -> list[RenderableType]:
    shown = [found for found in question.found if found.fate == "shown"]
    passed = [found for found in question.found if found.fate != "shown"]
    lines: list[RenderableType] = [Text(f"\n  {question.text}", style="cyan")]
    lines += [_recollection(found) for found in shown]
    if not shown:
        lines.append(_line("  nothing new: what answers it was shown already or had no room"))
    if everything:
        lines += [_recollection(found) for found in passed]
    elif passed:
        lines.append(_line(f"  {_counted(passed)}"))
    return lines


def _recollection(found: Recollection) -> Padding:
    where = f"{found.season} gameweek {found.gameweek}" if found.gameweek else found.season
    how = ", ".join(_LEGS[leg] if leg == "link" else f"{_LEGS[leg]} {rank}" for leg, rank in found.legs.items())
    said_by = f", by {found.model}" if found.model else ""
    text = Text(f"{where}, {found.category}{said_by} [{how}; score {found.score:.2f}]", style="dim")
    if found.fate != "shown":
        text.append(f" not shown: {_FATES[found.fate]}", style="yellow")
    text.append(f"\n{found.text}", style="none" if found.fate == "shown" else "dim")
    if found.result:
        text.append(f"\n{found.result}", style="green")
    return Padding(text, (0, 0, 0, 4))


def _counted(passed: list[Recollection]) -> str:
    counts = {fate: sum(found.fate == fate for found in passed) for fate in _FATES}
    told = [f"{count} left out ({_FATES[fate]})" for fate, count in counts.items() if count]
    return " and ".join(told) + "; --all shows them"
