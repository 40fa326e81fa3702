//! The engine with a book in its hand.

use std::sync::Arc;

use papan_rules::{Line, Move, Othello};
use papan_strategies::{Candidate, Context, Decision, NoMove, Score, Strategy, Term, Turn};

use super::{Book, BookMove};
use crate::strategy::{EngineStrategy, board_of};

/// The engine, which plays from a book as far as that goes.
///
/// It looks into the book only where it plays by time: under other limits, or none, an answer
/// is the same as the engine's own. Where several moves of the book are worth most, the seed
/// decides.
pub struct BookPlayer {
    book: Arc<Book>,
    engine: EngineStrategy,
}

impl BookPlayer {
    /// An engine with a book.
    #[must_use]
    pub fn new(book: Arc<Book>, engine: EngineStrategy) -> Self {
        Self { book, engine }
    }

    /// What the book says of this position, if it is asked.
    fn moves(&self, game: &Othello, line: &Line<Othello>, context: &Context) -> Vec<BookMove> {
        match context.budget().is_limited() && game.side() == 8 {
            true => self.book.moves(board_of(line.position())),
            false => Vec::new(),
        }
    }
}

/// Those that are worth most.
fn best(moves: &[BookMove]) -> Vec<Move> {
    let most = moves.first().map(|mv| mv.value);
    let best = moves.iter().take_while(|mv| Some(mv.value) == most);
    best.map(|mv| Move::on(mv.square.index())).collect()
}

impl Strategy<Othello> for BookPlayer {
    fn choices(&mut self, turn: Turn<'_, Othello>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let moves = self.moves(game, line, context);
        if moves.is_empty() {
            return self.engine.choices(Turn::new(game, line, context), out);
        }
        out.clear();
        out.extend(best(&moves));
        Ok(0)
    }

    fn decide(&mut self, turn: Turn<'_, Othello>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let moves = self.moves(game, line, context);
        if moves.is_empty() {
            return self.engine.decide(Turn::new(game, line, context));
        }
        let candidate = |mv: &BookMove| {
            let terms = vec![Term::deciding("discs", mv.value)];
            let mut candidate = Candidate::new(Move::on(mv.square.index()), terms);
            candidate.score = Some(Score::about_discs(mv.value as f32));
            candidate
        };
        Ok(Decision {
            best: context.pick(None, line, &best(&moves)),
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
    use papan_strategies::{Limits, ManualClock};
    use std::time::Duration;

    fn player() -> BookPlayer {
        let text = "papan book 1\n-: d3+0 c4+0 f5+0 e6+0\nf5: d6+1 f6+1 f4-6\n";
        let book = Book::parse(text).expect("the book is whole");
        let options = Options {
            threads: 1,
            hash_mib: 1,
        };
        let engine = EngineStrategy::new(&options).expect("1 MiB can be had");
        BookPlayer::new(Arc::new(book), engine.with_limits(Some(2), None))
    }

    #[test]
    fn equals_vary_with_the_seed_and_choosing_agrees_with_explaining() {
        let game = Othello::default();
        let line = Line::parse(&game, "f5").expect("the line is legal");
        let limits = Limits {
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        };
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
        assert_eq!(seen.len(), 2, "two moves are worth most");
    }

    #[test]
    fn without_a_limit_in_time_the_book_stays_closed() {
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
}
