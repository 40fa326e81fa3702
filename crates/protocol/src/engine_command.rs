//! Engine command: an engine as the user names it, `PROTOCOL:COMMAND`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

use crate::engine_settings::EngineSettings;
use crate::process::{LineProcess, StartError, split_command};

/// A supported engine protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Go Text Protocol, version 2, also used by Othello programs.
    Gtp,
    /// The Universal Game Interface.
    Ugi,
    /// The Gomocup protocol, named after the tournament manager Piskvork.
    Piskvork,
    /// The protocol of the Othello program NBoard.
    NBoard,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Self; 4] = [Self::Gtp, Self::Ugi, Self::Piskvork, Self::NBoard];

    /// The prefix of an engine command.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Gtp => "gtp",
            Self::Ugi => "ugi",
            Self::Piskvork => "piskvork",
            Self::NBoard => "nboard",
        }
    }

    /// The command that ends an engine, with its line break.
    pub(crate) const fn quit_command(self) -> &'static str {
        match self {
            Self::Gtp | Self::Ugi | Self::NBoard => "quit\n",
            Self::Piskvork => "END\r\n",
        }
    }
}

/// An engine by its protocol and command line, such as `gtp:gtp-rhino`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// The protocol.
    pub protocol: Protocol,
    /// The command line, split by [`crate::split_command`].
    pub command: String,
    /// How the process is run.
    pub settings: EngineSettings,
}

/// The text is not an engine command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an engine; expected gtp:COMMAND, ugi:COMMAND, piskvork:COMMAND or nboard:COMMAND"
)]
pub struct EngineCommandError(pub String);

/// Why an engine cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The process cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The process starts, but the handshake of the protocol fails.
    #[error("`{command}` failed its handshake: {why}")]
    NotReady {
        /// Its command.
        command: String,
        /// The reason.
        why: String,
    },
}

impl EngineCommand {
    /// Returns a digest of the executable and of every file among the arguments, which
    /// identifies the engine's version. `None` when there is no such program.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        let words = split_command(&self.command).ok()?;
        let (program, arguments) = words.split_first()?;
        let folder = self.settings.dir.as_deref().unwrap_or(Path::new(""));
        let path = if program.contains('/') {
            folder.join(program)
        } else {
            std::env::split_paths(&std::env::var_os("PATH")?)
                .map(|directory| directory.join(program))
                .find(|path| path.is_file())?
        };
        let mut digest = Sha256::new();
        digest.update(std::fs::read(path).ok()?);
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

    /// Starts the process without any handshake.
    pub(crate) fn process(&self) -> Result<LineProcess, StartError> {
        LineProcess::start(&self.command, &self.settings, self.protocol.quit_command())
    }

    pub(crate) fn not_ready(&self, why: impl fmt::Display) -> EngineError {
        EngineError::NotReady {
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
