//! What a client chose on the first page, remembered for the next time.

/// What was chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) game: String,
    pub(crate) level: String,
    pub(crate) seat: String,
    pub(crate) clock: String,
}

/// A longer value was not chosen but made up.
const LONGEST: usize = 40;

impl Choice {
    /// What a form says; a board given by its name counts as the game.
    pub(crate) fn of_form(fields: &[(String, String)]) -> Self {
        let field = |name: &str| {
            let found = fields.iter().find(|(field, _)| field == name);
            let value = found.map_or("", |(_, value)| value.trim());
            let plain = value.len() <= LONGEST && !value.contains(['\n', '|']);
            if plain {
                value.to_owned()
            } else {
                String::new()
            }
        };
        let other = field("other_game");
        Self {
            game: if other.is_empty() {
                field("game")
            } else {
                other
            },
            level: field("level"),
            seat: field("seat"),
            clock: field("clock"),
        }
    }

    /// The choice as text, for a cookie.
    pub(crate) fn text(&self) -> String {
        let fields = [&self.game, &self.level, &self.seat, &self.clock];
        fields.map(String::as_str).join("|")
    }

    /// Reads it again; what is missing was not chosen.
    pub(crate) fn parse(text: &str) -> Self {
        let plain = |field: &str| field.chars().take(LONGEST).collect::<String>();
        let fields: Vec<String> = text.split('|').map(plain).collect();
        let field = |index: usize| fields.get(index).cloned().unwrap_or_default();
        Self {
            game: field(0),
            level: field(1),
            seat: field(2),
            clock: match &fields[..] {
                // Once these were minutes, and the seconds that every move adds.
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
    fn a_choice_is_read_as_it_was_written() {
        let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let form = [
            field("game", "tictactoe"),
            field("other_game", "tictactoe:5x5:4"),
            field("level", "club"),
            field("seat", "a|b"),
            field("clock", "5m+3s"),
        ];
        let choice = Choice::of_form(&form);
        assert_eq!(
            (choice.game.as_str(), choice.seat.as_str()),
            ("tictactoe:5x5:4", "")
        );
        assert_eq!(Choice::parse(&choice.text()), choice);
        assert_eq!(Choice::parse(""), Choice::default());
    }

    #[test]
    fn a_choice_of_an_older_papan_keeps_its_clock() {
        let clock = |text: &str| Choice::parse(text).clock;
        assert_eq!(clock("othello|club|first|5|3"), "5m+3s");
        assert_eq!(clock("othello|club|first|5|"), "5m");
        assert_eq!(clock("othello|club|first||"), "");
    }
}
