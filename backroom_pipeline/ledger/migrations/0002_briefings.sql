-- The public part of a role's prompt, as it was written for the whole field. Composed again from other facts or by
-- other templates it is a further version; the latest one counts.
CREATE TABLE briefings (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, role VARCHAR NOT NULL, version INTEGER NOT NULL,
    public_sha256 VARCHAR NOT NULL, inputs_sha256 VARCHAR NOT NULL, recorded_at TIMESTAMP NOT NULL,
    PRIMARY KEY (season, gameweek, role, version)
);
