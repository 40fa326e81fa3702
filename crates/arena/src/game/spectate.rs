//! Live games for spectators.

use std::sync::{Mutex, PoisonError};

use papan_rules::Move;

use crate::tournament::ScheduledGame;

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct RunningGame {
    /// Which one.
    pub planned: ScheduledGame,
    /// The moves, including those of the opening.
    pub moves: Vec<Move>,
}

/// Whoever looks on. Players and results know nothing of them.
#[derive(Debug, Default)]
pub struct LiveGames {
    tables: Mutex<Vec<Option<RunningGame>>>,
}

impl LiveGames {
    /// The games that are being played now.
    #[must_use]
    pub fn games(&self) -> Vec<RunningGame> {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.iter().flatten().cloned().collect()
    }

    /// A table to be looked at.
    pub(crate) fn board(&self) -> LiveBoard<'_> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.push(None);
        LiveBoard {
            live_games: self,
            number: tables.len() - 1,
        }
    }
}

/// A table that is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiveBoard<'a> {
    live_games: &'a LiveGames,
    number: usize,
}

impl LiveBoard<'_> {
    /// Updates a game with its moves.
    pub(crate) fn show(&self, planned: &ScheduledGame, moves: &[Move]) {
        let tables = self.live_games.tables.lock();
        let mut tables = tables.unwrap_or_else(PoisonError::into_inner);
        match &mut tables[self.number] {
            // A swap opening may exchange the players.
            Some(game) if game.planned == *planned => {
                // Mostly there is one move more.
                let known = game.moves.len().min(moves.len());
                game.moves.extend_from_slice(&moves[known..]);
            }
            table => {
                *table = Some(RunningGame {
                    planned: *planned,
                    moves: moves.to_vec(),
                });
            }
        }
    }

    /// Nobody plays here any more.
    pub(crate) fn clear(&self) {
        let tables = self.live_games.tables.lock();
        tables.unwrap_or_else(PoisonError::into_inner)[self.number] = None;
    }
}
