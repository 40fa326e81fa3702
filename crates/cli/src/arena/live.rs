//! The table while a tournament is played, drawn over itself.

use std::io::Write as _;
use std::time::{Duration, Instant};

use papan_arena::{Report, Scoreboard, Tournament, report};
use papan_rules::sanitize_lines;

/// How often it is drawn.
const PAUSE: Duration = Duration::from_millis(200);

/// A table on standard error.
pub(crate) struct Live {
    shown: bool,
    begun: Instant,
    drawn: Option<Instant>,
    lines: usize,
    before: Option<u64>,
    games: u64,
}

impl Live {
    /// A table, drawn only when `shown`.
    pub(crate) fn new(shown: bool) -> Self {
        Self {
            shown,
            begun: Instant::now(),
            drawn: None,
            lines: 0,
            before: None,
            games: 0,
        }
    }

    /// How many commits of games there were.
    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    /// Draws how things stand, unless it did a moment ago.
    pub(crate) fn show(&mut self, tournament: &Tournament, scoreboard: &Scoreboard) {
        self.games += 1;
        if !self.shown || self.drawn.is_some_and(|drawn| drawn.elapsed() < PAUSE) {
            return;
        }
        let games = scoreboard.standings().games;
        let before = *self.before.get_or_insert(games);
        let table = Report::of(tournament, scoreboard);
        let text = report::live(&table, self.begun.elapsed(), games - before);
        self.draw(&text);
        self.drawn = Some(Instant::now());
    }

    fn draw(&mut self, text: &str) {
        let (width, height) = size();
        let mut frame = self.erasure();
        self.lines = 0;
        for line in sanitize_lines(text).lines().take(height.saturating_sub(1)) {
            frame.extend(line.chars().take(width.saturating_sub(1)));
            frame.push('\n');
            self.lines += 1;
        }
        // A terminal that has gone away is no reason to stop playing.
        let _ = std::io::stderr().write_all(frame.as_bytes());
    }

    /// Back to the first line of the table, and everything after it cleared.
    fn erasure(&self) -> String {
        match self.lines {
            0 => String::new(),
            lines => format!("\x1b[{lines}A\r\x1b[J"),
        }
    }

    /// Takes the table away.
    pub(crate) fn clear(&mut self) {
        let _ = std::io::stderr().write_all(self.erasure().as_bytes());
        self.lines = 0;
    }
}

/// Columns and rows of the terminal.
fn size() -> (usize, usize) {
    match rustix::termios::tcgetwinsize(std::io::stderr()) {
        Ok(size) if size.ws_col > 0 => (size.ws_col.into(), size.ws_row.into()),
        _ => (80, 24),
    }
}
