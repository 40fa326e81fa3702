//! Branch and bound (document 003).
//!
//! It believes that the second player should defend first and attack second. It takes a winning
//! move; otherwise it plays where the opponent's pieces count most (`cd`, the cost of defence), and
//! among equals where most lines are still open to itself (`ca`, the cost of attack).

use papan_rules::{Bits, Game, GameInfo as _, Grid, Line, Move};

use crate::scoring::{self, MoveScore};
use crate::{Decision, NoMove, Strategy, Term, Turn, Value};

/// The strategy of document 003.
#[derive(Clone, Copy, Debug, Default)]
pub struct BranchAndBound {
    /// The arithmetic of infinite costs.
    pub infinity: Infinity,
    /// The choice among cells of equal cost.
    pub ties: EqualCosts,
}

/// The arithmetic of infinite costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Infinity {
    /// Two infinities are more than one, and the finite part breaks ties.
    #[default]
    Counted,
    /// Infinity plus anything is infinity, as in arithmetic.
    Plain,
}

/// The choice among cells of equal cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EqualCosts {
    /// The first cell.
    #[default]
    First,
    /// Any of them, as the document has it ("sembarang"). A winning cell is still the first one.
    Any,
}

/// The document's numbers for one empty cell.
#[derive(Clone, Copy, Debug)]
struct Costs<'a, B> {
    wins: bool,
    /// Lines on which the other needs only this cell: each is worth infinity.
    blocks: u32,
    /// The other's pieces on the lines through the cell, once per line.
    pieces: u32,
    /// Lines through the cell without a piece of the other.
    ca: u32,
    infinity: Infinity,
    /// For the parts of the sums, which only explanations need.
    cell: Cell<'a, B>,
}

/// An empty cell with its lines.
#[derive(Clone, Copy, Debug)]
struct Cell<'a, B> {
    lines: &'a [B],
    length: u32,
    theirs: B,
    /// Columns of the board, if it is flat.
    columns: Option<usize>,
}

/// The direction of a line on a flat board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Row,
    Column,
    Diagonal,
}

/// Each direction with the document's names of its parts: open lines, pieces, and blocks.
const PARTS: [(Direction, [&str; 3]); 3] = [
    (Direction::Row, ["opr", "or", "br"]),
    (Direction::Column, ["opc", "oc", "bc"]),
    (Direction::Diagonal, ["opd", "od", "bd"]),
];

impl Direction {
    fn of<B: Bits>(line: B, columns: usize) -> Self {
        let mut cells = line.cells();
        match (cells.next(), cells.next()) {
            (Some(first), Some(second)) if first / columns == second / columns => Self::Row,
            (Some(first), Some(second)) if first % columns == second % columns => Self::Column,
            (_, Some(_)) => Self::Diagonal,
            _ => Self::Row,
        }
    }
}

impl<B: Bits> Cell<'_, B> {
    /// The parts of `ca` and `cd` by direction, in the document's order: open, pieces, blocks.
    fn parts(&self) -> [Vec<Term>; 3] {
        let Some(columns) = self.columns else {
            return Default::default();
        };
        let mut parts: [Vec<Term>; 3] = Default::default();
        for (direction, names) in PARTS {
            let along = |line: &&B| Direction::of(**line, columns) == direction;
            let counts = self.lines.iter().filter(along);
            let counts: Vec<u32> = counts.map(|line| (*line & self.theirs).count()).collect();
            let number = |found: usize| Value::Number(found as i64);
            let blocks = counts.iter().filter(|count| **count + 1 == self.length);
            let values = [
                number(counts.iter().filter(|count| **count == 0).count()),
                number(counts.iter().sum::<u32>() as usize),
                match blocks.count() as u32 {
                    0 => number(0),
                    times => Value::Infinite { times, plus: 0 },
                },
            ];
            for ((part, name), value) in parts.iter_mut().zip(names).zip(values) {
                part.push(Term::shown(name, value));
            }
        }
        parts
    }
}

impl<'a, B: Bits> Costs<'a, B> {
    #[inline]
    fn of(cell: Cell<'a, B>, mine: B, infinity: Infinity) -> Self {
        let needed = cell.length - 1;
        let mut costs = Self {
            wins: false,
            blocks: 0,
            pieces: 0,
            ca: 0,
            infinity,
            cell,
        };
        for &line in cell.lines {
            let pieces = (line & cell.theirs).count();
            costs.pieces += pieces;
            costs.blocks += u32::from(pieces == needed);
            if pieces == 0 {
                costs.ca += 1;
                costs.wins |= (line & mine).count() == needed;
            }
        }
        costs
    }

    /// Returns how often `cd` is infinite, and its finite part.
    #[inline]
    fn defence(self) -> (u32, u32) {
        match self.infinity {
            Infinity::Plain if self.blocks > 0 => (1, 0),
            _ => (self.blocks, self.pieces),
        }
    }
}

impl<B: Bits> MoveScore for Costs<'_, B> {
    type Rank = (bool, u32, u32, u32);

    fn rank(self) -> Self::Rank {
        if self.wins {
            // The first winning cell is taken, whatever its costs.
            return (true, 0, 0, 0);
        }
        let (times, pieces) = self.defence();
        (false, times, pieces, self.ca)
    }

    fn wins(self) -> bool {
        self.wins
    }

    fn terms(self) -> Vec<Term> {
        let cd = match self.defence() {
            (0, pieces) => Value::Number(pieces.into()),
            (times, pieces) => Value::Infinite {
                times,
                plus: pieces.into(),
            },
        };
        let [open, pieces, blocks] = self.cell.parts();
        // Of two winning cells the costs do not decide.
        let cost = if self.wins {
            Term::shown
        } else {
            Term::deciding
        };
        let mut terms = vec![Term::deciding("wins", i64::from(self.wins)), cost("cd", cd)];
        terms.extend(pieces);
        terms.extend(blocks);
        terms.push(cost("ca", Value::Number(self.ca.into())));
        terms.extend(open);
        terms
    }
}

