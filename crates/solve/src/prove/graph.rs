//! Counting for any game and any strategy.
//!
//! A node is a position with what the strategy remembers. A level holds the nodes
//! that are so many moves away; two levels are alive at a time, and of the others
//! only the moves of one line to each node, for strategies that want to see it.

use papan_rules::{Line, Move, Player, Symmetric};
use papan_strategies::{StepKind, Watch};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Instance, Pool, fillings, is_countable};
use crate::ProveError;
use crate::proof::Tally;

type Key<G> = (<G as Symmetric>::Packed, u64);

/// A position of a level. The line of play that leads to it is in [`Steps`], and with it
/// the position.
struct Node {
    /// The number of ways that lead here, in halves: whole, it would be aligned to more
    /// memory than it takes.
    paths: [u64; 2],
    /// The last move of a line that leads here.
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

/// One line of play to each node: its last move, and where it came from.
struct Steps(Vec<(u32, Move)>);

impl Steps {
    const START: u32 = u32::MAX;

    fn line<G: Symmetric>(&self, game: &G, mut step: u32) -> Line<G> {
        let mut moves = Vec::new();
        while step != Self::START {
            let (before, mv) = self.0[step as usize];
            moves.push(mv);
            step = before;
        }
        let mut line = Line::new(game);
        for &mv in moves.iter().rev() {
            line.push(game, mv);
        }
        line
    }
}

/// How many nodes are answered before their children are gathered.
const CHUNK: usize = 1 << 12;
/// What all that is held may take, however much is free.
const MOST_BYTES: usize = 6_000_usize.saturating_mul(1_000_000);

pub(super) fn count<G: Symmetric>(
    game: &G,
    pool: &Pool<'_, G>,
    player: Player,
    watch: &Watch,
) -> Result<Tally, ProveError> {
    count_within(game, pool, player, watch, most_bytes(watch.memory()))
}

/// What may be held where so much memory is free: half of it.
fn most_bytes(mib: usize) -> usize {
    MOST_BYTES.min((mib / 2).saturating_mul(1 << 20))
}

fn count_within<G: Symmetric>(
    game: &G,
    pool: &Pool<'_, G>,
    player: Player,
    watch: &Watch,
    most_bytes: usize,
) -> Result<Tally, ProveError> {
    let mut tally = Tally::default();
    let mut steps = Steps(Vec::new());
    // Where a move need not fill a cell, one position can be several numbers of
    // moves away.
    let mut seen = (!game.properties().fills_up).then(FxHashSet::default);
    let start = Line::new(game);
    let memory = pool.with(|worker| worker.memory(game, &start));
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
                .map(|node| pool.with(|worker| children(game, player, node, &steps, worker)))
                .collect::<Result<Vec<_>, _>>()?;
            watch.check_stop()?;
            let more = children.iter().map(Vec::len).sum();
            let known = seen.as_ref().map_or(0, FxHashSet::capacity) * size_of::<Key<G>>();
            let beside = nodes_bytes + size_of_val(&steps.0[..]) + known;
            if table_bytes::<G>(&level, more) + beside > most_bytes {
                return Err(ProveError::TooLarge {
                    positions: level.len() + held,
                    mib: most_bytes >> 20,
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
                        steps.0.push((node.step, child.mv));
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

/// What a level may take while so many more nodes come in: when a table grows, the old one
/// and one of twice its size are there at once.
fn table_bytes<G: Symmetric>(level: &FxHashMap<Key<G>, Node>, more: usize) -> usize {
    let tables = match level.len() + more > level.capacity() {
        true => 3,
        false => 1,
    };
    // An eighth of a table stays free, and a byte for each place tells what is there.
    let place = size_of::<(Key<G>, Node)>() + 1;
    tables * (level.capacity() * place * 8 / 7)
}

/// Every move that can be made at a node, and where it leads.
fn children<G: Symmetric>(
    game: &G,
    player: Player,
    node: &Node,
    steps: &Steps,
    worker: &mut Instance<G>,
) -> Result<Vec<Child<G>>, ProveError> {
    let line = steps.line(game, node.step);
    let moves: Vec<Move> = if game.turn(line.position()) == player {
        worker.answer(game, &line)?.to_vec()
    } else {
        game.legal_moves(line.position()).collect()
    };
    let child = |mv| {
        let mut line = line.clone();
        line.push(game, mv);
        Child {
            mv,
            memory: worker.memory(game, &line),
            position: line.position().clone(),
        }
    };
    Ok(moves.into_iter().map(child).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::Grid;
    use papan_strategies::{BranchAndBound, Strategy};

    #[test]
    fn a_graph_is_refused_before_it_takes_more_memory_than_it_may() {
        let game = Grid::<u64>::new(&[3, 4], 3).unwrap();
        let watch = Watch::default();
        let factory = || -> Box<dyn Strategy<Grid<u64>>> { Box::new(BranchAndBound) };
        let pool = Pool::new(&factory, &watch.stop).unwrap();
        let count = |most| count_within(&game, &pool, Player::Second, &watch, most);
        let Err(ProveError::TooLarge {
            positions: held, ..
        }) = count(20_000)
        else {
            panic!("it fits into less than it takes");
        };
        // Fewer positions were held than fit into so much memory.
        assert!(held * size_of::<Node>() < 20_000, "{held}");
        assert_eq!(most_bytes(4_096), 2 << 30);
        assert_eq!(most_bytes(usize::MAX), MOST_BYTES);
        let whole = super::super::packed::count(&game, &pool, Player::Second, &watch);
        let graph = count(MOST_BYTES).unwrap();
        assert_eq!(graph.lines(), whole.unwrap().lines());
    }
}
