//! Job-level proof-number search: a proof-number tree whose leaves are searched as separate jobs.
//!
//! The query is whether one player, the attacker, wins at k in a row. The tree is kept here; a leaf
//! is a job of some seconds for any worker, which proves it, refutes it or leaves it open. An open
//! leaf is expanded. Leaves in flight carry a virtual loss, so that workers propagate over the tree.
//!
//! A proof against one reply refutes all replies outside its relevance zone; those become solved
//! without a job, and their subtrees are dropped.
//!
//! The tree is a function of the results, in the order of their arrival: replaying the results
//! restores it. A job is identified by its position, so equal positions share a job.
//!
//! Reference: I-Chen Wu, Hung-Hsuan Lin, Ping-Hung Lin, Der-Johng Sun, Yi-Chih Chan and Bo-Ting
//! Chen, *Job-Level Proof-Number Search for Connect6*, 2010; extended in IEEE Transactions on
//! Computational Intelligence and AI in Games 5(1), 2013.

mod draw_bytes;
mod leaf;
mod proof_number_tree;
mod refutation;
mod varint;
mod win_bytes;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use papan_mnk::{
    CellSet, DrawProof, Lines, ReplyBranch, ReplyProofs, State, WinProof, covered_replies,
    score_cell,
};
use papan_rules::{Bits, Game as _, Grid, GridPosition, Move, Notation as _, Player};

use crate::{ClaimProof, write_claims};
pub use leaf::{LeafError, check_leaf, solve_leaf};
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
}

/// Job-level search on one grid.
pub struct JobLevelTree<B: Bits> {
    grid: Arc<Grid<B>>,
    root: GridPosition<B>,
    attacker: Player,
    tree: ProofNumberTree,
    /// The nodes of each position, by its text.
    by_position: HashMap<String, Vec<usize>>,
    /// Jobs without a result.
    in_flight: HashSet<String>,
    /// All results, by position.
    results: HashMap<String, LeafResult>,
    /// Win proofs of leaves.
    win_proofs: HashMap<usize, LeafProof>,
    /// Draw proofs of leaves.
    draw_proofs: HashMap<usize, Arc<DrawProof>>,
    /// Refuted replies, for nodes with the defender to move.
    refuted_replies: HashMap<usize, Vec<ReplyBranch>>,
    lines: Arc<Lines>,
}

/// The result of a leaf job.
#[derive(Clone, Debug)]
pub(crate) enum LeafResult {
    /// The attacker wins.
    Wins(LeafProof),
    /// The defender at least draws.
    Draws(Arc<DrawProof>),
    /// Not decided.
    Open,
}

