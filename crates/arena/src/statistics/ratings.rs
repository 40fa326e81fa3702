//! Ratings by maximum likelihood (Bradley–Terry model), with draws as half points and intervals
//! from pairs.
//!
//! The expected score of a game is the logistic function of the rating difference. The variance is
//! estimated from the observed pairs, not from the model of single games (sandwich estimator).
//! Reference: R. A. Bradley and M. E. Terry, Biometrika 39, 1952.

use super::Pentanomial;
use super::elo::{POINTS_PER_LOGIT, Z_95, likelihood_of_superiority};

/// All pairs of games between two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// The two players, by their numbers.
    pub players: [usize; 2],
    /// The pairs of games, as the first of the two saw them.
    pub pairs: Pentanomial,
}

/// The ratings of all players, their mean at zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    elo: Vec<f64>,
    /// Covariances of the ratings, row by row.
    covariance: Vec<f64>,
    widened: bool,
}

impl Ratings {
    /// Computes the maximum-likelihood ratings of `players` players.
    ///
    /// If a player has won or lost everything, the maximum is at infinity. One drawn pair is then
    /// added to every encounter, and [`Ratings::is_widened`] returns true.
    ///
    /// # Panics
    /// When an encounter names a player beyond `players`.
    #[must_use]
    pub fn of(players: usize, encounters: &[Encounter]) -> Self {
        let widened = !has_maximum(players, encounters);
        let extra = if widened { 1.0 } else { 0.0 };
        let meetings: Vec<Meeting> = encounters
            .iter()
            .filter_map(|encounter| Meeting::of(encounter, extra))
            .collect();
        let logits = likeliest(players, &meetings);
        let covariance = sandwich(players, &meetings, &logits);
        let scale = POINTS_PER_LOGIT;
        Self {
            elo: logits.iter().map(|logit| logit * scale).collect(),
            covariance: covariance.iter().map(|c| c * scale * scale).collect(),
            widened,
        }
    }

    /// A player's rating.
    #[must_use]
    pub fn elo(&self, player: usize) -> f64 {
        self.elo[player]
    }

    /// Half the width of the 95 % interval around a player's rating.
    #[must_use]
    pub fn margin(&self, player: usize) -> f64 {
        Z_95 * self.covariance(player, player).max(0.0).sqrt()
    }

    /// The likelihood that one player is stronger than another.
    #[must_use]
    pub fn superiority(&self, player: usize, other: usize) -> f64 {
        let variance = self.covariance(player, player) + self.covariance(other, other)
            - 2.0 * self.covariance(player, other);
        let error = variance.max(0.0).sqrt();
        likelihood_of_superiority(self.elo[player] - self.elo[other], error)
    }

    /// Whether a drawn pair was added to every encounter.
    #[must_use]
    pub fn is_widened(&self) -> bool {
        self.widened
    }

    fn covariance(&self, a: usize, b: usize) -> f64 {
        self.covariance[a * self.elo.len() + b]
    }
}

/// An encounter in numbers: pairs, the share of points, the variance of a pair.
struct Meeting {
    players: [usize; 2],
    pairs: f64,
    share: f64,
    variance: f64,
}

impl Meeting {
    fn of(encounter: &Encounter, extra: f64) -> Option<Self> {
        let moments = encounter.pairs.moments()?;
        let seen = encounter.pairs.pairs() as f64;
        let pairs = seen + extra;
        let share = (moments.mean * seen + 0.5 * extra) / pairs;
        let spread = (encounter.pairs.cautious_variance() + (moments.mean - share).powi(2)) * seen;
        Some(Self {
            players: encounter.players,
            pairs,
            share,
            variance: (spread + (0.5 - share).powi(2) * extra) / pairs,
        })
    }

    fn expected(&self, logits: &[f64]) -> f64 {
        let [a, b] = self.players;
        1.0 / (1.0 + (logits[b] - logits[a]).exp())
    }

    /// Adds `weight` times the matrix of this meeting's difference.
    fn add_to(&self, matrix: &mut [f64], players: usize, weight: f64) {
        let [a, b] = self.players;
        matrix[a * players + a] += weight;
        matrix[b * players + b] += weight;
        matrix[a * players + b] -= weight;
        matrix[b * players + a] -= weight;
    }
}

