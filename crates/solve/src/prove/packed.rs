//! Counting for strategies that are functions of the position, on boards of at
//! most 32 cells whose marks never change.
//!
//! A node is a position with the opponent to move, in one word: the strategy's
//! cells above, the opponent's below. A level is sorted by it, and so the nodes
//! that share the strategy's cells lie together. An opponent's move leaves those
//! cells as they are: whatever positions arise from one such group arise from it
//! alone. They are merged, answered and forgotten group by group, and the larger
//! half of the graph is never held.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use papan_rules::{Line, Player, Symmetric};
use papan_strategies::{StepKind, Watch};
use rayon::prelude::*;

use super::{Instance, Pool, fillings, is_countable};
use crate::ProveError;
use crate::proof::Tally;

/// A position in one word and the number of ways that lead to it. A word is
/// enough: on 32 cells there are fewer than 2^61 of them.
type Node = (u64, u64);

/// Nodes are dealt out by the strategy's cells, so that groups stay together.
const SHARDS: usize = 256;
/// Nodes that a level may have. 5x5 has 47 million at most.
const MOST_NODES: usize = 300_000_000;
/// What a node may take: once in its level, twice in the next while a list grows.
const BYTES: usize = 3 * size_of::<Node>();
/// Nodes that a thread gathers before it hands them over.
const BATCH: usize = 128;

pub(super) fn count<G: Symmetric>(
    game: &G,
    pool: &Pool<'_, G>,
    player: Player,
    watch: &Watch,
) -> Result<Tally, ProveError> {
    count_within(game, pool, player, watch, most_nodes(watch.memory()))
}

/// Nodes that a level may have where so much memory is free.
fn most_nodes(mib: usize) -> usize {
    MOST_NODES.min(mib.saturating_mul((1 << 20) / BYTES))
}

fn count_within<G: Symmetric>(
    game: &G,
    pool: &Pool<'_, G>,
    player: Player,
    watch: &Watch,
    most: usize,
) -> Result<Tally, ProveError> {
    let board = PackedBoard { game, player };
    let next = Level::within(most);
    let mut tally = Tally::default();
    if player == Player::First {
        tally.positions += 1;
        pool.with(|worker| {
            let mut outbox = Outbox::new(&next);
            board.answer((0, 1), worker, &mut tally, &mut outbox)?;
            outbox.flush();
            Ok::<(), ProveError>(())
        })?;
    } else {
        next.take(0, &mut vec![(0, 1)]);
    }
    let mut level = next.finish();
    while level.iter().any(|shard| !shard.is_empty()) {
        let nodes: usize = level.iter().map(Vec::len).sum();
        let ply = level
            .iter()
            .flatten()
            .next()
            .map_or(0, |node| plies(node.0));
        watch.begin_step(ply, StepKind::Positions, nodes as u64);
        tally.positions += nodes as u64;
        watch.advance(0, nodes as u64);
        let next = Level::within(most);
        let counted = level
            .into_par_iter()
            .filter(|shard| !shard.is_empty())
            .map(|shard| pool.with(|worker| board.expand(&shard, worker, &next, watch)))
            .try_reduce(Tally::default, |mut a, b| {
                a.merge(&b);
                Ok(a)
            })?;
        tally.merge(&counted);
        level = next.finish();
    }
    Ok(tally)
}

fn plies(word: u64) -> usize {
    word.count_ones() as usize
}

/// The game as one player sees it, in words: the strategy's cells above, the
/// opponent's below.
pub(super) struct PackedBoard<'a, G> {
    pub(super) game: &'a G,
    pub(super) player: Player,
}

