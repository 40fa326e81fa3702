-- What visitors find again: their games, what they call themselves, how a game
-- stands, and games that anybody may find.
ALTER TABLE games ADD COLUMN first_name TEXT;
ALTER TABLE games ADD COLUMN second_name TEXT;
ALTER TABLE games ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN turn INTEGER;             -- 0 or 1, while it goes on
ALTER TABLE games ADD COLUMN result TEXT;
ALTER TABLE games ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;

UPDATE games SET changed_at = coalesce(
    (SELECT max(at) FROM events WHERE game = games.id), created_at);

-- Who sits where. A visitor is a digest of their secret, which only they have.
CREATE TABLE seats (
    visitor     BLOB NOT NULL,
    game        TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    player      INTEGER NOT NULL,       -- 0 or 1
    PRIMARY KEY (visitor, game, player)
) WITHOUT ROWID;

CREATE INDEX seats_by_game ON seats (game);
