"""The form chaser: lives in the last five weeks, and never met a hot streak it did not believe in."""

VOICE: dict[str, tuple[str, ...]] = {
    "opening": (
        "No form table yet, which is torture. I start with last spring's heat: {premium}, {captain} with the armband, "
        "{bank} kept loose, because by week three I will know who is burning.",
    ),
    "sell_one": (
        "{out} has gone cold: he {why_out}. {in_} {why_in}. Yesterday's papers are for wrapping fish.",
        "Touch {out} and your hand freezes; he {why_out}. {in_} is the opposite of that: he {why_in}.",
        "{in_} now. He {why_in}, and streaks do not send a second invitation. {out} {why_out}.",
        "The thermometer says {in_}, who {why_in}. It stopped saying {out}, who {why_out}.",
    ),
    "sell_many": (
        "Cold ones out, warm ones in: {outs} make room for {ins}. {in_} {why_in}.",
        "The last five weeks speak and I obey: {ins} for {outs}. {in_} {why_in}.",
        "I follow the heat, and the heat moved. {outs} out; {ins} in; {in_} {why_in}.",
    ),
    "hit": (
        "Costs me {points}. A streak pays by the week, I count {gain} coming, so waiting is the dearer option.",
        "{points} points for being early. I make it {gain} back, and being late to a streak pays nothing.",
    ),
    "roll": (
        "Everybody I own is warm enough. No move, and {left} next week, when somebody new will be on fire.",
        "The form table and my squad are, for once, the same list. I hold; {left} next week.",
        "No temperature change worth a transfer. {left} next week.",
        "I checked the last five weeks three times looking for an excuse to move. There was none. {left} next week.",
    ),
    "wildcard": (
        "Half the squad is living on memories. Wildcard, {count} changes, all of them on current form: {in_} {why_in}.",
        "New weather, new wardrobe. {count} in on the wildcard, {in_} hottest of them, who {why_in}.",
    ),
    "free_hit": (
        "One week, the hottest {count} I can carry. {in_} {why_in}. Next week the thermometer starts again.",
        "Free hit, {count} men in the mood of their lives. {in_} {why_in}.",
    ),
    "bench_boost": (
        "Even the bench is in form: {names}, {bench} points between them. Boost it before it cools.",
        "{names} are all playing and all warm; {bench} points should not sit in the dugout.",
    ),
    "triple_captain": (
        "{captain} is the hottest thing I own and he has {fixture}. Three times, please.",
        "Streak meets fixture: {captain}, {fixture}. Triple.",
    ),
    "signed": (
        "The assistant read the same five weeks I did. Signed.",
        "Nothing cold left on the sheet. I sign.",
        "My assistant smelled the smoke as well. It stands.",
        "Sheet approved: everybody on it has touched a ball lately.",
    ),
    "overruled": (
        "My assistant wanted {theirs}, which is last month's news. I go for {mine}.",
        "{theirs}? That was true in another month. {mine}.",
        "The draft said {theirs}. The last five weeks say {mine}, and I side with the last five weeks.",
    ),
    "coach": (
        "The coach has {name} {place}. Warm, I grant it, but {because}.",
        "{name}, {place}, tempted me all morning. {because}, so not yet.",
        "Coach, your {name} ({place}) makes sense on paper. Only {because}.",
        "On the coach's {name}, {place}: {because}. Ask me again after one more goal.",
    ),
    "coach_agrees": (
        "{name}, {place} with the coach, was on my list before he finished the sentence.",
        "The coach and I both felt the heat off {name}, {place}.",
    ),
    "captain": (
        "{captain} wears it: {fixture}, and nobody I own is hotter.",
        "Armband to {captain}, {fixture}. Ride it until it throws you.",
        "{fixture} for {captain}, and he leads.",
        "Captain {captain}. {fixture}. Momentum is a position too.",
    ),
    "armband": ("{captain} instead of {other}: {fixture}, and the warmer boots.",),
    "kept": (
        'Inconvenient, but I said in gameweek {week}: "{promise}" I keep it, grumbling.',
        'Gameweek {week} me was sure of himself: "{promise}" Today me honours it.',
        'I promised "{promise}" back in gameweek {week}, ages ago by my clock. Still, a word is a word.',
    ),
    "broken": (
        'In gameweek {week} I said "{promise}" That was five weeks of form ago, or feels like it. I am breaking it: '
        "{cost} points say the world moved on.",
        'I am going back on gameweek {week}: "{promise}" Promises age, and this one costs {cost} points to keep warm.',
        'Yes, I wrote "{promise}" in gameweek {week}. No, I am not keeping it; {cost} points is a lot to pay for '
        "having been right once.",
    ),
    "let_go": (
        'In gameweek {week} I promised "{promise}" The squad will not bend that far any more. Broken, and I say so.',
    ),
    "quote": (
        'What I wrote in gameweek {week} still steams: "{said}."',
        '"{said}." That was gameweek {week}; form changes, the principle does not.',
        'I quote myself, gameweek {week}: "{said}." Still warm.',
    ),
    "after_success": (
        "{points} in gameweek {last}, {rank} of {of}. Now I am in form too.",
        "{rank} of {of}: streaks are contagious.",
    ),
    "after_failure": (
        "{points} points and {rank} of {of}. Even the sun goes in; I will find where it went.",
        "Gameweek {last} went cold on me, {points}, {rank} of {of}. Fine: new week, new heat.",
    ),
    "closing": (
        "Five weeks is a lifetime.",
        "Follow the smoke.",
        "History is for museums.",
        "If he scores again, remember who was early.",
        "Back on Friday with a fresh thermometer.",
    ),
}
