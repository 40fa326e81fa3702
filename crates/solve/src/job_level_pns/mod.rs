//! Job-level proof-number search: a proof-number tree whose leaves are searched as separate jobs.
//!
//! The query is whether one player, the attacker, wins at k in a row. The tree is kept here; a leaf
//! is a job of some seconds for any worker, which proves it, refutes it or leaves it open. An open
//! leaf is expanded. Leaves in flight carry a virtual loss, so that workers propagate over the tree.
//!
//! Results are shared over the tree (`reuse`), as workers share them in massively parallel
//! proof-number search: a proof against one reply refutes all replies outside its relevance zone, is
//! simulated against the others, and orders the moves below those that it does not refute. Positions
//! that are equal up to symmetry share jobs and results, also those of whole subtrees.
//!
//! The tree is a function of the results, in the order of their arrival: replaying the results
//! restores it.
//!
//! References: I-Chen Wu, Hung-Hsuan Lin, Ping-Hung Lin, Der-Johng Sun, Yi-Chih Chan and Bo-Ting
//! Chen, *Job-Level Proof-Number Search for Connect6*, 2010; extended in IEEE Transactions on
//! Computational Intelligence and AI in Games 5(1), 2013. *Massively Parallel Proof-Number Search for
//! Impartial Games and Beyond*, arXiv 2511.10339, 2025.

mod draw_bytes;
mod leaf;
mod proof_number_tree;
mod refutation;
mod reuse;
#[cfg(test)]
mod tests;
mod varint;
mod win_bytes;

use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use papan_mnk::{
    DrawProof, Lines, ProofMapper, ProofSimulation, ReplyBranch, State, WinProof, score_cell,
};
use papan_rules::{Bits, Game as _, Grid, GridPosition, Move, Notation as _, Player};

use crate::symmetry_group::{CanonicalPosition, SymmetryGroup};
use crate::{ClaimProof, write_claims};
pub use leaf::{LeafError, LeafQuery, check_leaf, solve_leaf};
pub use proof_number_tree::TreeSize;
use proof_number_tree::{NodeResult, ProofNumberTree};
use win_bytes::LeafProof;

/// A search whose leaves are jobs for workers.
pub trait JobLevelSearch: Send {
    /// Returns the next job, a position as text. `None` if all open leaves are in flight or the
    /// query is answered.
    fn next_job(&mut self) -> Option<String>;
    /// Adds the result of a job. Results of unknown jobs are kept for positions that the tree may
    /// reach later.
    ///
    /// # Errors
    /// If the bytes are not a result.
    fn add_result(&mut self, job: &str, result: &[u8]) -> Result<(), LeafError>;
    /// Returns jobs whose leaves were solved otherwise since the last call: their results are no
    /// longer needed.
    fn take_solved_jobs(&mut self) -> Vec<String>;
    /// Returns whether the attacker wins, once that is known.
    fn verdict(&self) -> Option<bool>;
    /// Returns the certificate of the win, or of the defender's draw; on the empty board, where the
    /// player to move at least draws as well, that of a draw.
    fn certificate(&self) -> Option<Vec<u8>>;
    /// Returns the size of the tree.
    fn size(&self) -> TreeSize;
    /// Returns the job of the whole query: its position.
    fn root_job(&self) -> String;
    /// Returns the result of that job, once the attacker is proved to win.
    fn root_result(&self) -> Option<Vec<u8>>;
    /// Uses results of other queries for the same attacker, each with its job: simulates their proofs
    /// under all symmetries of the board, the most similar positions first. If none of them wins, the
    /// moves of the most similar one are tried first. Call it before the first job.
    ///
    /// # Errors
    /// If the bytes are not results.
    fn learn(&mut self, proved: &[(String, Vec<u8>)]) -> Result<(), LeafError>;
}

/// Job-level search on one grid.
pub struct JobLevelTree<B: Bits> {
    grid: Arc<Grid<B>>,
    root: GridPosition<B>,
    attacker: Player,
    tree: ProofNumberTree,
    /// The canonical position of each node.
    canonical: HashMap<usize, CanonicalPosition>,
    /// The nodes of each canonical position, by its text.
    by_position: HashMap<String, Vec<usize>>,
    /// Jobs without a result.
    in_flight: HashSet<String>,
    /// All results, by canonical position: those of jobs, and those of subtrees that are solved.
    results: HashMap<String, PositionResult>,
    /// Win proofs of leaves.
    win_proofs: HashMap<usize, LeafProof>,
    /// Refuted replies, for nodes with the defender to move.
    refuted_replies: HashMap<usize, Vec<ReplyBranch>>,
    /// Proofs of similar positions, which order the moves of nodes with the attacker to move.
    guides: HashMap<usize, Arc<WinProof>>,
    simulation: ProofSimulation,
    /// Positions that were proved by simulation.
    simulated: usize,
    /// Solved nodes whose results are not propagated yet, with their depths.
    unpropagated: BinaryHeap<(usize, usize)>,
    is_propagating: bool,
    lines: Arc<Lines>,
    symmetries: SymmetryGroup,
}

