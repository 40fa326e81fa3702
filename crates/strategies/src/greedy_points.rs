//! Greedy by points (document 004, the other alternative).
//!
//! It believes that every kind of move has a price, once per line through the cell: 4 for blocking,
//! 3 for a new chance to win, and 1000 for winning, for which the document gives no number. The
//! cell with the most points is played, then the first.

use papan_rules::{Bits, Game, Grid, Line, Move};

use crate::scoring::{self, MoveScore};
use crate::{Decision, NoMove, Strategy, Term, Turn};

/// The alternative of document 004 that was not chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct GreedyPoints;

const WIN: i64 = 1000;
const BLOCK: i64 = 4;
const CHANCE: i64 = 3;

/// How many lines of each kind go through a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Points {
    wins: i64,
    blocks: i64,
    chances: i64,
}

impl MoveScore for Points {
    type Rank = i64;

    fn rank(self) -> i64 {
        WIN * self.wins + BLOCK * self.blocks + CHANCE * self.chances
    }

    fn terms(self) -> Vec<Term> {
        vec![
            Term::deciding("points", self.rank()),
            Term::shown("win", WIN * self.wins),
            Term::shown("block", BLOCK * self.blocks),
            Term::shown("chance", CHANCE * self.chances),
        ]
    }
}

fn assess<B: Bits>(game: &Grid<B>, line: &Line<Grid<B>>) -> impl Iterator<Item = (Move, Points)> {
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
            points.blocks += i64::from(other + 1 == k);
            points.chances += i64::from(other == 0 && own + 2 == k);
            points.wins += i64::from(own + 1 == k);
        }
        (mv, points)
    })
}

impl<B: Bits> Strategy<Grid<B>> for GreedyPoints {
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
    use papan_rules::tictactoe;

    #[test]
    fn a_move_of_several_kinds_earns_the_points_of_each() {
        // X blocks 4-5-6 in the centre and opens 3-5-7 and 2-5-8.
        let game = tictactoe();
        let line = Line::parse(&game, "2 4 3 6").unwrap();
        let decision = GreedyPoints
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
}
