//! Relevance zones: the cells where an extra defending stone could refute a winning threat.
//!
//! Given a proof that the attacker wins after the defender passes, suppose the defender had played a
//! stone instead. The proof still holds if the stone is on no cell that the attacker plays or
//! threatens to complete, and if it never lets the defender complete a line first: with one more
//! stone, a line two cells short becomes a line one cell short. The zone collects the cells that
//! violate either condition; replies outside it need no answer of their own. Where the proof itself
//! contains passes, further stones of unknown position are on the board and longer lines count.
//!
//! Reference: I-Chen Wu and Ping-Hung Lin, *Relevance-Zone-Oriented Proof Search for Connect6*, IEEE
//! Transactions on Computational Intelligence and AI in Games 2(3), 2010.

use papan_rules::{Bits, Player};

use crate::lines::{Cell, CellSet};
use crate::state::State;
use crate::win_proof::{ReplyProofs, WinProof};

/// Returns the relevance zone of a proof in a position with the attacker to move: the proof holds
/// unchanged when the defender has one more stone anywhere outside. `None` if the proof does not
/// hold or contains more nested passes than the checker accepts.
pub(crate) fn relevance_zone(
    state: &mut State,
    attacker: Player,
    proof: &WinProof,
) -> Option<CellSet> {
    let mut builder = ZoneBuilder {
        state,
        attacker,
        zone: CellSet::EMPTY,
        unknown: Vec::new(),
    };
    builder.follow(proof).then_some(builder.zone)
}

/// Returns the replies that a proof against `reply` refutes: `reply` itself and those of `others`
/// outside the zone of the proof. `state` is the position before any reply.
///
/// The proof covers `reply` alone if it depends on that stone (without a stone that blocks one of
/// two completing cells, the same move is a different threat). After a four, a proof covers other
/// replies only if it completes that four.
#[must_use]
pub fn covered_replies(
    state: &mut State,
    attacker: Player,
    proof: &WinProof,
    reply: Cell,
    others: CellSet,
) -> CellSet {
    let own = CellSet::single(usize::from(reply));
    let fours = state.completing_cells(attacker);
    let completes = |cell: Cell| fours.contains(usize::from(cell));
    if !fours.is_empty() && !proof.first().is_some_and(completes) {
        return own;
    }
    match relevance_zone(state, attacker, proof) {
        Some(zone) if !zone.meets(own) => own | others.without(zone),
        _ => own,
    }
}

/// Walks a proof and collects its zone.
struct ZoneBuilder<'a> {
    state: &'a mut State,
    attacker: Player,
    zone: CellSet,
    /// For each pass inside the proof, the cells where the defender's stone may be.
    unknown: Vec<CellSet>,
}

