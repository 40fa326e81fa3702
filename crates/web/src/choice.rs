//! What a visitor chose on the first page, remembered for the next time.

/// What was chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) game: String,
    pub(crate) level: String,
    pub(crate) seat: String,
    pub(crate) minutes: String,
    pub(crate) increment: String,
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
            minutes: field("minutes"),
            increment: field("increment"),
        }
    }

    /// The choice as text, for a cookie.
    pub(crate) fn text(&self) -> String {
        let fields = [
            &self.game,
            &self.level,
            &self.seat,
            &self.minutes,
            &self.increment,
        ];
        fields.map(String::as_str).join("|")
    }

    /// Reads it again; what is missing was not chosen.
    pub(crate) fn parse(text: &str) -> Self {
        let mut fields = text.split('|').map(|field| {
            let plain = field.chars().take(LONGEST);
            plain.collect::<String>()
        });
        let mut next = || fields.next().unwrap_or_default();
        Self {
            game: next(),
            level: next(),
            seat: next(),
            minutes: next(),
            increment: next(),
        }
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
        ];
        let choice = Choice::of_form(&form);
        assert_eq!(
            (choice.game.as_str(), choice.seat.as_str()),
            ("tictactoe:5x5:4", "")
        );
        assert_eq!(Choice::parse(&choice.text()), choice);
        assert_eq!(Choice::parse(""), Choice::default());
    }
}
