//! Swap opening of a game: who acts, choices, and taking them back.
//!
//! The opening belongs to the game, not to a node of the tree. At an earlier position only the
//! choices made up to there count; they are dropped when play continues from it.

use std::time::Duration;

use papan_rules::{Player, SwapChoice, SwapError, SwapOpening, SwapStep};

use super::Game;

impl Game {
    /// Returns the opening as it was at the current position.
    fn opening_here(&self) -> Option<SwapOpening> {
        let mut opening = self.opening.filter(|_| !self.analysing)?;
        opening.rewind(self.line().moves().len());
        Some(opening)
    }

    /// Returns the step of the opening at the current position.
    #[must_use]
    pub(crate) fn swap_step(&self) -> SwapStep {
        let plies = self.line().moves().len();
        let opening = self.opening_here();
        opening.map_or(SwapStep::Over, |opening| opening.step(plies))
    }

    /// Returns the player who acts: in a swap opening not always the side to move.
    #[must_use]
    pub(crate) fn actor(&self) -> Player {
        match self.swap_step().actor() {
            // The opening names players by their first seats.
            Some(player) if self.opening.is_some_and(SwapOpening::exchanged) => player.other(),
            Some(player) => player,
            None => self.turn(),
        }
    }

    /// Makes a choice of the opening.
    ///
    /// # Errors
    /// When it is not among the choices.
    pub(crate) fn choose(&mut self, choice: SwapChoice, now: Duration) -> Result<(), SwapError> {
        self.rewind_opening(now);
        let plies = self.line().moves().len();
        if let Some(opening) = &mut self.opening {
            opening.choose(plies, choice)?;
            if opening.exchanged() {
                self.exchange(now);
            }
        }
        Ok(())
    }

    /// Drops the choices that were made after the current position.
    pub(crate) fn rewind_opening(&mut self, now: Duration) {
        if self.analysing {
            return;
        }
        let here = self.opening_here();
        self.set_opening(here, now);
    }

    /// Takes back the choice made at the current position; returns whether there was one.
    pub(crate) fn undo_choice(&mut self, now: Duration) -> bool {
        let plies = self.line().moves().len();
        let mut opening = self.opening;
        let undone = opening.as_mut().is_some_and(|o| o.undo_choice(plies));
        self.set_opening(opening, now);
        undone
    }

    /// Replaces the opening; the players exchange seats if it differs in that.
    pub(crate) fn set_opening(&mut self, opening: Option<SwapOpening>, now: Duration) {
        let exchanged = |opening: Option<SwapOpening>| opening.is_some_and(SwapOpening::exchanged);
        if exchanged(self.opening) != exchanged(opening) {
            self.exchange(now);
        }
        self.opening = opening;
    }

    /// Whether the current position lacks a choice that was made before it.
    #[must_use]
    pub(crate) fn lacks_choice(&self) -> bool {
        let plies = self.line().moves().len();
        self.opening_here()
            .is_some_and(|opening| opening.check(plies).is_err())
    }

    /// Returns the seat of the player who made the move of this ply, the side to move being `turn`.
    pub(super) fn mover(&self, ply: usize, turn: Player) -> Player {
        let Some(opening) = self.opening else {
            return turn;
        };
        match opening.placed_by(ply) {
            Some(player) if opening.exchanged() => player.other(),
            Some(player) => player,
            None => turn,
        }
    }

    fn exchange(&mut self, now: Duration) {
        self.players.swap(0, 1);
        if let Some(clock) = &mut self.clock {
            clock.exchange(now);
        }
    }
}
