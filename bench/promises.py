"""PromiseBench: is the promise that binds this week's decision in the prompt? Prints JSON.

Run: python -m bench.promises [--state data/state/house] [--labels ../shared/labels] [--no-peers]

Three seasons are gone through week by week: one that was played (its ledger), the labelled narratives, and a crowded
one (six different promises a week). Asked is, for every manager and week: which promises of earlier weeks bind the
decision (the judge says kept or broken of the decision really taken; of labelled claims, that their window holds the
week), and does one of the sentences each was made in stand in the memory section of the prompt?

Every arm has the same records, questions, embedder and budget. Ours is the product's own way: open promises first, then
recall. The others fill the whole budget with texts, in turns over the questions; ours also pays for its RESULT lines.
Timed is what every arm does, so not our consolidation.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple, Protocol

from backroom_pipeline.backroom.contest import Contest
from backroom_pipeline.backroom.desk import open_desk
from backroom_pipeline.backroom.remembering import READ_CATEGORIES, remembered
from backroom_pipeline.league import load_league, state_dir
from backroom_pipeline.ledger.answers import answers
from backroom_pipeline.ledger.store import Ledger
from backroom_pipeline.memory.budget import estimated_tokens
from backroom_pipeline.memory.commitments import decision_facts, judge, standing_claims
from backroom_pipeline.memory.embedder import load_embedder
from backroom_pipeline.memory.gateway import Gateway
from backroom_pipeline.memory.model import AllOf, FreeText, Member, MemoryRecord, Terms
from backroom_pipeline.memory.questions import questions_for
from backroom_pipeline.memory.ranking import RecallSettings
from backroom_pipeline.memory.records import identity_record, week_records
from bench.locomo import milliseconds
from bench.peers import Peer, open_peers, timed
from bench.staged import Script, crowded, decide, enter, labelled

LABELS = Path(__file__).resolve().parents[2] / "shared" / "labels"
WEEKS = (2, 10, 20, 38)
SIZE_WEEKS = (6, 38)
BUDGET_TOKENS = 1500
ALL_PLACES = {"per_question": 10, "claims_per_question": 10, "linked": 0}
"""No quotas: a list to fill a budget from."""

Binding = Callable[[str, int], list[frozenset[str]]]
"""For a manager and a gameweek the promises that bind the decision, each as the sentences it was made in."""


class Ask(NamedTuple):
    """One prompt to fill."""

    manager: str
    gameweek: int
    questions: tuple[str, ...]


class Section(NamedTuple):
    """What an arm would put into a prompt."""

    texts: list[str]
    tokens: int


class Arm(Protocol):
    """One way of remembering."""

    def store(self, manager: str, records: Sequence[MemoryRecord]) -> bool:
        """Take a week's records; False where another arm has stored them already."""
        ...

    def section(self, ask: Ask) -> Section: ...


@dataclass
class Season:
    """A whole season in a ledger, and an empty memory to fill week by week."""

    contest: Contest
    season: str
    managers: tuple[str, ...]
    gameweeks: tuple[int, ...]
    binding: Binding
    play: Callable[[int], None] = lambda gameweek: None
    """Commits a gameweek's decisions where they are not in the ledger yet."""


class Ours:
    """The product: a desk with the open promises on it, and the recall of what does not lie there."""

    def __init__(self, season: Season) -> None:
        self._contest, self._season = season.contest, season.season

    def store(self, manager: str, records: Sequence[MemoryRecord]) -> bool:
        member = Member(manager=manager, role="manager")
        self._contest.gateway.store(member, manager, "manager", records)
        return True

    def section(self, ask: Ask) -> Section:
        desk = open_desk(self._contest, self._contest.week(self._season, ask.gameweek), ask.manager, "manager")
        memory = remembered(self._contest, desk, "manager")
        assert memory is not None, "the bench's leagues have memory switched on"
        promises = [standing.claim.text for standing in desk.pinned.claims]
        recalled = [item.record.text for item in memory.recall.items]
        return Section(promises + recalled, desk.pinned.tokens + memory.recall.tokens)


class OurStore:
    """Our store without promises on the desk, ranked with some settings."""

    def __init__(self, season: Season, settings: RecallSettings) -> None:
        contest = season.contest
        embedder = load_embedder(contest.league.embedder)
        self._gateway = Gateway(contest.directory / "memory", contest.ledger, embedder, settings)
        self._season = season.season

    def store(self, manager: str, records: Sequence[MemoryRecord]) -> bool:
        return False

    def section(self, ask: Ask) -> Section:
        recall = self._gateway.recall(
            Member(manager=ask.manager, role="manager"),
            ask.manager,
            "manager",
            ask.questions,
            before=(self._season, ask.gameweek),
            budget_tokens=1_000_000,
            categories=READ_CATEGORIES["manager"],
        )
        return filled(item.record.text for item in recall.items)


