//! An engine as the user names it: `PROTOCOL:COMMAND`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

use crate::engine_settings::EngineSettings;
use crate::process::{LineProcess, StartError, split_command};

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
pub struct EngineCommandError(pub String);

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
    type Err = EngineCommandError;

    fn from_str(text: &str) -> Result<Self, EngineCommandError> {
        let wrong = || EngineCommandError(text.into());
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
