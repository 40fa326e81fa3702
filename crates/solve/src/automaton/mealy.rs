//! A table played out against every input: states and what leads from one to the
//! next.

use std::collections::{HashMap, VecDeque};

use papan_rules::{Game, Grid, GridPosition, Move, Notation, Outcome, Player, tictactoe};
use papan_strategies::automaton::{BASES, Board, Square};
use papan_strategies::{Row, RowFlag, TransitionTable};

/// Who begins in a table's games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The computer begins, in its opening.
    Attack,
    /// The person begins, on corner 1, side 2 or centre 5.
    Defence,
}

impl Side {
    /// The computer's seat.
    #[must_use]
    pub const fn computer(self) -> Player {
        match self {
            Self::Attack => Player::First,
            Self::Defence => Player::Second,
        }
    }

    /// The sides that a table has.
    #[must_use]
    pub fn of(table: &TransitionTable) -> Vec<Self> {
        let attack = table.opening().map(|_| Self::Attack);
        let defence = table.defends().then_some(Self::Defence);
        attack.into_iter().chain(defence).collect()
    }
}

/// How a game of a table ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// The computer has won.
    Won,
    /// Nobody has.
    Draw,
    /// The person has won.
    Lost,
}

impl End {
    pub(crate) fn of(outcome: Outcome, computer: Player) -> Self {
        match outcome.value_for(computer) {
            1 => Self::Won,
            0 => Self::Draw,
            _ => Self::Lost,
        }
    }

    /// The flag that says so.
    #[must_use]
    pub const fn flag(self) -> RowFlag {
        match self {
            Self::Won => RowFlag::Won,
            Self::Draw => RowFlag::Draw,
            Self::Lost => RowFlag::Lost,
        }
    }
}

/// A board before the person's input, and what leads on from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The board.
    pub board: Board,
    /// The answers to the inputs, first to last.
    pub arcs: Vec<Arc>,
}

/// The answer to one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The person's cell, counted from 0.
    pub input: usize,
    /// The computer's; `None` where there is nothing to answer.
    pub reply: Option<usize>,
    /// Where it leads.
    pub target: Target,
}

/// Where an answer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To another state, by its place in [`MealyMachine::states`].
    State(usize),
    /// To the end of the game.
    End(End),
    /// Nowhere: the row is missing, or its reply is illegal.
    Stuck,
}

/// One side of a table, played out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MealyMachine {
    /// Who begins.
    pub side: Side,
    /// The states, the first one before all inputs, then by the number of pieces.
    pub states: Vec<State>,
}

/// The board of a table as a position of the game.
pub(crate) fn position(
    game: &Grid<u64>,
    side: Side,
    board: &Board,
    turn: Player,
) -> Option<GridPosition<u64>> {
    let computer = side.computer();
    let cells = board.map(|square| match square {
        Square::Empty => None,
        Square::Computer => Some(computer),
        Square::Person => Some(computer.other()),
    });
    game.position(&cells, turn).ok()
}

/// The board before the first input.
pub(crate) fn first_board(table: &TransitionTable, side: Side) -> Board {
    let mut board = [Square::Empty; 9];
    if let (Side::Attack, Some(opening)) = (side, table.opening()) {
        board[opening] = Square::Computer;
    }
    board
}

/// The inputs that can come: an opening is turned onto one of three first.
pub(crate) fn inputs(board: &Board) -> Vec<usize> {
    let empty = (0..9).filter(|&cell| board[cell] == Square::Empty);
    if *board == [Square::Empty; 9] {
        BASES.to_vec()
    } else {
        empty.collect()
    }
}

/// What one row really does, whatever its flag says.
pub(crate) enum Step {
    /// The game has ended.
    End(End),
    /// It goes on from this board.
    On(Board),
    /// The reply is illegal, or missing though the game goes on.
    Illegal,
}

/// Plays an input and the reply of a row.
pub(crate) fn step(
    game: &Grid<u64>,
    side: Side,
    board: &Board,
    input: usize,
    reply: Option<usize>,
) -> Step {
    let computer = side.computer();
    let Some(mut pos) = position(game, side, board, computer.other()) else {
        return Step::Illegal;
    };
    let mut after = *board;
    if game.play(&mut pos, Move::on(input)).is_err() {
        return Step::Illegal;
    }
    after[input] = Square::Person;
    if let Some(outcome) = game.outcome(&pos) {
        return match reply {
            None => Step::End(End::of(outcome, computer)),
            Some(_) => Step::Illegal,
        };
    }
    let Some(reply) = reply else {
        return Step::Illegal;
    };
    if game.play(&mut pos, Move::on(reply)).is_err() {
        return Step::Illegal;
    }
    after[reply] = Square::Computer;
    match game.outcome(&pos) {
        Some(outcome) => Step::End(End::of(outcome, computer)),
        None => Step::On(after),
    }
}

impl MealyMachine {
    /// Plays a table out; `None` when it has no such side.
    #[must_use]
    pub fn of(table: &TransitionTable, side: Side) -> Option<Self> {
        if !Side::of(table).contains(&side) {
            return None;
        }
        let game = tictactoe();
        let first = first_board(table, side);
        let mut places: HashMap<Board, usize> = HashMap::from([(first, 0)]);
        let mut states = vec![State {
            board: first,
            arcs: Vec::new(),
        }];
        let mut open = VecDeque::from([0]);
        while let Some(place) = open.pop_front() {
            let board = states[place].board;
            for input in inputs(&board) {
                let row: Option<&Row> = table.row(&board, input);
                let reply = row.and_then(|row| row.reply);
                let target = match row.map(|row| step(&game, side, &board, input, row.reply)) {
                    None | Some(Step::Illegal) => Target::Stuck,
                    Some(Step::End(end)) => Target::End(end),
                    Some(Step::On(next)) => {
                        Target::State(*places.entry(next).or_insert_with(|| {
                            states.push(State {
                                board: next,
                                arcs: Vec::new(),
                            });
                            open.push_back(states.len() - 1);
                            states.len() - 1
                        }))
                    }
                };
                states[place].arcs.push(Arc {
                    input,
                    reply,
                    target,
                });
            }
        }
        Some(Self { side, states })
    }

    /// How many answers there are.
    #[must_use]
    pub fn arcs(&self) -> usize {
        self.states.iter().map(|state| state.arcs.len()).sum()
    }

    /// The ways a game can end here.
    #[must_use]
    pub fn ends(&self) -> Vec<End> {
        let mut ends: Vec<End> = self
            .states
            .iter()
            .flat_map(|state| &state.arcs)
            .filter_map(|arc| match arc.target {
                Target::End(end) => Some(end),
                _ => None,
            })
            .collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }
}
