//! Why a defender at least draws: a reply to every move of the attacker, down to
//! pairings. Positions of which the same is left are written once.

use papan_rules::{Bits, Player};
use rustc_hash::FxHashMap;

use crate::dfpn::{DefenceSolver, DefenceValue, StaticOutcome};
use crate::lines::{Cell, CellSet};
use crate::state::State;

/// Why the defender at least draws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawProof {
    /// Positions with the attacker to move; children come before their parents.
    pub nodes: Vec<DrawNode>,
    /// Where he is to move first, unless the game ends before.
    pub root: Option<DrawLink>,
    /// What the defender plays first, if he is to move.
    pub first: Option<Cell>,
    /// Whether the defender's own lines count.
    pub counter: bool,
}

/// A position with the attacker to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawNode {
    /// The stones of the attacker and of the defender.
    pub stones: [CellSet; 2],
    /// What stops the attacker.
    pub kind: DrawNodeKind,
}

/// What stops the attacker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawNodeKind {
    /// The defender takes the other cell of each pair; what the pairs leave over is light.
    Pairs(Vec<(Cell, Cell)>),
    /// A reply to each move that is not beaten by another.
    Replies(Vec<DrawReply>),
}

/// A reply to a move of the attacker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawReply {
    /// The attacker's cell.
    pub cell: Cell,
    /// The defender's.
    pub reply: Cell,
    /// What follows; nothing when the reply completes a line.
    pub next: Option<DrawLink>,
}

/// A node that answers for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawLink {
    /// The node's number.
    pub node: usize,
    /// The symmetry that leads from the position to the node's.
    pub symmetry: usize,
}

/// Nodes that may be searched again for one missing answer.
const MORE: u64 = 2_000_000;
/// Steps of the search for pairs when a proof is written down.
const PAIRS: usize = 2_000;

impl DefenceSolver {
    /// Why the defender holds, once [`DefenceSolver::run`] has said so; `None` when something
    /// cannot be found again within the limits.
    pub fn draw_proof(&mut self) -> Option<DrawProof> {
        let mut writer = Writer {
            duel: self,
            hold: DrawProof::default(),
            known: FxHashMap::default(),
            keys: Vec::new(),
        };
        writer.hold.counter = writer.duel.counter;
        if writer.duel.to_move == writer.duel.attacker {
            writer.hold.root = Some(writer.node()?);
        } else {
            let (reply, next) = writer.reply()?;
            (writer.hold.first, writer.hold.root) = (Some(reply), next);
        }
        Some(writer.hold)
    }

    /// Whether a node answers for the position on the board: nothing is left there for
    /// the attacker that he does not have in the node's position, and nothing that the
    /// defender needs is missing.
    fn fits(&self, [attackers, defenders]: &[CellSet; 2], images: &[Cell]) -> bool {
        let state = &self.state;
        let (attacker, defender) = (self.attacker, self.attacker.other());
        let image = |cell: Cell| usize::from(images[usize::from(cell)]);
        (0..state.lines().count()).all(|line| {
            let members = state.lines().members(line);
            let counts = state.counts(line);
            let no_better = counts[defender.index()] > 0
                || members.iter().all(|&cell| {
                    let there = image(cell);
                    !defenders.contains(there)
                        && (state.owner(cell) != Some(attacker) || attackers.contains(there))
                });
            let no_worse = !self.counter
                || members.iter().any(|&cell| attackers.contains(image(cell)))
                || counts[attacker.index()] == 0
                    && members.iter().all(|&cell| {
                        !defenders.contains(image(cell)) || state.owner(cell) == Some(defender)
                    });
            no_better && no_worse
        })
    }
}

struct Writer<'a> {
    duel: &'a mut DefenceSolver,
    hold: DrawProof,
    /// Nodes by what is left of their positions.
    known: FxHashMap<u64, Vec<usize>>,
    /// The same the other way round.
    keys: Vec<u64>,
}

