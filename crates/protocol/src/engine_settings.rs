//! How an engine in another process is started and kept.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use papan_strategies::{format_time, parse_time};

use crate::conversation_log::ConversationLog;

/// How long an engine may take to start, and to answer what needs no thought. Some clear
/// hundreds of megabytes first, and a busy machine takes its time for that.
const USUAL_START: Duration = Duration::from_secs(60);

/// When an engine is started anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// When it cannot be used any more.
    #[default]
    Fault,
    /// Before every game.
    Game,
}

/// How an engine is started and kept. As text: `name=Rapfi dir=/opt/rapfi
/// env.THREADS=1 option.Hash=64 start=30s memory=1000000000 cores=0,1
/// restart=game ponder=on`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSettings {
    /// What it is called in tables.
    pub name: Option<String>,
    /// Where it runs.
    pub dir: Option<PathBuf>,
    /// What is added to its environment.
    pub env: Vec<(String, String)>,
    /// Options of its protocol: `setoption` of UGI, a command of GTP, `INFO` of
    /// Piskvork.
    pub options: Vec<(String, String)>,
    /// How long it may take to start, and to answer what needs no thought.
    pub start: Option<Duration>,
    /// Bytes of memory that it may use, where the protocol has words for it.
    pub memory: Option<u64>,
    /// The cores that it may run on; all when there are none.
    pub cores: Vec<usize>,
    /// When it is started anew.
    pub restart: Restart,
    /// Whether it may think while the other player does, where the protocol has
    /// words for it.
    pub ponder: bool,
    /// Where its conversations are written down. No part of its text.
    pub log_dir: Option<PathBuf>,
}

/// A setting that is not written as one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is no such setting.
    #[error(
        "`{0}` is no limit and no setting; write time=, nodes=, depth=, name=, dir=, env.NAME=, option.NAME=, start=, memory=, cores=, restart= or ponder="
    )]
    Key(String),
    /// Its value is none.
    #[error("`{key}={value}`: {wanted}")]
    Value {
        /// Which setting.
        key: String,
        /// What was written.
        value: String,
        /// What would be right.
        wanted: &'static str,
    },
}

impl EngineSettings {
    /// How long the engine may take to start.
    #[must_use]
    pub fn start_time(&self) -> Duration {
        self.start.unwrap_or(USUAL_START)
    }

    /// Sets one of them.
    ///
    /// # Errors
    /// When the key or the value is wrong.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let wrong = |wanted| SettingError::Value {
            key: key.into(),
            value: value.into(),
            wanted,
        };
        match (key, key.split_once('.')) {
            ("name", _) => {
                let name: String = value.chars().filter(|c| !c.is_control()).collect();
                let name = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
                self.name = Some(name.ok_or_else(|| wrong("a name has letters"))?);
            }
            ("dir", _) => self.dir = Some(value.into()),
            ("start", _) => {
                let time = parse_time(value).ok().filter(|time| !time.is_zero());
                self.start = Some(time.ok_or_else(|| wrong("write a time such as 30s"))?);
            }
            ("memory", _) => {
                let bytes = value.parse().ok().filter(|&bytes| bytes > 0);
                self.memory = Some(bytes.ok_or_else(|| wrong("write a number of bytes"))?);
            }
            ("cores", _) => {
                let cores = value.split(',').map(|core| core.trim().parse().ok());
                let cores = cores.map(|core| core.filter(|&core: &usize| core < 1024));
                let cores: Option<Vec<usize>> = cores.collect();
                self.cores = cores.ok_or_else(|| wrong("write numbers of cores such as 0,1"))?;
            }
            ("restart", _) => {
                self.restart = match value {
                    "fault" => Restart::Fault,
                    "game" => Restart::Game,
                    _ => return Err(wrong("write fault or game")),
                }
            }
            ("ponder", _) => {
                self.ponder = match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err(wrong("write on or off")),
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

    /// The log of a new conversation, if one is wanted.
    pub(crate) fn open_log(&self, command: &str) -> Option<std::io::Result<ConversationLog>> {
        let name = self.name.as_deref().unwrap_or(command);
        let folder = self.log_dir.as_deref()?;
        Some(ConversationLog::create(folder, name))
    }

    /// Binds a process that has just started to its cores. Where that cannot be
    /// done it runs on all of them.
    pub(crate) fn bind_to_cores(&self, process: u32) {
        #[cfg(target_os = "linux")]
        if !self.cores.is_empty()
            && let Some(process) = rustix::process::Pid::from_raw(process.cast_signed())
        {
            let mut set = rustix::thread::CpuSet::new();
            self.cores.iter().for_each(|&core| set.set(core));
            let _ = rustix::thread::sched_setaffinity(Some(process), &set);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = process;
    }
}

/// As it is read; what is usual is left out.
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
    match value.chars().all(plain) && !value.is_empty() {
        true => value.into(),
        false if value.contains('\'') => format!("\"{value}\""),
        false => format!("'{value}'"),
    }
}