/// Ford's condition: the likelihood has a maximum if the directed graph of points is strongly
/// connected. Reference: L. R. Ford, American Mathematical Monthly 64, 1957.
fn has_maximum(players: usize, encounters: &[Encounter]) -> bool {
    let mut reaches = vec![false; players * players];
    let mut meets = vec![false; players * players];
    for Encounter {
        players: [a, b],
        pairs,
    } in encounters
    {
        let Some(moments) = pairs.moments() else {
            continue;
        };
        reaches[a * players + b] |= moments.mean > 0.0;
        reaches[b * players + a] |= moments.mean < 1.0;
        meets[a * players + b] = true;
        meets[b * players + a] = true;
    }
    for graph in [&mut reaches, &mut meets] {
        for via in 0..players {
            for from in 0..players {
                if graph[from * players + via] {
                    for to in 0..players {
                        graph[from * players + to] |= graph[via * players + to];
                    }
                }
            }
        }
    }
    reaches == meets
}

/// Ridge that keeps the singular matrix of differences invertible, relative to its diagonal; the
/// mean stays at zero.
const RIDGE: f64 = 1e-7;

/// Newton's method on the logarithm of the likelihood, halving steps that
/// overshoot.
fn likeliest(players: usize, meetings: &[Meeting]) -> Vec<f64> {
    let likelihood = |logits: &[f64]| -> f64 {
        let of = |meeting: &Meeting| {
            let expected = meeting.expected(logits);
            meeting.pairs
                * (meeting.share * expected.ln() + (1.0 - meeting.share) * (1.0 - expected).ln())
        };
        meetings.iter().map(of).sum()
    };
    let mut logits = vec![0.0; players];
    for _ in 0..100 {
        let mut gradient = vec![0.0; players];
        let mut curvature = vec![0.0; players * players];
        for meeting in meetings {
            let expected = meeting.expected(&logits);
            let pull = meeting.pairs * (meeting.share - expected);
            gradient[meeting.players[0]] += pull;
            gradient[meeting.players[1]] -= pull;
            meeting.add_to(
                &mut curvature,
                players,
                meeting.pairs * expected * (1.0 - expected),
            );
        }
        let inverse = inverted(curvature, players);
        let step = product(&inverse, &gradient, 1);
        let before = likelihood(&logits);
        let mut length = 1.0;
        let next = loop {
            let next: Vec<f64> = std::iter::zip(&logits, &step)
                .map(|(logit, step)| logit + length * step)
                .collect();
            if likelihood(&next) >= before || length < 1e-6 {
                break next;
            }
            length /= 2.0;
        };
        let moved = step.iter().fold(0.0, |most: f64, s| most.max(s.abs())) * length;
        logits = next;
        if moved < 1e-12 {
            break;
        }
    }
    logits
}

fn sandwich(players: usize, meetings: &[Meeting], logits: &[f64]) -> Vec<f64> {
    let mut curvature = vec![0.0; players * players];
    let mut noise = vec![0.0; players * players];
    for meeting in meetings {
        let expected = meeting.expected(logits);
        meeting.add_to(
            &mut curvature,
            players,
            meeting.pairs * expected * (1.0 - expected),
        );
        meeting.add_to(&mut noise, players, meeting.pairs * meeting.variance);
    }
    let inverse = inverted(curvature, players);
    product(&inverse, &product(&noise, &inverse, players), players)
}

/// The product of a square matrix and one with `columns` columns, row by row.
fn product(a: &[f64], b: &[f64], columns: usize) -> Vec<f64> {
    let n = b.len() / columns.max(1);
    let mut out = vec![0.0; n * columns];
    for row in 0..n {
        for inner in 0..n {
            for column in 0..columns {
                out[row * columns + column] += a[row * n + inner] * b[inner * columns + column];
            }
        }
    }
    out
}

