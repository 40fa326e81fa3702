//! What every strategy can do.

use papan_rules::{Game, Line, Move};

use crate::{Context, Decision};

/// An algorithm that chooses moves of a game.
///
/// Choosing ([`Strategy::choices`], [`Strategy::choose`]) and explaining
/// ([`Strategy::decide`]) are apart: proofs and tournaments need the moves only, and
/// quickly; people need the reasons. All of them keep to the context's limits, and
/// to its one budget of time.
pub trait Strategy<G: Game>: Send {
    /// Puts every move that this strategy may play here into `out`, which it
    /// clears first: one move, or several among which it plays at random. Returns the number
    /// of nodes it looked at.
    ///
    /// # Errors
    /// When the strategy has no answer here.
    fn choices(
        &mut self,
        game: &G,
        line: &Line<G>,
        context: &Context,
        out: &mut Vec<Move>,
    ) -> Result<u64, NoMove>;

    /// The move that the strategy plays, without reasons, and how many nodes it
    /// cost: where it may play several, the seed decides. `choices` is a list
    /// to work in, so that a long tournament allocates nothing.
    ///
    /// # Errors
    /// When the strategy has no answer here.
    fn choose(
        &mut self,
        game: &G,
        line: &Line<G>,
        context: &Context,
        choices: &mut Vec<Move>,
    ) -> Result<(Move, u64), NoMove> {
        let nodes = self.choices(game, line, context, choices)?;
        Ok((context.pick(self.seed(), line, choices), nodes))
    }

    /// The move, with its reasons. It is [`Strategy::choose`]'s move, unless a limit
    /// in time ends the thinking before.
    ///
    /// # Errors
    /// When the strategy has no answer here.
    fn decide(&mut self, game: &G, line: &Line<G>, context: &Context) -> Result<Decision, NoMove>;

    /// What the strategy remembers beside the position (0 for most): two lines of
    /// play that lead to the same position with the same memory get the same
    /// answers from there on.
    fn memory(&self, _game: &G, _line: &Line<G>) -> u64 {
        0
    }

    /// Whether the strategy, without limits, is a function of the position: exactly
    /// one legal answer to every unfinished position, whatever led there.
    /// Proofs then need no line of play, and count boards on which nobody can win
    /// any more without asking.
    fn is_positional(&self) -> bool {
        false
    }

    /// Whether it is random where `choices` does not show it, by the context's seed:
    /// a proof for one seed would say nothing of another.
    fn hides_randomness(&self) -> bool {
        false
    }

    /// A seed of its own for what is random, instead of the context's.
    fn seed(&self) -> Option<u64> {
        None
    }

    /// Forgets whatever earlier games have left behind, such as a table of known
    /// positions, so that the next game does not depend on them.
    fn forget(&mut self) {}
}

impl<G: Game, S: Strategy<G> + ?Sized> Strategy<G> for Box<S> {
    fn choices(
        &mut self,
        game: &G,
        line: &Line<G>,
        context: &Context,
        out: &mut Vec<Move>,
    ) -> Result<u64, NoMove> {
        (**self).choices(game, line, context, out)
    }
    fn choose(
        &mut self,
        game: &G,
        line: &Line<G>,
        context: &Context,
        choices: &mut Vec<Move>,
    ) -> Result<(Move, u64), NoMove> {
        (**self).choose(game, line, context, choices)
    }
    fn decide(&mut self, game: &G, line: &Line<G>, context: &Context) -> Result<Decision, NoMove> {
        (**self).decide(game, line, context)
    }
    fn memory(&self, game: &G, line: &Line<G>) -> u64 {
        (**self).memory(game, line)
    }
    fn is_positional(&self) -> bool {
        (**self).is_positional()
    }
    fn hides_randomness(&self) -> bool {
        (**self).hides_randomness()
    }
    fn seed(&self) -> Option<u64> {
        (**self).seed()
    }
    fn forget(&mut self) {
        (**self).forget();
    }
}

/// A strategy has no answer to a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMove {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// A table of an automaton or a list of positions lacks a row.
    #[error("the table has no row for `{0}`")]
    NoRow(String),
    /// A table's reply is not a legal move.
    #[error("the table's row `{0}` replies with an illegal move")]
    IllegalReply(String),
    /// The strategy knows no move here, for this reason.
    #[error("{0}")]
    Failed(String),
}
