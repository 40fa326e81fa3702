//! Operation of a server: health, metrics, deletion, periodic maintenance.

pub(crate) mod maintenance;
pub(crate) mod metrics;
pub(crate) mod routes;
