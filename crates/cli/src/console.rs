//! Line-by-line conversation with a person, or with whatever is piped in.

use std::io::{BufRead as _, Read as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use papan_rules::sanitize;

/// Longer lines than this are cut: nobody types them.
const LONGEST_LINE: u64 = 4096;

/// Reads lines in a thread of its own, so that a clock can run out meanwhile.
pub(crate) struct Console {
    lines: Receiver<String>,
    /// Whether what is typed is seen already; what is piped in is not.
    echoes: bool,
}

/// What came of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A line, without its end.
    Line(String),
    /// There will be no more.
    Ended,
    /// The time ran out first.
    TimedOut,
}

impl Console {
    /// A conversation over standard input and output.
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
                    .take(LONGEST_LINE)
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

    /// Says something, with a line end.
    pub(crate) fn say(&mut self, text: &str) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", text.trim_end_matches('\n'))?;
        out.flush()
    }

    /// Asks and waits for a line, at most so long.
    pub(crate) fn ask(&mut self, prompt: &str, most: Option<Duration>) -> std::io::Result<Answer> {
        {
            let mut out = std::io::stdout().lock();
            write!(out, "{prompt} ")?;
            out.flush()?;
        }
        let answer = match most {
            None => self
                .lines
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected),
            Some(most) => self.lines.recv_timeout(most),
        };
        let answer = match answer {
            Ok(line) => Answer::Line(line),
            Err(RecvTimeoutError::Disconnected) => Answer::Ended,
            Err(RecvTimeoutError::Timeout) => Answer::TimedOut,
        };
        // The person's Enter ends the prompt's line; without one, we do.
        match &answer {
            Answer::Line(line) if !self.echoes => self.say(line)?,
            Answer::Line(_) => {}
            Answer::Ended | Answer::TimedOut => self.say("")?,
        }
        Ok(answer)
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
