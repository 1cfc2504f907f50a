"""The contrarian: distrusts anything that everybody owns, and would rather fall alone than rise in a crowd."""

VOICE: dict[str, tuple[str, ...]] = {
    "opening": (
        "There is a team that everyone has this morning. This is not it. {premium} I could not avoid, {captain} I "
        "chose, and {bank} is left over for further disagreement.",
    ),
    "sell_one": (
        "{out} {why_out}. {in_} {why_in}, and I like how few people have noticed.",
        "I leave {out} to the crowd; he {why_out}. {in_} {why_in}.",
        "{in_}, since you ask. He {why_in}. The herd can have {out}, who {why_out}.",
        "Out {out}, who {why_out}. In {in_}, who {why_in}. You will not see that swap twice this week.",
    ),
    "sell_many": (
        "Everybody is queueing at one door, so I use the other: {ins} for {outs}. {in_} {why_in}.",
        "{outs} were beginning to look like somebody else's team. {ins} look like mine. {in_} {why_in}.",
        "A small riot: {outs} out, {ins} in. {in_} {why_in}.",
    ),
    "hit": (
        "{points} points for being different before it is fashionable. I expect {gain}.",
        "I pay {points} and expect {gain}. The crowd will pay more for the same idea in three weeks.",
    ),
    "roll": (
        "Everyone is buying somebody today. I am not. {left} next week.",
        "The bravest move on a day like this is none. {left} next week.",
        "I do not chase what everybody chases. Nothing done; {left} next week.",
        "A stampede went past the window this morning. I waved. {left} next week.",
    ),
    "wildcard": (
        "My team had started to resemble the average. Wildcard, {count} changes, {in_} first: he {why_in}.",
        "{count} changes on the wildcard, in a week when nobody tells you to. {in_} {why_in}.",
    ),
    "free_hit": (
        "A free hit, {count} hirelings, and not the obvious ones. {in_} {why_in}.",
        "One week in disguise: {count} on a free hit. {in_} {why_in}.",
    ),
    "bench_boost": (
        "They will say it is the wrong week for a bench boost. {names}, {bench} points: my right week.",
        "{names} start on my bench and count all the same, {bench} points or so. Nobody else was looking.",
    ),
    "triple_captain": (
        "Triple {captain}. {fixture}. The consensus date for this chip is another one, which is a point in favour.",
        "I play the triple captain when I like it, not when it trends: {captain}, {fixture}.",
    ),
    "signed": (
        "I tried to disagree with my assistant and failed. It happens. Signed.",
        "The sheet is odd enough for me. It stands.",
        "My assistant has stopped being sensible, so I sign.",
        "No objection, which embarrasses us both. Signed.",
    ),
    "overruled": (
        "The assistant wanted {theirs}, like everybody with a keyboard. I prefer {mine}.",
        "{theirs} is the polite answer. Mine is {mine}.",
        "I was handed {theirs} and handed back {mine}. Somebody has to spoil the symmetry.",
    ),
    "coach": (
        "The coach, and the whole country, have {name} {place}. I do not: {because}.",
        "{name} is {place}. Naturally. But {because}.",
        "Coach, when everybody nods at {name} ({place}) I look for the door. Also, {because}.",
        "I have heard the case for {name}, {place}. The case against: {because}.",
    ),
    "coach_agrees": (
        "{name} is {place} with the coach. I bought him anyway, for my own reasons.",
        "It pains me to agree with the coach about {name}, {place}. I recover quickly.",
    ),
    "captain": (
        "{captain} captains. {fixture}. Popular, I am told; I looked for an excuse and found none.",
        "Armband on {captain}: {fixture}.",
        "Captain {captain}, {fixture}. Being different is a means, not a religion.",
        "{fixture}, so {captain} leads.",
    ),
    "armband": (
        "The crowd gives {other} the armband. I give it to {captain}: {fixture}. If he scores I pass you all at once.",
        "{captain}, not {other}. {fixture}. Ranks are won in the gap between what is likely and what everybody does.",
        "No, not {other}. {captain} has {fixture}, and the armband, and me.",
    ),
    "kept": (
        'I wrote in gameweek {week}: "{promise}" Consistency is unfashionable enough that I will practise it.',
        'Everyone breaks these. In gameweek {week} I said "{promise}" and I keep it.',
        'It would be easy to forget gameweek {week}: "{promise}" I never do the easy thing.',
    ),
    "broken": (
        'In gameweek {week} I said "{promise}" I now disagree with myself, which was only a matter of time. Keeping it '
        "costs about {cost} points; I am breaking it.",
        'I break a promise today: "{promise}" (gameweek {week}). I argue with everybody, and {cost} points say the '
        "man of gameweek {week} was wrong.",
    ),
    "let_go": (
        'In gameweek {week} I promised "{promise}" The rules disagree with me and for once they win. I break it.',
    ),
    "quote": (
        'I said in gameweek {week}: "{said}." Nobody agreed then either.',
        '"{said}." Gameweek {week}. It has aged better than the consensus.',
        'To quote the only manager I trust, in gameweek {week}: "{said}."',
    ),
    "after_success": (
        "{points} points, {rank} of {of}. The crowd is welcome to look up.",
        "Gameweek {last}: {rank} of {of}. It is quiet up here.",
    ),
    "after_failure": (
        "{points} points, {rank} of {of}. Being wrong alone costs no more than being wrong together.",
        "Gameweek {last} belonged to the crowd: I got {points}, {rank} of {of}. They may keep it.",
    ),
    "closing": (
        "If you agree with this, I shall have to think again.",
        "The road is wide because everybody is on it.",
        "Average is a place, and I have no wish to live there.",
        "Laugh now, if you like.",
        "Somebody must be the other side of the bet.",
    ),
}
