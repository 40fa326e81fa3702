//! Colour themes (SGR attributes). No information is conveyed by colour alone: every mark has its
//! own character.

use ratatui::style::{Color, Modifier, Style};

use papan_catalog::review::Grade;
use papan_rules::{Pieces, Player};

use crate::analysis::Quality;

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

    /// The surface of a board: green felt under discs, wood under stones.
    #[must_use]
    pub(crate) fn surface(self, pieces: Pieces) -> Style {
        match (self, pieces) {
            (Self::Plain, _) | (_, Pieces::Marks) => Style::new(),
            (_, Pieces::Discs) => Style::new().bg(Color::Indexed(28)),
            (_, Pieces::Stones) => Style::new().bg(Color::Indexed(179)),
        }
    }

    /// Picks a colour by the surface below it: the terminal's background, felt, or wood.
    fn on(self, pieces: Pieces, own: Style, felt: u8, wood: u8) -> Style {
        match (self, pieces) {
            (Self::Plain, _) | (_, Pieces::Marks) => own,
            (_, Pieces::Discs) => own.fg(Color::Indexed(felt)),
            (_, Pieces::Stones) => own.fg(Color::Indexed(wood)),
        }
        .patch(self.surface(pieces))
    }

    /// The lines of the board.
    #[must_use]
    pub(crate) fn frame(self, pieces: Pieces) -> Style {
        let own = self.pick(Color::DarkGray, Color::Gray, Color::Indexed(245));
        self.on(pieces, own, 22, 94)
    }

    /// Secondary text on the board.
    #[must_use]
    pub(crate) fn dim_on(self, pieces: Pieces) -> Style {
        self.on(pieces, self.dim(), 157, 94)
    }

    /// A player's pieces on the board: discs and stones are black and white.
    #[must_use]
    pub(crate) fn piece_on(self, pieces: Pieces, player: Player) -> Style {
        let colour = match player {
            Player::First => 16,
            Player::Second => 231,
        };
        self.on(pieces, self.piece(player), colour, colour)
    }

    /// The ring in a white disc or stone.
    #[must_use]
    pub(crate) fn ring_on_white(self) -> Style {
        Style::new().fg(Color::Indexed(249)).bg(Color::Indexed(231))
    }

    /// A number on a cell, by how good its move is beside the best.
    #[must_use]
    pub(crate) fn quality(self, pieces: Pieces, quality: Quality) -> Style {
        match quality {
            Quality::Best => self.on(pieces, self.best(), 231, 22),
            Quality::Good => self.on(pieces, self.annotation(), 194, 17),
            Quality::Graded(Grade::Inaccuracy) => {
                let own = self.pick(Color::Yellow, Color::Indexed(94), Color::Indexed(220));
                self.on(pieces, own, 228, 94)
            }
            Quality::Graded(Grade::Mistake) => {
                let own = self.pick(
                    Color::Indexed(208),
                    Color::Indexed(166),
                    Color::Indexed(214),
                );
                self.on(pieces, own, 216, 130)
            }
            Quality::Graded(Grade::Blunder) => {
                let own = self.pick(Color::LightRed, Color::Red, Color::Indexed(202));
                self.on(pieces, own, 217, 124)
            }
        }
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
    pub(crate) fn winning(self, pieces: Pieces, player: Player) -> Style {
        let own = match pieces {
            Pieces::Marks => self.pick(Color::Green, Color::Green, Color::Indexed(231)),
            Pieces::Discs | Pieces::Stones => self.piece_on(pieces, player),
        };
        own.add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// Legal moves.
    #[must_use]
    pub(crate) fn legal(self) -> Style {
        self.pick(Color::Green, Color::Green, Color::Indexed(36))
    }

    /// Legal moves on the board.
    #[must_use]
    pub(crate) fn legal_on(self, pieces: Pieces) -> Style {
        self.on(pieces, self.legal(), 157, 22)
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
