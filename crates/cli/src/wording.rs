//! What is wrong with files of games and with tournaments, as sentences in the user's
//! language. What a player meets at the board is worded in `papan_view::wording`.

pub(crate) mod arena;
pub(crate) mod files;
