//! Counting for any game and any strategy.
//!
//! A node is a position with what the strategy remembers. A level holds the nodes
//! that are so many moves away; two levels are alive at a time, and of the others
//! only the moves of one line to each node, for strategies that want to see it.

use papan_rules::{Line, Move, Player, Symmetric};
use papan_strategies::{PartOf, Watch, available_mib};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Instance, Pool, fillings, is_countable};
use crate::ProveError;
use crate::proof::Tally;

type Key<G> = (<G as Symmetric>::Packed, u64);

struct Node<P> {
    position: P,
    paths: u128,
    /// The last move of a line that leads here.
    step: usize,
}

struct Child<G: Symmetric> {
    mv: Move,
    position: G::Position,
    memory: u64,
}

/// One line of play to each node: its last move, and where it came from.
struct Steps(Vec<(usize, Move)>);

impl Steps {
    const START: usize = usize::MAX;

    fn line<G: Symmetric>(&self, game: &G, mut step: usize) -> Line<G> {
        let mut moves = Vec::new();
        while step != Self::START {
            moves.push(self.0[step].1);
            step = self.0[step].0;
        }
        let mut line = Line::new(game);
        for &mv in moves.iter().rev() {
            line.push(game, mv);
        }
        line
    }
}

/// How many nodes are answered before their children are gathered.
const CHUNK: usize = 1 << 14;
/// Nodes that a level may have.
const MOST_NODES: usize = 20_000_000;
/// What the nodes of a level may take; another level and the lines to them take as
/// much again.
const MOST_BYTES: usize = 1_600_000_000;

/// Nodes that a level of this game may have where so much memory is free.
fn most_nodes<G: Symmetric>(mib: usize) -> usize {
    let node = size_of::<Key<G>>() + size_of::<Node<G::Position>>();
    let bytes = MOST_BYTES.min((mib / 4).saturating_mul(1 << 20));
    MOST_NODES.min(bytes / node)
}

pub(super) fn count<G: Symmetric>(
    game: &G,
    pool: &Pool<'_, G>,
    player: Player,
    watch: &Watch,
) -> Result<Tally, ProveError> {
    let most = most_nodes::<G>(available_mib());
    let mut tally = Tally::default();
    let mut steps = Steps(Vec::new());
    // Where a move need not fill a cell, one position can be several numbers of
    // moves away.
    let mut seen = (!game.properties().fills_up).then(FxHashSet::default);
    let start = Line::new(game);
    let memory = pool.with(|worker| worker.memory(game, &start));
    let key = (game.pack(start.position()), memory);
    let first = Node {
        position: game.start(),
        paths: 1,
        step: Steps::START,
    };
    let mut level: FxHashMap<Key<G>, Node<G::Position>> = FxHashMap::default();
    level.insert(key, first);
    let mut ply = 0;
    while !level.is_empty() {
        watch.begin_step(ply, PartOf::Positions, level.len() as u64);
        let new = match &mut seen {
            Some(seen) => level.keys().filter(|&&key| seen.insert(key)).count(),
            None => level.len(),
        };
        tally.positions += new as u64;
        ply += 1;
        let nodes: Vec<Node<G::Position>> = level.into_values().collect();
        level = FxHashMap::default();
        for nodes in nodes.chunks(CHUNK) {
            let children = nodes
                .par_iter()
                .map(|node| pool.with(|worker| children(game, player, node, &steps, worker)))
                .collect::<Result<Vec<_>, _>>()?;
            watch.go_on()?;
            if level.len() > most {
                return Err(ProveError::TooLarge(most));
            }
            watch.advance(nodes.len() as u64, nodes.len() as u64);
            for (node, children) in nodes.iter().zip(children) {
                for child in children {
                    if let Some(outcome) = game.outcome(&child.position) {
                        tally.end(outcome.value_for(player), node.paths, ply);
                        continue;
                    }
                    if pool.is_positional() && is_countable(game, &child.position) {
                        let empty = game.legal_moves(&child.position).count();
                        let theirs = game.turn(&child.position) != player;
                        let ways = fillings(empty, theirs);
                        tally.end(0, node.paths.saturating_mul(ways), ply + empty);
                        continue;
                    }
                    let key = (game.pack(&child.position), child.memory);
                    let next = level.entry(key).or_insert_with(|| {
                        steps.0.push((node.step, child.mv));
                        Node {
                            position: child.position,
                            paths: 0,
                            step: steps.0.len() - 1,
                        }
                    });
                    next.paths = next.paths.saturating_add(node.paths);
                }
            }
        }
    }
    Ok(tally)
}

/// Every move that can be made at a node, and where it leads.
fn children<G: Symmetric>(
    game: &G,
    player: Player,
    node: &Node<G::Position>,
    steps: &Steps,
    worker: &mut Instance<G>,
) -> Result<Vec<Child<G>>, ProveError> {
    let line = steps.line(game, node.step);
    let moves: Vec<Move> = if game.turn(&node.position) == player {
        worker.answer(game, &line)?.to_vec()
    } else {
        game.legal_moves(&node.position).collect()
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
