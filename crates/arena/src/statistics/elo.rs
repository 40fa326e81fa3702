//! Elo differences, expected scores and the normal distribution.

/// The quantile of the normal distribution that a 95 % interval reaches to.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// Elo points per unit of the logistic function's argument.
pub(super) const POINTS_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The share of points that a player who is stronger by `elo` is expected to score.
///
/// ```
/// assert_eq!(papan_arena::statistics::expected_score(0.0), 0.5);
/// assert!((papan_arena::statistics::expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference at which `score` is the expected share of points: infinite
/// for 0 and 1.
#[must_use]
pub(super) fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    POINTS_PER_LOGIT * (score / (1.0 - score)).ln()
}

/// The probability that a standard normal variable is below `z`.
#[must_use]
pub(super) fn normal_below(z: f64) -> f64 {
    let tail = upper_tail(z.abs());
    if z < 0.0 { tail } else { 1.0 - tail }
}

/// Returns the likelihood that the true value is above zero, given an estimate and its standard
/// error.
#[must_use]
pub(super) fn likelihood_of_superiority(estimate: f64, standard_error: f64) -> f64 {
    if standard_error > 0.0 {
        normal_below(estimate / standard_error)
    } else if estimate == 0.0 {
        0.5
    } else {
        f64::from(u8::from(estimate > 0.0))
    }
}

/// The probability that a standard normal variable is above `z`, for `z >= 0`.
fn upper_tail(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z < 3.0 {
        // The series z + z^3/3 + z^5/(3*5) + ... has no cancellation.
        let (mut term, mut sum, mut n) = (z, z, 1.0);
        while term > sum * 1e-17 {
            n += 2.0;
            term *= z * z / n;
            sum += term;
        }
        0.5 - density * sum
    } else {
        // Laplace's continued fraction converges fast out here.
        let fraction = (1..=60).rev().fold(z, |inner, k| z + f64::from(k) / inner);
        density / fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-800.0, -35.5, 0.0, 12.25, 400.0] {
            assert!((elo_of_score(expected_score(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    /// Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.1.
    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        for (z, below) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013),
            (1.0, 0.841_344_746_068_543),
            (1.96, 0.975_002_104_851_780),
            (2.98, 0.998_558_758_082_660),
            (3.0, 0.998_650_101_968_370),
            (5.0, 0.999_999_713_348_428),
        ] {
            assert!((normal_below(z) - below).abs() < 1e-12, "at {z}");
            assert!((normal_below(-z) - (1.0 - below)).abs() < 1e-12, "at -{z}");
        }
        assert!((normal_below(Z_95) - 0.975).abs() < 1e-12);
    }
}
