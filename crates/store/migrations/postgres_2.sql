-- Work for many workers. An undertaking is a tournament, a proof, a batch for
-- training; its jobs are what one worker does in some seconds.
CREATE TABLE undertakings (
    name        TEXT COLLATE "C" PRIMARY KEY,
    kind        TEXT NOT NULL,             -- what its jobs are
    needs       TEXT NOT NULL,             -- which papan reproduces it
    body        TEXT NOT NULL,             -- what all its jobs share
    open        BOOLEAN NOT NULL DEFAULT true,
    made_at     TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE jobs (
    id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    undertaking TEXT COLLATE "C" NOT NULL REFERENCES undertakings (name) ON DELETE CASCADE,
    key         BYTEA NOT NULL,            -- a digest of the body: asking twice is asking once
    body        TEXT NOT NULL,
    priority    BIGINT NOT NULL DEFAULT 0,
    state       TEXT NOT NULL DEFAULT 'waiting',  -- waiting, running, done, failed
    attempts    BIGINT NOT NULL DEFAULT 0,
    worker      TEXT,                      -- who does it, or did
    until       TIMESTAMPTZ,               -- when it is somebody else's, without a heartbeat
    why         TEXT,                      -- why it failed
    changed_at  TIMESTAMPTZ NOT NULL DEFAULT now(),
    UNIQUE (undertaking, key)
);

CREATE INDEX jobs_waiting ON jobs (priority DESC, id) WHERE state = 'waiting';
CREATE INDEX jobs_running ON jobs (until) WHERE state = 'running';
CREATE INDEX jobs_by_state ON jobs (undertaking, state);

-- What came of jobs. The first result of a job counts.
CREATE TABLE results (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    undertaking TEXT COLLATE "C" NOT NULL REFERENCES undertakings (name) ON DELETE CASCADE,
    key         BYTEA NOT NULL,
    body        BYTEA NOT NULL,
    UNIQUE (undertaking, key)
);

CREATE TABLE workers (
    name        TEXT COLLATE "C" PRIMARY KEY,
    version     TEXT NOT NULL,
    threads     BIGINT NOT NULL,
    done        BIGINT NOT NULL DEFAULT 0,
    began_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
    seen_at     TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- Who cannot do what, and why not.
CREATE TABLE refusals (
    undertaking TEXT COLLATE "C" NOT NULL REFERENCES undertakings (name) ON DELETE CASCADE,
    worker      TEXT COLLATE "C" NOT NULL,
    why         TEXT NOT NULL,
    PRIMARY KEY (undertaking, worker)
);
