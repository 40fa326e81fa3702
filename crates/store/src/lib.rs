//! What the server keeps, and what survives a fall: [`games`] holds what people play
//! and study through it, in SQLite.

pub mod games;
