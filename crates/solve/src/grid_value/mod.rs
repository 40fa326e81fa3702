//! Solver for the game-theoretic value of a k-in-a-row position, with proofs.
//!
//! A value takes two win queries ([`query`]), one per player: does this player win, or does the
//! opponent at least draw? The queries alternate, each round with about twice the nodes of the last
//! one, until their answers determine the value. A limit leaves a query open; it is never counted as
//! a no.

mod best_line;
mod orientation;
mod query;
mod survivor_query;

use std::sync::Arc;

use papan_mnk::{DefenceSolver, DefenceValue, Lines, RootReplies, State};
use papan_rules::{Bits, Game as _, GameInfo as _, Grid, GridPosition, Move, Player};
use papan_strategies::{Context, Progress, StepKind, StepProgress};

use self::best_line::best_line;
use self::orientation::Orientation;
use self::query::{BEAM_WIDTH, WinQuery};
use crate::ClaimProof;
use crate::checkpoint::SearchCheckpoint;

/// Limits of the search for moves that keep the draw on the empty board.
const OPENING_DEPTH: u8 = 6;
const OPENING_NODES: u64 = 20_000;

/// Limits of a value search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueLimits {
    /// Rounds, each with about twice the nodes of the one before.
    pub rounds: u32,
    /// Positions in the table of each df-pn search.
    pub positions: usize,
    /// Threads. With more than one, the threat and survivor searches and both forms of the df-pn search run
    /// concurrently.
    pub threads: usize,
    /// Whether the survivor search takes part.
    pub survivors: bool,
}

impl Default for ValueLimits {
    fn default() -> Self {
        Self {
            rounds: 40,
            positions: 8_000_000,
            threads: 1,
            survivors: true,
        }
    }
}

/// The result of a value search.
#[derive(Clone, Debug, Default)]
pub struct GridValue {
    /// The proved claims; both halves of a draw.
    pub claims: Vec<ClaimProof>,
    /// The value for the player to move, if it is known: 1, 0 or -1.
    pub value: Option<i32>,
    /// The principal variation, as far as the proofs determine it.
    pub pv: Vec<Move>,
    /// If the value is unknown, the state of the replies to the most promising move.
    pub replies: Option<RootReplies>,
    /// Nodes searched.
    pub nodes: u64,
}

/// Solves an unfinished position.
///
/// The search starts from `checkpoint` and leaves its tables there if it does not reach a value. The
/// context can stop it early, by time or by its token, and receives a progress report after every
/// step.
///
/// ```
/// use papan_rules::{Game, Grid};
/// use papan_solve::{SearchCheckpoint, ValueLimits, check_claims, grid_value, write_claims};
/// use papan_strategies::Context;
///
/// // Three in a row on 4x3 is a win for the first player.
/// let grid = Grid::<u64>::new(&[4, 3], 3)?;
/// let start = grid.start();
/// let solved = grid_value(
///     &grid,
///     &start,
///     &ValueLimits::default(),
///     &mut SearchCheckpoint::default(),
///     &Context::default(),
/// );
/// assert_eq!(solved.value, Some(1));
///
/// // The proof as a certificate, verified by independent code.
/// let certificate = write_claims(&grid, &start, &solved.claims);
/// assert_eq!(check_claims(&grid, &certificate)?.value(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn grid_value<B: Bits>(
    grid: &Grid<B>,
    position: &GridPosition<B>,
    limits: &ValueLimits,
    checkpoint: &mut SearchCheckpoint,
    context: &Context,
) -> GridValue {
    if let Some(canonical) = Orientation::of(grid)
        && let Some(position) = canonical.position(grid, position)
    {
        let found = solve(&canonical.grid, &position, limits, checkpoint, context);
        return canonical.original(found);
    }
    solve(grid, position, limits, checkpoint, context)
}

/// Solves an unfinished position in the orientation of its board.
fn solve<B: Bits>(
    grid: &Grid<B>,
    position: &GridPosition<B>,
    limits: &ValueLimits,
    checkpoint: &mut SearchCheckpoint,
    context: &Context,
) -> GridValue {
    let state = State::from_position(&Arc::new(Lines::new(grid)), grid, position);
    let mover = grid.turn(position);
    let mut search = ValueSearch {
        mover,
        context,
        queries: [mover, mover.other()].map(|attacker| {
            let at_start = position.plies() == 0;
            WinQuery::new(&state, attacker, mover, at_start, limits, context).with_survivors(
                &state,
                grid.shape().sides().len() > 2,
                limits,
                context,
            )
        }),
        state,
    };
    search.restore(std::mem::take(checkpoint));
    let result = search.run(limits.rounds);
    if result.value.is_none() {
        *checkpoint = search.checkpoint();
    }
    result
}

