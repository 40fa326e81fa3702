//! Line count for positional strategies on boards of at most 32 cells whose stones never change.
//!
//! A node is a position with the opponent to move, packed into one word: the strategy's cells in the
//! high half, the opponent's in the low half. A level is sorted by this word, so nodes with the same
//! cells of the strategy are adjacent. The opponent's moves do not change those cells; the positions
//! after them are therefore merged and answered group by group, and the larger half of the graph is
//! never in memory.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use papan_rules::{Line, Player, Symmetric};
use papan_strategies::StepKind;

use super::{ProofTask, StrategyInstance, fillings, is_countable};
use crate::ProveError;
use crate::parallel::*;
use crate::proof::Tally;

/// A packed position and the number of paths to it. 64 bits suffice: on 32 cells there are fewer
/// than 2^61 paths.
#[derive(Clone, Copy, Debug)]
struct Node {
    word: u64,
    paths: u64,
}

impl Node {
    /// The empty board.
    const START: Self = Self { word: 0, paths: 1 };
}

/// Number of shards of a level. Nodes are assigned by the strategy's cells, so that groups stay
/// together.
const SHARDS: usize = 256;
/// Maximum number of nodes of a level; 5x5 has at most 47 million.
const MAX_NODES: usize = 300_000_000;
/// Memory per node: once in its level, twice in the next one while a vector grows.
const NODE_BYTES: usize = 3 * size_of::<Node>();
/// Number of nodes that a thread collects before it locks a shard.
const BATCH: usize = 128;

pub(super) fn count<G: Symmetric>(task: &ProofTask<'_, G>) -> Result<Tally, ProveError> {
    count_within(task, max_nodes(task.watch.memory()))
}

/// Returns the node limit of a level for this much free memory.
fn max_nodes(mib: usize) -> usize {
    MAX_NODES.min(mib.saturating_mul((1 << 20) / NODE_BYTES))
}

fn count_within<G: Symmetric>(
    task: &ProofTask<'_, G>,
    max_nodes: usize,
) -> Result<Tally, ProveError> {
    let &ProofTask {
        game,
        pool,
        player,
        watch,
    } = task;
    let board = PackedBoard { game, player };
    let next = Level::new(max_nodes);
    let mut tally = Tally::default();
    if player == Player::First {
        tally.positions += 1;
        pool.with(|instance| {
            let mut outbox = Outbox::new(&next);
            board.answer(Node::START, instance, &mut tally, &mut outbox)?;
            outbox.flush();
            Ok::<(), ProveError>(())
        })?;
    } else {
        next.append(0, &mut vec![Node::START]);
    }
    let mut level = next.finish();
    while level.iter().any(|shard| !shard.is_empty()) {
        let nodes: usize = level.iter().map(Vec::len).sum();
        let first = level.iter().flatten().next();
        let ply = first.map_or(0, |node| plies(node.word));
        watch.begin_step(ply, StepKind::Positions, nodes as u64);
        tally.positions += nodes as u64;
        watch.advance(0, nodes as u64);
        let next = Level::new(max_nodes);
        let counted: Vec<Tally> = level
            .into_par_iter()
            .filter(|shard| !shard.is_empty())
            .map(|shard| pool.with(|instance| board.expand(&shard, instance, &next, task)))
            .collect::<Result<_, _>>()?;
        for shard in &counted {
            tally.merge(shard);
        }
        level = next.finish();
    }
    Ok(tally)
}

fn plies(word: u64) -> usize {
    word.count_ones() as usize
}

/// The game seen by one player, on packed positions.
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
            .expect("a game with marks has a position for them")
    }

    /// Plays all moves of the opponent and the answers to them.
    fn expand(
        &self,
        shard: &[Node],
        instance: &mut StrategyInstance<G>,
        next: &Level,
        task: &ProofTask<'_, G>,
    ) -> Result<Tally, ProveError> {
        let cells = (1_u64 << self.game.cells()) - 1;
        let mut tally = Tally::default();
        let mut outbox = Outbox::new(next);
        let mut replies: Vec<Node> = Vec::new();
        for group in shard.chunk_by(|a, b| a.word >> 32 == b.word >> 32) {
            task.watch.check_stop()?;
            if next.nodes.load(Ordering::Relaxed) > next.max_nodes {
                return Err(ProveError::TooLarge {
                    positions: next.max_nodes,
                    mib: next.max_nodes.saturating_mul(NODE_BYTES) >> 20,
                });
            }
            replies.clear();
            for &Node { word, paths } in group {
                let mut empty = cells & !(word | word >> 32);
                while empty != 0 {
                    let cell = empty & empty.wrapping_neg();
                    empty ^= cell;
                    replies.push(Node {
                        word: word | cell,
                        paths,
                    });
                }
            }
            merge_equal(&mut replies);
            let before = tally.positions;
            for &node in &replies {
                if !self.count_finished(node, &self.position(node.word), false, &mut tally) {
                    tally.positions += 1;
                    self.answer(node, instance, &mut tally, &mut outbox)?;
                }
            }
            task.watch
                .advance(group.len() as u64, tally.positions - before);
        }
        outbox.flush();
        Ok(tally)
    }

    /// Plays the strategy's move.
    fn answer(
        &self,
        Node { word, paths }: Node,
        instance: &mut StrategyInstance<G>,
        tally: &mut Tally,
        outbox: &mut Outbox<'_>,
    ) -> Result<(), ProveError> {
        let line = Line::from_position(self.position(word));
        let &[mv] = instance.answer(self.game, &line)? else {
            unreachable!("a positional strategy has one move per position");
        };
        let pos = self.game.after(line.position(), mv);
        let cell = mv.cell().expect("a move places a stone on a cell");
        let node = Node {
            word: word | 1 << (cell + 32),
            paths,
        };
        if !self.count_finished(node, &pos, true, tally) {
            outbox.post(node);
        }
        Ok(())
    }

    /// Counts the lines through a finished or dead position; returns whether it is one.
    fn count_finished(
        &self,
        Node { word, paths }: Node,
        pos: &G::Position,
        opponent_moves: bool,
        tally: &mut Tally,
    ) -> bool {
        if let Some(outcome) = self.game.outcome(pos) {
            if outcome.winner() == Some(self.player.other()) {
                tally.add_lost(word, plies(word));
            }
            tally.end(outcome.value_for(self.player), paths.into(), plies(word));
            return true;
        }
        if is_countable(self.game, pos) {
            let cells = self.game.cells();
            let ways = fillings(cells - plies(word), opponent_moves);
            tally.end(0, u128::from(paths) * ways, cells);
            return true;
        }
        false
    }
}

