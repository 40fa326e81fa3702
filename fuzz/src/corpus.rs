//! The corpus in the repository: for each target a text file with inputs that reach different code.
//!
//! One input per line, escaped as in a byte string of Rust, so that changes can be reviewed.
//! `cargo xtask fuzz minimize` writes the files.

use std::io;
use std::path::{Path, PathBuf};

/// Maximum size of a file in bytes.
pub const MAX_FILE: usize = 8 << 10;

fn path(target: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    folder.join(format!("{target}.txt"))
}

/// Returns the inputs of a target; none if it has no file.
///
/// # Panics
/// If the file cannot be read or a line is invalid.
#[must_use]
pub fn read(target: &str) -> Vec<Vec<u8>> {
    let path = path(target);
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        read => read.unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    };
    assert!(text.len() <= MAX_FILE, "{} is too large", path.display());
    let lines = (1..).zip(text.lines());
    lines
        .map(|(number, line)| {
            unescape(line).unwrap_or_else(|| panic!("{}: line {number}", path.display()))
        })
        .collect()
}

/// Writes the inputs of a target, the shortest first, as many as the file may hold.
///
/// # Errors
/// If the file cannot be written.
pub fn write(target: &str, mut inputs: Vec<Vec<u8>>) -> io::Result<()> {
    inputs.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let mut text = String::new();
    for input in inputs {
        let line = format!("{}\n", input.escape_ascii());
        if text.len() + line.len() > MAX_FILE {
            break;
        }
        text += &line;
    }
    std::fs::write(path(target), text)
}

/// Inverts [`slice::escape_ascii`].
fn unescape(line: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = line.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next()? {
            b't' => b'\t',
            b'r' => b'\r',
            b'n' => b'\n',
            b'x' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            escaped => escaped,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_read_as_it_is_written() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(unescape(&all.escape_ascii().to_string()), Some(all));
        assert_eq!(unescape("\\x4"), None);
        assert_eq!(unescape("a\\"), None);
    }
}
