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

/// The log of one engine process.
#[derive(Debug)]
pub(crate) struct ConversationLog {
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

    /// Appends the lines of `text`. Errors are ignored: a full disk must not end a game.
    pub(crate) fn write(&mut self, direction: Direction, text: &str) {
        let sign = match direction {
            Direction::Sent => '>',
            Direction::Received => '<',
            Direction::Stderr => '!',
        };
        let time = self.start.elapsed().as_secs_f64();
        for line in text.lines() {
            let _ = writeln!(self.file, "{time:10.4} {sign} {line}");
        }
        let _ = self.file.flush();
    }
}
