"""The words promises are made of, by what they do to a player, a chip or a transfer."""

from __future__ import annotations

import re

from backroom_pipeline.fpl.model import Position
from backroom_pipeline.memory.commitments.phrases import Lexicon

CAPTAIN = Lexicon(
    """
    captain*, captaincy, the band, captain's, captains', armband*, armband's, skipper*, skipper's, the c,
    lead* the/my side/team/line/boys, lead* ~ out, perma-captain*,
    """,
)
VICE = Lexicon("vice, vice-captain*, vice captain*, vice captaincy, vice-captaincy, deputy, deputises")

BENCH = Lexicon(
    """
    bench*, benched, benchwarmer, bench-warmer, on the sidelines, warm* the/my bench, sit*, rested, left out,
    leave* ~ out, leave* out, drop* to, sub, subs, substitute, substitutes, second keeper/goalkeeper, number 2,
    splinters, backup, back-up, reserve keeper/goalkeeper, nowhere near my/the xi/11, miss* out on my/the xi/11,
    the subs, out of my xi/11/lineup/team-sheet, out of the xi/11/side/lineup/line-up,
    first/second/third on/off/sub,
    """,
    but_not="first on the/my team sheet/teamsheet",
)
OFF_BENCH = Lexicon("off [of] the/my bench, leave* the/my bench")
START = Lexicon(
    """
    start*, starter, starters, line* up, lineup, line-up, team sheet, teamsheet, play*, feature*,
    my/the/first/starting/his xi/11, my/the starting xi/11, my/the first xi/11, first team, the pitch,
    between the/my sticks/posts, in the sticks, mind*/guard*/keep* my/the goal/net,
    in goal, in my/the goal, keep* goal, my/the net, gloves,
    in nets/net, number 1, my/the [first-choice] keeper/goalkeeper, first choice keeper/goalkeeper,
    guaranteed place, first-choice keeper/goalkeeper, keeper/goalkeeper is, as keeper/goalkeeper, man in goal,
    guaranteed spot, get* a game, get* the nod, get* a run, is picked, be picked, pick*, first name on,
    guaranteed starter, takes the field, automatic pick,
    """,
    but_not="number 1 priority, pick* up",
)
IN_GOAL = Lexicon(
    """
    between the/my sticks/posts, mind*/guard* my/the goal/net,
    in goal, in my/the goal, keep* goal, my/the net, gloves, in nets/net, keeper,
    goalkeeper, number 1, keepers, goalkeepers,
    """,
)

STAYS = Lexicon(
    """
    keep*, hold*, stay*, remain*, retain*, untouchable, unsellable, untouched, locked, lock* ~ in,
    going nowhere, safe, stick* with/by/around, stuck with, hang* on, cling* on, cling* to, fixture,
    season-long hold, is/are/be/'s [still] here, is/are/be/'s with me, with me, mine, permanent, nailed,
    ever-present, ever present, set-and-forget, set and forget, part of, own*, loyal to, off the market,
    on my books, hands off, spot/place is guaranteed/secure/safe, ride* with, a/my/season/long-term keeper,
    contain*, include*, built around, persist* with, persevere* with, stand* by, has/have a place,
    my squad/team/side has, on board, in my/the squad/team/side/15, in for the long haul, here for the season,
    never without,
    """,
    but_not="keep* to myself, hold* off, in hold, hold* fire, keep* an eye",
)
LEAVES = Lexicon(
    """
    sell*, sale, for sale, shift*, ship* ~ out, ship* out, shipped, marching orders, p45, toast, the elbow,
    goodnight, outgoing, to pasture, done with, wave* ~ off, played his last, offload*, go*, rid of, leave*,
    depart*, make* way, give* way, move* ~ on, move* on, moved, drop*, dump*, axe*, the axe/boot/chop/push/sack,
    chop*, shot of, bye bye, remove*, the end for, finished, fall guy, transferred, replace*, swap*,
    transfer* ~ out, transfer* out, exit*, bin*, part* ways/company/with, out of my/the team/squad/side/15,
    let* ~ go, cash* in, on his/the way out, cut*, ditch*, release*, out, sacrifice*, boot*, goodbye, farewell,
    the door, the exit, jettison*, discard*, shed*, flog*, turf* ~ out, kick* ~ out, prise* ~ off,
    prise* ~ away, takes ~ off me, lose*, be off, is/are/'s off, time to go, history, on the block, off me,
    off my books,
    """,
    but_not="""
    out of form, ruled out, listed as out, out injured, going to, off the market, off-limits, off limits,
    off my list/radar, off the mark, go* for, out of nowhere, go* in, go* near, go* without, left back,
    """,
)
STAYS_PUT = Lexicon(
    """
    # Negated or not, these mean that somebody stays.
    go* anywhere, going nowhere, go* nowhere, leaving any time, budge*, move* an inch, move* anywhere,
    safe from the chop/axe/cull, off me, off the market, not for sale, isn't for sale, leaving my squad any time,
    """,
)
ARRIVES = Lexicon(
    """
    buy*, bring*, sign*, come* [back] in, come* [back] into, come*, arrive*, move* for, go* for, add*,
    purchase*, transfer* ~ in, transfer* in, get* ~ in, get* in, get* into, recruit*, join*,
    in my/the team/squad/side/15, into my/the team/squad/side/15, on board, land*, pick* up, snap* up,
    through the/my door, darken* my door, set* foot, in my colours, on my/the radar, fall* for, interest* me,
    interest in, spend* ~ on, a look-in, return, succumb*, invest* in, draft* ~ in, draft* in, go* near, in for,
    welcome*, my new striker/keeper/defender/midfielder/forward/signing/man/goalkeeper, on my shopping list,
    bought back, back in,
    """,
    but_not="come* what may, come* good",
)
BUYS = Lexicon(
    """
    # Arrivals that are said of nothing else.
    buy*, bring*, sign*, recruit*, purchase*, transfer* ~ in, transfer* in, back,
    """,
    but_not="keep* ~ back, cut* back",
)
SHUNS = Lexicon(
    """
    avoid*, my hands off, stay*/remain*/keep*/sit* ~ outside, stay*/remain*/keep* ~ out of, stay*/remain* off,
    hold* out against, hold* back on, where he is, no-buy, [well] clear of, [well] away from, stay* out of,
    leave* ~ alone, leave* alone, off-limits, off limits, keep* ~ out of, without, banned from, swerve*,
    blacklist*, black-listed, boycott*, off my list/radar/shopping, out of bounds, persona non grata,
    on the outside, on the shelf, out on, arm's length, at bay, to others, dead to me, a miss, pass* on, ignore*,
    resist*, wide berth, no room for, no place for, hold* off, a no, no-go, shun*, spurn*,
    can/must/will/has wait, can/must/will/has to wait, wait* for, forgo*,
    """,
)
OWNED = Lexicon(
    """
    in/into/enters/see/join my/the team/squad/side/15, in/into my/the plans, part of my/the team/squad/side/15,
    own*, have, having, mine, room for, place for, get* into my/the team/squad/side/15, stays out of,
    """,
)

