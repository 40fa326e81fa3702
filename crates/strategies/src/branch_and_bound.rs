//! Branch and bound (document 003).
//!
//! It believes that the second player should defend first and attack second. It takes a winning
//! move; otherwise it plays where the opponent's pieces count most (`cd`, the cost of defence), and
//! among equals where most lines are still open to itself (`ca`, the cost of attack).

use papan_rules::{Bits, Game, Grid, Line, Move};

use crate::scoring::{self, MoveScore};
use crate::{Decision, NoMove, Strategy, Term, Turn, Value};

/// The strategy of document 003.
#[derive(Clone, Copy, Debug, Default)]
pub struct BranchAndBound;

/// The document's numbers for one empty cell.
#[derive(Clone, Copy, Debug)]
struct Costs {
    wins: bool,
    /// Lines on which the other needs only this cell: each is worth infinity.
    blocks: u32,
    /// The other's pieces on the lines through the cell, once per line.
    pieces: u32,
    /// Lines through the cell without a piece of the other.
    ca: u32,
}

impl Costs {
    #[inline]
    fn of<B: Bits>(lines: &[B], length: usize, mine: B, theirs: B) -> Self {
        let needed = length as u32 - 1;
        let mut costs = Self {
            wins: false,
            blocks: 0,
            pieces: 0,
            ca: 0,
        };
        for &line in lines {
            let pieces = (line & theirs).count();
            costs.pieces += pieces;
            costs.blocks += u32::from(pieces == needed);
            if pieces == 0 {
                costs.ca += 1;
                costs.wins |= (line & mine).count() == needed;
            }
        }
        costs
    }
}

impl MoveScore for Costs {
    type Rank = (bool, u32, u32, u32);

    fn rank(self) -> Self::Rank {
        if self.wins {
            // The first winning cell is taken, whatever its costs.
            return (true, 0, 0, 0);
        }
        (false, self.blocks, self.pieces, self.ca)
    }

    fn terms(self) -> Vec<Term> {
        let pieces = i64::from(self.pieces);
        let cd = match self.blocks {
            0 => Value::Number(pieces),
            times => Value::Infinite {
                times,
                plus: pieces,
            },
        };
        vec![
            Term::deciding("wins", i64::from(self.wins)),
            Term::deciding("cd", cd),
            Term::deciding("ca", i64::from(self.ca)),
        ]
    }
}

/// Each empty cell with its costs, first to last.
fn assess<B: Bits>(game: &Grid<B>, line: &Line<Grid<B>>) -> impl Iterator<Item = (Move, Costs)> {
    let pos = *line.position();
    let mover = game.turn(&pos);
    let (mine, theirs) = (pos.stones(mover), pos.stones(mover.other()));
    game.legal_moves(&pos).map(move |mv| {
        let lines = mv
            .cell()
            .map_or(&[][..], |cell| game.winning_lines_through(cell));
        (mv, Costs::of(lines, game.length(), mine, theirs))
    })
}

impl<B: Bits> Strategy<Grid<B>> for BranchAndBound {
    fn choices(&mut self, turn: Turn<'_, Grid<B>>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        scoring::choices(assess(game, line), context, out)
    }

    fn decide(&mut self, turn: Turn<'_, Grid<B>>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        scoring::decide(assess(game, line), context)
    }

    fn is_positional(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;
    use papan_rules::{Notation, tictactoe};

    fn answer(moves: &str) -> String {
        let game = tictactoe();
        let line = Line::parse(&game, moves).unwrap();
        let decision = BranchAndBound
            .decide(Turn::new(&game, &line, &Context::default()))
            .unwrap();
        game.format_move(decision.best)
    }

    #[test]
    fn it_wins_before_it_blocks_and_blocks_before_anything_else() {
        assert_eq!(answer("1 4 2 5"), "3");
        assert_eq!(answer("1 5 2"), "3");
    }

    #[test]
    fn it_answers_the_centre_with_the_first_corner() {
        assert_eq!(answer("5"), "1");
        // A corner opening counts most at the centre, which its diagonal crosses.
        assert_eq!(answer("1"), "5");
    }

    #[test]
    fn several_winning_cells_give_the_first() {
        // X holds 1, 2 and 4: both 3 and 7 complete a line.
        assert_eq!(answer("1 5 2 6 4 8"), "3");
    }
}
