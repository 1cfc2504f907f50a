"""The banker: saves transfers like wages and treats a points hit as a loan at a ruinous rate."""

VOICE: dict[str, tuple[str, ...]] = {
    "opening": (
        "Fifteen names, {bank} left in the drawer, and no intention of touching either for a while. {premium} "
        "is the one luxury; everybody else earns his keep by starting.",
    ),
    "sell_one": (
        "One withdrawal this week. {out} {why_out}, and {in_} {why_in}. It was free, it was due, and I have counted "
        "the change twice.",
        "{out} goes because he {why_out}. {in_} comes because he {why_in}. I do not spend for pleasure, and this is "
        "not pleasure.",
        "I am spending the one transfer: {out} {why_out}. In his place {in_}, who {why_in}.",
        "The account allows one purchase and {in_} is it: he {why_in}. {out} {why_out}, which makes him the cheapest "
        "man I own to do without.",
    ),
    "sell_many": (
        "This is what saving is for. {outs} out, {ins} in, and the bank never had to lend me a point. {in_} {why_in}; "
        "the rest is housekeeping done in one go.",
        "I have been called dull for hoarding transfers. Today the hoard buys {ins} for {outs}, free. {in_} {why_in}.",
        "Savings meet sense: {ins} for {outs}. {in_} {why_in}.",
    ),
    "hit": (
        "It costs {points} points and it hurts to type that. The sums say {gain} comes back, and I have checked them.",
        "Yes, I am borrowing {points} points. I expect {gain} in return and I will be watching the clock.",
    ),
    "roll": (
        "I am doing nothing, and I am doing it on purpose. That leaves {left} next week, and options are the only "
        "asset in this game that does not get injured.",
        "No business today. The transfer goes into savings, {left} next week, and nobody in my squad asked to leave.",
        "I looked through the window and kept my hands in my pockets. {left} in hand next week.",
        "Nothing here is worth more than the transfer that would buy it. I roll, and wake up next week with {left}.",
        "A quiet week at the counter: nobody in, nobody out, {left} ready for when the water is worth striking.",
    ),
    "wildcard": (
        "I open the vault. {count} changes at once under the wildcard, not one point borrowed. {in_} {why_in}.",
        "The wildcard is a savings account with an expiry date, and I would rather close it than lose it: {count} "
        "new men, {in_} first, who {why_in}.",
    ),
    "free_hit": (
        "A free hit is a rented suit. {count} men for one evening, {in_} among them, who {why_in}, and everything "
        "goes back on Tuesday.",
        "I am renting {count} players for one week and buying none. {in_} {why_in}; my own squad is waiting untouched.",
    ),
    "bench_boost": (
        "All fifteen count this week. {names} bring about {bench} points that usually die in silence.",
        "I pay the bench all season; today it works. {names} should be worth {bench} together.",
    ),
    "triple_captain": (
        "Triple captain on {captain}: {fixture}. I have held this note long enough to know a fair price when I see it.",
        "I have waited for a fixture with no small print. {captain} has {fixture}; the armband counts three times.",
    ),
    "signed": (
        "The assistant's sheet balances, so I sign it.",
        "My assistant brought me something I cannot make cheaper. Signed.",
        "I went through the assistant's sheet with a pencil and found nothing to strike out.",
        "The sheet on my desk spends what I would have spent. It stands.",
    ),
    "overruled": (
        "My assistant wanted {theirs}. I prefer {mine}; enthusiasm is not collateral.",
        "The draft said {theirs}. I have turned that into {mine}, because it is my name on the door of the bank.",
        "{theirs}? No. It will be {mine}, and the assistant may frown at me from across the desk.",
    ),
    "coach": (
        "The coach has {name} {place}. I can see why, but {because}.",
        "{name} is {place} on the coach's list and not on mine: {because}.",
        "Coach, I read your line on {name} ({place}) twice. Still no: {because}.",
        "To the coach, who likes {name} {place}: {because}, and I do not pay for being told so.",
    ),
    "coach_agrees": (
        "For once the coach and the ledger agree: {name}, {place}, is in.",
        "The coach put {name} {place}, and I found the money without asking anybody for it.",
    ),
    "captain": (
        "The armband stays with {captain}: {fixture}.",
        "{captain} leads, {fixture}. I do not speculate with double points.",
        "Captain {captain}, {fixture}. Boring, insured.",
        "{fixture} makes {captain} the safest deposit of the week, so he wears it.",
    ),
    "armband": ("{captain} takes the armband over {other}: {fixture}, and the risk is spread.",),
    "kept": (
        'In gameweek {week} I wrote "{promise}" A promise is a debt, and this week I am paying it.',
        'The record says, gameweek {week}: "{promise}" It costs me something today. It stays.',
        'I would have moved, but there is a signature from gameweek {week}: "{promise}" I honour my paper.',
    ),
    "broken": (
        'I have to confess a default. In gameweek {week} I promised "{promise}" Keeping it would cost about {cost} '
        "points, and I am breaking it with my eyes open.",
        'In gameweek {week} I gave my word: "{promise}" I break it today. The interest had grown to {cost} points, '
        "and a banker who cannot write off a bad promise is only a collector.",
    ),
    "let_go": (
        'I promised "{promise}" in gameweek {week}. No legal sheet keeps it beside the rest, so I write '
        "it off, in public.",
    ),
    "quote": (
        'I said in gameweek {week}: "{said}." I still hold that position.',
        'From my own books, gameweek {week}: "{said}." Nothing to amend.',
        '"{said}," I wrote in gameweek {week}, and this is the same account.',
    ),
    "after_success": (
        "Gameweek {last} paid {points} points, {rank} of {of}. I do not celebrate dividends, I reinvest them.",
        "{rank} of {of} last week with {points}. Patience, apparently, compounds.",
    ),
    "after_failure": (
        "Gameweek {last} returned {points} points and place {rank} of {of}. One bad quarter is not a run on the bank.",
        "{points} points and {rank} of {of} last week. I have read the statement and I will not panic-sell over it.",
    ),
    "closing": (
        "Slow money is still money.",
        "The season is long and I intend to arrive solvent.",
        "I sleep well on unused transfers.",
        "Let the others be exciting.",
        "No fireworks. Not this week.",
    ),
}
