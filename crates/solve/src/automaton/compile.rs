//! Any deterministic strategy on 3x3 as a table.

use std::collections::{BTreeMap, HashSet, VecDeque};

use papan_rules::{Game, GameInfo, Grid, Line, Move, Player, Symmetric, tictactoe};
use papan_strategies::automaton::{BASES, Board, Square};
use papan_strategies::{Automaton, Row, RowFlag, Strategy, TransitionTable, Turn, Watch};

use super::mealy::End;
use crate::ProveError;
use crate::prove::{Instance, Pool, StrategyFactory};

/// A strategy as a table.
#[derive(Clone, Debug)]
pub struct CompiledTable {
    /// The table.
    pub table: TransitionTable,
    /// Where the strategy itself, asked on the unturned board, answers otherwise.
    pub differences: Vec<Difference>,
}

/// A position in which a strategy answers otherwise than its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The moves that lead there.
    pub line: Vec<Move>,
    /// What the table plays, turned.
    pub table: Vec<Move>,
    /// What the strategy plays.
    pub strategy: Vec<Move>,
}

/// Why a strategy cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// The format holds nine cells.
    #[error("a table holds 3x3 with three in a row, not {0}")]
    Board(String),
    /// The strategy chooses at random.
    #[error("after {} moves the strategy may play any of {} cells, and a row has one reply", line.len(), moves.len())]
    Random {
        /// The moves after which it does.
        line: Vec<Move>,
        /// What it may play.
        moves: Vec<Move>,
    },
    /// Rows show a board and an input, and the strategy remembers more.
    #[error("the strategy answers one board and input differently, by what came before")]
    Remembers {
        /// The moves after which it answers otherwise than before.
        line: Vec<Move>,
    },
    /// The strategy does not answer.
    #[error(transparent)]
    Prove(#[from] ProveError),
}

const CORNERS: [Move; 4] = [Move::on(0), Move::on(2), Move::on(6), Move::on(8)];

/// Writes a strategy as a table. The openings 1, 2 and 5 are compiled; all others
/// are turned onto them when the table is read.
///
/// # Errors
/// When the format cannot hold the board or the strategy.
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
    let pool = Pool::new(factory, &watch.stop)?;
    pool.with(|worker| {
        let rows = Compiler {
            game,
            player,
            rows: BTreeMap::new(),
            order: Vec::new(),
        }
        .rows(worker)?;
        let mut table = TransitionTable::default();
        for (place, row) in rows.into_iter().enumerate() {
            table.push(place + 1, row);
        }
        let differences = differences(game, &own, worker, &table, player)?;
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
    fn rows(mut self, worker: &mut Instance<G>) -> Result<Vec<Row>, CompileError> {
        let mut line = Line::new(self.game);
        if self.player == Player::First {
            let mv = match worker.answer(self.game, &line)? {
                &[mv] => mv,
                // Any corner: the one for which tables are written stands for all.
                moves if moves == CORNERS => CORNERS[0],
                moves => return Err(self.draws_lots(&line, moves)),
            };
            line.push(self.game, mv);
        }
        let mut open = VecDeque::from([line]);
        let mut seen = HashSet::new();
        while let Some(line) = open.pop_front() {
            let memory = worker.memory(self.game, &line);
            if !seen.insert((self.game.pack(line.position()), memory)) {
                continue;
            }
            for input in self.game.legal_moves(line.position()) {
                let opening = line.moves().is_empty();
                if opening && !BASES.map(Move::on).contains(&input) {
                    continue; // turned onto one of those first
                }
                open.extend(self.row(&line, input, worker)?);
            }
        }
        let rows = self.order.iter().map(|key| self.rows[key].clone());
        Ok(rows.collect())
    }

    /// Adds the row for an input, and gives the line after its reply while the
    /// game goes on.
    fn row(
        &mut self,
        line: &Line<G>,
        input: Move,
        worker: &mut Instance<G>,
    ) -> Result<Option<Line<G>>, CompileError> {
        let board = self.board(line);
        let mut next = line.clone();
        next.push(self.game, input);
        let mut reply = None;
        if self.game.outcome(next.position()).is_none() {
            let mv = match worker.answer(self.game, &next)? {
                &[mv] => mv,
                moves => return Err(self.draws_lots(&next, moves)),
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

    fn draws_lots(&self, line: &Line<G>, moves: &[Move]) -> CompileError {
        CompileError::Random {
            line: line.moves().to_vec(),
            moves: moves.to_vec(),
        }
    }
}

/// Plays the table against every opponent and asks the strategy along the way.
fn differences<G: GameInfo + Symmetric>(
    game: &G,
    own: &Grid<u64>,
    worker: &mut Instance<G>,
    table: &TransitionTable,
    player: Player,
) -> Result<Vec<Difference>, CompileError> {
    let mut automaton = Automaton::new(table.clone());
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut open = VecDeque::from([(Line::new(own), Line::new(game))]);
    while let Some((turned, unturned)) = open.pop_front() {
        let pos = turned.position();
        let memory = automaton.memory(own, &turned);
        if own.outcome(pos).is_some() || !seen.insert((own.pack(pos), memory)) {
            continue;
        }
        let mut moves: Vec<Move> = own.legal_moves(pos).collect();
        if own.turn(pos) == player {
            let context = papan_strategies::Context::default();
            automaton
                .choices(Turn::new(own, &turned, &context), &mut moves)
                .map_err(|cause| ProveError::no_answer(&turned, cause.into()))?;
            let strategy = worker.answer(game, &unturned)?;
            if strategy != moves {
                found.push(Difference {
                    line: turned.moves().to_vec(),
                    table: moves.clone(),
                    strategy: strategy.to_vec(),
                });
            }
        }
        for mv in moves {
            let (mut turned, mut unturned) = (turned.clone(), unturned.clone());
            turned.push(own, mv);
            unturned.push(game, mv);
            open.push_back((turned, unturned));
        }
    }
    Ok(found)
}
