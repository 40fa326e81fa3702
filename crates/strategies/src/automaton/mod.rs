//! Finite automaton (document 000), on 3x3 only.
//!
//! It believes nothing: it looks its answer up in a table. The table is written for one opening of
//! each kind, corner 1, side 2 and centre 5; the game's opening is rotated onto that one at the
//! start, and all later cells likewise.

mod table;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use papan_rules::{Bits, Game, Grid, GridPosition, Line, Move, Notation};

pub use table::{Board, ExpectedField, Row, RowFlag, Square, TableError, TransitionTable};

use crate::{Candidate, Decision, NoMove, Strategy, Term, Turn, Value};

/// The attack table of document 000, section D, with its mistakes corrected.
pub const ATTACK: &str = papan_data::ATTACK;
/// A defence table for the three openings.
pub const DEFENCE: &str = papan_data::DEFENCE;

/// The strategy of document 000: a player that reads a table.
#[derive(Clone, Debug)]
pub struct Automaton {
    table: Arc<TransitionTable>,
    /// Whether some position is answered differently, or only sometimes, for
    /// different last inputs that lead to it.
    order_matters: bool,
}

impl Default for Automaton {
    /// The built-in tables. Neither ever loses.
    fn default() -> Self {
        let text = format!("{ATTACK}\n{DEFENCE}");
        Self::new(TransitionTable::parse(&text).expect("the built-in tables are tested"))
    }
}

/// Where a cell goes by a clockwise quarter turn: 1→3→9→7 and 2→6→8→4.
const TURNED: [usize; 9] = [2, 5, 8, 1, 4, 7, 0, 3, 6];

/// Returns a cell after `turns` quarter turns.
#[must_use]
pub fn turned(cell: usize, turns: u32) -> usize {
    (0..turns % 4).fold(cell, |cell, _| TURNED[cell])
}

/// The corner, side and centre for which tables are written.
pub const BASES: [usize; 3] = [0, 1, 4];

impl Automaton {
    /// A player that reads this table.
    #[must_use]
    pub fn new(table: TransitionTable) -> Self {
        Self {
            order_matters: order_matters(&table),
            table: Arc::new(table),
        }
    }

    /// The table it reads.
    #[must_use]
    pub fn table(&self) -> &TransitionTable {
        &self.table
    }

    /// The cells it may open on: only a corner opening is turned at random.
    fn openings(&self) -> Vec<usize> {
        match self.table.opening() {
            None => Vec::new(),
            Some(corner) if [0, 2, 6, 8].contains(&corner) => vec![0, 2, 6, 8],
            Some(other) => vec![other],
        }
    }

    /// How often the board is turned before the table is asked: as often as takes
    /// the game's opening to the cell that the table is written for.
    fn turns(&self, game: &Grid<u64>, line: &Line<Grid<u64>>) -> u32 {
        let Some(opening) = line.moves().first().and_then(|mv| mv.cell()) else {
            return 0;
        };
        let computer_began = line.ply().is_multiple_of(2);
        let onto = |cell: usize| match self.table.opening() {
            Some(base) if computer_began => cell == base,
            _ => BASES.contains(&cell),
        };
        let began_empty = *line.start() == game.start();
        (0..4)
            .find(|&turns| began_empty && onto(turned(opening, turns)))
            .unwrap_or(0)
    }

    /// The row that answers here, and how often the board is turned for it.
    fn look_up(&self, game: &Grid<u64>, line: &Line<Grid<u64>>) -> Result<(&Row, u32), NoMove> {
        let pos = line.position();
        let last = line.moves().last().and_then(|mv| mv.cell());
        if let (Some(input), true) = (last, *line.start() == game.start()) {
            let turns = self.turns(game, line);
            let board = board_before(game, pos, input, turns);
            let input = turned(input, turns);
            let row = self.table.row(&board, input);
            return row
                .map(|row| (row, turns))
                .ok_or_else(|| NoMove::NoRow(table::key_text(&board, input)));
        }
        // Without the moves that led here, any input and any turn may have been the one.
        let person = pos.stones(game.turn(pos).other());
        let inputs = || {
            person
                .cells()
                .filter(|&cell| last.is_none_or(|l| l == cell))
        };
        let found = (0..4)
            .flat_map(|turns| inputs().map(move |input| (input, turns)))
            .find_map(|(input, turns)| {
                let board = board_before(game, pos, input, turns);
                let row = self.table.row(&board, turned(input, turns))?;
                Some((row, turns))
            });
        found.ok_or_else(|| NoMove::NoRow(game.format_position(pos)))
    }

    /// The reply and the row behind it.
    fn reply(&self, game: &Grid<u64>, line: &Line<Grid<u64>>) -> Result<(Move, String), NoMove> {
        let (row, turns) = self.look_up(game, line)?;
        let text = row.to_string();
        let illegal = || NoMove::IllegalReply(text.clone());
        let cell = turned(row.reply.ok_or_else(illegal)?, 4 - turns);
        let mv = Move::on(cell);
        if !game.is_legal(line.position(), mv) {
            return Err(illegal());
        }
        Ok((mv, text))
    }

    /// The opening moves, where the computer begins.
    fn opening_moves(&self, game: &Grid<u64>, line: &Line<Grid<u64>>) -> Result<Vec<Move>, NoMove> {
        if game.outcome(line.position()).is_some() {
            return Err(NoMove::GameOver);
        }
        if *line.position() != game.start() {
            return Ok(Vec::new());
        }
        let openings = self.openings();
        if openings.is_empty() {
            return Err(NoMove::NoRow("---------".into()));
        }
        Ok(openings.into_iter().map(Move::on).collect())
    }
}

