//! Side effects: background searches and files.

pub(crate) mod engine_tasks;
pub(crate) mod files;
