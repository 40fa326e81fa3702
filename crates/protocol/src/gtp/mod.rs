//! GTP, version 2: what is said, for both sides.
//!
//! `[id] command arguments` is answered by `=[id] text` or `?[id] text`, followed
//! by an empty line. `#` starts a comment, tabs are spaces, other control
//! characters are ignored.

mod client;
mod gogui;
mod server;

pub use client::GtpClient;
pub use server::serve;

use std::fmt;

use papan_rules::Player;

/// Black moves first in every game of papan.
#[must_use]
pub const fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "black",
        Player::Second => "white",
    }
}

/// The player whom a colour means.
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
    /// The number that the answer repeats.
    pub id: Option<u32>,
    /// The command's name.
    pub name: String,
    /// What comes after it.
    pub arguments: Vec<String>,
}

impl Command {
    /// Reads a line; `None` when nothing but space or a comment is on it.
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

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The number of the command that it answers.
    pub id: Option<u32>,
    /// What is said: the result, or what was wrong.
    pub text: Result<String, String>,
}

impl Response {
    /// Reads an answer from its lines, without the empty one that ends it; `None`
    /// when it does not begin as one.
    #[must_use]
    pub fn parse(lines: &str) -> Option<Self> {
        let rest = lines.strip_prefix(['=', '?'])?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // The protocol leaves out control characters, but for ends of lines and tabs.
        let kept = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
        let text: String = rest[digits..].chars().filter(kept).collect();
        let text = text.trim().to_owned();
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
    /// Takes the number off a text that begins with it: some programs write `= 7 F5`
    /// for `=7 F5`.
    pub(crate) fn take_number(&mut self, id: u32) -> bool {
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
        // An empty line would end the answer.
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
    fn commands_are_read_as_they_were_written() {
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
    fn responses_are_read_as_they_were_written() {
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
    fn a_number_behind_a_space_is_still_the_number() {
        let mut apart = Response::parse("= 7 F5").unwrap();
        assert!(!apart.take_number(8) && apart.take_number(7));
        assert_eq!(apart.text, Ok("F5".into()));
        let mut right = Response::parse("=7 7").unwrap();
        assert!(!right.take_number(7));
        assert_eq!(right.text, Ok("7".into()));
        let mut wrong = Response::parse("? 7").unwrap();
        assert!(wrong.take_number(7) && wrong.text == Err(String::new()));
    }
}
