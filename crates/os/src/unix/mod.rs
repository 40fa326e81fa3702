//! Unix: process groups, signals, `flock`, resource limits.

pub(crate) mod file;
pub(crate) mod machine;
pub(crate) mod process;
mod reaper;
pub(crate) mod signals;
pub(crate) mod stdio;
mod stray;
