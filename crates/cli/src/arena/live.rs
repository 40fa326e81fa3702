//! The live table of a running tournament, redrawn in place on standard error.

use std::time::{Duration, Instant};

use papan_arena::{Report, Scoreboard, Tournament, report};

use papan_view::Messages;

use crate::live_text::LiveText;

/// Minimum time between two redraws.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// The live table.
pub(crate) struct LiveTable {
    is_visible: bool,
    started: Instant,
    drawn: Option<Instant>,
    text: LiveText,
    /// Number of games when this run started.
    games_before: Option<u64>,
    updates: u64,
    words: Messages,
}

impl LiveTable {
    /// Creates a table; an invisible one only counts updates.
    pub(crate) fn new(is_visible: bool, words: Messages) -> Self {
        Self {
            is_visible,
            started: Instant::now(),
            drawn: None,
            text: LiveText::default(),
            games_before: None,
            updates: 0,
            words,
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
        let text = report::live(
            &table,
            self.started.elapsed(),
            games - games_before,
            self.words,
        );
        self.text.draw(&text);
        self.drawn = Some(Instant::now());
    }

    /// Removes the table from the screen.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
    }
}
