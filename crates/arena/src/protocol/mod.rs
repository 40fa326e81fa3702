//! Engines in other processes, and papan as one of them.
//!
//! Each protocol is written once: its module holds what is said, as types that
//! both read and write themselves; `asking` is the side that asks for moves and
//! `answering` the side that gives them.

mod attention;
pub mod gtp;
mod lines;
pub mod nboard;
pub mod piskvork;
mod settings;
pub mod ugi;

pub use settings::{EngineSettings, Restart, SettingError};

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use papan_rules::{Move, printable};
use papan_strategies::Limits;
use sha2::{Digest as _, Sha256};

use crate::allowance::Allowance;
use crate::forfeit::Forfeit;
use crate::process::{LineProcess, StartError, split_command};
use crate::wire_board::WireBoard;

/// How long an engine that was late may take to give the answer that it owes, before
/// it counts as hung and is started again.
const GRACE: Duration = Duration::from_secs(3);

/// An engine in another process.
pub trait Engine: Send {
    /// What it calls itself, with its version where it says so.
    fn name(&self) -> &str;

    /// Prepares for a new game under these limits. Whatever it still had to say
    /// about the last one is heard and forgotten.
    ///
    /// # Errors
    /// When it fails to: it has to be started again.
    fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit>;

    /// What it is told about its time, which is what it is judged by: not every
    /// protocol can say everything.
    fn announced(&self, limits: &Limits) -> Allowance {
        Allowance::of(limits)
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// When none comes; the game is then lost.
    fn choose(&mut self, request: &Request<'_>) -> Result<Answer, Forfeit>;
}

/// A position to move in.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// All moves of the game from its start; what follows is to be chosen.
    pub moves: &'a [Move],
    /// The mover's limits, with what is left of the clock.
    pub limits: &'a Limits,
    /// The other player's clock and increment.
    pub other_clock: Option<(Duration, Duration)>,
    /// When waiting ends.
    pub deadline: Instant,
}

/// An engine's move: on the board, but not yet judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub mv: Move,
    /// The nodes it looked at, where it says so.
    pub nodes: Option<u64>,
    /// What it thinks of its position, in units of its own, where it says so.
    pub score: Option<i32>,
}

/// A protocol that papan speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Go Text Protocol, version 2, which Othello programs speak as well.
    Gtp,
    /// The Universal Game Interface.
    Ugi,
    /// The protocol of the Gomocup tournament.
    Piskvork,
    /// The protocol of the Othello program NBoard.
    NBoard,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Gtp, Self::Ugi, Self::Piskvork, Self::NBoard];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Gtp => "gtp",
            Self::Ugi => "ugi",
            Self::Piskvork => "piskvork",
            Self::NBoard => "nboard",
        }
    }

    /// What makes an engine leave.
    pub(crate) const fn goodbye(self) -> &'static str {
        match self {
            Self::Gtp | Self::Ugi | Self::NBoard => "quit\n",
            Self::Piskvork => "END\r\n",
        }
    }
}

/// An engine by its protocol and command: `gtp:gtp-rhino`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// What it speaks.
    pub protocol: Protocol,
    /// How it is started.
    pub command: String,
    /// How it is kept.
    pub settings: EngineSettings,
}

/// The text names no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no engine; write gtp:COMMAND, ugi:COMMAND, piskvork:COMMAND or nboard:COMMAND")]
pub struct NotAnEngine(pub String);

/// An engine that cannot take part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// It does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It starts, but does not get ready.
    #[error("`{command}` does not get ready: {why}")]
    Unready {
        /// Its command.
        command: String,
        /// What went wrong.
        why: String,
    },
}

impl EngineCommand {
    /// Starts the engine and makes it ready for games on a board.
    ///
    /// # Errors
    /// When it does not start, does not speak its protocol, or does not play this.
    pub fn start(&self, board: &WireBoard) -> Result<Box<dyn Engine>, EngineError> {
        Ok(match self.protocol {
            Protocol::Gtp => Box::new(gtp::Asking::start(self, board)?),
            Protocol::Ugi => Box::new(ugi::Asking::start(self, board)?),
            Protocol::Piskvork => Box::new(piskvork::Asking::start(self, board)?),
            Protocol::NBoard => Box::new(nboard::Asking::start(self, board)?),
        })
    }

    /// What tells its program from any other: a digest of the program's file and of
    /// every file among its arguments. `None` when there is no such program.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        let words = split_command(&self.command).ok()?;
        let (program, arguments) = words.split_first()?;
        let folder = self.settings.dir.as_deref().unwrap_or(Path::new(""));
        let program = match program.contains('/') {
            true => folder.join(program),
            false => std::env::split_paths(&std::env::var_os("PATH")?)
                .map(|place| place.join(program))
                .find(|path| path.is_file())?,
        };
        let mut digest = Sha256::new();
        digest.update(std::fs::read(program).ok()?);
        for argument in arguments.iter().map(|word| folder.join(word)) {
            if argument.is_file()
                && let Ok(bytes) = std::fs::read(&argument)
            {
                digest.update(bytes);
            }
        }
        let bytes = digest.finalize();
        let hex = bytes.iter().take(16).map(|byte| format!("{byte:02x}"));
        Some(format!("sha256 {}", hex.collect::<String>()))
    }

    /// What it calls itself, asked of a process of its own; `None` when it does not start.
    #[must_use]
    pub fn introduction(&self, board: &WireBoard) -> Option<String> {
        let mut unlogged = self.clone();
        unlogged.settings.log_dir = None;
        let engine = unlogged.start(board).ok()?;
        Some(printable(engine.name()).chars().take(100).collect())
    }

    /// Starts the program, nothing more.
    pub(crate) fn process(&self) -> Result<LineProcess, StartError> {
        LineProcess::start(&self.command, &self.settings, self.protocol.goodbye())
    }

    pub(crate) fn unready(&self, why: impl fmt::Display) -> EngineError {
        EngineError::Unready {
            command: self.command.clone(),
            why: why.to_string(),
        }
    }
}

impl FromStr for EngineCommand {
    type Err = NotAnEngine;

    fn from_str(text: &str) -> Result<Self, NotAnEngine> {
        let wrong = || NotAnEngine(text.into());
        let (word, command) = text.split_once(':').ok_or_else(wrong)?;
        let mut all = Protocol::ALL.into_iter();
        let protocol = all.find(|p| p.word() == word).ok_or_else(wrong)?;
        if command.trim().is_empty() {
            return Err(wrong());
        }
        Ok(Self {
            protocol,
            command: command.trim().into(),
            settings: EngineSettings::default(),
        })
    }
}

impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.protocol.word(), self.command)
    }
}
