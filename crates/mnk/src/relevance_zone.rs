//! The zone of a proof: outside it, a stone of the defender changes nothing.
//!
//! The defender has passed and the attacker's proof goes on. Suppose he had instead
//! put a stone somewhere. The proof still holds if the stone is on no cell that the
//! attacker plays or threatens to complete, and if it nowhere lets the defender
//! complete a line first: with one stone more, a line that lacks two cells lacks
//! one. Where the proof itself lets the defender pass, further unknown stones are on
//! the board, and longer lines count.

use papan_rules::{Bits, Player};

use crate::lines::{Cell, CellSet};
use crate::state::State;
use crate::win_proof::{ReplyProofs, WinProof};

/// The zone of a proof in a position in which the attacker is to move: the proof holds
/// as it is when the defender has one more stone anywhere outside. `None` when the
/// proof does not hold, or lets the defender pass more often than anybody would follow.
pub(crate) fn relevance_zone(
    state: &mut State,
    attacker: Player,
    proof: &WinProof,
) -> Option<CellSet> {
    let mut walk = Walk {
        state,
        attacker,
        zone: CellSet::EMPTY,
        unknown: Vec::new(),
    };
    walk.follow(proof).then_some(walk.zone)
}

/// A proof against one reply answers all others outside its zone, unless it needs the stone
/// of that reply: where the reply stops one of two fours, without it the proof is another.
/// After a four only a proof that completes it says something of other replies. That reply
/// and those of the others that are answered, in the position before any.
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

struct Walk<'a> {
    state: &'a mut State,
    attacker: Player,
    zone: CellSet,
    /// For each pass inside the proof, where the defender's stone may be.
    unknown: Vec<CellSet>,
}

impl Walk<'_> {
    fn follow(&mut self, proof: &WinProof) -> bool {
        match proof {
            WinProof::Fours { cells, then } => self.fours(cells, then.as_deref()),
            WinProof::Move { cell, answers } => {
                self.include(*cell);
                self.state.put(*cell, self.attacker);
                let holds = self.keep_safe() && self.answers(answers);
                self.state.take(*cell, self.attacker);
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
        self.state.take(cell, self.attacker);
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
            // Two suffice; those that are in the zone anyway cost nothing.
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
        self.state.take(reply as Cell, defender);
        holds
    }

    fn answers(&mut self, answers: &ReplyProofs) -> bool {
        let defender = self.attacker.other();
        if answers.symmetric {
            return false;
        }
        for branch in &answers.branches {
            let holds = if branch.at_once || branch.cells.count() == 1 {
                for cell in branch.cells.cells() {
                    self.state.put(cell as Cell, defender);
                }
                let holds = self.follow(&branch.proof);
                for cell in branch.cells.cells() {
                    self.state.take(cell as Cell, defender);
                }
                holds
            } else {
                self.with_unknown(branch.cells, &branch.proof)
            };
            if !holds {
                return false;
            }
        }
        let rest = self.state.empty().without(answers.named());
        match &answers.rest {
            None => rest.is_empty(),
            Some(proof) => self.with_unknown(rest, proof),
        }
    }

    fn with_unknown(&mut self, place: CellSet, proof: &WinProof) -> bool {
        if self.unknown.len() + 1 == MOST_UNKNOWN {
            return false;
        }
        self.unknown.push(place);
        let holds = self.follow(proof);
        self.unknown.pop();
        holds
    }

    /// The defender is to move: puts cells into the zone until he cannot complete a
    /// line with one move and the unknown stones.
    fn keep_safe(&mut self) -> bool {
        let defender = self.attacker.other();
        let length = self.state.length();
        let longest = (self.unknown.len() + 2).min(length);
        for lacking in 0..=longest {
            if self.state.total(defender, length - lacking) == 0 {
                continue;
            }
            let Self {
                state,
                zone,
                unknown,
                ..
            } = self;
            for line in state.with_count(defender, length - lacking) {
                if lacking < 2 {
                    return false;
                }
                let mut gaps = [0; MOST_GAPS];
                let mut count = 0;
                for cell in state.gaps(line) {
                    if count == MOST_GAPS {
                        return false;
                    }
                    gaps[count] = cell;
                    count += 1;
                }
                while let Some(found) = filled(&gaps[..count], *zone, unknown) {
                    let Some(cell) = found else { return false };
                    *zone = *zone | CellSet::single(usize::from(cell));
                }
            }
        }
        true
    }
}

/// So many unknown stones a proof may have at a time, the outermost counted in: whoever
/// checks it follows no more.
const MOST_UNKNOWN: usize = 6;

/// More unknown stones than this, and a line may lack too many cells to look at.
const MOST_GAPS: usize = 8;

/// Whether unknown stones can fill all gaps but one; then the gap that the outermost
/// stone, somewhere outside the zone, fills, if it is needed.
fn filled(gaps: &[Cell], zone: CellSet, unknown: &[CellSet]) -> Option<Option<Cell>> {
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
        return Some(None);
    }
    let outermost = gaps.iter().enumerate().find(|&(at, &cell)| {
        !zone.contains(usize::from(cell)) && inner(gaps, 1 << at, unknown, wanted - 1)
    });
    outermost.map(|(_, &cell)| Some(cell))
}
