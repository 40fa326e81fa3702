//! Reuse of results in the tree: equal positions, relevance zones and simulated proofs.

use std::sync::Arc;

use papan_mnk::{CellSet, ProofMapper, ReplyBranch, ReplyProofs, WinProof, covered_replies};
use papan_rules::{Bits, Game as _, GameInfo as _, GridPosition, Player};

use super::leaf::{self, LeafError};
use super::win_bytes::LeafProof;
use super::{JobLevelTree, LeafResult, NodeResult, PositionResult, ProofSource};

/// Maximum number of nodes of a proof that one simulation visits.
const SIMULATION_NODES: u64 = 10_000;
/// The same for the proof of another query at the root.
const LEARNING_NODES: u64 = 300_000;
/// Maximum number of proofs of other queries that are simulated, counting images under symmetries.
const MAX_LEARNED: usize = 24;

impl<B: Bits> JobLevelTree<B> {
    /// Adds the result of a canonical position to all its nodes. The first decision counts.
    pub(super) fn add(&mut self, text: &str, result: &PositionResult) {
        let known = self.results.get(text);
        if self.is_decided(text) || known.is_some() && matches!(result, PositionResult::Open(_)) {
            return;
        }
        self.results.insert(text.into(), result.clone());
        for node in self.by_position.get(text).cloned().unwrap_or_default() {
            self.apply(node, result);
        }
    }

    fn is_decided(&self, text: &str) -> bool {
        let result = self.results.get(text);
        result.is_some_and(|result| !matches!(result, PositionResult::Open(_)))
    }

    /// Propagates the result of a solved node towards the root, and to all positions that it
    /// decides. Results found meanwhile wait for their turn, the deepest first: the proof of a node is
    /// complete once everything below it is propagated, and it is copied to equal positions then.
    pub(super) fn propagate(&mut self, node: usize) {
        self.unpropagated.push((self.tree.depth(node), node));
        if self.is_propagating {
            return;
        }
        self.is_propagating = true;
        while let Some((depth, at)) = self.unpropagated.pop() {
            self.share(at);
            let Some(parent) = self.tree.parent(at) else {
                continue;
            };
            if self.tree.is_proved(at) && self.tree.attacks(at) {
                self.cover(parent, at);
            }
            if self.tree.is_solved(parent) {
                self.unpropagated.push((depth - 1, parent));
            }
        }
        self.is_propagating = false;
    }

    /// Gives the result of a solved node to equal positions.
    fn share(&mut self, node: usize) {
        let Some(canonical) = self.canonical.get(&node) else {
            return;
        };
        if self.is_decided(&canonical.text) {
            return;
        }
        let text = canonical.text.clone();
        let result = if self.tree.is_proved(node) {
            PositionResult::Wins(ProofSource::Subtree(node))
        } else {
            PositionResult::Draws(ProofSource::Subtree(node))
        };
        self.add(&text, &result);
    }

    /// Refutes the replies outside the relevance zone of the proof against `reply`, and simulates
    /// the proof against the others.
    fn cover(&mut self, node: usize, reply: usize) {
        let Some(proof) = self.cover_by_zone(node, reply) else {
            return;
        };
        for other in self.tree.children(node).to_vec() {
            self.guide(other, &proof);
            if self.tree.is_proved(other) {
                self.cover_by_zone(node, other);
            }
        }
    }

    /// Refutes the replies outside the relevance zone of the proof against `reply` and returns that
    /// proof, unless another one refutes `reply` already.
    fn cover_by_zone(&mut self, node: usize, reply: usize) -> Option<Arc<WinProof>> {
        let cell = self.tree.cell(reply);
        let mut branches = self.refuted_replies.get(&node).into_iter().flatten();
        if branches.any(|branch| branch.cells.contains(usize::from(cell))) {
            return None;
        }
        let proof = self.win(reply)?;
        let mut others = self.tree.children(node).to_vec();
        others.retain(|&other| !self.tree.is_solved(other));
        let single = |&node: &usize| CellSet::single(usize::from(self.tree.cell(node)));
        let open = others
            .iter()
            .map(single)
            .fold(CellSet::EMPTY, |all, cell| all | cell);
        let mut state = self.state(&self.position(node));
        let cells = covered_replies(&mut state, self.attacker, &proof, cell, open);
        self.refuted_replies
            .entry(node)
            .or_default()
            .push(ReplyBranch {
                cells,
                at_once: false,
                proof: Arc::clone(&proof),
            });
        for other in others {
            if cells.contains(usize::from(self.tree.cell(other))) {
                self.prove(other, &proof);
            }
        }
        Some(proof)
    }

    /// Sets the proof of a node with the attacker to move.
    fn prove(&mut self, node: usize, proof: &Arc<WinProof>) {
        let proof = LeafProof::ToMove(Arc::clone(proof));
        self.win_proofs.insert(node, proof);
        self.tree.solve(node, NodeResult::Proved);
        self.propagate(node);
    }

