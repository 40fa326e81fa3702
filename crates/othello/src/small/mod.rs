//! A second, small engine: Othello on 4x4 and 6x6, solved from the initial position.
//!
//! Why it is not the engine for 8x8 with a mask: that engine is built around 8x8. Its pattern tables
//! and network are trained for the 64 squares, its edge stability, quadrant parity and endgame code
//! have the board's shape compiled in, and masks in those inner loops would slow down 8x8. Small
//! boards need none of that speed. A plain PVS over the same bitboards and transposition table
//! is enough to solve both.

mod board;
mod iterative_deepening;
mod result;
mod search;

pub use result::SmallResult;

use crate::board::square::Squares;
use crate::engine::{EngineError, Options};
use crate::tt::TranspositionTable;
use board::SmallBoard;
use iterative_deepening::{Root, RootResult};
use papan_rules::{Game as _, Line, Move, Othello};
use papan_strategies::{
    Candidate, Context, Decision, Limits, NoMove, Strategy, Term, Turn, Value, usable_threads,
};
use search::SCORE_INFINITE;

/// Nodes per move without any other limit: about a tenth of a second.
const DEFAULT_NODES: u64 = 1_000_000;

/// The engine for smaller boards, as a strategy.
pub struct SmallEngine {
    small: SmallBoard,
    tt: TranspositionTable,
    threads: usize,
    own_limits: Limits,
}

impl SmallEngine {
    /// Creates an engine for a board smaller than 8x8.
    ///
    /// # Errors
    /// When the transposition table does not fit in memory, or the number of threads is out of
    /// range.
    pub fn new(game: &Othello, options: &Options) -> Result<Self, EngineError> {
        Ok(Self {
            small: SmallBoard::new(game.side()),
            tt: options.allocate_tt()?,
            threads: usable_threads(options.threads),
            own_limits: Limits::default(),
        })
    }

    /// Adds limits that apply besides those of the context.
    #[must_use]
    pub fn with_limits(mut self, depth: Option<u32>, nodes: Option<u64>) -> Self {
        (self.own_limits.depth, self.own_limits.nodes) = (depth, nodes);
        self
    }

    /// Solves a position. If it is stopped before, the result is not exact.
    pub fn solve(&mut self, line: &Line<Othello>, context: &Context) -> SmallResult {
        let board = self.small.board(line.position());
        self.tt.new_search();
        self.root(context, u32::MAX)
            .search(board, self.threads)
            .result
    }

    const fn root<'a>(&'a self, context: &'a Context, max_depth: u32) -> Root<'a> {
        Root {
            small: &self.small,
            tt: &self.tt,
            context,
            max_depth,
        }
    }

    /// Returns the context with the tighter of its limits and the engine's own, or with
    /// [`DEFAULT_NODES`] if there are none.
    fn limited(&self, context: &Context) -> Context {
        let given = *context.limits();
        let own = self.own_limits;
        let mut limits = Limits {
            depth: own.depth.into_iter().chain(given.depth).min(),
            nodes: own.nodes.into_iter().chain(given.nodes).min(),
            ..given
        };
        if limits == Limits::default() {
            limits.nodes = Some(DEFAULT_NODES);
        }
        context.with_limits(limits)
    }

    /// Searches for the move to play.
    fn search(&mut self, turn: Turn<'_, Othello>) -> Result<RootResult, NoMove> {
        if turn.game.outcome(turn.position()).is_some() {
            return Err(NoMove::GameOver);
        }
        let context = self.limited(turn.context);
        // With an empty table the result depends only on the position and the limits.
        if !context.budget().is_limited() {
            self.tt.clear(self.threads);
        }
        let max_depth = context.limits().depth.unwrap_or(u32::MAX).max(1);
        let board = self.small.board(turn.position());
        Ok(self.root(&context, max_depth).search(board, self.threads))
    }
}

impl Strategy<Othello> for SmallEngine {
    fn choices(&mut self, turn: Turn<'_, Othello>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let RootResult { result, best } = self.search(turn)?;
        out.clear();
        out.push(best.map_or(Move::PASS, |square| self.small.mv(square)));
        Ok(result.nodes)
    }

    /// Chooses the move as [`Strategy::choices`] does, then scores all moves at the same depth.
    fn decide(&mut self, turn: Turn<'_, Othello>) -> Result<Decision, NoMove> {
        let RootResult { result, best } = self.search(turn)?;
        let board = self.small.board(turn.position());
        let root = self.root(turn.context, u32::MAX);
        let mut search = root.start(&turn.context.with_limits(Limits::default()), 0);
        let mut candidates = Vec::new();
        for square in Squares(self.small.moves(board)) {
            let child = board.child(square);
            let depth = result.depth.saturating_sub(1);
            let score = -search.search(child, depth, -SCORE_INFINITE, SCORE_INFINITE);
            if search.checker.is_over() {
                break;
            }
            let of_move = SmallResult {
                score,
                pv: root.pv(board, Some(square), result.depth),
                ..result.clone()
            };
            candidates.push(candidate(self.small.mv(square), &of_move));
        }
        let mv = best.map_or(Move::PASS, |square| self.small.mv(square));
        candidates.retain(|candidate: &Candidate| candidate.mv != mv);
        // The search that chose found no better move; a full window may return more than it proved.
        for other in &mut candidates {
            if other
                .score
                .is_some_and(|score| score.value() > result.score().value())
            {
                other.score = Some(result.score().or_less());
                other.terms[0].value = Value::AtMost(result.score.into());
            }
        }
        candidates.insert(0, candidate(mv, &result));
        Ok(Decision {
            best: mv,
            candidates,
            nodes: result.nodes + search.checker.nodes(),
        })
    }

    fn forget(&mut self) {
        self.tt.clear(1);
    }
}

fn candidate(mv: Move, result: &SmallResult) -> Candidate {
    Candidate {
        mv,
        score: Some(result.score()),
        pv: result.pv.clone(),
        terms: vec![
            Term::deciding("discs", result.score),
            Term::shown("depth", i64::from(result.depth)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_principal_variation_is_not_extended_after_a_stop() {
        let game = Othello::new(6).expect("6x6 is supported");
        let options = Options {
            threads: 1,
            hash_mib: 1,
        };
        let engine = SmallEngine::new(&game, &options).expect("1 MiB is available");
        let mut board = engine.small.board(Line::new(&game).position());
        while engine.small.empties(board) > 16 {
            board = match Squares(engine.small.moves(board)).next() {
                Some(square) => board.child(square),
                None => board.passed(),
            };
        }
        let first = Squares(engine.small.moves(board)).next();
        let stopped = Context::default();
        stopped.stop.stop();
        let short = engine.root(&stopped, u32::MAX).pv(board, first, u32::MAX);
        assert!(short.len() <= 2, "{short:?}");
        let context = Context::default();
        let long = engine.root(&context, u32::MAX).pv(board, first, u32::MAX);
        assert!(long.len() > 2, "{long:?}");
    }
}