impl<B: Bits> JobLevelTree<B> {
    /// Creates a search for a win of the player to move.
    #[must_use]
    pub fn new(grid: &Arc<Grid<B>>, root: &GridPosition<B>) -> Self {
        let attacker = grid.turn(root);
        let mut search = Self {
            grid: Arc::clone(grid),
            root: *root,
            attacker,
            tree: ProofNumberTree::new(),
            by_position: HashMap::new(),
            in_flight: HashSet::new(),
            results: HashMap::new(),
            win_proofs: HashMap::new(),
            draw_proofs: HashMap::new(),
            refuted_replies: HashMap::new(),
            lines: Arc::new(Lines::new(grid)),
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
        let text = self.grid.format_position(&position);
        let nodes = self.by_position.entry(text.clone()).or_default();
        nodes.push(node);
        if let Some(result) = self.results.get(&text).cloned() {
            self.apply(node, &result);
        }
    }

    /// Applies a result to a node.
    fn apply(&mut self, node: usize, result: &LeafResult) {
        if self.tree.is_solved(node) {
            return;
        }
        match result {
            LeafResult::Wins(proof) => {
                self.win_proofs.insert(node, proof.clone());
                self.tree.solve(node, NodeResult::Proved);
                self.propagate(node);
            }
            LeafResult::Draws(proof) => {
                self.draw_proofs.insert(node, Arc::clone(proof));
                self.tree.solve(node, NodeResult::Refuted);
            }
            LeafResult::Open => {
                let cells = self.replies(&self.position(node));
                for child in self.tree.expand(node, &cells) {
                    self.register(child);
                }
            }
        }
    }

    /// Propagates a proof from a node towards the root.
    fn propagate(&mut self, node: usize) {
        let mut at = node;
        while self.tree.is_proved(at)
            && let Some(parent) = self.tree.parent(at)
        {
            if self.tree.attacks(at) {
                self.cover(parent, at);
            }
            at = parent;
        }
    }

    /// Marks all replies that the proof against `reply` refutes.
    fn cover(&mut self, node: usize, reply: usize) {
        let cell = self.tree.cell(reply);
        let mut branches = self.refuted_replies.get(&node).into_iter().flatten();
        if branches.any(|branch| branch.cells.contains(usize::from(cell))) {
            return;
        }
        let Some(proof) = self.win(reply) else {
            return;
        };
        let mut others = self.tree.children(node).to_vec();
        others.retain(|&other| !self.tree.is_solved(other));
        let single = |&node: &usize| CellSet::single(usize::from(self.tree.cell(node)));
        let open = others
            .iter()
            .map(single)
            .fold(CellSet::EMPTY, |all, cell| all | cell);
        let mut state = self.state(&self.position(node));
        let cells = covered_replies(&mut state, self.attacker, &proof, cell, open);
        for other in others {
            if cells.contains(usize::from(self.tree.cell(other))) {
                self.tree.solve(other, NodeResult::Proved);
            }
        }
        self.refuted_replies
            .entry(node)
            .or_default()
            .push(ReplyBranch {
                cells,
                at_once: false,
                proof,
            });
    }

    fn state(&self, position: &GridPosition<B>) -> State {
        State::from_position(&self.lines, &self.grid, position)
    }

    /// Returns the empty cells, one of each orbit under the symmetries of the position, best first.
    fn replies(&self, position: &GridPosition<B>) -> Vec<u16> {
        let stabiliser = self.stabiliser(position);
        let is_least_of_orbit = |&cell: &usize| {
            let mut symmetries = stabiliser.iter().map(|&at| &self.lines.symmetries()[at]);
            symmetries.all(|images| usize::from(images[cell]) >= cell)
        };
        let mut cells: Vec<u16> = self
            .empty(position)
            .into_iter()
            .filter(is_least_of_orbit)
            .map(|cell| cell as u16)
            .collect();
        let (state, mover) = (self.state(position), self.grid.turn(position));
        cells.sort_by_key(|&cell| std::cmp::Reverse(score_cell(&state, mover, cell)));
        cells
    }

    fn empty(&self, position: &GridPosition<B>) -> Vec<usize> {
        (0..self.grid.cells())
            .filter(|&cell| self.grid.piece(position, cell).is_none())
            .collect()
    }

    /// Returns the symmetries of a position, by their indices.
    fn stabiliser(&self, position: &GridPosition<B>) -> Vec<usize> {
        let piece = |cell: usize| self.grid.piece(position, cell);
        let symmetries = self.lines.symmetries();
        let fixes = |&at: &usize| {
            let mut cells = 0..self.grid.cells();
            cells.all(|cell| piece(cell) == piece(usize::from(symmetries[at][cell])))
        };
        (0..symmetries.len()).filter(fixes).collect()
    }

    /// Returns the proof of a proved node with the attacker to move.
    fn win(&self, node: usize) -> Option<Arc<WinProof>> {
        if let Some(LeafProof::ToMove(proof)) = self.win_proofs.get(&node) {
            return Some(Arc::clone(proof));
        }
        let mut children = self.tree.children(node).iter();
        let child = *children.find(|child| self.tree.is_proved(**child))?;
        let cell = self.tree.cell(child);
        if self.grid.outcome(&self.position(child)).is_some() {
            let (cells, then) = (vec![cell], None);
            return Some(Arc::new(WinProof::Fours { cells, then }));
        }
        let replies = self.reply_proofs(child);
        Some(Arc::new(WinProof::Move { cell, replies }))
    }

    /// Returns the proof of a proved node with the defender to move.
    fn reply_proofs(&self, node: usize) -> ReplyProofs {
        if let Some(LeafProof::Waiting(replies)) = self.win_proofs.get(&node) {
            return replies.clone();
        }
        let branches = self.refuted_replies.get(&node).cloned().unwrap_or_default();
        let mut replies = ReplyProofs {
            rest: None,
            symmetric: false,
            branches,
        };
        let empty = self.empty(&self.position(node)).len();
        replies.symmetric = (replies.named_cells().count() as usize) < empty;
        replies
    }
}

impl<B: Bits> JobLevelSearch for JobLevelTree<B> {
    fn next_job(&mut self) -> Option<String> {
        let node = self.tree.select()?;
        let position = self.grid.format_position(&self.position(node));
        // The job covers equal positions elsewhere in the tree.
        for node in self.by_position.get(&position).into_iter().flatten() {
            self.tree.mark_busy(*node);
        }
        self.in_flight.insert(position.clone());
        Some(position)
    }

