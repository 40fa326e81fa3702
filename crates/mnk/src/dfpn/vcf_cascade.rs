//! VCF searches of the df-pn solver: a fast one decides, a second one shortens the win.
//!
//! Almost all searches fail, and on boards of up to 64 cells the search on bit sets
//! ([`crate::survivors::FastVcf`]) refutes them several times faster than the search on line counts.
//! The wins it finds are not the shortest, and the relevance zone of a long win is large, so that a
//! found win is searched again by iterative deepening ([`VcfSearch`]).

use papan_rules::Player;

use crate::lines::Cell;
use crate::state::State;
use crate::survivors::{FastVcf, LineBoard, Vcf};
use crate::vcf::VcfSearch;

/// Node limit of a VCF search.
const VCF_NODES: u64 = 300;

/// Both VCF searches.
#[derive(Debug)]
pub(super) struct VcfCascade {
    /// The lines and the search on bit sets; `None` on boards of more than 64 cells and with lines
    /// too short for fours.
    fast: Option<(LineBoard<u64>, FastVcf<u64>)>,
    shortest: VcfSearch,
}

impl VcfCascade {
    pub(super) fn new(state: &State) -> Self {
        let lines = state.lines();
        let fits = lines.cells() <= 64 && lines.length() > 2;
        Self {
            fast: fits.then(|| (LineBoard::new(lines), FastVcf::new(lines.cells()))),
            shortest: VcfSearch::new(),
        }
    }

    /// Returns the attacker's cells of a VCF. `stones` are the cells of both players, if the board
    /// has at most 64.
    pub(super) fn win(
        &mut self,
        state: &mut State,
        stones: [u64; 2],
        attacker: Player,
    ) -> Option<Vec<Cell>> {
        let Some((board, fast)) = &mut self.fast else {
            return self.shortest.win(state, attacker, VCF_NODES);
        };
        let [own, other] = [attacker, attacker.other()].map(|side| stones[side.index()]);
        if fast.search(board, own, other, VCF_NODES) != Vcf::Wins {
            return None;
        }
        // The fast search finds a win of one four first.
        let depths = 2..=fast.sequence.len() as u16 - 1;
        let shorter = self.shortest.shortest(state, attacker, depths, VCF_NODES);
        shorter.or_else(|| Some(fast.sequence.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use papan_rules::{Bits as _, Grid, SplitMix, Wide};
    use std::sync::Arc;

    #[test]
    fn both_searches_agree() {
        let mut random = SplitMix::new(7);
        let mut seen = [0; 2];
        for (sides, length) in [(&[6, 6][..], 4), (&[4, 4, 4], 4), (&[8, 8], 5)] {
            let grid = Grid::<Wide>::new(sides, length).expect("a board");
            let lines = Arc::new(Lines::new(&grid));
            let mut cascade = VcfCascade::new(&State::new(Arc::clone(&lines)));
            for _ in 0..300 {
                let mut state = State::new(Arc::clone(&lines));
                for at in 0..6 + random.below(14) {
                    let cell = random.below(lines.cells()) as Cell;
                    if state.owner(cell).is_none() {
                        state.put(cell, Player::BOTH[at % 2]);
                    }
                }
                if Player::BOTH.into_iter().any(|side| state.has_won(side)) {
                    continue;
                }
                let stones = Player::BOTH.map(|side| state.stones(side).low_word());
                let found = cascade.win(&mut state, stones, Player::First);
                let expected =
                    VcfSearch::new().shortest(&mut state, Player::First, 1..=60, 100_000);
                seen[usize::from(expected.is_some())] += 1;
                match (found, expected) {
                    (Some(found), Some(expected)) => assert!(found.len() >= expected.len()),
                    (None, Some(expected)) => assert!(expected.len() > 4, "{sides:?} {expected:?}"),
                    (found, None) => assert_eq!(found, None, "{sides:?}"),
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
    }
}
