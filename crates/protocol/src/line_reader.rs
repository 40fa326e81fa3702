//! Line reader with a maximum line length.

use std::io::{self, BufRead};

use crate::process::MAX_LINE;

/// Reads the next line without its terminator; `None` at the end of the input. Longer lines
/// are truncated, so that a peer cannot exhaust the memory.
///
/// # Errors
/// When the input cannot be read.
pub(crate) fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            break;
        }
        any = true;
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        let room = MAX_LINE.saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    let text = String::from_utf8_lossy(&line);
    Ok(any.then(|| text.trim_end_matches('\r').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_long_ones_cut() {
        let long = "x".repeat(3 * MAX_LINE);
        let text = format!("one\r\n\n{long}\nlast\u{ff}");
        let mut input = io::BufReader::with_capacity(100, text.as_bytes());
        let mut next = || next_line(&mut input).unwrap();
        assert_eq!(next().as_deref(), Some("one"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().map(|line| line.len()), Some(MAX_LINE));
        assert_eq!(next().as_deref(), Some("lastÿ"));
        assert_eq!(next(), None);
    }
}
