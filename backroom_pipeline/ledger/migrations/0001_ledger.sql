-- What happened, in rows that are never changed or deleted. A correction is a further version; the latest one counts.
-- Every TIMESTAMP is UTC. Money is integer tenths of a million, costs of calls integer millionths of a dollar.

CREATE TABLE seasons (
    season VARCHAR NOT NULL, version INTEGER NOT NULL, gameweeks_json VARCHAR NOT NULL, clubs_json VARCHAR NOT NULL,
    chips_json VARCHAR NOT NULL, scoring_json VARCHAR NOT NULL, source VARCHAR NOT NULL, sha256 VARCHAR NOT NULL,
    recorded_at TIMESTAMP NOT NULL,
    PRIMARY KEY (season, version)
);

-- What a decision may know: the world before one deadline. Players and fixtures of the same version belong to it.
CREATE TABLE gameweeks (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, version INTEGER NOT NULL,
    deadline TIMESTAMP NOT NULL, cutoff TIMESTAMP NOT NULL,
    statistics_season VARCHAR NOT NULL, fitness_known BOOLEAN NOT NULL, notes_json VARCHAR NOT NULL,
    source VARCHAR NOT NULL, inputs_sha256 VARCHAR NOT NULL, recorded_at TIMESTAMP NOT NULL,
    PRIMARY KEY (season, gameweek, version)
);

CREATE TABLE pool (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, version INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    player_id INTEGER NOT NULL, code INTEGER NOT NULL, web_name VARCHAR NOT NULL, club VARCHAR NOT NULL,
    position VARCHAR NOT NULL, price INTEGER NOT NULL, status VARCHAR NOT NULL, chance_of_playing INTEGER,
    news VARCHAR NOT NULL, selected_by DOUBLE,
    season_matches INTEGER NOT NULL, season_minutes INTEGER NOT NULL, season_starts INTEGER NOT NULL,
    season_points INTEGER NOT NULL, season_goals INTEGER NOT NULL, season_assists INTEGER NOT NULL,
    season_clean_sheets INTEGER NOT NULL, season_conceded INTEGER NOT NULL, season_own_goals INTEGER NOT NULL,
    season_penalties_saved INTEGER NOT NULL, season_penalties_missed INTEGER NOT NULL,
    season_yellow_cards INTEGER NOT NULL, season_red_cards INTEGER NOT NULL, season_saves INTEGER NOT NULL,
    season_bonus INTEGER NOT NULL, season_bps INTEGER NOT NULL, season_defensive_contribution INTEGER NOT NULL,
    season_xg DOUBLE NOT NULL, season_xa DOUBLE NOT NULL, season_xgc DOUBLE NOT NULL, season_ict DOUBLE NOT NULL,
    recent_matches INTEGER NOT NULL, recent_minutes INTEGER NOT NULL, recent_starts INTEGER NOT NULL,
    recent_points INTEGER NOT NULL, recent_goals INTEGER NOT NULL, recent_assists INTEGER NOT NULL,
    recent_clean_sheets INTEGER NOT NULL, recent_conceded INTEGER NOT NULL, recent_own_goals INTEGER NOT NULL,
    recent_penalties_saved INTEGER NOT NULL, recent_penalties_missed INTEGER NOT NULL,
    recent_yellow_cards INTEGER NOT NULL, recent_red_cards INTEGER NOT NULL, recent_saves INTEGER NOT NULL,
    recent_bonus INTEGER NOT NULL, recent_bps INTEGER NOT NULL, recent_defensive_contribution INTEGER NOT NULL,
    recent_xg DOUBLE NOT NULL, recent_xa DOUBLE NOT NULL, recent_xgc DOUBLE NOT NULL, recent_ict DOUBLE NOT NULL,
    PRIMARY KEY (season, gameweek, version, player_id)
);

CREATE TABLE fixtures (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, version INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    fixture_id INTEGER NOT NULL,
    match_gameweek INTEGER, -- the gameweek the match was in at that time; none while postponed
    kickoff TIMESTAMP, home VARCHAR NOT NULL, away VARCHAR NOT NULL,
    home_difficulty INTEGER NOT NULL, away_difficulty INTEGER NOT NULL,
    PRIMARY KEY (season, gameweek, version, fixture_id)
);

