//! Certificates: proofs as files, and their checkers.

pub(crate) mod envelope;
mod error;
mod v1;
mod v2;

pub use error::{CheckError, ProofFault};
pub use v1::{
    Certificate, CertificateError, MAX_POSITIONS, StrategyClaim, check, read_claim, replay,
};
pub use v2::{
    ClaimFile, ClaimKind, ClaimProof, PositionClaim, ProofBook, check_claims, read_claims,
    write_claims,
};
