//! Line classes: what a stone makes in one direction, by the rule.
//!
//! The class of a stone between two half windows follows from the classes that it has after one more
//! stone of its own: a four becomes a five, a straight four is a four with two ends, a three becomes
//! a straight four, and so on. One pass over all pairs of half windows, those with most stones first,
//! finds them all.

use papan_rules::{GomokuRule, Player};

use super::half::{HALVES, HALVES_TABLE, Half, Halves, NONE, OTHER, REACH};

/// What a stone makes in one direction, weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum LineClass {
    /// Nothing that could become five.
    #[default]
    Dead,
    /// A stone that takes four more, without room for an open line.
    One,
    OpenOne,
    /// Two stones that can become a closed three.
    Two,
    /// Two stones that can become an open three in one or two ways.
    OpenTwo,
    /// The same in three ways or more.
    WideTwo,
    /// Three stones that can become a four.
    Three,
    /// Three stones that can become a straight four in one way.
    OpenThree,
    /// The same in two ways or more.
    WideThree,
    /// One more stone makes five in one place.
    Four,
    /// One more stone makes five at both ends.
    StraightFour,
    /// Two fours in one line.
    TwoFours,
    Five,
    /// More than five where that is forbidden.
    Overline,
}

impl LineClass {
    /// The number of classes.
    pub(crate) const COUNT: usize = 14;

    const ALL: [Self; Self::COUNT] = [
        Self::Dead,
        Self::One,
        Self::OpenOne,
        Self::Two,
        Self::OpenTwo,
        Self::WideTwo,
        Self::Three,
        Self::OpenThree,
        Self::WideThree,
        Self::Four,
        Self::StraightFour,
        Self::TwoFours,
        Self::Five,
        Self::Overline,
    ];

    /// Returns the class of four bits.
    #[inline]
    pub(crate) fn from_bits(bits: u8) -> Self {
        Self::ALL
            .get(usize::from(bits & 15))
            .copied()
            .unwrap_or_default()
    }

    /// Returns whether it is an open three.
    #[inline]
    pub(crate) fn is_open_three(self) -> bool {
        matches!(self, Self::OpenThree | Self::WideThree)
    }

    /// Returns whether it is a four of any kind.
    #[inline]
    pub(crate) fn is_four(self) -> bool {
        matches!(self, Self::Four | Self::StraightFour | Self::TwoFours)
    }
}

/// Which runs win, for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wins {
    FiveOrMore,
    ExactlyFive,
    /// Six or more, or five without the opponent at both ends.
    NotBlocked,
}

/// What a stone completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fours {
    None,
    One,
    Straight,
    Two,
    Five,
    Overline,
}

/// The classes of a player's stone between any two half windows of this rule.
struct Analysis<'a> {
    halves: &'a Halves,
    wins: Wins,
    /// Whether an overline is forbidden to this player.
    forbids: bool,
    fours: Vec<Fours>,
    classes: Vec<LineClass>,
}

/// Returns the classes of a player's stone, by the half windows as that player sees them.
pub(super) fn classes(rule: GomokuRule, player: Player) -> Vec<LineClass> {
    let wins = match (rule, player) {
        (GomokuRule::Freestyle, _) | (GomokuRule::Renju, Player::Second) => Wins::FiveOrMore,
        (GomokuRule::Standard, _) | (GomokuRule::Renju, Player::First) => Wins::ExactlyFive,
        (GomokuRule::Caro, _) => Wins::NotBlocked,
    };
    let mut analysis = Analysis {
        halves: &HALVES_TABLE,
        wins,
        forbids: rule == GomokuRule::Renju && player == Player::First,
        fours: vec![Fours::None; HALVES * HALVES],
        classes: vec![LineClass::Dead; HALVES * HALVES],
    };
    analysis.run();
    analysis.classes
}

