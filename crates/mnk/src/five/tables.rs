//! Lookup tables of a rule: line classes of both players, and what four of them make together.

use std::sync::{Arc, OnceLock};

use papan_rules::{GomokuRule, Player};

use super::half::{HALVES, HALVES_TABLE};
use super::line_class::{LineClass, classes};

/// The threat that a stone on an empty cell makes, all directions together, in the order of urgency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum MoveClass {
    /// Forbidden: an overline or a double four of Black at renju.
    Forbidden,
    #[default]
    Quiet,
    OpenThree,
    /// Two open threes. At renju Black may play it only if one of them is not real
    /// ([`super::board::Board::is_forbidden`]).
    DoubleThree,
    Four,
    FourThree,
    /// A four that cannot be stopped: a straight four, or two fours.
    OpenFour,
    /// A four, or more, with two open threes of Black at renju, which may be forbidden.
    DoubtfulFour,
    Five,
}

impl MoveClass {
    pub(crate) const COUNT: usize = 9;

    fn of(classes: [LineClass; 4], forbids: bool) -> Self {
        if classes.contains(&LineClass::Five) {
            return Self::Five;
        }
        let fours: u32 = classes
            .iter()
            .map(|class| match class {
                LineClass::Four | LineClass::StraightFour => 1,
                LineClass::TwoFours => 2,
                _ => 0,
            })
            .sum();
        if forbids && (fours > 1 || classes.contains(&LineClass::Overline)) {
            return Self::Forbidden;
        }
        let threes = classes.iter().filter(|class| class.is_open_three()).count();
        let is_straight = classes.contains(&LineClass::StraightFour);
        match (fours, threes) {
            (1.., 2..) if forbids => Self::DoubtfulFour,
            (2.., _) => Self::OpenFour,
            (1, _) if is_straight => Self::OpenFour,
            (1, 1..) => Self::FourThree,
            (1, 0) => Self::Four,
            (0, 2..) => Self::DoubleThree,
            (0, 1) => Self::OpenThree,
            (0, 0) => Self::Quiet,
        }
    }
}

/// Number of sets of four line classes.
pub(crate) const SETS: usize = 2380;

/// Number of combinations of threats: whether each player can make an open three, two of them, a
/// four, and a four with an open three.
pub(crate) const THREATS: usize = 256;

/// Tables of one rule.
pub(crate) struct Tables {
    rule: GomokuRule,
    /// Classes of both players by half windows as First sees them: First's in the low four bits.
    pub(super) pairs: Box<[u8]>,
    /// Class of a move by the line classes in four directions, four bits each, for each player.
    pub(super) move_classes: [Box<[MoveClass]>; 2],
    /// The number of the set of classes, regardless of order.
    pub(super) set_numbers: Box<[u16]>,
}

impl Tables {
    /// Returns the tables of a rule; they are computed on the first call.
    pub(crate) fn of(rule: GomokuRule) -> Arc<Self> {
        static TABLES: [OnceLock<Arc<Tables>>; 4] = [const { OnceLock::new() }; 4];
        let at = GomokuRule::ALL.iter().position(|&other| other == rule);
        let table = &TABLES[at.unwrap_or_default()];
        Arc::clone(table.get_or_init(|| Arc::new(Self::new(rule))))
    }

    fn new(rule: GomokuRule) -> Self {
        let halves = &HALVES_TABLE.all;
        let by_player = Player::BOTH.map(|player| classes(rule, player));
        let pair = |at: usize| {
            let [before, after] = [at / HALVES, at % HALVES].map(|half| &halves[half]);
            let swapped = usize::from(before.swapped) * HALVES + usize::from(after.swapped);
            by_player[0][at] as u8 | (by_player[1][swapped] as u8) << 4
        };
        let sets = set_numbers();
        let move_class = |code: usize, player: Player| {
            let forbids = rule == GomokuRule::Renju && player == Player::First;
            MoveClass::of(directions(code), forbids)
        };
        let by_code = |player| (0..1 << 16).map(|code| move_class(code, player)).collect();
        Self {
            rule,
            pairs: (0..HALVES * HALVES).map(pair).collect(),
            move_classes: Player::BOTH.map(by_code),
            set_numbers: sets,
        }
    }

    pub(crate) fn rule(&self) -> GomokuRule {
        self.rule
    }
}

/// Returns the line classes of a code.
pub(crate) fn directions(code: usize) -> [LineClass; 4] {
    std::array::from_fn(|direction| LineClass::from_bits((code >> (4 * direction)) as u8))
}

/// Numbers the sets of four classes in lexicographic order of the sorted classes.
fn set_numbers() -> Box<[u16]> {
    let mut numbers = vec![0; 1 << 16].into_boxed_slice();
    let count = LineClass::COUNT;
    let mut first = vec![u16::MAX; 1 << 16];
    let mut next = 0;
    for a in 0..count {
        for b in a..count {
            for c in b..count {
                for d in c..count {
                    first[a << 12 | b << 8 | c << 4 | d] = next;
                    next += 1;
                }
            }
        }
    }
    debug_assert_eq!(usize::from(next), SETS);
    for (code, number) in numbers.iter_mut().enumerate() {
        let mut sorted = directions(code).map(|class| class as usize);
        sorted.sort_unstable();
        let [a, b, c, d] = sorted;
        *number = first[a << 12 | b << 8 | c << 4 | d];
    }
    numbers
}
