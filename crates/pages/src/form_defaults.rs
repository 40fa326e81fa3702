//! The last choices on the home page, kept in a cookie as defaults of the form.

/// Returns the game of a submitted form: a board given by name, or else the board and rules
/// chosen for the game.
#[must_use]
pub fn chosen_game(fields: &[(String, String)]) -> Option<&str> {
    let field = |name: &str| {
        let found = fields.iter().find(|(field, _)| field == name);
        found
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    };
    let game = field("game")?;
    let board = field(&format!("board.{game}"));
    field("other_game").or(board).or(Some(game))
}

/// Returns the clock of a submitted form: one that was typed, or else the chosen preset.
#[must_use]
pub fn chosen_clock(fields: &[(String, String)]) -> Option<&str> {
    let filled = |name: &str| {
        let found = fields
            .iter()
            .find(|(field, value)| field == name && !value.trim().is_empty());
        found.map(|(_, value)| value.trim())
    };
    filled("clock").or_else(|| filled("preset"))
}

/// Maximum length of a value; a longer one was not chosen on the page.
const MAX_LENGTH: usize = 40;

/// Defaults of the home page's form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormDefaults {
    /// Name of the game.
    pub game: String,
    /// Level of the opponent.
    pub level: String,
    /// The visitor's seat.
    pub seat: String,
    /// The time control.
    pub clock: String,
}

impl FormDefaults {
    /// Reads a submitted form.
    #[must_use]
    pub fn from_form(fields: &[(String, String)]) -> Self {
        let bounded = |value: &str| {
            let allowed = value.len() <= MAX_LENGTH && !value.contains(['\n', '|']);
            if allowed {
                value.to_owned()
            } else {
                String::new()
            }
        };
        let field = |name: &str| {
            let found = fields.iter().find(|(field, _)| field == name);
            bounded(found.map_or("", |(_, value)| value.trim()))
        };
        Self {
            game: bounded(chosen_game(fields).unwrap_or("")),
            level: field("level"),
            seat: field("seat"),
            clock: bounded(chosen_clock(fields).unwrap_or("")),
        }
    }

    /// Formats the value of the cookie.
    #[must_use]
    pub fn to_text(&self) -> String {
        let fields = [&self.game, &self.level, &self.seat, &self.clock];
        fields.map(String::as_str).join("|")
    }

    /// Parses the value of the cookie; missing fields are empty.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let truncate = |field: &str| field.chars().take(MAX_LENGTH).collect::<String>();
        let fields: Vec<String> = text.split('|').map(truncate).collect();
        let field = |index: usize| fields.get(index).cloned().unwrap_or_default();
        Self {
            game: field(0),
            level: field(1),
            seat: field(2),
            clock: match &fields[..] {
                // papan 0.1.0 stored minutes and seconds of increment.
                [_, _, _, minutes, increment] => old_clock(minutes, increment),
                _ => field(3),
            },
        }
    }
}

fn old_clock(minutes: &str, increment: &str) -> String {
    match (minutes, increment) {
        ("" | "0", _) => String::new(),
        (minutes, "" | "0") => format!("{minutes}m"),
        (minutes, increment) => format!("{minutes}m+{increment}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_read_as_they_were_written() {
        let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let form = [
            field("game", "tictactoe"),
            field("board.tictactoe", "tictactoe:4x4"),
            field("other_game", "tictactoe:5x5:4"),
            field("level", "club"),
            field("seat", "a|b"),
            field("clock", "5m+3s"),
        ];
        let defaults = FormDefaults::from_form(&form);
        assert_eq!(
            (defaults.game.as_str(), defaults.seat.as_str()),
            ("tictactoe:5x5:4", "")
        );
        assert_eq!(FormDefaults::parse(&defaults.to_text()), defaults);
        assert_eq!(FormDefaults::parse(""), FormDefaults::default());
    }

    #[test]
    fn the_board_of_the_chosen_game_counts() {
        let form = [
            ("game", "gomoku"),
            ("board.tictactoe", "tictactoe:4x4"),
            ("board.gomoku", "gomoku:20x20:caro"),
            ("preset", "3m+2s"),
            ("clock", " "),
        ];
        let form = form.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let defaults = FormDefaults::from_form(&form);
        assert_eq!(defaults.game, "gomoku:20x20:caro");
        assert_eq!(defaults.clock, "3m+2s");
    }

    #[test]
    fn the_clock_of_an_older_cookie_is_kept() {
        let clock = |text: &str| FormDefaults::parse(text).clock;
        assert_eq!(clock("othello|club|first|5|3"), "5m+3s");
        assert_eq!(clock("othello|club|first|5|"), "5m");
        assert_eq!(clock("othello|club|first||"), "");
    }
}
