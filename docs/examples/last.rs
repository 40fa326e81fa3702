//! Last: it believes that the last cell is the best one.

use papan_rules::{Game, Line, Move};
use papan_strategies::{Candidate, Context, Decision, NoMove, Strategy, Term};

/// It believes that the last cell is the best one.
#[derive(Clone, Copy, Debug)]
pub struct Last;

impl<G: Game> Strategy<G> for Last {
    fn choices(
        &mut self,
        game: &G,
        line: &Line<G>,
        _: &Context,
        out: &mut Vec<Move>,
    ) -> Result<u64, NoMove> {
        let last = game.legal_moves(line.position()).last();
        out.clear();
        out.push(last.ok_or(NoMove::GameOver)?);
        Ok(1)
    }

    fn decide(&mut self, game: &G, line: &Line<G>, _: &Context) -> Result<Decision, NoMove> {
        // Terms stand in the order in which they decide; the largest wins.
        let candidate = |mv: Move| {
            let place = mv.cell().map_or(0, |cell| cell as i64 + 1);
            Candidate::new(mv, vec![Term::deciding("place", place)])
        };
        let candidates: Vec<_> = game.legal_moves(line.position()).map(candidate).collect();
        let best = candidates.last().ok_or(NoMove::GameOver)?.mv;
        Ok(Decision {
            best,
            candidates,
            nodes: 1,
        })
    }
}
