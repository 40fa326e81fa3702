//! A strategy of your own that reads the board: `cargo run --example own_strategy`.
//!
//! Corner plays Othello by one rule: the move that leaves it with the most corners, and among
//! those the one that gives the opponent the fewest replies (mobility).

use papan_rules::{Game, Line, Move, Notation, Othello, Player};
use papan_strategies::{Candidate, Context, Decision, NoMove, Random, Strategy, Term, Turn};

struct Corner;

impl Corner {
    /// Scores every legal move by reading the board after it.
    fn candidates(turn: Turn<'_, Othello>) -> Vec<(i64, Candidate)> {
        let (game, me) = (turn.game, turn.game.turn(turn.position()));
        let side = game.side();
        let corners = [0, side - 1, side * (side - 1), side * side - 1];
        let scored = |mv: Move| {
            let after = game.after(turn.position(), mv);
            let mine = |cell: &&usize| game.piece(&after, **cell) == Some(me);
            let held = corners.iter().filter(mine).count() as i64;
            let replies = game.legal_moves(&after).count() as i64;
            let terms = vec![
                Term::deciding("corners", held),
                Term::deciding("-replies", -replies),
            ];
            (100 * held - replies, Candidate::new(mv, terms))
        };
        game.legal_moves(turn.position()).map(scored).collect()
    }
}

impl Strategy<Othello> for Corner {
    fn choices(&mut self, turn: Turn<'_, Othello>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let decision = self.decide(turn)?;
        out.clear();
        out.push(decision.best);
        Ok(decision.nodes)
    }

    fn decide(&mut self, turn: Turn<'_, Othello>) -> Result<Decision, NoMove> {
        let scored = Self::candidates(turn);
        let best = scored.iter().max_by_key(|(score, _)| *score);
        let best = best.ok_or(NoMove::GameOver)?.1.mv;
        Ok(Decision {
            best,
            nodes: scored.len() as u64,
            candidates: scored.into_iter().map(|(_, candidate)| candidate).collect(),
        })
    }
}

pub(crate) fn main() -> Result<(), NoMove> {
    let game = Othello::default();
    let mut corner = Corner;
    let mut random = Random { seed: Some(1) };
    let (mut line, context, mut choices) = (Line::new(&game), Context::default(), Vec::new());
    while game.outcome(line.position()).is_none() {
        let turn = Turn::new(&game, &line, &context);
        let (mv, _nodes) = match game.turn(line.position()) {
            Player::First => corner.choose(turn, &mut choices)?,
            Player::Second => random.choose(turn, &mut choices)?,
        };
        line.push(&game, mv);
    }
    println!("{}", line.text(&game));
    println!("{}", game.format_position(line.position()));
    let score = game.final_score(line.position(), Player::First);
    println!("corner finishes with {score:+} discs");
    Ok(())
}
