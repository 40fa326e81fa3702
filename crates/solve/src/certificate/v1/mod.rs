//! Certificates, version 1.

mod check;
mod write;

pub use check::{StrategyClaim, check, read_claim, replay};
pub use write::{Certificate, CertificateError, MAX_POSITIONS};
