//! What was said between papan and an engine, and when.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

/// Who speaks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Voice {
    Papan,
    Engine,
    Errors,
}

/// A file with everything that is said, line by line.
#[derive(Debug)]
pub(crate) struct ConversationLog {
    file: BufWriter<File>,
    begun: Instant,
}

impl ConversationLog {
    /// A new file in a folder, named after the engine and numbered.
    ///
    /// # Errors
    /// When the folder or the file cannot be made.
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
                        begun: Instant::now(),
                    });
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("numbers do not end")
    }

    /// Writes down what was said. A full disk must not end a game.
    pub(crate) fn write(&mut self, voice: Voice, text: &str) {
        let sign = match voice {
            Voice::Papan => '>',
            Voice::Engine => '<',
            Voice::Errors => '!',
        };
        let time = self.begun.elapsed().as_secs_f64();
        for line in text.lines() {
            let _ = writeln!(self.file, "{time:10.4} {sign} {line}");
        }
        let _ = self.file.flush();
    }
}