class Newest:
    """What was said last, whatever is asked."""

    def __init__(self) -> None:
        self._said: dict[str, list[str]] = defaultdict(list)

    def store(self, manager: str, records: Sequence[MemoryRecord]) -> bool:
        self._said[manager] += [record.text for record in reversed(records)]
        return True

    def section(self, ask: Ask) -> Section:
        return filled(reversed(self._said[ask.manager]))


class OfPeer:
    """Another product, asked every question in turn."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def store(self, manager: str, records: Sequence[MemoryRecord]) -> bool:
        for record in records:
            self._peer.store(manager, record.text)
        return True

    def section(self, ask: Ask) -> Section:
        lists = [self._peer.search(ask.manager, question, 20) for question in ask.questions]
        return filled(found[place] for place in range(20) for found in lists if place < len(found))


def filled(texts: Iterable[str]) -> Section:
    """As many different texts as the budget holds, in their order; one that is too long makes room for the next."""
    taken: dict[str, int] = {}
    for text in texts:
        cost = estimated_tokens(text)
        if text not in taken and sum(taken.values()) + cost <= BUDGET_TOKENS:
            taken[text] = cost
    return Section(list(taken), sum(taken.values()))


@dataclass
class Tally:
    """What one arm did over a season."""

    found: dict[int, list[bool]] = field(default_factory=lambda: defaultdict(list))
    tokens: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    prompts: list[float] = field(default_factory=list[float])
    questions: list[float] = field(default_factory=list[float])
    stores: list[float] = field(default_factory=list[float])

    def report(self) -> dict[str, Any]:
        weeks = {str(week): _share(self.found[week]) for week in WEEKS if week in self.found}
        these = _share([found for week in WEEKS for found in self.found.get(week, ())])
        every = _share([found for week in self.found.values() for found in week])
        sizes = {str(week): round(median(self.tokens[week])) for week in SIZE_WEEKS if week in self.tokens}
        return {
            "found": weeks | {"these weeks": these, "every week asked": every},
            "tokens": sizes | {"most": max((max(week) for week in self.tokens.values()), default=0)},
            "prompt_ms": milliseconds(self.prompts) if self.prompts else None,
            "question_ms": milliseconds(self.questions) if self.questions else None,
            "store_week_ms": milliseconds(self.stores) if self.stores else None,
        }


def _share(found: Sequence[bool]) -> float | None:
    return round(mean(found), 3) if found else None


def go_through(season: Season, arms: dict[str, Arm], only_in_weeks: dict[str, Arm]) -> dict[str, Any]:
    """Ask before every deadline, then store the week. ``only_in_weeks`` are asked in the weeks reported alone."""
    contest = season.contest
    tallies = {name: Tally() for name in (*arms, *only_in_weeks)}
    asked: dict[int, int] = defaultdict(int)
    _open_stores(season)
    for gameweek in season.gameweeks:
        season.play(gameweek)
        for manager in season.managers:
            present = arms | (only_in_weeks if gameweek in (*WEEKS, *SIZE_WEEKS) else {})
            if gameweek > season.gameweeks[0]:
                promises = season.binding(manager, gameweek)
                asked[gameweek] += len(promises)
                desk = open_desk(contest, contest.week(season.season, gameweek), manager, "manager")
                ask = Ask(manager, gameweek, questions_for(desk.week.facts, desk.state, "manager"))
                for name, arm in present.items():
                    _ask(tallies[name], arm, ask, promises)
            records = week_records(contest.ledger, season.season, gameweek, manager)["manager"]
            for name, arm in (arms | only_in_weeks).items():
                stored, seconds = timed(arm.store, manager, records)
                if stored:
                    tallies[name].stores.append(seconds)
            contest.gateway.consolidate(Member(manager=manager, role="manager"), manager, "manager")
    return {
        "managers": len(season.managers),
        "gameweeks": len(season.gameweeks),
        "promises_asked": {str(week): asked[week] for week in WEEKS} | {"all weeks": sum(asked.values())},
        "arms": {name: tally.report() for name, tally in tallies.items()},
    }


def _ask(tally: Tally, arm: Arm, ask: Ask, promises: Sequence[frozenset[str]]) -> None:
    section, seconds = timed(arm.section, ask)
    tally.prompts.append(seconds)
    tally.questions.append(seconds / len(ask.questions))
    tally.tokens[ask.gameweek].append(section.tokens)
    shown = "\n".join(section.texts).casefold()
    for wordings in promises:
        tally.found[ask.gameweek].append(any(wording in shown for wording in wordings))


def _open_stores(season: Season) -> None:
    gateway = season.contest.gateway
    for manager in season.managers:
        gateway.team_create(manager)
        gateway.team_add_member(manager, "manager")
        member = Member(manager=manager, role="manager")
        identity = identity_record(season.contest.ledger, manager, "manager")
        gateway.store(member, manager, "manager", [identity])


def judged(ledger: Ledger, season: str) -> Binding:
    """Open promises that the judge finds kept or broken by the decision really taken; repeats are one promise."""

    def binding(manager: str, gameweek: int) -> list[frozenset[str]]:
        facts = decision_facts(ledger, season, gameweek, manager)
        promises: dict[str, set[str]] = defaultdict(set)
        for standing in standing_claims(ledger, manager, season, gameweek, include_closed=True):
            verdict = judge(standing.claim, standing.made_in, facts)
            if standing.open and verdict in ("kept", "broken"):
                meaning = standing.claim.terms.model_dump_json(exclude={"first"})
                promises[meaning].add(standing.claim.text.casefold())
        return [frozenset(wordings) for wordings in promises.values()]

    return binding


def covers(terms: Terms, gameweek: int) -> bool:
    """Whether a promise's window, or that of one of its parts, holds the gameweek."""
    if isinstance(terms, FreeText) or not terms.first <= gameweek <= terms.last:
        return False
    return not isinstance(terms, AllOf) or any(covers(part, gameweek) for part in terms.parts)


