"""The published words: two or three short paragraphs in the persona's voice, each sentence from a fact of the week."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from backroom_pipeline.models.house.forecast import Outlook
from backroom_pipeline.models.house.personas import Temper
from backroom_pipeline.models.house.promises import ruled_out
from backroom_pipeline.models.house.reading import Promise, Reading, Seen
from backroom_pipeline.models.house.solver import Plan, bank_after
from backroom_pipeline.models.house.voices import VOICES
from backroom_pipeline.models.house.words import (
    CHIP_NAMES,
    chance,
    club,
    fixtures,
    million,
    number,
    own_words,
    sentence,
    several,
    variant,
    verdict,
    why_bought,
    why_sold,
)

LATER_STARTS = re.compile(r"(?<=[a-z]{2}[.!?] )[a-z]")
"""First letters of sentences in the middle of a wording, where a slot may have put a small one."""
PLACES = ("first", "second", "third", "fourth", "fifth")
LINES = {"GK": "goalkeepers", "DEF": "defenders", "MID": "midfielders", "FWD": "forwards"}


@dataclass(frozen=True, slots=True)
class Story:
    """What happened at this manager's desk this week."""

    reading: Reading
    temper: Temper
    outlook: Mapping[int, Outlook]
    plan: Plan
    proposal: Plan | None
    signed: bool
    kept: Promise | None
    """The promise that cost most to keep, if any cost something."""
    broken: tuple[tuple[Promise, float | None], ...]
    """Each promise this decision breaks and what keeping it would have cost, None where no legal team keeps it."""
    hit_gain: float

    def say(self, occasion: str, **slots: object) -> str:
        temper, reading = self.temper, self.reading
        options = VOICES[temper.persona][occasion]
        said = variant(options, temper.persona, occasion, week=reading.gameweek).format(**slots)
        return sentence(LATER_STARTS.sub(lambda start: start[0].upper(), said))

    def seen(self, player_id: int) -> Seen:
        return self.outlook[player_id].player

    def names(self, ids: tuple[int, ...], most: int = 4) -> str:
        """Names of the players worth most, dearest first, with the rest as a number."""
        order = sorted(ids, key=lambda player_id: (-self.seen(player_id).price, player_id))
        shown = [self.seen(player_id).name for player_id in order[:most]]
        return several([*shown, f"{number(len(ids) - most)} more"] if len(ids) > most else shown)


def reasoning(story: Story) -> str:
    """The manager's words."""
    first, second, third = _what_is_done(story), _answers(story), _word_and_record(story)
    return "\n\n".join(
        " ".join(part for part in paragraph if part) for paragraph in (first, second, third) if paragraph
    )


def _what_is_done(story: Story) -> list[str]:
    plan, reading = story.plan, story.reading
    chip = plan.sheet.chip
    said: list[str] = []
    if reading.opening:
        ids = tuple(sorted(plan.ids))
        premium = max(ids, key=lambda player_id: (story.seen(player_id).price, -player_id))
        captain = story.seen(plan.sheet.captain)
        bank = bank_after(reading, plan)
        named = story.seen(premium).name
        if premium == captain.player_id:
            others = [player_id for player_id in ids if player_id != premium]
            named = story.seen(max(others, key=lambda player_id: (story.seen(player_id).price, -player_id))).name
        said.append(
            story.say(
                "opening", captain=captain.name, premium=named, bank=f"{million(bank)} million" if bank else "nothing"
            )
        )
    elif chip in ("wildcard", "free_hit"):
        best = max(plan.bought, key=lambda i: (story.outlook[i].total(), -i), default=plan.sheet.captain)
        player = story.outlook[best]
        count = number(len(plan.bought))
        said.append(story.say(chip, count=count, in_=player.player.name, why_in=why_bought(reading, player)))
    elif plan.bought:
        said.extend(_transfers(story))
    else:
        left = min(reading.free_transfer_cap, reading.free_transfers + 1)
        left = reading.top_ups.get(reading.gameweek + 1, left)
        said.append(story.say("roll", left=number(left) + (" free transfer" if left == 1 else " free transfers")))
    if chip == "bench_boost":
        bench = sum(story.outlook[player_id].points[0] for player_id in plan.sheet.bench)
        said.append(story.say("bench_boost", bench=f"{bench:.0f}", names=story.names(plan.sheet.bench)))
    if chip == "triple_captain":
        captain = story.seen(plan.sheet.captain)
        said.append(story.say("triple_captain", captain=captain.name, fixture=sentence(fixtures(reading, captain))))
    return said


