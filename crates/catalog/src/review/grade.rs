//! Grades of bad moves (inaccuracy, mistake, blunder) and the accuracy of a player.

use papan_rules::Player;
use papan_strategies::{Score, Unit};

use super::Judgement;

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// A small loss.
    Inaccuracy,
    /// A loss that often decides: six discs, a quarter of the winning chance, a proved half point.
    Mistake,
    /// Twice as much: twelve discs, half of the winning chance, a proved win that became a loss.
    Blunder,
}

impl Grade {
    /// Every grade, the smallest loss first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Grades a score beside the best one of the same position; `None` if it is as good, or if the
    /// two do not compare.
    #[must_use]
    pub fn between(best: Score, score: Score) -> Option<Self> {
        if (best.unit() == Unit::Discs) != (score.unit() == Unit::Discs) {
            return None;
        }
        let loss = best.balance() - score.balance();
        let exact = best.is_proven() && score.is_proven();
        (loss >= least_loss(best.unit(), exact)).then(|| Self::of(loss, best.unit(), exact))
    }

    /// Grades a loss that is large enough for a grade. `exact` says whether the scores before and
    /// after the move are proved.
    pub(super) fn of(loss: f32, unit: Unit, exact: bool) -> Self {
        let [mistake, blunder] = match (unit, exact) {
            (Unit::Discs, _) => [6.0, 12.0],
            (Unit::Result, true) => [1.0, 2.0],
            // From -1 to 1: twice the winning chance.
            _ => [0.5, 1.0],
        };
        if loss >= blunder {
            Self::Blunder
        } else if loss >= mistake {
            Self::Mistake
        } else {
            Self::Inaccuracy
        }
    }

    /// Returns its name in JSON and in the keys of messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// Returns its sign, as annotations have it.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// Returns the smallest loss that has a grade.
pub(super) fn least_loss(unit: Unit, exact: bool) -> f32 {
    match (unit, exact) {
        (Unit::Discs, true) => 2.0,
        // A disc or two is within an estimate's error; so is a small chance.
        (Unit::Discs, false) => 3.0,
        (Unit::Result, true) => 1.0,
        _ => 0.3,
    }
}

/// Scale of a score in discs: this lead is a winning chance of 88 %.
const DISC_SCALE: f32 = 12.0;

/// Returns the winning chance of a score in percent; a draw is half a win.
fn winning_percentage(score: Score) -> f32 {
    let balance = match score.unit() {
        Unit::Discs => (score.balance() / DISC_SCALE).tanh(),
        Unit::Result | Unit::Chance => score.balance().clamp(-1.0, 1.0),
    };
    50.0 + 50.0 * balance
}

/// Returns the accuracy of a player in percent: the mean over the moves whose loss is known.
///
/// Reference: <https://lichess.org/page/accuracy>
#[must_use]
pub fn accuracy(judgements: &[Judgement], player: Player) -> Option<f32> {
    let moves = judgements.iter().filter_map(|judgement| {
        let (before, after) = (judgement.before?, judgement.after?);
        let known = judgement.player == player && judgement.loss.is_some();
        let drop = winning_percentage(before) - winning_percentage(after);
        known.then(|| 103.1668 * (-0.04354 * drop.max(0.0)).exp() - 3.1669)
    });
    let (count, sum) = moves.fold((0, 0.0), |(count, sum), one| (count + 1, sum + one));
    (count > 0).then(|| (sum / count as f32).clamp(0.0, 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::Move;

    #[test]
    fn a_larger_loss_never_has_a_smaller_grade() {
        for (unit, exact) in [
            (Unit::Discs, true),
            (Unit::Discs, false),
            (Unit::Result, true),
            (Unit::Result, false),
            (Unit::Chance, false),
        ] {
            let grades = (0..200).map(|loss| Grade::of(loss as f32 / 10.0, unit, exact));
            assert!(grades.is_sorted(), "{unit:?}");
        }
        assert_eq!(Grade::of(1.0, Unit::Result, true), Grade::Mistake);
        assert_eq!(Grade::of(2.0, Unit::Result, true), Grade::Blunder);
        assert_eq!(Grade::of(3.0, Unit::Discs, false), Grade::Inaccuracy);
    }

    #[test]
    fn accuracy_is_the_mean_over_the_moves_of_a_player() {
        let judged = |player, before: i32, after: i32| Judgement {
            player,
            mv: Move::on(0),
            before: Some(Score::result(before)),
            after: Some(Score::result(after)),
            best: None,
            pv: Vec::new(),
            loss: Some((before - after) as f32),
            grade: None,
            turning: false,
        };
        let (first, second) = (Player::First, Player::Second);
        let moves = [
            judged(first, 0, 0),
            judged(second, 0, -1),
            judged(second, -1, -1),
        ];
        assert_eq!(accuracy(&moves, first).map(f32::round), Some(100.0));
        assert_eq!(accuracy(&moves, second).map(f32::round), Some(54.0));
        assert_eq!(accuracy(&moves[..1], second), None);
    }
}