/// The result of a leaf job.
#[derive(Clone, Debug)]
pub(crate) enum LeafResult {
    /// The attacker wins.
    Wins(LeafProof),
    /// The defender at least draws.
    Draws(Arc<DrawProof>),
    /// Not decided: the moves that the engine searches, best first.
    Open(Vec<u16>),
}

/// The result of a canonical position.
#[derive(Clone, Debug)]
enum PositionResult {
    Wins(ProofSource<LeafProof>),
    Draws(ProofSource<Arc<DrawProof>>),
    /// Searched by a job, but not decided: promising moves, best first.
    Open(Vec<u16>),
}

/// Where the proof of a position is.
#[derive(Clone, Debug)]
enum ProofSource<P> {
    /// In the result of a job.
    Job(P),
    /// At this node and below it.
    Subtree(usize),
}

impl<B: Bits> JobLevelTree<B> {
    /// Creates a search for a win of the player to move.
    #[must_use]
    pub fn new(grid: &Arc<Grid<B>>, root: &GridPosition<B>) -> Self {
        let attacker = grid.turn(root);
        let lines = Arc::new(Lines::new(grid));
        let mut search = Self {
            grid: Arc::clone(grid),
            root: *root,
            attacker,
            tree: ProofNumberTree::new(),
            canonical: HashMap::new(),
            by_position: HashMap::new(),
            in_flight: HashSet::new(),
            results: HashMap::new(),
            win_proofs: HashMap::new(),
            refuted_replies: HashMap::new(),
            guides: HashMap::new(),
            simulation: ProofSimulation::new(attacker),
            simulated: 0,
            unpropagated: BinaryHeap::new(),
            is_propagating: false,
            symmetries: SymmetryGroup::new(&lines),
            lines,
        };
        search.register(0);
        search
    }

    fn position(&self, node: usize) -> GridPosition<B> {
        let mut position = self.root;
        for cell in self.tree.path(node) {
            self.grid
                .play_unchecked(&mut position, Move::on(usize::from(cell)));
        }
        position
    }

    /// Registers a new node and applies a known outcome or result to it.
    fn register(&mut self, node: usize) {
        if self.tree.is_solved(node) {
            return;
        }
        let position = self.position(node);
        if let Some(outcome) = self.grid.outcome(&position) {
            let won = outcome.winner() == Some(self.attacker);
            let result = if won {
                NodeResult::Proved
            } else {
                NodeResult::Refuted
            };
            self.tree.solve(node, result);
            self.propagate(node);
            return;
        }
        let canonical = self.symmetries.canonical(&self.grid, &position);
        let nodes = self.by_position.entry(canonical.text.clone()).or_default();
        nodes.push(node);
        let result = self.results.get(&canonical.text).cloned();
        let is_in_flight = self.in_flight.contains(&canonical.text);
        self.canonical.insert(node, canonical);
        if let Some(result) = result {
            self.apply(node, &result);
        } else if is_in_flight {
            self.tree.mark_busy(node);
        }
    }

    /// Applies the result of a canonical position to a node.
    fn apply(&mut self, node: usize, result: &PositionResult) {
        if self.tree.is_solved(node) {
            return;
        }
        match result {
            PositionResult::Wins(source) => {
                let symmetry = self.canonical[&node].symmetry;
                let proof = match source {
                    ProofSource::Job(proof) => {
                        self.mapped(proof, self.symmetries.inverse(symmetry))
                    }
                    ProofSource::Subtree(proved) => {
                        let Some(proof) = self.proof(*proved) else {
                            return;
                        };
                        self.mapped(&proof, self.symmetry_between(*proved, node))
                    }
                };
                self.win_proofs.insert(node, proof);
                self.tree.solve(node, NodeResult::Proved);
                self.propagate(node);
            }
            PositionResult::Draws(_) => {
                self.tree.solve(node, NodeResult::Refuted);
                self.propagate(node);
            }
            PositionResult::Open(preferred) => {
                let cells = self.moves(node, preferred);
                for child in self.tree.expand(node, &cells) {
                    self.register(child);
                }
                self.guide_replies(node);
            }
        }
    }

    /// Returns the symmetry that maps the position of one node to the equal one of another.
    fn symmetry_between(&self, from: usize, to: usize) -> usize {
        let [from, to] = [from, to].map(|node| self.canonical[&node].symmetry);
        self.symmetries.compose(from, self.symmetries.inverse(to))
    }

    /// Returns the image of a proof under a symmetry.
    fn mapped(&self, proof: &LeafProof, symmetry: usize) -> LeafProof {
        if symmetry == self.symmetries.identity() {
            return proof.clone();
        }
        let mut mapper = ProofMapper::new(self.symmetries.images(symmetry));
        match proof {
            LeafProof::ToMove(proof) => LeafProof::ToMove(mapper.proof(proof)),
            LeafProof::Waiting(replies) => LeafProof::Waiting(mapper.replies(replies)),
        }
    }

