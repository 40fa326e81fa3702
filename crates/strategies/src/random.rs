//! Random play: any legal move, by seed.

use papan_rules::{Game, Move};

use crate::{Candidate, Decision, NoMove, Strategy, Turn};

/// Uniform over the legal moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random {
    /// A seed of its own; without, the game's.
    pub seed: Option<u64>,
}

impl<G: Game> Strategy<G> for Random {
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn { game, line, .. } = turn;
        out.clear();
        out.extend(game.legal_moves(line.position()));
        if out.is_empty() {
            return Err(NoMove::GameOver);
        }
        Ok(1)
    }

    /// The same move, without listing the moves.
    fn choose(&mut self, turn: Turn<'_, G>, _: &mut Vec<Move>) -> Result<(Move, u64), NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let mut moves = game.legal_moves(line.position());
        let count = moves.clone().count();
        let place = context.random_below(count, self.seed, line);
        Ok((moves.nth(place).ok_or(NoMove::GameOver)?, 1))
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let mut moves = Vec::new();
        let nodes = self.choices(Turn::new(game, line, context), &mut moves)?;
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
