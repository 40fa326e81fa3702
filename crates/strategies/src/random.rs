//! Random: it believes nothing, and plays any legal move.

use papan_rules::{Game, Line, Move};

use crate::{Candidate, Context, Decision, NoMove, Strategy};

/// Uniform over the legal moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random {
    /// A seed of its own; without, the game's.
    pub seed: Option<u64>,
}

impl<G: Game> Strategy<G> for Random {
    fn choices(
        &mut self,
        game: &G,
        line: &Line<G>,
        _: &Context,
        out: &mut Vec<Move>,
    ) -> Result<u64, NoMove> {
        out.clear();
        out.extend(game.legal_moves(line.position()));
        if out.is_empty() {
            return Err(NoMove::GameOver);
        }
        Ok(1)
    }

    /// The same move, without listing the moves.
    fn choose(
        &mut self,
        game: &G,
        line: &Line<G>,
        context: &Context,
        _: &mut Vec<Move>,
    ) -> Result<(Move, u64), NoMove> {
        let mut moves = game.legal_moves(line.position());
        let count = moves.clone().count();
        let place = context.random_below(count, self.seed, line);
        Ok((moves.nth(place).ok_or(NoMove::GameOver)?, 1))
    }

    fn decide(&mut self, game: &G, line: &Line<G>, context: &Context) -> Result<Decision, NoMove> {
        let mut moves = Vec::new();
        let nodes = self.choices(game, line, context, &mut moves)?;
        Ok(Decision {
            best: context.pick(self.seed, line, &moves),
            candidates: moves
                .iter()
                .map(|&mv| Candidate::new(mv, Vec::new()))
                .collect(),
            nodes,
        })
    }

    fn seed(&self) -> Option<u64> {
        self.seed
    }
}
