//! Reads why an attacker wins, from a file that has been checked.

use papan_rules::Bits;

use super::super::checker_board::{Attacker, CheckerBoard, Defender, Side};
use super::super::proof_reader::ProofReader;
use super::super::verify_win::MOST_FINISHED;
use super::win_tree::{Step, WinNode, WinTree};
use crate::certificate::{CheckError, ProofFault};

struct Reader<'a, 'b, B> {
    stones: CheckerBoard<B>,
    body: &'a mut ProofReader<'b>,
    unknown: Vec<B>,
    nodes: Vec<WinNode<B>>,
    /// Those that can be referred to.
    finished: Vec<usize>,
}

impl<B: Bits> WinTree<B> {
    /// The proof that comes next in a file.
    pub(super) fn read(
        stones: CheckerBoard<B>,
        body: &mut ProofReader<'_>,
        to_move: bool,
    ) -> Result<Self, CheckError> {
        let mut reader = Reader {
            stones,
            body,
            unknown: Vec::new(),
            nodes: Vec::new(),
            finished: Vec::new(),
        };
        let root = if to_move {
            reader.node()?
        } else {
            let held = reader.stones.held;
            let (step, plies) = reader.answers(None)?;
            reader.keep(held, step, plies)
        };
        Ok(Self {
            nodes: reader.nodes,
            root,
        })
    }
}

impl<B: Bits> Reader<'_, '_, B> {
    fn keep(&mut self, held: [B; 2], step: Step, plies: u32) -> usize {
        self.nodes.push(WinNode {
            held,
            unknown: self.unknown.clone(),
            step,
            plies,
        });
        self.nodes.len() - 1
    }

    /// The attacker is to move.
    fn node(&mut self) -> Result<usize, CheckError> {
        let held = self.stones.held;
        let (step, plies) = match self.body.number()? {
            0 => {
                let node = self.body.below(self.finished.len())?;
                let node = self.finished[node];
                let symmetry = self.body.below(self.stones.symmetries.len())?;
                (Step::Reference { node, symmetry }, self.nodes[node].plies)
            }
            1 => {
                let cell = self.cell()?;
                self.stones.put(cell, Attacker);
                let (step, plies) = self.answers(Some(cell))?;
                self.stones.remove(cell, Attacker);
                (step, plies + 1)
            }
            tag => self.fours(tag / 2, tag % 2 == 1)?,
        };
        let is_move = matches!(step, Step::Move { .. });
        let at = self.keep(held, step, plies);
        if is_move && self.unknown.is_empty() && self.finished.len() < MOST_FINISHED {
            self.finished.push(at);
        }
        Ok(at)
    }

    fn cell(&mut self) -> Result<usize, CheckError> {
        self.body.below(self.stones.cells)
    }

    /// Fours, each with the reply that it forces, and how long they take.
    fn fours(&mut self, count: usize, goes_on: bool) -> Result<(Step, u32), CheckError> {
        let mut cells = Vec::new();
        let mut played: Vec<(usize, Side)> = Vec::new();
        let mut plies = 0;
        for at in 0..count {
            let cell = self.cell()?;
            self.stones.put(cell, Attacker);
            played.push((cell, Attacker));
            plies += 1;
            if at + 1 == count && !goes_on {
                // Two cells threaten: a reply, and the other one.
                plies += if self.stones.has_won(Attacker) { 0 } else { 2 };
                cells.push((cell, None));
                break;
            }
            let hidden = self.unknown.iter().fold(B::EMPTY, |a, &b| a | b);
            let completing = self.stones.completing(Attacker).without(hidden).first();
            let reply = completing.ok_or_else(|| self.body.fault(ProofFault::NoThreat))?;
            self.stones.put(reply, Defender);
            played.push((reply, Defender));
            plies += 1;
            cells.push((cell, Some(reply)));
        }
        let then = if goes_on { Some(self.node()?) } else { None };
        for (cell, side) in played.into_iter().rev() {
            self.stones.remove(cell, side);
        }
        let after = then.map_or(0, |node| self.nodes[node].plies);
        Ok((Step::Fours { cells, then }, plies + after))
    }

    /// What follows a move of the attacker, and how many plies that is at most.
    fn answers(&mut self, cell: Option<usize>) -> Result<(Step, u32), CheckError> {
        let head = self.body.number()?;
        let (rest, symmetric, count) = (head & 1 != 0, head & 2 != 0, head >> 2);
        let mut branches = Vec::new();
        let mut named = B::EMPTY;
        for _ in 0..count {
            let (cells, at_once) = self.branch()?;
            named = named | cells;
            branches.push((cells, at_once));
        }
        let mut next = Vec::new();
        if rest {
            let others = self.stones.empty.without(named);
            next.push(self.with_unknown(others)?);
        }
        for (cells, at_once) in branches {
            if !at_once && cells.count() > 1 {
                next.push(self.with_unknown(cells)?);
                continue;
            }
            for cell in cells.cells() {
                self.stones.put(cell, Defender);
            }
            next.push(self.node()?);
            for cell in cells.cells() {
                self.stones.remove(cell, Defender);
            }
        }
        let longest = next.iter().map(|&node| self.nodes[node].plies).max();
        let step = Step::Move {
            cell,
            next,
            symmetric,
        };
        Ok((step, 1 + longest.unwrap_or(0)))
    }

    fn branch(&mut self) -> Result<(B, bool), CheckError> {
        let head = self.body.number()?;
        let mut cells = B::EMPTY;
        let mut next = 0;
        for _ in 0..head >> 1 {
            let cell = next + self.cell()?;
            cells = cells | B::single(cell);
            next = cell + 1;
        }
        Ok((cells, head & 1 != 0))
    }

    fn with_unknown(&mut self, place: B) -> Result<usize, CheckError> {
        self.unknown.push(place);
        let node = self.node();
        self.unknown.pop();
        node
    }
}
