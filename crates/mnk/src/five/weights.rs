//! Weights of the evaluation and of move ordering: numbers for each set of four line classes.

#[cfg(feature = "embedded")]
use std::sync::LazyLock;
use std::sync::{Arc, PoisonError, RwLock};

use papan_rules::{GomokuRule, Player};

use super::geometry::MAX_SIDE;
use super::line_class::LineClass;
use super::tables::{MoveClass, SETS, THREATS, Tables, directions};

/// The weights of a player under one rule, by the number of a set of line classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GomokuTable {
    /// Value of an empty cell for the player to move and for the other.
    pub values: Vec<[i16; 2]>,
    /// Score of a move by the lines that it makes, and by those that it takes from the opponent.
    pub orders: Vec<[i16; 2]>,
    /// Value of being the one to move, by the kinds of threats that both players can make
    /// (`THREATS`).
    pub threats: Vec<i16>,
}

/// The weights of the evaluation and of move ordering: a table for each rule, and at renju for each
/// player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GomokuWeights {
    /// The tables, in the order of [`GomokuWeights::table`].
    pub tables: Vec<GomokuTable>,
}

/// Threat, value and order of the line classes of a cell, for lookup by code.
#[derive(Clone, Copy)]
pub(super) struct Meaning {
    pub(super) class: MoveClass,
    /// Value for the player to move and for the other.
    pub(super) values: [i16; 2],
}

/// Weights and classes by code and player.
pub(crate) struct Values {
    meanings: [Box<[Meaning]>; 2],
    orders: [Box<[[i16; 2]]>; 2],
    threats: [Box<[i16]>; 2],
}

impl Values {
    pub(crate) fn new(tables: &Tables, weights: &GomokuWeights) -> Self {
        let by_player =
            Player::BOTH.map(|player| &weights.tables[GomokuWeights::table(tables.rule(), player)]);
        let numbers = || tables.set_numbers.iter().map(|&set| usize::from(set));
        let meanings = |side: usize| {
            let meaning = |(set, &class): (usize, &MoveClass)| Meaning {
                class,
                values: by_player[side].values[set],
            };
            numbers()
                .zip(&tables.move_classes[side])
                .map(meaning)
                .collect()
        };
        let orders = |side: usize| numbers().map(|set| by_player[side].orders[set]).collect();
        Self {
            meanings: [0, 1].map(meanings),
            orders: [0, 1].map(orders),
            threats: [0, 1].map(|side: usize| by_player[side].threats.clone().into()),
        }
    }

    #[inline]
    pub(super) fn of(&self, side: usize, code: u16) -> Meaning {
        self.meanings[side][usize::from(code)]
    }

    #[inline]
    pub(super) fn threats(&self, side: usize, threats: usize) -> i32 {
        self.threats[side][threats].into()
    }

    /// Returns the ordering scores of a code: as one's own move, and as the opponent's.
    #[inline]
    pub(super) fn order(&self, side: usize, code: u16) -> [i16; 2] {
        self.orders[side][usize::from(code)]
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

/// The weights of [`GomokuWeights::install`].
static INSTALLED: RwLock<Option<Arc<GomokuWeights>>> = RwLock::new(None);

impl GomokuWeights {
    /// The number of tables.
    pub const TABLES: usize = 5;
    /// The number of weights in each list of a table.
    pub const SETS: usize = SETS;
    /// The number of combinations of threats.
    pub const THREATS: usize = THREATS;

    /// Returns the weights that come with papan, if the build contains them.
    #[must_use]
    pub fn shipped() -> Option<Arc<Self>> {
        #[cfg(feature = "embedded")]
        {
            static SHIPPED: LazyLock<Arc<GomokuWeights>> = LazyLock::new(|| {
                let file = include_bytes!("../../weights/gomoku.weights");
                Arc::new(GomokuWeights::read(file).expect("a test reads the shipped weights"))
            });
            Some(Arc::clone(&SHIPPED))
        }
        #[cfg(not(feature = "embedded"))]
        None
    }

    /// Returns the number of the table of a player.
    #[must_use]
    pub const fn table(rule: GomokuRule, player: Player) -> usize {
        match (rule, player) {
            (GomokuRule::Freestyle, _) => 0,
            (GomokuRule::Standard, _) => 1,
            (GomokuRule::Caro, _) => 2,
            (GomokuRule::Renju, Player::First) => 3,
            (GomokuRule::Renju, Player::Second) => 4,
        }
    }

    /// Makes weights those of every engine created from now on.
    pub fn install(self) {
        let mut installed = INSTALLED.write().unwrap_or_else(PoisonError::into_inner);
        *installed = Some(Arc::new(self));
    }

    /// Returns the installed weights, else those that come with papan.
    #[must_use]
    pub fn loaded() -> Option<Arc<Self>> {
        let installed = INSTALLED.read().unwrap_or_else(PoisonError::into_inner);
        installed.clone().or_else(Self::shipped)
    }

    /// Returns the [loaded](Self::loaded) weights, else weights made by hand.
    #[must_use]
    pub fn current() -> Arc<Self> {
        Self::loaded().unwrap_or_else(|| Arc::new(Self::by_hand()))
    }

    /// Returns whether the engine evaluates a board with the weights: a flat one on which five in a
    /// row fits.
    #[must_use]
    pub fn are_for(sides: &[usize], length: usize) -> bool {
        let fits = |side: &usize| (5..=MAX_SIDE).contains(side);
        length == 5 && sides.len() == 2 && sides.iter().all(fits)
    }

    /// Returns weights made by hand: those of the lines, added.
    #[must_use]
    pub fn by_hand() -> Self {
        let tables = Tables::of(GomokuRule::Freestyle);
        let mut table = GomokuTable {
            values: vec![[0; 2]; SETS],
            orders: vec![[0; 2]; SETS],
            threats: vec![0; THREATS],
        };
        for (code, &set) in tables.set_numbers.iter().enumerate() {
            let classes = directions(code);
            let sum = |value: fn(LineClass) -> [i16; 2]| {
                let lines = classes.map(value).into_iter();
                lines.fold([0; 2], |[a, b], [c, d]| [a + c, b + d])
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
            table.values[set] = [value[0] + crossing[0], value[1] + crossing[1]];
            table.orders[set] = [order[0] + 3 * crossing[0], order[1] + 3 * crossing[1]];
        }
        Self {
            tables: vec![table; Self::TABLES],
        }
    }
}
