//! Engine settings: how an engine process is started and run.
//!
//! The counterpart of fastchess's `-engine` options (`name=`, `dir=`, `option.NAME=`,
//! `restart=`).

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use papan_os::ProcessLimits;
use papan_strategies::{format_time, parse_time};

use crate::conversation_log::ConversationLog;
use crate::process::Sandbox;

/// Default timeout of the handshake and of commands without a search. Some engines clear
/// hundreds of megabytes at their start, which takes long on a busy machine.
const DEFAULT_START_TIMEOUT: Duration = Duration::from_secs(60);

/// Number of cores that a CPU set can hold.
const MAX_CORES: usize = 1024;

/// When an engine process is restarted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// After a crash or a hang.
    #[default]
    Fault,
    /// Before every game.
    Game,
}

/// How an engine process is started and run. As text: `name=Rapfi dir=/opt/rapfi
/// env.THREADS=1 option.Hash=64 start=30s memory=1000000000 cores=0,1
/// restart=game ponder=on`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSettings {
    /// Display name.
    pub name: Option<String>,
    /// Working directory.
    pub dir: Option<PathBuf>,
    /// Additional environment variables.
    pub env: Vec<(String, String)>,
    /// Options of its protocol: `setoption` of UGI, a command of GTP, `INFO` of
    /// Piskvork.
    pub options: Vec<(String, String)>,
    /// Timeout of the handshake and of commands without a search.
    pub start: Option<Duration>,
    /// Memory limit in bytes, where the protocol can express it.
    pub memory: Option<u64>,
    /// CPU affinity; all cores when empty.
    pub cores: Vec<usize>,
    /// When the process is restarted.
    pub restart: Restart,
    /// Whether it may ponder, where the protocol supports it.
    pub ponder: bool,
    /// Limits of an untrusted program; not part of the text.
    pub sandbox: Option<Sandbox>,
    /// Directory of the conversation logs; not part of the text.
    pub log_dir: Option<PathBuf>,
}

/// A setting that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is no such setting.
    #[error(
        "unknown limit or setting `{0}`; expected time=, nodes=, depth=, name=, dir=, env.NAME=, option.NAME=, start=, memory=, cores=, restart= or ponder="
    )]
    Key(String),
    /// The value is invalid.
    #[error("`{key}={value}`: {expected}")]
    Value {
        /// The setting.
        key: String,
        /// The invalid value.
        value: String,
        /// The expected form.
        expected: &'static str,
    },
}

impl EngineSettings {
    /// Timeout of the handshake and of commands without a search.
    #[must_use]
    pub fn start_timeout(&self) -> Duration {
        self.start.unwrap_or(DEFAULT_START_TIMEOUT)
    }

    /// Sets one setting.
    ///
    /// # Errors
    /// When the key or the value is invalid.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let invalid = |expected| SettingError::Value {
            key: key.into(),
            value: value.into(),
            expected,
        };
        match (key, key.split_once('.')) {
            ("name", _) => {
                let name: String = value.chars().filter(|c| !c.is_control()).collect();
                if name.trim().is_empty() {
                    return Err(invalid("expected a name that is not empty"));
                }
                self.name = Some(name.trim().to_owned());
            }
            ("dir", _) => self.dir = Some(value.into()),
            ("start", _) => {
                let time = parse_time(value).ok().filter(|time| !time.is_zero());
                self.start = Some(time.ok_or_else(|| invalid("expected a time such as 30s"))?);
            }
            ("memory", _) => {
                let bytes = value.parse().ok().filter(|&bytes| bytes > 0);
                self.memory = Some(bytes.ok_or_else(|| invalid("expected a number of bytes"))?);
            }
            ("cores", _) => {
                let core = |text: &str| text.trim().parse().ok().filter(|&core| core < MAX_CORES);
                let cores: Option<Vec<usize>> = value.split(',').map(core).collect();
                self.cores = cores.ok_or_else(|| invalid("expected core numbers such as 0,1"))?;
            }
            ("restart", _) => {
                self.restart = match value {
                    "fault" => Restart::Fault,
                    "game" => Restart::Game,
                    _ => return Err(invalid("expected fault or game")),
                }
            }
            ("ponder", _) => {
                self.ponder = match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err(invalid("expected on or off")),
                }
            }
            (_, Some(("env", name))) if !name.is_empty() && !name.contains('=') => {
                self.env.push((name.into(), value.into()));
            }
            (_, Some(("option", name))) if !name.is_empty() => {
                self.options.push((name.into(), value.into()));
            }
            _ => return Err(SettingError::Key(key.into())),
        }
        Ok(())
    }

    /// Creates the conversation log of a new process, if logging is enabled.
    pub(crate) fn open_log(&self, command: &str) -> Option<std::io::Result<ConversationLog>> {
        let name = self.name.as_deref().unwrap_or(command);
        let folder = self.log_dir.as_deref()?;
        Some(ConversationLog::create(folder, name))
    }

    /// Returns the limits of a new process.
    pub(crate) fn process_limits(&self) -> ProcessLimits {
        let memory = self.sandbox.map(|sandbox| sandbox.memory_mib);
        ProcessLimits {
            memory: memory.map(|mib| mib.saturating_mul(1 << 20)),
            cores: self.cores.clone(),
        }
    }
}

/// As it is parsed, without the settings that have their default.
impl fmt::Display for EngineSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        let mut put = |key: &str, value: &str| words.push(format!("{key}={}", quoted(value)));
        if let Some(name) = &self.name {
            put("name", name);
        }
        if let Some(dir) = &self.dir {
            put("dir", &dir.display().to_string());
        }
        for (key, value) in &self.env {
            put(&format!("env.{key}"), value);
        }
        for (key, value) in &self.options {
            put(&format!("option.{key}"), value);
        }
        if let Some(start) = self.start {
            put("start", &format_time(start));
        }
        if let Some(memory) = self.memory {
            put("memory", &memory.to_string());
        }
        if !self.cores.is_empty() {
            let cores: Vec<String> = self.cores.iter().map(ToString::to_string).collect();
            put("cores", &cores.join(","));
        }
        if self.restart == Restart::Game {
            put("restart", "game");
        }
        if self.ponder {
            put("ponder", "on");
        }
        f.write_str(&words.join(" "))
    }
}

fn quoted(value: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !matches!(c, '\'' | '"' | ';');
    if value.chars().all(plain) && !value.is_empty() {
        value.into()
    } else if value.contains('\'') {
        format!("\"{value}\"")
    } else {
        format!("'{value}'")
    }
}
