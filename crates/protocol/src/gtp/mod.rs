//! GTP, the Go Text Protocol, version 2.
//!
//! This module holds the messages of both sides. `[id] command arguments` is answered by
//! `=[id] text` or `?[id] text`, followed by an empty line. `#` starts a comment, tabs are
//! spaces, other control characters are ignored.
//!
//! Reference: Gunnar Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2",
//! 2002, <https://www.lysator.liu.se/~gunnar/gtp/>.

mod client;
mod gogui;
mod server;

pub use client::GtpClient;
pub use server::serve;

use std::fmt;

use papan_rules::Player;

/// The colour of a player: Black is the first player in every game.
#[must_use]
pub const fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "black",
        Player::Second => "white",
    }
}

/// The player of a colour.
#[must_use]
pub fn player(colour: &str) -> Option<Player> {
    match colour.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Player::First),
        "w" | "white" => Some(Player::Second),
        _ => None,
    }
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The number that the response repeats.
    pub id: Option<u32>,
    /// The command's name.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

impl Command {
    /// Parses a line; `None` when it has only white space or a comment.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.split('#').next().unwrap_or("").replace('\t', " ");
        let clean: String = line.chars().filter(|c| !c.is_control()).collect();
        let mut words = clean.split_whitespace().peekable();
        let id = words.peek().and_then(|word| word.parse().ok());
        if id.is_some() {
            words.next();
        }
        let name = words.next()?.into();
        Some(Self {
            id,
            name,
            arguments: words.map(Into::into).collect(),
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id} ")?;
        }
        f.write_str(&self.name)?;
        self.arguments
            .iter()
            .try_for_each(|word| write!(f, " {word}"))
    }
}

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The number of the command.
    pub id: Option<u32>,
    /// The result, or the error message.
    pub text: Result<String, String>,
}

impl Response {
    /// Parses a response from its lines, without the empty one at its end; `None` when it
    /// does not begin with `=` or `?`.
    #[must_use]
    pub fn parse(lines: &str) -> Option<Self> {
        let rest = lines.strip_prefix(['=', '?'])?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // The protocol discards control characters other than line feeds and tabs.
        let is_text = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
        let cleaned: String = rest[digits..].chars().filter(is_text).collect();
        let text = cleaned.trim().to_owned();
        Some(Self {
            id: rest[..digits].parse().ok(),
            text: if lines.starts_with('=') {
                Ok(text)
            } else {
                Err(text)
            },
        })
    }
}

impl Response {
    /// Removes this number from the beginning of the text and returns whether it was there:
    /// some engines write `= 7 F5` instead of `=7 F5`.
    pub(crate) fn take_id(&mut self, id: u32) -> bool {
        let text = self.text.as_mut().unwrap_or_else(|error| error);
        let number = id.to_string();
        let rest = text.strip_prefix(&number).filter(|rest| {
            self.id.is_none() && (rest.is_empty() || rest.starts_with(char::is_whitespace))
        });
        match rest.map(|rest| rest.trim_start().to_owned()) {
            Some(rest) => {
                *text = rest;
                true
            }
            None => false,
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.text {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        write!(f, "{sign}")?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        // An empty line would end the response.
        let mut lines = text.lines().filter(|line| !line.is_empty());
        writeln!(f, " {}", lines.next().unwrap_or(""))?;
        lines.try_for_each(|line| writeln!(f, "{line}"))?;
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_round_trip() {
        let command = Command::parse("12 play black\tF5 # the usual").unwrap();
        assert_eq!(command.to_string(), "12 play black F5");
        assert_eq!(Command::parse(&command.to_string()), Some(command));
        assert_eq!(
            Command::parse("\u{7}genmove\r white").unwrap().name,
            "genmove"
        );
        assert_eq!(Command::parse("  # nothing"), None);
        assert_eq!(Command::parse(""), None);
        assert_eq!(Command::parse("7"), None);
    }

    #[test]
    fn responses_round_trip() {
        for (id, text) in [
            (None, Ok("D3")),
            (Some(4), Ok("")),
            (Some(9), Err("illegal move")),
            (None, Ok("a\nb")),
        ] {
            let text = text.map(String::from).map_err(String::from);
            let response = Response { id, text };
            let written = response.to_string();
            assert!(written.ends_with("\n\n"));
            assert_eq!(Response::parse(written.trim_end()), Some(response));
        }
        assert_eq!(Response::parse("hello"), None);
        let noisy = Response::parse("=1 a\r\r\nb\0").unwrap();
        assert_eq!(noisy.text, Ok("a\nb".into()));
    }

    #[test]
    fn an_id_after_a_space_is_recognised() {
        let mut apart = Response::parse("= 7 F5").unwrap();
        assert!(!apart.take_id(8) && apart.take_id(7));
        assert_eq!(apart.text, Ok("F5".into()));
        let mut right = Response::parse("=7 7").unwrap();
        assert!(!right.take_id(7));
        assert_eq!(right.text, Ok("7".into()));
        let mut wrong = Response::parse("? 7").unwrap();
        assert!(wrong.take_id(7) && wrong.text == Err(String::new()));
    }
}
