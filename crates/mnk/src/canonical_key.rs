//! What is left of a position for a defender: a key of the lines that can still be
//! completed, the same for all symmetric images and for all positions that differ
//! only in cells that no longer matter.

use papan_rules::Player;

use crate::lines::Cell;
use crate::state::State;

/// Keeps the key up to date while stones come and go.
#[derive(Debug)]
pub(crate) struct Live {
    /// Whose lines count: the attacker's, and the defender's too where he counters.
    sides: Vec<Player>,
    symmetries: usize,
    lines: usize,
    /// For each symmetry and cell, a number of the cell's image.
    cell_keys: Vec<u64>,
    /// For each counted side, line and symmetry: a number of the line's image and of
    /// the stones in it.
    values: Vec<u64>,
    hashes: Vec<u64>,
}

/// Boards with more symmetries than this use the first ones only.
const MOST_SYMMETRIES: usize = 48;

#[inline]
fn mix(mut x: u64) -> u64 {
    x ^= x >> 32;
    x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^= x >> 29;
    x.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The least of the images' numbers, with a side to move.
fn finished(hashes: &[u64], to_move: Player) -> u64 {
    let least = hashes.iter().copied().min().unwrap_or_default();
    mix(least ^ (to_move.index() as u64 + 77))
}

impl Live {
    /// The key of a position, for an attacker, with the defender's lines or without.
    pub(crate) fn new(state: &State, attacker: Player, counter: bool) -> Self {
        let lines = state.lines();
        let symmetries = lines.symmetries().len().min(MOST_SYMMETRIES);
        let images = &lines.symmetries()[..symmetries];
        let cells = lines.cells();
        let mut cell_keys = Vec::with_capacity(symmetries * cells);
        for cell in 0..cells {
            for image in images {
                cell_keys.push(mix(u64::from(image[cell]) + 0x5151));
            }
        }
        let mut sides = vec![attacker];
        if counter {
            sides.push(attacker.other());
        }
        let mut live = Self {
            lines: lines.count(),
            values: Vec::new(),
            hashes: vec![0; symmetries],
            symmetries,
            cell_keys,
            sides,
        };
        for side in 0..live.sides.len() {
            for line in 0..live.lines {
                for s in 0..symmetries {
                    let members = lines.members(line).iter();
                    let sum = members.fold(side as u64, |sum, &cell| {
                        sum.wrapping_add(mix(live.cell_keys[usize::from(cell) * symmetries + s]))
                    });
                    live.values.push(mix(sum));
                }
            }
        }
        for at in 0..live.sides.len() {
            for line in 0..live.lines {
                let counts = state.counts(line);
                let (own, other) = (live.sides[at], live.sides[at].other());
                for &cell in lines.members(line) {
                    if state.owner(cell) == Some(own) {
                        live.flip(at, line, cell);
                    }
                }
                if counts[other.index()] == 0 {
                    live.toggle(at, line);
                }
            }
        }
        live
    }

    fn slot(&self, side: usize, line: usize) -> usize {
        (side * self.lines + line) * self.symmetries
    }

    /// A line comes into the key or leaves it.
    #[inline]
    fn toggle(&mut self, side: usize, line: usize) {
        let slot = self.slot(side, line);
        let values = &self.values[slot..slot + self.symmetries];
        for (hash, &value) in self.hashes.iter_mut().zip(values) {
            *hash ^= mix(value);
        }
    }

    /// A stone of the line's own side comes or goes.
    #[inline]
    fn flip(&mut self, side: usize, line: usize, cell: Cell) {
        let slot = self.slot(side, line);
        let values = &mut self.values[slot..slot + self.symmetries];
        let keys = &self.cell_keys[usize::from(cell) * self.symmetries..];
        for (value, &key) in values.iter_mut().zip(keys) {
            *value ^= key;
        }
    }

    /// Sets a stone, on the board and in the key.
    pub(crate) fn put(&mut self, state: &mut State, cell: Cell, player: Player) {
        self.change(state, cell, player);
        state.put(cell, player);
    }

    /// Takes a stone away again.
    pub(crate) fn take(&mut self, state: &mut State, cell: Cell, player: Player) {
        state.take(cell, player);
        self.change(state, cell, player);
    }

    /// What a stone changes, from the board without it; the same way there and back.
    fn change(&mut self, state: &State, cell: Cell, player: Player) {
        for at in 0..self.sides.len() {
            let own = self.sides[at];
            for &line in state.lines().through(cell) {
                let line = line as usize;
                let untouched = state.counts(line)[own.other().index()] == 0;
                if player != own {
                    if untouched {
                        self.toggle(at, line);
                    }
                } else if untouched {
                    self.toggle(at, line);
                    self.flip(at, line, cell);
                    self.toggle(at, line);
                } else {
                    self.flip(at, line, cell);
                }
            }
        }
    }

    /// The key, with a side to move.
    pub(crate) fn key(&self, to_move: Player) -> u64 {
        finished(&self.hashes, to_move)
    }

    /// The key once a player has put a stone on an empty cell, with the other to move.
    pub(crate) fn key_after(&self, state: &State, cell: Cell, player: Player) -> u64 {
        let mut hashes = [0; MOST_SYMMETRIES];
        let hashes = &mut hashes[..self.symmetries];
        hashes.copy_from_slice(&self.hashes);
        let keys = &self.cell_keys[usize::from(cell) * self.symmetries..][..self.symmetries];
        for (at, &own) in self.sides.iter().enumerate() {
            for &line in state.lines().through(cell) {
                if state.counts(line as usize)[own.other().index()] > 0 {
                    continue;
                }
                let slot = self.slot(at, line as usize);
                let values = &self.values[slot..slot + self.symmetries];
                for ((hash, &value), &key) in hashes.iter_mut().zip(values).zip(keys) {
                    *hash ^= mix(value);
                    if player == own {
                        *hash ^= mix(value ^ key);
                    }
                }
            }
        }
        finished(hashes, player.other())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use papan_rules::{Grid, Wide};
    use std::sync::Arc;

    #[test]
    fn images_share_a_key_and_taking_back_restores_it() {
        let grid = Grid::<Wide>::new(&[5, 5], 4).expect("a board");
        let lines = Arc::new(Lines::new(&grid));
        for counter in [false, true] {
            let mut keys = Vec::new();
            for image in lines.symmetries() {
                let mut state = State::new(Arc::clone(&lines));
                let mut live = Live::new(&state, Player::First, counter);
                let before = live.key(Player::First);
                let stones = [(0, Player::First), (7, Player::Second), (13, Player::First)];
                for (cell, side) in stones {
                    let foreseen = live.key_after(&state, image[cell], side);
                    live.put(&mut state, image[cell], side);
                    assert_eq!(foreseen, live.key(side.other()));
                }
                keys.push(live.key(Player::Second));
                assert_eq!(
                    keys.last(),
                    Some(&Live::new(&state, Player::First, counter).key(Player::Second))
                );
                for (cell, side) in stones.into_iter().rev() {
                    live.take(&mut state, image[cell], side);
                }
                assert_eq!(live.key(Player::First), before);
            }
            assert!(keys.iter().all(|&key| key == keys[0]), "{counter}");
        }
    }

    #[test]
    fn cells_that_no_longer_matter_leave_no_trace() {
        let grid = Grid::<Wide>::new(&[4, 4], 4).expect("a board");
        let mut state = State::new(Arc::new(Lines::new(&grid)));
        let mut live = Live::new(&state, Player::First, false);
        // Second holds row 1 and column 2: a stone of First in cell 2 is in no live line.
        for cell in [0, 5] {
            live.put(&mut state, cell, Player::Second);
        }
        let before = live.key(Player::First);
        live.put(&mut state, 1, Player::First);
        assert_eq!(live.key(Player::First), before);
        live.put(&mut state, 2, Player::First);
        assert_ne!(live.key(Player::First), before);
    }
}
