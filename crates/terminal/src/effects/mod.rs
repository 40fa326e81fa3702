//! What the board does outside its state: thinking and files.

pub(crate) mod files;
pub(crate) mod thinker;
