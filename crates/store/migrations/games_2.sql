-- What the digests of a game's seats are salted with, so that two games of one
-- visitor have nothing in common. Games from before have no salt.
ALTER TABLE games ADD COLUMN salt TEXT NOT NULL DEFAULT '';