impl Writer<'_> {
    /// The attacker is to move.
    fn node(&mut self) -> Option<DrawLink> {
        let attacker = self.duel.attacker;
        let key = self.duel.key(attacker);
        if let Some(link) = self.find(key) {
            return Some(link);
        }
        let kind = match self.duel.look(attacker, PAIRS) {
            StaticOutcome::Paired(pairs) => DrawNodeKind::Pairs(pairs),
            StaticOutcome::Completes => DrawNodeKind::Replies(Vec::new()),
            StaticOutcome::Moves(moves, _) => {
                let mut replies = Vec::with_capacity(moves.len());
                let mut cells: Vec<Cell> = moves.iter().map(|&c| self.known_twin(c)).collect();
                // In the order in which they are written: what is referred to comes first.
                cells.sort_unstable();
                for cell in cells {
                    self.duel.put(cell, attacker);
                    let found = self.reply();
                    self.duel.take(cell, attacker);
                    let (reply, next) = found?;
                    replies.push(DrawReply { cell, reply, next });
                }
                DrawNodeKind::Replies(replies)
            }
            StaticOutcome::Counters(_) | StaticOutcome::Lost(_) => return None,
        };
        let stones = [attacker, attacker.other()].map(|side| stones(&self.duel.state, side));
        self.hold.nodes.push(DrawNode { stones, kind });
        let node = self.hold.nodes.len() - 1;
        self.known.entry(key).or_default().push(node);
        self.keys.push(key);
        Some(DrawLink { node, symmetry: 0 })
    }

    /// A cell as good for the attacker as this one after which it is known, if there is
    /// one, that the defender holds.
    fn known_twin(&self, cell: Cell) -> Cell {
        let is_known = |&cell: &Cell| {
            let key = self.duel.key_after(cell, self.duel.attacker);
            self.duel.known_of(key) == DefenceValue::Holds
        };
        if is_known(&cell) {
            return cell;
        }
        self.duel.twins(cell).find(is_known).unwrap_or(cell)
    }

    fn find(&self, key: u64) -> Option<DrawLink> {
        let lines = self.duel.state.lines();
        self.known.get(&key)?.iter().find_map(|&node| {
            let there = &self.hold.nodes[node].stones;
            let mut images = lines.symmetries().iter();
            let symmetry = images.position(|images| self.duel.fits(there, images))?;
            Some(DrawLink { node, symmetry })
        })
    }

    /// The defender is to move: his reply, and what follows.
    fn reply(&mut self) -> Option<(Cell, Option<DrawLink>)> {
        let defender = self.duel.attacker.other();
        let moves = match self.duel.look(defender, PAIRS) {
            StaticOutcome::Completes => return Some((self.duel.state.completing(defender)?, None)),
            StaticOutcome::Counters(cells) => cells[..1].to_vec(),
            StaticOutcome::Moves(moves, _) => moves,
            StaticOutcome::Paired(_) | StaticOutcome::Lost(_) => return None,
        };
        if let [only] = moves[..] {
            return self.after(only);
        }
        for again in [false, true] {
            if again {
                self.duel.run_here(defender, MORE);
            }
            // Any cell will do: a twin of a move may be the one that was looked at.
            let others = self.duel.state.empty().cells().map(|cell| cell as Cell);
            for cell in moves.iter().copied().chain(others) {
                let key = self.duel.key_after(cell, defender);
                if self.duel.known_of(key) == DefenceValue::Holds
                    && let Some(found) = self.after(cell)
                {
                    return Some(found);
                }
            }
        }
        for &cell in &moves {
            self.duel.put(cell, defender);
            let verdict = self.duel.run_here(defender.other(), MORE / 100);
            self.duel.take(cell, defender);
            if verdict == DefenceValue::Holds
                && let Some(found) = self.after(cell)
            {
                return Some(found);
            }
        }
        // Nothing that matters is left: any cell will do.
        let cell = self.duel.state.empty().first()? as Cell;
        if moves.is_empty() {
            self.after(cell)
        } else {
            None
        }
    }

    fn after(&mut self, cell: Cell) -> Option<(Cell, Option<DrawLink>)> {
        let defender = self.duel.attacker.other();
        let before = self.hold.nodes.len();
        self.duel.put(cell, defender);
        let next = if self.duel.state.has_won(defender) {
            Some(None)
        } else {
            self.node().map(Some)
        };
        self.duel.take(cell, defender);
        if next.is_none() {
            self.forget(before);
        }
        next.map(|next| (cell, next))
    }

    /// Takes back the nodes of a reply that came to nothing: they will not be written, so
    /// nothing may refer to them.
    fn forget(&mut self, before: usize) {
        self.hold.nodes.truncate(before);
        for key in self.keys.drain(before..) {
            if let Some(nodes) = self.known.get_mut(&key) {
                nodes.retain(|&node| node < before);
            }
        }
    }
}

/// The cells that a side holds.
pub(crate) fn stones(state: &State, side: Player) -> CellSet {
    let cells = (0..state.lines().cells()).filter(|&cell| state.owner(cell as Cell) == Some(side));
    cells.fold(CellSet::EMPTY, |set, cell| set | CellSet::single(cell))
}