/// The turned board as the table writes it: the computer is the player to move,
/// and the person's last input is not on it yet.
fn board_before(game: &Grid<u64>, pos: &GridPosition<u64>, input: usize, turns: u32) -> Board {
    let computer = game.turn(pos);
    let mut board = [Square::Empty; 9];
    for cell in (0..9).filter(|&cell| cell != input) {
        board[turned(cell, turns)] = match game.piece(pos, cell) {
            None => Square::Empty,
            Some(player) if player == computer => Square::Computer,
            Some(_) => Square::Person,
        };
    }
    board
}

/// Plays the table against every input, and compares the answers to one position.
fn order_matters(table: &TransitionTable) -> bool {
    let mut starts: Vec<Board> = Vec::new();
    if table.defends() {
        starts.push([Square::Empty; 9]);
    }
    if let Some(opening) = table.opening() {
        let mut board = [Square::Empty; 9];
        board[opening] = Square::Computer;
        starts.push(board);
    }
    let mut answers: HashMap<Board, Option<usize>> = HashMap::new();
    let mut seen: HashSet<Board> = starts.iter().copied().collect();
    while let Some(board) = starts.pop() {
        for input in (0..9).filter(|&cell| board[cell] == Square::Empty) {
            if board == [Square::Empty; 9] && !BASES.contains(&input) {
                continue; // turned onto one of those first
            }
            let row = table.row(&board, input);
            let reply = row.and_then(|row| row.reply);
            let mut after = board;
            after[input] = Square::Person;
            if *answers.entry(after).or_insert(reply) != reply {
                return true;
            }
            let Some(reply) = reply.filter(|&cell| after[cell] == Square::Empty) else {
                continue;
            };
            after[reply] = Square::Computer;
            let open = row.is_some_and(|row| row.flag == RowFlag::Open);
            if open && seen.insert(after) {
                starts.push(after);
            }
        }
    }
    false
}

impl Strategy<Grid<u64>> for Automaton {
    fn choices(&mut self, turn: Turn<'_, Grid<u64>>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn { game, line, .. } = turn;
        out.clear();
        out.extend(self.opening_moves(game, line)?);
        if out.is_empty() {
            out.push(self.reply(game, line)?.0);
        }
        Ok(1)
    }

    fn decide(&mut self, turn: Turn<'_, Grid<u64>>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let openings = self.opening_moves(game, line)?;
        let (best, chosen, row) = if openings.is_empty() {
            let (mv, row) = self.reply(game, line)?;
            (mv, vec![mv], row)
        } else {
            let mv = context.pick(None, line, &openings);
            (mv, openings, "opening".into())
        };
        let candidates = game.legal_moves(line.position()).map(|mv| {
            let listed = chosen.contains(&mv);
            let mut terms = vec![Term::deciding("table", i64::from(listed))];
            if listed {
                terms.push(Term::shown("row", Value::Text(row.clone())));
            }
            Candidate::new(mv, terms)
        });
        Ok(Decision {
            best,
            candidates: candidates.collect(),
            nodes: 1,
        })
    }

    /// The table is bound to the corner in which the game was opened, and in a few
    /// positions answers differently for two corners.
    fn memory(&self, game: &Grid<u64>, line: &Line<Grid<u64>>) -> u64 {
        let first = line.moves().first().and_then(|mv| mv.cell());
        match first {
            Some(opening) if *line.start() == game.start() => {
                let turns = (0..4).find(|&t| BASES.contains(&turned(opening, t)));
                let bound = 1 + u64::from(turns.unwrap_or(0));
                let last = line.moves().last().filter(|_| self.order_matters);
                last.map_or(0, |mv| u64::from(mv.to_raw()) << 8) | bound
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;
    use papan_rules::tictactoe;

    fn answers(automaton: &mut Automaton, moves: &str) -> Vec<String> {
        let game = tictactoe();
        let line = Line::parse(&game, moves).unwrap();
        let mut out = Vec::new();
        automaton
            .choices(Turn::new(&game, &line, &Context::default()), &mut out)
            .unwrap();
        out.iter().map(|&mv| game.format_move(mv)).collect()
    }

    #[test]
    fn it_opens_in_any_corner_and_turns_the_table_along() {
        let mut automaton = Automaton::default();
        assert_eq!(answers(&mut automaton, ""), ["1", "3", "7", "9"]);
        // Row -o--------|2|7 in all four corners.
        assert_eq!(answers(&mut automaton, "1 2"), ["7"]);
        assert_eq!(answers(&mut automaton, "3 6"), ["1"]);
        assert_eq!(answers(&mut automaton, "9 8"), ["3"]);
        assert_eq!(answers(&mut automaton, "7 4"), ["9"]);
    }

    #[test]
    fn it_answers_every_opening_of_the_person() {
        let mut automaton = Automaton::default();
        for opening in 1..=9 {
            assert_eq!(answers(&mut automaton, &opening.to_string()).len(), 1);
        }
    }

    #[test]
    fn a_missing_row_is_named() {
        let game = tictactoe();
        let table = TransitionTable::parse("-o--------|2|7").unwrap();
        let line = Line::parse(&game, "1 5").unwrap();
        let answer = Automaton::new(table).decide(Turn::new(&game, &line, &Context::default()));
        assert_eq!(answer, Err(NoMove::NoRow("o--------|5".into())));
    }

    #[test]
    fn a_position_without_its_moves_is_looked_up_all_the_same() {
        // The computer is X here, in the corner 3, and the person answered on 6.
        let game = tictactoe();
        let line = Line::from_position(game.parse_position("--X--O--- X").unwrap());
        let mut out = Vec::new();
        Automaton::default()
            .choices(Turn::new(&game, &line, &Context::default()), &mut out)
            .unwrap();
        assert_eq!(out, [Move::on(0)]);
    }
}
