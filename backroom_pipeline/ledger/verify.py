"""The ledger checked against itself: every row that refers to another finds it, every hash is of what it names."""

from __future__ import annotations

import zlib
from typing import cast

from backroom_pipeline.ledger.canonical import canonical_json, sha256_of
from backroom_pipeline.ledger.facts import gameweek_facts, gameweek_results, results_sha256
from backroom_pipeline.ledger.store import Ledger

# Each query finds the rows that break one rule; the sentence is filled with the columns of such a row.
_RULES: tuple[tuple[str, str], ...] = (
    (
        "{manager} decided gameweek {gameweek} ({season}) but the team after it is missing.",
        "SELECT season, gameweek, manager FROM decisions ANTI JOIN team_states USING (season, gameweek, manager)",
    ),
    (
        "{manager} has a team after gameweek {gameweek} ({season}) but no decision that made it.",
        "SELECT season, gameweek, manager FROM team_states ANTI JOIN decisions USING (season, gameweek, manager)",
    ),
    (
        "{manager} decided gameweek {gameweek} ({season}) without a bill.",
        "SELECT season, gameweek, manager FROM decisions WHERE bill_json IS NULL",
    ),
    (
        "{manager} decided gameweek {gameweek} ({season}) and an earlier one, but not gameweek {skipped} in between.",
        """
        SELECT season, gameweek, manager, gameweek - 1 AS skipped FROM decisions
        QUALIFY gameweek - 1 > lag(gameweek) OVER (PARTITION BY season, manager ORDER BY gameweek)
        """,
    ),
    (
        "{manager} has claims of gameweek {gameweek} ({season}) without a decision they came with.",
        "SELECT DISTINCT season, gameweek, manager FROM claims ANTI JOIN decisions USING (season, gameweek, manager)",
    ),
    (
        "{manager}'s {claims} claim(s) of gameweek {gameweek} ({season}) are not numbered from 0 without a gap.",
        """
        SELECT season, gameweek, manager, count(*) AS claims FROM claims GROUP BY ALL
        HAVING min(ordinal) <> 0 OR max(ordinal) <> count(*) - 1
        """,
    ),
    (
        "{manager}'s decision of gameweek {gameweek} ({season}) makes {stated} claim(s), but {kept} are kept as rows.",
        """
        SELECT season, gameweek, manager,
            json_array_length(a.answer_json, '$.claims') AS stated, count(c.ordinal) AS kept
        FROM answers a LEFT JOIN claims c USING (season, gameweek, manager)
        WHERE a.role = 'manager'
        GROUP BY ALL HAVING stated <> kept
        """,
    ),
    (
        "The {role} of {manager} answered in gameweek {gameweek} ({season}) without an attempt of its own behind it.",
        """
        SELECT season, gameweek, manager, role FROM answers
        ANTI JOIN attempts USING (attempt_id, season, gameweek, manager, role) WHERE source = 'model'
        """,
    ),
    (
        "The {role} of {manager} was carried over in gameweek {gameweek} ({season}); only a team can be.",
        "SELECT season, gameweek, manager, role FROM answers WHERE source = 'carried_over' AND role <> 'manager'",
    ),
    (
        "{manager}'s team was carried over in gameweek {gameweek} ({season}), but it is not the one that stood.",
        """
        SELECT season, gameweek, manager FROM (
            SELECT season, gameweek, manager, source, chip, bill_json, team, last_value(
                CASE WHEN chip IS DISTINCT FROM 'free_hit' THEN team END IGNORE NULLS
            ) OVER (
                PARTITION BY season, manager ORDER BY gameweek ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS stood
            FROM (SELECT *, json_merge_patch(sheet, '{"chip": null}') AS team FROM decisions)
        )
        WHERE source = 'carried_over' AND (
            team IS DISTINCT FROM stood OR chip IS NOT NULL
            OR json_array_length(bill_json, '$.sold') + json_array_length(bill_json, '$.bought') > 0
        )
        """,
    ),
    (
        "Attempt {attempt_id} has a result but was never started.",
        "SELECT attempt_id FROM attempt_results ANTI JOIN attempts USING (attempt_id)",
    ),
    (
        "The answer to attempt {attempt_id} is not among the texts.",
        """
        SELECT attempt_id FROM attempt_results ANTI JOIN texts ON sha256 = answer_sha256
        WHERE answer_sha256 IS NOT NULL
        """,
    ),
    (
        "Money was reserved for attempt {attempt_id}, which was never started.",
        "SELECT attempt_id FROM call_estimates ANTI JOIN attempts USING (attempt_id)",
    ),
    (
        "Attempt {attempt_id} was priced by {price_version}, which is not among the texts.",
        """
        SELECT attempt_id, price_version FROM call_estimates
        ANTI JOIN texts ON sha256 = split_part(price_version, 'sha256:', 2)
        """,
    ),
    (
        "The {role} of {manager} answered in gameweek {gameweek} ({season}) from facts the ledger does not hold.",
        """
        SELECT season, gameweek, manager, role FROM answers
        ANTI JOIN gameweeks USING (season, gameweek, inputs_sha256, cutoff)
        """,
    ),
    (
        "The facts of gameweek {gameweek} ({season}), version {version}, are not of before the deadline.",
        "SELECT season, gameweek, version FROM gameweeks WHERE cutoff >= deadline",
    ),
    (
        "The {role}s of gameweek {gameweek} ({season}) were given {publics} different public prompts, not one.",
        """
        SELECT season, gameweek, role, count(DISTINCT public_sha256) AS publics FROM answers WHERE source = 'model'
        GROUP BY ALL HAVING count(DISTINCT public_sha256) > 1
        """,
    ),
    (
        "The {role} of {manager} in gameweek {gameweek} ({season}) names a recall the ledger does not hold.",
        """
        SELECT season, gameweek, manager, role FROM answers
        ANTI JOIN (SELECT season, gameweek, manager, role, sha256 AS recall_sha256 FROM recalls)
            USING (season, gameweek, manager, role, recall_sha256)
        WHERE recall_sha256 IS NOT NULL
        """,
    ),
    (
        "Players of gameweek {gameweek} ({season}), version {version}, belong to no recorded facts.",
        "SELECT DISTINCT season, gameweek, version FROM pool ANTI JOIN gameweeks USING (season, gameweek, version)",
    ),
    (
        "Fixtures of gameweek {gameweek} ({season}), version {version}, belong to no recorded facts.",
        "SELECT DISTINCT season, gameweek, version FROM fixtures ANTI JOIN gameweeks USING (season, gameweek, version)",
    ),
    (
        "Performances of gameweek {gameweek} ({season}), scoring version {scoring_version}, belong to no results.",
        """
        SELECT DISTINCT season, gameweek, scoring_version FROM performances
        ANTI JOIN results USING (season, gameweek, scoring_version)
        """,
    ),
    (
        "{manager} is scored in gameweek {gameweek} ({season}) by scoring version {scoring_version}, which is unknown.",
        """
        SELECT season, gameweek, manager, scoring_version FROM scores
        ANTI JOIN results USING (season, gameweek, scoring_version)
        """,
    ),
    (
        "{manager} is scored in gameweek {gameweek} ({season}) but did not decide it.",
        "SELECT DISTINCT season, gameweek, manager FROM scores ANTI JOIN decisions USING (season, gameweek, manager)",
    ),
    (
        "{manager}'s score of gameweek {gameweek} ({season}) deducts {scored} for hits, its bill {billed}.",
        """
        SELECT season, gameweek, manager, s.hit_points AS scored, d.hit_points AS billed
        FROM scores s JOIN decisions d USING (season, gameweek, manager) WHERE s.hit_points <> d.hit_points
        """,
    ),
    (
        "An outcome of {manager}'s {role} in gameweek {gameweek} ({season}) is of no indexed record: {record_id}.",
        """
        SELECT DISTINCT season, gameweek, manager, role, record_id FROM outcomes
        ANTI JOIN memory_index USING (record_id, manager, role, season, gameweek)
        """,
    ),
    (
        "{manager} has a finding of kind {kind} in gameweek {gameweek} ({season}), which it did not decide.",
        """
        SELECT DISTINCT season, gameweek, manager, kind FROM findings
        ANTI JOIN decisions USING (season, gameweek, manager)
        """,
    ),
    (
        "A finding of {manager} in gameweek {gameweek} ({season}) names the call {attempt_id}, which was never made.",
        """
        SELECT DISTINCT season, gameweek, manager, attempt_id FROM findings
        ANTI JOIN attempts USING (attempt_id, season, gameweek, manager) WHERE attempt_id IS NOT NULL
        """,
    ),
)


