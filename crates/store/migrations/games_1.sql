-- Games, who sits at them, and everything that happened.

CREATE TABLE games (
    id          TEXT PRIMARY KEY,
    rules       TEXT NOT NULL,          -- the game's name in the catalog
    start       TEXT,                   -- a position, when it is not the game's own
    first       TEXT NOT NULL,          -- `human`, or a strategy
    second      TEXT NOT NULL,
    clock       INTEGER,                -- milliseconds for each, when there is a clock
    increment   INTEGER NOT NULL,       -- milliseconds that every move adds
    first_holder  BLOB,                 -- a digest of the secret that holds the seat
    second_holder BLOB,
    created_at  INTEGER NOT NULL,       -- milliseconds since 1970
    finished    INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

-- The version is the order of events; two writers cannot both be next.
CREATE TABLE events (
    game        TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    version     INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    body        TEXT NOT NULL,
    request_key TEXT,                   -- what the client called its request
    PRIMARY KEY (game, version)
) WITHOUT ROWID;

CREATE UNIQUE INDEX events_by_key ON events (game, request_key) WHERE request_key IS NOT NULL;

CREATE TABLE invitations (
    digest      BLOB PRIMARY KEY,
    game        TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    player      INTEGER NOT NULL,       -- 0 or 1
    spent       INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE INDEX invitations_by_game ON invitations (game);

-- When the server was up: clocks are not charged for the time between.
CREATE TABLE runs (
    began_at    INTEGER PRIMARY KEY,
    alive_at    INTEGER NOT NULL
);
