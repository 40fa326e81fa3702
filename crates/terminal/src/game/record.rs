//! Conversion between a game and its record, including the clock times of every move.

use std::time::Duration;

use papan_catalog::{AnyGame, PlayerSpec};
use papan_rules::{Outcome, Player, Record, RecordResult};
use papan_strategies::{GameClock, TimeControl};

use super::Game;
use crate::tree::NodeId;

impl Game {
    /// Loads a game with its variations; `None` when the record has an illegal move.
    #[must_use]
    pub(crate) fn from_record(record: &Record, seed: u64) -> Option<Self> {
        let game: AnyGame = record.game.parse().ok()?;
        let line = game.line_of(record).ok()?;
        let players = record.players.clone();
        let players = players.map(|name| name.parse().unwrap_or(PlayerSpec::Human));
        let mut game = Self::new(&*line, players, None, seed);
        game.apply_record(record);
        Some(game)
    }

    /// Adds the variations, times and headers of a record. An unfinished game continues with the
    /// clocks that it was played with.
    pub(crate) fn apply_record(&mut self, record: &Record) {
        for variation in &record.variations {
            self.tree.add_variation(variation);
        }
        self.loaded_positions = self.tree.positions();
        self.origin = Some(record.clone());
        self.opening = record.opening;
        let clock = record.clock.as_ref().and_then(|text| text.parse().ok());
        if let (Some(control), RecordResult::Unfinished) = (clock, record.result) {
            let here = self.tree.current();
            for (id, &time) in self.tree.path_to(here).into_iter().zip(&record.times) {
                self.tree.set_time(id, Duration::from_millis(time));
            }
            let left = self.left_at(control, here);
            self.clock = Some(GameClock::with_left(control, left));
        }
    }

    /// Returns the remaining times at a position, from the times of the moves that lead to it.
    fn left_at(&self, control: TimeControl, id: NodeId) -> [Duration; 2] {
        let mut left = [control.base; 2];
        let mut line = self.tree.line_to(0);
        for id in self.tree.path_to(id) {
            let mover = self.mover(line.moves().len(), line.turn()).index();
            let node = self.tree.node(id);
            left[mover] = left[mover].saturating_sub(node.time) + control.increment;
            if node.mv.is_none_or(|mv| line.play(mv).is_err()) {
                break;
            }
        }
        left
    }

    /// Stops the mover's clock and stores the time of the move just played. Time spent on moves that
    /// were undone counts as part of this move.
    pub(crate) fn stop_clock(&mut self, mover: Player, now: Duration) {
        let Some(clock) = self.clock else { return };
        let here = self.tree.current();
        let before = self.left_at(clock.control(), self.tree.node(here).parent);
        let used = before[mover.index()].saturating_sub(clock.left(mover, now));
        self.tree.set_time(here, used);
        if let Some(clock) = &mut self.clock {
            clock.press(mover, now);
        }
    }

    /// Returns the record of the current line up to its end, with all variations.
    #[must_use]
    pub fn record(&self) -> Record {
        let tip = self.tree.path().last().copied().unwrap_or(0);
        let players = self.players.clone().map(|player| player.to_string());
        let mut record = self.tree.line_to(tip).record(players);
        if let Some(forfeit) = self.forfeit.filter(|f| f.node == tip) {
            record.result = RecordResult::Finished(Outcome::Win(forfeit.loser.other()));
            let reason = if forfeit.by_time { "time" } else { "resigned" };
            record.reason = Some(reason.into());
        }
        let plies = self.tree.line_to(tip).moves().len();
        record.opening = self.opening.filter(|opening| opening.check(plies).is_ok());
        let variations = self.tree.variations().into_iter();
        record.variations = variations.map(|id| self.tree.line_to(id).text()).collect();
        if let Some(origin) = &self.origin {
            record.date.clone_from(&origin.date);
            record.event.clone_from(&origin.event);
            record.clock.clone_from(&origin.clock);
            record.comments.clone_from(&origin.comments);
            if record.moves == origin.moves {
                record.times.clone_from(&origin.times);
                record.result = origin.result;
                record.reason.clone_from(&origin.reason);
            }
        }
        if let Some(clock) = &self.clock {
            record.clock = Some(clock.control().to_string());
            let path = self.tree.path_to(tip).into_iter();
            record.times = path
                .map(|id| self.tree.node(id).time.as_millis() as u64)
                .collect();
        }
        record
    }
}