/// Answers the win query for one player at an unfinished position: a proof that `attacker` wins, or
/// a draw proof of the countering form unless `wins_only`.
pub(crate) fn answer_win_query<B: Bits>(
    grid: &Grid<B>,
    position: &GridPosition<B>,
    attacker: Player,
    wins_only: bool,
    limits: &ValueLimits,
    context: &Context,
) -> Option<ClaimProof> {
    let mut state = State::from_position(&Arc::new(Lines::new(grid)), grid, position);
    let mover = grid.turn(position);
    let mut query =
        WinQuery::new(&state, attacker, mover, false, limits, context).countering_only();
    if wins_only {
        query = query.wins_only();
    }
    for round in 0..limits.rounds {
        query.step(&mut state, round);
        if query.answer.is_some() {
            break;
        }
    }
    query.answer
}

struct ValueSearch<'a> {
    state: State,
    mover: Player,
    context: &'a Context,
    /// The queries for the player to move and for the opponent.
    queries: [WinQuery; 2],
}

impl ValueSearch<'_> {
    fn solvers(&mut self) -> impl Iterator<Item = &mut DefenceSolver> {
        let queries = self.queries.iter_mut();
        queries.flat_map(|query| [&mut query.plain, &mut query.countering])
    }

    fn restore(&mut self, checkpoint: SearchCheckpoint) {
        for (solver, table) in self.solvers().zip(checkpoint.tables) {
            solver.restore(table);
        }
    }

    fn checkpoint(&mut self) -> SearchCheckpoint {
        let mut tables = self.solvers().map(|solver| solver.entries().collect());
        SearchCheckpoint {
            tables: std::array::from_fn(|_| tables.next().unwrap_or_default()),
        }
    }

    fn run(&mut self, rounds: u32) -> GridValue {
        for round in 0..rounds {
            for at in 0..2 {
                if self.queries[at].answer.is_none() {
                    self.queries[at].step(&mut self.state, round);
                }
                if self.value().is_some() {
                    return self.conclude();
                }
                let progress = self.progress(round);
                self.context.report(&progress);
                if self.context.is_over() {
                    return self.conclude();
                }
            }
        }
        self.conclude()
    }

    fn nodes(&self) -> u64 {
        self.queries.iter().map(WinQuery::nodes).sum()
    }

    fn progress(&mut self, round: u32) -> Progress {
        let replies = self.queries[0].countering.root_replies();
        let open = self.queries.iter().filter(|query| query.answer.is_none());
        let mut open: Vec<Player> = open.map(|query| query.attacker).collect();
        open.sort_unstable();
        Progress {
            depth: round,
            nodes: self.nodes(),
            part: replies.map(|replies| StepProgress {
                of: StepKind::Replies,
                done: replies.losing.len() as u64,
                total: (replies.losing.len() + replies.open.len()) as u64,
            }),
            open,
            ..Progress::default()
        }
    }

    /// Returns the value for the player to move, if the answers determine it.
    fn value(&self) -> Option<i32> {
        let [own, others] = &self.queries;
        if own.is_won() {
            Some(1)
        } else if others.is_won() {
            Some(-1)
        } else {
            (own.answer.is_some() && others.answer.is_some()).then_some(0)
        }
    }

    fn conclude(&mut self) -> GridValue {
        let value = self.value();
        if value == Some(0) {
            self.find_drawing_moves();
        }
        let nodes = self.nodes();
        let answers = self.queries.iter_mut();
        let mut claims: Vec<ClaimProof> = answers.filter_map(|q| q.answer.take()).collect();
        if let Some(1 | -1) = value {
            // A win implies the other claims.
            claims.retain(ClaimProof::is_win);
        }
        let pv = best_line(&mut self.state, self.mover, &claims);
        GridValue {
            pv: pv
                .into_iter()
                .map(|cell| Move::on(usize::from(cell)))
                .collect(),
            replies: if value.is_none() {
                self.queries[0].countering.root_replies()
            } else {
                None
            },
            claims,
            value,
            nodes,
        }
    }

    /// Replaces a strategy-stealing argument by a draw proof with moves, if one is found soon. On
    /// the empty board the claim needs no moves, but a player of the certificate does.
    fn find_drawing_moves(&mut self) {
        let query = &mut self.queries[1];
        let Some(ClaimProof::MovesFirst(player)) = query.answer else {
            return;
        };
        for depth in 0..OPENING_DEPTH {
            if query.plain.deepen(depth, BEAM_WIDTH, OPENING_NODES) == DefenceValue::Holds
                && let Some(proof) = query.plain.draw_proof()
            {
                query.answer = Some(ClaimProof::Draws(player, proof));
                return;
            }
        }
        if query.countering.run(10 * OPENING_NODES) == DefenceValue::Holds
            && let Some(proof) = query.countering.draw_proof()
        {
            query.answer = Some(ClaimProof::Draws(player, proof));
        }
    }
}
