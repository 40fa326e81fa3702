//! A proof that is too big for one search: job-level proof-number search.
//!
//! The question is whether a player, the attacker, wins at k in a row. The upper part
//! of the tree is kept here; a leaf is a job of some seconds for whoever has time,
//! which proves it, refutes it, or leaves it open, and then its replies are leaves in
//! its place. Leaves that somebody works on count as a loss meanwhile, so that not all
//! run to the same place.
//!
//! A proof against one reply answers all others outside its zone: what it settles there
//! is no job any more, and what was found below is forgotten.
//!
//! The tree is a function of what came of the jobs: whoever has those has the tree
//! again. In another order other proofs may answer the same replies. A job is known by
//! its position, and equal positions are one job.

mod draw_bytes;
mod leaf;
mod proof_number_tree;
mod refutation;
mod varint;
mod win_bytes;

use std::collections::HashMap;
use std::sync::Arc;

use papan_mnk::{
    CellSet, DrawProof, Lines, ReplyBranch, ReplyProofs, State, WinProof, covered_replies,
    score_cell,
};
use papan_rules::{Bits, Game as _, Grid, GridPosition, Move, Notation as _, Player};

use crate::{ClaimProof, write_claims};
pub use leaf::{LeafError, solve_leaf};
pub use proof_number_tree::TreeSize;
use proof_number_tree::{Fate, Tree};
use win_bytes::LeafProof;

/// A search whose leaves others work on.
pub trait JobLevelSearch: Send {
    /// The next job: a position, as text. Nothing when everything that is worth
    /// anything is being worked on, or the question is answered.
    fn next_job(&mut self) -> Option<String>;
    /// Takes what came of a job; of one that nobody asked for, nothing.
    ///
    /// # Errors
    /// When it is no answer.
    fn add_result(&mut self, job: &str, answer: &[u8]) -> Result<(), LeafError>;
    /// Whether the attacker wins, once that is known.
    fn verdict(&self) -> Option<bool>;
    /// The certificate of a win, or that the other at least draws: on the empty board,
    /// where whoever moves first does too, that of a draw.
    fn certificate(&self) -> Option<Vec<u8>>;
    /// The size of the tree.
    fn size(&self) -> TreeSize;
}

/// The search on one grid.
pub struct JobLevelTree<B: Bits> {
    grid: Arc<Grid<B>>,
    root: GridPosition<B>,
    attacker: Player,
    tree: Tree,
    /// The nodes that have a position, by its text.
    by_position: HashMap<String, Vec<usize>>,
    /// What came of jobs whose nodes may come later.
    answers: HashMap<String, LeafAnswer>,
    proofs: HashMap<usize, LeafProof>,
    holds: HashMap<usize, Arc<DrawProof>>,
    /// For nodes at which the other is to move: the replies that are answered.
    answered: HashMap<usize, Vec<ReplyBranch>>,
    lines: Arc<Lines>,
}

/// What came of a job.
#[derive(Clone, Debug)]
pub(crate) enum LeafAnswer {
    /// The attacker wins.
    Wins(LeafProof),
    /// The other at least draws.
    Holds(Arc<DrawProof>),
    /// Nobody knows.
    Open,
}

impl<B: Bits> JobLevelTree<B> {
    /// Whether the player to move wins.
    #[must_use]
    pub fn new(grid: &Arc<Grid<B>>, root: &GridPosition<B>) -> Self {
        let attacker = grid.turn(root);
        let mut upper = Self {
            grid: Arc::clone(grid),
            root: *root,
            attacker,
            tree: Tree::new(),
            by_position: HashMap::new(),
            answers: HashMap::new(),
            proofs: HashMap::new(),
            holds: HashMap::new(),
            answered: HashMap::new(),
            lines: Arc::new(Lines::new(grid)),
        };
        upper.place(0);
        upper
    }

    fn position(&self, node: usize) -> GridPosition<B> {
        let mut position = self.root;
        for cell in self.tree.path(node) {
            self.grid
                .play_unchecked(&mut position, Move::on(usize::from(cell)));
        }
        position
    }

    /// Puts a new node where it belongs, and tells it what is known already.
    fn place(&mut self, node: usize) {
        if self.tree.is_settled(node) {
            return;
        }
        let position = self.position(node);
        if let Some(outcome) = self.grid.outcome(&position) {
            let won = outcome.winner() == Some(self.attacker);
            let verdict = if won { Fate::Proved } else { Fate::Refuted };
            self.tree.settle(node, verdict);
            self.spread(node);
            return;
        }
        let text = self.grid.format_position(&position);
        let nodes = self.by_position.entry(text.clone()).or_default();
        nodes.push(node);
        if let Some(answer) = self.answers.get(&text).cloned() {
            self.tell(node, &answer);
        }
    }