def _transfers(story: Story) -> list[str]:
    plan, reading = story.plan, story.reading
    in_ = max(plan.bought, key=lambda i: (story.outlook[i].total(), -i))
    player = story.outlook[in_]
    said: list[str] = []
    if len(plan.bought) == 1:
        out = story.outlook[plan.sold[0]]
        said.append(
            story.say(
                "sell_one",
                out=out.player.name,
                why_out=why_sold(reading, out),
                in_=player.player.name,
                why_in=why_bought(reading, player),
            )
        )
    else:
        said.append(
            story.say(
                "sell_many",
                outs=story.names(plan.sold),
                ins=story.names(plan.bought),
                in_=player.player.name,
                why_in=why_bought(reading, player),
            )
        )
    if plan.paid:
        said.append(story.say("hit", points=plan.paid * reading.hit_cost, gain=f"{story.hit_gain:.1f}"))
    return said


def _answers(story: Story) -> list[str]:
    said: list[str] = []
    if story.proposal is not None:
        mine, theirs = describe(story, story.plan), describe(story, story.proposal)
        if story.signed or mine == theirs:
            said.append(story.say("signed"))
        else:
            said.append(story.say("overruled", theirs=theirs, mine=mine))
    coach = _coach(story)
    if coach:
        said.append(coach)
    said.append(_armband(story))
    return said


def describe(story: Story, plan: Plan) -> str:
    """A plan in a few words, to set one against another."""
    chip = plan.sheet.chip
    parts: list[str] = []
    if chip:
        parts.append(f"the {CHIP_NAMES[chip]}")
    if story.reading.opening:
        parts.append("another fifteen" if plan is story.proposal else "this fifteen")
    elif chip not in ("wildcard", "free_hit"):
        if not plan.bought:
            parts.append("no transfer at all")
        else:
            ins = story.names(plan.bought, 2)
            parts.append(f"{ins} for {story.names(plan.sold, 2)}")
        if plan.paid:
            parts.append(f"a hit of {plan.paid * story.reading.hit_cost}")
    return several(parts)


def _coach(story: Story) -> str:
    """An answer to the coach about one ranked player: why he is not in the team, or that he is."""
    reading, plan = story.reading, story.plan
    ranking = [story.outlook[player.player_id].player for player in reading.ranking]
    ranks = {player.player_id: player.rank or 5 for player in reading.ranking}
    missing = [player for player in ranking if player.player_id not in plan.ids]
    missing.sort(
        key=lambda p: (
            ranks[p.player_id] + 2.5 * chance(story.temper.persona, reading.gameweek, p.player_id),
            p.player_id,
        )
    )
    bought = [player_id for player_id in plan.bought if ranks.get(player_id, 9) <= 2]
    if bought and (not missing or chance(story.temper.persona, reading.gameweek, "agree") < 0.3):
        player = story.seen(bought[0])
        return story.say("coach_agrees", name=player.name, place=_place(ranks[player.player_id], player))
    if not missing:
        return ""
    player = missing[0]
    place = _place(ranks[player.player_id], player)
    return story.say("coach", name=player.name, place=place, because=_because(story, player))


def _place(rank: int, player: Seen) -> str:
    return f"{PLACES[min(rank, 5) - 1]} among the {LINES[player.position]}"


def _because(story: Story, player: Seen) -> str:
    """Why a recommended player is not in the team: the first reason that is true, the hardest first."""
    reading, plan = story.reading, story.plan
    fifteen = [story.seen(player_id) for player_id in sorted(plan.ids)]
    for promise in reading.promises:
        if promise.kind == "avoid_player" and promise.player_id == player.player_id:
            return f"I said in gameweek {promise.made_in} that I would not buy him yet"
    clubmates = [each.name for each in fifteen if each.club == player.club]
    if len(clubmates) >= reading.club_limit:
        return f"{several(clubmates)} already fill the {club(player.club)} cap"
    if ruled_out(player) or (player.chance is not None and player.chance < 75):
        return f"he is flagged at {player.chance or 0} percent"
    bank = bank_after(reading, plan)
    line = [each for each in fifteen if each.position == player.position and each.player_id not in plan.bought]
    worse = [each for each in line if _total(story, each) < _total(story, player)]
    rival = max(worse or line or fifteen, key=lambda each: (_value(each), -each.player_id))
    short = player.price - bank - _value(rival)
    if short > 0 and not reading.opening:
        return f"even selling {rival.name} leaves me {million(short)} short of his {million(player.price)}"
    if reading.opening:
        return f"at {million(player.price)} he would cost me {_dearest_other(story, player)} or half a defence"
    hard = [match for match in reading.matches(player.club, reading.gameweek) if match.difficulty >= 4]
    if hard:
        return f"{fixtures(reading, player)} is no week to start with him"
    if story.temper.persona == "contrarian" and (player.selected_by or 0) >= 20:
        return f"{player.selected_by:.0f} percent of all teams own him already"
    if not reading.opening and len(plan.bought) >= reading.free_transfers and plan.bought:
        return "what I have to spend is spent on " + story.names(plan.bought, 2)
    gain = _total(story, player) - _total(story, rival)
    weeks = number(len(story.outlook[player.player_id].points))
    if plan.sheet.chip is None and gain > 0.5:
        return f"{gain:.1f} points over {rival.name} in {weeks} weeks do not move me"
    return f"{rival.name} does the same work for {million(_value(rival))}"


