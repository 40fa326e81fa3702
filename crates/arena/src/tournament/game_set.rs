//! Set of the games of a plan that have been played.

/// A set of games by their numbers, one bit for each.
pub(crate) struct GameSet {
    words: Vec<u64>,
    length: u64,
}

impl GameSet {
    pub(crate) fn new(length: u64) -> Self {
        Self {
            words: vec![0; length.div_ceil(64) as usize],
            length,
        }
    }

    /// One more than the highest number.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        self.words[(number / 64) as usize] >> (number % 64) & 1 == 1
    }

    /// Adds a number; `false` when it was there.
    pub(crate) fn insert(&mut self, number: u64) -> bool {
        let new = !self.contains(number);
        self.words[(number / 64) as usize] |= 1 << (number % 64);
        new
    }

    pub(crate) fn count(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::GameSet;

    #[test]
    fn a_game_is_in_the_set_once() {
        let mut games = GameSet::new(130);
        assert!(games.insert(0) && games.insert(129) && !games.insert(129));
        assert!(games.contains(0) && !games.contains(64));
        assert_eq!((games.count(), games.length()), (2, 130));
    }
}
