//! Extraction of a draw proof from a solved df-pn table.
//!
//! Positions with the same canonical key share a node, after an exact comparison of the live lines.

use papan_rules::Bits;
use rustc_hash::FxHashMap;

use super::static_outcome::StaticOutcome;
use super::{DefenceSolver, DefenceValue, EXTRACTION_NODES};
use crate::draw_proof::{DrawLink, DrawNode, DrawNodeKind, DrawProof, DrawReply};
use crate::lines::{Cell, CellSet};

/// Step limit of the pairing search: more steps make larger pairings and smaller proofs.
const PAIRING_STEPS: usize = 2_000;

impl DefenceSolver {
    /// Returns a proof that the defender at least draws, after [`DefenceSolver::run`] or
    /// [`DefenceSolver::deepen`] returned [`DefenceValue::Holds`]. `None` if a part cannot be found
    /// again within the limits.
    pub fn draw_proof(&mut self) -> Option<DrawProof> {
        let mut extractor = Extractor {
            solver: self,
            proof: DrawProof::default(),
            nodes_by_key: FxHashMap::default(),
            keys: Vec::new(),
        };
        extractor.proof.counter = extractor.solver.counter;
        if extractor.solver.to_move == extractor.solver.attacker {
            extractor.proof.root = Some(extractor.node()?);
        } else {
            let reply = extractor.reply()?;
            extractor.proof.first = Some(reply.cell);
            extractor.proof.root = reply.next;
        }
        Some(extractor.proof)
    }

    /// Returns whether a node covers the position on the board: every line that is live for the
    /// attacker here is live there with at least the same stones, and, if the defender's lines
    /// count, the other way round for the defender.
    fn fits(&self, [attackers, defenders]: &[CellSet; 2], images: &[Cell]) -> bool {
        let state = &self.state;
        let (attacker, defender) = (self.attacker, self.attacker.other());
        let image = |cell: Cell| usize::from(images[usize::from(cell)]);
        (0..state.lines().count()).all(|line| {
            let members = state.lines().members(line);
            let counts = state.counts(line);
            let no_better = counts[defender.index()] > 0
                || members.iter().all(|&cell| {
                    let there = image(cell);
                    !defenders.contains(there)
                        && (state.owner(cell) != Some(attacker) || attackers.contains(there))
                });
            let no_worse = !self.counter
                || members.iter().any(|&cell| attackers.contains(image(cell)))
                || counts[attacker.index()] == 0
                    && members.iter().all(|&cell| {
                        !defenders.contains(image(cell)) || state.owner(cell) == Some(defender)
                    });
            no_better && no_worse
        })
    }
}

/// A reply of the defender, and the position after it unless the reply completes a line.
struct Reply {
    cell: Cell,
    next: Option<DrawLink>,
}

struct Extractor<'a> {
    solver: &'a mut DefenceSolver,
    proof: DrawProof,
    nodes_by_key: FxHashMap<u64, Vec<usize>>,
    /// The key of each node.
    keys: Vec<u64>,
}

