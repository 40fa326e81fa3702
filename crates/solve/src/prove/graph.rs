//! Line count for any game and strategy.
//!
//! A node is a position with the strategy's own memory. Two levels are in memory at a time; of the
//! others only one line to each node is kept, for strategies that depend on it.

use papan_rules::{Line, Move, Player, Symmetric};
use papan_strategies::StepKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{ProofTask, StrategyInstance, fillings, is_countable};
use crate::ProveError;
use crate::parallel::*;
use crate::proof::Tally;

type Key<G> = (<G as Symmetric>::Packed, u64);

/// A node of a level. Its position is that of its line in [`Steps`].
struct Node {
    /// Number of paths, as high and low half: a `u128` would align the struct to 16 bytes.
    paths: [u64; 2],
    /// Last step of a line to this node.
    step: u32,
}

impl Node {
    fn paths(&self) -> u128 {
        u128::from(self.paths[0]) << 64 | u128::from(self.paths[1])
    }

    fn add(&mut self, paths: u128) {
        let sum = self.paths().saturating_add(paths);
        self.paths = [(sum >> 64) as u64, sum as u64];
    }
}

struct Child<G: Symmetric> {
    mv: Move,
    position: G::Position,
    memory: u64,
}

/// One line of play to each node, as links from its last move backwards.
struct Steps(Vec<Step>);

struct Step {
    mv: Move,
    previous: u32,
}

impl Steps {
    const START: u32 = u32::MAX;

    fn line<G: Symmetric>(&self, game: &G, mut step: u32) -> Line<G> {
        let mut moves = Vec::new();
        while step != Self::START {
            let Step { mv, previous } = self.0[step as usize];
            moves.push(mv);
            step = previous;
        }
        let mut line = Line::new(game);
        for &mv in moves.iter().rev() {
            line.push(game, mv);
        }
        line
    }
}

/// Number of nodes expanded before their children are inserted.
const CHUNK: usize = 1 << 12;
/// Upper limit of the memory, even if more is free.
const MAX_BYTES: usize = 6_000_usize.saturating_mul(1_000_000);

pub(super) fn count<G: Symmetric>(task: &ProofTask<'_, G>) -> Result<Tally, ProveError> {
    count_within(task, max_bytes(task.watch.memory()))
}

/// Returns the memory limit for this much free memory: half of it.
fn max_bytes(mib: usize) -> usize {
    MAX_BYTES.min((mib / 2).saturating_mul(1 << 20))
}

fn count_within<G: Symmetric>(
    task: &ProofTask<'_, G>,
    max_bytes: usize,
) -> Result<Tally, ProveError> {
    let &ProofTask {
        game,
        pool,
        player,
        watch,
    } = task;
    let mut tally = Tally::default();
    let mut steps = Steps(Vec::new());
    // If moves need not fill a cell, a position can occur on several levels.
    let mut seen = (!game.properties().fills_up).then(FxHashSet::default);
    let start = Line::new(game);
    let memory = pool.with(|instance| instance.memory(game, &start));
    let key = (game.pack(start.position()), memory);
    let first = Node {
        paths: [0, 1],
        step: Steps::START,
    };
    let mut level: FxHashMap<Key<G>, Node> = FxHashMap::default();
    level.insert(key, first);
    let mut ply = 0;
    while !level.is_empty() {
        watch.begin_step(ply, StepKind::Positions, level.len() as u64);
        let new = match &mut seen {
            Some(seen) => level.keys().filter(|&&key| seen.insert(key)).count(),
            None => level.len(),
        };
        tally.positions += new as u64;
        ply += 1;
        let nodes: Vec<Node> = level.into_values().collect();
        level = FxHashMap::default();
        let (held, nodes_bytes) = (nodes.len(), size_of_val(&nodes[..]));
        for nodes in nodes.chunks(CHUNK) {
            let children = nodes
                .par_iter()
                .map(|node| pool.with(|instance| children(game, player, node, &steps, instance)))
                .collect::<Result<Vec<_>, _>>()?;
            watch.check_stop()?;
            let more = children.iter().map(Vec::len).sum();
            let seen_bytes = seen.as_ref().map_or(0, FxHashSet::capacity) * size_of::<Key<G>>();
            let other_bytes = nodes_bytes + size_of_val(&steps.0[..]) + seen_bytes;
            if table_bytes::<G>(&level, more) + other_bytes > max_bytes {
                return Err(ProveError::TooLarge {
                    positions: level.len() + held,
                    mib: max_bytes >> 20,
                });
            }
            watch.advance(nodes.len() as u64, nodes.len() as u64);
            for (node, children) in nodes.iter().zip(children) {
                for child in children {
                    if let Some(outcome) = game.outcome(&child.position) {
                        tally.end(outcome.value_for(player), node.paths(), ply);
                        continue;
                    }
                    if pool.is_positional() && is_countable(game, &child.position) {
                        let empty = game.legal_moves(&child.position).count();
                        let theirs = game.turn(&child.position) != player;
                        let ways = fillings(empty, theirs);
                        tally.end(0, node.paths().saturating_mul(ways), ply + empty);
                        continue;
                    }
                    let key = (game.pack(&child.position), child.memory);
                    let next = level.entry(key).or_insert_with(|| {
                        steps.0.push(Step {
                            mv: child.mv,
                            previous: node.step,
                        });
                        Node {
                            paths: [0, 0],
                            step: steps.0.len() as u32 - 1,
                        }
                    });
                    next.add(node.paths());
                }
            }
        }
    }
    Ok(tally)
}

