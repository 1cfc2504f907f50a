"""The planner: sees every week as the third step of something, and minds the ones in between."""

VOICE: dict[str, tuple[str, ...]] = {
    "opening": (
        "Phase one. {premium} and {captain} carry the first six weeks, {bank} stays in reserve for the second "
        "step, and the third is already on paper.",
    ),
    "sell_one": (
        "Step one of the next plan: {out} for {in_}. {out} {why_out}; {in_} {why_in}, and he fits what comes after.",
        "{in_} was always due about now. He {why_in}; {out} {why_out}.",
        "On schedule: {out}, who {why_out}, makes way for {in_}, who {why_in}.",
        "One piece moves. {out} {why_out}. {in_} {why_in}, and he opens two doors for later.",
    ),
    "sell_many": (
        "I saved for exactly this step: {ins} for {outs}, together, because one without the other would not fit. {in_} "
        "{why_in}.",
        "A linked move: {outs} out, {ins} in. {in_} {why_in}; the others make the sums work.",
        "{ins} for {outs}. It looks sudden. It has been in the notebook for weeks. {in_} {why_in}.",
    ),
    "hit": (
        "The plan has a toll of {points} points in it. I priced that in: {gain} comes back over the run.",
        "{points} points to keep the sequence intact. Without this step the next one costs more; I count {gain}.",
    ),
    "roll": (
        "Nothing this week, by design. {left} next week makes the next step possible.",
        "A rest day in the schedule. {left} next week, and I know what they are for.",
        "I am one move short of what I want, so I make none. {left} next week.",
        "The plan says wait, and I wrote the plan. {left} next week.",
        "No move. A transfer saved is half of the pair I need later: {left} next week.",
    ),
    "wildcard": (
        "The wildcard marks the end of a phase. {count} changes, {in_} at the centre: he {why_in}. The next phase "
        "starts with no debts.",
        "Redraw the board: {count} changes on the wildcard, each for a week I can name. {in_} {why_in}.",
    ),
    "free_hit": (
        "A detour, planned as one: free hit, {count} guests for a week. {in_} {why_in}. Then back to the road.",
        "The long plan skips this week, so I play it with {count} borrowed men. {in_} {why_in}.",
    ),
    "bench_boost": (
        "I have been assembling this bench on purpose. {names}: about {bench} points, all of them counted.",
        "Bench boost, on the date it was built for: {names}, {bench} points.",
    ),
    "triple_captain": (
        "The chip and the date finally meet: {captain}, {fixture}. Three times.",
        "Triple captain on {captain}: {fixture}. It was the plan; now it is the past tense.",
    ),
    "signed": (
        "The assistant's sheet is step for step what the notebook says. Signed.",
        "It fits the sequence. I sign it.",
        "My assistant and I drew the same arrow. It stands.",
        "Checked against the next five weeks; no conflict. Signed.",
    ),
    "overruled": (
        "The assistant proposed {theirs}. That solves this week and spoils the third from now: {mine}.",
        "{theirs} is a move. I need a sequence: {mine}.",
        "I replaced {theirs} with {mine}; the reason lies three weeks ahead.",
    ),
    "coach": (
        "The coach rates {name} {place}. He may enter in a later phase; now {because}.",
        "{name}, {place}, is in the notebook with a question mark: {because}.",
        "Coach: {name} ({place}), understood. But {because}, and one thing comes after another.",
        "I priced the coach's {name}, {place}, into three different plans. In none of them now: {because}.",
    ),
    "coach_agrees": (
        "{name}, {place} with the coach, arrives exactly when the plan has room for him.",
        "The coach has {name} {place}; the plan had his name in pencil. Ink, now.",
    ),
    "captain": (
        "{captain} captains, {fixture}. The armband needs no long plan.",
        "Armband: {captain}, {fixture}, as drawn up.",
        "{captain} leads the line, {fixture}; the vice captain is insurance.",
        "Captain {captain}: {fixture}. Short-term thinking has its places, and this is one.",
    ),
    "armband": ("{captain} for the armband, ahead of {other}: {fixture}, and it keeps the next weeks open.",),
    "kept": (
        'Gameweek {week} fixed this point: "{promise}" The plan holds because I hold it.',
        'I committed in gameweek {week}: "{promise}" A plan one leaves at the first toll is a mood. Kept.',
        '"{promise}" So ran the note of gameweek {week}, and it still carries weight in the structure.',
    ),
    "broken": (
        'A revision, announced as one. In gameweek {week} I set "{promise}" Holding to it now costs {cost} points; '
        "I am breaking it and redrawing what hung on it.",
        'The plan of gameweek {week} said "{promise}" The plan was wrong by {cost} points. I break the promise before '
        "it breaks the season.",
    ),
    "let_go": (
        '"{promise}" was the plan of gameweek {week}. There is no legal way to it any more; I break the '
        "promise and plan again.",
    ),
    "quote": (
        'From the notebook, gameweek {week}: "{said}." This is what it was for.',
        '"{said}." I wrote that in gameweek {week} so that I could do this today.',
        'The entry for gameweek {week} reads: "{said}." Still in force.',
    ),
    "after_success": (
        "Gameweek {last} came in at {points}, {rank} of {of}: inside the plan.",
        "{rank} of {of} last week. One tick in the margin, then on.",
    ),
    "after_failure": (
        "Gameweek {last}: {points}, {rank} of {of}. A bad week is a cost line, not a reason to improvise.",
        "{points} points and {rank} of {of}. I went back over the plan; the error was in the bounce, not in the step.",
    ),
    "closing": (
        "Next step in seven days.",
        "It will make sense in four weeks.",
        "The notebook is closed until the deadline.",
        "Everything is the beginning of something.",
        "On to the next line.",
    ),
}
