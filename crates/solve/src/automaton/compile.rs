//! Compilation of a deterministic 3x3 strategy to a table.

use std::collections::{BTreeMap, HashSet, VecDeque};

use papan_rules::{Game, GameInfo, Grid, Line, Move, Player, Symmetric, tictactoe};
use papan_strategies::automaton::{BASES, Board, Square};
use papan_strategies::{Automaton, Row, RowFlag, Strategy, TransitionTable, Turn, Watch};

use super::mealy::End;
use crate::ProveError;
use crate::prove::{StrategyFactory, StrategyInstance, StrategyPool};

/// The result of a compilation.
#[derive(Clone, Debug)]
pub struct CompiledTable {
    /// The table.
    pub table: TransitionTable,
    /// Positions in which the strategy, on the unrotated board, plays another move than the table.
    pub differences: Vec<Difference>,
}

/// A position in which a strategy and its table differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The moves to the position.
    pub line: Vec<Move>,
    /// The table's moves, rotated back.
    pub table: Vec<Move>,
    /// The strategy's moves.
    pub strategy: Vec<Move>,
}

/// Why a strategy cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// The board is not 3x3.
    #[error("a table holds 3x3 with three in a row, not {0}")]
    Board(String),
    /// The strategy has several moves in one position.
    #[error("after {} moves the strategy may play any of {} cells, and a row has one reply", line.len(), moves.len())]
    Random {
        /// The moves to the position.
        line: Vec<Move>,
        /// The strategy's moves.
        moves: Vec<Move>,
    },
    /// The strategy depends on more than the board and the input.
    #[error(
        "the strategy plays different replies to the same board and input, depending on earlier moves"
    )]
    Remembers {
        /// The moves to a position with two different answers.
        line: Vec<Move>,
    },
    /// The strategy failed.
    #[error(transparent)]
    Prove(#[from] ProveError),
}

const CORNERS: [Move; 4] = [Move::on(0), Move::on(2), Move::on(6), Move::on(8)];

/// Compiles a strategy to a table. Only the openings 1, 2 and 5 are compiled; others are rotated onto
/// them when the table is played.
///
/// # Errors
/// If the table format cannot represent the board or the strategy.
pub fn compile<G: GameInfo + Symmetric>(
    game: &G,
    factory: StrategyFactory<'_, G>,
    player: Player,
    watch: &Watch,
) -> Result<CompiledTable, CompileError> {
    let own = tictactoe();
    if game.name() != own.name() {
        return Err(CompileError::Board(game.name()));
    }
    let pool = StrategyPool::new(factory, &watch.stop)?;
    pool.with(|instance| {
        let rows = Compiler {
            game,
            player,
            rows: BTreeMap::new(),
            order: Vec::new(),
        }
        .rows(instance)?;
        let mut table = TransitionTable::default();
        for (place, row) in rows.into_iter().enumerate() {
            table.push(place + 1, row);
        }
        let differences = differences(game, &own, instance, &table, player)?;
        Ok(CompiledTable { table, differences })
    })
}

struct Compiler<'a, G> {
    game: &'a G,
    player: Player,
    rows: BTreeMap<(Board, usize), Row>,
    order: Vec<(Board, usize)>,
}

impl<G: GameInfo + Symmetric> Compiler<'_, G> {
    fn rows(mut self, instance: &mut StrategyInstance<G>) -> Result<Vec<Row>, CompileError> {
        let mut line = Line::new(self.game);
        if self.player == Player::First {
            let mv = match instance.answer(self.game, &line)? {
                &[mv] => mv,
                // Corner 1, for which tables are written, represents all corners.
                moves if moves == CORNERS => CORNERS[0],
                moves => return Err(self.random_error(&line, moves)),
            };
            line.push(self.game, mv);
        }
        let mut open = VecDeque::from([line]);
        let mut seen = HashSet::new();
        while let Some(line) = open.pop_front() {
            let memory = instance.memory(self.game, &line);
            if !seen.insert((self.game.pack(line.position()), memory)) {
                continue;
            }
            for input in self.game.legal_moves(line.position()) {
                let opening = line.moves().is_empty();
                if opening && !BASES.map(Move::on).contains(&input) {
                    continue; // rotated onto one of those first
                }
                open.extend(self.row(&line, input, instance)?);
            }
        }
        let rows = self.order.iter().map(|key| self.rows[key].clone());
        Ok(rows.collect())
    }

    /// Adds the row for an input. Returns the line after its reply unless the game is over.
    fn row(
        &mut self,
        line: &Line<G>,
        input: Move,
        instance: &mut StrategyInstance<G>,
    ) -> Result<Option<Line<G>>, CompileError> {
        let board = self.board(line);
        let mut next = line.clone();
        next.push(self.game, input);
        let mut reply = None;
        if self.game.outcome(next.position()).is_none() {
            let mv = match instance.answer(self.game, &next)? {
                &[mv] => mv,
                moves => return Err(self.random_error(&next, moves)),
            };
            next.push(self.game, mv);
            reply = mv.cell();
        }
        let outcome = self.game.outcome(next.position());
        let flag = outcome.map_or(RowFlag::Open, |o| End::of(o, self.player).flag());
        let cell = input.cell().unwrap_or_default();
        let row = Row {
            flag,
            board,
            input: cell,
            reply,
        };
        match self.rows.get(&(board, cell)) {
            None => {
                self.order.push((board, cell));
                self.rows.insert((board, cell), row);
            }
            Some(earlier) if *earlier == row => {}
            Some(_) => {
                let line = next.moves().to_vec();
                return Err(CompileError::Remembers { line });
            }
        }
        Ok(outcome.is_none().then_some(next))
    }

    fn board(&self, line: &Line<G>) -> Board {
        std::array::from_fn(|cell| match self.game.piece(line.position(), cell) {
            None => Square::Empty,
            Some(player) if player == self.player => Square::Computer,
            Some(_) => Square::Person,
        })
    }

    fn random_error(&self, line: &Line<G>, moves: &[Move]) -> CompileError {
        CompileError::Random {
            line: line.moves().to_vec(),
            moves: moves.to_vec(),
        }
    }
}

/// Plays the table against every opponent and compares it with the strategy.
fn differences<G: GameInfo + Symmetric>(
    game: &G,
    own: &Grid<u64>,
    instance: &mut StrategyInstance<G>,
    table: &TransitionTable,
    player: Player,
) -> Result<Vec<Difference>, CompileError> {
    let mut automaton = Automaton::new(table.clone());
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut open = VecDeque::from([(Line::new(own), Line::new(game))]);
    while let Some((rotated, unrotated)) = open.pop_front() {
        let pos = rotated.position();
        let memory = automaton.memory(own, &rotated);
        if own.outcome(pos).is_some() || !seen.insert((own.pack(pos), memory)) {
            continue;
        }
        let mut moves: Vec<Move> = own.legal_moves(pos).collect();
        if own.turn(pos) == player {
            let context = papan_strategies::Context::default();
            automaton
                .choices(Turn::new(own, &rotated, &context), &mut moves)
                .map_err(|cause| ProveError::no_answer(&rotated, cause.into()))?;
            let strategy = instance.answer(game, &unrotated)?;
            if strategy != moves {
                found.push(Difference {
                    line: rotated.moves().to_vec(),
                    table: moves.clone(),
                    strategy: strategy.to_vec(),
                });
            }
        }
        for mv in moves {
            let (mut rotated, mut unrotated) = (rotated.clone(), unrotated.clone());
            rotated.push(own, mv);
            unrotated.push(game, mv);
            open.push_back((rotated, unrotated));
        }
    }
    Ok(found)
}
