"""The loyalist: believes in the men he picked, sells with an apology, and remembers who scored in August."""

VOICE: dict[str, tuple[str, ...]] = {
    "opening": (
        "These are my fifteen and I mean to know them well. {premium} is the heart of it, {captain} the arm, {bank} in "
        "the tin, and no eye for a prettier face.",
    ),
    "sell_one": (
        "I owed {out} a conversation before this: he {why_out}, and I cannot carry him further. {in_} {why_in}. "
        "Welcome; we do things slowly here.",
        "Goodbye, {out}, who {why_out}. I do not enjoy this part. {in_} {why_in} and will get the same patience.",
        "One change, with regret. {out} {why_out}; {in_} {why_in}.",
        "It takes a lot to leave this dressing room, and {out} managed it: he {why_out}. {in_} {why_in}.",
    ),
    "sell_many": (
        "A hard week for the group: {outs} leave and {ins} arrive. {in_} {why_in}. I shook every hand.",
        "I have put this off and off. {outs} make way for {ins}. {in_} {why_in}.",
        "Even a family moves house. Out go {outs}, in come {ins}, and {in_} {why_in}.",
    ),
    "hit": (
        "The {points} points are what it costs to do right by the rest of them; I expect {gain} in return.",
        "I pay {points} points rarely. {gain} expected over the coming weeks is why I pay them now.",
    ),
    "roll": (
        "Same fifteen. They have done nothing to be sold for, and I have {left} next week if one of them does.",
        "I trust this group, so I leave it alone. {left} next week.",
        "No changes. Somebody out there is better this week; nobody out there is mine. {left} next week.",
        "We go again with the same shirts on the same pegs. {left} next week, should I need them.",
        "I looked at the list, then at my own men, and closed the list. {left} next week.",
    ),
    "wildcard": (
        "I never thought I would rebuild, but the group has grown old on me. {count} changes on the wildcard, and "
        "{in_} {why_in}. The ones who stay know why.",
        "Wildcard. {count} farewells at once is easier than one a week. {in_} {why_in}.",
    ),
    "free_hit": (
        "My men rest this week and {count} guests wear the shirt. {in_} {why_in}. Everybody comes home afterwards.",
        "A free hit, because I will not sell good men over one bad weekend: {count} guests, {in_} among them, who "
        "{why_in}.",
    ),
    "bench_boost": (
        "For once the whole squad counts, and they have earned it: {names}, perhaps {bench} points together.",
        "I always said everybody matters here. Bench boost: {names}, {bench} points if they agree.",
    ),
    "triple_captain": (
        "Everything on {captain}. {fixture}. He has carried us; let it count three times.",
        "I have kept this for {captain} all along: {fixture}, and three times whatever he gives.",
    ),
    "signed": (
        "My assistant left the group as I would have. I sign it gladly.",
        "The assistant's sheet treats people decently. It stands.",
        "No quarrel with the sheet. My assistant knows by now whom I will not sell.",
        "I read the sheet for names I would miss and found none missing that matter. Signed.",
    ),
    "overruled": (
        "My assistant drew up {theirs}. I cannot put my name to that; it is {mine}.",
        "The draft said {theirs}. I have known these men longer than that sheet has: {mine}.",
        "I turned {theirs} down and settled on {mine}. People are not line items.",
    ),
    "coach": (
        "The coach speaks well of {name}, {place}. No doubt he is, but {because}.",
        "Coach, you rank {name} {place} because you do not see my dressing room: {because}.",
        "{name}, {place} on the list, would have to walk past somebody I believe in. And {because}.",
        "I hear the coach on {name} ({place}). He stays a stranger: {because}.",
    ),
    "coach_agrees": (
        "The coach has {name} {place}, and for once he and my heart point the same way.",
        "{name} is {place} with the coach and has a peg with his name on it here now.",
    ),
    "captain": (
        "{captain} has the armband. {fixture}, and I would give it him away at the moon.",
        "Captain: {captain}, {fixture}. No vote was needed.",
        "The armband belongs to {captain}; this week it is {fixture}.",
        "{captain} leads us out, {fixture}.",
    ),
    "armband": ("{captain} rather than {other} this time: {fixture}. {other} understood.",),
    "kept": (
        'I gave my word in gameweek {week}: "{promise}" Here it is, kept.',
        '"{promise}" That was gameweek {week}, and I do not say such things to pass the time.',
        'There were points in breaking it, but gameweek {week} has my name under it: "{promise}"',
    ),
    "broken": (
        'This is the sentence I did not want to write. In gameweek {week} I promised "{promise}" and I am breaking it. '
        "Around {cost} points stood against it, and the other fourteen deserve a manager who can count.",
        'I promised in gameweek {week}: "{promise}" I am sorry to break it. {cost} points is more than my pride is '
        "worth to the group.",
    ),
    "let_go": (
        'I promised "{promise}" in gameweek {week}, and this week there is no way to keep it. I break '
        "it, and I am sorry.",
    ),
    "quote": (
        'In gameweek {week} I said: "{said}." I would say it to their faces again.',
        '"{said}." Gameweek {week}, and nothing since has changed my mind about people.',
        'My own words from gameweek {week} still hang on the wall: "{said}."',
    ),
    "after_success": (
        "{points} points in gameweek {last}, {rank} of {of}, by the men I refused to sell. Well done, lads.",
        "{rank} of {of} last week. That is what happens when people are left to play.",
    ),
    "after_failure": (
        "{points} points, {rank} of {of}. They know, and I will not shout at them in public.",
        "Gameweek {last} hurt: {points}, {rank} of {of}. I stood by worse teams than this.",
    ),
    "closing": (
        "We go together.",
        "You do not find out who a player is in a fortnight.",
        "Faith is also a system.",
        "They owe me nothing. I owe them another week.",
        "I will be on the touchline, clapping.",
    ),
}
