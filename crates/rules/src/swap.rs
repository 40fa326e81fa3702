//! Swap openings of five in a row: swap and swap2.
//!
//! The opener places the first three stones, black, white and black. The chooser then takes a colour;
//! under swap2 it may instead place the next two stones, white and black, and leave the choice of the
//! colours to the opener. White moves next.
//!
//! Stones alternate as in any other game, so the moves of a line do not change. A [`SwapOpening`] is
//! kept beside the line: the rule and the choices made so far. It tells who acts next, and whether the
//! players exchange seats. Reference: Gomocup, <https://gomocup.org/>.

use std::fmt;
use std::str::FromStr;

use crate::{Move, Player};

/// Number of stones that the opener places.
const OPENING_STONES: usize = 3;
/// Number of stones after the chooser placed two more.
const MAX_STONES: usize = 5;

/// A rule for the opening of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SwapRule {
    /// Three stones, then the other player chooses the colour.
    Swap,
    /// The same; the chooser may also place two more stones and leave the choice to the opener.
    Swap2,
}

impl SwapRule {
    /// All rules.
    pub const ALL: [Self; 2] = [Self::Swap, Self::Swap2];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Swap => "swap",
            Self::Swap2 => "swap2",
        }
    }
}

impl fmt::Display for SwapRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SwapRule {
    type Err = SwapError;

    fn from_str(text: &str) -> Result<Self, SwapError> {
        let known = |rule: &Self| text.eq_ignore_ascii_case(rule.name());
        Self::ALL
            .into_iter()
            .find(known)
            .ok_or_else(|| SwapError::Rule(text.into()))
    }
}

/// A choice in a swap opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SwapChoice {
    /// To play Black, the first player.
    Black,
    /// To play White, the second player, who moves next.
    White,
    /// To place two more stones.
    PlaceTwo,
}

impl SwapChoice {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Black, Self::White, Self::PlaceTwo];

    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
            Self::PlaceTwo => "two",
        }
    }

    /// Parses the word for it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let known = |choice: &Self| text.eq_ignore_ascii_case(choice.word());
        Self::ALL.into_iter().find(known)
    }
}

/// One action of a player in a swap opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapAction {
    /// Places a stone; its colour follows from the turn.
    Place(Move),
    /// Makes a choice.
    Choose(SwapChoice),
}

/// The next step of a swap opening. Players are named by the seats they have until it is over: the
/// opener has the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapStep {
    /// This player places the next stone.
    Place {
        /// The player.
        by: Player,
        /// Number of stones still to be placed.
        left: usize,
    },
    /// This player chooses.
    Choose {
        /// The player.
        by: Player,
        /// Whether placing two more stones is a choice.
        may_place_two: bool,
    },
    /// The opening is over: the game continues with the side to move.
    Over,
}

impl SwapStep {
    /// Returns the player who acts, unless the opening is over.
    #[must_use]
    pub const fn actor(self) -> Option<Player> {
        match self {
            Self::Place { by, .. } | Self::Choose { by, .. } => Some(by),
            Self::Over => None,
        }
    }

    /// Returns the choices of a player who has to choose.
    #[must_use]
    pub const fn choices(self) -> &'static [SwapChoice] {
        match self {
            Self::Choose {
                may_place_two: true,
                ..
            } => &SwapChoice::ALL,
            Self::Choose { .. } => &[SwapChoice::Black, SwapChoice::White],
            Self::Place { .. } | Self::Over => &[],
        }
    }
}

/// A swap opening: its rule and the choices made so far.
///
/// ```
/// use papan_rules::{Player, SwapChoice, SwapOpening, SwapRule, SwapStep};
///
/// let mut opening = SwapOpening::new(SwapRule::Swap2);
/// assert_eq!(opening.step(1), SwapStep::Place { by: Player::First, left: 2 });
/// // After three stones the other player takes Black: the players exchange seats.
/// opening.choose(3, SwapChoice::Black)?;
/// assert!(opening.exchanged());
/// assert_eq!(opening.step(3), SwapStep::Over);
/// assert_eq!(opening.to_string(), "swap2 black");
/// # Ok::<(), papan_rules::SwapError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SwapOpening {
    rule: SwapRule,
    /// The chooser's choice.
    chooser: Option<SwapChoice>,
    /// The opener's choice, after two more stones.
    opener: Option<SwapChoice>,
}

/// Why a text is no swap opening, or an action is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SwapError {
    /// No such rule.
    #[error("`{0}` is no opening rule; write swap or swap2")]
    Rule(String),
    /// A wrong word in the text of an opening.
    #[error(
        "`{0}` is no swap opening; write swap or swap2, then the choice: black, white, two, two black or two white"
    )]
    Text(String),
    /// The choice is not possible now.
    #[error("{} cannot be chosen here", .0.word())]
    Choice(SwapChoice),
    /// The choices do not fit the number of moves.
    #[error("after {0} moves there cannot have been these choices")]
    Moves(usize),
}

