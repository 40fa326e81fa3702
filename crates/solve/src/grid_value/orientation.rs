//! Canonical orientation: a board and the same board on its side are searched as one.
//!
//! df-pn is chaotic, so that another order of the cells changes the time of a search several times
//! over. Every board is therefore searched with its sides in increasing order, and the proofs are
//! renamed.

use std::collections::HashMap;

use papan_mnk::{
    Cell, CellSet, DrawLink, DrawNodeKind, DrawProof, DrawReply, Lines, ProofMapper, RootReplies,
    SequenceProof, SequenceReplies, SequenceRoot,
};
use papan_rules::{Bits, Game as _, GameInfo as _, Grid, GridPosition, Move, Notation as _};

use super::GridValue;
use crate::ClaimProof;

/// A board with its sides in increasing order, in place of one with the same sides in another order.
pub(super) struct Orientation<B: Bits> {
    pub(super) grid: Grid<B>,
    /// For each cell of this board the one of the original.
    cells: Vec<Cell>,
    /// For each symmetry of this board the one of the original.
    symmetries: Vec<usize>,
}

impl<B: Bits> Orientation<B> {
    /// Returns the board in canonical orientation; `None` if it is so already.
    pub(super) fn of(grid: &Grid<B>) -> Option<Self> {
        let sides = grid.shape().sides();
        if sides.is_sorted() {
            return None;
        }
        let mut axes: Vec<usize> = (0..sides.len()).collect();
        axes.sort_by_key(|&axis| sides[axis]);
        let sorted: Vec<usize> = axes.iter().map(|&axis| sides[axis]).collect();
        let canonical = Grid::new(&sorted, grid.length()).ok()?;
        let original = |cell: usize| {
            let mut coordinates = vec![0; axes.len()];
            for (&axis, at) in axes.iter().zip(canonical.shape().coordinates(cell)) {
                coordinates[axis] = at;
            }
            grid.shape().cell(&coordinates) as Cell
        };
        let cells: Vec<Cell> = (0..grid.cells()).map(original).collect();
        let numbers: HashMap<Vec<Cell>, usize> = (Lines::new(grid).symmetries().iter().cloned())
            .zip(0..)
            .collect();
        let number = |images: &Vec<Cell>| numbers.get(&conjugate(images, &cells)).copied();
        let lines = Lines::new(&canonical);
        let symmetries: Option<Vec<usize>> = lines.symmetries().iter().map(number).collect();
        Some(Self {
            symmetries: symmetries?,
            grid: canonical,
            cells,
        })
    }

    /// Returns a position of the original board on this one.
    pub(super) fn position(
        &self,
        original: &Grid<B>,
        position: &GridPosition<B>,
    ) -> Option<GridPosition<B>> {
        let pieces = self.cells.iter().copied().map(usize::from);
        let pieces: Vec<_> = pieces.map(|cell| original.piece(position, cell)).collect();
        self.grid.position(&pieces, original.turn(position)).ok()
    }

    /// Renames the cells of a result to those of the original board.
    pub(super) fn original(&self, found: GridValue) -> GridValue {
        let all = |cells: Vec<Cell>| cells.into_iter().map(|cell| self.cell(cell)).collect();
        let claims = found.claims.iter();
        GridValue {
            claims: claims.map(|claim| self.claim(claim)).collect(),
            pv: (found.pv.iter().filter_map(|mv| mv.cell()))
                .map(|cell| Move::on(usize::from(self.cells[cell])))
                .collect(),
            replies: found.replies.map(|replies| RootReplies {
                cell: self.cell(replies.cell),
                losing: all(replies.losing),
                open: all(replies.open),
            }),
            ..found
        }
    }

    fn cell(&self, cell: Cell) -> Cell {
        self.cells[usize::from(cell)]
    }

    fn sequence(&self, cells: &[Cell]) -> Vec<Cell> {
        cells.iter().map(|&cell| self.cell(cell)).collect()
    }

    fn set(&self, cells: CellSet) -> CellSet {
        let images = cells.cells().map(|cell| usize::from(self.cells[cell]));
        images.fold(CellSet::EMPTY, |set, cell| set | CellSet::single(cell))
    }

    fn claim(&self, claim: &ClaimProof) -> ClaimProof {
        let mut mapper = ProofMapper::new(&self.cells);
        match claim {
            ClaimProof::WinsToMove(player, proof) => {
                ClaimProof::WinsToMove(*player, mapper.proof(proof))
            }
            ClaimProof::WinsWaiting(player, replies) => {
                ClaimProof::WinsWaiting(*player, mapper.replies(replies))
            }
            ClaimProof::WinsBySequences(player, proof) => {
                ClaimProof::WinsBySequences(*player, self.sequences(proof))
            }
            ClaimProof::Draws(player, proof) => ClaimProof::Draws(*player, self.draw(proof)),
            ClaimProof::MovesFirst(player) => ClaimProof::MovesFirst(*player),
        }
    }

    fn sequences(&self, proof: &SequenceProof) -> SequenceProof {
        let mut proof = proof.clone();
        for images in &mut proof.symmetries {
            *images = conjugate(images, &self.cells);
        }
        for node in &mut proof.nodes {
            node.cell = self.cell(node.cell);
            self.sequence_replies(&mut node.replies);
        }
        if let SequenceRoot::Replies(replies) = &mut proof.root {
            self.sequence_replies(replies);
        }
        proof
    }

    fn sequence_replies(&self, replies: &mut SequenceReplies) {
        for sequence in &mut replies.sequences {
            *sequence = self.sequence(sequence);
        }
        for link in &mut replies.survivors {
            link.reply = self.cell(link.reply);
        }
        replies.survivors.sort_by_key(|link| link.reply);
    }

    fn draw(&self, proof: &DrawProof) -> DrawProof {
        let link = |link: DrawLink| DrawLink {
            symmetry: self.symmetries[link.symmetry],
            ..link
        };
        let mut proof = proof.clone();
        for node in &mut proof.nodes {
            node.stones = node.stones.map(|stones| self.set(stones));
            node.kind = match &node.kind {
                DrawNodeKind::Pairs(pairs) => {
                    let pairs = pairs.iter();
                    DrawNodeKind::Pairs(pairs.map(|&(a, b)| (self.cell(a), self.cell(b))).collect())
                }
                DrawNodeKind::Replies(replies) => {
                    let replies = replies.iter().map(|reply| DrawReply {
                        cell: self.cell(reply.cell),
                        reply: self.cell(reply.reply),
                        next: reply.next.map(link),
                    });
                    DrawNodeKind::Replies(replies.collect())
                }
            };
        }
        proof.root = proof.root.map(link);
        proof.first = proof.first.map(|cell| self.cell(cell));
        proof
    }
}

/// Returns the same symmetry for other names of the cells.
fn conjugate(images: &[Cell], names: &[Cell]) -> Vec<Cell> {
    let mut renamed = vec![0; images.len()];
    for (&name, &image) in names.iter().zip(images) {
        renamed[usize::from(name)] = names[usize::from(image)];
    }
    renamed
}