impl<G: Symmetric> PackedBoard<'_, G> {
    pub(super) fn position(&self, word: u64) -> G::Position {
        let (mine, theirs) = ((word >> 32) as u32, word as u32);
        let marks = match self.player {
            Player::First => [mine, theirs],
            Player::Second => [theirs, mine],
        };
        self.game
            .position_of_marks(marks)
            .expect("a game with marks leads back from them")
    }

    /// Plays all moves of the opponent and the answers to them.
    fn expand(
        &self,
        shard: &[Node],
        worker: &mut Instance<G>,
        next: &Level,
        watch: &Watch,
    ) -> Result<Tally, ProveError> {
        let cells = (1_u64 << self.game.cells()) - 1;
        let mut tally = Tally::default();
        let mut outbox = Outbox::new(next);
        let mut replies: Vec<Node> = Vec::new();
        for group in shard.chunk_by(|a, b| a.0 >> 32 == b.0 >> 32) {
            watch.check_stop()?;
            if next.nodes.load(Ordering::Relaxed) > next.most {
                return Err(ProveError::TooLarge {
                    positions: next.most,
                    mib: next.most.saturating_mul(BYTES) >> 20,
                });
            }
            replies.clear();
            for &(word, paths) in group {
                let mut empty = cells & !(word | word >> 32);
                while empty != 0 {
                    let cell = empty & empty.wrapping_neg();
                    empty ^= cell;
                    replies.push((word | cell, paths));
                }
            }
            merge_equal(&mut replies);
            let before = tally.positions;
            for &node in &replies {
                self.look(node, worker, &mut tally, &mut outbox)?;
            }
            watch.advance(group.len() as u64, tally.positions - before);
        }
        outbox.flush();
        Ok(tally)
    }

    /// Looks at a position in which the strategy is to move.
    fn look(
        &self,
        (word, paths): Node,
        worker: &mut Instance<G>,
        tally: &mut Tally,
        outbox: &mut Outbox<'_>,
    ) -> Result<(), ProveError> {
        let pos = self.position(word);
        if let Some(outcome) = self.game.outcome(&pos) {
            if outcome.winner() == Some(self.player.other()) {
                tally.keep_lost(word, plies(word));
            }
            tally.end(outcome.value_for(self.player), paths.into(), plies(word));
        } else if is_countable(self.game, &pos) {
            self.fill(word, paths, false, tally);
        } else {
            tally.positions += 1;
            self.answer((word, paths), worker, tally, outbox)?;
        }
        Ok(())
    }

    /// Plays the strategy's answer.
    fn answer(
        &self,
        (word, paths): Node,
        worker: &mut Instance<G>,
        tally: &mut Tally,
        outbox: &mut Outbox<'_>,
    ) -> Result<(), ProveError> {
        let line = Line::from_position(self.position(word));
        let &[mv] = worker.answer(self.game, &line)? else {
            unreachable!("a function of the position has one value");
        };
        let pos = self.game.after(line.position(), mv);
        let cell = mv.cell().expect("marks are put on cells");
        let word = word | 1 << (cell + 32);
        if let Some(outcome) = self.game.outcome(&pos) {
            tally.end(outcome.value_for(self.player), paths.into(), plies(word));
        } else if is_countable(self.game, &pos) {
            self.fill(word, paths, true, tally);
        } else {
            outbox.post((word, paths));
        }
        Ok(())
    }

    fn fill(&self, word: u64, paths: u64, opponent_moves: bool, tally: &mut Tally) {
        let cells = self.game.cells();
        let ways = fillings(cells - plies(word), opponent_moves);
        tally.end(0, u128::from(paths) * ways, cells);
    }
}

/// The nodes of the next level as they come in.
struct Level {
    shards: Vec<Mutex<Shard>>,
    nodes: AtomicUsize,
    /// Nodes that it may have.
    most: usize,
}

#[derive(Default)]
struct Shard {
    nodes: Vec<Node>,
    /// How many were left when they were merged last.
    merged: usize,
}

impl Level {
    fn within(most: usize) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            nodes: AtomicUsize::new(0),
            most,
        }
    }

    fn take(&self, shard: usize, batch: &mut Vec<Node>) {
        let mut shard = self.shards[shard].lock().expect("no worker panics");
        self.nodes.fetch_add(batch.len(), Ordering::Relaxed);
        shard.nodes.append(batch);
        // Merging now and then keeps a level little larger than it will be.
        if shard.nodes.len() > 2 * shard.merged.max(4096) {
            let before = shard.nodes.len();
            merge_equal(&mut shard.nodes);
            shard.merged = shard.nodes.len();
            self.nodes
                .fetch_sub(before - shard.merged, Ordering::Relaxed);
        }
    }

    /// The finished level.
    fn finish(self) -> Vec<Vec<Node>> {
        self.shards
            .into_par_iter()
            .map(|shard| {
                let mut nodes = shard.into_inner().expect("no worker panics").nodes;
                merge_equal(&mut nodes);
                nodes.shrink_to_fit();
                nodes
            })
            .collect()
    }
}

/// What one thread has for the shards of the next level.
struct Outbox<'a> {
    level: &'a Level,
    batches: Vec<Vec<Node>>,
}

impl<'a> Outbox<'a> {
    fn new(level: &'a Level) -> Self {
        Self {
            level,
            batches: vec![Vec::new(); SHARDS],
        }
    }

    fn post(&mut self, node: Node) {
        // Multiplying by an odd number near 2^32 / phi spreads the sets of cells.
        let mixed = ((node.0 >> 32) as u32).wrapping_mul(0x9e37_79b1);
        let shard = (mixed >> 24) as usize;
        let batch = &mut self.batches[shard];
        batch.push(node);
        if batch.len() >= BATCH {
            self.level.take(shard, batch);
        }
    }

    fn flush(&mut self) {
        for (shard, batch) in self.batches.iter_mut().enumerate() {
            if !batch.is_empty() {
                self.level.take(shard, batch);
            }
        }
    }
}

/// Sorts nodes and adds up those that are the same position.
fn merge_equal(nodes: &mut Vec<Node>) {
    nodes.sort_unstable_by_key(|node| node.0);
    nodes.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 += later.1;
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::Grid;
    use papan_strategies::{BranchAndBound, Strategy};

    #[test]
    fn a_level_is_refused_before_it_takes_more_memory_than_there_is() {
        let game = Grid::<u64>::new(&[4, 4], 4).unwrap();
        let watch = Watch::default();
        let factory = || -> Box<dyn Strategy<Grid<u64>>> { Box::new(BranchAndBound) };
        let pool = Pool::new(&factory, &watch.stop).unwrap();
        let count = |most| count_within(&game, &pool, Player::Second, &watch, most);
        let refused = ProveError::TooLarge {
            positions: 1_000,
            mib: 0,
        };
        assert_eq!(count(1_000), Err(refused));
        assert!(count(MOST_NODES).is_ok());
        // 5x5 goes through with four gigabytes, and not with one.
        assert!(most_nodes(4 << 10) > 47_000_000);
        assert!(most_nodes(1 << 10) < 47_000_000);
    }
}
