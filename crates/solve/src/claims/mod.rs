//! Certificates, version 2: who at least draws or wins, from which position, on which
//! board, and why. The format is described in `docs/certificates.md`.
//!
//! What checks a file shares nothing with what writes it but the rules.

mod body;
mod book;
mod check_hold;
mod check_win;
mod file;
mod stones;
mod write;

pub use book::ProofBook;
pub use file::{Because, ClaimFile, ClaimLine, check_claims, claims};
pub use write::{Reason, write_claims};

use crate::sealed::BadForm;

/// Why a file of claims is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// It is no certificate at all.
    #[error("this is not a papan certificate")]
    NotACertificate,
    /// It has been cut off.
    #[error("the file ends in the middle: the line `checksum` is missing")]
    Cut,
    /// It has been changed.
    #[error("the file was changed after it was written: its checksum is wrong")]
    Changed,
    /// A line of the header is not what it should be.
    #[error("line {line}: expected {expected}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// It is for another game.
    #[error("the certificate is for {found}, not for {wanted}")]
    OtherGame {
        /// What it says.
        found: String,
        /// What it should say.
        wanted: String,
    },
    /// A proof is wrong.
    #[error("byte {at} of the proof: {fault}")]
    Proof {
        /// How many bytes of the proof had been read.
        at: u64,
        /// What is wrong.
        fault: ClaimFault,
    },
}

impl From<BadForm> for ClaimError {
    fn from(form: BadForm) -> Self {
        match form {
            BadForm::Cut => Self::Cut,
            BadForm::Changed => Self::Changed,
            BadForm::Line { line, expected } => Self::Line { line, expected },
        }
    }
}

/// What is wrong with a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimFault {
    /// The compressed bytes make no sense.
    #[error("the proof cannot be decompressed")]
    Compression,
    /// There is no more.
    #[error("the proof ends in the middle")]
    Ends,
    /// There is more.
    #[error("something follows the end of the proof")]
    GoesOn,
    /// No cell, symmetry or node has that number.
    #[error("a number is out of range")]
    Number,
    /// A move on a cell that may be taken.
    #[error("a cell is not certainly empty")]
    Taken,
    /// A four that is none.
    #[error("a move that should force a reply forces none")]
    NoThreat,
    /// The proof overlooks a threat.
    #[error("the defender can complete a line first")]
    DefenderFirst,
    /// The attacker completes a line.
    #[error("the attacker can complete a line")]
    AttackerCompletes,
    /// A reply or a move without an answer.
    #[error("a move is left without an answer")]
    Unanswered,
    /// The node is about something else.
    #[error("a node that is referred to is about another position")]
    OtherPosition,
    /// Symmetry where it does not hold.
    #[error("symmetry is used where a stone's place is not known")]
    Symmetry,
    /// Too many passes inside each other.
    #[error("too many stones have no known place")]
    TooManyUnknown,
    /// Pairs that stop nobody.
    #[error("the pairs leave too much over")]
    TooHeavy,
    /// The claim rests on an empty board and a first move.
    #[error("only whoever moves first on the empty board draws by moving first")]
    NotFirst,
}

impl ClaimFault {
    /// A short name, by which its words are found.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compression => "compression",
            Self::Ends => "ends",
            Self::GoesOn => "goes-on",
            Self::Number => "number",
            Self::Taken => "taken",
            Self::NoThreat => "no-threat",
            Self::DefenderFirst => "defender-first",
            Self::AttackerCompletes => "attacker-completes",
            Self::Unanswered => "unanswered",
            Self::OtherPosition => "other-position",
            Self::Symmetry => "symmetry",
            Self::TooManyUnknown => "too-many-unknown",
            Self::TooHeavy => "too-heavy",
            Self::NotFirst => "not-first",
        }
    }
}
