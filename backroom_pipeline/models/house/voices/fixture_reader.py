"""The fixture reader: believes the calendar decides, and reads it the way others read tea leaves."""

VOICE: dict[str, tuple[str, ...]] = {
    "opening": (
        "I built this from the calendar up: {premium} for the opening run, {captain} to lead it, {bank} over. "
        "Talent is constant; opponents are not.",
    ),
    "sell_one": (
        "The calendar turned on {out}: he {why_out}. It turned towards {in_}, who {why_in}.",
        "{in_} for {out}. The first {why_in}; the second {why_out}. Turn the page and you will see it too.",
        "I sell fixtures, not players. {out} {why_out}. {in_} {why_in}.",
        "Open the list at this week. {out} {why_out}. {in_}, two lines down, {why_in}.",
    ),
    "sell_many": (
        "A new chapter of the fixture list, a new cast: {ins} for {outs}. {in_} {why_in}.",
        "The runs ended together, so the men go together: {outs} out, {ins} in. {in_} {why_in}.",
        "{ins} walk into the soft part of the calendar as {outs} walk out of it. {in_} {why_in}.",
    ),
    "hit": (
        "{points} points to be on the right side of the calendar. It gives me {gain} over the run.",
        "A hit of {points}, repaid by the fixtures at {gain}. The list does not lie about dates.",
    ),
    "roll": (
        "The next weeks suit the men I have. I turn the page without moving; {left} next week.",
        "Nobody's run ends this week, so nobody goes. {left} next week.",
        "I read down the list and my own clubs had the kind rows. {left} next week.",
        "No turn in the calendar, no transfer. {left} next week, when there is one.",
    ),
    "wildcard": (
        "The calendar folds here, and I fold with it: wildcard, {count} changes, {in_} first because he {why_in}.",
        "A whole block of fixtures begins this week. {count} changes on the wildcard to meet it; {in_} {why_in}.",
    ),
    "free_hit": (
        "One odd week in the calendar, one odd team: free hit, {count} guests. {in_} {why_in}.",
        "This week's page is torn, so I write another: {count} on a free hit, {in_} among them, who {why_in}.",
    ),
    "bench_boost": (
        "Four kind fixtures on the bench is a sign. {names}, about {bench} points.",
        "The list favours all fifteen at once, which happens rarely. Bench boost: {names}, {bench} points.",
    ),
    "triple_captain": (
        "I marked this date weeks ago: {captain}, {fixture}. Three times.",
        "{captain} has {fixture}. If that line is not what the chip was printed for, nothing is.",
    ),
    "signed": (
        "The assistant read the same page. Signed.",
        "I checked the sheet against the calendar row by row. It holds.",
        "No row on the assistant's sheet faces the wrong way. It stands.",
        "My assistant has learnt to read columns. I sign.",
    ),
    "overruled": (
        "My assistant proposed {theirs}. One look at the coming rows and it becomes {mine}.",
        "{theirs} was the draft. It looks one week ahead; I look six, and choose {mine}.",
        "The sheet said {theirs}. The calendar says {mine}.",
    ),
    "coach": (
        "The coach puts {name} {place}. The figures are fine; but {because}.",
        "{name} ({place})? Noted in the margin: {because}.",
        "Coach, on {name}, {place}: {because}. The list giveth and the list taketh away.",
        "I looked up the coach's {name}, {place}, and closed the book again: {because}.",
    ),
    "coach_agrees": (
        "{name} is {place} with the coach, and his fixtures say the same thing in fewer words.",
        "Coach and calendar agree on {name}, {place}. I bought him before they changed their minds.",
    ),
    "captain": (
        "{fixture}. So {captain} is captain; I hardly had to choose.",
        "The armband follows the fixture: {captain}, {fixture}.",
        "Captain {captain}. {fixture}: read it aloud and it decides itself.",
        "{captain} leads, because of all my rows the best one reads {fixture}.",
    ),
    "armband": ("{other} has the name, {captain} has the fixture: {fixture}. The armband goes to the fixture.",),
    "kept": (
        'I pencilled it in during gameweek {week}: "{promise}" The pencil holds.',
        'My note from gameweek {week} reads "{promise}" The date has come and so have I.',
        'Gameweek {week}, in the margin: "{promise}" It chafes this week. I keep it.',
    ),
    "broken": (
        'In gameweek {week} I wrote "{promise}" The calendar has since been redrawn, and keeping it would cost {cost} '
        "points. I am breaking it, and I am saying so here.",
        'I rub out a line of mine from gameweek {week}: "{promise}" It was right for those fixtures and it is {cost} '
        "points wrong for these.",
    ),
    "let_go": ('My line from gameweek {week}, "{promise}", cannot be kept with what I have. I am breaking it in ink.',),
    "quote": (
        'Gameweek {week}, in my own hand: "{said}." The rows since have borne it out.',
        '"{said}," I wrote in gameweek {week}. Same book, later page.',
        'I turn back to gameweek {week} and read: "{said}." I would not change a word.',
    ),
    "after_success": (
        "Gameweek {last}: {points} points, {rank} of {of}. The page said so beforehand.",
        "{rank} of {of} last week, as scheduled.",
    ),
    "after_failure": (
        "Gameweek {last}: {points}, {rank} of {of}. Even a kind fixture has a goalkeeper in it.",
        "{points} points, {rank} of {of}. The list was right and the ball was not, or so I tell myself.",
    ),
    "closing": (
        "Turn the page.",
        "The calendar has never once asked for my opinion.",
        "It is all there, in small print.",
        "Next week's column is already better.",
        "Opponents score points too, mostly for me.",
    ),
}