def faults(ledger: Ledger) -> list[str]:
    """Every fault as a sentence, in a fixed order; an empty list is a sound ledger."""
    return [
        *(
            sentence.format_map(row)
            for sentence, sql in _RULES
            for row in ledger.rows(f"SELECT * FROM ({sql}) ORDER BY ALL")
        ),
        *_changed_facts(ledger),
        *_changed_results(ledger),
        *_changed_texts(ledger),
    ]


def _changed_facts(ledger: Ledger) -> list[str]:
    found = ledger.rows(
        "SELECT DISTINCT season, gameweek, inputs_sha256 FROM gameweeks ORDER BY season, gameweek, inputs_sha256"
    )
    return [
        f"The facts of gameweek {row['gameweek']} ({row['season']}) lost their sha256 {row['inputs_sha256']}."
        for row in found
        if sha256_of(
            canonical_json(
                gameweek_facts(ledger, str(row["season"]), cast(int, row["gameweek"]), str(row["inputs_sha256"]))
            )
        )
        != row["inputs_sha256"]
    ]


def _changed_results(ledger: Ledger) -> list[str]:
    faults: list[str] = []
    for row in ledger.rows("SELECT season, gameweek, scoring_version, sha256 FROM results ORDER BY ALL"):
        season, gameweek, version = str(row["season"]), cast(int, row["gameweek"]), cast(int, row["scoring_version"])
        results = gameweek_results(ledger, season, gameweek, version)
        if results is None or results_sha256(results) != row["sha256"]:
            faults.append(
                f"The results of gameweek {gameweek} ({season}), scoring version {version}, lost their sha256."
            )
    return faults


def _changed_texts(ledger: Ledger) -> list[str]:
    return [
        f"A text lost its sha256 {row['sha256']}."
        for row in ledger.rows("SELECT sha256, zlib FROM texts ORDER BY sha256")
        if sha256_of(zlib.decompress(cast(bytes, row["zlib"])).decode()) != row["sha256"]
    ]
