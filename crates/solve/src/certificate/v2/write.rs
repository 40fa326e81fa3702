//! Writes proofs down.

use std::collections::HashMap;
use std::sync::Arc;

use papan_mnk::{DrawLink, DrawNodeKind, DrawProof, Lines, ReplyProofs, State, WinProof};
use papan_rules::{Bits, GameInfo as _, Grid, Notation as _, Player, Wide};

use super::file::{ClaimFile, ClaimKind, PositionClaim};
use super::proof_reader::push_number;
use crate::certificate::envelope::checksum;

/// A claim with the solver's reason for it.
#[derive(Clone, Debug)]
pub enum ClaimProof {
    /// The player, who is to move, wins.
    WinsToMove(Player, Arc<WinProof>),
    /// The player wins whatever the other, who is to move, replies.
    WinsWaiting(Player, ReplyProofs),
    /// The player at least draws.
    Draws(Player, DrawProof),
    /// The player moves first on the empty board.
    MovesFirst(Player),
}

impl ClaimProof {
    fn claim(&self) -> PositionClaim {
        let (player, kind) = match self {
            Self::WinsToMove(player, _) | Self::WinsWaiting(player, _) => {
                (*player, ClaimKind::Wins)
            }
            Self::Draws(player, hold) if hold.counter => (*player, ClaimKind::DrawsCountering),
            Self::Draws(player, _) => (*player, ClaimKind::Draws),
            Self::MovesFirst(player) => (*player, ClaimKind::DrawsMovingFirst),
        };
        PositionClaim { player, kind }
    }
}

/// The certificate of claims about a position, as bytes.
#[must_use]
pub fn write_claims<B: Bits>(
    grid: &Grid<B>,
    position: &papan_rules::GridPosition<B>,
    reasons: &[ClaimProof],
) -> Vec<u8> {
    let mut proof = Vec::new();
    for reason in reasons {
        match reason {
            ClaimProof::WinsToMove(player, win) => {
                WinWriter::new(grid, position, *player, &mut proof).node(win);
            }
            ClaimProof::WinsWaiting(player, answers) => {
                WinWriter::new(grid, position, *player, &mut proof).answers(answers);
            }
            ClaimProof::Draws(_, hold) => {
                if let Some(first) = hold.first {
                    push_number(&mut proof, usize::from(first));
                }
                let mut numbers = HashMap::new();
                if let Some(root) = hold.root {
                    write_hold(hold, root, &mut numbers, &mut proof);
                }
            }
            ClaimProof::MovesFirst(_) => {}
        }
    }
    let file = ClaimFile {
        game: grid.name(),
        position: grid.format_position(position),
        claims: reasons.iter().map(ClaimProof::claim).collect(),
    };
    let mut bytes = file.header(proof.len()).into_bytes();
    bytes.extend(miniz_oxide::deflate::compress_to_vec(&proof, 9));
    let sum = checksum(&bytes);
    bytes.extend(format!("checksum {sum:016x}\n").into_bytes());
    bytes
}

/// Writes a position of a hold, or refers to it where it was written before.
fn write_hold(
    hold: &DrawProof,
    link: DrawLink,
    numbers: &mut HashMap<usize, usize>,
    bytes: &mut Vec<u8>,
) {
    if let Some(&number) = numbers.get(&link.node) {
        for number in [0, number, link.symmetry] {
            push_number(bytes, number);
        }
        return;
    }
    match &hold.nodes[link.node].kind {
        DrawNodeKind::Pairs(pairs) => {
            push_number(bytes, 2 + pairs.len());
            for &(a, b) in pairs {
                push_number(bytes, usize::from(a));
                push_number(bytes, usize::from(b));
            }
        }
        DrawNodeKind::Replies(replies) => {
            push_number(bytes, 1);
            push_number(bytes, replies.len());
            let mut next = 0;
            for reply in replies {
                push_number(bytes, usize::from(reply.cell) - next);
                next = usize::from(reply.cell) + 1;
                push_number(bytes, usize::from(reply.reply));
                if let Some(link) = reply.next {
                    write_hold(hold, link, numbers, bytes);
                }
            }
        }
    }
    let number = numbers.len();
    numbers.insert(link.node, number);
}

struct WinWriter<'a> {
    state: State,
    attacker: Player,
    bytes: &'a mut Vec<u8>,
    /// CheckerBoard of the defender whose place is not known.
    unknown: Vec<Wide>,
    /// Finished nodes by the least of their images.
    finished: HashMap<[Wide; 2], (usize, [Wide; 2])>,
}

