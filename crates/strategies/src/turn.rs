//! Parameter object for one decision: the game, the line of play and the context.

use papan_rules::{Game, Line};

use crate::Context;

/// Everything that a [`Strategy`](crate::Strategy) knows when it is its turn to move.
pub struct Turn<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The moves so far; [`Line::position`] is the position to move in.
    pub line: &'a Line<G>,
    /// Limits, time, stop token and seed.
    pub context: &'a Context,
}

impl<'a, G: Game> Turn<'a, G> {
    /// Bundles the parameters of a decision.
    #[must_use]
    pub const fn new(game: &'a G, line: &'a Line<G>, context: &'a Context) -> Self {
        Self {
            game,
            line,
            context,
        }
    }

    /// Returns the position to move in.
    #[must_use]
    pub fn position(&self) -> &'a G::Position {
        self.line.position()
    }

    /// Returns the same turn with another context.
    #[must_use]
    pub const fn with_context(self, context: &'a Context) -> Self {
        Self { context, ..self }
    }
}

// Derived implementations would ask for `G: Clone`.
impl<G: Game> Clone for Turn<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Turn<'_, G> {}