    fn tell(&mut self, node: usize, answer: &LeafAnswer) {
        if self.tree.is_settled(node) {
            return;
        }
        match answer {
            LeafAnswer::Wins(proof) => {
                self.proofs.insert(node, proof.clone());
                self.tree.settle(node, Fate::Proved);
                self.spread(node);
            }
            LeafAnswer::Holds(hold) => {
                self.holds.insert(node, Arc::clone(hold));
                self.tree.settle(node, Fate::Refuted);
            }
            LeafAnswer::Open => {
                let cells = self.replies(&self.position(node));
                for child in self.tree.open(node, &cells) {
                    self.place(child);
                }
            }
        }
    }

    /// Goes up from a node that is proved, as far as that proves others.
    fn spread(&mut self, node: usize) {
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

    /// A proof against one reply settles all replies that it answers.
    fn cover(&mut self, node: usize, reply: usize) {
        let cell = self.tree.cell(reply);
        let mut branches = self.answered.get(&node).into_iter().flatten();
        if branches.any(|branch| branch.cells.contains(usize::from(cell))) {
            return;
        }
        let Some(proof) = self.win(reply) else {
            return;
        };
        let mut others = self.tree.children(node).to_vec();
        others.retain(|&other| !self.tree.is_settled(other));
        let single = |&node: &usize| CellSet::single(usize::from(self.tree.cell(node)));
        let open = others.iter().map(single);
        let open = open.fold(CellSet::EMPTY, |all, cell| all | cell);
        let mut state = self.state(&self.position(node));
        let cells = covered_replies(&mut state, self.attacker, &proof, cell, open);
        for other in others {
            if cells.contains(usize::from(self.tree.cell(other))) {
                self.tree.settle(other, Fate::Proved);
            }
        }
        self.answered.entry(node).or_default().push(ReplyBranch {
            cells,
            at_once: false,
            proof,
        });
    }

    fn state(&self, position: &GridPosition<B>) -> State {
        State::from_position(&self.lines, &self.grid, position)
    }

    /// The empty cells, one of each set that the symmetries of the position exchange, the most
    /// promising first.
    fn replies(&self, position: &GridPosition<B>) -> Vec<u16> {
        let same = self.same(position);
        let first = self.empty(position).into_iter().filter(|&cell| {
            let images = same.iter().map(|&at| &self.lines.symmetries()[at]);
            let mut images = images.map(|images| usize::from(images[cell]));
            images.all(|image| image >= cell)
        });
        let mut cells: Vec<u16> = first.map(|cell| cell as u16).collect();
        let (state, mover) = (self.state(position), self.grid.turn(position));
        cells.sort_by_key(|&cell| std::cmp::Reverse(score_cell(&state, mover, cell)));
        cells
    }

    fn empty(&self, position: &GridPosition<B>) -> Vec<usize> {
        let empty =
            (0..self.grid.cells()).filter(|&cell| self.grid.piece(position, cell).is_none());
        empty.collect()
    }

    /// The symmetries that lead a position to itself.
    fn same(&self, position: &GridPosition<B>) -> Vec<usize> {
        let piece = |cell: usize| self.grid.piece(position, cell);
        let symmetries = self.lines.symmetries().iter().enumerate();
        let same = symmetries.filter(|(_, images)| {
            let mut cells = 0..self.grid.cells();
            cells.all(|cell| piece(cell) == piece(usize::from(images[cell])))
        });
        same.map(|(at, _)| at).collect()
    }

    /// The proof of a node at which the attacker is to move.
    fn win(&self, node: usize) -> Option<Arc<WinProof>> {
        if let Some(LeafProof::ToMove(proof)) = self.proofs.get(&node) {
            return Some(Arc::clone(proof));
        }
        let mut children = self.tree.children(node).iter();
        let child = *children.find(|child| self.tree.is_proved(**child))?;
        let cell = self.tree.cell(child);
        if self.grid.outcome(&self.position(child)).is_some() {
            let (cells, then) = (vec![cell], None);
            return Some(Arc::new(WinProof::Fours { cells, then }));
        }
        let answers = self.answers_to(child)?;
        Some(Arc::new(WinProof::Move { cell, answers }))
    }

    /// The proof of a node at which the other is to move.
    fn answers_to(&self, node: usize) -> Option<ReplyProofs> {
        if let Some(LeafProof::Waiting(answers)) = self.proofs.get(&node) {
            return Some(answers.clone());
        }
        let branches = self.answered.get(&node).cloned().unwrap_or_default();
        let mut answers = ReplyProofs {
            rest: None,
            symmetric: false,
            branches,
        };
        let empty = self.empty(&self.position(node)).len();
        answers.symmetric = (answers.named().count() as usize) < empty;
        Some(answers)
    }
}

impl<B: Bits> JobLevelSearch for JobLevelTree<B> {
    fn next_job(&mut self) -> Option<String> {
        let node = self.tree.select()?;
        let position = self.grid.format_position(&self.position(node));
        // The same position elsewhere in the tree is being worked on too.
        for node in self.by_position.get(&position).into_iter().flatten() {
            self.tree.begin(*node);
        }
        Some(position)
    }

