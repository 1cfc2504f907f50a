"""Words that keep a sentence from being a promise: moods, opinions and vagueness that no decision could test."""

from __future__ import annotations

import re

from backroom_pipeline.memory.commitments.phrases import Lexicon

PERHAPS = re.compile(
    r"(?:sometimes|maybe|perhaps|possibly|probably|usually|normally|generally|ideally|hopefully|occasionally|often)\b"
)
"""Words that leave all of a sentence open when they begin it."""
HEDGES = Lexicon(
    """
    # Modals that leave it open.
    might, may, may well, could, ought to, should, would be nice/good/great/ideal, wouldn't mind,
    wouldn't rule out, can start/play/captain, can live with, every now and then, can see myself,
    would consider, can imagine, can't say,
    # How sure or how often.
    usually, normally, typically, maybe, perhaps, probably, possibly, potentially, hopefully, generally,
    in general, rarely, seldom, often, sometimes, occasionally, mostly, most weeks, more often than not,
    now and then, likely, unlikely, ideally, as a rule of thumb, in theory, largely, tend to, tends to, i tend,
    by and large, more or less, if at all, not sure, not entirely/totally/fully, almost always, nearly always,
    not convinced, not sold on, who knows, we'll see, time will tell,
    # Wishes, plans in the making, attempts.
    i hope, a case for, the odd, hoping, i'd like, i would like, i'd love, i'd prefer, i'd rather, i like,
    i love, i fancy, fancy, tempt*, tempted, consider*, think* about/of, i think, thinks, toy* with, ponder*,
    mull* over, weigh* up, lean* towards, leaning, i reckon, i suspect, i believe, i trust, i feel, try* to,
    try* not, aim* to/for, prefer*, preference, preferably, keen, eager, reluctant, afraid, scared, happy, glad,
    fan of, faith in, keep* an eye, keep* tabs, keep* my/our/all options, hesitant, look* at, looking at,
    in the mix, on my/the radar, open to, want to be, wants to be, wary, in no rush/hurry, no rush/hurry,
    options open, an open mind, monitor*, the jury,
    # Vague times and amounts.
    at some stage/point, some day, in due course, sooner or later, in the long run, for the time being,
    for the foreseeable, for now, when the time/moment is right, the right time/moment/opportunity, for a while,
    when in doubt, if need be, if necessary, if it's necessary, if needed, if possible, where possible,
    when possible, where i can, when i can, as long as i can, plenty of, a lot of, lots of, a bit, a little,
    too many, too much, too often, too hasty, too long, too soon, all that much/often/many, a few, some cash,
    some money, around, roughly, about right, before long, soon, one day, any time soon,
    # Feelings, and what everybody knows.
    hate*, dislike*, enjoy*, likes, liked, loves, worry*, worried, worries, fear*, made my peace,
    makes me smile, comforting, asking for trouble, pay* off, never killed anyone, seem*, i'd back,
    as captain before, come* good, is/'s captain material, in fine/good/great form, on form, price, owes me,
    up to scratch, let me down, your, you have/need/want/can/should/must/get/give/pick/feel, you're,
    # What happens on the pitch.
    scored, blanked, hauled, assist*, clean sheet, penalty, brace, hat-trick, fixture, fixtures, faces, versus,
    in training, a double, a blank, kind run, in good nick, due a goal/haul, corner, home banker, expect*,
    # Judgements.
    is/are/'s [a/an/the] lovely/powerful/small/big/obvious/handy/weak/strong/decisive/fun/bold/nice,
    is/are/'s [a/an/the] underrated/overrated,
    is/are/'s a gamble/risk/luxury/lottery/burden/virtue/mistake/bargain/matter/tax/weapon/must,
    something comforting/special/odd,
    a/an underrated/overrated/lovely/decent/small/big thing/move/price/call/idea, a decent, decent, the best,
    a joy, a pleasure, suits, option, shout, contender, candidate, favourite, good value, proper value, no harm,
    looks good/great/like/set, look good/great/like, a hunch,
    is/are/be/been [a] great/good/fine/quality/class/special/superb/excellent/solid/essential/underrated/overrated,
    a must-have, must have, a great, a good, worth, worthwhile, deserve*, important, matters, matter more,
    feels right/good/like, feel right/good/like, thin ice, numbered, hard to, easy to, needs, is/'s ~ to lose,
    has its charms, hardly the, not the type, far from, knee-jerk,
    waste* my/a/any chips/chip/money/transfers/transfer, needless, unnecessary, silly, pointless, rash,
    reckless, boring,
    # Manners.
    sensible, sensibly, careful, carefully, cautious, cautiously, patient, patiently, patience, wise, wisely,
    smart, smartly, clever, open-minded, openminded, flexible, flexibility, bold, brave, aggressive, sparing,
    sparingly, thought through, strategic, strategically, disciplined, balanced,
    """,
    but_not="""
    should <p1>, should any, should he, should i ever, not too, 1 too many, sooner, as soon as, stick* around,
    time around, lying around, a permanent/constant/regular fixture, fixture in, new/fresh faces,
    expect any/the/a/my, don't expect, isn't/not on my/the radar, right around, for good, no good,
    """,
)