impl SwapOpening {
    /// Starts an opening.
    #[must_use]
    pub const fn new(rule: SwapRule) -> Self {
        Self {
            rule,
            chooser: None,
            opener: None,
        }
    }

    /// Returns the rule.
    #[must_use]
    pub const fn rule(self) -> SwapRule {
        self.rule
    }

    /// Returns the next step after this many moves.
    #[must_use]
    pub const fn step(self, plies: usize) -> SwapStep {
        match (self.chooser, self.opener) {
            (None, _) if plies < OPENING_STONES => SwapStep::Place {
                by: Player::First,
                left: OPENING_STONES - plies,
            },
            (None, _) => SwapStep::Choose {
                by: Player::Second,
                may_place_two: matches!(self.rule, SwapRule::Swap2),
            },
            (Some(SwapChoice::PlaceTwo), None) if plies < MAX_STONES => SwapStep::Place {
                by: Player::Second,
                left: MAX_STONES - plies,
            },
            (Some(SwapChoice::PlaceTwo), None) => SwapStep::Choose {
                by: Player::First,
                may_place_two: false,
            },
            _ => SwapStep::Over,
        }
    }

    /// Makes the choice that is due after this many moves. The seats are exchanged if
    /// [`SwapOpening::exchanged`] returns true afterwards.
    ///
    /// # Errors
    /// When it is not among the choices.
    pub fn choose(&mut self, plies: usize, choice: SwapChoice) -> Result<(), SwapError> {
        let step = self.step(plies);
        if !step.choices().contains(&choice) {
            return Err(SwapError::Choice(choice));
        }
        match self.chooser {
            None => self.chooser = Some(choice),
            Some(_) => self.opener = Some(choice),
        }
        Ok(())
    }

    /// Whether the players exchanged seats: the opener plays White.
    #[must_use]
    pub const fn exchanged(self) -> bool {
        matches!(
            (self.chooser, self.opener),
            (Some(SwapChoice::Black), _) | (Some(SwapChoice::PlaceTwo), Some(SwapChoice::White))
        )
    }

    /// Returns the player, by the seats at the beginning, who places the stone of this ply; `None`
    /// after the opening.
    #[must_use]
    pub const fn placed_by(self, ply: usize) -> Option<Player> {
        match self.chooser {
            _ if ply < OPENING_STONES => Some(Player::First),
            Some(SwapChoice::PlaceTwo) if ply < MAX_STONES => Some(Player::Second),
            _ => None,
        }
    }

    /// Returns the player who acts after this many moves: that of the opening, else the side to
    /// move. Seats are those at the beginning while the opening lasts.
    #[must_use]
    pub const fn actor(self, plies: usize, turn: Player) -> Player {
        match self.step(plies).actor() {
            Some(player) => player,
            None => turn,
        }
    }

    /// Takes back the choice that was made after exactly this many moves; returns whether there was
    /// one.
    pub const fn undo_choice(&mut self, plies: usize) -> bool {
        let before = (self.chooser.is_some(), self.opener.is_some());
        match plies {
            MAX_STONES => self.opener = None,
            OPENING_STONES => self.chooser = None,
            _ => {}
        }
        before.0 != self.chooser.is_some() || before.1 != self.opener.is_some()
    }

    /// Drops the choices that were made after more moves than this, when moves are taken back.
    pub const fn rewind(&mut self, plies: usize) {
        if plies < MAX_STONES {
            self.opener = None;
        }
        if plies < OPENING_STONES {
            self.chooser = None;
        }
    }

    /// Checks that the choices fit a game of this many moves.
    ///
    /// # Errors
    /// When a choice was made too early, or is missing.
    pub fn check(self, plies: usize) -> Result<(), SwapError> {
        let mut rewound = self;
        rewound.rewind(plies);
        let missing = match self.step(plies) {
            SwapStep::Choose {
                by: Player::Second, ..
            } => plies > OPENING_STONES,
            SwapStep::Choose { .. } => plies > MAX_STONES,
            SwapStep::Place { .. } | SwapStep::Over => false,
        };
        if rewound == self && !missing {
            Ok(())
        } else {
            Err(SwapError::Moves(plies))
        }
    }
}

impl fmt::Display for SwapOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)?;
        for choice in [self.chooser, self.opener].into_iter().flatten() {
            write!(f, " {}", choice.word())?;
        }
        Ok(())
    }
}

impl FromStr for SwapOpening {
    type Err = SwapError;

