//! Parallel search.

pub(crate) mod abdada;
pub(crate) mod aspiration;
pub(crate) mod split_policy;
pub(crate) mod ybwc;
