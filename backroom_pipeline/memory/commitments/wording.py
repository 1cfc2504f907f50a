"""Ways of saying one thing, brought to one wording before a sentence is taken apart.

Prepared text is in lower case, players are ``<p7>``, clubs ``<c:ARS>``, chips ``<wildcard>``, gameweeks ``gw9``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from backroom_pipeline.memory.commitments import patterns
from backroom_pipeline.memory.commitments.phrases import Lexicon

ASIDES = Lexicon(
    """
    # Emphasis, that changes nothing.
    no exceptions, no exceptions whatsoever, no exception, without exception, without fail, full stop, period,
    come what may, no matter what, no matter what happens, whatever happens, set in stone, that's the/my rule,
    that's that, and that's that/final, no ifs no buts, end of story, no ifs or buts, believe me, mark my words,
    make no mistake, don't misread me, let me be clear, for sure, i promise [you] [that], i swear [that],
    i vow [that], change of heart, no question about it, no doubt about it,
    without a/any doubt/question, at any 1 time, rain or shine, hand on heart, of course, as promised,
    under no illusion, no arguments, in any event, regardless, no 2 ways about it, whatever it takes,
    whatever the cost, whatever the fixture/fixtures/opponent, not that it matters, ever, at any cost,
    at all costs, at any price, simple as that, non-negotiable, not negotiable, no debate, or nothing, or none,
    today and always, now and always, now and forever, trust me, i tell you, i'm telling you,
    i give you my word, you have my word, my word on it, indeed, whoever we/i play, whoever the opponent is,
    whoever the opponent, in no uncertain terms, to be clear, it's final, and i mean it, i mean it, definitely,
    certainly, absolutely, simply, just like that, no backing out, no turning back, no excuses, it's decided,
    that's decided, 100%, altogether, repeat not, thank you, bless him, no cap, [and] you can hold me to it/that,
    [and] you can quote me on it/that, not sooner not later, not sooner, not later, and in no other,
    and in no other week/gameweek,
    """,
)
_CONCESSIONS = re.compile(
    r"(?:,|^)? ?\b(?:even (?:if|when|though)|however|no matter (?:how|who|what|which)) [^,;.]*[,;.]?"
)
_REASONS = re.compile(
    r"(?:,|^)? ?\b(?:so that|in order to|so as to|because|since (?:i|he|they|my)|(?<!long )(?<!soon )as"
    r" (?:he|his|the|their)"
    r"|which (?:ends|releases|means|gives|leaves)"
    r"|to (?:give|fund|free (?:up|funds|cash|money)|make room|keep things|build)"
    r"|given (?:his|the|their)|thanks to|for the sake of)\b[^;.,]*"
)

_MORE = r"(?:more|higher|further|beyond(?: that)?|over(?: that)?|above(?: that)?)(?: than that)?"
_LESS = r"(?:fewer|less|lower|under(?: that)?|below(?: that)?)(?: than that)?"
_NEVER = r"(?:and |but )?(?:no|not|never|nothing|not (?:an?|1)(?: single)?(?: \w+)?)"
_END = r"(?= ?(?:$|[,;.:]| all the way))"

_NEGATED = r"(?:not|never|n't|no way)"
_SOMEBODY = r"(?:anyone|anybody|any player|any man|anything|any(?: other)? (?:formation|shape|system)|another(?: \w+)?)"
_NOBODY = r"(?:no ?1|no-one|nobody|none|no other \w+|no (?:player|man|formation|shape)|nothing)"
_EXCEPT = r"(?: else)? (?:but|except(?: for)?|other than|besides|apart from|bar|than)"
_INJURY = r"(?:an? )?injury"
_BODY = r"(?:hamstring|knee|ankle|calf|groin|thigh|foot|back|shoulder|muscle|ligament|acl|leg|toe|hip|wrist|quad)"
_CONSIDER = (
    r"(?:even )?(?:so much as )?(?:be )?(?:consider(?:ing)?|contemplat(?:e|ing)|think(?:ing)? (?:of|about)"
    r"|entertain(?:ing)?"
    r"|be tempted (?:to|into)|dream(?:ing)? of|look(?:ing)? at|toy(?:ing)? with)"
)
_CHIP = r"<(?:wildcard|free_hit|bench_boost|triple_captain)>"
_PLACE = (
    r"(?:(?:my|the|its|his) )?(?:\w+ )?(?:drawer|pocket|shelf|box|locker|bag|sleeve|holster|ice|hand|case|tin|cupboard)"
)
_EARLIEST = r"(?:very )?(?:earliest|soonest)"
_COUNTS = {"second": "2", "third": "3", "fourth": "4", "fifth": "5"}

_DENIALS = Lexicon(
    """
    # Verbs that say no to what follows.
    refuse* to, decline* to, rule/rules/ruling out, swear* off, abstain* from, refrain* from, forswear*,
    stop* me/you [from], prevent* me/us from, keep* me from, talk* ~ out of, fail* to, neglect* to, forget* to,
    resist* the urge/temptation to, say* no to, hold* off, hold* back from, stop* short of, barred from,
    off taking, away from taking, closed to, turn* down,
    """,
)
_DENIED = Lexicon(
    """
    # Predicates that say no to their subject.
    is/are/'s out of the question, is/are/'s not an option, isn't an option,
    is/are/'s off the table/menu/cards/agenda, is/are/'s not on the table, is/are/'s not happening,
    won't happen, will not happen, is/are/'s a no-no, is/are/'s unthinkable,
    """,
)
_BANNED = Lexicon(
    """
    # The same said of acts: of a player it is a condition ("he is banned"), of a chip a hold ("it is off limits").
    is/are/'s banned, is/are/'s forbidden, is/are/'s outlawed, is/are/'s prohibited, is/are/'s off limits,
    is/are/'s off-limits, is/are/'s taboo, is/are/'s a no-go,
    """,
)
_AVOIDING = re.compile(
    r"\b(?:avoid(?:s|ing|ed)?|(?:steer|stay)(?:s|ing)? (?:well )?(?:clear of|away from)) (?!<p|<c|\w+ <c)"
)

Rewriting = tuple[str, str | Callable[[re.Match[str]], str]]


_FRAMES: tuple[Rewriting, ...] = (
    # What leads up to a promise, or comes after it, without being part of it.
    (r"^if there's 1 thing [^,]*?(?:, ?| is |'s )(?:it's )?(?:that )?", ""),
    (
        r"^(?:1 thing(?:'s| is) (?:for sure|certain)|the (?:plan|rule|deal) is(?: simple)?|rule (?:number )?1"
        r"|here's the deal)[:,] ?",
        "",
    ),
    (
        r"^(?:you can bet|i can tell you|rest assured|know this|i've decided|i have decided|i decided)(?: that"
        r"| to)?[:,]? ",
        "",
    ),
    (
        r",? (?:when|once|after) (?:i'm (?:done|finished|through)|all is said and done|my business is done|all's done)",
        "",
    ),
    (r",? (?:and )?i (?:don't|do not) mean [^,;.]*", ""),
    (r",? (?:fit|injured|in form) or (?:not|injured|unfit|out of form)\b", ""),
    (r"(?: ?[,:;(]| -)+ (the \w+),? i mean\b\)?", r" \1"),
    (r"^no, (?=i |<p|my |the )|- no,", ""),
    (r", not even [^,;.]*", ""),
    (r",? (?:and )?no (?:question|doubt)(?=$|[,.])", ""),
    (r",? (?:it's|that's|it is|that is) not how [^,;.]*", ""),
    (r"\b(?:struck|crossed|scratched) off (?:my |the )?captain(?:cy|s) (?:short)?list\b", "never has the captaincy"),
    (r"\b(?:there'll|there will|there's|there is)(?: be)? no (?:going|turning|running) back to (?=<p)", "i never buy "),
    (r" is where i (?:draw the line|stop)\b", " at most"),
    (r"^nothing (?:gets|is) (?:activated|triggered)\b", "no <any> is played"),
    (
        r"\bmy (?:free )?(?:transfers|moves|fts) (?:pile|stack|build) up(?: \w+)? (?:until|till) "
        r"(?:there are|i have) (\d)"
        r"(?: of them)?",
        r"i save until i have \1 free transfers",
    ),
    (r" (?:ahead of|in preference to) <p[^>]+>", ""),
    (r",? not a (?:day|week|minute|moment|gameweek) (?:sooner|later|earlier|longer|before|after)[^,;.]*", ""),
    (r",? without (?:a|any|using a|playing a) <any>", ""),
    (r"\bi'm (?:now )?up to (\d)", r"i have \1"),
    (r"\bthat i (?:don't|never|won't) (?:spend|touch)\b", "unspent"),
    (r"\bif i (?:ever )?(?:do )?take (?:a hit|hits),? (?:it's|it is|they're) ", "hits are "),
    (
        r",? not (?:once|ever|for a (?:second|moment|minute)|at any (?:point|stage))(?=$|[ ,.])(?= (?:before"
        r"|until|till)|[,.]|$)",
        "",
    ),
    # "Hits? Never." and "Three forwards? Not from me."
    (
        r"(?:^|(?<=but )|(?<=and ))([^?,]+(?:, (?!but |and )[^?,]+){0,2}?)\? (?=[^?]*(?:\bno\b|\bnot\b"
        r"|\bnever\b|n't\b))[^?,;]*?(?= (?:before|until|till|by|in|from) gw|$)",
        r"never \1",
    ),
    (
        r" (?:is |are )?(?:only |strictly )?(?:for|in) (?:an? |real )?emergenc(?:y|ies)(?: only)?[,:;(]* ?"
        r"(?:meaning|by which i mean|which means|that is|namely)?:? (?=\d|at least )",
        " only if ",
    ),
    # "It would take three injuries for me to wildcard", "three injuries are what it takes".
    (
        r"\b(?:it(?:'d|'ll| would| will)? (?:takes?|needs?|requires?)|i(?:'d| would)? need) ([^,;.]+?) "
        r"(?:for me to|to make me|before i'd|before i|before|to get me to"
        r"|to(?! be (?:out|injured|missing|unavailable))) ([^;.]+)",
        r"i don't \2 unless \1",
    ),
    (
        r"^([^,;.]+?) (?:is|are) what (?:it takes|i need) (?:for me to|to make me|before i) ([^;.]+)",
        r"i don't \2 unless \1",
    ),
    (
        r"^([^,;.]+?) (?:is|are) the only (?:reason|thing|way) (?:i'd|i would|i'll|that makes me|for me to) ",
        r"unless \1, i don't ",
    ),
    (rf"\bnothing (?:short of|less than) {_INJURY} ", "never barring injury, "),
    (
        rf"^the only thing that (?:gets|makes me|would make me|will get) ([^,;.]+?) is {_INJURY}",
        r"never barring injury, \1",
    ),
    (r"\bif,? and only if,? ", "only if "),
    (
        r"^nothing (?:less|short of) (?:than )?([^,;.]+?) (?:makes|will make|would make|gets) me (?:to )?",
        r"unless \1, i don't ",
    ),
    (r"\bfor (?:fewer|less) than (\d+) (injuries|absentees|players)", r"unless \1 or more are out"),
    (r"^an(?:y)? injury to (<p[^>]+>) (?:and|means|makes|would mean|spells) ", r"if \1 is injured, "),
    (r"\b(stays?|remains?|keep\w*)\b([^,;.]*) with the (armband|captaincy)", r"\1\2 and has the \3"),
    (r"(?:is|'s|will be) no (?:game)?week (?:when|in which|that|where) ", " never "),
    (r"(?:won't|don't) do anything (?:but|other than|except) ", " "),
    (rf"{_NEGATED} (?:be )?(?:rule|ruling|ruled) out\b|wouldn't rule out\b", " might "),
    (r"\bi'd sooner [^,;.]+? than ", "i don't "),
    (r"\b(?:every )?now and (?:then|again)\b", "occasionally"),
    (r"\b(\w+) and \1\b", r"\1"),
    # Not even considering an act is a promise not to do it.
    (rf"({_NEGATED}) {_CONSIDER} ", r"\1 "),
    (rf"\b({_EARLIEST}) (?:that )?(?:i'll |i'd |i will |i would |i )?{_CONSIDER} ", r"\1 i'm "),
    (rf"^(?:an? |any |the )?(hits?|{_CHIP}) (?:needs?|requires?|takes?) (?=\d|at least|two|more)", r"no \1 unless "),
    # "Whenever I play it, it goes on Haaland".
    (rf"\b(?:when|whenever|if)(?: ever)? [^,]*?({_CHIP})[^,<]*, (?=it\b)(?:it(?='s))?", r"\1 "),
    # A chip that leaves its place is played.
    (rf"\b(?:leav|com|go|get|mov)\w* (?:out of|off|from)? ?{_PLACE}\b", " is played"),
)
_NUMBERS: tuple[Rewriting, ...] = (
    # "A third Chelsea player" is a matter of number.
    (
        r"\b(an?|no|any|that|this) (second|third|fourth|fifth)\b(?! (?:half|<(?!c)))",
        lambda match: f"{match[1]} {_COUNTS[match[2]]}",
    ),
    (r"\b(\d+) (?:players? )?in,? (?:and |& )?(?:\1|the same number) out\b", r"\1 transfers"),
    (r"\b(\d+) out,? (?:and |& )?\1 in\b", r"\1 transfers"),
    (r"\b(?:nobody|no ?1) (?:in|out),? (?:and )?(?:nobody|no ?1) (?:in|out)\b", "no transfers"),
    # What is counted is named once: "I have three free transfers and use one".
    (
        r"(\b\d free (?:transfers?|moves?)\b[^;.]*?\b(?:us(?:e|es|ing)|mak(?:e|es|ing)|spend(?:s|ing)?) "
        r"(?:just |only |at least |at most |exactly |up )?(?:the )?\d)(?: of them)?"
        r"(?=$|[,.;]| (?:this|next|in|every|each|a)\b)",
        r"\1 transfers",
    ),
    (
        r"<p[^>]+> is (?:now )?my (?:only|sole|lone|1) (<c:[^>]+>)(?: (?:boy|man|lad|player|asset))?(?=$|[,.;]| left)",
        r"i have only 1 \1 player",
    ),
    (r"\b(?:a )?double (?:swap|switch|transfer|move)\b", "2 transfers"),
    (r"\b(?:a )?triple (?:swap|switch|transfer|move)\b", "3 transfers"),
    (r"\bpaid[- ]for (?=transfers?\b|moves?\b|swaps?\b)", "paid "),
    # Tags that make a number a limit: "two, no more".
    (rf",? (?:and )?not (?:1|a)(?: single)? (?:1 )?more{_END}", " at most"),
    (rf",? {_NEVER} {_MORE}{_END}", " at most"),
    (rf",? {_NEVER} {_LESS}{_END}", " at least"),
    (
        r",? (?:and )?(?:is|are|that's) (?:my lot|me done|me finished|it|all i'll have|all i(?:'ll"
        r"| will)? (?:own|take|make|do))\b",
        " at most",
    ),
    (r"\b(\d+)-pointers?\b", r"\1 points"),
    (r",? (?:and |but )?never (?:more|\d+)$", " at most"),
    (r",? at the (?:outside|outset|limit)\b", " at most"),
    (rf",? (?:and )?(?:to )?(?:{_NOBODY}|no) else(?:'s)?{_END}", " only"),
)
_EXCEPTIONS: tuple[Rewriting, ...] = (
    # "Nobody but Haaland", "never anyone but Haaland", "anyone but Haaland".
    (rf"\b{_NOBODY}{_EXCEPT} (?=<p|\d-|{_INJURY})", "only "),
    (rf"\b{_NOBODY} ([^,;.]*?) (?:but|except(?: for)?|other than|apart from|besides) (<p[^>]+>)", r"only \2 \1"),
    (rf"{_NEGATED} ([^,;.]*?)\b{_SOMEBODY}{_EXCEPT} (?=<p|\d-|{_INJURY})", r" \1only "),
    (rf"\b{_SOMEBODY}{_EXCEPT} (?=<p|\d-)", "not "),
    (rf"{_NEGATED} (?:deviat|chang|stray|depart|mov|switch)\w* (?:away )?from (?=\d-)", "only "),
    (r"\b(?:1|either) of (<p[^>]+>),? (?:and|or|&) (<p[^>]+>)", r"\1 or \2"),
    (r"\bnothing but\b", "only"),
    (r"\bno-(<[pc][^>]+>) (?:policy|rule|zone)\b", r"no \1"),
    (r"(<[pc][^>]+>)-free\b", r"without \1"),
    (r"\b(?:done|finished|through) with (?=hits|taking|paying|minus|handing|giving|captaining|playing|buying)", "no "),
)
_FITNESS: tuple[Rewriting, ...] = (
    (r"^(<p[^>]+>)(?:'s| is)? (out|injured|fit|ruled out|suspended) ?(?:=|->|means) ?", r"if \1 is \2, "),
    (r"^(<p[^>]+>)(?:'s| is)? (out|injured|ruled out|suspended)\? ?(?:then )?", r"if \1 is \2, "),
    (r"^no (<p[^>]+>)(?:, then|\?(?: then)?) ", r"if \1 is injured, "),
    (r"^were (<p[^>]+>) to be ", r"if \1 is "),
    (
        r"\bno (<p[^>]+>)((?: this week| in gw\d+)?),? (?:through|due to|owing to|because of|thanks to|with) "
        r"(?:an? |his )?(?:injury|knock|ban|suspension)\b",
        r"\1 is injured\2",
    ),
    (
        r"(?:\bthere(?:'s| is) )?\bnothing (?:at all |whatsoever )?(?:wrong|the matter|amiss) with (<p[^>]+>)"
        r"(?:'s? (?:legs?|fitness|body|health|knees?|hamstrings?))?",
        r"\1 is fit",
    ),
    (r"(<p[^>]+>)(?:'s| is) (?:fine|all right|alright|ok|okay|in full health|good to go)\b", r"\1 is fit"),
    (r"\b(\d+) (?:are|is) (?:saved|banked)\b", r"i have \1 free transfers"),
    (r"^((?:if|when|whenever|should|unless) [^,:]*): ", r"\1, "),
    (
        rf"(?: has|'s| have) (?:done|torn|pulled|broken|strained|twisted|tweaked|injured|hurt|damaged) (?:his|a"
        rf"|an) {_BODY}",
        " is injured",
    ),
    (r" (?:limped off|is on crutches|has been sent off|was sent off|got a red card)", " is injured"),
    (r"(?:isn't|aren't|is not|are not|'s not|\bnot|wasn't) (?:fully )?(?:fit|available|healthy)\b", " is injured"),
    (r"(?:isn't|aren't|is not|are not|'s not|\bnot) (?:injured|ruled out|suspended|unavailable|hurt)\b", " is fit"),
    (r"^fit, (?=<p)", "when fit, "),
    (r"(?<!'s )(?<!is )(?<!passed )\b(?:an? )?(?:fully )?(?:fit|healthy)(?:-again)? (<p[^>]+>)", r"\1 if fit"),
    (r"^without (<p[^>]+>),", r"if \1 is injured,"),
    (r"\b(?:in (<p[^>]+>)'s absence|in the absence of (<p[^>]+>))", lambda m: f"if {m[1] or m[2]} is injured"),
    (r"\b(?:as|so) long as (?:his|the) fitness (?:holds|allows)(?: up)?", "if fit"),
    (r",? injur(?:y|ies) aside", " barring injury"),
    (r"^(?:injury|fitness) permitting, ", "when fit, "),
    (rf",? (?:injur(?:y|ies)|fitness) permitting|,? bar {_INJURY}", " barring injury"),
    (r"\b(?:an? )?(<p[^>]+>) injury\b", r"injury to \1"),
    (
        rf"\bonly {_INJURY}( to <p[^>]+>)? (?:makes? me|gets?|takes?|keeps?|forces? me to"
        r"|(?:will|could|can|would) (?:make me|get|take))",
        r"never barring injury\1, ",
    ),
    (
        rf"\bonly {_INJURY} (?:stops?|prevents?|can stop|will stop) ([^,;.]+?) (?:from )?(?=captain|start|play)",
        r"barring injury, \1 ",
    ),
    (r"\b(15 out of 15|15/15) (?=fit|available)", "all 15 "),
)
_WEEKS: tuple[Rewriting, ...] = (
    (r"\b(?:on )?this side of (gw\d+)", r"before \1"),
    (
        rf"^(gw\d+) is when (?:the |my )?({_CHIP}) (?:becomes|is) (?:available|an option|usable|in play)[^,;.]*",
        r"not before \1, i play \2",
    ),
    (r"^never (<p[^>]+>)(?= (?:before|until|till) gw)", r"no \1"),
    (
        r"^(gw\d+) is the first (?:time|week|gameweek) (?:that )?(?:i'd |i'll |i would |i )?(?:even )?",
        r"not before \1, i ",
    ),
    (r"^(gw\d+) (?:must|has to) (?:arrive|come) before ", r"not before \1, "),
    (r"^come (gw\d+),? ", r"in \1, "),
    (r"\bby the time (gw\d+) is (?:done|over|finished)", r"by \1"),
    (r"\bthe (gw\d+) deadline\b", r"\1"),
    (r"^((?:in |from )?gw\d+[^:<]*): (?!gw)", r"\1 "),
    (r"\bas far as(?: and including)? (gw\d+)", r"through \1"),
    (
        rf"\bthe {_EARLIEST} (?:that )?(?!is)([^,;.]+?) (?:is|will be|would be) (?:in )?(gw\d+)",
        r"\1 \2 at the earliest",
    ),
    (r"\bit(?:'ll| will) be (gw\d+) before ", r"not before \1, "),
    (r"\bonly (?:from|after|starting (?:in|from)|once we reach) (gw\d+)(?: on(?:wards?)?)?", r"\1 at the earliest"),
    (
        r"\bonly (\w+ (?:\w+ )?)(?:from|after|starting (?:in|from)) (gw\d+)(?: on(?:wards?)?)?",
        r"\1\2 at the earliest",
    ),
    (r"\bcome (gw\d+) at the latest", r"by \1"),
    (r"^(\d+) is (?:the (?:game)?week|when)\b", r"in gw\1"),
    (r"[:,]? that's (?:when|the (?:game)?week(?: in which)?) ", " "),
    (
        r"(?:won't|will not|doesn't|does not|not) (?:be (?:around|here|in my (?:squad|team))|make it|survive|last"
        r"|outlast|live)(?: in my (?:squad|team|side))? (?:past |after |beyond |out |for longer than )?(gw\d+)"
        r"(?: in my (?:squad|team|side))?",
        r"is gone by \1",
    ),
    (r"(?:won't|doesn't|will not|does not) (?:see|reach|make it to|get to) (gw\d+)", r"is gone before \1"),
    (r"\bwaits? for (gw\d+)", r"wait until \1"),
    (r"\bon or before (gw\d+)", r"by \1"),
    (r"(?:won't|will not) be (?:in my (?:team|squad|side|15)|here|around) come (gw\d+)", r"is gone before \1"),
    (r"^(?=.*\b(?:always|every|each|never)\b)(.*?) (?:in|over )?to (?:the )?next (?:game)?week\b", r"\1 over"),
    (r"\b(?:is|are) (?:the (?:game)?week )?(?:when|in which|that) ", ""),
    (
        r"\b(?:gets?|has|have|is given) (until|till) (gw\d+) (?:before i \w+[^,;.]*|to (?:prove|show|deliver"
        r"|perform|turn|come)[^,;.]*)",
        r"stays \1 \2",
    ),
    (r"\b(?:gets?|has|have) (?:until|till) (gw\d+) to (?:leave|go|be sold)\b", r"leaves by \1"),
    (r",? (?:rather than|instead of|and not|not) (?:in )?gw\d+", ""),
    (r"\bcome (gw\d+)(?=$|[,.;])", r"in \1"),
    (r"\b(transfers? (?:\w+ )?)(?:for|into|over to|to) (?:the )?next (?:game)?week\b", r"\1this week"),
)
_IN_HIS_PLACE = r"(?:takes? (?:his|the) (?:spot|place)|comes? in for him|replaces? him|succeeds? him)"
_WITH_HIS_MONEY = r"(?:with (?:the|that|his) (?:money|cash|funds|proceeds)|in his (?:place|stead)|to replace him)"
_EXCHANGES: tuple[Rewriting, ...] = (
    (
        rf"^(?:when|once|if|the day) (<p[^>]+>) (?:goes|leaves|is sold|departs|makes way|exits),? "
        rf"(?:(?:it's|it is|it'll be|then) )?(<p[^>]+>)(?: (?:who|that))? {_IN_HIS_PLACE}",
        r"\1 is replaced by \2",
    ),
    (
        r"(<p[^>]+>)(?:'s| is| has been)? (?:goes|going|sold|leaves|departs|makes way)((?: this week| in gw\d+)?)"
        r",? (?:and |with )?(<p[^>]+>) (?:(?:is|was|has been|is who i've|is the man i've|comes|'s) )?"
        rf"(?:bought|signed|brought|in) {_WITH_HIS_MONEY}",
        r"\1 is replaced by \3\2",
    ),
    (
        r"(<p[^>]+>) [^<;.]*?\b(?:and|so|with) (<p[^>]+>) (?:has |have |is )?"
        r"(?:replaced|replacing|replaces|taken the place of) him\b",
        r"\1 is replaced by \2",
    ),
)
_SHORTHAND: tuple[Rewriting, ...] = (
    # A manager who says "we" is one.
    (r"\bwe(?=\b|')", "i"),
    (r"\bour\b", "my"),
    (r"\bours\b", "mine"),
    (r"\b(?:us|ourselves)\b", "me"),
    (r"\bi're\b", "i'm"),
    (r"\bain'?t\b", "isn't"),
    (r"\bb4\b", "before"),
    (r"\bpre-? ?(?=gw\d)", "before "),
    (r" ?< ?(?=[£\d])", " under "),
    (r"(<[^<>]*>)| ?> ?(?=[£\d])", lambda match: match[1] or " over "),
    (rf"({_CHIP}) (?:2|number 2)\b(?! (?:more|or|and))", r"second \1"),
    (r"-(\d+)s\b", r"-\1"),
    (r", c(?=,|$)", " captain"),
    (r"\((?:c|captain)\)", " captain "),
    (r"\((?:vc|v|vice)\)|\bvc\b", " vice captain "),
)


@cache
def _rewritings() -> tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]:
    groups = (_SHORTHAND, _FRAMES, _NUMBERS, _EXCEPTIONS, _FITNESS, _WEEKS, _EXCHANGES)
    return tuple((re.compile(pattern), instead) for group in groups for pattern, instead in group)


def plainly(text: str) -> str:
    """The prepared sentence without asides, in the wordings that windows, conditions and clauses are read from."""
    text = ASIDES.taken_from(text)
    text = _without_edges(patterns.sub(r"(?: ?[,:;])+(?= ?[,;.])", "", text))
    for pattern, instead in _rewritings():
        text = pattern.sub(instead, text)
    text = _CONCESSIONS.sub(" ", text)
    text = _AVOIDING.sub("not ", _DENIALS.taken_from(text, "not"))
    text = _DENIED.taken_from(text, " is not")
    text = patterns.sub(
        rf"(?<!>)(?<!> )(?<!\bhe )(?<!they )(?<!more )(?<!of mine ){_BANNED.pattern.pattern}", " is not", text
    )
    text = patterns.sub(r"(?: ?[,:;])+(?= ?[,;])", "", text)
    return _without_edges(text)


def _without_edges(text: str) -> str:
    """The text in single spaces, without punctuation around it; the minus of a hit stays."""
    return patterns.sub(r"^(?:[ ,.;:!]|-(?!\d))+", "", patterns.sub(r"\s+", " ", text)).rstrip(" ,.;:!-")


def without_reasons(text: str) -> str:
    """The text without what only says why or what for."""
    return _REASONS.sub(" ", text)
