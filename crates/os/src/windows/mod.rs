//! Windows: job objects, console control events, `LockFileEx`.
#![allow(unsafe_code)]

pub(crate) mod file;
mod job;
pub(crate) mod machine;
pub(crate) mod process;
pub(crate) mod signals;
pub(crate) mod stdio;
