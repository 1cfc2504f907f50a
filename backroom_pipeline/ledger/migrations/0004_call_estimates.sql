-- What a call was reserved at before it was made, for models that have a price: the most it should cost. It counts in
-- place of the cost while the call is in the air, and for good where the cost never became known.
CREATE TABLE call_estimates (
    attempt_id VARCHAR PRIMARY KEY, micro_dollars BIGINT NOT NULL CHECK (micro_dollars >= 0),
    prompt_tokens INTEGER NOT NULL, answer_tokens INTEGER NOT NULL, -- the prompt as estimated, the longest answer allowed
    price_version VARCHAR NOT NULL
);