impl ZoneBuilder<'_> {
    fn follow(&mut self, proof: &WinProof) -> bool {
        match proof {
            WinProof::Fours { cells, then } => self.fours(cells, then.as_deref()),
            WinProof::Move { cell, replies } => {
                self.include(*cell);
                self.state.put(*cell, self.attacker);
                let holds = self.keep_safe() && self.replies(replies);
                self.state.remove(*cell, self.attacker);
                holds
            }
        }
    }

    fn include(&mut self, cell: Cell) {
        self.zone = self.zone | CellSet::single(usize::from(cell));
    }

    fn fours(&mut self, cells: &[Cell], then: Option<&WinProof>) -> bool {
        let Some((&cell, rest)) = cells.split_first() else {
            return then.is_some_and(|proof| self.follow(proof));
        };
        self.include(cell);
        self.state.put(cell, self.attacker);
        let holds = self.after_four(rest, then);
        self.state.remove(cell, self.attacker);
        holds
    }

    fn after_four(&mut self, rest: &[Cell], then: Option<&WinProof>) -> bool {
        if self.state.has_won(self.attacker) {
            return true;
        }
        if !self.keep_safe() {
            return false;
        }
        let hidden = self.unknown.iter().fold(CellSet::EMPTY, |a, &b| a | b);
        let completing = self.state.completing_cells(self.attacker).without(hidden);
        let Some(reply) = completing.first() else {
            return false;
        };
        if completing.count() > 1 {
            // Two suffice; prefer those that are in the zone already.
            let known = completing & self.zone;
            let fresh = completing.without(self.zone);
            let wanted = 2_u32.saturating_sub(known.count()) as usize;
            for cell in fresh.cells().take(wanted) {
                self.include(cell as Cell);
            }
            return true;
        }
        self.include(reply as Cell);
        let defender = self.attacker.other();
        self.state.put(reply as Cell, defender);
        let holds = self.fours(rest, then);
        self.state.remove(reply as Cell, defender);
        holds
    }

    fn replies(&mut self, replies: &ReplyProofs) -> bool {
        let defender = self.attacker.other();
        if replies.symmetric {
            return false;
        }
        for branch in &replies.branches {
            let holds = if branch.at_once || branch.cells.count() == 1 {
                for cell in branch.cells.cells() {
                    self.state.put(cell as Cell, defender);
                }
                let holds = self.follow(&branch.proof);
                for cell in branch.cells.cells() {
                    self.state.remove(cell as Cell, defender);
                }
                holds
            } else {
                self.with_unknown(branch.cells, &branch.proof)
            };
            if !holds {
                return false;
            }
        }
        let rest = self.state.empty().without(replies.named_cells());
        match &replies.rest {
            None => rest.is_empty(),
            Some(proof) => self.with_unknown(rest, proof),
        }
    }

    fn with_unknown(&mut self, place: CellSet, proof: &WinProof) -> bool {
        if self.unknown.len() + 1 == MAX_UNKNOWN {
            return false;
        }
        self.unknown.push(place);
        let holds = self.follow(proof);
        self.unknown.pop();
        holds
    }

    /// With the defender to move, adds cells to the zone until the defender cannot complete a line
    /// with one move and the unknown stones.
    fn keep_safe(&mut self) -> bool {
        let defender = self.attacker.other();
        let length = self.state.length();
        let longest = (self.unknown.len() + 2).min(length);
        for lacking in 0..=longest {
            if self.state.line_count(defender, length - lacking) == 0 {
                continue;
            }
            let Self {
                state,
                zone,
                unknown,
                ..
            } = self;
            for line in state.lines_with(defender, length - lacking) {
                if lacking < 2 {
                    return false;
                }
                let mut gaps = [0; MAX_GAPS];
                let mut count = 0;
                for cell in state.gaps(line) {
                    if count == MAX_GAPS {
                        return false;
                    }
                    gaps[count] = cell;
                    count += 1;
                }
                while let Some(completion) = completion(&gaps[..count], *zone, unknown) {
                    match completion {
                        Completion::WithoutExtraStone => return false,
                        Completion::WithExtraStone(cell) => {
                            *zone = *zone | CellSet::single(usize::from(cell));
                        }
                    }
                }
            }
        }
        true
    }
}

/// Maximum number of nested passes, the outermost included; the certificate checker accepts no
/// more.
const MAX_UNKNOWN: usize = 6;

/// Maximum number of empty cells on a line that is examined.
const MAX_GAPS: usize = 8;

/// How the defender can complete a line.
enum Completion {
    /// The unknown stones fill all gaps but one.
    WithoutExtraStone,
    /// They do so if the extra stone, outside the zone, is on this cell.
    WithExtraStone(Cell),
}

/// Returns how the defender can fill all gaps of a line but one, if at all.
fn completion(gaps: &[Cell], zone: CellSet, unknown: &[CellSet]) -> Option<Completion> {
    fn inner(gaps: &[Cell], taken: u32, unknown: &[CellSet], wanted: usize) -> bool {
        if wanted == 0 {
            return true;
        }
        let Some((place, others)) = unknown.split_first() else {
            return false;
        };
        if others.len() >= wanted && inner(gaps, taken, others, wanted) {
            return true;
        }
        gaps.iter().enumerate().any(|(at, &cell)| {
            taken >> at & 1 == 0
                && place.contains(usize::from(cell))
                && inner(gaps, taken | 1 << at, others, wanted - 1)
        })
    }
    let wanted = gaps.len() - 1;
    if inner(gaps, 0, unknown, wanted) {
        return Some(Completion::WithoutExtraStone);
    }
    let outermost = gaps.iter().enumerate().find(|&(at, &cell)| {
        !zone.contains(usize::from(cell)) && inner(gaps, 1 << at, unknown, wanted - 1)
    });
    outermost.map(|(_, &cell)| Completion::WithExtraStone(cell))
}
