//! Pentanomial statistics: results counted by pairs of games with the same opening and exchanged
//! seats.
//!
//! An opening that favours one side makes the two games of a pair differ, so single games vary more
//! than pairs. Intervals are therefore computed from the five possible results of a pair (0, ½, 1,
//! 1½ or 2 points), as fishtest does.

use super::elo::{Z_95, elo_of_score, likelihood_of_superiority};

/// How often a pair of games brought 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

/// The mean share of points of a pair, and its variance over pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// The mean share of points, from 0 to 1.
    pub mean: f64,
    /// The variance of one pair's share of points.
    pub variance: f64,
}

/// An estimated Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The most likely difference.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
    /// The likelihood that the difference is above zero.
    pub superiority: f64,
}

impl Estimate {
    /// Half the width of the interval: the number after `±`.
    #[must_use]
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl Pentanomial {
    /// The share of points of each of the five results.
    pub const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Counts a pair with this many half points.
    ///
    /// # Panics
    /// When there are more than four.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs as the other player saw them.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// Mean and variance; `None` without pairs.
    #[must_use]
    pub fn moments(&self) -> Option<Moments> {
        moments(&self.0.map(|count| count as f64))
    }

    /// The variance to reckon with. Pairs that never differed may still do so:
    /// one more is then taken to have gone half a point the other way, so that a
    /// short run of equal results does not look like certainty.
    #[must_use]
    pub fn cautious_variance(&self) -> f64 {
        let Some(Moments { variance, .. }) = self.moments() else {
            return 0.0;
        };
        if variance > 0.0 {
            return variance;
        }
        let mut counts = self.0.map(|count| count as f64);
        let only = counts.iter().position(|&n| n > 0.0).unwrap_or(0);
        for neighbour in [only.wrapping_sub(1), only + 1] {
            if let Some(count) = counts.get_mut(neighbour) {
                *count += 0.5;
            }
        }
        moments(&counts).map_or(0.0, |m| m.variance)
    }

    /// The Elo difference with its 95 % interval; `None` without pairs. The ends
    /// are those of the mean share of points, turned into Elo.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let Moments { mean, .. } = self.moments()?;
        let error = (self.cautious_variance() / self.pairs() as f64).sqrt();
        Some(Estimate {
            elo: elo_of_score(mean),
            low: elo_of_score(mean - Z_95 * error),
            high: elo_of_score(mean + Z_95 * error),
            superiority: likelihood_of_superiority(mean - 0.5, error),
        })
    }
}

fn moments(counts: &[f64; 5]) -> Option<Moments> {
    let total: f64 = counts.iter().sum();
    if total <= 0.0 {
        return None;
    }
    let over = |value: &dyn Fn(f64) -> f64| -> f64 {
        let sum: f64 = std::iter::zip(counts, Pentanomial::SHARES)
            .map(|(count, share)| count * value(share))
            .sum();
        sum / total
    };
    let mean = over(&|share| share);
    let variance = over(&|share| (share - mean).powi(2));
    Some(Moments { mean, variance })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(is: f64, should_be: f64) {
        let within = 0.01 * should_be.abs().max(0.01);
        assert!(
            (is - should_be).abs() <= within,
            "{is} instead of {should_be}"
        );
    }

    /// The worked examples of fastchess, `app/tests/elo_test.cpp`, which gives LL,
    /// LD, WL, DD, WD, WW; wins with losses and two draws are both one point.
    #[test]
    fn elo_margin_and_superiority_are_those_of_fastchess() {
        let examples = [
            ([34, 54, 63, 64, 75], 55.58, 27.65, 1.0),
            ([332, 433, 498, 333, 334], -8.64, 10.33, 0.0505),
            ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, 0.0),
        ];
        for (pairs, elo, margin, superiority) in examples {
            let estimate = Pentanomial(pairs).estimate().unwrap();
            close(estimate.elo, elo);
            close(estimate.margin(), margin);
            assert!((estimate.superiority - superiority).abs() < 0.000_05);
        }
    }

    #[test]
    fn the_other_player_sees_the_opposite() {
        let pairs = Pentanomial([3, 10, 40, 20, 7]);
        let (mine, theirs) = (
            pairs.estimate().unwrap(),
            pairs.reversed().estimate().unwrap(),
        );
        assert!((mine.elo + theirs.elo).abs() < 1e-9);
        assert!((mine.low + theirs.high).abs() < 1e-9);
        assert!((mine.superiority + theirs.superiority - 1.0).abs() < 1e-9);
    }

    #[test]
    fn equal_results_are_not_certainty() {
        let drawn = Pentanomial([0, 0, 10, 0, 0]).estimate().unwrap();
        assert_eq!(drawn.elo, 0.0);
        assert!(drawn.margin() > 5.0, "{}", drawn.margin());
        let longer = Pentanomial([0, 0, 1000, 0, 0]).estimate().unwrap();
        assert!(longer.margin() < drawn.margin());
        let won = Pentanomial([0, 0, 0, 0, 10]).estimate().unwrap();
        assert_eq!(won.elo, f64::INFINITY);
        assert!(won.low.is_finite() && won.low > 0.0);
        assert_eq!(Pentanomial::default().estimate(), None);
    }
}
