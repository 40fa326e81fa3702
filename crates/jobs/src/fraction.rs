//! Fractions as options: `1%`, `0.01`.

use std::fmt;
use std::str::FromStr;

/// A number from 0 to 1, written as a percentage or a decimal fraction.
///
/// ```
/// use papan_jobs::Fraction;
///
/// assert_eq!("1%".parse(), Ok(Fraction(0.01)));
/// assert!("101%".parse::<Fraction>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fraction(pub f64);

/// A text that is not a fraction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a percentage from 0% to 100%")]
pub struct ParseFractionError(String);

impl FromStr for Fraction {
    type Err = ParseFractionError;

    fn from_str(text: &str) -> Result<Self, ParseFractionError> {
        let value = match text.strip_suffix('%') {
            Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
            None => text.parse(),
        };
        let value = value.ok().filter(|value| (0.0..=1.0).contains(value));
        value
            .map(Self)
            .ok_or_else(|| ParseFractionError(text.into()))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.0 * 100.0)
    }
}
