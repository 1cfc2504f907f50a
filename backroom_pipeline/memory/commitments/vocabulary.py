"""The words promises are made of, as patterns over prepared text."""

from __future__ import annotations

import re

from backroom_pipeline.fpl.model import Position

CAPTAIN = (
    r"\b(?:captain(?:s|ed|ing|cy)?|armband|skipper(?:s|ed|ing)?|\bthe c\b"
    r"|lead(?:s|ing)? (?:the|my) (?:side|team|line|boys)|\(c\))"
)
VICE = r"\bvice(?:[- ]?captain(?:s|cy|ing)?)?\b"
BENCH = (
    r"\b(?:on (?:the|my) (?:bench|sidelines)|bench(?:es|ed|ing)?\b|sit(?:s"
    r"|ting)? (?:this (?:1|one) )?out|left out|dropped to"
    r"|sub(?:stitute)?s? (?:only|for)|stays? out of my (?:xi|11)|first (?:on|off|sub)|rested|warm(?:s|ing)? the)"
)
OFF_BENCH = r"\b(?:off|leaves?|leaving) (?:of )?(?:the|my) bench\b"
START = (
    r"\b(?:start(?:s|ed|ing|er)?|(?:my|the|first|starting) (?:xi|11|eleven"
    r"|line ?-?up|first team)|line ?-?up|plays?\b|playing\b"
    r"|between the (?:sticks|posts)|in goal|in (?:my|the) goal|(?:is"
    r"|as|stays|remains) (?:my|the) (?:first[- ]choice |number 1 |starting )?(?:keeper"
    r"|goalkeeper|number 1)"
    r"|(?:keeper|goalkeeper|number 1|man in goal) is|guaranteed (?:place"
    r"|spot|starter)|on the pitch|gets the nod|is picked|first name on)"
)
STAYS = (
    r"\b(?:ke(?:ep|eps|pt|eping)\b|hold(?:s|ing)?\b|held\b|stay(?:s|ing"
    r"|ed)?\b|remain(?:s|ing)?\b|untouchable|un-?sellable|locked|lock(?:s"
    r"|ing)? in"
    r"|going nowhere|safe\b|retain(?:s|ed|ing)?|stick(?:s|ing)? (?:with"
    r"|by)|stuck with|hang(?:s|ing)? on|season-long hold"
    r"|cling(?:ing)? (?:on )?to|(?:is|are|'s) (?:here|with me|mine|permanent"
    r"|a fixture|an ever-?present)|off the market|set-and-forget"
    r"|fixture in|nailed|not for sale|my (?:squad|team|side) (?:includes"
    r"|has)|(?:is|are|'s) (?:going to be )?part of|i own\b|own(?:s|ing)?\b)"
)
LEAVES = (
    r"\b(?:s[eo]ll(?:s|ing)?\b|sold\b|sale\b|shift(?:s|ed|ing)?\b|ship(?:s"
    r"|ped|ping)?(?: \S+)? ?out|offload(?:s|ed|ing)?|gone\b|goes\b|go\b"
    r"|going\b|get(?:s|ting)? rid"
    r"|leave(?:s)?\b|leaving\b|makes? way|making way|move(?:s|d)? (?:\S+ )?on\b"
    r"|moving (?:\S+ )?on\b|drop(?:s|ped|ping)?\b|dump(?:s|ed|ing)?|axed?\b"
    r"|axing"
    r"|replac(?:e|es|ed|ing)\b|swap(?:s|ped|ping)?\b|transfer(?:red|ring)?(?: \S+)? out"
    r"|out of my (?:team|squad|side)|depart(?:s|ed|ing)?|exit(?:s)?"
    r"|bin(?:s|ned|ning)?\b|part(?:ing)? (?:ways|company)|let(?:ting)? (?:\S+ )?go"
    r"|cash(?:ing)? in|on (?:his|the) way out|cut(?:s|ting)?\b|ditch(?:es"
    r"|ed|ing)?|parting with|part with"
    r"|release[ds]?\b|out\b(?! of form)|sacrific\w+|chop(?:s|ped)?|boot(?:ed)?\b)"
)
ARRIVES = (
    r"\b(?:buy(?:s|ing)?\b|bought\b|bring(?:s|ing)?\b|brought\b|sign(?:s"
    r"|ed|ing)?\b|com(?:e|es|ing)\b(?: back)? in(?:to)?\b|com(?:e|es"
    r"|ing)\b"
    r"|arriv(?:e|es|ing)|move(?:s)? for|moving for|go(?:es|ing)? for"
    r"|add(?:s|ed|ing)?\b|purchas\w+|transfer(?:red|ring)?(?: \S+)? in"
    r"|get(?:s|ting)?(?: \S+)? in\b"
    r"|recruit\w*|join(?:s|ing)?\b|in my (?:team|squad|side|15)|on board"
    r"|land(?:s|ing)?\b|pick(?:s|ing)? up|snap(?:s|ping)? up|invest(?:ing)? in"
    r"|draft(?:s|ed|ing)? in|go(?:es|ing)? near|in for\b|(?<=> )in$)"
)
SHUNS = (
    r"\b(?:avoid(?:s|ed|ing)?|steer(?:ing)? (?:well )?clear|stay(?:s"
    r"|ing)? (?:well )?(?:away|clear|out) (?:of|from)|leav(?:e|es|ing)(?: \S+){1,2}? (?:well "
    r"|strictly )?alone|ke(?:ep|eping|pt) (?:\S+ )?(?:well )?(?:away"
    r"|clear|out) (?:of|from)|off[- ]limits|do(?:ing)? without|go(?:ing)? without"
    r"|banned from my|swerv(?:e|ing)|black-?listed|boycott\w*|off my (?:list"
    r"|radar)|out of bounds|pass(?:ing)? on\b|ignor(?:e|ing)|resist(?:ing)?"
    r"|go(?:ing)? near)"
)
OWNED = (
    r"\b(?:in|into|part of|enters?|see|join) (?:my|the) (?:team|squad|side|15)\b|\b(?:own(?:s|ing|ed)?|have|having)\b"
)
PLAY_CHIP = (
    r"\b(?:play(?:s|ed|ing)?|us(?:e|es|ed|ing)|goes|go\b|going|in\b|lands?"
    r"|landing|activat\w*|deploy\w*|trigger\w*|fir(?:e|es|ed|ing)|burn(?:s"
    r"|ed|ing|t)?|pull(?:s|ed|ing)?|"
    r"comes?|coming|cash(?:ing)?|on\b|set\b|(?:pencil|ink|slot)\w* in"
    r"|spen[dt]\w*|get(?:s|ting)?|unleash\w*|hit(?:s|ting)?|press\w*"
    r"|break(?:s|ing)?|take(?:s)?)\b"
)
HOLD_CHIP = (
    r"\b(?:hold(?:s|ing)?|held|sav(?:e|es|ed|ing)|ke(?:ep|eps|pt|eping)"
    r"|sit(?:s|ting)?|reserv(?:e|es|ed|ing)|stay(?:s|ing)?|unplayed|unused"
    r"|untouched|in my (?:pocket|back pocket|locker)|pocket\w*|bank\w*"
    r"|preserv\w*"
    r"|shel(?:f|ved)|wait(?:s|ing)?|on ice|under lock|lock(?:ed|ing)?"
    r"|tight|stash\w*|patient|delay\w*|off the table|parked|off[- ]limits"
    r"|guard\w*|remain(?:s|ing)?|hang(?:s|ing)? on|dry|sheath\w*)\b"
)
LINE_WORDS: tuple[tuple[Position, str], ...] = (
    ("DEF", r"at the back|defenders?|back (?:\d|line)|defen[cs]e|centre halves|in defence|-man defence|back-(?:\d)"),
    ("MID", r"midfielders?|in midfield|across the middle|in the middle"),
    ("FWD", r"up front|at the top|forwards?|strikers?|up top|attackers?|in attack"),
    ("GK", r"goalkeepers?|keepers?"),
)
HIT = re.compile(
    r"\bhits?\b|\bminus \d+|(?<![\d.])-\d+\b|\b(?:4|8|12|16) points\b"
    r"|\bpoints? (?:for|on|deduction)|\bextra transfers?|\bpaid transfers?"
    r"|\bpay(?:s|ing)? (?:for|\d|no|any|points)|\bpenalty points"
)
MOVES = (
    r"\b(?:transfers?|moves?(?! (?:for|on))|swaps?(?! (?:<p|him))|changes?|signings|(?<=1 )signing"
    r"|trades?|switch(?:es)?)\b"
)