impl Extractor<'_> {
    /// Returns the node of the position on the board, with the attacker to move.
    fn node(&mut self) -> Option<DrawLink> {
        let attacker = self.solver.attacker;
        let key = self.solver.key(attacker);
        if let Some(link) = self.find(key) {
            return Some(link);
        }
        let kind = match self.solver.static_outcome(attacker, PAIRING_STEPS) {
            StaticOutcome::Paired(pairs) => DrawNodeKind::Pairs(pairs),
            StaticOutcome::Completes => DrawNodeKind::Replies(Vec::new()),
            StaticOutcome::Moves { cells, .. } => {
                let mut replies = Vec::with_capacity(cells.len());
                let mut cells: Vec<Cell> =
                    cells.iter().map(|&c| self.solved_equivalent(c)).collect();
                // The order of the file, so that references point backwards.
                cells.sort_unstable();
                for cell in cells {
                    self.solver.put(cell, attacker);
                    let found = self.reply();
                    self.solver.remove(cell, attacker);
                    let Reply { cell: reply, next } = found?;
                    replies.push(DrawReply { cell, reply, next });
                }
                DrawNodeKind::Replies(replies)
            }
            StaticOutcome::CounterVcf(_) | StaticOutcome::Lost(_) => return None,
        };
        let stones = [attacker, attacker.other()].map(|side| self.solver.state.stones(side));
        self.proof.nodes.push(DrawNode { stones, kind });
        let node = self.proof.nodes.len() - 1;
        self.nodes_by_key.entry(key).or_default().push(node);
        self.keys.push(key);
        Some(DrawLink { node, symmetry: 0 })
    }

    /// Returns a cell equivalent to this one after which the table has a draw, if there is one,
    /// else the cell itself.
    fn solved_equivalent(&self, cell: Cell) -> Cell {
        let is_solved = |&cell: &Cell| {
            let key = self.solver.key_after(cell, self.solver.attacker);
            self.solver.table_value(key) == DefenceValue::Holds
        };
        if is_solved(&cell) {
            return cell;
        }
        self.solver
            .equivalent_cells(cell)
            .find(is_solved)
            .unwrap_or(cell)
    }

    /// Returns a link to an existing node that covers the position on the board.
    fn find(&self, key: u64) -> Option<DrawLink> {
        let lines = self.solver.state.lines();
        self.nodes_by_key.get(&key)?.iter().find_map(|&node| {
            let there = &self.proof.nodes[node].stones;
            let mut images = lines.symmetries().iter();
            let symmetry = images.position(|images| self.solver.fits(there, images))?;
            Some(DrawLink { node, symmetry })
        })
    }

    /// Returns a reply of the defender, who is to move, that holds.
    fn reply(&mut self) -> Option<Reply> {
        let defender = self.solver.attacker.other();
        let cells = match self.solver.static_outcome(defender, PAIRING_STEPS) {
            StaticOutcome::Completes => {
                let cell = self.solver.state.completing(defender)?;
                return Some(Reply { cell, next: None });
            }
            StaticOutcome::CounterVcf(cells) => cells[..1].to_vec(),
            StaticOutcome::Moves { cells, .. } => cells,
            StaticOutcome::Paired(_) | StaticOutcome::Lost(_) => return None,
        };
        if let [only] = cells[..] {
            return self.after(only);
        }
        for again in [false, true] {
            if again {
                self.solver.run_here(defender, EXTRACTION_NODES);
            }
            // An equivalent cell may have the value instead of the move itself.
            let others = self.solver.state.empty().cells().map(|cell| cell as Cell);
            for cell in cells.iter().copied().chain(others) {
                let key = self.solver.key_after(cell, defender);
                if self.solver.table_value(key) == DefenceValue::Holds
                    && let Some(found) = self.after(cell)
                {
                    return Some(found);
                }
            }
        }
        for &cell in &cells {
            self.solver.put(cell, defender);
            let verdict = self
                .solver
                .run_here(defender.other(), EXTRACTION_NODES / 100);
            self.solver.remove(cell, defender);
            if verdict == DefenceValue::Holds
                && let Some(found) = self.after(cell)
            {
                return Some(found);
            }
        }
        if !cells.is_empty() {
            return None;
        }
        // No live line is left: any cell holds.
        let cell = self.solver.state.empty().first()? as Cell;
        self.after(cell)
    }

    /// Returns the reply on a cell, if the position after it can be proved.
    fn after(&mut self, cell: Cell) -> Option<Reply> {
        let defender = self.solver.attacker.other();
        let before = self.proof.nodes.len();
        self.solver.put(cell, defender);
        let next = if self.solver.state.has_won(defender) {
            Some(None)
        } else {
            self.node().map(Some)
        };
        self.solver.remove(cell, defender);
        if next.is_none() {
            self.forget(before);
        }
        next.map(|next| Reply { cell, next })
    }

    /// Removes the nodes of a failed reply. They are not written, so no link may refer to them.
    fn forget(&mut self, before: usize) {
        self.proof.nodes.truncate(before);
        for key in self.keys.drain(before..) {
            if let Some(nodes) = self.nodes_by_key.get_mut(&key) {
                nodes.retain(|&node| node < before);
            }
        }
    }
}
