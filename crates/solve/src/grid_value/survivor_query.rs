//! The survivor search as part of a win query.
//!
//! On cubes it decides where the other searches find nothing: 4x4x4 takes it 40,000 expansions. On
//! flat boards it finds the short wins of four in a row twenty times faster than they do, and is
//! rarely better after that, so it gets a small share of the nodes there.

use std::sync::Arc;

use papan_mnk::{CellSet, Lines, SequenceProof, State, SurvivorSearch, VcfLimits};
use papan_rules::{Bits, Player, Wide};

use super::ValueLimits;

/// Boards with more cells are left to the threat search: an expansion tries every reply to every
/// move.
const MAX_CELLS: usize = 128;
/// Expansions of a round at least.
const MIN_EXPANSIONS: u64 = 200;

/// A survivor search with its share of the nodes of a round.
pub(super) struct SurvivorQuery {
    search: Box<dyn ProofSearch>,
    /// Whether the attacker is to move.
    to_move: bool,
    is_cube: bool,
    max_positions: usize,
}

/// A survivor search of any width.
trait ProofSearch: Send {
    fn run(&mut self, expansions: u64, to_move: bool) -> bool;
    fn proof(&mut self, to_move: bool) -> Option<SequenceProof>;
    fn is_exhausted(&self, to_move: bool) -> bool;
    fn nodes(&self) -> u64;
    fn positions(&self) -> usize;
}

impl<B: Bits> ProofSearch for SurvivorSearch<B> {
    fn run(&mut self, expansions: u64, to_move: bool) -> bool {
        self.limit_expansions(expansions);
        self.prove(to_move)
    }

    fn proof(&mut self, to_move: bool) -> Option<SequenceProof> {
        self.sequence_proof(to_move)
    }

    fn is_exhausted(&self, to_move: bool) -> bool {
        Self::is_exhausted(self, to_move)
    }

    fn nodes(&self) -> u64 {
        self.expansions()
    }

    fn positions(&self) -> usize {
        Self::positions(self)
    }
}

fn set_up<B: Bits>(
    state: &State,
    attacker: Player,
    halt: Box<dyn FnMut() -> bool + Send>,
) -> Box<dyn ProofSearch> {
    let lines: &Arc<Lines> = state.lines();
    let mut search = SurvivorSearch::<B>::new(lines, VcfLimits::default(), halt);
    let narrow = |set: CellSet| {
        let cells = set.cells();
        cells.fold(B::EMPTY, |set, cell| set | B::single(cell))
    };
    let stones = [attacker, attacker.other()].map(|side| narrow(state.stones(side)));
    search.set_position(stones[0], stones[1]);
    Box::new(search)
}

impl SurvivorQuery {
    /// Creates the search; `None` where the limits exclude it, for boards that are too large for it,
    /// and for lines too short to have fours.
    pub(super) fn new(
        state: &State,
        attacker: Player,
        to_move: bool,
        is_cube: bool,
        limits: &ValueLimits,
        halt: Box<dyn FnMut() -> bool + Send>,
    ) -> Option<Self> {
        let cells = state.lines().cells();
        if !limits.survivors || cells > MAX_CELLS || state.lines().length() < 3 {
            return None;
        }
        let search = if cells <= 64 {
            set_up::<u64>(state, attacker, halt)
        } else {
            set_up::<Wide>(state, attacker, halt)
        };
        Some(Self {
            search,
            to_move,
            is_cube,
            max_positions: limits.positions,
        })
    }

    /// Returns whether the search comes before the others of a round.
    pub(super) fn runs_first(&self, round: u32) -> bool {
        round == 1 || round > 1 && self.is_cube
    }

    /// Searches one round, in which the other searches have this number of nodes.
    pub(super) fn run(&mut self, nodes: u64) -> Option<SequenceProof> {
        if self.search.is_exhausted(self.to_move) || self.search.positions() >= self.max_positions {
            return None;
        }
        let share = if self.is_cube { 3 } else { 200 };
        let expansions = (nodes / share).max(MIN_EXPANSIONS);
        if self.search.run(expansions, self.to_move) {
            self.search.proof(self.to_move)
        } else {
            None
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.search.nodes()
    }
}
