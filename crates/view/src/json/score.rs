//! A score, flattened into the object that it belongs to.

use papan_strategies as strategies;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A score for the side to move, with its unit and bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The number; `null` if unknown.
    pub score: Option<Number>,
    /// The unit.
    pub unit: Option<Unit>,
    /// Whether it is exact, a bound or an estimate.
    pub bound: Bound,
    /// Plies to the end of the game with best play, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// Whether it is proved; the plies are then an upper bound.
    #[serde(default, skip_serializing_if = "is_false")]
    pub proof: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The unit of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// The result: +1, 0 or -1.
    Result,
    /// Disc difference.
    Discs,
    /// Expected score from 0 to 1.
    Chance,
}

/// The kind of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// The exact value.
    Exact,
    /// A lower bound.
    AtLeast,
    /// An upper bound.
    AtMost,
    /// An estimate.
    Estimate,
    /// Unknown.
    Unknown,
}

impl From<strategies::Unit> for Unit {
    fn from(unit: strategies::Unit) -> Self {
        match unit {
            strategies::Unit::Result => Self::Result,
            strategies::Unit::Discs => Self::Discs,
            strategies::Unit::Chance => Self::Chance,
        }
    }
}

impl From<strategies::Score> for Score {
    fn from(score: strategies::Score) -> Self {
        Self {
            score: number(score.value()),
            unit: Some(score.unit().into()),
            bound: match score.bound() {
                strategies::Bound::Exact => Bound::Exact,
                strategies::Bound::AtLeast => Bound::AtLeast,
                strategies::Bound::AtMost => Bound::AtMost,
                strategies::Bound::Estimate => Bound::Estimate,
            },
            plies: score.plies(),
            proof: score.is_by_proof(),
        }
    }
}

impl From<Option<strategies::Score>> for Score {
    fn from(score: Option<strategies::Score>) -> Self {
        score.map_or(
            Self {
                score: None,
                unit: None,
                bound: Bound::Unknown,
                plies: None,
                proof: false,
            },
            Self::from,
        )
    }
}

impl Score {
    /// Converts back to a score, if it is valid.
    #[must_use]
    pub fn read(&self) -> Option<strategies::Score> {
        let value = self.score.as_ref()?.as_f64()? as f32;
        let exact = match self.unit? {
            Unit::Chance => {
                let chance = strategies::Score::chance(value);
                return Some(match self.bound {
                    Bound::AtMost => chance.or_less(),
                    _ => chance,
                });
            }
            Unit::Result => strategies::Score::result(value as i32),
            Unit::Discs if self.bound == Bound::Estimate => {
                return Some(strategies::Score::about_discs(value));
            }
            Unit::Discs => strategies::Score::discs(value as i32),
        };
        let score = match self.bound {
            Bound::Exact => match self.plies {
                Some(plies) => exact.in_plies(plies),
                None => exact,
            },
            Bound::AtLeast => exact.or_more(),
            Bound::AtMost => exact.or_less(),
            Bound::Estimate => exact.guessed(),
            Bound::Unknown => return None,
        };
        Some(if self.proof { score.by_proof() } else { score })
    }
}

/// Formats whole numbers without a fraction, and fractions with their shortest digits.
fn number(value: f32) -> Option<Number> {
    if value.fract() == 0.0 {
        Some(Number::from(value as i64))
    } else {
        let digits: f64 = value.to_string().parse().ok()?;
        Number::from_f64(digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_a_number_beside_its_unit_and_its_bound() {
        let text =
            |score: Option<strategies::Score>| serde_json::to_string(&Score::from(score)).unwrap();
        use strategies::Score as S;
        assert_eq!(
            text(Some(S::result(1).in_plies(3))),
            r#"{"score":1,"unit":"result","bound":"exact","plies":3}"#
        );
        assert_eq!(
            text(Some(S::result(0).by_proof())),
            r#"{"score":0,"unit":"result","bound":"exact","proof":true}"#
        );
        assert_eq!(
            text(Some(S::discs(-4).or_less())),
            r#"{"score":-4,"unit":"discs","bound":"at-most"}"#
        );
        assert_eq!(
            text(Some(S::chance(0.31))),
            r#"{"score":0.31,"unit":"chance","bound":"estimate"}"#
        );
        assert_eq!(
            text(None),
            r#"{"score":null,"unit":null,"bound":"unknown"}"#
        );
    }

    #[test]
    fn a_score_is_read_as_it_was_written() {
        use strategies::Score as S;
        let scores = [
            S::result(-1).in_plies(4),
            S::result(0).guessed(),
            S::result(1).in_plies(11).by_proof(),
            S::result(0).or_more().by_proof(),
            S::result(0).or_less(),
            S::discs(12),
            S::discs(-2).or_more(),
            S::about_discs(3.5),
            S::chance(0.625),
        ];
        for score in scores {
            let text = serde_json::to_string(&Score::from(score)).unwrap();
            let form: Score = serde_json::from_str(&text).unwrap();
            assert_eq!(form.read(), Some(score), "{text}");
        }
    }
}