    /// Simulates the proof of a similar position at a node with the attacker to move. If it does
    /// not win there, its moves are tried first below the node.
    fn guide(&mut self, node: usize, proof: &Arc<WinProof>) {
        if self.tree.is_solved_above(node) {
            return;
        }
        let mut state = self.state(&self.position(node));
        let simulated = self
            .simulation
            .simulate(&mut state, proof, SIMULATION_NODES);
        if let Some(simulated) = simulated {
            self.simulated += 1;
            self.prove(node, &simulated);
            return;
        }
        self.guides.insert(node, Arc::clone(proof));
        let child = proof
            .first()
            .and_then(|cell| self.tree.move_to_front(node, cell));
        if let Some(child) = child {
            self.guide_replies(child);
        }
    }

    /// Simulates the proof that guides the parent of an expanded node with the defender to move
    /// against each of its replies.
    pub(super) fn guide_replies(&mut self, node: usize) {
        let Some(parent) = self.tree.parent(node) else {
            return;
        };
        let Some(guide) = self.guides.get(&parent).cloned() else {
            return;
        };
        if guide.first() != Some(self.tree.cell(node)) {
            return;
        }
        let mut state = self.state(&self.position(parent));
        for reply in self.tree.children(node).to_vec() {
            let cell = self.tree.cell(reply);
            if let Some(proof) = guide.after(&mut state, self.attacker, cell) {
                self.guide(reply, &proof);
            }
        }
    }

    /// Simulates the proofs of other queries at the root.
    pub(super) fn learn_from(&mut self, proved: &[(String, Vec<u8>)]) -> Result<(), LeafError> {
        let root = self.position(0);
        let stones = |position: &GridPosition<B>, player: Player| -> Vec<usize> {
            let cells = 0..self.grid.cells();
            let holds = |&cell: &usize| self.grid.piece(position, cell) == Some(player);
            cells.filter(holds).collect()
        };
        let defender = self.attacker.other();
        let [own, others] = [self.attacker, defender].map(|player| stones(&root, player));
        let mut images: Vec<(usize, usize, Arc<WinProof>)> = Vec::new();
        for (job, result) in proved {
            let position = leaf::parse(&self.grid, job)?;
            let found = leaf::read(result, self.grid.cells(), self.symmetries.len())?;
            let LeafResult::Wins(LeafProof::ToMove(proof)) = found else {
                continue;
            };
            let [mine, theirs] = [self.attacker, defender].map(|player| stones(&position, player));
            for symmetry in 0..self.symmetries.len() {
                let image = |&cell: &usize| usize::from(self.symmetries.images(symmetry)[cell]);
                let mut mine: Vec<usize> = mine.iter().map(image).collect();
                mine.sort_unstable();
                if mine == own {
                    let theirs: Vec<usize> = theirs.iter().map(image).collect();
                    let distance = self.distance(&theirs, &others);
                    images.push((distance, symmetry, Arc::clone(&proof)));
                }
            }
        }
        images.sort_by_key(|&(distance, symmetry, _)| (distance, symmetry));
        images.truncate(MAX_LEARNED);
        let mut state = self.state(&root);
        for (at, (_, symmetry, proof)) in images.iter().enumerate() {
            let proof = ProofMapper::new(self.symmetries.images(*symmetry)).proof(proof);
            let simulation = &mut self.simulation;
            if let Some(found) = simulation.simulate(&mut state, &proof, LEARNING_NODES) {
                self.simulated += 1;
                self.prove(0, &found);
                return Ok(());
            }
            if at == 0 {
                self.guides.insert(0, proof);
            }
        }
        Ok(())
    }

    /// Returns how far some stones are from others: the sum of the distances to the nearest ones.
    fn distance(&self, stones: &[usize], others: &[usize]) -> usize {
        let shape = self.grid.shape();
        let between = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|cell| shape.coordinates(cell));
            let steps = a.iter().zip(&b).map(|(a, b)| a.abs_diff(*b));
            steps.sum::<usize>()
        };
        let nearest = |&stone: &usize| others.iter().map(|&other| between(stone, other)).min();
        stones.iter().filter_map(nearest).sum()
    }

    /// Returns the proof of a proved node.
    pub(super) fn proof(&self, node: usize) -> Option<LeafProof> {
        if self.tree.attacks(node) {
            self.win(node).map(LeafProof::ToMove)
        } else {
            Some(LeafProof::Waiting(self.reply_proofs(node)))
        }
    }

    /// Returns the proof of a proved node with the attacker to move.
    pub(super) fn win(&self, node: usize) -> Option<Arc<WinProof>> {
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
    pub(super) fn reply_proofs(&self, node: usize) -> ReplyProofs {
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
