//! Ratings of visitors and puzzles (Glicko-2): an attempt is a game between the two.
//!
//! Reference: M. Glickman, *Example of the Glicko-2 system*, 2022.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

/// A rating with its deviation and volatility.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating; 1500 is the average of a new player.
    pub value: f64,
    /// The deviation: the rating is within two of them with 95 % confidence.
    pub deviation: f64,
    /// The volatility.
    pub volatility: f64,
}

impl Rating {
    /// The rating of a visitor before the first puzzle.
    pub const NEW: Self = Self {
        value: 1200.0,
        deviation: 350.0,
        volatility: 0.06,
    };

    /// Returns the rating of a puzzle before anyone has tried it.
    #[must_use]
    pub fn of_puzzle(rating: u16) -> Self {
        Self {
            value: f64::from(rating),
            deviation: 200.0,
            volatility: 0.06,
        }
    }

    /// Returns the ratings of visitor and puzzle after an attempt.
    #[must_use]
    pub fn after(self, puzzle: Self, solved: bool) -> (Self, Self) {
        let outcome = if solved {
            Outcomes::WIN
        } else {
            Outcomes::LOSS
        };
        let config = Glicko2Config::new();
        let (visitor, puzzle) = glicko2(&self.into(), &puzzle.into(), &outcome, &config);
        (visitor.into(), puzzle.into())
    }
}

impl From<Rating> for Glicko2Rating {
    fn from(rating: Rating) -> Self {
        Self {
            rating: rating.value,
            deviation: rating.deviation,
            volatility: rating.volatility,
        }
    }
}

impl From<Glicko2Rating> for Rating {
    fn from(rating: Glicko2Rating) -> Self {
        Self {
            value: rating.rating.clamp(100.0, 4000.0),
            deviation: rating.deviation.clamp(30.0, 350.0),
            volatility: rating.volatility,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solved_puzzle_raises_the_visitor_and_lowers_the_puzzle() {
        let (visitor, puzzle) = (Rating::NEW, Rating::of_puzzle(1500));
        let (up, down) = visitor.after(puzzle, true);
        assert!(up.value > visitor.value && down.value < puzzle.value);
        assert!(up.deviation < visitor.deviation);
        let (failed, harder) = visitor.after(puzzle, false);
        assert!(failed.value < visitor.value && harder.value > puzzle.value);
        // A surprise counts more than an expected result.
        assert!(up.value - visitor.value > visitor.value - failed.value);
    }

    #[test]
    fn ratings_converge_to_the_strength_of_the_results() {
        let mut visitor = Rating::NEW;
        for round in 0..200 {
            // Solves everything below 1800 and nothing above.
            let puzzle = 1400 + (round * 37) % 800;
            (visitor, _) = visitor.after(Rating::of_puzzle(puzzle), puzzle < 1800);
        }
        assert!((visitor.value - 1800.0).abs() < 120.0, "{visitor:?}");
        assert!(visitor.deviation < 80.0);
    }
}
