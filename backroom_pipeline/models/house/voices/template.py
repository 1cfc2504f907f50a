"""The template follower: owns what most people own, because most people are rarely all wrong at once."""

VOICE: dict[str, tuple[str, ...]] = {
    "opening": (
        "I have asked around, as it were, and this is the team most sensible people would recognise: {premium} at the "
        "top, {captain} with the armband, {bank} over. Nobody was ever sacked for owning the obvious.",
    ),
    "sell_one": (
        "{out} {why_out}; {in_} {why_in}. Most people will make this move, and I would rather not be the one who did "
        "not.",
        "The sensible swap of the week: {out} for {in_}. One {why_out}, the other {why_in}.",
        "I cover a gap: {in_} {why_in}, and it was starting to hurt not to own him. {out} {why_out}.",
        "Nothing original here. {out} {why_out}. {in_} {why_in}.",
    ),
    "sell_many": (
        "Catching up with the field: {ins} for {outs}. {in_} {why_in}, as everybody seems to know already.",
        "{outs} out, {ins} in, and my team looks like a team again. {in_} {why_in}.",
        "Several gaps closed at once: {ins} for {outs}. {in_} {why_in}.",
    ),
    "hit": (
        "I pay {points} points, which I dislike, to own what I cannot afford to be without. The sums say {gain}.",
        "{points} points is the price of arriving late. I expect {gain} back.",
    ),
    "roll": (
        "I own what people own, so there is nothing to fix. {left} next week.",
        "No move. When in doubt, stand where most people are standing. {left} next week.",
        "My squad would raise no eyebrows anywhere, so I leave it be. {left} next week.",
        "Quiet week, sensible week. {left} next week.",
    ),
    "wildcard": (
        "A wildcard, to get back to first principles: {count} changes, {in_} among them, who {why_in}.",
        "My squad had drifted from the sensible middle. {count} changes on the wildcard put it back; {in_} {why_in}.",
    ),
    "free_hit": (
        "This is the week for a free hit and I see no reason to be clever about it: {count} guests, {in_} first, who "
        "{why_in}.",
        "Free hit, {count} changes, all the names you would expect. {in_} {why_in}.",
    ),
    "bench_boost": (
        "The book says bench boost when fifteen are playing, and fifteen are playing: {names}, about {bench} points.",
        "A standard bench boost: {names}, {bench} points on paper.",
    ),
    "triple_captain": (
        "Triple captain on {captain}, {fixture}. I expect company, and I am glad of it.",
        "{captain}, {fixture}: the week the chip was meant for, by general consent.",
    ),
    "signed": (
        "The assistant's sheet is what a reasonable person would send. I am one. Signed.",
        "Nothing on the sheet needs explaining at a dinner party. It stands.",
        "My assistant kept to the path. So do I.",
        "I looked for a surprise on the sheet and was relieved. Signed.",
    ),
    "overruled": (
        "My assistant suggested {theirs}. I feel safer with {mine}.",
        "{theirs} was on the table. Too clever for me: {mine}.",
        "I have changed {theirs} to {mine}. If it goes wrong, at least it goes wrong for everybody.",
    ),
    "coach": (
        "The coach has {name} {place}, and normally I do as I am told; but {because}.",
        "I would like to own {name}, {place} on the list. For now {because}.",
        "On {name}, {place}: the coach is probably right and {because}.",
        "{name} ({place}) makes me nervous from the outside. Still, {because}.",
    ),
    "coach_agrees": (
        "{name} is {place} with the coach and in half the teams I know. Now in mine.",
        "The coach says {name}, {place}; so does everybody; so do I.",
    ),
    "captain": (
        "Captain {captain}, {fixture}, like nearly everyone.",
        "The armband is not the place for invention: {captain}, {fixture}.",
        "{captain}, {fixture}. Next question.",
        "{fixture}: {captain} leads, by acclamation.",
    ),
    "armband": (
        "{other} has a case, but {captain} is whom people own: {fixture}. I do not fight the tide with my armband.",
        "Rather {captain} than {other}: {fixture}, and I sleep better in company.",
    ),
    "kept": (
        'I said in gameweek {week}: "{promise}" Sensible people keep sensible promises.',
        'My undertaking of gameweek {week}, "{promise}", binds this week, and I keep it.',
        'As promised in gameweek {week}: "{promise}" I would have liked to move, but there it is.',
    ),
    "broken": (
        'I am embarrassed to report a broken promise. In gameweek {week} I said "{promise}" It now costs {cost} points '
        "to keep, and nobody sensible would pay that.",
        'In gameweek {week} I promised "{promise}" I am breaking it, with apologies: {cost} points is too far from '
        "the pack.",
    ),
    "let_go": (
        'I have to report that "{promise}", promised in gameweek {week}, cannot be kept this week. I am '
        "breaking it, with apologies.",
    ),
    "quote": (
        'As I put it in gameweek {week}: "{said}." It still sounds reasonable.',
        '"{said}," I wrote in gameweek {week}, and I have heard nothing better since.',
        'Gameweek {week}, for the file: "{said}."',
    ),
    "after_success": (
        "{points} points in gameweek {last}, {rank} of {of}. The middle of the road can be the fast lane.",
        "{rank} of {of} last week. Company pays.",
    ),
    "after_failure": (
        "Gameweek {last}: {points} points, {rank} of {of}. I suppose everybody had one of those.",
        "{points} and {rank} of {of}. I check that the plan was sensible; it was; on we go.",
    ),
    "closing": (
        "No heroics.",
        "The obvious is underrated.",
        "I will see you all in the same place.",
        "If in doubt, look left and right.",
        "Steady.",
    ),
}
