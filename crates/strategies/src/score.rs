//! Scores: expectations about a position, with unit and bound.

use papan_rules::ScoreUnit;

/// An expectation about a position for the player to move: a number, its unit, and its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    value: f32,
    unit: Unit,
    bound: Bound,
    plies: Option<u32>,
    by_proof: bool,
}

/// Unit of a [`Score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// How the game ends: +1 a win, 0 a draw, -1 a loss.
    Result,
    /// The difference in discs at the end.
    Discs,
    /// The part of the point to expect, from 0 to 1: a win is the whole of it, a
    /// draw half.
    Chance,
}

/// How far the number of a [`Score`] can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or more.
    AtLeast,
    /// The value is this or less.
    AtMost,
    /// It is a guess.
    Estimate,
}

impl Score {
    /// Returns the score of a certain outcome: the sign of `value` is the winner.
    #[must_use]
    pub const fn result(value: i32) -> Self {
        Self::exact(value.signum(), Unit::Result)
    }

    /// How many discs more the player certainly has at the end.
    #[must_use]
    pub const fn discs(value: i32) -> Self {
        Self::exact(value, Unit::Discs)
    }

    /// The value of a game, known for certain, as its final scores count.
    #[must_use]
    pub const fn from_final(unit: ScoreUnit, value: i32) -> Self {
        match unit {
            ScoreUnit::Discs => Self::discs(value),
            ScoreUnit::Result => Self::result(value),
        }
    }

    /// About how many discs more the player will have at the end.
    #[must_use]
    pub fn about_discs(value: f32) -> Self {
        Self {
            // No estimate is "minus nothing".
            value: if value.is_finite() { value + 0.0 } else { 0.0 },
            bound: Bound::Estimate,
            ..Self::discs(0)
        }
    }

    /// The part of the point to expect, from 0 to 1.
    #[must_use]
    pub fn chance(share: f32) -> Self {
        Self {
            value: if share.is_nan() {
                0.5
            } else {
                share.clamp(0.0, 1.0)
            },
            unit: Unit::Chance,
            bound: Bound::Estimate,
            plies: None,
            by_proof: false,
        }
    }

    const fn exact(value: i32, unit: Unit) -> Self {
        Self {
            value: value as f32,
            unit,
            bound: Bound::Exact,
            plies: None,
            by_proof: false,
        }
    }

    /// The same, with the plies until the end when both play for it.
    #[must_use]
    pub const fn in_plies(self, plies: u32) -> Self {
        match self.bound {
            Bound::Exact => Self {
                plies: Some(plies),
                ..self
            },
            _ => self,
        }
    }

    /// Returns the same score, known from a proof that answers every reply: its plies are an upper
    /// bound.
    #[must_use]
    pub const fn by_proof(self) -> Self {
        Self {
            by_proof: !matches!(self.bound, Bound::Estimate),
            ..self
        }
    }

    /// Only that the value is this or more.
    #[must_use]
    pub const fn or_more(self) -> Self {
        self.bounded(Bound::AtLeast)
    }

    /// Only that the value is this or less.
    #[must_use]
    pub const fn or_less(self) -> Self {
        self.bounded(Bound::AtMost)
    }

    /// Nothing certain.
    #[must_use]
    pub const fn guessed(self) -> Self {
        self.bounded(Bound::Estimate)
    }

    const fn bounded(self, bound: Bound) -> Self {
        Self {
            bound,
            plies: None,
            by_proof: false,
            ..self
        }
    }

    /// The number.
    #[must_use]
    pub const fn value(self) -> f32 {
        self.value
    }

    /// Returns the unit.
    #[must_use]
    pub const fn unit(self) -> Unit {
        self.unit
    }

    /// How far it can be trusted.
    #[must_use]
    pub const fn bound(self) -> Bound {
        self.bound
    }

    /// Returns the plies until the end with best play, if known; an upper bound if known from a
    /// proof.
    #[must_use]
    pub const fn plies(self) -> Option<u32> {
        self.plies
    }

    /// Whether it is known from a proof that has an answer to every reply.
    #[must_use]
    pub const fn is_by_proof(self) -> bool {
        self.by_proof
    }

    /// The value where it is certain: +1, 0 or -1, or a difference in discs.
    #[must_use]
    pub const fn proven(self) -> Option<i32> {
        match self.bound {
            Bound::Exact => Some(self.value as i32),
            _ => None,
        }
    }

    /// Whether the value is certain.
    #[must_use]
    pub const fn is_proven(self) -> bool {
        matches!(self.bound, Bound::Exact)
    }

    /// Who is ahead and how far: above 0 the player to move. Discs count as they
    /// are; a result and a chance both run from -1 to +1.
    #[must_use]
    pub fn balance(self) -> f32 {
        match self.unit {
            Unit::Result | Unit::Discs => self.value,
            Unit::Chance => 2.0 * self.value - 1.0,
        }
    }

    /// The same belief from the other player's side.
    #[must_use]
    pub fn turned(self) -> Self {
        Self {
            value: match self.unit {
                Unit::Chance => 1.0 - self.value,
                // Subtracting knows no negative zero.
                Unit::Result | Unit::Discs => 0.0 - self.value,
            },
            bound: match self.bound {
                Bound::AtLeast => Bound::AtMost,
                Bound::AtMost => Bound::AtLeast,
                other => other,
            },
            ..self
        }
    }

    /// The same belief one ply earlier, with the same player to move.
    #[must_use]
    pub fn a_ply_earlier(self) -> Self {
        Self {
            plies: self.plies.map(|plies| plies.saturating_add(1)),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Score> {
        let mut all = Vec::new();
        for value in [-64, -1, 0, 1, 12] {
            for exact in [Score::result(value), Score::discs(value)] {
                all.extend([exact, exact.in_plies(3), exact.or_more(), exact.or_less()]);
                all.push(exact.guessed());
                all.extend([exact.in_plies(5).by_proof(), exact.or_more().by_proof()]);
            }
            all.push(Score::about_discs(value as f32 / 3.0));
            all.push(Score::chance(value as f32 / 64.0));
        }
        all
    }

    #[test]
    fn turning_twice_changes_nothing_and_turning_once_changes_sides() {
        for score in all() {
            assert_eq!(score.turned().turned(), score);
            assert_eq!(score.turned().balance(), 0.0 - score.balance());
            assert!(!score.turned().value().is_sign_negative() || score.turned().value() < 0.0);
        }
    }

    #[test]
    fn no_score_is_nonsense() {
        for score in all() {
            match score.unit() {
                Unit::Result => assert!([-1.0, 0.0, 1.0].contains(&score.value())),
                Unit::Discs => assert!(score.value().is_finite()),
                Unit::Chance => {
                    assert!((0.0..=1.0).contains(&score.value()));
                    assert_eq!(score.bound(), Bound::Estimate);
                }
            }
            if score.bound() != Bound::Exact {
                assert_eq!((score.plies(), score.proven()), (None, None));
            }
        }
        assert_eq!(Score::chance(f32::NAN), Score::chance(0.5));
        assert_eq!(Score::about_discs(f32::NAN), Score::about_discs(0.0));
        assert!(Score::about_discs(-0.0).value().is_sign_positive());
        assert_eq!(Score::about_discs(2.5).in_plies(4).plies(), None);
        assert!(!Score::chance(0.9).by_proof().is_by_proof());
        assert!(!Score::result(1).by_proof().guessed().is_by_proof());
    }
}
