//! Canonical keys: an incremental Zobrist-style hash of the canonical lines, minimised over all
//! symmetries.
//!
//! For the question whether the defender holds, only canonical lines matter. Positions that differ in
//! dead cells, or by a symmetry of the board, therefore share a key, which merges far more
//! transpositions than a hash of the stones.

use papan_rules::Player;

use crate::lines::Cell;
use crate::state::State;

/// The canonical key of a position, updated with each stone.
#[derive(Debug)]
pub(crate) struct CanonicalKey {
    /// The sides whose lines count: the attacker, and in the countering form the defender.
    sides: Vec<Player>,
    symmetries: usize,
    lines: usize,
    /// Key of the image of each cell under each symmetry.
    cell_keys: Vec<u64>,
    /// Hash of each line's image and its stones, for each counted side, line and symmetry.
    values: Vec<u64>,
    /// Hash of the live lines under each symmetry.
    hashes: Vec<u64>,
}

/// Maximum number of symmetries used.
const MAX_SYMMETRIES: usize = 48;

#[inline]
fn mix(mut x: u64) -> u64 {
    x ^= x >> 32;
    x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^= x >> 29;
    x.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Returns the least of the hashes, combined with the side to move.
fn least_hash(hashes: &[u64], to_move: Player) -> u64 {
    let least = hashes.iter().copied().min().unwrap_or_default();
    mix(least ^ (to_move.index() as u64 + 77))
}

impl CanonicalKey {
    /// Computes the key of a position. With `counter`, the defender's lines count.
    pub(crate) fn new(state: &State, attacker: Player, counter: bool) -> Self {
        let lines = state.lines();
        let symmetries = lines.symmetries().len().min(MAX_SYMMETRIES);
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
        let mut canonical = Self {
            lines: lines.count(),
            values: Vec::new(),
            hashes: vec![0; symmetries],
            symmetries,
            cell_keys,
            sides,
        };
        for side in 0..canonical.sides.len() {
            for line in 0..canonical.lines {
                for s in 0..symmetries {
                    let members = lines.members(line).iter();
                    let sum = members.fold(side as u64, |sum, &cell| {
                        sum.wrapping_add(mix(
                            canonical.cell_keys[usize::from(cell) * symmetries + s]
                        ))
                    });
                    canonical.values.push(mix(sum));
                }
            }
        }
        for at in 0..canonical.sides.len() {
            for line in 0..canonical.lines {
                let counts = state.counts(line);
                let (own, other) = (canonical.sides[at], canonical.sides[at].other());
                for &cell in lines.members(line) {
                    if state.owner(cell) == Some(own) {
                        canonical.flip(at, line, cell);
                    }
                }
                if counts[other.index()] == 0 {
                    canonical.toggle(at, line);
                }
            }
        }
        canonical
    }

    fn slot(&self, side: usize, line: usize) -> usize {
        (side * self.lines + line) * self.symmetries
    }

    /// Adds a line to the hashes or removes it.
    #[inline]
    fn toggle(&mut self, side: usize, line: usize) {
        let slot = self.slot(side, line);
        let values = &self.values[slot..slot + self.symmetries];
        for (hash, &value) in self.hashes.iter_mut().zip(values) {
            *hash ^= mix(value);
        }
    }

    /// Adds or removes a stone of the line's own side.
    #[inline]
    fn flip(&mut self, side: usize, line: usize, cell: Cell) {
        let slot = self.slot(side, line);
        let values = &mut self.values[slot..slot + self.symmetries];
        let keys = &self.cell_keys[usize::from(cell) * self.symmetries..];
        for (value, &key) in values.iter_mut().zip(keys) {
            *value ^= key;
        }
    }

    /// Places a stone on the board and updates the key.
    pub(crate) fn put(&mut self, state: &mut State, cell: Cell, player: Player) {
        self.change(state, cell, player);
        state.put(cell, player);
    }

    /// Removes a stone from the board and updates the key.
    pub(crate) fn remove(&mut self, state: &mut State, cell: Cell, player: Player) {
        state.remove(cell, player);
        self.change(state, cell, player);
    }

    /// Updates the hashes for a stone; `state` is the board without it. The update is its own
    /// inverse.
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

    /// Returns the key with a side to move.
    pub(crate) fn key(&self, to_move: Player) -> u64 {
        least_hash(&self.hashes, to_move)
    }

    /// Returns the key after a player's move on an empty cell.
    pub(crate) fn key_after(&self, state: &State, cell: Cell, player: Player) -> u64 {
        let mut hashes = [0; MAX_SYMMETRIES];
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
        least_hash(hashes, player.other())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use papan_rules::{Grid, Wide};
    use std::sync::Arc;

    #[test]
    fn symmetric_positions_share_a_key_and_unmake_restores_it() {
        let grid = Grid::<Wide>::new(&[5, 5], 4).expect("a board");
        let lines = Arc::new(Lines::new(&grid));
        for counter in [false, true] {
            let mut keys = Vec::new();
            for image in lines.symmetries() {
                let mut state = State::new(Arc::clone(&lines));
                let mut canonical = CanonicalKey::new(&state, Player::First, counter);
                let before = canonical.key(Player::First);
                let stones = [(0, Player::First), (7, Player::Second), (13, Player::First)];
                for (cell, side) in stones {
                    let predicted = canonical.key_after(&state, image[cell], side);
                    canonical.put(&mut state, image[cell], side);
                    assert_eq!(predicted, canonical.key(side.other()));
                }
                keys.push(canonical.key(Player::Second));
                assert_eq!(
                    keys.last(),
                    Some(&CanonicalKey::new(&state, Player::First, counter).key(Player::Second))
                );
                for (cell, side) in stones.into_iter().rev() {
                    canonical.remove(&mut state, image[cell], side);
                }
                assert_eq!(canonical.key(Player::First), before);
            }
            assert!(keys.iter().all(|&key| key == keys[0]), "{counter}");
        }
    }

    #[test]
    fn stones_on_dead_cells_do_not_change_the_key() {
        let grid = Grid::<Wide>::new(&[4, 4], 4).expect("a board");
        let mut state = State::new(Arc::new(Lines::new(&grid)));
        let mut canonical = CanonicalKey::new(&state, Player::First, false);
        // Second blocks both lines through cell 1: row 1 and column 2.
        for cell in [0, 5] {
            canonical.put(&mut state, cell, Player::Second);
        }
        let before = canonical.key(Player::First);
        canonical.put(&mut state, 1, Player::First);
        assert_eq!(canonical.key(Player::First), before);
        canonical.put(&mut state, 2, Player::First);
        assert_ne!(canonical.key(Player::First), before);
    }
}
