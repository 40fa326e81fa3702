//! The engine at the table: a [`Strategy`] for grids.

use std::sync::Arc;

use papan_rules::{Bits, Game as _, Grid, Line, Move, Player};
use papan_strategies::{Context, Decision, Limits, NoMove, Strategy, Turn};

use super::analysis::{Analysis, opening};
use super::options::{GridEngineOptions, SearchMode};
use super::tt::TranspositionTable;
use crate::draw_proof::stones;
use crate::lines::Lines;
use crate::proof_lookup::{ProofLookup, ProvedValue};
use crate::state::State;

/// The engine as a strategy.
///
/// It obeys the context's limits and its own. Without any, it looks at a usual number of
/// nodes, so that its play is the same every time.
pub struct GridEngine {
    pub(super) options: GridEngineOptions,
    lines: Arc<Lines>,
    pub(super) table: TranspositionTable,
    knowledge: Option<Arc<dyn ProofLookup>>,
}

/// Nodes per move when nobody says otherwise: some tenths of a second.
const USUAL_NODES: u64 = 200_000;
const DEEPEST: u8 = 60;

impl GridEngine {
    /// An engine for this board.
    #[must_use]
    pub fn new<B: Bits>(grid: &Grid<B>, options: GridEngineOptions) -> Self {
        Self {
            lines: Arc::new(Lines::new(grid)),
            table: TranspositionTable::new(options.hash_mib),
            options,
            knowledge: None,
        }
    }

    /// The same, playing what is proved of this board.
    #[must_use]
    pub fn with_proofs(self, knowledge: Arc<dyn ProofLookup>) -> Self {
        Self {
            knowledge: Some(knowledge),
            ..self
        }
    }

    /// The context's limit in nodes with the engine's own put in.
    pub(super) fn nodes(&self, context: &Context) -> Option<u64> {
        let given = context.limits();
        let own = &self.options;
        if *given == Limits::default() && own.depth.is_none() && own.nodes.is_none() {
            return Some(USUAL_NODES);
        }
        own.nodes.into_iter().chain(given.nodes).min()
    }

    pub(super) fn depth(&self, context: &Context) -> u8 {
        let given = context.limits().depth;
        let least = self.options.depth.into_iter().chain(given).min();
        let shortest = u32::from(self.options.mode == SearchMode::Full);
        least.map_or(DEEPEST, |depth| {
            depth.clamp(shortest, u32::from(DEEPEST)) as u8
        })
    }

    /// What is proved of a position.
    pub(super) fn known(&self, state: &State, turn: Player) -> Option<ProvedValue> {
        let both = Player::BOTH.map(|player| stones(state, player));
        self.knowledge.as_ref()?.probe(both, turn)
    }

    fn think<B: Bits>(
        &mut self,
        grid: &Grid<B>,
        line: &Line<Grid<B>>,
        context: &Context,
    ) -> Result<Analysis, NoMove> {
        let position = line.position();
        if grid.outcome(position).is_some() {
            return Err(NoMove::GameOver);
        }
        let mut state = State::from_position(&self.lines, grid, line.position());
        // A fresh table makes an answer depend on nothing but the position and the limits.
        if !context.budget().is_limited() {
            self.table.clear();
        }
        let side = grid.turn(position);
        let known = self.known(&state, side);
        let mut analysis = match self.options.mode {
            SearchMode::Plain => self.weigh(&state, side, context),
            SearchMode::Full if matches!(known, Some(ProvedValue::Win { .. })) => {
                Analysis::default()
            }
            SearchMode::Full if position.plies() == 0 => opening(&state),
            SearchMode::Full => self.consider(&mut state, side, context),
        };
        if let Some(known) = known {
            analysis.follow(&state, side, known);
        }
        Ok(analysis)
    }
}

impl<B: Bits> Strategy<Grid<B>> for GridEngine {
    fn choices(&mut self, turn: Turn<'_, Grid<B>>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game: grid,
            line,
            context,
        } = turn;
        let analysis = self.think(grid, line, context)?;
        out.clear();
        out.extend(analysis.moves.first().map(|mv| mv.as_move()));
        Ok(analysis.nodes)
    }

    fn decide(&mut self, turn: Turn<'_, Grid<B>>) -> Result<Decision, NoMove> {
        let Turn {
            game: grid,
            line,
            context,
        } = turn;
        let mut analysis = self.think(grid, line, context)?;
        let mut state = State::from_position(&self.lines, grid, line.position());
        let side = grid.turn(line.position());
        // A plain search has weighed them all alike already.
        if self.options.mode == SearchMode::Full && line.position().plies() > 0 {
            let first = usize::from(analysis.is_won());
            let (depth, moves) = (analysis.depth, &mut analysis.moves[first..]);
            analysis.nodes += self.compare(&state, side, context, (moves, depth));
        }
        let candidates = self.candidates(&mut state, side, &analysis);
        let best = candidates.first().map(|candidate| candidate.mv);
        Ok(Decision {
            best: best.ok_or_else(|| NoMove::Failed("no cell is left".into()))?,
            candidates,
            nodes: analysis.nodes,
        })
    }

    fn forget(&mut self) {
        self.table.clear();
    }
}