impl Analysis<'_> {
    fn run(&mut self) {
        let stones =
            |at: usize| self.halves.all[at / HALVES].stones + self.halves.all[at % HALVES].stones;
        let mut order: Vec<u32> = (0..(HALVES * HALVES) as u32).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(stones(at as usize)));
        for &at in &order {
            self.fours[at as usize] = self.fours_of(at as usize);
        }
        for at in order {
            self.classes[at as usize] = self.class_of(at as usize);
        }
    }

    fn halves(&self, at: usize) -> [&Half; 2] {
        [&self.halves.all[at / HALVES], &self.halves.all[at % HALVES]]
    }

    /// Returns the pairs of half windows after one more own stone within four cells, with its place.
    fn extensions(&self, at: usize) -> impl Iterator<Item = (isize, usize)> + use<'_> {
        let [before, after] = self.halves(at);
        (0..REACH - 1).flat_map(move |near| {
            let place = near as isize + 1;
            let left = before.with_own[near];
            let right = after.with_own[near];
            let left = (left != NONE).then(|| (-place, usize::from(left) * HALVES + at % HALVES));
            let right = (right != NONE).then(|| (place, at / HALVES * HALVES + usize::from(right)));
            left.into_iter().chain(right)
        })
    }

    fn run_of(&self, at: usize) -> (usize, bool) {
        let [before, after] = self.halves(at);
        let length = usize::from(before.run + after.run) + 1;
        (length, before.end == OTHER && after.end == OTHER)
    }

    fn is_five(&self, at: usize) -> bool {
        let (length, is_blocked) = self.run_of(at);
        match self.wins {
            Wins::FiveOrMore => length >= 5,
            Wins::ExactlyFive => length == 5,
            Wins::NotBlocked => length > 5 || length == 5 && !is_blocked,
        }
    }

    fn fours_of(&self, at: usize) -> Fours {
        if self.is_five(at) {
            return Fours::Five;
        }
        if self.forbids && self.run_of(at).0 > 5 {
            return Fours::Overline;
        }
        let mut places = self
            .extensions(at)
            .filter(|&(_, next)| self.is_five(next))
            .map(|(place, _)| place);
        let (Some(first), second) = (places.next(), places.next()) else {
            return Fours::None;
        };
        let Some(second) = second else {
            return Fours::One;
        };
        if self.wins == Wins::NotBlocked && self.is_stopped_by_one(at) {
            return Fours::One;
        }
        let is_straight = places.next().is_none() && first.abs_diff(second) == 5;
        if is_straight {
            Fours::Straight
        } else {
            Fours::Two
        }
    }

    /// Returns whether one stone of the opponent stops all fours: at caro it can stand beside them.
    fn is_stopped_by_one(&self, at: usize) -> bool {
        let [before, after] = self.halves(at);
        let (left, right) = (at / HALVES, at % HALVES);
        let mut replies = (0..REACH).flat_map(|near| {
            let (a, b) = (before.with_other[near], after.with_other[near]);
            let a = (a != NONE).then(|| usize::from(a) * HALVES + right);
            let b = (b != NONE).then(|| left * HALVES + usize::from(b));
            a.into_iter().chain(b)
        });
        replies.any(|reply| !self.extensions(reply).any(|(_, next)| self.is_five(next)))
    }

    fn class_of(&self, at: usize) -> LineClass {
        match self.fours[at] {
            Fours::Five => return LineClass::Five,
            Fours::Overline => return LineClass::Overline,
            Fours::One => return LineClass::Four,
            Fours::Straight => return LineClass::StraightFour,
            Fours::Two => return LineClass::TwoFours,
            Fours::None => {}
        }
        let (mut best, mut open, mut wide) = (LineClass::Dead, 0, 0);
        for (_, next) in self.extensions(at) {
            let class = self.classes[next];
            let becomes = match class {
                LineClass::StraightFour => LineClass::OpenThree,
                LineClass::TwoFours if !self.forbids => LineClass::OpenThree,
                LineClass::Four | LineClass::TwoFours => LineClass::Three,
                LineClass::OpenThree | LineClass::WideThree => LineClass::OpenTwo,
                LineClass::Three => LineClass::Two,
                LineClass::OpenTwo | LineClass::WideTwo => LineClass::OpenOne,
                LineClass::Two => LineClass::One,
                _ => LineClass::Dead,
            };
            open += u32::from(becomes == LineClass::OpenThree);
            wide += u32::from(becomes == LineClass::OpenTwo);
            best = best.max(becomes);
        }
        match best {
            LineClass::OpenThree if open >= 2 => LineClass::WideThree,
            LineClass::OpenTwo if wide >= 3 => LineClass::WideTwo,
            best => best,
        }
    }
}