-- What happened in the matches. A restated result is a further scoring version.
CREATE TABLE results (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, scoring_version INTEGER NOT NULL,
    known_at TIMESTAMP NOT NULL, final BOOLEAN NOT NULL, average_score INTEGER, highest_score INTEGER,
    source VARCHAR NOT NULL, sha256 VARCHAR NOT NULL, recorded_at TIMESTAMP NOT NULL,
    PRIMARY KEY (season, gameweek, scoring_version)
);

CREATE TABLE performances (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, scoring_version INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    player_id INTEGER NOT NULL, fixture_id INTEGER NOT NULL, points INTEGER NOT NULL, minutes INTEGER NOT NULL,
    match_matches INTEGER NOT NULL, match_minutes INTEGER NOT NULL, match_starts INTEGER NOT NULL,
    match_points INTEGER NOT NULL, match_goals INTEGER NOT NULL, match_assists INTEGER NOT NULL,
    match_clean_sheets INTEGER NOT NULL, match_conceded INTEGER NOT NULL, match_own_goals INTEGER NOT NULL,
    match_penalties_saved INTEGER NOT NULL, match_penalties_missed INTEGER NOT NULL,
    match_yellow_cards INTEGER NOT NULL, match_red_cards INTEGER NOT NULL, match_saves INTEGER NOT NULL,
    match_bonus INTEGER NOT NULL, match_bps INTEGER NOT NULL, match_defensive_contribution INTEGER NOT NULL,
    match_xg DOUBLE NOT NULL, match_xa DOUBLE NOT NULL, match_xgc DOUBLE NOT NULL, match_ict DOUBLE NOT NULL,
    PRIMARY KEY (season, gameweek, scoring_version, player_id, fixture_id)
);

CREATE TABLE fixture_scores (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, scoring_version INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    fixture_id INTEGER NOT NULL, home_goals INTEGER NOT NULL, away_goals INTEGER NOT NULL,
    PRIMARY KEY (season, gameweek, scoring_version, fixture_id)
);

CREATE TABLE managers (
    slug VARCHAR NOT NULL, version INTEGER NOT NULL, name VARCHAR NOT NULL, model VARCHAR NOT NULL,
    persona VARCHAR, recorded_at TIMESTAMP NOT NULL,
    PRIMARY KEY (slug, version)
);

-- Prompts and raw answers, each once, addressed by the hash of their UTF-8 bytes.
CREATE TABLE texts (sha256 VARCHAR PRIMARY KEY, zlib BLOB NOT NULL);

-- One row before a model is called, and one after. An attempt without a result was cut off while it was in the air.
CREATE TABLE attempts (
    attempt_id VARCHAR PRIMARY KEY, season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, manager VARCHAR NOT NULL,
    role VARCHAR NOT NULL, number INTEGER NOT NULL, kind VARCHAR NOT NULL CHECK (kind IN ('content', 'transport')),
    model VARCHAR NOT NULL, request_sha256 VARCHAR NOT NULL, public_sha256 VARCHAR NOT NULL,
    prompt_sha256 VARCHAR NOT NULL, started_at TIMESTAMP NOT NULL,
    UNIQUE (season, gameweek, manager, role, number)
);

CREATE TABLE attempt_results (
    attempt_id VARCHAR PRIMARY KEY,
    status VARCHAR NOT NULL CHECK (
        status IN ('ok', 'invalid', 'illegal', 'refused', 'truncated', 'timeout', 'transport', 'error')
    ),
    answer_sha256 VARCHAR, error VARCHAR, usage_json VARCHAR,
    cost_micro_dollars BIGINT, -- none where it is unknown, which is not the same as 0
    cost_source VARCHAR, latency_ms INTEGER, finish_reason VARCHAR, ended_at TIMESTAMP NOT NULL
);

CREATE VIEW calls AS
SELECT a.*, coalesce(r.status, 'pending') AS status, r.* EXCLUDE (attempt_id, status)
FROM attempts a LEFT JOIN attempt_results r USING (attempt_id);

-- The one committed answer of each role: paid once, replayed ever after.
CREATE TABLE answers (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, manager VARCHAR NOT NULL,
    role VARCHAR NOT NULL CHECK (role IN ('coach', 'assistant', 'manager')),
    answer_json VARCHAR NOT NULL, bill_json VARCHAR,
    source VARCHAR NOT NULL CHECK (source IN ('model', 'carried_over')),
    attempt_id VARCHAR, public_sha256 VARCHAR, prompt_sha256 VARCHAR, recall_sha256 VARCHAR,
    inputs_sha256 VARCHAR NOT NULL, cutoff TIMESTAMP NOT NULL, committed_at TIMESTAMP NOT NULL,
    PRIMARY KEY (season, gameweek, manager, role)
);

