//! CPU features: detection, and functions compiled for several instruction sets.

pub(crate) mod cpu;
pub(crate) mod dispatch;
