//! Validation of a table: completeness, reachability, legality and true flags.

use std::collections::{HashMap, HashSet, VecDeque};

use papan_rules::{Bits, Game, Grid, tictactoe};
use papan_strategies::automaton::{Board, Square};
use papan_strategies::{Row, TransitionTable};

use super::mealy::{End, RowEffect, Side, first_board, inputs, position, step};

/// The result of an inspection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// The problems, by line.
    pub findings: Vec<Finding>,
    /// The sides that the table plays.
    pub sides: Vec<Side>,
}

/// A problem on a line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line in the file, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: Problem,
}

/// The problems of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The table has no initial state: neither a one-piece board nor the empty one.
    NoStart,
    /// The state that this row leads to, or starts from, has no rows for some inputs.
    MissingInputs {
        /// The board.
        board: Board,
        /// The inputs without a row.
        inputs: Vec<usize>,
    },
    /// No game reaches this row.
    Unreachable,
    /// An earlier row has the same board and input.
    Repeated {
        /// The line of the earlier row.
        earlier: usize,
        /// Whether the two rows differ.
        contradicts: bool,
    },
    /// The input is on an occupied cell.
    IllegalInput,
    /// The reply is on an occupied cell, missing, or after the end of the game.
    IllegalReply {
        /// The reply; `None` if one is missing.
        reply: Option<usize>,
    },
    /// The flag is wrong.
    UntrueFlag {
        /// The result after the reply; `None` if the game continues.
        truth: Option<End>,
    },
    /// The computer misses an immediate win.
    MissedWin {
        /// The winning cells.
        cells: Vec<usize>,
    },
    /// The person wins this game.
    Loses {
        /// The cells, from the first move on, counted from 0.
        game: Vec<usize>,
    },
}

/// Inspects a table.
#[must_use]
pub fn inspect(table: &TransitionTable) -> Inspection {
    let sides = Side::of(table);
    let mut inspector = Inspector {
        game: tictactoe(),
        table,
        findings: Vec::new(),
        visited: HashSet::new(),
    };
    inspector.repetitions();
    for &side in &sides {
        inspector.play(side);
    }
    inspector.unreachable();
    if sides.is_empty() {
        let line = table.rows().first().map_or(1, |(line, _)| *line);
        inspector.find(line, Problem::NoStart);
    }
    inspector.findings.sort_by_key(|finding| finding.line);
    Inspection {
        findings: inspector.findings,
        sides,
    }
}

struct Inspector<'a> {
    game: Grid<u64>,
    table: &'a TransitionTable,
    findings: Vec<Finding>,
    visited: HashSet<(Board, usize)>,
}

/// A state to visit, with a game that leads there and the line of its last row.
struct PendingState {
    board: Board,
    moves: Vec<usize>,
    line: usize,
}

impl Inspector<'_> {
    fn find(&mut self, line: usize, problem: Problem) {
        self.findings.push(Finding { line, problem });
    }

    fn repetitions(&mut self) {
        let mut first: HashMap<(Board, usize), (usize, &Row)> = HashMap::new();
        for (line, row) in self.table.rows() {
            match first.get(&(row.board, row.input)) {
                None => {
                    first.insert((row.board, row.input), (*line, row));
                }
                Some(&(earlier, other)) => {
                    let contradicts = other != row;
                    let problem = Problem::Repeated {
                        earlier,
                        contradicts,
                    };
                    self.findings.push(Finding {
                        line: *line,
                        problem,
                    });
                }
            }
        }
    }

    /// Reports rows that no game reaches, unless another problem explains that.
    fn unreachable(&mut self) {
        let mut seen = HashSet::new();
        for (line, row) in self.table.rows() {
            let key = (row.board, row.input);
            let repeated = !seen.insert(key);
            if row.board[row.input] != Square::Empty {
                self.find(*line, Problem::IllegalInput);
            } else if !repeated && !self.visited.contains(&key) {
                self.find(*line, Problem::Unreachable);
            }
        }
    }

    /// Returns the line of the first row with this board and input.
    fn line_of(&self, board: &Board, input: usize) -> Option<usize> {
        let mut rows = self.table.rows().iter();
        rows.find(|(_, row)| row.board == *board && row.input == input)
            .map(|(line, _)| *line)
    }

    /// Plays one side of the table against every input, by the rules rather than the flags.
    fn play(&mut self, side: Side) {
        let board = first_board(self.table, side);
        let rows = self.table.rows();
        let line = rows.iter().find(|(_, row)| row.board == board);
        let opening = board.iter().position(|s| *s == Square::Computer);
        let mut seen = HashSet::from([board]);
        let mut lost = false;
        let mut open = VecDeque::from([PendingState {
            board,
            moves: opening.into_iter().collect(),
            line: line.map_or(1, |(line, _)| *line),
        }]);
        while let Some(state) = open.pop_front() {
            let mut missing = Vec::new();
            for input in inputs(&state.board) {
                self.visited.insert((state.board, input));
                let Some(row) = self.table.row(&state.board, input).cloned() else {
                    missing.push(input);
                    continue;
                };
                let line = self.line_of(&state.board, input).unwrap_or(state.line);
                let mut moves = state.moves.clone();
                moves.push(input);
                moves.extend(row.reply);
                self.missed_win(side, &row, line);
                match step(&self.game, side, &row.board, input, row.reply) {
                    RowEffect::Illegal => {
                        self.find(line, Problem::IllegalReply { reply: row.reply });
                    }
                    RowEffect::End(end) => {
                        self.flag(&row, Some(end), line);
                        // Breadth-first: the first loss is a shortest one.
                        if end == End::Lost && !std::mem::replace(&mut lost, true) {
                            self.find(line, Problem::Loses { game: moves });
                        }
                    }
                    RowEffect::Continue(board) => {
                        self.flag(&row, None, line);
                        if seen.insert(board) {
                            open.push_back(PendingState { board, moves, line });
                        }
                    }
                }
            }
            if !missing.is_empty() {
                let problem = Problem::MissingInputs {
                    board: state.board,
                    inputs: missing,
                };
                self.find(state.line, problem);
            }
        }
    }

    fn flag(&mut self, row: &Row, truth: Option<End>, line: usize) {
        let right = truth.map_or(papan_strategies::RowFlag::Open, End::flag);
        if row.flag != right {
            self.find(line, Problem::UntrueFlag { truth });
        }
    }

    fn missed_win(&mut self, side: Side, row: &Row, line: usize) {
        let mut board = row.board;
        board[row.input] = Square::Person;
        let computer = side.computer();
        let Some(pos) = position(&self.game, side, &board, computer) else {
            return;
        };
        let wins = self.game.completing_cells(&pos, computer);
        let over = self.game.outcome(&pos).is_some();
        let taken = row.reply.is_some_and(|cell| wins.contains(cell));
        if !wins.is_empty() && !taken && !over {
            let cells = wins.cells().collect();
            self.find(line, Problem::MissedWin { cells });
        }
    }
}
