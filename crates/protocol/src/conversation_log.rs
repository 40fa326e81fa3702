//! Conversation log: every line between papan and an engine, with its time (`--log-dir`).

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
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

/// Maximum size of a log in bytes: an engine can write gigabytes of error output per minute.
const MAX_LOG_BYTES: u64 = 64 << 20;

/// The log of one engine process.
#[derive(Debug)]
pub(crate) struct ConversationLog {
    /// Bytes that may still be written; 0 after the log was cut.
    remaining: u64,
    file: BufWriter<File>,
    start: Instant,
}

impl ConversationLog {
    /// Creates `NAME.NUMBER.log` with the first free number.
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
        for number in 1.. {
            let path = folder.join(format!("{name}.{number}.log"));
            match File::create_new(&path) {
                Ok(file) => {
                    return Ok(Self {
                        remaining: MAX_LOG_BYTES,
                        file: BufWriter::new(file),
                        start: Instant::now(),
                    });
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("the loop over all numbers does not end")
    }

    /// Appends the lines of `text`, up to the maximum size of the log. Errors are ignored: a
    /// full disk must not end a game.
    pub(crate) fn write(&mut self, direction: Direction, text: &str) {
        let sign = match direction {
            Direction::Sent => '>',
            Direction::Received => '<',
            Direction::Stderr => '!',
        };
        let time = self.start.elapsed().as_secs_f64();
        for line in text.lines() {
            if self.remaining == 0 {
                break;
            }
            let entry = format!("{time:10.4} {sign} {line}\n");
            match self.remaining.checked_sub(entry.len() as u64) {
                Some(remaining) => {
                    self.remaining = remaining;
                    let _ = self.file.write_all(entry.as_bytes());
                }
                None => {
                    self.remaining = 0;
                    let _ = writeln!(self.file, "{time:10.4} # log cut: size limit reached");
                }
            }
        }
        let _ = self.file.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_cut_at_its_limit_with_a_note() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = ConversationLog::create(folder.path(), "engine").unwrap();
        log.remaining = 1000;
        for _ in 0..1000 {
            log.write(Direction::Stderr, "0123456789\nabcdefghij");
        }
        let text = fs::read_to_string(folder.path().join("engine.1.log")).unwrap();
        assert!((900..1100).contains(&text.len()), "{} bytes", text.len());
        assert!(text.ends_with("# log cut: size limit reached\n"), "{text}");
        assert_eq!(text.matches("log cut").count(), 1);
    }
}
