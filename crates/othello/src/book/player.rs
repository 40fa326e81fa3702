//! A strategy that plays from an opening book, and with the engine after it.

use std::sync::Arc;

use papan_rules::{Move, Othello};
use papan_strategies::{Candidate, Decision, NoMove, Score, Strategy, Term, Turn, Value};

use super::{Book, BookMove};
use crate::strategy::{EngineStrategy, board_of};

/// The engine with an opening book.
///
/// The book is used only under a time limit alone: where the strategy or the context limits depth or
/// nodes, or nothing is limited, the moves are those of the engine alone. A client that asks for a
/// depth wants a search. Ties in the book are broken by the seed.
pub struct BookPlayer {
    book: Arc<Book>,
    engine: EngineStrategy,
}

impl BookPlayer {
    /// Creates a player from a book and an engine.
    #[must_use]
    pub fn new(book: Arc<Book>, engine: EngineStrategy) -> Self {
        Self { book, engine }
    }

    /// Returns the book moves of a position, if the book is used.
    fn book_moves(&self, turn: Turn<'_, Othello>) -> Vec<BookMove> {
        let given = turn.context.limits();
        let wants_search =
            self.engine.has_own_limits() || given.depth.is_some() || given.nodes.is_some();
        if wants_search || !turn.context.budget().is_limited() || turn.game.side() != 8 {
            return Vec::new();
        }
        self.book.moves(board_of(turn.position()))
    }
}

/// Returns the moves with the highest value; `moves` is sorted.
fn best_moves(moves: &[BookMove]) -> Vec<Move> {
    let best = moves.first().map(|mv| mv.value);
    moves
        .iter()
        .take_while(|mv| Some(mv.value) == best)
        .map(|mv| Move::on(mv.square.index()))
        .collect()
}

impl Strategy<Othello> for BookPlayer {
    fn choices(&mut self, turn: Turn<'_, Othello>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let moves = self.book_moves(turn);
        if moves.is_empty() {
            return self.engine.choices(turn, out);
        }
        out.clear();
        out.extend(best_moves(&moves));
        Ok(0)
    }

    fn decide(&mut self, turn: Turn<'_, Othello>) -> Result<Decision, NoMove> {
        let moves = self.book_moves(turn);
        if moves.is_empty() {
            return self.engine.decide(turn);
        }
        let candidate = |mv: &BookMove| {
            let terms = vec![
                Term::deciding("discs", mv.value),
                Term::shown("source", Value::Rule("book")),
            ];
            let mut candidate = Candidate::new(Move::on(mv.square.index()), terms);
            candidate.score = Some(Score::about_discs(mv.value as f32));
            candidate
        };
        Ok(Decision {
            best: turn.context.pick(None, turn.line, &best_moves(&moves)),
            candidates: moves.iter().map(candidate).collect(),
            nodes: 0,
        })
    }

    fn forget(&mut self) {
        self.engine.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use papan_rules::Line;
    use papan_strategies::Context;
    use papan_strategies::{Limits, ManualClock};
    use std::time::Duration;

    fn player() -> BookPlayer {
        let text = "papan book 1\n-: d3+0 c4+0 f5+0 e6+0\nf5: d6+1 f6+1 f4-6\n";
        let book = Book::parse(text).expect("the book is valid");
        let options = Options {
            threads: 1,
            hash_mib: 1,
        };
        let engine = EngineStrategy::new(&options).expect("1 MiB is available");
        BookPlayer::new(Arc::new(book), engine)
    }

    fn one_second() -> Limits {
        Limits {
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        }
    }

    #[test]
    fn ties_are_broken_by_the_seed_and_choose_agrees_with_decide() {
        let game = Othello::default();
        let line = Line::parse(&game, "f5").expect("the line is legal");
        let limits = one_second();
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..20 {
            let clock = ManualClock::default();
            let context = Context::with_seed(seed).limited(limits, &clock);
            let (mv, nodes) = player()
                .choose(Turn::new(&game, &line, &context), &mut Vec::new())
                .expect("a move");
            let decision = player()
                .decide(Turn::new(&game, &line, &context))
                .expect("a move");
            assert_eq!((decision.best, nodes), (mv, 0));
            assert_eq!(decision.candidates.len(), 3);
            seen.insert(mv);
        }
        assert_eq!(seen.len(), 2, "two moves have the highest value");
    }

    #[test]
    fn a_limit_in_depth_or_nodes_closes_the_book() {
        let game = Othello::default();
        let line = Line::parse(&game, "f5").expect("the line is legal");
        let nodes = |own: [Option<u64>; 2], limits: Limits| {
            let mut player = player();
            let [depth, nodes] = own;
            player.engine = player.engine.with_limits(depth.map(|d| d as u32), nodes);
            let clock = ManualClock::stepping(Duration::from_millis(1));
            let context = Context::default().limited(limits, &clock);
            let decision = player.decide(Turn::new(&game, &line, &context));
            decision.expect("a move").nodes
        };
        assert_eq!(nodes([None, None], one_second()), 0);
        assert!(nodes([Some(3), None], one_second()) > 0);
        assert!(nodes([None, Some(500)], one_second()) > 0);
        let depth = Limits {
            depth: Some(3),
            ..one_second()
        };
        assert!(nodes([None, None], depth) > 0);
    }

    #[test]
    fn without_a_time_limit_the_book_is_not_used() {
        let game = Othello::default();
        let line = Line::parse(&game, "f5").expect("the line is legal");
        let mut player = player();
        let (_, nodes) = player
            .choose(
                Turn::new(&game, &line, &Context::default()),
                &mut Vec::new(),
            )
            .expect("a move");
        assert!(nodes > 0);
    }

    #[test]
    fn a_book_move_names_its_source() {
        let game = Othello::default();
        let line = Line::parse(&game, "f5").expect("the line is legal");
        let clock = ManualClock::default();
        let context = Context::with_seed(1).limited(one_second(), &clock);
        let decision = player()
            .decide(Turn::new(&game, &line, &context))
            .expect("a move");
        for candidate in decision.candidates {
            let source = candidate.terms.iter().find(|term| term.name == "source");
            assert_eq!(source.expect("a source").value, Value::Rule("book"));
        }
    }
}