impl BranchAndBound {
    /// Each empty cell with its costs, first to last.
    fn assess<'a, B: Bits>(
        self,
        game: &'a Grid<B>,
        line: &Line<Grid<B>>,
    ) -> impl Iterator<Item = (Move, Costs<'a, B>)> {
        let pos = *line.position();
        let mover = game.turn(&pos);
        let (mine, theirs) = (pos.stones(mover), pos.stones(mover.other()));
        let columns = match game.shape().sides() {
            [_, columns] => Some(*columns),
            _ => None,
        };
        game.legal_moves(&pos).map(move |mv| {
            let lines = mv
                .cell()
                .map_or(&[][..], |cell| game.winning_lines_through(cell));
            let cell = Cell {
                lines,
                length: game.length() as u32,
                theirs,
                columns,
            };
            (mv, Costs::of(cell, mine, self.infinity))
        })
    }
}

impl<B: Bits> Strategy<Grid<B>> for BranchAndBound {
    fn choices(&mut self, turn: Turn<'_, Grid<B>>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let assessed = self.assess(turn.game, turn.line);
        match self.ties {
            EqualCosts::First => scoring::choices(assessed, turn.context, out),
            EqualCosts::Any => scoring::any_choices(assessed, turn.context, out),
        }
    }

    fn decide(&mut self, turn: Turn<'_, Grid<B>>) -> Result<Decision, NoMove> {
        let assessed = self.assess(turn.game, turn.line);
        let mut decision = scoring::decide(assessed, turn.context)?;
        if self.ties == EqualCosts::Any {
            let mut equal = Vec::new();
            scoring::any_choices(self.assess(turn.game, turn.line), turn.context, &mut equal)?;
            decision.best = turn.context.pick(None, turn.line, &equal);
            let count = Term::shown("equals", equal.len() as i64);
            let chosen = decision
                .candidates
                .iter_mut()
                .filter(|c| equal.contains(&c.mv));
            chosen.for_each(|candidate| candidate.terms.push(count.clone()));
        }
        Ok(decision)
    }

    fn is_positional(&self) -> bool {
        self.ties == EqualCosts::First
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
        let decision = BranchAndBound::default()
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

    #[test]
    fn the_parts_of_the_costs_add_up_to_them_on_every_flat_board() {
        use papan_rules::SplitMix;
        let mut random = SplitMix::new(3);
        for (sides, length) in [
            ([3, 3], 3),
            ([4, 4], 4),
            ([5, 4], 3),
            ([2, 6], 2),
            ([6, 1], 2),
        ] {
            let game = Grid::<u64>::new(&sides, length).unwrap();
            for _ in 0..20 {
                let mut line = Line::new(&game);
                while game.outcome(line.position()).is_none() {
                    let context = Context::default();
                    let turn = Turn::new(&game, &line, &context);
                    for candidate in BranchAndBound::default().decide(turn).unwrap().candidates {
                        let value = |name: &str| {
                            let term = candidate.terms.iter().find(|term| term.name == name);
                            match term.unwrap().value {
                                Value::Number(number) => (0, number),
                                Value::Infinite { times, plus } => (i64::from(times), plus),
                                ref other => panic!("{other:?}"),
                            }
                        };
                        let sum = |names: &[&str]| {
                            let values = names.iter().map(|name| value(name));
                            values.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
                        };
                        assert_eq!(value("ca"), sum(&["opr", "opc", "opd"]));
                        assert_eq!(value("cd"), sum(&["or", "oc", "od", "br", "bc", "bd"]));
                        assert!(value("opr").1 <= length as i64 && value("opc").1 <= length as i64);
                    }
                    let moves: Vec<Move> = game.legal_moves(line.position()).collect();
                    line.push(&game, moves[random.below(moves.len())]);
                }
            }
        }
    }

    #[test]
    fn plain_infinities_are_equal_and_any_of_equal_cells_may_be_played() {
        let game = tictactoe();
        // Against two opposite corners the other two corners cost the same.
        let line = Line::parse(&game, "1 5 9").unwrap();
        let choices = |strategy: BranchAndBound| {
            let mut out = Vec::new();
            let context = Context::default();
            { strategy }
                .choices(Turn::new(&game, &line, &context), &mut out)
                .unwrap();
            out
        };
        let any = BranchAndBound {
            ties: EqualCosts::Any,
            ..BranchAndBound::default()
        };
        assert_eq!(choices(BranchAndBound::default()), [Move::on(2)]);
        assert_eq!(choices(any), [Move::on(2), Move::on(6)]);
        let costs = |blocks, pieces, infinity| Costs::<u64> {
            wins: false,
            blocks,
            pieces,
            ca: 0,
            infinity,
            cell: Cell {
                lines: &[],
                length: 3,
                theirs: 0,
                columns: None,
            },
        };
        let [one, two] = [1, 2].map(|blocks| costs(blocks, 2 * blocks, Infinity::Counted).rank());
        assert!(two > one);
        let [one, two] = [1, 2].map(|blocks| costs(blocks, 2 * blocks, Infinity::Plain).rank());
        assert_eq!(two, one);
    }
}
