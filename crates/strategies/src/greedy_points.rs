//! Greedy by points (document 004, the other alternative).
//!
//! It believes that every kind of move has a price, once per line through the cell: 4 for blocking,
//! 3 for a new chance to win. The document gives no number for winning: without one the player
//! would rather block than win, so that a win earns 1000 unless set otherwise. The cell with the
//! most points is played, then the first.

use papan_rules::{Bits, Game, Grid, Line, Move};

use crate::scoring::{self, MoveScore};
use crate::{Decision, NoMove, Strategy, Term, Turn};

/// The alternative of document 004 that was not chosen.
#[derive(Clone, Copy, Debug)]
pub struct GreedyPoints {
    /// Points for a line that the move completes.
    pub win: u32,
}

impl GreedyPoints {
    /// Points for a completed line: more than all blocks and chances of a cell together.
    pub const WIN: u32 = 1000;
}

impl Default for GreedyPoints {
    fn default() -> Self {
        Self { win: Self::WIN }
    }
}

const BLOCK: i64 = 4;
const CHANCE: i64 = 3;

/// The points of each kind of move for one cell.
#[derive(Clone, Copy, Debug, Default)]
struct Points {
    wins: i64,
    blocks: i64,
    chances: i64,
}

impl MoveScore for Points {
    type Rank = i64;

    fn rank(self) -> i64 {
        self.wins + self.blocks + self.chances
    }

    fn terms(self) -> Vec<Term> {
        vec![
            Term::deciding("points", self.rank()),
            Term::shown("win", self.wins),
            Term::shown("block", self.blocks),
            Term::shown("chance", self.chances),
        ]
    }
}

impl GreedyPoints {
    fn assess<B: Bits>(
        self,
        game: &Grid<B>,
        line: &Line<Grid<B>>,
    ) -> impl Iterator<Item = (Move, Points)> {
        let pos = *line.position();
        let mover = game.turn(&pos);
        let (mine, theirs) = (pos.stones(mover), pos.stones(mover.other()));
        let k = game.length() as u32;
        game.legal_moves(&pos).map(move |mv| {
            let mut points = Points::default();
            for &line in mv
                .cell()
                .map_or(&[][..], |cell| game.winning_lines_through(cell))
            {
                let (own, other) = ((line & mine).count(), (line & theirs).count());
                points.blocks += BLOCK * i64::from(other + 1 == k);
                points.chances += CHANCE * i64::from(other == 0 && own + 2 == k);
                points.wins += i64::from(self.win) * i64::from(own + 1 == k);
            }
            (mv, points)
        })
    }
}

impl<B: Bits> Strategy<Grid<B>> for GreedyPoints {
    fn choices(&mut self, turn: Turn<'_, Grid<B>>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        scoring::choices(self.assess(game, line), context, out)
    }

    fn decide(&mut self, turn: Turn<'_, Grid<B>>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        scoring::decide(self.assess(game, line), context)
    }

    fn is_positional(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;
    use papan_rules::tictactoe;

    #[test]
    fn a_move_of_several_kinds_earns_the_points_of_each() {
        // X blocks 4-5-6 in the centre and opens 3-5-7 and 2-5-8.
        let game = tictactoe();
        let line = Line::parse(&game, "2 4 3 6").unwrap();
        let decision = GreedyPoints::default()
            .decide(Turn::new(&game, &line, &Context::default()))
            .unwrap();
        let centre = decision.candidates.iter().find(|c| c.mv == Move::on(4));
        assert_eq!(
            centre.unwrap().terms[0],
            Term::deciding("points", 4 + 3 + 3)
        );
        // Winning on 1 earns more than all of it.
        assert_eq!(decision.best, Move::on(0));
    }

    #[test]
    fn without_points_for_a_win_a_block_is_worth_more() {
        let game = tictactoe();
        // X could win on 3, and O threatens 4-5-6.
        let line = Line::parse(&game, "1 4 2 5").unwrap();
        let best = |mut strategy: GreedyPoints| {
            let context = Context::default();
            let turn = Turn::new(&game, &line, &context);
            strategy.decide(turn).unwrap().best
        };
        assert_eq!(best(GreedyPoints::default()), Move::on(2));
        assert_eq!(best(GreedyPoints { win: 0 }), Move::on(5));
    }
}
