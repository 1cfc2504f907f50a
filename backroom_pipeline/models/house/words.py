"""Saying facts in sentences: clubs, fixtures, money, and which of several wordings a persona uses this week."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from backroom_pipeline.models.house.forecast import GOAL, Outlook
from backroom_pipeline.models.house.promises import ruled_out
from backroom_pipeline.models.house.reading import Match, Reading, Recollection, Seen

CLUBS = {
    "ARS": "Arsenal",
    "AVL": "Villa",
    "BHA": "Brighton",
    "BOU": "Bournemouth",
    "BRE": "Brentford",
    "BUR": "Burnley",
    "CHE": "Chelsea",
    "CRY": "Palace",
    "EVE": "Everton",
    "FUL": "Fulham",
    "IPS": "Ipswich",
    "LEE": "Leeds",
    "LEI": "Leicester",
    "LIV": "Liverpool",
    "LUT": "Luton",
    "MCI": "City",
    "MUN": "United",
    "NEW": "Newcastle",
    "NFO": "Forest",
    "SHU": "Sheffield United",
    "SOU": "Southampton",
    "SUN": "Sunderland",
    "TOT": "Tottenham",
    "WHU": "West Ham",
    "WOL": "Wolves",
}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
CHIP_NAMES = {
    "wildcard": "wildcard",
    "free_hit": "free hit",
    "bench_boost": "bench boost",
    "triple_captain": "triple captain",
}


def variant(options: Sequence[str], *key: object, week: int) -> str:
    """One of several wordings: they take turns from week to week, starting where the key says."""
    start = int.from_bytes(hashlib.sha256("|".join(map(str, key)).encode()).digest()[:4], "big")
    return options[(start + week) % len(options)]


def chance(*key: object) -> float:
    """A number in [0, 1) that looks random and is the same for the same key."""
    return int.from_bytes(hashlib.sha256("|".join(map(str, key)).encode()).digest()[:4], "big") / 2**32


def club(short: str) -> str:
    return CLUBS.get(short, short)


def number(count: int) -> str:
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def million(tenths: int) -> str:
    return f"{tenths / 10:.1f}"


def several(names: Sequence[str]) -> str:
    if len(names) < 2:
        return names[0] if names else "nobody"
    return ", ".join(names[:-1]) + " and " + names[-1]


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def meeting(match: Match) -> str:
    return f"{club(match.opponent)} {'at home' if match.home else 'away'}"


def fixtures(reading: Reading, player: Seen, week: int | None = None) -> str:
    """What a player's club has in a gameweek: ``Burnley at home``, ``City away and Leeds at home``, ``no match``."""
    matches = reading.matches(player.club, reading.gameweek if week is None else week)
    return " and ".join(map(meeting, matches)) or "no match"


def difficulties(reading: Reading, player: Seen, weeks: int) -> list[int]:
    coming = range(reading.gameweek, reading.gameweek + weeks)
    return [match.difficulty for week in coming for match in reading.matches(player.club, week)]


def involvement(player: Seen) -> float:
    """Expected goals and assists a match."""
    return (player.xg + player.xa) / max(player.minutes / 90, 0.5)


def why_sold(reading: Reading, each: Outlook) -> str:
    """A reason to be without a player that is true, as a clause with him as subject left out."""
    player = each.player
    if player.status in ("u", "n"):
        return "has left the building"
    if ruled_out(player):
        return "is ruled out"
    if player.chance is not None and player.chance < 100:
        return f"is flagged at {player.chance} percent"
    if not reading.matches(player.club, reading.gameweek):
        return "has no match this week"
    true: list[str] = []
    if player.r_matches >= 3 and player.r_minutes < 45 * player.r_matches:
        true.append(f"has played {player.r_minutes} minutes in his last {number(player.r_matches)} matches")
    hard = [value for value in difficulties(reading, player, 4) if value >= 4]
    if len(hard) >= 2:
        true.append(f"has {number(len(hard))} hard matches in the next four weeks")
    if player.r_matches >= 3 and player.r_points <= 2.6 * player.r_matches:
        true.append(f"has {player.r_points} points from his last {number(player.r_matches)}")
    if player.position in ("MID", "FWD") and player.minutes >= 180 and involvement(player) < 0.35:
        true.append(f"makes {involvement(player):.2f} expected goals and assists a match")
    if player.position in ("GK", "DEF") and player.minutes >= 180 and player.xgc > 1.5 * player.minutes / 90:
        true.append(f"concedes {player.xgc / (player.minutes / 90):.2f} expected a match")
    if not true:
        true.append(f"is worth {million(player.sale_price or player.price)} that I can use better")
        true.append(f"has {fixtures(reading, player)} next and a better man behind him in the queue")
        true.append("has done nothing wrong except stand in the way")
    return variant(true, player.player_id, "sold", week=reading.gameweek)


