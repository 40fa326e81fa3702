//! Last: it believes that the last cell is the best one.

use papan_rules::{Game, Move};
use papan_strategies::{Candidate, Decision, NoMove, Strategy, Term, Turn};

/// It believes that the last cell is the best one.
#[derive(Clone, Copy, Debug)]
pub struct Last;

impl<G: Game> Strategy<G> for Last {
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let last = turn.game.legal_moves(turn.position()).last();
        out.clear();
        out.push(last.ok_or(NoMove::GameOver)?);
        Ok(1)
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        // Terms are listed in the order in which they decide; the largest wins.
        let candidate = |mv: Move| {
            let place = mv.cell().map_or(0, |cell| cell as i64 + 1);
            Candidate::new(mv, vec![Term::deciding("place", place)])
        };
        let moves = turn.game.legal_moves(turn.position());
        let candidates: Vec<_> = moves.map(candidate).collect();
        let best = candidates.last().ok_or(NoMove::GameOver)?.mv;
        Ok(Decision {
            best,
            candidates,
            nodes: 1,
        })
    }
}