impl<'a> WinWriter<'a> {
    fn new<B: Bits>(
        grid: &Grid<B>,
        position: &papan_rules::GridPosition<B>,
        attacker: Player,
        bytes: &'a mut Vec<u8>,
    ) -> Self {
        Self {
            state: State::from_position(&Arc::new(Lines::new(grid)), grid, position),
            attacker,
            bytes,
            unknown: Vec::new(),
            finished: HashMap::new(),
        }
    }

    fn number(&mut self, number: usize) {
        push_number(self.bytes, number);
    }

    fn node(&mut self, proof: &WinProof) {
        match proof {
            WinProof::Fours { cells, then } => self.fours(cells, then.as_deref()),
            WinProof::Move { cell, answers } => {
                let known = self.unknown.is_empty().then(|| self.least_image());
                if let Some((least, here)) = known
                    && let Some(&(number, there)) = self.finished.get(&least)
                {
                    let symmetry = self.symmetry(here, there);
                    for number in [0, number, symmetry] {
                        self.number(number);
                    }
                    return;
                }
                self.number(1);
                self.number(usize::from(*cell));
                self.state.put(*cell, self.attacker);
                self.answers(answers);
                self.state.take(*cell, self.attacker);
                if let Some((least, here)) = known {
                    let number = self.finished.len();
                    self.finished.insert(least, (number, here));
                }
            }
        }
    }

    fn fours(&mut self, cells: &[u16], then: Option<&WinProof>) {
        self.number(2 * cells.len() + usize::from(then.is_some()));
        let hidden = self.unknown.iter().fold(Wide::EMPTY, |a, &b| a | b);
        let mut played = Vec::new();
        for (at, &cell) in cells.iter().enumerate() {
            self.number(usize::from(cell));
            self.state.put(cell, self.attacker);
            played.push((cell, self.attacker));
            let replies = self.state.completing_cells(self.attacker).without(hidden);
            if (at + 1 < cells.len() || then.is_some())
                && let Some(reply) = replies.first()
            {
                self.state.put(reply as u16, self.attacker.other());
                played.push((reply as u16, self.attacker.other()));
            }
        }
        if let Some(then) = then {
            self.node(then);
        }
        for (cell, side) in played.into_iter().rev() {
            self.state.take(cell, side);
        }
    }

    fn answers(&mut self, answers: &ReplyProofs) {
        let others = self.state.empty().without(answers.named());
        // A rest that nothing is left to answers nobody.
        let rest = answers.rest.as_ref().filter(|_| !others.is_empty());
        let flags = usize::from(rest.is_some()) + 2 * usize::from(answers.symmetric);
        self.number(4 * answers.branches.len() + flags);
        for branch in &answers.branches {
            let count = branch.cells.count() as usize;
            self.number(2 * count + usize::from(branch.at_once));
            let mut next = 0;
            for cell in branch.cells.cells() {
                self.number(cell - next);
                next = cell + 1;
            }
        }
        if let Some(rest) = rest {
            self.unknown.push(others);
            self.node(rest);
            self.unknown.pop();
        }
        let defender = self.attacker.other();
        for branch in &answers.branches {
            if !branch.at_once && branch.cells.count() > 1 {
                self.unknown.push(branch.cells);
                self.node(&branch.proof);
                self.unknown.pop();
                continue;
            }
            for cell in branch.cells.cells() {
                self.state.put(cell as u16, defender);
            }
            self.node(&branch.proof);
            for cell in branch.cells.cells() {
                self.state.take(cell as u16, defender);
            }
        }
    }

    fn held(&self) -> [Wide; 2] {
        let mut held = [Wide::EMPTY; 2];
        for cell in 0..self.state.lines().cells() {
            if let Some(side) = self.state.owner(cell as u16) {
                let set = &mut held[usize::from(side != self.attacker)];
                *set = *set | Wide::single(cell);
            }
        }
        held
    }

    fn least_image(&self) -> ([Wide; 2], [Wide; 2]) {
        let here = self.held();
        let images = self.state.lines().symmetries().iter();
        let least = images.map(|s| here.map(|set| image(set, s))).min();
        (least.unwrap_or(here), here)
    }

    fn symmetry(&self, here: [Wide; 2], there: [Wide; 2]) -> usize {
        let mut images = self.state.lines().symmetries().iter();
        let found = images.position(|s| here.map(|set| image(set, s)) == there);
        found.expect("both have the same least image")
    }
}

fn image(set: Wide, images: &[u16]) -> Wide {
    set.cells().fold(Wide::EMPTY, |image, cell| {
        image | Wide::single(usize::from(images[cell]))
    })
}
