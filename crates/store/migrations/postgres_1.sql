-- What a SQLite file of version 4 holds, in the schema of papan's own. Numbers are
-- BIGINT and names are ordered by their bytes, as SQLite does.
CREATE TABLE games (
    id            TEXT COLLATE "C" PRIMARY KEY,
    rules         TEXT NOT NULL,           -- the game's name in the catalog
    start         TEXT,                    -- a position, when it is not the game's own
    first         TEXT NOT NULL,           -- `human`, or a strategy
    second        TEXT NOT NULL,
    clock         BIGINT,                  -- milliseconds for each, when there is a clock
    increment     BIGINT NOT NULL,         -- milliseconds that every move adds
    first_holder  BYTEA,                   -- a digest of the secret that holds the seat
    second_holder BYTEA,
    created_at    BIGINT NOT NULL,         -- milliseconds since 1970
    finished      BIGINT NOT NULL DEFAULT 0,
    salt          TEXT NOT NULL DEFAULT '',
    first_name    TEXT,
    second_name   TEXT,
    listed        BIGINT NOT NULL DEFAULT 0,
    turn          BIGINT,                  -- 0 or 1, while it goes on
    result        TEXT,
    changed_at    BIGINT NOT NULL DEFAULT 0
);

-- What expires is unfinished and old.
CREATE INDEX games_unfinished ON games (changed_at) WHERE finished = 0;

-- The version is the order of events; two writers cannot both be next.
CREATE TABLE events (
    game        TEXT COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    version     BIGINT NOT NULL,
    at          BIGINT NOT NULL,
    body        TEXT NOT NULL,
    request_key TEXT,                      -- what the client called its request
    PRIMARY KEY (game, version)
);

CREATE UNIQUE INDEX events_by_key ON events (game, request_key) WHERE request_key IS NOT NULL;

CREATE TABLE invitations (
    digest      BYTEA PRIMARY KEY,
    game        TEXT COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    player      BIGINT NOT NULL,           -- 0 or 1
    spent       BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX invitations_by_game ON invitations (game);

-- Who sits where. A visitor is a digest of their secret, which only they have.
CREATE TABLE seats (
    visitor     BYTEA NOT NULL,
    game        TEXT COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    player      BIGINT NOT NULL,           -- 0 or 1
    PRIMARY KEY (visitor, game, player)
);

CREATE INDEX seats_by_game ON seats (game);

-- When servers were up: clocks are not charged for the time between.
CREATE TABLE runs (
    began_at    BIGINT PRIMARY KEY,
    alive_at    BIGINT NOT NULL
);

-- Long work that visitors asked for, and what is known so far.
CREATE TABLE studies (
    subject     TEXT COLLATE "C" PRIMARY KEY,
    body        TEXT NOT NULL,
    at          BIGINT NOT NULL            -- when it was last worked on
);

CREATE INDEX studies_by_age ON studies (at);

-- Which server does what only one of them shall do, and until when.
CREATE TABLE leases (
    name        TEXT COLLATE "C" PRIMARY KEY,
    holder      TEXT NOT NULL,
    until       TIMESTAMPTZ NOT NULL
);
