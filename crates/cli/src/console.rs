//! Line-based dialogue over standard input and output, with a time limit for each answer.

use std::io::{BufRead as _, Read as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use papan_rules::sanitize;

use crate::output::stdout;

/// Bytes read of one line; the rest of a longer line is dropped.
const MAX_LINE_BYTES: u64 = 4096;

/// Reads lines on a separate thread, so that waiting for one can time out.
pub(crate) struct Console {
    lines: Receiver<String>,
    /// Whether the terminal echoes the input; piped input is printed after the prompt instead.
    echoes: bool,
}

/// The result of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line, without its line break.
    Line(String),
    /// End of input.
    Ended,
    /// The time limit was reached first.
    TimedOut,
}

impl Console {
    /// Starts reading standard input.
    pub(crate) fn new() -> Self {
        use std::io::IsTerminal as _;
        let (sender, lines) = sync_channel(1);
        std::thread::spawn(move || {
            let mut input = std::io::stdin().lock();
            let mut line = Vec::new();
            loop {
                line.clear();
                match input
                    .by_ref()
                    .take(MAX_LINE_BYTES)
                    .read_until(b'\n', &mut line)
                {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                if line.last() != Some(&b'\n') && skip_to_line_end(&mut input).is_err() {
                    return;
                }
                let text = sanitize(String::from_utf8_lossy(&line).trim()).into_owned();
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        Self {
            lines,
            echoes: std::io::stdin().is_terminal(),
        }
    }

    /// Prints text and a line break.
    pub(crate) fn say(&mut self, text: &str) -> std::io::Result<()> {
        let mut out = stdout();
        writeln!(out, "{}", text.trim_end_matches('\n'))?;
        out.flush()
    }

    /// Prints a prompt and waits for a line, no longer than `timeout`.
    pub(crate) fn ask(
        &mut self,
        prompt: &str,
        timeout: Option<Duration>,
    ) -> std::io::Result<Input> {
        let mut out = stdout();
        write!(out, "{prompt} ")?;
        out.flush()?;
        let received = match timeout {
            None => self
                .lines
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected),
            Some(timeout) => self.lines.recv_timeout(timeout),
        };
        let input = match received {
            Ok(line) => Input::Line(line),
            Err(RecvTimeoutError::Disconnected) => Input::Ended,
            Err(RecvTimeoutError::Timeout) => Input::TimedOut,
        };
        // At a terminal, Enter has ended the prompt's line already.
        match &input {
            Input::Line(line) if !self.echoes => self.say(line)?,
            Input::Line(_) => {}
            Input::Ended | Input::TimedOut => self.say("")?,
        }
        Ok(input)
    }
}

fn skip_to_line_end(input: &mut impl std::io::BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&b| b == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}
