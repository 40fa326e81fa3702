//! SPRT: the generalised sequential probability ratio test.
//!
//! Is the first player stronger by `elo1` rather than by `elo0`? After every pair of games the test
//! compares the likelihoods of the results under the best-fitting distribution of each hypothesis.
//! References: A. Wald, *Sequential Tests of Statistical Hypotheses*, 1945; M. Van den Bergh,
//! *Comments on Normalized Elo*, propositions 1.1 and 4.1, as used by fishtest and fastchess.

use std::fmt;
use std::str::FromStr;

use super::Pentanomial;
use super::elo::{POINTS_PER_LOGIT, expected_score};

/// Unit of the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Elo as ratings have it.
    #[default]
    Logistic,
    /// Elo in units of the spread of a pair's result, which needs the same number
    /// of games whatever the share of draws.
    Normalized,
}

/// A question and how sure the answer has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference in which we are not interested.
    pub elo0: f64,
    /// The difference that we look for; above `elo0`.
    pub elo1: f64,
    /// How likely it may be that `elo1` is accepted when `elo0` is true.
    pub alpha: f64,
    /// How likely it may be that `elo0` is accepted when `elo1` is true.
    pub beta: f64,
    /// The unit of the bounds.
    pub model: Model,
}

/// State of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// Not enough games yet.
    Open,
    /// The difference is `elo0` or less.
    AcceptElo0,
    /// The difference is `elo1` or more.
    AcceptElo1,
}

/// A test that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// It is not written as it has to be.
    #[error(
        "`{0}` is not part of a test; write elo0=0,elo1=5,alpha=0.05,beta=0.05 and, if you like, model=logistic or model=normalized"
    )]
    Syntax(String),
    /// The bounds are the wrong way round.
    #[error("elo0 has to be below elo1")]
    Bounds,
    /// Errors that no test can promise.
    #[error("alpha and beta have to lie between 0 and 1, and their sum below 1")]
    Errors,
}

impl Sprt {
    /// The logarithms of the likelihood ratio at which `elo0` and `elo1` are accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let (alpha, beta) = (self.alpha, self.beta);
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The logarithm of the likelihood ratio of `elo1` to `elo0`.
    #[must_use]
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        // A result that has not been seen yet is not impossible.
        let counts = pairs.0.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|n| n / total);
        let [under0, under1] = [self.elo0, self.elo1].map(|elo| match self.model {
            Model::Logistic => likeliest_with_mean(&seen, expected_score(elo)),
            Model::Normalized => {
                let t = std::f64::consts::SQRT_2 * elo / (2.0 * POINTS_PER_LOGIT);
                likeliest_with_ratio(&seen, t)
            }
        });
        let ratio = |i: usize| seen[i] * (under1[i] / under0[i]).ln();
        total * (0..5).map(ratio).sum::<f64>()
    }

    /// Returns the state of the test for these pairs.
    #[must_use]
    pub fn verdict(&self, pairs: &Pentanomial) -> Acceptance {
        let (lower, upper) = self.bounds();
        match self.log_likelihood_ratio(pairs) {
            llr if llr >= upper => Acceptance::AcceptElo1,
            llr if llr <= lower => Acceptance::AcceptElo0,
            _ => Acceptance::Open,
        }
    }
}

/// Returns the maximum-likelihood distribution with this mean.
fn likeliest_with_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    tilted(seen, &Pentanomial::SHARES.map(|share| share - mean))
}

/// The likeliest distribution whose mean lies `t` standard deviations above ½.
fn likeliest_with_ratio(seen: &[f64; 5], t: f64) -> [f64; 5] {
    let mut p = [0.2; 5];
    for _ in 0..1000 {
        let mean: f64 = (0..5).map(|i| p[i] * Pentanomial::SHARES[i]).sum();
        let spread = (0..5)
            .map(|i| p[i] * (Pentanomial::SHARES[i] - mean).powi(2))
            .sum::<f64>()
            .sqrt();
        let slope = Pentanomial::SHARES.map(|share| {
            share - 0.5 - 0.5 * t * spread * (1.0 + ((share - mean) / spread).powi(2))
        });
        let next = tilted(seen, &slope);
        let moved = (0..5).map(|i| (next[i] - p[i]).abs()).fold(0.0, f64::max);
        p = next;
        if moved < 1e-9 {
            break;
        }
    }
    p
}

