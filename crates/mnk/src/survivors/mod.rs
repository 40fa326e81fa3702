//! Survivor search: df-pn over strategic moves with exact surviving replies.
//!
//! A *strategic move* is an attacking move that is not a four. After it the attacker looks for a VCF
//! against a pass; its sequence refutes most replies at once. The replies that no VCF refutes
//! *survive*: only they become nodes of the proof tree. Exact survivors are found by replaying each
//! sequence against every reply that is left, which is far sharper than the relevance zone of the
//! sequence. Proof numbers of a move start at the number of its survivors.
//!
//! On 4x4x4 (Qubic) this proves the first player's win in about a minute; the zones of
//! [`crate::relevance_zone`] refute none of the 63 replies in ten minutes. The attacker's fours are
//! not strategic moves, so a disproof number of 0 is no disproof: only wins are facts.
//!
//! References: O. Patashnik, *Qubic: 4x4x4 Tic-Tac-Toe*, Mathematics Magazine 53, 1980;
//! L. V. Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994.

mod board;
mod proof_numbers;
mod sequence_proof;
mod symmetry;
mod vcf;

use papan_rules::{Bits, SplitMix};

use self::proof_numbers::{
    Child, Entry, INFINITE, Numbers, ProofTable, and_numbers, or_numbers, two_least,
};
use self::vcf::replays;
use crate::lines::{Cell, Lines};

pub(crate) use self::board::LineBoard;
pub use self::sequence_proof::{
    SequenceLink, SequenceNode, SequenceProof, SequenceReplies, SequenceRoot,
};
pub use self::symmetry::line_symmetries;
pub(crate) use self::vcf::{FastVcf, Vcf};

/// Limits of the VCF searches of a survivor search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VcfLimits {
    /// Nodes of a search for the attacker's VCF.
    pub attack: u64,
    /// Nodes of a search for the defender's VCF.
    pub defence: u64,
}

impl Default for VcfLimits {
    fn default() -> Self {
        Self {
            attack: 30_000,
            defence: 3_000,
        }
    }
}

/// The replies to a move that a search has to consider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Survivors<B> {
    /// The defender wins or cannot be stopped.
    Lost,
    /// Every reply but these loses to a VCF; none left means a win.
    Replies(B),
}

/// A position in canonical form.
#[derive(Clone, Copy, Debug)]
struct Canonical {
    key: u64,
    /// The symmetry that leads there.
    symmetry: usize,
}

/// The search. `B` is the width of the cell sets; 64 cells fit a `u64`.
pub struct SurvivorSearch<B> {
    board: LineBoard<B>,
    vcf: FastVcf<B>,
    limits: VcfLimits,
    symmetries: Vec<Vec<Cell>>,
    inverses: Vec<Vec<Cell>>,
    /// Zobrist keys by cell, side and symmetry.
    keys: Vec<u64>,
    /// Hashes of the position under every symmetry.
    hashes: Vec<u64>,
    attacker: B,
    defender: B,
    table: ProofTable<B>,
    expansions: u64,
    max_expansions: u64,
    halt: Box<dyn FnMut() -> bool + Send>,
    stopped: bool,
    /// Whether to record the sequences that refute replies.
    recording: bool,
    /// The sequences of the last evaluation, while recording.
    sequences: Vec<Vec<Cell>>,
}

impl<B: Bits> std::fmt::Debug for SurvivorSearch<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SurvivorSearch")
            .field("expansions", &self.expansions)
            .field("entries", &self.table.len())
            .finish_non_exhaustive()
    }
}

impl<B: Bits> SurvivorSearch<B> {
    /// Creates a search of a board. `halt` is asked regularly whether to stop.
    #[must_use]
    pub fn new(lines: &Lines, limits: VcfLimits, halt: Box<dyn FnMut() -> bool + Send>) -> Self {
        let symmetries = line_symmetries(lines);
        let inverses = symmetries.iter().map(|images| inverse(images)).collect();
        let count = symmetries.len();
        let mut random = SplitMix::new(0x9a9a);
        let zobrist: Vec<[u64; 2]> = (0..lines.cells())
            .map(|_| [random.next(), random.next()])
            .collect();
        let mut keys = vec![0; lines.cells() * 2 * count];
        for cell in 0..lines.cells() {
            for side in 0..2 {
                for (number, images) in symmetries.iter().enumerate() {
                    let image = usize::from(images[cell]);
                    keys[(cell * 2 + side) * count + number] = zobrist[image][side];
                }
            }
        }
        Self {
            board: LineBoard::new(lines),
            vcf: FastVcf::new(lines.cells()),
            limits,
            hashes: vec![0; count],
            symmetries,
            inverses,
            keys,
            attacker: B::EMPTY,
            defender: B::EMPTY,
            table: ProofTable::default(),
            expansions: 0,
            max_expansions: u64::MAX,
            halt,
            stopped: false,
            recording: false,
            sequences: Vec::new(),
        }
    }