    fn state(&self, position: &GridPosition<B>) -> State {
        State::from_position(&self.lines, &self.grid, position)
    }

    /// Returns the empty cells, one of each orbit under the symmetries of the position, best first:
    /// the move that won in a similar position, then those that the engine prefers in the canonical
    /// position, then by the lines through the cell.
    fn moves(&self, node: usize, preferred: &[u16]) -> Vec<u16> {
        let position = self.position(node);
        let stabiliser = self.symmetries.stabiliser(&self.grid, &position);
        let least_of_orbit = |cell: u16| self.symmetries.least_of_orbit(&stabiliser, cell);
        let mut cells: Vec<u16> = self
            .empty(&position)
            .into_iter()
            .map(|cell| cell as u16)
            .filter(|&cell| least_of_orbit(cell) == cell)
            .collect();
        let (state, mover) = (self.state(&position), self.grid.turn(&position));
        let guide = self.guides.get(&node).and_then(|proof| proof.first());
        let first = guide.map(least_of_orbit);
        let symmetry = self.canonical[&node].symmetry;
        let preferred = preferred
            .iter()
            .map(|&cell| least_of_orbit(self.symmetries.preimage(symmetry, cell)));
        let preferred: Vec<u16> = preferred.collect();
        cells.sort_by_cached_key(|&cell| {
            let rank = preferred.iter().position(|&other| other == cell);
            let score = score_cell(&state, mover, cell);
            (
                Some(cell) != first,
                rank.unwrap_or(usize::MAX),
                std::cmp::Reverse(score),
            )
        });
        cells
    }

    fn empty(&self, position: &GridPosition<B>) -> Vec<usize> {
        (0..self.grid.cells())
            .filter(|&cell| self.grid.piece(position, cell).is_none())
            .collect()
    }
}

impl From<LeafResult> for PositionResult {
    fn from(result: LeafResult) -> Self {
        match result {
            LeafResult::Wins(proof) => Self::Wins(ProofSource::Job(proof)),
            LeafResult::Draws(proof) => Self::Draws(ProofSource::Job(proof)),
            LeafResult::Open(moves) => Self::Open(moves),
        }
    }
}

impl<B: Bits> JobLevelSearch for JobLevelTree<B> {
    fn next_job(&mut self) -> Option<String> {
        let node = self.tree.select()?;
        let job = self.canonical[&node].text.clone();
        // The job covers equal positions elsewhere in the tree.
        for node in self.by_position.get(&job).into_iter().flatten() {
            self.tree.mark_busy(*node);
        }
        self.in_flight.insert(job.clone());
        Some(job)
    }

    fn add_result(&mut self, job: &str, result: &[u8]) -> Result<(), LeafError> {
        let symmetries = self.lines.symmetries().len();
        let result = leaf::read(result, self.grid.cells(), symmetries)?;
        self.in_flight.remove(job);
        self.add(job, &result.into());
        Ok(())
    }

    fn take_solved_jobs(&mut self) -> Vec<String> {
        let Self {
            in_flight,
            by_position,
            tree,
            ..
        } = self;
        let is_solved = |job: &String| {
            let mut nodes = by_position.get(job).into_iter().flatten();
            nodes.all(|node| tree.is_solved_above(*node))
        };
        in_flight.extract_if(is_solved).collect()
    }

    fn verdict(&self) -> Option<bool> {
        self.tree.verdict()
    }

    fn certificate(&self) -> Option<Vec<u8>> {
        let mut claims = Vec::new();
        if self.verdict()? {
            claims.push(ClaimProof::WinsToMove(self.attacker, self.win(0)?));
        } else {
            if self.root.plies() == 0 {
                claims.push(ClaimProof::MovesFirst(self.attacker));
            }
            let proof = refutation::refutation(self)?;
            claims.push(ClaimProof::Draws(self.attacker.other(), proof));
        }
        Some(write_claims(&self.grid, &self.root, &claims))
    }

    fn size(&self) -> TreeSize {
        TreeSize {
            simulated: self.simulated,
            ..self.tree.size()
        }
    }

    fn root_job(&self) -> String {
        let text = self.grid.format_position(&self.root);
        self.canonical
            .get(&0)
            .map_or(text, |root| root.text.clone())
    }

    fn root_result(&self) -> Option<Vec<u8>> {
        if self.verdict() != Some(true) {
            return None;
        }
        // Results are those of canonical positions.
        let symmetry = self.canonical.get(&0)?.symmetry;
        let proof = self.mapped(&LeafProof::ToMove(self.win(0)?), symmetry);
        Some(leaf::write_win(&proof))
    }

    fn learn(&mut self, proved: &[(String, Vec<u8>)]) -> Result<(), LeafError> {
        self.learn_from(proved)
    }
}
