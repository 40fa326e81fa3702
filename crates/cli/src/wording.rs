//! What is wrong with tournaments, as sentences in the user's language. The rest is worded
//! in `papan_view::messages`.

pub(crate) mod arena;