    fn add_result(&mut self, job: &str, result: &[u8]) -> Result<(), LeafError> {
        if self.results.contains_key(job) {
            return Ok(());
        }
        let symmetries = self.lines.symmetries().len();
        let result = leaf::read(result, self.grid.cells(), symmetries)?;
        self.in_flight.remove(job);
        self.results.insert(job.into(), result.clone());
        for node in self.by_position.get(job).cloned().unwrap_or_default() {
            self.apply(node, &result);
        }
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
        self.tree.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_claims;
    use papan_strategies::StopToken;

    fn grid((sides, length): (&[usize], usize)) -> Grid<u64> {
        Grid::new(sides, length).unwrap()
    }

    /// Solves with leaf jobs so short that the tree has to grow. Results come back in reverse
    /// order, several at a time.
    fn solve(
        (game, length): (&[usize], usize),
        rounds: u32,
        at_once: usize,
    ) -> (Option<bool>, Option<Vec<u8>>, usize) {
        let grid = Arc::new(grid((game, length)));
        let root = grid.start();
        let mut search = JobLevelTree::new(&grid, &root);
        let mut results: Vec<(String, Vec<u8>)> = Vec::new();
        while search.verdict().is_none() {
            let mut jobs = Vec::new();
            while jobs.len() < at_once
                && let Some(job) = search.next_job()
            {
                jobs.push(job);
            }
            assert!(!jobs.is_empty(), "open, but no job");
            while let Some(job) = jobs.pop() {
                let result =
                    solve_leaf(&grid, &job, grid.turn(&root), rounds, &StopToken::default())
                        .unwrap();
                check_leaf(&grid, &job, grid.turn(&root), &result).unwrap();
                search.add_result(&job, &result).unwrap();
                results.push((job, result));
            }
        }
        // Replaying the results restores the tree.
        let mut again = JobLevelTree::new(&grid, &root);
        for (job, result) in &results {
            again.add_result(job, result).unwrap();
        }
        assert_eq!(again.verdict(), search.verdict());
        assert_eq!(again.certificate(), search.certificate());
        (search.verdict(), search.certificate(), results.len())
    }

    #[test]
    fn a_win_is_proved_and_its_certificate_holds() {
        for (game, at_once) in [
            ((&[3, 4][..], 3), 1),
            ((&[4, 4][..], 3), 3),
            ((&[5, 6][..], 4), 4),
        ] {
            let (verdict, certificate, _) = solve(game, 1, at_once);
            assert_eq!(verdict, Some(true), "{game:?}");
            check_claims(&grid(game), &certificate.unwrap()).unwrap();
        }
    }

    #[test]
    fn a_proof_against_one_reply_refutes_those_outside_its_zone() {
        let grid = Arc::new(grid((&[4, 4], 3)));
        let mut search = JobLevelTree::new(&grid, &grid.start());
        while search.verdict().is_none() {
            let job = search.next_job().expect("an open leaf");
            let result = solve_leaf(&grid, &job, Player::First, 0, &StopToken::default()).unwrap();
            search.add_result(&job, &result).unwrap();
        }
        let branches = || search.refuted_replies.values().flatten();
        assert!(branches().any(|branch| branch.cells.count() > 1));
        for (node, branches) in &search.refuted_replies {
            let cells: u32 = branches.iter().map(|branch| branch.cells.count()).sum();
            assert!(
                cells as usize <= search.tree.children(*node).len(),
                "each reply is covered once"
            );
        }
    }

    #[test]
    fn a_draw_is_proved_and_its_certificate_holds_for_any_split_of_the_work() {
        // With 0 rounds the leaves find nothing and the tree does all the work.
        for (game, rounds) in [
            ((&[3, 3][..], 3), 0),
            ((&[3, 3][..], 3), 1),
            ((&[4, 4][..], 4), 1),
            ((&[5, 5][..], 4), 4),
        ] {
            let (verdict, certificate, jobs) = solve(game, rounds, 2);
            assert_eq!(verdict, Some(false), "{game:?}");
            assert!(jobs > 0);
            let file = check_claims(&grid(game), &certificate.unwrap()).unwrap();
            assert_eq!(file.value(), Some(0), "{file:?}");
        }
    }

    #[test]
    fn promising_moves_first_need_fewer_jobs() {
        // 340 with all moves of a node at once.
        let (verdict, _, jobs) = solve((&[4, 4], 3), 0, 8);
        assert_eq!(verdict, Some(true));
        assert!(jobs <= 200, "{jobs} jobs");
    }
}