/// Returns the memory that a level may need while `more` nodes are inserted: when a table grows,
/// the old one and one of twice its size exist at once.
fn table_bytes<G: Symmetric>(level: &FxHashMap<Key<G>, Node>, more: usize) -> usize {
    let grows = level.len() + more > level.capacity();
    let tables = if grows { 3 } else { 1 };
    // The load factor is at most 7/8, and each slot has a control byte.
    let slot = size_of::<(Key<G>, Node)>() + 1;
    tables * (level.capacity() * slot * 8 / 7)
}

/// Returns the children of a node.
fn children<G: Symmetric>(
    game: &G,
    player: Player,
    node: &Node,
    steps: &Steps,
    instance: &mut StrategyInstance<G>,
) -> Result<Vec<Child<G>>, ProveError> {
    let line = steps.line(game, node.step);
    let moves: Vec<Move> = if game.turn(line.position()) == player {
        instance.answer(game, &line)?.to_vec()
    } else {
        game.legal_moves(line.position()).collect()
    };
    let child = |mv| {
        let mut line = line.clone();
        line.push(game, mv);
        Child {
            mv,
            memory: instance.memory(game, &line),
            position: line.position().clone(),
        }
    };
    Ok(moves.into_iter().map(child).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::StrategyPool;
    use papan_rules::Grid;
    use papan_strategies::{BranchAndBound, Strategy, Watch};

    #[test]
    fn a_graph_is_refused_before_it_exceeds_the_memory_limit() {
        let game = Grid::<u64>::new(&[3, 4], 3).unwrap();
        let watch = Watch::default();
        let factory = || -> Box<dyn Strategy<Grid<u64>>> { Box::new(BranchAndBound::default()) };
        let task = ProofTask {
            game: &game,
            pool: &StrategyPool::new(&factory, &watch.stop).unwrap(),
            player: Player::Second,
            watch: &watch,
        };
        let Err(ProveError::TooLarge {
            positions: held, ..
        }) = count_within(&task, 20_000)
        else {
            panic!("it fits into less than it takes");
        };
        assert!(held * size_of::<Node>() < 20_000, "{held}");
        assert_eq!(max_bytes(4_096), 2 << 30);
        assert_eq!(max_bytes(usize::MAX), MAX_BYTES);
        let packed = crate::prove::packed::count(&task).unwrap();
        let graph = count_within(&task, MAX_BYTES).unwrap();
        assert_eq!(graph.lines(), packed.lines());
    }
}
