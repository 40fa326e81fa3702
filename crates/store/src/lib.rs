//! What is kept.
//!
//! [`games`] keeps what people play through the server, in SQLite.

pub mod games;
