"""The gambler: pays hits with a grin, spends chips while they are warm, and would rather be wrong than bored."""

VOICE: dict[str, tuple[str, ...]] = {
    "opening": (
        "Cards on the table: {premium}, {captain}'s armband, and {bank} left for the taxi. Somebody has to "
        "bet on week one and it is always me.",
    ),
    "sell_one": (
        "{out} {why_out}. Off the table. {in_} {why_in}, and I like the smell of that.",
        "Swap of the night: {out} for {in_}. The one {why_out}; the other {why_in}. I have lost more on worse.",
        "I cannot look at {out} any longer; he {why_out}. {in_} {why_in}. Deal.",
        "{in_}. He {why_in}. {out} had his spins and {why_out}.",
    ),
    "sell_many": (
        "New hand, please. {outs} go back to the dealer and {ins} come up. {in_} {why_in}; the rest keep him company.",
        "I am ripping up half the script: {ins} for {outs}. {in_} {why_in}, and a man should not wait for that.",
        "{outs}? Gone. {ins}? Mine. {in_} {why_in}.",
    ),
    "hit": (
        "It costs {points} points. I make the upside {gain}. Those are odds I would take in the street.",
        "Minus {points}, and I am smiling. The model in my head says {gain} back, and the model in my head tips well.",
        "Pay the {points}. You do not win a season by asking what everything costs, and I expect {gain} for it.",
    ),
    "roll": (
        "I hate this paragraph: no move. The table offered nothing, so I keep my stake, {left} next week.",
        "Even I fold sometimes. {left} to play with next week, and then we will see who is careful.",
        "Nothing on the board worth a chip or a transfer. I fold, loudly. {left} next week.",
        "I sat on my hands and they went numb. {left} next week. It had better be worth it.",
    ),
    "wildcard": (
        "All in. Wildcard, {count} changes, and a squad that smells of fresh paint. {in_} {why_in}.",
        "Burn it down, beautifully: {count} new faces on the wildcard, led by {in_}, who {why_in}.",
    ),
    "free_hit": (
        "Free hit. One night, {count} strangers, no regrets. {in_} {why_in}.",
        "Tonight's cast is hired: {count} on a free hit, with {in_} on top of the bill, because he {why_in}.",
    ),
    "bench_boost": (
        "Everybody plays. {names} off the bench, {bench} points I can practically hear.",
        "Bench boost, now, while the bench is hot: {names}, about {bench} between them.",
    ),
    "triple_captain": (
        "Triple on {captain}. {fixture}. If it goes wrong you may laugh; if it goes right I shall.",
        "Three times {captain}, {fixture}. Chips are for playing, not for stroking.",
    ),
    "signed": (
        "My assistant is learning: the sheet is as greedy as I am. Signed.",
        "I looked for a way to make the sheet bolder and did not find one. Play it.",
        "Assistant, you brought me a bet I would have placed myself.",
        "The sheet stands. I only wish it were more dangerous.",
    ),
    "overruled": (
        "The assistant offered {theirs}. I raise: {mine}.",
        "{theirs}, says the sheet. {mine}, says the man whose name is on the door.",
        "I took the assistant's {theirs}, folded it into a paper plane, and went for {mine}.",
    ),
    "coach": (
        "Coach screams {name}, {place}. Love the noise, but {because}.",
        "{name} {place}? Not tonight: {because}.",
        "Yes, coach, {name} is {place}. And {because}, so he stays a rumour.",
        "I almost went for the coach's {name} ({place}). Almost: {because}.",
    ),
    "coach_agrees": (
        "{name} was {place} on the coach's list and I never needed telling twice.",
        "The coach whispered {name}, {place}; I shouted it.",
    ),
    "captain": (
        "Armband: {captain}, {fixture}. Put it all on him.",
        "{captain} with the armband, {fixture}. Red seven.",
        "{fixture}: that is {captain}'s kind of evening, so he leads.",
        "Captain {captain}. {fixture}. I will not watch, and then I will watch all of it.",
    ),
    "armband": (
        "Everyone will hand it to {other}. I hand it to {captain}: {fixture}. Same price, better story.",
        "{captain} over {other} for the armband. {fixture}, and far fewer people on the same bus.",
    ),
    "kept": (
        'I did say in gameweek {week}: "{promise}" Even I pay some debts.',
        'Gameweek {week}, my own big mouth: "{promise}" Fine. This time I stick.',
        'There it is in ink, gameweek {week}: "{promise}" I am itching, but I am keeping it.',
    ),
    "broken": (
        'In gameweek {week} I swore "{promise}" I am breaking that. There are about {cost} points on the other side '
        "of it and I was never good at walking past money.",
        'Remember gameweek {week}? "{promise}" Forget gameweek {week}. I am breaking my word for {cost} points, in '
        "public, with the lights on.",
        'I said "{promise}" in gameweek {week}, and I meant it, and I am not doing it. {cost} points is what it '
        "would cost. Boo if you like.",
    ),
    "let_go": (
        'I swore "{promise}" in gameweek {week}. Cannot be done tonight, so it is not done: promise '
        "broken, house wins.",
    ),
    "quote": (
        'Gameweek {week}, me, on the record: "{said}." Still playing that hand.',
        '"{said}," I said in gameweek {week}. Ask me again in ten minutes.',
        'I told you in gameweek {week}: "{said}." Nobody ever writes these things down except me.',
    ),
    "after_success": (
        "{points} in gameweek {last}, {rank} of {of}. Let it ride.",
        "{rank} of {of} last week. The drinks were on the other seven.",
    ),
    "after_failure": (
        "{points} points, {rank} of {of}. I have had worse nights; I just cannot remember them.",
        "Gameweek {last} cleaned me out: {points}, {rank} of {of}. Double or nothing is a philosophy too.",
    ),
    "closing": (
        "Spin it.",
        "Fortune hates a spreadsheet.",
        "If this works you will say it was obvious.",
        "Somebody has to finish first, and it will not be somebody cautious.",
        "See you on the other side.",
    ),
}
