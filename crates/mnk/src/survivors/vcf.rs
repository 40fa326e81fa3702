//! VCF search on bit sets, with a small table that stays in the cache.
//!
//! The attacker's fours are pairs of cells: the move, and the reply it forces. A node keeps the list
//! of pairs and updates it for each four instead of scanning the board. Where two pairs share a cell,
//! a stone there leaves two completing cells. The table keeps failures and winning moves by a plain
//! hash across calls; with a mebibyte it stays in the second-level cache, which is worth more than
//! a larger table.

use papan_rules::Bits;

use super::board::{LineBoard, Pair};

/// Number of entries of the table.
const TABLE_SIZE: usize = 1 << 16;

/// The outcome of a VCF search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vcf {
    /// The attacker wins; the sequence is in [`FastVcf::sequence`].
    Wins,
    /// There is no VCF.
    Fails,
    /// The node limit was reached.
    Unknown,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    /// 0 for a failure, else the winning cell plus one.
    best: u16,
}

/// A VCF search with its table.
#[derive(Debug)]
pub(crate) struct FastVcf<B> {
    table: Vec<Entry>,
    nodes: u64,
    limit: u64,
    /// The attacker's cells of the last win, in order.
    pub(crate) sequence: Vec<u16>,
    /// Zobrist keys by cell and side.
    keys: Vec<[u64; 2]>,
    /// Pair lists by depth, reused.
    lists: Vec<Vec<Pair<B>>>,
}

/// A position of the search, with its Zobrist hash.
#[derive(Clone, Copy)]
struct Stones<B> {
    mine: B,
    theirs: B,
    hash: u64,
}

impl<B: Bits> FastVcf<B> {
    pub(crate) fn new(cells: usize) -> Self {
        let mut random = papan_rules::SplitMix::new(0x0dd5);
        Self {
            table: vec![Entry::default(); TABLE_SIZE],
            nodes: 0,
            limit: 0,
            sequence: Vec::new(),
            keys: (0..cells).map(|_| [random.next(), random.next()]).collect(),
            lists: Vec::new(),
        }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches a VCF of `mine`, who is to move, with at most `limit` nodes.
    pub(crate) fn search(&mut self, board: &LineBoard<B>, mine: B, theirs: B, limit: u64) -> Vcf {
        self.limit = self.nodes + limit;
        self.sequence.clear();
        let own = board.completing(mine, theirs);
        if let Some(cell) = own.first() {
            self.sequence.push(cell as u16);
            return Vcf::Wins;
        }
        let blocks = board.completing(theirs, mine);
        if blocks.count() > 1 {
            return Vcf::Fails;
        }
        let mut hash = 0;
        for (side, set) in [mine, theirs].into_iter().enumerate() {
            for cell in set.cells() {
                hash ^= self.keys[cell][side];
            }
        }
        if self.lists.is_empty() {
            self.lists.push(Vec::new());
        }
        let mut pairs = std::mem::take(&mut self.lists[0]);
        board.pairs(mine, theirs, &mut pairs);
        let stones = Stones { mine, theirs, hash };
        let result = self.node(board, stones, &pairs, blocks, 1);
        self.lists[0] = pairs;
        if result == Vcf::Wins {
            self.sequence.reverse();
        }
        result
    }

    /// `blocks` is the cell that the attacker must take, if any.
    fn node(
        &mut self,
        board: &LineBoard<B>,
        stones: Stones<B>,
        pairs: &[Pair<B>],
        blocks: B,
        depth: usize,
    ) -> Vcf {
        let Stones { mine, theirs, hash } = stones;
        self.nodes += 1;
        // A shared cell wins at once.
        let mut once = B::EMPTY;
        let mut twice = B::EMPTY;
        for pair in pairs {
            twice = twice | (once & pair.0);
            once = once | pair.0;
        }
        if !blocks.is_empty() {
            once = once & blocks;
            twice = twice & blocks;
        }
        if let Some(cell) = twice.first() {
            self.sequence.push(cell as u16);
            return Vcf::Wins;
        }
        if once.is_empty() {
            return Vcf::Fails;
        }
        if self.nodes >= self.limit {
            return Vcf::Unknown;
        }
        let slot = hash as usize % TABLE_SIZE;
        let entry = self.table[slot];
        let mut first = None;
        if entry.key == hash {
            if entry.best == 0 {
                return Vcf::Fails;
            }
            first = Some(usize::from(entry.best - 1));
        }
        if self.lists.len() <= depth {
            self.lists.push(Vec::new());
        }
        let mut result = Vcf::Fails;
        let mut left = once;
        while let Some(cell) = first
            .take()
            .filter(|&cell| left.contains(cell))
            .or_else(|| left.first())
        {
            left = left.without(B::single(cell));
            // No cell is on two pairs here, so the reply is unique.
            let Some(pair) = pairs.iter().find(|pair| pair.0.contains(cell)) else {
                continue;
            };
            let stone = B::single(cell);
            let reply = pair.0.without(stone);
            let reply_cell = reply.first().expect("a pair has two cells");
            let (mine, theirs) = (mine | stone, theirs | reply);
            let blocks = board.completing_through(reply_cell, theirs, mine);
            if blocks.count() > 1 {
                continue;
            }
            let mut next = std::mem::take(&mut self.lists[depth]);
            next.clear();
            let taken = stone | reply;
            next.extend(pairs.iter().filter(|pair| !pair.0.meets(taken)));
            for &mask in board.through(cell) {
                board.push_pair(mask, mine, theirs, &mut next);
            }
            let child = Stones {
                mine,
                theirs,
                hash: hash ^ self.keys[cell][0] ^ self.keys[reply_cell][1],
            };
            let found = self.node(board, child, &next, blocks, depth + 1);
            self.lists[depth] = next;
            match found {
                Vcf::Wins => {
                    self.sequence.push(cell as u16);
                    self.table[slot] = Entry {
                        key: hash,
                        best: cell as u16 + 1,
                    };
                    return Vcf::Wins;
                }
                Vcf::Unknown => {
                    result = Vcf::Unknown;
                    break;
                }
                Vcf::Fails => {}
            }
        }
        if result == Vcf::Fails {
            self.table[slot] = Entry { key: hash, best: 0 };
        }
        result
    }
}

/// Replays a sequence of fours by the rules: the defender's replies are forced, and a line that he
/// threatens to complete must be blocked by the attacker's next move. Returns whether it wins.
pub(crate) fn replays<B: Bits>(board: &LineBoard<B>, sequence: &[u16], mine: B, theirs: B) -> bool {
    let (mut mine, mut theirs) = (mine, theirs);
    let mut blocks = board.completing(theirs, mine);
    for &cell in sequence {
        let cell = usize::from(cell);
        if mine.contains(cell) || theirs.contains(cell) {
            return false;
        }
        let stone = B::single(cell);
        if board.completing_through(cell, mine, theirs).contains(cell) {
            return true;
        }
        if !stone.covers(blocks) {
            return false;
        }
        mine = mine | stone;
        let completing = board.completing_through(cell, mine, theirs);
        match completing.count() {
            0 => return false,
            1 => {
                let reply = completing.first().expect("one cell");
                theirs = theirs | completing;
                blocks = board.completing_through(reply, theirs, mine);
            }
            _ => return true,
        }
    }
    false
}
