//! The brackets that SGF and GGF share: `(;B[dd]W[dc](;B[ee])(;B[cc]))`.

use crate::{Expected, ParseError, ParseErrorKind};

/// Where something stands: line and column, counted from 1.
pub(crate) type Place = (usize, usize);

/// One name with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
    pub(crate) place: Place,
}

/// What a game consists of, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A bracket opens: what follows is one way to go on.
    Open,
    /// One node with its properties.
    Node(Vec<Property>),
    /// The bracket closes.
    Close,
}

/// The games of a file. After a broken one, reading goes on at the next that begins.
pub(crate) fn games(text: &str) -> Vec<Result<Vec<Step>, ParseError>> {
    let mut reader = Reader {
        text,
        at: 0,
        counted: 0,
        place: (1, 1),
    };
    let mut games = Vec::new();
    while let Some(start) = text[reader.at..].find('(') {
        reader.at += start;
        let begin = reader.at;
        let game = reader.game();
        if game.is_err() {
            let rest = &text[begin + 1..];
            let next = rest.find("(;GM[").or_else(|| rest.find("\n(;"));
            reader.at = next.map_or(text.len(), |next| begin + 1 + next);
        }
        games.push(game);
    }
    if games.is_empty() {
        let cause = ParseErrorKind::missing(Expected::Tree);
        games.push(Err(ParseError::at((1, 1), cause)));
    }
    games
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// How far `place` has counted: places are asked for in order, so that a large file is
    /// counted once.
    counted: usize,
    place: Place,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn place(&mut self) -> Place {
        if self.at < self.counted {
            (self.counted, self.place) = (0, (1, 1));
        }
        for c in self.text[self.counted..self.at].chars() {
            self.place = if c == '\n' {
                (self.place.0 + 1, 1)
            } else {
                (self.place.0, self.place.1 + 1)
            };
        }
        self.counted = self.at;
        self.place
    }

    fn fault(&mut self, found: Option<char>, right: &'static str) -> ParseError {
        let found = found.map(String::from);
        let expected = Expected::Sign(right);
        ParseError::at(self.place(), ParseErrorKind::Unexpected { found, expected })
    }

    /// One game, from its bracket to the one that closes it.
    fn game(&mut self) -> Result<Vec<Step>, ParseError> {
        let mut steps = Vec::new();
        let mut depth = 0_usize;
        loop {
            self.skip_space();
            match self.peek() {
                Some('(') => {
                    depth += 1;
                    steps.push(Step::Open);
                    self.at += 1;
                }
                Some(')') => {
                    depth -= 1;
                    steps.push(Step::Close);
                    self.at += 1;
                    if depth == 0 {
                        return Ok(steps);
                    }
                }
                Some(';') => {
                    self.at += 1;
                    steps.push(Step::Node(self.node()?));
                }
                Some(c) => return Err(self.fault(Some(c), "`;` `(` `)`")),
                None => return Err(self.fault(None, "`)`")),
            }
        }
    }

    fn node(&mut self) -> Result<Vec<Property>, ParseError> {
        let mut properties = Vec::new();
        loop {
            self.skip_space();
            if !self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
                return Ok(properties);
            }
            let place = self.place();
            let rest = &self.text[self.at..];
            let length = rest
                .find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(rest.len());
            // Old files spell names out, with small letters between the ones that count.
            let name = rest[..length]
                .chars()
                .filter(char::is_ascii_uppercase)
                .collect();
            self.at += length;
            let mut values = Vec::new();
            self.skip_space();
            while self.peek() == Some('[') {
                self.at += 1;
                values.push(self.value()?);
                self.skip_space();
            }
            if values.is_empty() {
                return Err(self.fault(None, "`[`"));
            }
            properties.push(Property {
                name,
                values,
                place,
            });
        }
    }

    fn value(&mut self) -> Result<String, ParseError> {
        let mut value = String::new();
        let mut chars = self.text[self.at..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                ']' => {
                    self.at += at + 1;
                    return Ok(value);
                }
                '\\' => match chars.next() {
                    // A line that was only broken for its length.
                    Some((_, '\n')) | None => {}
                    Some((_, escaped)) => value.push(escaped),
                },
                '\r' => {}
                c => value.push(c),
            }
        }
        Err(self.fault(None, "`]`"))
    }
}

/// A value as it is written between brackets.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
