//! Greedy, the chosen alternative of document 004.
//!
//! It believes that the better move is the one after which it is nearer to
//! winning and the other farther away. Nearness is counted in steps: the fewest
//! own pieces still missing on a line that holds none of the other's. It looks at
//! no move beyond its own.

use papan_rules::{Bits, Game, Grid, Line, Move};

use crate::weighing::{self, Weight};
use crate::{Context, Decision, NoMove, Strategy, Term};

/// The strategy of document 004.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy {
    /// What is made largest.
    pub formula: Formula,
    /// What breaks ties.
    pub ties: Ties,
}

/// What greedy makes as large as it can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formula {
    /// `-p+l`, as the document's text says.
    #[default]
    Difference,
    /// `p+l`, as its Java fragment adds.
    AsPrinted,
}

/// What breaks ties between cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first cell, as in the document.
    #[default]
    First,
}

/// The document's two numbers for one cell.
#[derive(Clone, Copy, Debug)]
struct Steps {
    formula: Formula,
    /// The mover's minimum steps after the move.
    p: i32,
    /// The other's.
    l: i32,
}

impl Weight for Steps {
    type Rank = i32;

    fn rank(self) -> i32 {
        match self.formula {
            Formula::Difference => -self.p + self.l,
            Formula::AsPrinted => self.p + self.l,
        }
    }

    fn terms(self) -> Vec<Term> {
        let name = match self.formula {
            Formula::Difference => "-p+l",
            Formula::AsPrinted => "p+l",
        };
        vec![
            Term::deciding(name, self.rank()),
            Term::shown("p", self.p),
            Term::shown("l", self.l),
        ]
    }
}

/// The fewest own pieces missing on a line without a piece of the other: k+1 when
/// there is no such line, -(k+1) when the line is complete.
fn minimum_steps<B: Bits>(game: &Grid<B>, mine: B, theirs: B) -> i32 {
    let k = game.length() as i32;
    let open = game
        .winning_lines()
        .iter()
        .filter(|line| !line.meets(theirs));
    let missing = open.map(|&line| k - (line & mine).count() as i32).min();
    match missing {
        None => k + 1,
        Some(0) => -(k + 1),
        Some(missing) => missing,
    }
}

impl Greedy {
    fn assess<B: Bits>(
        self,
        game: &Grid<B>,
        line: &Line<Grid<B>>,
    ) -> impl Iterator<Item = (Move, Steps)> + Clone {
        let pos = *line.position();
        let mover = game.turn(&pos);
        let (mine, theirs) = (pos.stones(mover), pos.stones(mover.other()));
        game.legal_moves(&pos).map(move |mv| {
            let mine = mv.cell().map_or(mine, |cell| mine | B::single(cell));
            let steps = Steps {
                formula: self.formula,
                p: minimum_steps(game, mine, theirs),
                l: minimum_steps(game, theirs, mine),
            };
            (mv, steps)
        })
    }
}

impl<B: Bits> Strategy<Grid<B>> for Greedy {
    fn choices(
        &mut self,
        game: &Grid<B>,
        line: &Line<Grid<B>>,
        _: &Context,
        out: &mut Vec<Move>,
    ) -> Result<u64, NoMove> {
        match self.ties {
            Ties::First => weighing::choices(self.assess(game, line), out),
        }
    }

    fn decide(
        &mut self,
        game: &Grid<B>,
        line: &Line<Grid<B>>,
        _: &Context,
    ) -> Result<Decision, NoMove> {
        match self.ties {
            Ties::First => weighing::decide(self.assess(game, line)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::tictactoe;

    fn decide(strategy: Greedy, moves: &str) -> (String, Decision) {
        let game = tictactoe();
        let line = Line::parse(&game, moves).unwrap();
        let mut strategy = strategy;
        let decision = strategy.decide(&game, &line, &Context::default()).unwrap();
        (game.format_move(decision.best), decision)
    }

    #[test]
    fn an_empty_board_needs_three_steps() {
        let game = tictactoe();
        assert_eq!(minimum_steps(&game, 0, 0), 3);
        assert_eq!(minimum_steps(&game, 0b111, 0), -4);
        assert_eq!(minimum_steps(&game, 0, 0b101_010_101 | 0b010), 4);
    }

    #[test]
    fn it_prefers_its_own_threat_to_a_block_of_equal_worth() {
        // The irrational move that the document itself shows: 5 makes p=1, l=1,
        // and the block on 8 makes p=2, l=2; both are worth 0, and 5 comes first.
        let (best, decision) = decide(Greedy::default(), "7 1 9");
        let value = |cell: usize| {
            let mv = Move::on(cell - 1);
            let found = decision.candidates.iter().find(|c| c.mv == mv);
            found.unwrap().terms[0].value.clone()
        };
        assert_eq!(value(8), 0.into());
        assert_eq!(value(2), 0.into());
        assert_eq!(best, "2");
    }

    #[test]
    fn winning_is_worth_more_than_anything() {
        assert_eq!(decide(Greedy::default(), "1 4 2 5").0, "3");
    }
}