    fn add_result(&mut self, job: &str, answer: &[u8]) -> Result<(), LeafError> {
        if self.answers.contains_key(job) {
            return Ok(());
        }
        let symmetries = self.lines.symmetries().len();
        let answer = leaf::read(answer, self.grid.cells(), symmetries)?;
        self.answers.insert(job.into(), answer.clone());
        for node in self.by_position.get(job).cloned().unwrap_or_default() {
            self.tell(node, &answer);
        }
        Ok(())
    }

    fn verdict(&self) -> Option<bool> {
        self.tree.verdict()
    }

    fn certificate(&self) -> Option<Vec<u8>> {
        let mut reasons = Vec::new();
        if self.verdict()? {
            reasons.push(ClaimProof::WinsToMove(self.attacker, self.win(0)?));
        } else {
            if self.root.plies() == 0 {
                reasons.push(ClaimProof::MovesFirst(self.attacker));
            }
            let hold = refutation::refutation(self)?;
            reasons.push(ClaimProof::Draws(self.attacker.other(), hold));
        }
        Some(write_claims(&self.grid, &self.root, &reasons))
    }

    fn size(&self) -> TreeSize {
        self.tree.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_claims;

    fn grid((sides, length): (&[usize], usize)) -> Grid<u64> {
        Grid::new(sides, length).unwrap()
    }

    /// Solves with leaves of so little effort that the tree has to grow; jobs come
    /// back in the opposite order, several at a time.
    fn solve(
        (game, length): (&[usize], usize),
        rounds: u32,
        at_once: usize,
    ) -> (Option<bool>, Option<Vec<u8>>, usize) {
        let grid = Arc::new(grid((game, length)));
        let root = grid.start();
        let mut upper = JobLevelTree::new(&grid, &root);
        let mut done: Vec<(String, Vec<u8>)> = Vec::new();
        while upper.verdict().is_none() {
            let mut jobs = Vec::new();
            while jobs.len() < at_once
                && let Some(job) = upper.next_job()
            {
                jobs.push(job);
            }
            assert!(!jobs.is_empty(), "open, and nothing to do");
            while let Some(job) = jobs.pop() {
                let answer = solve_leaf(&grid, &job, grid.turn(&root), rounds).unwrap();
                upper.add_result(&job, &answer).unwrap();
                done.push((job, answer));
            }
        }
        // Whoever has the answers has the tree again.
        let mut again = JobLevelTree::new(&grid, &root);
        for (job, answer) in &done {
            again.add_result(job, answer).unwrap();
        }
        assert_eq!(again.verdict(), upper.verdict());
        assert_eq!(again.certificate(), upper.certificate());
        (upper.verdict(), upper.certificate(), done.len())
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
    fn a_proof_against_one_reply_answers_those_outside_its_zone() {
        let grid = Arc::new(grid((&[4, 4], 3)));
        let mut upper = JobLevelTree::new(&grid, &grid.start());
        while upper.verdict().is_none() {
            let job = upper.next_job().expect("there is something to do");
            let answer = solve_leaf(&grid, &job, Player::First, 0).unwrap();
            upper.add_result(&job, &answer).unwrap();
        }
        let branches = || upper.answered.values().flatten();
        assert!(branches().any(|branch| branch.cells.count() > 1));
        for (node, branches) in &upper.answered {
            let cells: u32 = branches.iter().map(|branch| branch.cells.count()).sum();
            assert!(cells as usize <= upper.tree.children(*node).len(), "once");
        }
    }

    #[test]
    fn a_draw_is_no_win_and_its_certificate_holds_whoever_did_how_much_of_it() {
        // With leaves that find nothing, all is in the upper tree; on 3x3 that is little.
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
}
