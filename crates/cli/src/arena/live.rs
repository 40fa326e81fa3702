//! The live table of a running tournament, redrawn in place on standard error.

use std::io::Write as _;
use std::time::{Duration, Instant};

use papan_arena::{Report, Scoreboard, Tournament, report};
use papan_rules::sanitize_lines;

/// Minimum time between two redraws.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// The live table.
pub(crate) struct LiveTable {
    is_visible: bool,
    started: Instant,
    drawn: Option<Instant>,
    /// Number of lines on the screen.
    lines: usize,
    /// Number of games when this run started.
    games_before: Option<u64>,
    updates: u64,
}

impl LiveTable {
    /// Creates a table; an invisible one only counts updates.
    pub(crate) fn new(is_visible: bool) -> Self {
        Self {
            is_visible,
            started: Instant::now(),
            drawn: None,
            lines: 0,
            games_before: None,
            updates: 0,
        }
    }

    /// Returns the number of updates, one for each commit of finished games.
    pub(crate) fn updates(&self) -> u64 {
        self.updates
    }

    /// Redraws the table unless that was done a moment ago.
    pub(crate) fn update(&mut self, tournament: &Tournament, scoreboard: &Scoreboard) {
        self.updates += 1;
        let is_recent = |drawn: Instant| drawn.elapsed() < REDRAW_INTERVAL;
        if !self.is_visible || self.drawn.is_some_and(is_recent) {
            return;
        }
        let games = scoreboard.standings().games;
        let games_before = *self.games_before.get_or_insert(games);
        let table = Report::of(tournament, scoreboard);
        let text = report::live(&table, self.started.elapsed(), games - games_before);
        self.draw(&text);
        self.drawn = Some(Instant::now());
    }

    fn draw(&mut self, text: &str) {
        let (width, height) = size();
        let mut frame = self.erase_sequence();
        self.lines = 0;
        for line in sanitize_lines(text).lines().take(height.saturating_sub(1)) {
            frame.extend(line.chars().take(width.saturating_sub(1)));
            frame.push('\n');
            self.lines += 1;
        }
        // The tournament continues if the terminal is gone.
        let _ = std::io::stderr().write_all(frame.as_bytes());
    }

    /// Returns the escape sequence that moves to the first line of the table and clears the rest.
    fn erase_sequence(&self) -> String {
        match self.lines {
            0 => String::new(),
            lines => format!("\x1b[{lines}A\r\x1b[J"),
        }
    }

    /// Removes the table from the screen.
    pub(crate) fn clear(&mut self) {
        let _ = std::io::stderr().write_all(self.erase_sequence().as_bytes());
        self.lines = 0;
    }
}

/// Returns the columns and rows of the terminal.
fn size() -> (usize, usize) {
    match rustix::termios::tcgetwinsize(std::io::stderr()) {
        Ok(size) if size.ws_col > 0 => (size.ws_col.into(), size.ws_row.into()),
        _ => (80, 24),
    }
}