@contextmanager
def played(state: Path, league_name: str) -> Iterator[Season]:
    """A finished season's ledger, copied, with none of its memory."""
    league = load_league(league_name)
    season = league.seasons[-1]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(state / "ledger.duckdb", folder)
        with Contest.open(league, Path(folder)) as contest:
            gameweeks = sorted({row.gameweek for row in answers(contest.ledger, season, role="manager")})
            yield Season(contest, season, league.slugs, tuple(gameweeks), judged(contest.ledger, season))


@contextmanager
def on_paper(script: Script, binding: Binding | None = None, weeks: int = 38) -> Iterator[Season]:
    """A staged season; what binds is judged unless it is given."""
    with tempfile.TemporaryDirectory() as folder, Contest.open(script.league, Path(folder)) as contest:
        enter(contest.ledger, script)
        season = script.league.seasons[-1]
        yield Season(
            contest,
            season,
            script.managers,
            tuple(range(1, weeks + 1)),
            binding or judged(contest.ledger, season),
            lambda gameweek: decide(contest.ledger, script, gameweek),
        )


@contextmanager
def of_labels(labels: Path) -> Iterator[Season]:
    script, claims = labelled(labels)

    def binding(manager: str, gameweek: int) -> list[frozenset[str]]:
        return [
            frozenset({said.claim.text.casefold()})
            for said in claims
            if said.manager == manager and said.made_in < gameweek and covers(said.claim.terms, gameweek)
        ]

    with on_paper(script, binding) as season:
        yield season


def measure(season: Season, with_peers: bool) -> dict[str, Any]:
    """All arms over one season."""
    embedder = load_embedder(season.contest.league.embedder)
    arms: dict[str, Arm] = {
        "ours, promises pinned": Ours(season),
        "hybrid without pins": OurStore(season, RecallSettings(**ALL_PLACES)),
        "vector only": OurStore(season, RecallSettings(words_weight=0.0, borrow=0.0, **ALL_PLACES)),
        "BM25 only": OurStore(season, RecallSettings(words_weight=1.0, borrow=0.0, **ALL_PLACES)),
        "recency only": Newest(),
    }
    with tempfile.TemporaryDirectory() as folder:
        peers, absent = open_peers(Path(folder), embedder) if with_peers else ({}, {})
        report = go_through(season, arms, {name: OfPeer(peer) for name, peer in peers.items()})
    return {**report, "absent": absent}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--league", default="house")
    parser.add_argument("--state", type=Path, help="a folder with a finished season; data/state/LEAGUE by default")
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--no-peers", action="store_true", help="leave other products out")
    parser.add_argument("--only", choices=("played", "labelled", "crowded"), help="one season alone")
    chosen = parser.parse_args()
    state = chosen.state or state_dir(load_league(chosen.league))
    report: dict[str, Any] = {"budget_tokens": BUDGET_TOKENS, "load_average": os.getloadavg()[0]}
    seasons = {
        "played": (lambda: played(state, chosen.league), state / "ledger.duckdb", "play one: backroom season run"),
        "labelled": (lambda: of_labels(chosen.labels), chosen.labels / "narratives.jsonl", "give --labels"),
        "crowded": (lambda: on_paper(crowded()), None, ""),
    }
    for name, (opened, needed, otherwise) in seasons.items():
        if chosen.only not in (None, name):
            continue
        if needed is not None and not needed.is_file():
            report[name] = f"left out, since {needed} is not there; {otherwise}"
            continue
        with opened() as season:
            report[name] = measure(season, not chosen.no_peers)
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
