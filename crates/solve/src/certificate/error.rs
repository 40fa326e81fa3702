//! Errors of the certificate checkers, shared by both versions of the format.

use papan_strategies::Stopped;

/// Why a certificate is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The file is not a certificate.
    #[error("this is not a papan certificate")]
    NotACertificate,
    /// A version of the format that this release cannot read.
    #[error("this certificate has version {0}; this papan reads versions 1 to 3")]
    Version(u32),
    /// The file ends before its checksum.
    #[error("the file ends in the middle: the line `checksum` is missing")]
    Truncated,
    /// The checksum does not match.
    #[error("the file was changed after it was written: its checksum is wrong")]
    ChecksumMismatch,
    /// A malformed line.
    #[error("line {line}: expected {expected}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// The required content.
        expected: &'static str,
    },
    /// The certificate is for another game.
    #[error("the certificate is for {found}, not for {wanted}")]
    OtherGame {
        /// The game in the file.
        found: String,
        /// The game to check it for.
        wanted: String,
    },
    /// Version 1: a reachable position has no entry.
    #[error("{0} can arise, and the certificate does not answer it")]
    Missing(String),
    /// Version 1: the moves are not those of the strategy that the file names.
    #[error("the listed moves are not those of {0}")]
    OtherMoves(String),
    /// Version 1: a listed move loses.
    #[error("line {line}: after {mv} the opponent wins with {reply}")]
    Loses {
        /// The line of the entry, counted from 1.
        line: usize,
        /// The listed move.
        mv: String,
        /// The reply that wins.
        reply: String,
    },
    /// Versions 2 and 3: a proof is wrong.
    #[error("byte {at} of the proof: {fault}")]
    Proof {
        /// Bytes of the proof read so far.
        at: u64,
        /// The error.
        fault: ProofFault,
    },
    /// The check was stopped.
    #[error("the check was stopped before its end")]
    Stopped,
}

impl From<Stopped> for CheckError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// An error in a proof of version 2 or 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofFault {
    /// Invalid compressed data.
    #[error("the proof cannot be decompressed")]
    Compression,
    /// The proof ends too early.
    #[error("the proof ends in the middle")]
    Ends,
    /// Data after the end of the proof.
    #[error("something follows the end of the proof")]
    GoesOn,
    /// A cell, symmetry or node number out of range.
    #[error("a number is out of range")]
    Number,
    /// A move on a cell that may be occupied.
    #[error("a cell is not certainly empty")]
    Taken,
    /// A move that should be a four leaves no completing cell.
    #[error("a move that should force a reply forces none")]
    NoThreat,
    /// The defender can complete a line first.
    #[error("the defender can complete a line first")]
    DefenderFirst,
    /// The attacker can complete a line of a draw proof.
    #[error("the attacker can complete a line")]
    AttackerCompletes,
    /// A move without an answer.
    #[error("a move is left without an answer")]
    Unanswered,
    /// A reference to a node that does not cover the position.
    #[error("a node that is referred to is about another position")]
    OtherPosition,
    /// Symmetry of a position with stones of unknown position.
    #[error("symmetry is used where the position of a stone is unknown")]
    Symmetry,
    /// Too many nested passes.
    #[error("too many stones have an unknown position")]
    TooManyUnknown,
    /// A pairing whose remaining lines weigh too much.
    #[error("the lines without a pair weigh too much")]
    TooHeavy,
    /// A listed permutation is none of the cells, or does not map lines to lines.
    #[error("a permutation does not map lines to lines")]
    Permutation,
    /// A strategy-stealing claim that is not about the first player on the empty board.
    #[error("only the first player on the empty board draws by moving first")]
    NotFirst,
}

impl ProofFault {
    /// Returns the short name that identifies the translated message.
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
            Self::Permutation => "permutation",
            Self::NotFirst => "not-first",
        }
    }
}
