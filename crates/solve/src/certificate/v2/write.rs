//! Writer of certificates of versions 2 and 3: encodes the proof trees of the solver.

use std::collections::HashMap;
use std::sync::Arc;

use papan_mnk::{
    DrawLink, DrawNodeKind, DrawProof, DrawReply, Lines, ReplyProofs, SequenceProof, State,
    WinProof,
};
use papan_rules::{Bits, GameInfo as _, Grid, Notation as _, Player, Wide};

use super::file::{ClaimFile, ClaimKind, PositionClaim};
use super::proof_reader::push_number;
use super::write_sequences::write_sequence_proof;
use crate::certificate::envelope::checksum;
use crate::symmetry_group::SymmetryGroup;

/// A claim with its proof.
#[derive(Clone, Debug)]
pub enum ClaimProof {
    /// The player wins and is to move.
    WinsToMove(Player, Arc<WinProof>),
    /// The player wins and the opponent is to move.
    WinsWaiting(Player, ReplyProofs),
    /// The player wins by strategic moves and sequences of fours.
    WinsBySequences(Player, SequenceProof),
    /// The player at least draws.
    Draws(Player, DrawProof),
    /// The player at least draws by strategy stealing, moving first on the empty board.
    MovesFirst(Player),
}

impl ClaimProof {
    /// Returns whether the claim is a win.
    #[must_use]
    pub fn is_win(&self) -> bool {
        self.claim().kind.is_win()
    }

    fn claim(&self) -> PositionClaim {
        let (player, kind) = match self {
            Self::WinsToMove(player, _) | Self::WinsWaiting(player, _) => {
                (*player, ClaimKind::Wins)
            }
            Self::WinsBySequences(player, _) => (*player, ClaimKind::WinsBySequences),
            Self::Draws(player, draw) if draw.counter => (*player, ClaimKind::DrawsCountering),
            Self::Draws(player, _) => (*player, ClaimKind::Draws),
            Self::MovesFirst(player) => (*player, ClaimKind::DrawsMovingFirst),
        };
        PositionClaim { player, kind }
    }
}

/// Returns the certificate of claims about a position.
#[must_use]
pub fn write_claims<B: Bits>(
    grid: &Grid<B>,
    position: &papan_rules::GridPosition<B>,
    claims: &[ClaimProof],
) -> Vec<u8> {
    let mut proof = Vec::new();
    for claim in claims {
        match claim {
            ClaimProof::WinsToMove(player, win) => {
                WinWriter::new(grid, position, *player, &mut proof).node(win);
            }
            ClaimProof::WinsWaiting(player, replies) => {
                WinWriter::new(grid, position, *player, &mut proof).replies(replies);
            }
            ClaimProof::WinsBySequences(_, sequences) => {
                let geometric = Lines::new(grid).symmetries().to_vec();
                write_sequence_proof(sequences, &geometric, &mut proof);
            }
            ClaimProof::Draws(_, draw) => {
                if let Some(first) = draw.first {
                    push_number(&mut proof, usize::from(first));
                }
                if let Some(root) = draw.root {
                    let mut writer = DrawWriter {
                        draw,
                        symmetries: SymmetryGroup::new(&Lines::new(grid)),
                        written: HashMap::new(),
                        bytes: &mut proof,
                    };
                    writer.node(root);
                }
            }
            ClaimProof::MovesFirst(_) => {}
        }
    }
    let file = ClaimFile {
        game: grid.name(),
        position: grid.format_position(position),
        claims: claims.iter().map(ClaimProof::claim).collect(),
    };
    let mut bytes = file.header(proof.len()).into_bytes();
    bytes.extend(miniz_oxide::deflate::compress_to_vec(&proof, 9));
    let sum = checksum(&bytes);
    bytes.extend(format!("checksum {sum:016x}\n").into_bytes());
    bytes
}

/// Writer of a draw proof.
struct DrawWriter<'a> {
    draw: &'a DrawProof,
    symmetries: SymmetryGroup,
    /// For each written node its number, and the symmetry that maps the position where it was
    /// written to the node's.
    written: HashMap<usize, (usize, usize)>,
    bytes: &'a mut Vec<u8>,
}