def _total(story: Story, player: Seen) -> float:
    return story.outlook[player.player_id].total()


def _value(player: Seen) -> int:
    return player.price if player.sale_price is None else player.sale_price


def _dearest_other(story: Story, player: Seen) -> str:
    ids = [i for i in sorted(story.plan.ids) if i != story.plan.sheet.captain]
    return story.seen(max(ids, key=lambda i: (story.seen(i).price, -i))).name


def _armband(story: Story) -> str:
    reading, sheet = story.reading, story.plan.sheet
    if sheet.chip == "triple_captain":
        return ""
    captain = story.seen(sheet.captain)
    best = max(sheet.starting, key=lambda i: (story.outlook[i].points[0], -i))
    fixture = fixtures(reading, captain)
    bound = any(p.kind in ("captain_player", "never_captain") for p in reading.promises)
    if best != captain.player_id and not bound:
        return story.say("armband", captain=captain.name, other=story.seen(best).name, fixture=fixture)
    return story.say("captain", captain=captain.name, fixture=fixture)


def _word_and_record(story: Story) -> list[str]:
    """Promises kept or broken, earlier words, how last week turned out, and a last line."""
    reading = story.reading
    said: list[str] = []
    for promise, cost in story.broken:
        if promise.kind == "keep_player" and promise.broken:
            said.append(_still_broken(story, promise))
            continue
        if cost is None:
            said.append(story.say("let_go", week=promise.made_in, promise=promise.text))
        else:
            said.append(story.say("broken", week=promise.made_in, promise=promise.text, cost=f"{cost:.1f}"))
    if not said and story.kept is not None:
        said.append(story.say("kept", week=story.kept.made_in, promise=story.kept.text))
    weeks = reading.form.get("weeks") or []
    if weeks:
        last = weeks[0]
        place = (int(last["rank"]) - 1) / max(1, int(last["of"]) - 1)
        slots = {"last": last["gameweek"], "points": last["points"], "rank": last["rank"], "of": last["of"]}
        if place <= 0.2:
            said.append(story.say("after_success", **slots))
        elif place >= 0.75:
            said.append(story.say("after_failure", **slots))
    if len(said) < 2:
        said.append(_quotation(story))
    if len(said) < 3 and chance(story.temper.persona, reading.gameweek, "close") < 0.8:
        said.append(story.say("closing"))
    return [each for each in said if each]


def _still_broken(story: Story, promise: Promise) -> str:
    """The reminder of a promise that was broken, with an explanation, in an earlier week."""
    options = (
        'And yes, this of gameweek {week} is still broken: "{promise}"',
        'Still in breach of gameweek {week}: "{promise}"',
        'What I broke stays broken: "{promise}" (gameweek {week}).',
    )
    said = variant(options, story.temper.persona, "still broken", week=story.reading.gameweek)
    return said.format(week=promise.made_in, promise=promise.text)


def _quotation(story: Story) -> str:
    """Own earlier words that bear on what is done now, with what came of them."""
    reading, plan = story.reading, story.plan
    topics = [story.seen(player_id).name for player_id in (*plan.bought, *plan.sold, plan.sheet.captain)]
    topics += ["points", "price", "bet"] if plan.paid else []
    topics += [CHIP_NAMES[plan.sheet.chip]] if plan.sheet.chip else ["chip"]
    topics += ["transfer", "nothing", "wait", "quiet", "loud"] if not plan.bought else ["early", "late", "plan", "new "]
    earlier = [record for record in reading.memory if record.gameweek < reading.gameweek]
    found = own_words(earlier, topics, story.temper.persona, reading.gameweek)
    if found is None:
        return ""
    record, said = found
    quoted = story.say("quote", week=record.gameweek, said=said)
    outcome = {"success": "It was a good week.", "failure": "It was not a good week, and I know it.", "mixed": ""}
    return f"{quoted} {outcome.get(verdict(record.result), '')}".strip()