    /// Limits the number of expanded nodes of the attacker.
    pub fn limit_expansions(&mut self, expansions: u64) {
        self.max_expansions = self.expansions.saturating_add(expansions);
    }

    /// Returns the nodes searched so far: expansions and VCF nodes.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.expansions + self.vcf.nodes()
    }

    /// Returns the number of expanded nodes of the attacker.
    #[must_use]
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Returns whether the search is exhausted: with these limits it finds no win.
    #[must_use]
    pub fn is_exhausted(&self, to_move: bool) -> bool {
        let canonical = self.canonical_for(usize::from(to_move));
        let entry = self.table.get(&canonical.key);
        entry.is_some_and(|entry| entry.numbers.disproof == 0)
    }

    /// Returns the number of positions in the table.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.table.len()
    }

    /// Sets the position: the attacker's and the defender's stones.
    pub fn set_position(&mut self, attacker: B, defender: B) {
        self.attacker = B::EMPTY;
        self.defender = B::EMPTY;
        self.hashes.fill(0);
        for cell in attacker.cells() {
            self.toggle(cell, 0);
        }
        for cell in defender.cells() {
            self.toggle(cell, 1);
        }
    }

    /// Searches until the win of the attacker is proved; `to_move` says whether the attacker is to
    /// move. Returns whether it is proved.
    pub fn prove(&mut self, to_move: bool) -> bool {
        self.stopped = false;
        let all = Numbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        if to_move {
            if self.find_vcf(self.attacker, self.defender) {
                let key = self.canonical().key;
                self.store(key, Numbers::PROVED, B::EMPTY);
                return true;
            }
            return self.visit_attacker(all).proof == 0;
        }
        if !self.table.contains_key(&self.canonical_for(0).key) {
            self.evaluate();
        }
        self.visit_defender(all).proof == 0
    }

    fn find_vcf(&mut self, mine: B, theirs: B) -> bool {
        self.vcf
            .search(&self.board, mine, theirs, self.limits.attack)
            == Vcf::Wins
    }

    /// Adds or removes a stone; side 0 is the attacker.
    #[inline]
    fn toggle(&mut self, cell: usize, side: usize) {
        let set = if side == 0 {
            &mut self.attacker
        } else {
            &mut self.defender
        };
        let stone = B::single(cell);
        *set = if set.contains(cell) {
            set.without(stone)
        } else {
            *set | stone
        };
        let count = self.hashes.len();
        let keys = &self.keys[(cell * 2 + side) * count..][..count];
        for (hash, key) in self.hashes.iter_mut().zip(keys) {
            *hash ^= key;
        }
    }

    /// Returns the canonical key after one more stone, without placing it.
    #[inline]
    fn key_with(&self, cell: usize, side: usize) -> u64 {
        let count = self.hashes.len();
        let keys = &self.keys[(cell * 2 + side) * count..][..count];
        let images = self.hashes.iter().zip(keys).map(|(hash, key)| hash ^ key);
        let least = images.min().expect("the identity is a symmetry");
        mark(least, side)
    }

    /// Returns the canonical form of the position with the attacker to move.
    fn canonical(&self) -> Canonical {
        self.canonical_for(1)
    }

    /// Returns the canonical form; `side` is the side that moved last.
    fn canonical_for(&self, side: usize) -> Canonical {
        let numbered = self.hashes.iter().enumerate();
        let (symmetry, &least) = numbered
            .min_by_key(|&(_, hash)| hash)
            .expect("the identity is a symmetry");
        Canonical {
            key: mark(least, side),
            symmetry,
        }
    }

    fn store(&mut self, key: u64, numbers: Numbers, survivors: B) {
        self.table.insert(key, Entry { numbers, survivors });
    }

    /// Computes the survivors of the position, with the defender to move.
    fn survivors(&mut self) -> Survivors<B> {
        let (mine, theirs) = (self.attacker, self.defender);
        self.sequences.clear();
        if !self.board.completing(theirs, mine).is_empty() {
            return Survivors::Lost;
        }
        let fours = self.board.completing(mine, theirs);
        if !fours.is_empty() {
            if self.recording {
                let completing = fours.cells().map(|cell| vec![cell as Cell]);
                self.sequences.extend(completing);
            }
            return if fours.count() > 1 {
                Survivors::Replies(B::EMPTY)
            } else if self.find_vcf(mine, theirs | fours) {
                self.record();
                Survivors::Replies(B::EMPTY)
            } else {
                Survivors::Replies(fours)
            };
        }
        let defence = self.limits.defence;
        if self.vcf.search(&self.board, theirs, mine, defence) == Vcf::Wins {
            return Survivors::Lost;
        }
        let empty = self.board.all.without(mine | theirs);
        if !self.find_vcf(mine, theirs) {
            return Survivors::Replies(empty);
        }
        self.record();
        let sequence = std::mem::take(&mut self.vcf.sequence);
        let mut left = self.not_refuted(&sequence, mine, theirs, empty);
        self.vcf.sequence = sequence;
        let mut survivors = B::EMPTY;
        while let Some(reply) = left.first() {
            let stone = B::single(reply);
            left = left.without(stone);
            if self.find_vcf(mine, theirs | stone) {
                self.record();
                let sequence = std::mem::take(&mut self.vcf.sequence);
                left = self.not_refuted(&sequence, mine, theirs, left);
                survivors = self.not_refuted(&sequence, mine, theirs, survivors);
                self.vcf.sequence = sequence;
            } else {
                survivors = survivors | stone;
            }
        }
        Survivors::Replies(survivors)
    }

    /// Records the sequence that was found last.
    fn record(&mut self) {
        if self.recording {
            self.sequences.push(self.vcf.sequence.clone());
        }
    }

    /// Returns the replies that a sequence does not refute.
    fn not_refuted(&self, sequence: &[u16], mine: B, theirs: B, replies: B) -> B {
        replies
            .cells()
            .filter(|&reply| !replays(&self.board, sequence, mine, theirs | B::single(reply)))
            .fold(B::EMPTY, |set, cell| set | B::single(cell))
    }

    /// Returns the strategic moves: the block of a defender's four, else every empty cell that makes
    /// no four.
    fn strategic_moves(&self) -> B {
        let (mine, theirs) = (self.attacker, self.defender);
        let blocks = self.board.completing(theirs, mine);
        if !blocks.is_empty() {
            return if blocks.count() == 1 {
                blocks
            } else {
                B::EMPTY
            };
        }
        let mut pairs = Vec::new();
        self.board.pairs(mine, theirs, &mut pairs);
        let fours = pairs.iter().fold(B::EMPTY, |set, pair| set | pair.0);
        self.board.all.without(mine | theirs | fours)
    }

    /// A node of the attacker (OR node).
    fn visit_attacker(&mut self, threshold: Numbers) -> Numbers {
        self.expansions += 1;
        if self.expansions >= self.max_expansions || (self.halt)() {
            self.stopped = true;
        }
        let mut children: Vec<Child> = Vec::new();
        for cell in self.strategic_moves().cells() {
            let key = self.key_with(cell, 0);
            if children.iter().any(|child| child.key == key) {
                continue;
            }
            if !self.table.contains_key(&key) {
                self.toggle(cell, 0);
                self.evaluate();
                self.toggle(cell, 0);
            }
            let numbers = self.table[&key].numbers;
            children.push(Child { cell, key, numbers });
            if numbers.proof == 0 {
                break;
            }
        }
        loop {
            let numbers = or_numbers(&children);
            if numbers.proof == 0
                || numbers.disproof == 0
                || numbers.proof >= threshold.proof
                || numbers.disproof >= threshold.disproof
                || self.stopped
            {
                let key = self.canonical().key;
                self.store(key, numbers, B::EMPTY);
                return numbers;
            }
            let (best, second) = two_least(&children, |numbers| numbers.proof);
            let child = &children[best];
            let limit = Numbers {
                proof: threshold.proof.min(second.saturating_add(1)),
                disproof: (threshold.disproof - numbers.disproof)
                    .saturating_add(child.numbers.disproof)
                    .min(INFINITE),
            };
            self.toggle(child.cell, 0);
            let found = self.visit_defender(limit);
            self.toggle(children[best].cell, 0);
            children[best].numbers = found;
        }
    }

    /// Evaluates a node of the defender for the first time.
    fn evaluate(&mut self) {
        let canonical = self.canonical_for(0);
        match self.survivors() {
            Survivors::Lost => self.store(canonical.key, Numbers::LOST, B::EMPTY),
            Survivors::Replies(replies) if replies.is_empty() => {
                self.store(canonical.key, Numbers::PROVED, B::EMPTY);
            }
            Survivors::Replies(replies) => {
                let images = &self.symmetries[canonical.symmetry];
                let numbers = Numbers {
                    proof: replies.count(),
                    disproof: 1,
                };
                self.store(canonical.key, numbers, image(replies, images));
            }
        }
    }

    /// A node of the defender (AND node).
    fn visit_defender(&mut self, threshold: Numbers) -> Numbers {
        let canonical = self.canonical_for(0);
        let entry = self.table[&canonical.key];
        let replies = image(entry.survivors, &self.inverses[canonical.symmetry]);
        let mut children: Vec<Child> = Vec::new();
        for cell in replies.cells() {
            let key = self.key_with(cell, 1);
            if children.iter().any(|child| child.key == key) {
                continue;
            }
            let numbers = self
                .table
                .get(&key)
                .map_or(Numbers::UNSEEN, |entry| entry.numbers);
            children.push(Child { cell, key, numbers });
        }
        loop {
            let numbers = and_numbers(&children);
            if numbers.proof == 0
                || numbers.disproof == 0
                || numbers.proof >= threshold.proof
                || numbers.disproof >= threshold.disproof
                || self.stopped
            {
                self.store(canonical.key, numbers, entry.survivors);
                return numbers;
            }
            let (best, second) = two_least(&children, |numbers| numbers.disproof);
            let child = &children[best];
            let limit = Numbers {
                proof: (threshold.proof - numbers.proof)
                    .saturating_add(child.numbers.proof)
                    .min(INFINITE),
                disproof: threshold.disproof.min(second.saturating_add(1)),
            };
            self.toggle(child.cell, 1);
            let found = self.visit_attacker(limit);
            self.toggle(children[best].cell, 1);
            children[best].numbers = found;
        }
    }
}