def why_bought(reading: Reading, each: Outlook) -> str:
    """A reason to own a player that is true, as a clause with him as subject left out."""
    player = each.player
    coming = fixtures(reading, player)
    if len(reading.matches(player.club, reading.gameweek)) > 1:
        return f"plays twice, {coming}"
    true: list[str] = []
    if not reading.early and player.r_matches >= 3 and player.r_points >= 5 * player.r_matches:
        true.append(f"has {player.r_points} points from his last {number(player.r_matches)}")
    if player.position in ("MID", "FWD") and player.minutes >= 180 and involvement(player) >= 0.5:
        true.append(f"makes {involvement(player):.2f} expected goals and assists a match and has {coming}")
    easy = [value for value in difficulties(reading, player, 5) if value <= 2]
    if len(easy) >= 3:
        true.append(f"has {number(len(easy))} soft matches in the next five weeks, {coming} first")
    if player.position in ("GK", "DEF") and player.minutes >= 270 and player.xgc < 1.3 * player.minutes / 90:
        true.append(f"concedes {player.xgc / (player.minutes / 90):.2f} expected a match and has {coming}")
    if player.price <= 50 and each.minutes > 0.7:
        true.append(f"costs {million(player.price)}, starts, and has {coming}")
    return variant(true or [f"has {coming}"], player.player_id, "bought", week=reading.gameweek)


def figures(reading: Reading, player: Seen) -> str:
    """The figures a coach would quote for a player's position."""
    span = "last season" if reading.early else "so far"
    if player.minutes == 0:
        return f"no minutes on record {span}, priced at {million(player.price)}"
    if player.position in ("GK", "DEF"):
        each = player.xgc / max(player.minutes / 90, 0.5)
        return f"{player.points} points {span}, {each:.2f} xGC a match over {player.minutes} minutes"
    per = (player.xg * GOAL[player.position] + player.xa * 3) / max(player.minutes / 90, 0.5)
    shape = f"{player.xg:.2f} xG and {player.xa:.2f} xA in {player.minutes} minutes"
    return f"{player.points} points {span}, {shape} ({per:.1f} points' worth a match)"


SENTENCES = re.compile(r"(?<=[.!?])\s+")


ACCOUNT = re.compile(
    r'"|\d|\bhit of\b|transfer at all|\bhanded\b|\breplaced\b|\braise\b|\bdraft\b|\bturned\b|\baway\b|\bat home\b|'
    r"\(|\bCaptain\b|\bselling\b|\bCoach\b|\bcoach\b|\b[Ss]heet\b|\bassistant\b|[:;]|\bStarting\b|\bBench\b"
)
"""Marks of a sentence that reports a transaction, a figure or a quotation: none of those is worth quoting again."""


def own_words(
    memory: Sequence[Recollection], topics: Sequence[str], key: str, week: int
) -> tuple[Recollection, str] | None:
    """An earlier sentence of one's own that bears on today's topics, with the record it comes from."""
    found: list[tuple[Recollection, str]] = []
    for record in memory:
        for said in SENTENCES.split(record.text):
            said = said.strip()
            promised = record.category == "commitment"
            if not 24 <= len(said) <= 150 or (ACCOUNT.search(said) and not promised):
                continue
            if any(topic.lower() in said.lower() for topic in topics):
                found.append((record, said))
    if not found:
        return None
    found.sort(key=lambda item: (item[0].gameweek, item[1]))
    start = int(chance(key, "quote") * len(found))
    record, said = found[(start + week) % len(found)]
    return record, said.rstrip(".")


def verdict(result: str) -> str:
    """``success``, ``mixed`` or ``failure`` from a RESULT line; empty where there is none."""
    match = re.match(r"RESULT: (success|mixed|failure)\b", result)
    return match[1] if match else ""
