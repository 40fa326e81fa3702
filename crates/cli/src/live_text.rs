//! Text that is redrawn in place on a terminal, such as a table of a running tournament.

use std::io::Write as _;

use papan_rules::sanitize_lines;

/// Text on standard error that the next frame replaces.
#[derive(Default)]
pub(crate) struct LiveText {
    /// Number of lines on the screen.
    lines: usize,
}

impl LiveText {
    /// Replaces the text, cut to the size of the terminal.
    pub(crate) fn draw(&mut self, text: &str) {
        let (width, height) = size();
        let mut frame = self.erase_sequence();
        self.lines = 0;
        for line in sanitize_lines(text).lines().take(height.saturating_sub(1)) {
            frame.extend(line.chars().take(width.saturating_sub(1)));
            frame.push('\n');
            self.lines += 1;
        }
        // The work continues if the terminal is gone.
        let _ = std::io::stderr().write_all(frame.as_bytes());
    }

    /// Returns the escape sequence that moves to the first line of the text and clears the rest.
    fn erase_sequence(&self) -> String {
        match self.lines {
            0 => String::new(),
            lines => format!("\x1b[{lines}A\r\x1b[J"),
        }
    }

    /// Removes the text from the screen.
    pub(crate) fn clear(&mut self) {
        let _ = std::io::stderr().write_all(self.erase_sequence().as_bytes());
        self.lines = 0;
    }
}

/// Returns the columns and rows of the terminal.
fn size() -> (usize, usize) {
    match console::Term::stderr().size_checked() {
        Some((rows, columns)) if columns > 0 => (columns.into(), rows.into()),
        _ => (80, 24),
    }
}
