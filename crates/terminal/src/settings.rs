//! Settings of the start page, and the text format of the settings file.

use std::time::Duration;

use papan_rules::SwapRule;
use papan_strategies::TimeControl;
use papan_view::{Language, Marks};

use crate::theme::Theme;

/// The first line of a settings file.
pub(crate) const HEADER: &str = "papan settings 1";

/// The character set for drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drawing {
    /// Box-drawing characters if the locale is UTF-8.
    #[default]
    Automatic,
    /// Box-drawing characters.
    Boxes,
    /// Plain ASCII.
    Ascii,
}

impl Drawing {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Automatic, Self::Boxes, Self::Ascii];

    /// Its name in files and options.
    #[must_use]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Boxes => "boxes",
            Self::Ascii => "ascii",
        }
    }
}

/// Delays between two moves of a watched game, in milliseconds.
pub(crate) const SPEEDS: [u64; 7] = [4000, 2000, 1000, 500, 250, 100, 0];

/// Why a settings file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// It cannot be read.
    Unreadable(std::io::ErrorKind),
    /// Its first line is not the expected header.
    Header(String),
    /// A line is invalid.
    Line {
        /// Line number, from 1.
        number: usize,
        /// The line.
        text: String,
    },
}

/// All saved settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The game's name.
    pub game: String,
    /// The players as on the command line, first and second.
    pub players: [String; 2],
    /// The marks of the players.
    pub marks: Marks,
    /// The opening rule, where the game has one.
    pub opening_rule: Option<SwapRule>,
    /// The time control, if there is one.
    pub clock: Option<TimeControl>,
    /// Maximum time per move of computer players.
    pub move_time: Option<Duration>,
    /// Seed of random choices; from the time of day if not given.
    pub seed: Option<u64>,
    /// The language; the environment's if not given.
    pub language: Option<Language>,
    /// The colours.
    pub theme: Theme,
    /// The characters.
    pub drawing: Drawing,
    /// Index into `SPEEDS`; 0 is the slowest.
    pub speed: usize,
    /// Whether the evaluation is shown.
    pub evaluation: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            game: "tictactoe".into(),
            players: ["human".into(), String::new()],
            marks: Marks::XO,
            opening_rule: None,
            clock: None,
            move_time: None,
            seed: None,
            language: None,
            theme: Theme::default(),
            drawing: Drawing::default(),
            speed: 3,
            evaluation: false,
        }
    }
}

impl Settings {
    /// Returns the delay between two moves of a watched game.
    #[must_use]
    pub(crate) fn move_delay(&self) -> Duration {
        Duration::from_millis(SPEEDS[self.speed.min(SPEEDS.len() - 1)])
    }

    /// Parses a settings file.
    ///
    /// # Errors
    /// When the header is not the expected one, or a line is invalid.
    pub(crate) fn parse(text: &str) -> Result<Self, SettingsError> {
        let mut lines = text.lines();
        let header = lines.next().unwrap_or("").trim();
        if header != HEADER {
            return Err(SettingsError::Header(header.into()));
        }
        let mut settings = Self::default();
        for (index, line) in lines.enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let read = line
                .split_once(':')
                .is_some_and(|(key, value)| settings.set(key.trim(), value.trim()).is_some());
            if !read {
                return Err(SettingsError::Line {
                    number: index + 2,
                    text: line.into(),
                });
            }
        }
        Ok(settings)
    }

    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "game" => self.game = value.into(),
            "first" => self.players[0] = value.into(),
            "second" => self.players[1] = value.into(),
            "marks" => {
                self.marks = match value {
                    "xo" => Marks::XO,
                    "ox" => Marks::OX,
                    _ => return None,
                }
            }
            "opening-rule" => self.opening_rule = Some(value.parse().ok()?),
            "clock" => self.clock = Some(value.parse().ok()?),
            "move-time" => self.move_time = Some(Duration::from_millis(value.parse().ok()?)),
            "seed" => self.seed = Some(value.parse().ok()?),
            "language" => self.language = Some(value.parse().ok()?),
            "theme" => self.theme = Theme::ALL.into_iter().find(|t| t.name() == value)?,
            "drawing" => self.drawing = Drawing::ALL.into_iter().find(|d| d.name() == value)?,
            "speed" => {
                self.speed = value.parse().ok().filter(|&speed| speed < SPEEDS.len())?;
            }
            "evaluation" => {
                self.evaluation = match value {
                    "on" => true,
                    "off" => false,
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Formats the settings file.
    #[must_use]
    pub(crate) fn text(&self) -> String {
        let marks = match self.marks {
            Marks::XO => "xo",
            Marks::OX => "ox",
        };
        let mut text = format!(
            "{HEADER}\ngame: {}\nfirst: {}\nsecond: {}\nmarks: {marks}\n",
            self.game, self.players[0], self.players[1]
        );
        if let Some(rule) = self.opening_rule {
            text += &format!("opening-rule: {rule}\n");
        }
        if let Some(clock) = self.clock {
            text += &format!("clock: {clock}\n");
        }
        if let Some(time) = self.move_time {
            text += &format!("move-time: {}\n", time.as_millis());
        }
        if let Some(seed) = self.seed {
            text += &format!("seed: {seed}\n");
        }
        if let Some(language) = self.language {
            text += &format!("language: {}\n", language.code());
        }
        text += &format!(
            "theme: {}\ndrawing: {}\nspeed: {}\nevaluation: {}\n",
            self.theme.name(),
            self.drawing.name(),
            self.speed,
            if self.evaluation { "on" } else { "off" }
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_they_were_written() {
        let settings = Settings {
            game: "othello:6x6".into(),
            players: ["random(seed=7)".into(), "human".into()],
            marks: Marks::OX,
            opening_rule: Some(SwapRule::Swap2),
            clock: Some("300+2".parse().unwrap()),
            move_time: Some(Duration::from_millis(250)),
            seed: Some(9),
            language: Some(Language::Indonesian),
            theme: Theme::ColourBlind,
            drawing: Drawing::Ascii,
            speed: 5,
            evaluation: true,
        };
        assert_eq!(Settings::parse(&settings.text()), Ok(settings));
        let plain = Settings::default();
        assert_eq!(Settings::parse(&plain.text()), Ok(plain));
    }

    #[test]
    fn a_broken_file_is_refused_with_its_line() {
        assert!(Settings::parse("").is_err());
        assert!(Settings::parse("papan record 1\n").is_err());
        assert!(Settings::parse("papan settings 2\n").is_err());
        let error = Settings::parse("papan settings 1\n\ntheme: pink\n").unwrap_err();
        let text = "theme: pink".to_owned();
        assert_eq!(error, SettingsError::Line { number: 3, text });
        assert!(Settings::parse("papan settings 1\nspeed: 99\n").is_err());
    }
}
