//! What the board does outside its state: thinking and files.

pub mod files;
pub mod thinker;
