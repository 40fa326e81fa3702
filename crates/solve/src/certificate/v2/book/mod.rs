//! Play from a certificate: lookup of arbitrary positions in verified proofs.
//!
//! Positions are found by their stones alone, in all symmetric images. A node covers a position
//! under the same conditions under which the verifier accepts a reference, so every value found is
//! proved.

mod draw_reader;
mod draw_tree;
mod sequence_tree;
mod tree_reader;
mod win_reader;
mod win_tree;

use papan_mnk::{CellSet, ProofLookup, ProvedValue};
use papan_rules::{Bits, Game as _, Grid, Notation as _, Player};

use self::draw_tree::DrawTree;
use self::sequence_tree::SequenceTree;
use self::win_tree::{FoundWin, WinTree};
use super::checker_board::CheckerBoard;
use super::file::{ClaimKind, check_claims, open};
use super::proof_reader::ProofReader;
use crate::certificate::CheckError;

/// The proofs of one board.
pub struct ProofBook<B: Bits> {
    /// The board without stones.
    board: CheckerBoard<B>,
    /// Win proof of each player.
    wins: [Option<WinTree<B>>; 2],
    /// Win proof by sequences of each player.
    sequences: [Option<SequenceTree<B>>; 2],
    /// Draw proof of each player.
    draws: [Option<DrawTree<B>>; 2],
}

impl<B: Bits> ProofBook<B> {
    /// Checks a certificate and reads its proofs.
    ///
    /// # Errors
    /// If the certificate does not prove its claims.
    pub fn read(grid: &Grid<B>, bytes: &[u8]) -> Result<Self, CheckError> {
        let file = check_claims(grid, bytes)?;
        let proof = open(bytes)?.proof;
        let position = grid
            .parse_position(&file.position)
            .unwrap_or_else(|_| grid.start());
        let turn = grid.turn(&position);
        let mut book = Self {
            board: CheckerBoard::new(grid),
            wins: [None, None],
            sequences: [None, None],
            draws: [None, None],
        };
        let mut reader = ProofReader::new(proof);
        for claim in file.claims {
            let (at, to_move) = (claim.player.index(), claim.player == turn);
            match claim.kind {
                ClaimKind::Wins => {
                    let board = CheckerBoard::set_up(grid, &position, claim.player);
                    book.wins[at] = Some(WinTree::read(board, &mut reader, to_move)?);
                }
                ClaimKind::WinsBySequences => {
                    let board = CheckerBoard::set_up(grid, &position, claim.player);
                    let empty = CheckerBoard::new(grid);
                    let tree = SequenceTree::read(board, empty, &mut reader, to_move)?;
                    book.sequences[at] = Some(tree);
                }
                ClaimKind::Draws | ClaimKind::DrawsCountering => {
                    let board = CheckerBoard::set_up(grid, &position, claim.player.other());
                    let counter = claim.kind == ClaimKind::DrawsCountering;
                    let tree = DrawTree::read(board, &mut reader, to_move, counter)?;
                    book.draws[at] = Some(tree);
                }
                // Strategy stealing names no move.
                ClaimKind::DrawsMovingFirst => {}
            }
        }
        Ok(book)
    }

    /// Looks a position up in the win proofs of a player.
    fn find_win(&self, player: Player, stones: [B; 2], to_move: bool) -> Option<FoundWin> {
        let tree = self.wins[player.index()].as_ref();
        let found = tree.and_then(|tree| tree.find(&self.board, stones, to_move));
        found.or_else(|| {
            let tree = self.sequences[player.index()].as_ref();
            tree.and_then(|tree| tree.find(stones, to_move))
        })
    }

    /// Returns the proved value of an unfinished position.
    fn lookup(&self, stones: [B; 2], turn: Player) -> Option<ProvedValue> {
        let other = turn.other();
        let seen_by = |player: Player| [stones[player.index()], stones[player.other().index()]];
        let win = self.find_win(turn, seen_by(turn), true);
        if let Some(FoundWin {
            cell: Some(cell),
            plies,
        }) = win
        {
            return Some(ProvedValue::Win {
                cell: cell as u16,
                plies,
            });
        }
        if let Some(found) = self.find_win(other, seen_by(other), false) {
            return Some(ProvedValue::Loss { plies: found.plies });
        }
        let tree = self.draws[turn.index()].as_ref()?;
        let cells = tree.replies(&self.board, seen_by(other));
        if cells.is_empty() {
            return None;
        }
        let others = self.draws[other.index()].as_ref();
        let exact = others.is_some_and(|tree| tree.covers(&self.board, seen_by(turn)));
        Some(ProvedValue::AtLeastDraw {
            cells: cells
                .cells()
                .fold(CellSet::EMPTY, |set, cell| set | CellSet::single(cell)),
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

/// Names of the cells: index in the proof to cell on the board.
type CellNames = Vec<u16>;

/// Returns the names after a symmetry of the board.
fn renamed_by<B: Bits>(board: &CheckerBoard<B>, names: &[u16], symmetry: usize) -> CellNames {
    let back = board.inverse(symmetry).into_iter();
    back.map(|cell| names[usize::from(cell)]).collect()
}
