//! Greedy (document 004, the chosen alternative).
//!
//! It believes that the better move is the one after which it is nearer to winning and the opponent
//! farther away. Distance is counted in steps: the fewest own pieces missing on a line without a
//! piece of the opponent. It considers no move beyond its own, unless ties are broken by the
//! opponent's best reply.

use std::cmp::Reverse;

use papan_rules::{Bits, Game, Grid, Line, Move};

use crate::scoring::{self, MoveScore};
use crate::{Decision, NoMove, Strategy, Term, Turn};

/// The strategy of document 004.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy {
    /// The objective function.
    pub formula: Formula,
    /// The tie-break.
    pub ties: Ties,
}

/// The objective function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formula {
    /// `-p+l`, as in the document's text.
    #[default]
    Difference,
    /// `p+l`, as its Java fragment adds.
    AsPrinted,
}

/// The tie-break between cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first cell, as in the document.
    #[default]
    First,
    /// The cell after which the other's best reply threatens least, then the cell
    /// that leaves the other the fewest open lines, then the first.
    Reply,
    /// The same, but with two own threats the other's replies are still compared.
    EveryReply,
}

/// The opponent's prospects after a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Outlook {
    /// The lines on which the other lacks one cell after the best reply.
    threats: i32,
    /// The lines that are open to the other at once.
    open: i32,
}

impl Outlook {
    /// The other wins with the next move.
    const LOST: i32 = 1000;
    /// Two wins cannot both be stopped: the other's reply does not matter.
    const WON: i32 = -1;

    /// Returns the prospects, or `None` where ties are not broken by them.
    fn of<B: Bits>(ties: Ties, game: &Grid<B>, mine: B, theirs: B, empty: B) -> Option<Self> {
        if ties == Ties::First {
            return None;
        }
        let lines = game.winning_lines();
        let open = lines.iter().filter(|line| !line.meets(mine)).count() as i32;
        let threats = if !completing(game, theirs, mine).is_empty() {
            Self::LOST
        } else {
            let wins = completing(game, mine, theirs);
            let replies = match wins.count() {
                0 => empty,
                2.. if ties == Ties::Reply => B::EMPTY,
                _ => wins, // the other has to answer there
            };
            let after = |cell| threats_through(game, cell, theirs, mine);
            replies.cells().map(after).max().unwrap_or(Self::WON)
        };
        Some(Self { threats, open })
    }
}

/// Returns the threats of a player after playing on a cell: the number of lines through it that
/// lack one cell. No other line changes.
fn threats_through<B: Bits>(game: &Grid<B>, cell: usize, mine: B, theirs: B) -> i32 {
    let mine = mine | B::single(cell);
    let lines = game.winning_lines_through(cell).iter();
    let threat = |line: &&B| !line.meets(theirs) && line.without(mine).count() == 1;
    lines.filter(threat).count() as i32
}

/// Returns the cells that complete a line of a player.
fn completing<B: Bits>(game: &Grid<B>, mine: B, theirs: B) -> B {
    let open = game
        .winning_lines()
        .iter()
        .filter(|line| !line.meets(theirs));
    let missing = open.map(|line| line.without(mine));
    missing
        .filter(|rest| rest.count() == 1)
        .fold(B::EMPTY, |set, cell| set | cell)
}

/// The document's two numbers for one cell.
#[derive(Clone, Copy, Debug)]
struct Steps {
    formula: Formula,
    /// The mover's minimum steps after the move.
    p: i32,
    /// The other's.
    l: i32,
    /// The tie-break, if enabled.
    outlook: Option<Outlook>,
}

impl Steps {
    fn value(self) -> i32 {
        match self.formula {
            Formula::Difference => -self.p + self.l,
            Formula::AsPrinted => self.p + self.l,
        }
    }
}

impl MoveScore for Steps {
    type Rank = (i32, Reverse<Option<Outlook>>);

    fn rank(self) -> Self::Rank {
        (self.value(), Reverse(self.outlook))
    }

    fn terms(self) -> Vec<Term> {
        let name = match self.formula {
            Formula::Difference => "-p+l",
            Formula::AsPrinted => "p+l",
        };
        let mut terms = vec![
            Term::deciding(name, self.value()),
            Term::shown("p", self.p),
            Term::shown("l", self.l),
        ];
        if let Some(Outlook { threats, open }) = self.outlook {
            terms.push(Term::deciding("-threats", -threats));
            terms.push(Term::deciding("-open", -open));
        }
        terms
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
    ) -> impl Iterator<Item = (Move, Steps)> {
        let pos = *line.position();
        let mover = game.turn(&pos);
        let (mine, theirs) = (pos.stones(mover), pos.stones(mover.other()));
        game.legal_moves(&pos).map(move |mv| {
            let mine = mv.cell().map_or(mine, |cell| mine | B::single(cell));
            let steps = Steps {
                formula: self.formula,
                p: minimum_steps(game, mine, theirs),
                l: minimum_steps(game, theirs, mine),
                outlook: {
                    let empty = game.empty_cells(&pos).without(mine);
                    Outlook::of(self.ties, game, mine, theirs, empty)
                },
            };
            (mv, steps)
        })
    }
}

impl<B: Bits> Strategy<Grid<B>> for Greedy {
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
    use papan_rules::{Notation, tictactoe};

    fn decide(strategy: Greedy, moves: &str) -> (String, Decision) {
        let game = tictactoe();
        let line = Line::parse(&game, moves).unwrap();
        let mut strategy = strategy;
        let decision = strategy
            .decide(Turn::new(&game, &line, &Context::default()))
            .unwrap();
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
        // The irrational move that the document itself shows: 2 makes p=1, l=1,
        // and the block on 8 makes p=2, l=2; both are worth 0, and 2 comes first.
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
    fn a_tie_is_broken_by_looking_at_the_reply() {
        // The document's irrational move again: now the block wins the tie.
        let looks = Greedy {
            ties: Ties::Reply,
            ..Greedy::default()
        };
        assert_eq!(decide(looks, "7 1 9").0, "8");
        // On an empty board the centre leaves the other the fewest open lines.
        assert_eq!(decide(looks, "").0, "5");
    }

    #[test]
    fn winning_is_worth_more_than_anything() {
        assert_eq!(decide(Greedy::default(), "1 4 2 5").0, "3");
    }
}
