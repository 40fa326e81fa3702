//! Colours. Nothing is told by them alone: every mark also has its character.

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
    /// Blue and orange, which nearly everybody can tell apart.
    ColourBlind,
    /// No colours, only bold, underlined and reversed.
    Plain,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 4] = [Self::Dark, Self::Light, Self::ColourBlind, Self::Plain];

    /// Its name in files and options.
    #[must_use]
    pub const fn name(self) -> &'static str {
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

    /// Text that matters less.
    #[must_use]
    pub fn dim(self) -> Style {
        match self {
            Self::Plain => Style::new().add_modifier(Modifier::DIM),
            _ => self.pick(Color::DarkGray, Color::Gray, Color::Indexed(245)),
        }
    }

    /// Headings.
    #[must_use]
    pub fn heading(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The lines of the board.
    #[must_use]
    pub fn frame(self) -> Style {
        self.pick(Color::DarkGray, Color::Gray, Color::Indexed(245))
    }

    /// A player's pieces.
    #[must_use]
    pub fn piece(self, player: Player) -> Style {
        let style = match player {
            Player::First => self.pick(Color::Cyan, Color::Blue, Color::Indexed(39)),
            Player::Second => self.pick(Color::Yellow, Color::Red, Color::Indexed(214)),
        };
        style.add_modifier(Modifier::BOLD)
    }

    /// What won the game.
    #[must_use]
    pub fn winning(self) -> Style {
        self.pick(Color::Green, Color::Green, Color::Indexed(231))
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// Where a move is legal.
    #[must_use]
    pub fn legal(self) -> Style {
        self.pick(Color::Green, Color::Green, Color::Indexed(36))
    }

    /// The cells that share a winning line with the cursor.
    #[must_use]
    pub fn through(self) -> Style {
        self.pick(Color::Magenta, Color::Magenta, Color::Indexed(175))
    }

    /// What is said of moves, on the cells.
    #[must_use]
    pub fn annotation(self) -> Style {
        self.pick(Color::LightBlue, Color::Blue, Color::Indexed(75))
    }

    /// The best of the moves, and hints.
    #[must_use]
    pub fn best(self) -> Style {
        self.legal()
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// What went wrong.
    #[must_use]
    pub fn wrong(self) -> Style {
        self.pick(Color::LightRed, Color::Red, Color::Indexed(214))
            .add_modifier(Modifier::BOLD)
    }

    /// The cursor, and the line that is looked at.
    #[must_use]
    pub fn cursor(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}