/// The inverse of a symmetric matrix of differences, by Gauss and Jordan.
fn inverted(mut matrix: Vec<f64>, n: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; n * n];
    let diagonal = (0..n).map(|i| matrix[i * n + i]).fold(0.0, f64::max);
    let ridge = RIDGE * if diagonal > 0.0 { diagonal } else { 1.0 };
    for i in 0..n {
        matrix[i * n + i] += ridge;
        inverse[i * n + i] = 1.0;
    }
    for pivot in 0..n {
        // Positive definite thanks to the ridge: no pivot is ever zero.
        let scale = 1.0 / matrix[pivot * n + pivot];
        for column in 0..n {
            matrix[pivot * n + column] *= scale;
            inverse[pivot * n + column] *= scale;
        }
        for row in (0..n).filter(|&row| row != pivot) {
            let factor = matrix[row * n + pivot];
            for column in 0..n {
                matrix[row * n + column] -= factor * matrix[pivot * n + column];
                inverse[row * n + column] -= factor * inverse[pivot * n + column];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encounter(a: usize, b: usize, pairs: [u64; 5]) -> Encounter {
        Encounter {
            players: [a, b],
            pairs: Pentanomial(pairs),
        }
    }

    #[test]
    fn two_players_differ_by_what_their_pairs_say() {
        let met = encounter(0, 1, [34, 54, 63, 64, 75]);
        let ratings = Ratings::of(2, &[met]);
        let alone = met.pairs.estimate().unwrap();
        let difference = ratings.elo(0) - ratings.elo(1);
        assert!((difference - alone.elo).abs() < 1e-6);
        assert!((ratings.elo(0) + ratings.elo(1)).abs() < 1e-6);
        // Both ends of the difference move, each by half.
        let margin = ratings.margin(0) + ratings.margin(1);
        assert!((margin - alone.margin()).abs() < 0.01 * margin);
        assert!((ratings.superiority(0, 1) - alone.superiority).abs() < 1e-3);
    }

    /// David, *The Method of Paired Comparisons*: at the maximum the expected points of every
    /// player equal the scored points.
    #[test]
    fn everybody_is_expected_to_score_what_they_scored() {
        let met = [
            encounter(0, 1, [1, 2, 9, 6, 2]),
            encounter(0, 2, [0, 2, 5, 8, 5]),
            encounter(1, 2, [3, 3, 6, 4, 4]),
            encounter(3, 2, [9, 6, 4, 1, 0]),
        ];
        let ratings = Ratings::of(4, &met);
        for player in 0..4 {
            let (mut scored, mut expected) = (0.0, 0.0);
            for Encounter {
                players: [a, b],
                pairs,
            } in met
            {
                if player != a && player != b {
                    continue;
                }
                let (pairs, other) = if player == a {
                    (pairs, b)
                } else {
                    (pairs.reversed(), a)
                };
                let n = pairs.pairs() as f64;
                scored += n * pairs.moments().unwrap().mean;
                let difference = ratings.elo(player) - ratings.elo(other);
                expected += n * crate::statistics::expected_score(difference);
            }
            assert!((scored - expected).abs() < 1e-6, "player {player}");
        }
        assert!(!ratings.is_widened());
    }

    #[test]
    fn whoever_won_everything_gets_a_finite_rating_and_a_wide_interval() {
        let ratings = Ratings::of(
            3,
            &[
                encounter(0, 1, [0, 0, 0, 0, 20]),
                encounter(0, 2, [0, 0, 0, 0, 20]),
                encounter(1, 2, [1, 5, 8, 5, 1]),
            ],
        );
        assert!(ratings.is_widened());
        assert!(ratings.elo(0) > 300.0 && ratings.elo(0).is_finite());
        assert!(ratings.margin(0) > 50.0);
        assert!(ratings.superiority(0, 1) > 0.999);
    }

    #[test]
    fn players_without_games_stay_at_zero() {
        let ratings = Ratings::of(3, &[encounter(0, 1, [0, 1, 2, 1, 0])]);
        assert_eq!(ratings.elo(2), 0.0);
        assert!(!ratings.is_widened());
        assert_eq!(Ratings::of(0, &[]).elo.len(), 0);
    }
}
