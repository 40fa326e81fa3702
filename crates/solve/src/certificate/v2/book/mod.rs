//! A certificate to play from: what a checked file says of any position of its board.
//!
//! Positions are found by their stones alone, whatever led there, and in all symmetric
//! images. A node of a proof answers for a position on the terms on which the checker lets
//! one node refer to another, so that whatever is found is proved.

mod draw_reader;
mod draw_tree;
mod win_reader;
mod win_tree;

use papan_mnk::{CellSet, ProofLookup, ProvedValue};
use papan_rules::{Bits, Game as _, Grid, Notation as _, Player};

use self::draw_tree::DrawTree;
use self::win_tree::WinTree;
use super::checker_board::CheckerBoard;
use super::file::{ClaimKind, check_claims, open};
use super::proof_reader::ProofReader;
use crate::certificate::CheckError;

/// The proofs of one board.
pub struct ProofBook<B: Bits> {
    /// The board without stones.
    board: CheckerBoard<B>,
    /// For each player, why they win.
    wins: [Option<WinTree<B>>; 2],
    /// For each player, why they at least draw.
    holds: [Option<DrawTree<B>>; 2],
}

impl<B: Bits> ProofBook<B> {
    /// The proofs of a certificate, which is checked first.
    ///
    /// # Errors
    /// When it is not believed.
    pub fn read(grid: &Grid<B>, bytes: &[u8]) -> Result<Self, CheckError> {
        let file = check_claims(grid, bytes)?;
        let (_, _, proof) = open(bytes)?;
        let position = grid.parse_position(&file.position);
        let position = position.unwrap_or_else(|_| grid.start());
        let turn = grid.turn(&position);
        let mut book = Self {
            board: CheckerBoard::new(grid),
            wins: [None, None],
            holds: [None, None],
        };
        let mut body = ProofReader::new(proof);
        for claim in file.claims {
            let (at, to_move) = (claim.player.index(), claim.player == turn);
            match claim.kind {
                ClaimKind::Wins => {
                    let stones = CheckerBoard::set_up(grid, &position, claim.player);
                    book.wins[at] = Some(WinTree::read(stones, &mut body, to_move)?);
                }
                ClaimKind::Draws | ClaimKind::DrawsCountering => {
                    let stones = CheckerBoard::set_up(grid, &position, claim.player.other());
                    let tree = DrawTree::read(stones, &mut body, to_move)?;
                    let counter = claim.kind == ClaimKind::DrawsCountering;
                    book.holds[at] = Some(DrawTree { counter, ..tree });
                }
                // There is a move that keeps the draw; which one is not said.
                ClaimKind::DrawsMovingFirst => {}
            }
        }
        Ok(book)
    }

    /// What is proved of an unfinished position.
    fn lookup(&self, stones: [B; 2], turn: Player) -> Option<ProvedValue> {
        let other = turn.other();
        let seen_by = |player: Player| [stones[player.index()], stones[player.other().index()]];
        if let Some(tree) = &self.wins[turn.index()]
            && let Some((Some(cell), plies)) = tree.find(&self.board, seen_by(turn), true)
        {
            let cell = cell as u16;
            return Some(ProvedValue::Win { cell, plies });
        }
        if let Some(tree) = &self.wins[other.index()]
            && let Some((_, plies)) = tree.find(&self.board, seen_by(other), false)
        {
            return Some(ProvedValue::Loss { plies });
        }
        let tree = self.holds[turn.index()].as_ref()?;
        let cells = tree.replies(&self.board, seen_by(other));
        if cells.is_empty() {
            return None;
        }
        let others = self.holds[other.index()].as_ref();
        let exact = others.is_some_and(|tree| tree.answers_for(&self.board, seen_by(turn)));
        let cells = cells.cells();
        Some(ProvedValue::AtLeastDraw {
            cells: cells.fold(CellSet::EMPTY, |set, cell| set | CellSet::single(cell)),
            exact,
        })
    }
}

impl<B: Bits> ProofLookup for ProofBook<B> {
    fn probe(&self, stones: [CellSet; 2], turn: Player) -> Option<ProvedValue> {
        let narrow = |set: CellSet| {
            let cells = set.cells();
            cells.fold(B::EMPTY, |set, cell| set | B::single(cell))
        };
        self.lookup(stones.map(narrow), turn)
    }
}

/// The names of the cells of a board, from those of a proof's to those on the board.
type Frame = Vec<u16>;

/// The frame of what a symmetry of the board leads to.
fn turned<B: Bits>(board: &CheckerBoard<B>, frame: &[u16], symmetry: usize) -> Frame {
    let back = board.inverse(symmetry).iter();
    back.map(|&cell| frame[usize::from(cell)]).collect()
}
