//! The Mealy machine of a table: its reachable states, with a reply for each input.

use std::collections::{HashMap, VecDeque};

use papan_rules::{Game, Grid, GridPosition, Move, Notation, Outcome, Player, tictactoe};
use papan_strategies::automaton::{BASES, Board, Square};
use papan_strategies::{Row, RowFlag, TransitionTable};

/// Which player begins in the games of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The computer begins, with its opening.
    Attack,
    /// The person begins, on corner 1, side 2 or centre 5.
    Defence,
}

impl Side {
    /// Returns the computer's seat.
    #[must_use]
    pub const fn computer(self) -> Player {
        match self {
            Self::Attack => Player::First,
            Self::Defence => Player::Second,
        }
    }

    /// Returns the sides that a table plays.
    #[must_use]
    pub fn of(table: &TransitionTable) -> Vec<Self> {
        let attack = table.opening().map(|_| Self::Attack);
        let defence = table.defends().then_some(Self::Defence);
        attack.into_iter().chain(defence).collect()
    }
}

/// The result of a game, for the computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// The computer wins.
    Won,
    /// A draw.
    Draw,
    /// The person wins.
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

    /// Returns the flag of a row that ends so.
    #[must_use]
    pub const fn flag(self) -> RowFlag {
        match self {
            Self::Won => RowFlag::Won,
            Self::Draw => RowFlag::Draw,
            Self::Lost => RowFlag::Lost,
        }
    }
}

/// A board before the person's input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The name that the table gives to it.
    pub name: Option<String>,
    /// The board.
    pub board: Board,
    /// Transitions in the order of the inputs.
    pub arcs: Vec<Arc>,
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The person's cell, counted from 0.
    pub input: usize,
    /// The computer's reply; `None` if the input ends the game.
    pub reply: Option<usize>,
    /// The target.
    pub target: Target,
    /// Whether the flag of the row is not true.
    pub is_flag_wrong: bool,
}

/// The target of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A state, by its index in [`MealyMachine::states`].
    State(usize),
    /// The end of the game.
    End(End),
    /// No target: the row is missing, or its reply is illegal.
    Stuck,
}

/// The automaton of one side of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MealyMachine {
    /// The side.
    pub side: Side,
    /// The states in breadth-first order; the first is the initial state.
    pub states: Vec<State>,
}

/// Converts the board of a table to a position of the game.
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

/// Returns the board before the first input.
pub(crate) fn first_board(table: &TransitionTable, side: Side) -> Board {
    let mut board = [Square::Empty; 9];
    if let (Side::Attack, Some(opening)) = (side, table.opening()) {
        board[opening] = Square::Computer;
    }
    board
}

/// Returns the possible inputs. On the empty board these are the three base openings; others are
/// rotated onto them.
pub(crate) fn inputs(board: &Board) -> Vec<usize> {
    let empty = (0..9).filter(|&cell| board[cell] == Square::Empty);
    if *board == [Square::Empty; 9] {
        BASES.to_vec()
    } else {
        empty.collect()
    }
}

/// The effect of a row, regardless of its flag.
pub(crate) enum RowEffect {
    /// The game has ended.
    End(End),
    /// The game continues from this board.
    Continue(Board),
    /// The reply is illegal, or missing although the game continues.
    Illegal,
}

/// Plays an input and the reply of a row.
pub(crate) fn step(
    game: &Grid<u64>,
    side: Side,
    board: &Board,
    input: usize,
    reply: Option<usize>,
) -> RowEffect {
    let computer = side.computer();
    let Some(mut pos) = position(game, side, board, computer.other()) else {
        return RowEffect::Illegal;
    };
    let mut after = *board;
    if game.play(&mut pos, Move::on(input)).is_err() {
        return RowEffect::Illegal;
    }
    after[input] = Square::Person;
    if let Some(outcome) = game.outcome(&pos) {
        return match reply {
            None => RowEffect::End(End::of(outcome, computer)),
            Some(_) => RowEffect::Illegal,
        };
    }
    let Some(reply) = reply else {
        return RowEffect::Illegal;
    };
    if game.play(&mut pos, Move::on(reply)).is_err() {
        return RowEffect::Illegal;
    }
    after[reply] = Square::Computer;
    match game.outcome(&pos) {
        Some(outcome) => RowEffect::End(End::of(outcome, computer)),
        None => RowEffect::Continue(after),
    }
}

impl MealyMachine {
    /// Builds the automaton of a side; `None` if the table does not play it.
    #[must_use]
    pub fn of(table: &TransitionTable, side: Side) -> Option<Self> {
        if !Side::of(table).contains(&side) {
            return None;
        }
        let game = tictactoe();
        let first = first_board(table, side);
        let mut indices: HashMap<Board, usize> = HashMap::from([(first, 0)]);
        let state = |board: Board| State {
            name: table.state_name(&board).map(str::to_owned),
            board,
            arcs: Vec::new(),
        };
        let mut states = vec![state(first)];
        let mut open = VecDeque::from([0]);
        while let Some(index) = open.pop_front() {
            let board = states[index].board;
            for input in inputs(&board) {
                let row: Option<&Row> = table.row(&board, input);
                let reply = row.and_then(|row| row.reply);
                let target = match row.map(|row| step(&game, side, &board, input, row.reply)) {
                    None | Some(RowEffect::Illegal) => Target::Stuck,
                    Some(RowEffect::End(end)) => Target::End(end),
                    Some(RowEffect::Continue(next)) => {
                        Target::State(*indices.entry(next).or_insert_with(|| {
                            states.push(state(next));
                            open.push_back(states.len() - 1);
                            states.len() - 1
                        }))
                    }
                };
                let truth = match target {
                    Target::State(_) => Some(RowFlag::Open),
                    Target::End(end) => Some(end.flag()),
                    Target::Stuck => None,
                };
                let is_flag_wrong = match (row, truth) {
                    (Some(row), Some(truth)) => row.flag != truth,
                    _ => false,
                };
                states[index].arcs.push(Arc {
                    input,
                    reply,
                    target,
                    is_flag_wrong,
                });
            }
        }
        Some(Self { side, states })
    }

    /// Returns the name of a state: the table's own, or its number in breadth-first order.
    #[must_use]
    pub fn name(&self, state: usize) -> String {
        let own = self.states[state].name.clone();
        own.unwrap_or_else(|| format!("Q{}", state + 1))
    }

    /// Returns the number of transitions.
    #[must_use]
    pub fn arcs(&self) -> usize {
        self.states.iter().map(|state| state.arcs.len()).sum()
    }

    /// Returns the reachable results.
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
