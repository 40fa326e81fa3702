//! Verifier of win proofs by sequences: at each position one move of the attacker, and sequences of
//! fours that refute most replies to it.
//!
//! Every reply is tried on the board with the defender's stone in place: either a sequence replays
//! to a win by the rules, or the proof contains a node for the position after that reply. Symmetries
//! are the geometric ones, combined with permutations that the proof lists and the verifier checks
//! to map lines to lines.

use papan_rules::Bits;

use super::checker_board::{Attacker, CheckerBoard, Defender, Side};
use super::proof_reader::ProofReader;
use super::syntax::{MAX_FINISHED, Reference};
use crate::certificate::{CheckError, ProofFault};

/// Maximum number of permutations that a proof lists.
const MAX_PERMUTATIONS: usize = 1_000;

/// The board and the reader at one place of a proof.
pub(super) struct SequenceVerifier<'a, 'b, B> {
    board: CheckerBoard<B>,
    reader: &'a mut ProofReader<'b>,
    /// Stones of the nodes that can be referred to.
    finished: Vec<[B; 2]>,
}

impl<'a, 'b, B: Bits> SequenceVerifier<'a, 'b, B> {
    pub(super) fn new(board: CheckerBoard<B>, reader: &'a mut ProofReader<'b>) -> Self {
        Self {
            board,
            reader,
            finished: Vec::new(),
        }
    }

    /// Verifies the proof; `to_move` says whether the attacker is to move.
    pub(super) fn verify(&mut self, to_move: bool) -> Result<(), CheckError> {
        read_permutations(&mut self.board, self.reader)?;
        if to_move {
            self.node()
        } else {
            self.check_safety()?;
            self.replies()
        }
    }

    /// Verifies a node, with the attacker to move.
    fn node(&mut self) -> Result<(), CheckError> {
        let tag = self.reader.below(self.board.cells + 1)?;
        if tag == 0 {
            return self.reference();
        }
        let before = self.board.held;
        let cell = tag - 1;
        if !self.board.empty.contains(cell) {
            return Err(self.reader.fault(ProofFault::Taken));
        }
        put(&mut self.board, self.reader, cell, Attacker);
        if !self.board.has_won(Attacker) {
            self.check_safety()?;
            self.replies()?;
        }
        self.board.remove(cell, Attacker);
        if self.finished.len() < MAX_FINISHED {
            self.finished.push(before);
        }
        Ok(())
    }

    /// Verifies a reference to a node that covers this position.
    fn reference(&mut self) -> Result<(), CheckError> {
        let Reference { node, symmetry } =
            Reference::read(self.reader, self.finished.len(), self.board.symmetries())?;
        if self.board.is_covered_by(self.finished[node], symmetry) {
            Ok(())
        } else {
            Err(self.reader.fault(ProofFault::OtherPosition))
        }
    }

    /// Verifies the sequences, and the nodes of the replies that they do not refute.
    fn replies(&mut self) -> Result<(), CheckError> {
        let mut left = self.board.empty;
        let count = self.reader.below(self.board.cells + 1)?;
        for _ in 0..count {
            let sequence = read_sequence(&self.board, self.reader)?;
            for reply in left.cells() {
                put(&mut self.board, self.reader, reply, Defender);
                if replay(&mut self.board, self.reader, &sequence).is_some() {
                    left = left.without(B::single(reply));
                }
                self.board.remove(reply, Defender);
            }
        }
        for reply in left.cells() {
            put(&mut self.board, self.reader, reply, Defender);
            self.node()?;
            self.board.remove(reply, Defender);
        }
        Ok(())
    }

    /// Checks that the defender, who is to move, cannot complete a line.
    fn check_safety(&self) -> Result<(), CheckError> {
        if self.board.completing(Defender).is_empty() {
            Ok(())
        } else {
            Err(self.reader.fault(ProofFault::DefenderFirst))
        }
    }
}

fn put<B: Bits>(
    board: &mut CheckerBoard<B>,
    reader: &mut ProofReader<'_>,
    cell: usize,
    side: Side,
) {
    reader.add_work(2 * board.through[cell].len());
    board.put(cell, side);
}

/// Reads the permutations of a proof and adds them to the symmetries of the board.
pub(super) fn read_permutations<B: Bits>(
    board: &mut CheckerBoard<B>,
    reader: &mut ProofReader<'_>,
) -> Result<(), CheckError> {
    let count = reader.below(MAX_PERMUTATIONS + 1)?;
    let mut permutations = Vec::new();
    for _ in 0..count {
        let mut images = Vec::with_capacity(board.cells);
        let mut met = B::EMPTY;
        for _ in 0..board.cells {
            let image = reader.below(board.cells)?;
            met = met | B::single(image);
            images.push(image as u16);
        }
        reader.add_work(board.lines.len());
        if met != B::below(board.cells) || !board.maps_lines_to_lines(&images) {
            return Err(reader.fault(ProofFault::Permutation));
        }
        permutations.push(images);
    }
    board.add_permutations(permutations);
    Ok(())
}

/// Reads a sequence of the attacker's cells.
pub(super) fn read_sequence<B: Bits>(
    board: &CheckerBoard<B>,
    reader: &mut ProofReader<'_>,
) -> Result<Vec<usize>, CheckError> {
    let length = reader.below(board.cells + 1)?;
    (0..length).map(|_| reader.below(board.cells)).collect()
}

/// Replays a sequence with the attacker to move, and restores the board. Returns the plies of the
/// longest defence if it wins.
pub(super) fn replay<B: Bits>(
    board: &mut CheckerBoard<B>,
    reader: &mut ProofReader<'_>,
    sequence: &[usize],
) -> Option<u32> {
    let mut played: Vec<(usize, Side)> = Vec::with_capacity(2 * sequence.len());
    let mut plies = None;
    if !board.has_won(Defender) {
        for &cell in sequence {
            if !board.empty.contains(cell) {
                break;
            }
            put(board, reader, cell, Attacker);
            played.push((cell, Attacker));
            if board.has_won(Attacker) {
                plies = Some(played.len() as u32);
                break;
            }
            if !board.completing(Defender).is_empty() {
                break;
            }
            let completing = board.completing(Attacker);
            match (completing.count(), completing.first()) {
                (1, Some(reply)) => {
                    put(board, reader, reply, Defender);
                    played.push((reply, Defender));
                }
                (2.., _) => {
                    plies = Some(played.len() as u32 + 2);
                    break;
                }
                _ => break,
            }
        }
    }
    for (cell, side) in played.into_iter().rev() {
        board.remove(cell, side);
    }
    plies
}
