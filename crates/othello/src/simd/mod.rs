//! CPU features: what the build assumes, what the processor has, and code compiled for both.

pub(crate) mod cpu;
pub(crate) mod dispatch;
