//! Conversation log: every line between papan and an engine, with its time (`--log-dir`).

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Instant;

/// Where a line comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Direction {
    /// From papan to the engine.
    Sent,
    /// From the engine.
    Received,
    /// From the engine's standard error.
    Stderr,
}

/// Maximum size of the logs of an engine in bytes: it can write gigabytes of error output per
/// minute, and one that crashes in every game has many processes.
const MAX_LOG_BYTES: u64 = 64 << 20;

/// Bytes that the processes of an engine may still write, by folder and name.
static REMAINING: LazyLock<Mutex<HashMap<PathBuf, Arc<AtomicU64>>>> = LazyLock::new(Mutex::default);

/// The log of one engine process.
#[derive(Debug)]
pub(crate) struct ConversationLog {
    /// Bytes that the engine may still write; 0 after its log was cut.
    remaining: Arc<AtomicU64>,
    /// `None` if the log of an earlier process was cut.
    file: Option<BufWriter<File>>,
    start: Instant,
}

impl ConversationLog {
    /// Creates `NAME.NUMBER.log` with the first free number, unless the logs of this engine have
    /// reached their maximum size.
    ///
    /// # Errors
    /// When the directory or the file cannot be created.
    pub(crate) fn create(folder: &Path, name: &str) -> std::io::Result<Self> {
        fs::create_dir_all(folder)?;
        let plain = |c: char| {
            if c.is_alphanumeric() || c == '.' {
                c
            } else {
                '-'
            }
        };
        let name: String = name.chars().map(plain).take(60).collect();
        let remaining = Arc::clone(
            REMAINING
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(folder.join(&name))
                .or_insert_with(|| Arc::new(AtomicU64::new(MAX_LOG_BYTES))),
        );
        if remaining.load(Ordering::Relaxed) == 0 {
            return Ok(Self {
                remaining,
                file: None,
                start: Instant::now(),
            });
        }
        for number in 1.. {
            let path = folder.join(format!("{name}.{number}.log"));
            match File::create_new(&path) {
                Ok(file) => {
                    return Ok(Self {
                        remaining,
                        file: Some(BufWriter::new(file)),
                        start: Instant::now(),
                    });
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("the loop over all numbers does not end")
    }

    /// Appends the lines of `text`, up to the maximum size of the engine's logs. Errors are ignored:
    /// a full disk must not end a game.
    pub(crate) fn write(&mut self, direction: Direction, text: &str) {
        let sign = match direction {
            Direction::Sent => '>',
            Direction::Received => '<',
            Direction::Stderr => '!',
        };
        let Some(file) = &mut self.file else {
            return;
        };
        let time = self.start.elapsed().as_secs_f64();
        for line in text.lines() {
            let entry = format!("{time:10.4} {sign} {line}\n");
            let length = entry.len() as u64;
            // The previous value, or 0 from the process that cuts the log on.
            let before =
                self.remaining
                    .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                        Some(left.saturating_sub(length))
                    });
            match before {
                Ok(0) | Err(_) => {
                    let _ = file.flush();
                    self.file = None;
                    return;
                }
                Ok(left) if left <= length => {
                    let _ = writeln!(file, "{time:10.4} # log cut: size limit reached");
                }
                Ok(_) => {
                    let _ = file.write_all(entry.as_bytes());
                }
            }
        }
        let _ = file.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_cut_at_its_limit_with_a_note() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = ConversationLog::create(folder.path(), "engine").unwrap();
        log.remaining.store(1000, Ordering::Relaxed);
        for _ in 0..1000 {
            log.write(Direction::Stderr, "0123456789\nabcdefghij");
        }
        let text = fs::read_to_string(folder.path().join("engine.1.log")).unwrap();
        assert!((900..1100).contains(&text.len()), "{} bytes", text.len());
        assert!(text.ends_with("# log cut: size limit reached\n"), "{text}");
        assert_eq!(text.matches("log cut").count(), 1);
        // Another process of the engine gets no log of its own.
        let mut second = ConversationLog::create(folder.path(), "engine").unwrap();
        second.write(Direction::Stderr, "more");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let mut other = ConversationLog::create(folder.path(), "other").unwrap();
        other.write(Direction::Sent, "go");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
