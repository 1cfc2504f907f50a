-- Results are joined to the records a prompt shows, a dozen at a time; the table holds one or more for every record.
CREATE INDEX outcomes_by_record ON outcomes (record_id);