/// `seen[i] / (1 + theta * slope[i])` with the one `theta` that makes the mean of
/// `slope` zero.
fn tilted(seen: &[f64; 5], slope: &[f64; 5]) -> [f64; 5] {
    let least = slope.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slope.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The sum below decreases from +infinity to -infinity between these two.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..60 {
        let theta = (low + high) / 2.0;
        let sum: f64 = (0..5)
            .map(|i| seen[i] * slope[i] / (1.0 + theta * slope[i]))
            .sum();
        if sum > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = (low + high) / 2.0;
    std::array::from_fn(|i| seen[i] / (1.0 + theta * slope[i]))
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut sprt = Self {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Logistic,
        };
        for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
            let wrong = || SprtError::Syntax(part.into());
            let (key, value) = part.split_once('=').ok_or_else(wrong)?;
            let number = || value.parse::<f64>().ok().filter(|n| n.is_finite());
            match key {
                "elo0" => sprt.elo0 = number().ok_or_else(wrong)?,
                "elo1" => sprt.elo1 = number().ok_or_else(wrong)?,
                "alpha" => sprt.alpha = number().ok_or_else(wrong)?,
                "beta" => sprt.beta = number().ok_or_else(wrong)?,
                "model" if value == "logistic" => sprt.model = Model::Logistic,
                "model" if value == "normalized" => sprt.model = Model::Normalized,
                _ => return Err(wrong()),
            }
        }
        if sprt.elo0 >= sprt.elo1 {
            return Err(SprtError::Bounds);
        }
        let possible = |error: f64| error > 0.0 && error < 1.0;
        if !possible(sprt.alpha) || !possible(sprt.beta) || sprt.alpha + sprt.beta >= 1.0 {
            return Err(SprtError::Errors);
        }
        Ok(sprt)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = match self.model {
            Model::Logistic => "logistic",
            Model::Normalized => "normalized",
        };
        write!(
            f,
            "elo0={},elo1={},alpha={},beta={},model={model}",
            self.elo0, self.elo1, self.alpha, self.beta
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked examples of fastchess, `app/tests/sprt_test.cpp`; LL, LD, WL and
    /// DD together, WD, WW.
    #[test]
    fn the_likelihood_ratio_is_that_of_fastchess() {
        let examples = [
            (
                [365, 16618, 36229, 16974, 390],
                "elo0=0,elo1=2,model=normalized",
                2.25,
            ),
            (
                [127, 4883, 10712, 5150, 104],
                "elo0=-1.75,elo1=0.25,model=normalized",
                3.01,
            ),
            ([223, 9863, 21279, 10037, 246], "elo0=0.5,elo1=2.5", -3.07),
            ([871, 26175, 55983, 26678, 821], "elo0=0,elo1=2", -4.98),
        ];
        for (pairs, test, llr) in examples {
            let test: Sprt = test.parse().unwrap();
            let is = test.log_likelihood_ratio(&Pentanomial(pairs));
            assert!((is - llr).abs() < 0.01, "{is} instead of {llr}");
        }
    }

    /// Wald's bounds for 5 % and 5 %, as every report of fishtest shows them.
    #[test]
    fn the_bounds_are_walds() {
        let test: Sprt = "elo0=0,elo1=5,alpha=0.05,beta=0.05".parse().unwrap();
        let (lower, upper) = test.bounds();
        assert!((upper - 2.944).abs() < 0.001 && (lower + 2.944).abs() < 0.001);
        assert_eq!(test.verdict(&Pentanomial::default()), Acceptance::Open);
        let better = Pentanomial([10, 100, 1000, 600, 300]);
        assert_eq!(test.verdict(&better), Acceptance::AcceptElo1);
        assert_eq!(test.verdict(&better.reversed()), Acceptance::AcceptElo0);
    }

    #[test]
    fn a_test_that_cannot_be_made_is_refused() {
        let error = |text: &str| text.parse::<Sprt>().unwrap_err();
        assert_eq!(error("elo0=5,elo1=0"), SprtError::Bounds);
        assert_eq!(error("alpha=0"), SprtError::Errors);
        assert_eq!(error("alpha=0.6,beta=0.6"), SprtError::Errors);
        assert_eq!(error("elo2=1"), SprtError::Syntax("elo2=1".into()));
        assert_eq!(error("elo1=nan"), SprtError::Syntax("elo1=nan".into()));
        let test: Sprt = "elo0=-3,elo1=1,model=normalized".parse().unwrap();
        assert_eq!(test.to_string().parse::<Sprt>(), Ok(test));
    }
}
