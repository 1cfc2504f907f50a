-- What a new text or decision of a manager says against an earlier promise of its own, or repeats of its own words.
-- Something to show, never an error. Both texts stand in the row, so that it can be read on its own.
CREATE TABLE findings (
    season VARCHAR NOT NULL, gameweek INTEGER NOT NULL, -- of the decision it was found in
    manager VARCHAR NOT NULL,
    kind VARCHAR NOT NULL CHECK (kind IN ('claim', 'decision', 'quote')),
    earlier_id VARCHAR NOT NULL, earlier_season VARCHAR NOT NULL, earlier_gameweek INTEGER NOT NULL,
    earlier_text VARCHAR NOT NULL,
    later_id VARCHAR NOT NULL, later_text VARCHAR NOT NULL,
    later_start INTEGER NOT NULL, -- of a quotation: the character of the text at which it begins; 0 for the others
    found_by VARCHAR NOT NULL CHECK (found_by IN ('terms', 'negation', 'model', 'verbatim', 'near-verbatim')),
    reason VARCHAR NOT NULL,
    openly BOOLEAN, -- of a decision: whether the reasoning admits it
    similarity DOUBLE,
    attempt_id VARCHAR, cost_micro_dollars BIGINT, -- of the call that found it; the cost is that of the whole call
    recorded_at TIMESTAMP NOT NULL,
    PRIMARY KEY (season, gameweek, manager, kind, earlier_id, later_id, later_start),
    CHECK ((attempt_id IS NOT NULL) = (found_by = 'model')),
    CHECK ((openly IS NOT NULL) = (kind = 'decision'))
);

-- Promises whose model gave words without terms, while the terms were read from the words. The answer keeps what the
-- model said, the claim what it is judged by.
CREATE VIEW parsed_claims AS
SELECT season, gameweek, manager, ordinal, text, terms_json
FROM claims JOIN answers USING (season, gameweek, manager)
WHERE role = 'manager' AND terms_json ->> '$.kind' <> 'free_text'
    AND json_extract_string(answer_json, '$.claims[' || ordinal || '].terms.kind') = 'free_text';
