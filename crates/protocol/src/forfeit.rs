//! Forfeits: games lost by crash, timeout, illegal move or protocol error.
//!
//! The equivalent of the termination reasons of fastchess and cutechess ("disconnects",
//! "stalls", "makes an illegal move", "loses on time").

use std::fmt;

use papan_rules::sanitize;
use papan_strategies::{NoMove, ProgramFault};

use crate::process::ProcessError;

/// Why a game was lost before the rules ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ForfeitKind {
    /// The engine's process ended.
    Crash,
    /// The engine did not answer.
    Hang,
    /// The move is illegal or cannot be parsed.
    Illegal,
    /// The move came after the time limit.
    Late,
    /// The player resigned.
    Resigned,
    /// The engine violated its protocol.
    Protocol,
    /// A strategy returned no move.
    NoMove,
}

impl ForfeitKind {
    /// All kinds, in the order of their codes in result files.
    pub const ALL: [Self; 7] = [
        Self::Crash,
        Self::Hang,
        Self::Illegal,
        Self::Late,
        Self::Resigned,
        Self::Protocol,
        Self::NoMove,
    ];

    /// Name in tables and files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Illegal => "illegal",
            Self::Late => "time",
            Self::Resigned => "resigned",
            Self::Protocol => "protocol",
            Self::NoMove => "no move",
        }
    }
}

/// A game lost before the rules ended it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// The reason.
    pub kind: ForfeitKind,
    /// Details for people.
    pub detail: String,
}

impl Forfeit {
    /// Maximum length of `detail` in characters, because engines determine its text.
    const MAX_DETAIL: usize = 200;

    /// Creates a forfeit; the detail is sanitised and truncated.
    #[must_use]
    pub fn new(kind: ForfeitKind, detail: impl fmt::Display) -> Self {
        let detail = detail.to_string();
        Self {
            kind,
            detail: sanitize(&detail).chars().take(Self::MAX_DETAIL).collect(),
        }
    }

    /// A forfeit for a move that cannot be parsed.
    pub(crate) fn unknown_move(word: &str) -> Self {
        Self::new(
            ForfeitKind::Illegal,
            format!("`{word}` is not a move of this board"),
        )
    }

    /// Whether the engine has to be restarted.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self.kind, ForfeitKind::Crash | ForfeitKind::Hang)
    }
}

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.word())?;
        if self.detail.is_empty() {
            Ok(())
        } else {
            write!(f, ": {}", self.detail)
        }
    }
}

impl From<Forfeit> for NoMove {
    fn from(forfeit: Forfeit) -> Self {
        let fault = match forfeit.kind {
            ForfeitKind::Crash => ProgramFault::Crash,
            ForfeitKind::Hang => ProgramFault::Hang,
            ForfeitKind::Illegal => ProgramFault::Illegal,
            ForfeitKind::Late => ProgramFault::Late,
            ForfeitKind::Resigned => ProgramFault::Resigned,
            ForfeitKind::Protocol | ForfeitKind::NoMove => ProgramFault::Protocol,
        };
        Self::Program(fault, forfeit.detail)
    }
}

impl From<ProcessError> for Forfeit {
    fn from(error: ProcessError) -> Self {
        let kind = match error {
            ProcessError::Exited { .. } => ForfeitKind::Crash,
            ProcessError::Timeout | ProcessError::InputBlocked | ProcessError::Stopped => {
                ForfeitKind::Hang
            }
            ProcessError::LineTooLong => ForfeitKind::Protocol,
        };
        Self::new(kind, error)
    }
}
