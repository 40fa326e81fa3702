//! Code shared by both databases: changes, the writing task, and the SQL text.

pub(crate) mod batching;
pub(crate) mod change;
pub(crate) mod writer;
