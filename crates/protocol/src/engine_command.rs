//! Engine command: an engine as the user names it, `PROTOCOL:COMMAND`.

use std::fmt;
use std::path::{Path, PathBuf};
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
    /// One position per line in, one move per line out.
    PositionLine,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Self; 5] = [
        Self::Gtp,
        Self::Ugi,
        Self::Piskvork,
        Self::NBoard,
        Self::PositionLine,
    ];

    /// The prefix of an engine command.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Gtp => "gtp",
            Self::Ugi => "ugi",
            Self::Piskvork => "piskvork",
            Self::NBoard => "nboard",
            Self::PositionLine => "move",
        }
    }

    /// The command that ends an engine, with its line break; empty where there is none.
    pub(crate) const fn quit_command(self) -> &'static str {
        match self {
            Self::Gtp | Self::Ugi | Self::NBoard => "quit\n",
            Self::Piskvork => "END\r\n",
            Self::PositionLine => "",
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

/// A file of a command with the digest of its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDigest {
    /// The name of the file.
    pub name: String,
    /// The first 16 bytes of its SHA-256 digest, in hexadecimal.
    pub sha256: String,
}

/// Formats the first 16 bytes of a digest.
fn hexadecimal(digest: &[u8]) -> String {
    digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The text is not an engine command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an engine; expected gtp:COMMAND, ugi:COMMAND, piskvork:COMMAND, nboard:COMMAND or move:COMMAND"
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
        let mut digest = Sha256::new();
        for (index, path) in self.files()?.into_iter().enumerate() {
            match std::fs::read(path) {
                Ok(bytes) => digest.update(bytes),
                Err(_) if index == 0 => return None,
                Err(_) => {}
            }
        }
        Some(format!("sha256 {}", hexadecimal(&digest.finalize())))
    }

    /// Returns the digests of the executable and of every regular file among the arguments.
    #[must_use]
    pub fn file_digests(&self) -> Vec<FileDigest> {
        let files = self.files().unwrap_or_default().into_iter();
        let digests = files.filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            let bytes = std::fs::read(&path).ok()?;
            let sha256 = hexadecimal(&Sha256::digest(bytes));
            Some(FileDigest { name, sha256 })
        });
        digests.collect()
    }

    /// Returns the paths of the executable and of the files among the arguments.
    fn files(&self) -> Option<Vec<PathBuf>> {
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
        let arguments = arguments.iter().map(|word| folder.join(word));
        let files = arguments.filter(|path| path.is_file());
        Some(std::iter::once(path).chain(files).collect())
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
