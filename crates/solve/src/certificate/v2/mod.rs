//! Certificates, version 2: who at least draws or wins, from which position, on which
//! board, and why. The format is described in `docs/certificates.md`.
//!
//! What checks a file shares nothing with what writes it but the rules.

mod book;
mod checker_board;
mod file;
mod proof_reader;
mod verify_draw;
mod verify_win;
mod write;

pub use book::ProofBook;
pub use file::{ClaimFile, ClaimKind, PositionClaim, check_claims, read_claims};
pub use write::{ClaimProof, write_claims};