impl DrawWriter<'_> {
    fn number(&mut self, number: usize) {
        push_number(self.bytes, number);
    }

    /// Writes the node of a position, or a reference to it if it was written before. A node is
    /// written in the orientation of the position that needs it first.
    fn node(&mut self, DrawLink { node, symmetry }: DrawLink) {
        if let Some(&(number, first)) = self.written.get(&node) {
            let back = self.symmetries.inverse(first);
            let symmetry = self.symmetries.compose(symmetry, back);
            for number in [0, number, symmetry] {
                self.number(number);
            }
            return;
        }
        match &self.draw.nodes[node].kind {
            DrawNodeKind::Pairs(pairs) => {
                self.number(2 + pairs.len());
                for &(a, b) in pairs {
                    for cell in [a, b] {
                        self.number(usize::from(self.symmetries.preimage(symmetry, cell)));
                    }
                }
            }
            DrawNodeKind::Replies(replies) => self.replies(replies, symmetry),
        }
        self.written.insert(node, (self.written.len(), symmetry));
    }

    fn replies(&mut self, replies: &[DrawReply], symmetry: usize) {
        self.number(1);
        self.number(replies.len());
        let preimage = |cell: u16| usize::from(self.symmetries.preimage(symmetry, cell));
        let oriented = replies.iter().map(|reply| {
            let next = reply.next.map(|link| DrawLink {
                symmetry: self.symmetries.compose(symmetry, link.symmetry),
                ..link
            });
            (preimage(reply.cell), preimage(reply.reply), next)
        });
        let mut oriented: Vec<_> = oriented.collect();
        oriented.sort_by_key(|&(cell, ..)| cell);
        let mut least = 0;
        for (cell, reply, next) in oriented {
            self.number(cell - least);
            least = cell + 1;
            self.number(reply);
            if let Some(link) = next {
                self.node(link);
            }
        }
    }
}

/// A node that later ones can refer to.
#[derive(Clone, Copy)]
struct WrittenNode {
    number: usize,
    /// The stones of the attacker and of the defender.
    stones: [Wide; 2],
}

/// Writer of a win proof, with the board at the current node.
struct WinWriter<'a> {
    state: State,
    attacker: Player,
    bytes: &'a mut Vec<u8>,
    /// For each pass, the cells where the defender's stone may be.
    unknown: Vec<Wide>,
    /// Written nodes, by the least image of their stones.
    finished: HashMap<[Wide; 2], WrittenNode>,
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
            WinProof::Move { cell, replies } => {
                // Nodes below a pass have stones of unknown position and are never shared.
                let stones = self.stones();
                let least = self.unknown.is_empty().then(|| self.least_image(stones));
                if let Some(least) = least
                    && let Some(&written) = self.finished.get(&least)
                {
                    let symmetry = self.symmetry(stones, written.stones);
                    for number in [0, written.number, symmetry] {
                        self.number(number);
                    }
                    return;
                }
                self.number(1);
                self.number(usize::from(*cell));
                self.state.put(*cell, self.attacker);
                self.replies(replies);
                self.state.remove(*cell, self.attacker);
                if let Some(least) = least {
                    let number = self.finished.len();
                    self.finished.insert(least, WrittenNode { number, stones });
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
            self.state.remove(cell, side);
        }
    }

    fn replies(&mut self, replies: &ReplyProofs) {
        let others = self.state.empty().without(replies.named_cells());
        // The proof against other replies is left out if there are none.
        let rest = replies.rest.as_ref().filter(|_| !others.is_empty());
        let flags = usize::from(rest.is_some()) + 2 * usize::from(replies.symmetric);
        self.number(4 * replies.branches.len() + flags);
        for branch in &replies.branches {
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
        for branch in &replies.branches {
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
                self.state.remove(cell as u16, defender);
            }
        }
    }

    /// Returns the stones of the attacker and of the defender.
    fn stones(&self) -> [Wide; 2] {
        [self.attacker, self.attacker.other()].map(|side| self.state.stones(side))
    }

    fn least_image(&self, stones: [Wide; 2]) -> [Wide; 2] {
        let symmetries = self.state.lines().symmetries().iter();
        let images = symmetries.map(|s| stones.map(|set| image(set, s)));
        images.min().unwrap_or(stones)
    }

    /// Returns the symmetry that maps one position to another.
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