PLAY_CHIP = Lexicon(
    """
    play*, use*, go*, in, land*, activate*, deploy*, trigger*, fire*, burn*, pull*, come*, cash*, on, set,
    pencilled in, inked in, slot* in, slotted in, spend*, get*, unleash*, hit*, press*, break*, take*, drop*,
    is/are/'s for, happen*, see*, out, down, booked, scheduled, blow*, pop*, smash*, call* on, turn* to,
    commit*, done, gone, put*, hand*, give*, goes,
    """,
    but_not="in my/hand/reserve, going to, play* safe",
)
HOLD_CHIP = Lexicon(
    """
    hold*, save*, keep*, sit*, reserve*, stay*, unplayed, unused, untouched, pocket, back pocket, bank*,
    preserve*, shelf, shelved, wait*, on ice, under lock, lock* away, locked, tight, stash*, patient, delay*,
    parked, guard*, remain*, hang* on, dry, sheathed, sheath*, holster*, conserve*, leave* ~ alone,
    leave* alone, off limits, off-limits, in hand, in reserve, held back, drawer, sleeve, put* ~ away, resist*,
    withhold*, withheld, untouchable, cling* to, hang* onto, intact, mothballed,
    """,
    but_not="keep* to my word, saved by, lock* in, locked in",
)

LINES: tuple[tuple[Position, Lexicon], ...] = (
    (
        "DEF",
        Lexicon(
            """
            at the back, defender, defenders, back 3/4/5/line, back-3, back-4, back-5, centre halves,
            centre-halves, centre-backs, defence, defense, defences, in defence, 3-man defence, defensive,
            wing-back, full-backs,
    """,
        ),
    ),
    (
        "MID",
        Lexicon("midfielder, midfielders, midfield, across the middle, in the middle, playmakers"),
    ),
    (
        "FWD",
        Lexicon(
            """
    up front, at the top, forward, forwards, striker, strikers, up top, attacker, attackers, in attack, attack,
    front 3/2/1, front-3, front-2, in the front line,
    """,
            but_not="from here forward, going forward, carry* ~ forward, roll* ~ forward, forward into",
        ),
    ),
    (
        "GK",
        Lexicon("goalkeeper, goalkeepers, keeper, keepers"),
    ),
)

HIT = re.compile(
    r"\bhits?\b(?! (?:on |the |my )*<)|\bhit-free\b|\bminus (?:\d+|anything)|\binto (?:the )?minus\b"
    r"|(?<![\d.])-\d+\b|\b(?:4"
    r"|8|12|16) points\b"
    r"|\bpoints? (?:for|on|deductions?)|\b(?:extra|paid|paying) (?:transfers?|moves?)"
    r"|\bpa(?:y|ys|ying|id) (?:for|\d|no|any|points)|\bpenalty points"
    r"|\bpoints?\b.*\b(?:on|for|to|in) (?:an? )?(?:transfers?|moves?|signings)"
    r"|\b(?:transfers?|moves?|players?) with points|\bminus next to|\binto the red\b|\bred ink"
    r"|\bcosts? (?:me )?(?:any )?points"
)
MOVES = re.compile(
    r"\b(?:transfers?|moves?(?! (?:for|on))|swaps?(?! (?:<p|him))|changes?|signings?|trades?|switch(?:es)?|fts?"
    r"|(?:new|fresh) (?:faces?|men|players)|arrivals|ins|replacements|business|shopping"
    r"|(?<=free )(?:ones?)|frees)\b"
)