CREATE VIEW rankings AS
SELECT season, gameweek, manager, answer_json ->> '$.notes' AS notes, answer_json, source, attempt_id, committed_at
FROM answers WHERE role = 'coach';

CREATE VIEW sheets AS
SELECT season, gameweek, manager, answer_json -> '$.sheet' AS sheet, answer_json ->> '$.case' AS "case",
    answer_json ->> '$.sheet.chip' AS chip, bill_json, source, attempt_id, committed_at
FROM answers WHERE role = 'assistant';

CREATE VIEW decisions AS
SELECT season, gameweek, manager, answer_json -> '$.sheet' AS sheet, answer_json ->> '$.reasoning' AS reasoning,
    answer_json ->> '$.sheet.chip' AS chip, CAST(bill_json ->> '$.hit_points' AS INTEGER) AS hit_points,
    bill_json, source, attempt_id, inputs_sha256, cutoff, committed_at
FROM answers WHERE role = 'manager';

-- What a manager bound itself with in a decision, in its own words and in terms; ordinal counts from 0.
CREATE TABLE claims (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, manager VARCHAR NOT NULL, ordinal INTEGER NOT NULL,
    text VARCHAR NOT NULL, terms_json VARCHAR NOT NULL,
    PRIMARY KEY (season, gameweek, manager, ordinal)
);

-- The team after the decision of that gameweek.
CREATE TABLE team_states (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, manager VARCHAR NOT NULL, state_json VARCHAR NOT NULL,
    PRIMARY KEY (season, gameweek, manager)
);

CREATE TABLE recalls (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, manager VARCHAR NOT NULL, role VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    state VARCHAR NOT NULL CHECK (state IN ('complete', 'partial', 'empty', 'unavailable')),
    reason VARCHAR NOT NULL, questions_json VARCHAR NOT NULL, shown_json VARCHAR NOT NULL,
    dropped_json VARCHAR NOT NULL, expected INTEGER NOT NULL, found INTEGER NOT NULL, tokens INTEGER NOT NULL,
    recorded_at TIMESTAMP NOT NULL,
    PRIMARY KEY (season, gameweek, manager, role, sha256)
);

-- Every record the stores were given; the words are in the answers they are derived from.
CREATE TABLE memory_index (
    record_id VARCHAR PRIMARY KEY, manager VARCHAR NOT NULL, role VARCHAR NOT NULL, category VARCHAR NOT NULL,
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, ordinal INTEGER NOT NULL, pinned BOOLEAN NOT NULL,
    source VARCHAR NOT NULL, text_sha256 VARCHAR NOT NULL, indexed_at TIMESTAMP NOT NULL
);

CREATE TABLE scores (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, manager VARCHAR NOT NULL, scoring_version INTEGER NOT NULL,
    points INTEGER NOT NULL, bench_points INTEGER NOT NULL, hit_points INTEGER NOT NULL, net_points INTEGER NOT NULL,
    substitutions_json VARCHAR NOT NULL, captain INTEGER, multipliers_json VARCHAR NOT NULL,
    recorded_at TIMESTAMP NOT NULL,
    PRIMARY KEY (season, gameweek, manager, scoring_version),
    CHECK (net_points = points - hit_points)
);

-- How the gameweek of a record turned out. A restated result, here or in an earlier week, is a further version.
CREATE TABLE outcomes (
    record_id VARCHAR NOT NULL, version INTEGER NOT NULL, manager VARCHAR NOT NULL, role VARCHAR NOT NULL,
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, scoring_version INTEGER NOT NULL,
    verdict VARCHAR NOT NULL CHECK (verdict IN ('success', 'failure', 'mixed')),
    net_points INTEGER NOT NULL, rank INTEGER NOT NULL, "of" INTEGER NOT NULL, season_total INTEGER NOT NULL,
    recorded_at TIMESTAMP NOT NULL,
    PRIMARY KEY (record_id, version)
);

-- Every read, write and refusal at the door of memory.
CREATE TABLE audit (
    "at" TIMESTAMP NOT NULL, caller_manager VARCHAR NOT NULL, caller_role VARCHAR NOT NULL, project VARCHAR NOT NULL,
    verb VARCHAR NOT NULL, allowed BOOLEAN NOT NULL, reason VARCHAR NOT NULL, ids_json VARCHAR NOT NULL
);
