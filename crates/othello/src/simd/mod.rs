//! CPU features and multiversioned code.

pub(crate) mod cpu;
pub(crate) mod dispatch;
