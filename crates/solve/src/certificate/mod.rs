//! Certificates: proofs as files, with checkers that share nothing with the provers but the rules.
//!
//! Version 1 lists the moves of a strategy that never loses (`v1`), versions 2 and 3 contain proof
//! trees of wins and draws at k in a row (`v2`). All share an envelope: a first line with the version,
//! named header lines, and a checksum in the last line. `docs/certificates.md` specifies the
//! formats.

pub(crate) mod envelope;
mod error;
mod v1;
mod v2;

pub use error::{CheckError, ProofFault};
pub use v1::{
    Certificate, CertificateError, MAX_POSITIONS, StrategyClaim, check, check_watched, read_claim,
    replay,
};
pub use v2::{
    CheckProgress, ClaimFile, ClaimKind, ClaimProof, PositionClaim, ProofBook, check_claims,
    check_claims_with_progress, read_claims, write_claims,
};
