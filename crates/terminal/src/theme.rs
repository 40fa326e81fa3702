//! Colour themes (SGR attributes). No information is conveyed by colour alone: every mark has its
//! own character.

use ratatui::style::{Color, Modifier, Style};

use papan_rules::Player;

/// A set of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// For a dark background.
    #[default]
    Dark,
    /// For a light background.
    Light,
    /// Blue and orange, safe for colour-blind users.
    ColourBlind,
    /// No colours; only bold, underline and reverse.
    Plain,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 4] = [Self::Dark, Self::Light, Self::ColourBlind, Self::Plain];

    /// Its name in files and options.
    #[must_use]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::ColourBlind => "colour-blind",
            Self::Plain => "plain",
        }
    }

    fn pick(self, dark: Color, light: Color, blind: Color) -> Style {
        match self {
            Self::Dark => Style::new().fg(dark),
            Self::Light => Style::new().fg(light),
            Self::ColourBlind => Style::new().fg(blind),
            Self::Plain => Style::new(),
        }
    }

    /// Secondary text.
    #[must_use]
    pub(crate) fn dim(self) -> Style {
        match self {
            Self::Plain => Style::new().add_modifier(Modifier::DIM),
            _ => self.pick(Color::DarkGray, Color::Gray, Color::Indexed(245)),
        }
    }

    /// Headings.
    #[must_use]
    pub(crate) fn heading(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The lines of the board.
    #[must_use]
    pub(crate) fn frame(self) -> Style {
        self.pick(Color::DarkGray, Color::Gray, Color::Indexed(245))
    }

    /// A player's pieces.
    #[must_use]
    pub(crate) fn piece(self, player: Player) -> Style {
        let style = match player {
            Player::First => self.pick(Color::Cyan, Color::Blue, Color::Indexed(39)),
            Player::Second => self.pick(Color::Yellow, Color::Red, Color::Indexed(214)),
        };
        style.add_modifier(Modifier::BOLD)
    }

    /// The winning line.
    #[must_use]
    pub(crate) fn winning(self) -> Style {
        self.pick(Color::Green, Color::Green, Color::Indexed(231))
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// Legal moves.
    #[must_use]
    pub(crate) fn legal(self) -> Style {
        self.pick(Color::Green, Color::Green, Color::Indexed(36))
    }

    /// Cells on a winning line with the cursor.
    #[must_use]
    pub(crate) fn through(self) -> Style {
        self.pick(Color::Magenta, Color::Magenta, Color::Indexed(175))
    }

    /// Numbers on the cells.
    #[must_use]
    pub(crate) fn annotation(self) -> Style {
        self.pick(Color::LightBlue, Color::Blue, Color::Indexed(75))
    }

    /// The best move, and hints.
    #[must_use]
    pub(crate) fn best(self) -> Style {
        self.legal()
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// Errors.
    #[must_use]
    pub(crate) fn wrong(self) -> Style {
        self.pick(Color::LightRed, Color::Red, Color::Indexed(214))
            .add_modifier(Modifier::BOLD)
    }

    /// The cursor, and the selected line.
    #[must_use]
    pub(crate) fn cursor(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}
