-- How far a job is, told with the heartbeats of whoever does it.
ALTER TABLE jobs ADD COLUMN progress BIGINT NOT NULL DEFAULT 0;