    fn from_str(text: &str) -> Result<Self, SwapError> {
        let wrong = || SwapError::Text(text.chars().take(40).collect());
        let mut words = text.split_whitespace();
        let rule = words.next().and_then(|word| word.parse().ok());
        let mut opening = Self::new(rule.ok_or_else(wrong)?);
        for (word, plies) in words.zip([OPENING_STONES, MAX_STONES, usize::MAX]) {
            let choice = SwapChoice::parse(word).ok_or_else(wrong)?;
            opening.choose(plies, choice).map_err(|_| wrong())?;
        }
        Ok(opening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SwapChoice::{Black, PlaceTwo, White};

    fn place(by: Player, left: usize) -> SwapStep {
        SwapStep::Place { by, left }
    }

    #[test]
    fn swap_is_three_stones_and_a_choice_of_two_colours() {
        let mut opening = SwapOpening::new(SwapRule::Swap);
        for plies in 0..3 {
            assert_eq!(opening.step(plies), place(Player::First, 3 - plies));
            assert_eq!(
                opening.clone().choose(plies, Black),
                Err(SwapError::Choice(Black))
            );
        }
        assert_eq!(opening.step(3).choices(), [Black, White]);
        assert_eq!(opening.step(3).actor(), Some(Player::Second));
        assert!(opening.choose(3, PlaceTwo).is_err());
        opening.choose(3, White).unwrap();
        assert!(!opening.exchanged());
        assert_eq!(opening.step(3), SwapStep::Over);
        assert!(opening.choose(3, White).is_err(), "the choice is made");
    }

    #[test]
    fn swap2_lets_the_chooser_place_two_stones_and_the_opener_choose() {
        let mut opening = SwapOpening::new(SwapRule::Swap2);
        assert_eq!(opening.step(3).choices(), [Black, White, PlaceTwo]);
        opening.choose(3, PlaceTwo).unwrap();
        assert_eq!(opening.step(3), place(Player::Second, 2));
        assert_eq!(opening.step(4), place(Player::Second, 1));
        assert_eq!(opening.step(5).choices(), [Black, White]);
        assert_eq!(opening.step(5).actor(), Some(Player::First));
        let mut stays = opening;
        stays.choose(5, Black).unwrap();
        assert!(!stays.exchanged(), "the opener has Black already");
        opening.choose(5, White).unwrap();
        assert!(opening.exchanged());
        let placed: Vec<_> = (0..6).map(|ply| opening.placed_by(ply)).collect();
        let (first, second) = (Some(Player::First), Some(Player::Second));
        assert_eq!(placed, [first, first, first, second, second, None]);
    }

    #[test]
    fn taking_moves_back_takes_choices_back() {
        let mut opening: SwapOpening = "swap2 two white".parse().unwrap();
        opening.rewind(5);
        assert_eq!(opening.to_string(), "swap2 two white");
        opening.rewind(4);
        assert_eq!(opening.to_string(), "swap2 two");
        opening.rewind(3);
        assert_eq!(opening.step(3), place(Player::Second, 2));
        assert!(!opening.undo_choice(4) && opening.undo_choice(3) && !opening.undo_choice(3));
        assert_eq!(opening, SwapOpening::new(SwapRule::Swap2));
        let mut opening: SwapOpening = "swap2 black".parse().unwrap();
        opening.rewind(2);
        assert_eq!(opening, SwapOpening::new(SwapRule::Swap2));
    }

    #[test]
    fn an_opening_is_read_as_it_is_written() {
        for text in [
            "swap",
            "swap black",
            "swap white",
            "swap2",
            "swap2 black",
            "swap2 white",
            "swap2 two",
            "swap2 two black",
            "swap2 two white",
        ] {
            assert_eq!(text.parse::<SwapOpening>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "swap3",
            "swap two",
            "swap black black",
            "swap2 two two",
            "swap2 two black white",
            "swap2 red",
        ] {
            assert!(text.parse::<SwapOpening>().is_err(), "{text}");
        }
        assert_eq!("SWAP2".parse(), Ok(SwapRule::Swap2));
    }

    #[test]
    fn choices_have_to_fit_the_number_of_moves() {
        let fits = |text: &str, plies| text.parse::<SwapOpening>().unwrap().check(plies).is_ok();
        assert!(fits("swap2", 0) && fits("swap2", 3) && !fits("swap2", 4));
        assert!(!fits("swap2 black", 2) && fits("swap2 black", 3) && fits("swap2 black", 9));
        assert!(fits("swap2 two", 3) && fits("swap2 two", 5) && !fits("swap2 two", 6));
        assert!(!fits("swap2 two black", 4) && fits("swap2 two black", 5));
    }
}
