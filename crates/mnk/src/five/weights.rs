//! Weights of the evaluation and of move ordering: numbers for each set of four line classes.

use std::sync::Arc;

use super::line_class::LineClass;
use super::tables::{MoveClass, SETS, Tables, directions};

/// The weights of one rule, by the number of a set of line classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    /// Value of an empty cell for the player to move and for the other.
    pub(crate) values: Vec<[i16; 2]>,
    /// Score of a move by what it makes, and by what it takes from the opponent.
    pub(crate) orders: Vec<[i16; 2]>,
}

/// What the line classes of a cell mean for its player, for lookup by code.
#[derive(Clone, Copy)]
pub(super) struct Meaning {
    pub(super) class: MoveClass,
    /// Value for the player to move and for the other.
    pub(super) values: [i16; 2],
}

/// Weights and classes by code and player.
pub(crate) struct Values {
    meanings: [Box<[Meaning]>; 2],
    orders: Box<[[i16; 2]]>,
}

impl Values {
    pub(crate) fn new(tables: &Tables, weights: &Weights) -> Self {
        let numbers = || tables.set_numbers.iter().map(|&set| usize::from(set));
        let meanings = |classes: &[MoveClass]| {
            let meaning = |(set, &class): (usize, &MoveClass)| Meaning {
                class,
                values: weights.values[set],
            };
            numbers().zip(classes).map(meaning).collect()
        };
        Self {
            meanings: [0, 1].map(|side: usize| meanings(&tables.move_classes[side])),
            orders: numbers().map(|set| weights.orders[set]).collect(),
        }
    }

    /// Returns the values of weights that were made by hand.
    pub(crate) fn by_hand(tables: &Tables) -> Arc<Self> {
        Arc::new(Self::new(tables, &Weights::by_hand(tables)))
    }

    #[inline]
    pub(super) fn of(&self, side: usize, code: u16) -> Meaning {
        self.meanings[side][usize::from(code)]
    }

    /// Returns the ordering scores of a code: as one's own move, and as the opponent's.
    #[inline]
    pub(super) fn order(&self, code: u16) -> [i16; 2] {
        self.orders[usize::from(code)]
    }
}

/// Value of a line class by hand, for the player to move and for the other.
fn line_value(class: LineClass) -> [i16; 2] {
    match class {
        LineClass::Dead | LineClass::Overline => [0, 0],
        LineClass::One => [1, 1],
        LineClass::OpenOne => [3, 3],
        LineClass::Two => [4, 3],
        LineClass::OpenTwo => [8, 6],
        LineClass::WideTwo => [12, 9],
        LineClass::Three => [13, 9],
        LineClass::OpenThree => [24, 15],
        LineClass::WideThree => [32, 20],
        LineClass::Four => [40, 25],
        LineClass::StraightFour | LineClass::TwoFours => [90, 50],
        LineClass::Five => [200, 100],
    }
}

fn line_order(class: LineClass) -> [i16; 2] {
    match class {
        LineClass::Dead | LineClass::Overline => [0, 0],
        LineClass::One => [2, 2],
        LineClass::OpenOne => [10, 8],
        LineClass::Two => [12, 9],
        LineClass::OpenTwo => [28, 24],
        LineClass::WideTwo => [40, 34],
        LineClass::Three => [42, 30],
        LineClass::OpenThree => [90, 75],
        LineClass::WideThree => [110, 95],
        LineClass::Four => [110, 130],
        LineClass::StraightFour | LineClass::TwoFours => [2000, 1200],
        LineClass::Five => [8000, 6000],
    }
}

impl Weights {
    /// Weights made by hand: those of the lines, added.
    pub(crate) fn by_hand(tables: &Tables) -> Self {
        let mut weights = Self {
            values: vec![[0; 2]; SETS],
            orders: vec![[0; 2]; SETS],
        };
        for (code, &set) in tables.set_numbers.iter().enumerate() {
            let classes = directions(code);
            let sum = |value: fn(LineClass) -> [i16; 2]| {
                classes
                    .map(value)
                    .into_iter()
                    .fold([0; 2], |[a, b], [c, d]| [a + c, b + d])
            };
            let threats = classes
                .iter()
                .filter(|&&class| class >= LineClass::OpenThree);
            let twos = classes.iter().filter(|&&class| class >= LineClass::OpenTwo);
            let crossing = match (threats.count(), twos.count()) {
                (2.., _) => [60, 40],
                (1, 2..) => [20, 14],
                (0, 2..) => [8, 6],
                _ => [0, 0],
            };
            let [value, order] = [sum(line_value), sum(line_order)];
            let set = usize::from(set);
            weights.values[set] = [value[0] + crossing[0], value[1] + crossing[1]];
            weights.orders[set] = [order[0] + 3 * crossing[0], order[1] + 3 * crossing[1]];
        }
        weights
    }
}
