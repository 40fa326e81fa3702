//! Certificates, versions 2 and 3: proof trees of wins and draws at k in a row.
//!
//! A file claims that a player wins, or at least draws, from a position, and contains the proof in
//! compressed form. `docs/certificates.md` specifies the format. The verifiers share nothing with
//! the writer but the rules.

mod book;
mod checker_board;
mod file;
mod proof_reader;
mod syntax;
mod verify_draw;
mod verify_sequences;
mod verify_win;
mod write;
mod write_sequences;

pub use book::ProofBook;
pub use file::{
    CheckProgress, ClaimFile, ClaimKind, PositionClaim, check_claims, check_claims_with_progress,
    read_claims,
};
pub use write::{ClaimProof, write_claims};
