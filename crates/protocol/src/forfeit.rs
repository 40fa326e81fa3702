//! Games that were not lost on the board.

use std::fmt;

use papan_rules::sanitize;

use crate::process::ProcessError;

/// How a game was lost before the rules ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ForfeitKind {
    /// The engine's process ended.
    Crash,
    /// No answer came.
    Hang,
    /// The move is not allowed, or is no move.
    Illegal,
    /// The answer came after the time was up.
    Late,
    /// The player gave up.
    Resigned,
    /// What was said is not the protocol.
    Protocol,
    /// A strategy had no answer.
    NoMove,
}

impl ForfeitKind {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 7] = [
        Self::Crash,
        Self::Hang,
        Self::Illegal,
        Self::Late,
        Self::Resigned,
        Self::Protocol,
        Self::NoMove,
    ];

    /// The word for it in tables and files.
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

/// Why a player lost a game before the rules ended it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// The kind of failure.
    pub kind: ForfeitKind,
    /// What exactly happened.
    pub detail: String,
}

impl Forfeit {
    /// Characters of a detail that are kept: an engine must not fill the disk.
    const LONGEST: usize = 200;

    /// A failure and what exactly happened.
    #[must_use]
    pub fn new(kind: ForfeitKind, detail: impl fmt::Display) -> Self {
        let detail = detail.to_string();
        Self {
            kind,
            detail: sanitize(&detail).chars().take(Self::LONGEST).collect(),
        }
    }

    /// Whether the engine cannot be used any more. One that only played badly, or
    /// answers a little late, can.
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

impl From<ProcessError> for Forfeit {
    fn from(fault: ProcessError) -> Self {
        let kind = match fault {
            ProcessError::Ended { .. } => ForfeitKind::Crash,
            ProcessError::Silent | ProcessError::Deaf => ForfeitKind::Hang,
            ProcessError::LongLine => ForfeitKind::Protocol,
        };
        Self::new(kind, fault)
    }
}
