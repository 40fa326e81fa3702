//! The strategy (agent, bot) interface: a policy that maps a line of play to a move.
//!
//! Choosing and explaining are separate methods. Proofs and tournaments only need the moves, as
//! fast as possible; people want the reasons.

use std::fmt;

use papan_rules::{Game, Line, Move};

use crate::{Decision, Turn};

/// An algorithm that chooses moves of a game.
///
/// All methods respect the limits of the [`Context`](crate::Context) and share its time budget.
///
/// ```
/// use papan_rules::{Game, Line, Move, tictactoe};
/// use papan_strategies::{Candidate, Context, Decision, NoMove, Strategy, Turn};
///
/// /// Plays the first legal move.
/// struct First;
///
/// impl<G: Game> Strategy<G> for First {
///     fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
///         out.clear();
///         out.extend(turn.game.legal_moves(turn.position()).next());
///         if out.is_empty() { Err(NoMove::GameOver) } else { Ok(1) }
///     }
///
///     fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
///         let mut moves = Vec::new();
///         let nodes = self.choices(turn, &mut moves)?;
///         let candidates = vec![Candidate::new(moves[0], Vec::new())];
///         Ok(Decision { best: moves[0], candidates, nodes })
///     }
/// }
///
/// let game = tictactoe();
/// let (line, context) = (Line::new(&game), Context::default());
/// let (mv, _nodes) = First.choose(Turn::new(&game, &line, &context), &mut Vec::new())?;
/// assert_eq!(mv, Move::on(0));
/// # Ok::<(), NoMove>(())
/// ```
pub trait Strategy<G: Game>: Send {
    /// Replaces the contents of `out` with every move that the strategy may play: one move, or
    /// several from which it picks at random. Returns the number of nodes searched.
    ///
    /// # Errors
    /// When the strategy has no move in this position.
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove>;

    /// Returns the move that the strategy plays and the number of nodes searched. The seed picks
    /// one of several choices. `choices` is scratch space, so that a long tournament does not
    /// allocate per move.
    ///
    /// # Errors
    /// When the strategy has no move in this position.
    fn choose(
        &mut self,
        turn: Turn<'_, G>,
        choices: &mut Vec<Move>,
    ) -> Result<(Move, u64), NoMove> {
        let nodes = self.choices(turn, choices)?;
        let best = turn.context.pick(self.seed(), turn.line, choices);
        Ok((best, nodes))
    }

    /// Returns the move with its reasons. The move is the same as [`Strategy::choose`]'s unless a
    /// time limit ends the search early.
    ///
    /// # Errors
    /// When the strategy has no move in this position.
    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove>;

    /// Returns a digest of the state that the strategy keeps besides the position (0 for most).
    /// Two lines that reach the same position with the same memory are answered identically from
    /// there on.
    fn memory(&self, _game: &G, _line: &Line<G>) -> u64 {
        0
    }

    /// Returns whether the strategy, without limits, is a function of the position: exactly one
    /// legal move in every unfinished position, regardless of the moves that led there. A proof
    /// then needs no line of play, and can count drawn-out positions without asking the strategy.
    fn is_positional(&self) -> bool {
        false
    }

    /// Returns whether the strategy uses the context's seed in a way that `choices` does not show.
    /// A proof for one seed would then not cover the others.
    fn is_nondeterministic(&self) -> bool {
        false
    }

    /// Returns the strategy's own seed, which takes precedence over the context's.
    fn seed(&self) -> Option<u64> {
        None
    }

    /// Clears state left by earlier games, such as a transposition table, so that the next game
    /// does not depend on them.
    fn forget(&mut self) {}
}

impl<G: Game, S: Strategy<G> + ?Sized> Strategy<G> for Box<S> {
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        (**self).choices(turn, out)
    }
    fn choose(
        &mut self,
        turn: Turn<'_, G>,
        choices: &mut Vec<Move>,
    ) -> Result<(Move, u64), NoMove> {
        (**self).choose(turn, choices)
    }
    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        (**self).decide(turn)
    }
    fn memory(&self, game: &G, line: &Line<G>) -> u64 {
        (**self).memory(game, line)
    }
    fn is_positional(&self) -> bool {
        (**self).is_positional()
    }
    fn is_nondeterministic(&self) -> bool {
        (**self).is_nondeterministic()
    }
    fn seed(&self) -> Option<u64> {
        (**self).seed()
    }
    fn forget(&mut self) {
        (**self).forget();
    }
}

/// Reason why a strategy has no move in a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMove {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// An automaton's table or a position list has no row for this key.
    #[error("the table has no row for `{0}`")]
    NoRow(String),
    /// The reply in this row of a table is not a legal move.
    #[error("the table's row `{0}` replies with an illegal move")]
    IllegalReply(String),
    /// A program in another process failed, with the details.
    #[error("{0}{colon}{1}", colon = if .1.is_empty() { "" } else { ": " })]
    Program(ProgramFault, String),
    /// Any other reason, as text.
    #[error("{0}")]
    Failed(String),
}

/// How a program in another process failed to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramFault {
    /// It did not start, or its process ended.
    Crash,
    /// It did not answer.
    Hang,
    /// Its answer is not a legal move.
    Illegal,
    /// It answered after its time.
    Late,
    /// It resigned.
    Resigned,
    /// It violated its protocol.
    Protocol,
}

impl ProgramFault {
    /// All faults.
    pub const ALL: [Self; 6] = [
        Self::Crash,
        Self::Hang,
        Self::Illegal,
        Self::Late,
        Self::Resigned,
        Self::Protocol,
    ];

    /// Returns its name in files and message ids.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Illegal => "illegal",
            Self::Late => "time",
            Self::Resigned => "resigned",
            Self::Protocol => "protocol",
        }
    }
}

impl fmt::Display for ProgramFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