/// Distinguishes the side to move in a key.
#[inline]
fn mark(hash: u64, last: usize) -> u64 {
    if last == 0 {
        hash ^ 0x5555_5555_5555_5555
    } else {
        hash
    }
}

fn inverse(images: &[Cell]) -> Vec<Cell> {
    let mut inverse = vec![0; images.len()];
    for (cell, &image) in images.iter().enumerate() {
        inverse[usize::from(image)] = cell as Cell;
    }
    inverse
}

/// Returns the image of a set under a permutation.
fn image<B: Bits>(set: B, images: &[Cell]) -> B {
    set.cells().fold(B::EMPTY, |out, cell| {
        out | B::single(usize::from(images[cell]))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use papan_rules::{Grid, Player, Wide};

    use super::*;
    use crate::lines::CellSet;
    use crate::state::State;
    use crate::vcf::VcfSearch;

    fn lines(sides: &[usize], length: usize) -> Arc<Lines> {
        let grid = Grid::<Wide>::new(sides, length).expect("a board");
        Arc::new(Lines::new(&grid))
    }

    #[test]
    fn vcf_agrees_with_the_search_on_line_counts() {
        let mut random = SplitMix::new(7);
        let (mut wins, mut fails) = (0, 0);
        for (sides, length, stones) in [(&[4, 4, 4][..], 4, 9), (&[6, 7], 4, 6), (&[8, 8], 5, 13)] {
            let lines = lines(sides, length);
            let board = LineBoard::<u64>::new(&lines);
            let mut fast = FastVcf::new(lines.cells());
            for _ in 0..400 {
                let mut state = State::new(Arc::clone(&lines));
                for at in 0..2 * stones {
                    let empty: Vec<usize> = state.empty().cells().collect();
                    let cell = empty[random.below(empty.len())] as Cell;
                    let side = Player::BOTH[at % 2];
                    if state.completing(side) != Some(cell) {
                        state.put(cell, side);
                    }
                }
                let narrow = |set: CellSet| set.cells().fold(0, |set, cell| set | 1_u64 << cell);
                let [mine, theirs] = Player::BOTH.map(|side| narrow(state.stones(side)));
                if state.has_won(Player::First) || state.has_won(Player::Second) {
                    continue;
                }
                let found = fast.search(&board, mine, theirs, u64::MAX / 2) == Vcf::Wins;
                let slow = VcfSearch::new().win(&mut state, Player::First, u64::MAX / 2);
                assert_eq!(found, slow.is_some(), "{sides:?} {mine:x} {theirs:x}");
                if found {
                    let sequence = fast.sequence.clone();
                    assert!(replays(&board, &sequence, mine, theirs), "{sequence:?}");
                    wins += 1;
                } else {
                    fails += 1;
                }
            }
        }
        assert!(wins > 100 && fails > 100, "{wins} wins, {fails} failures");
    }

    #[test]
    fn wins_of_four_in_a_row_are_found_and_draws_are_not() {
        let prove = |sides: &[usize], to_move: bool| {
            let halt = Box::new(|| false);
            let mut search =
                SurvivorSearch::<u64>::new(&lines(sides, 4), VcfLimits::default(), halt);
            search.set_position(0, 0);
            search.limit_expansions(2_000);
            let proved = search.prove(to_move);
            (proved, search.sequence_proof(to_move).is_some())
        };
        assert_eq!(prove(&[5, 6], true), (true, true));
        assert_eq!(prove(&[6, 7], true), (true, true));
        assert_eq!(prove(&[4, 5], true), (false, false));
        assert_eq!(prove(&[5, 6], false), (false, false));
    }
}