/// The next level while threads add to it.
struct Level {
    shards: Vec<Mutex<Shard>>,
    nodes: AtomicUsize,
    max_nodes: usize,
}

#[derive(Default)]
struct Shard {
    nodes: Vec<Node>,
    /// Number of nodes after the last merge.
    merged: usize,
}

impl Level {
    fn new(max_nodes: usize) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            nodes: AtomicUsize::new(0),
            max_nodes,
        }
    }

    fn append(&self, shard: usize, batch: &mut Vec<Node>) {
        let mut shard = self.shards[shard]
            .lock()
            .expect("no thread panics while it holds a shard");
        self.nodes.fetch_add(batch.len(), Ordering::Relaxed);
        shard.nodes.append(batch);
        // Merge whenever a shard has doubled, to keep it near its final size.
        if shard.nodes.len() > 2 * shard.merged.max(4096) {
            let before = shard.nodes.len();
            merge_equal(&mut shard.nodes);
            shard.merged = shard.nodes.len();
            self.nodes
                .fetch_sub(before - shard.merged, Ordering::Relaxed);
        }
    }

    /// Returns the nodes of each shard, sorted and merged.
    fn finish(self) -> Vec<Vec<Node>> {
        self.shards
            .into_par_iter()
            .map(|shard| {
                let shard = shard
                    .into_inner()
                    .expect("no thread panics while it holds a shard");
                let mut nodes = shard.nodes;
                merge_equal(&mut nodes);
                nodes.shrink_to_fit();
                nodes
            })
            .collect()
    }
}

/// Batches of one thread for the shards of the next level.
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
        // Fibonacci hashing: an odd multiplier near 2^32 / φ spreads the sets of cells.
        let mixed = ((node.word >> 32) as u32).wrapping_mul(0x9e37_79b1);
        let shard = (mixed >> 24) as usize;
        let batch = &mut self.batches[shard];
        batch.push(node);
        if batch.len() >= BATCH {
            self.level.append(shard, batch);
        }
    }

    fn flush(&mut self) {
        for (shard, batch) in self.batches.iter_mut().enumerate() {
            if !batch.is_empty() {
                self.level.append(shard, batch);
            }
        }
    }
}

/// Sorts nodes and adds up the paths of equal positions.
fn merge_equal(nodes: &mut Vec<Node>) {
    nodes.sort_unstable_by_key(|node| node.word);
    nodes.dedup_by(|later, kept| {
        let same = later.word == kept.word;
        if same {
            kept.paths += later.paths;
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::StrategyPool;
    use papan_rules::Grid;
    use papan_strategies::{BranchAndBound, Strategy, Watch};

    #[test]
    fn a_level_is_refused_before_it_exceeds_the_memory() {
        let game = Grid::<u64>::new(&[4, 4], 4).unwrap();
        let watch = Watch::default();
        let factory = || -> Box<dyn Strategy<Grid<u64>>> { Box::new(BranchAndBound::default()) };
        let task = ProofTask {
            game: &game,
            pool: &StrategyPool::new(&factory, &watch.stop).unwrap(),
            player: Player::Second,
            watch: &watch,
        };
        let refused = ProveError::TooLarge {
            positions: 1_000,
            mib: 0,
        };
        assert_eq!(count_within(&task, 1_000), Err(refused));
        assert!(count_within(&task, MAX_NODES).is_ok());
        // 5x5 needs more than one and less than four gigabytes.
        assert!(max_nodes(4 << 10) > 47_000_000);
        assert!(max_nodes(1 << 10) < 47_000_000);
    }
}
