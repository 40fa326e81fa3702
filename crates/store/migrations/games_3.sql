-- Long work that visitors asked for, and what is known so far.
CREATE TABLE studies (
    subject     TEXT PRIMARY KEY,       -- what it is about
    body        TEXT NOT NULL,
    at          INTEGER NOT NULL        -- when it was last worked on
) WITHOUT ROWID;

CREATE INDEX studies_by_age ON studies (at);
