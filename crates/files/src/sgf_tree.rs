//! The bracket syntax shared by SGF and GGF: `(;B[dd]W[dc](;B[ee])(;B[cc]))`.

use crate::{Expected, ParseError, ParseErrorKind};

/// A place: line and column, counted from 1.
pub(crate) type Place = (usize, usize);

/// A property: a name with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
    pub(crate) place: Place,
}

/// A token of a game tree, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Start of a branch.
    Open,
    /// A node with its properties.
    Node(Vec<Property>),
    /// End of a branch.
    Close,
}

/// Parses the games of a file. After an invalid game, parsing resumes at the next one.
pub(crate) fn games(text: &str) -> impl Iterator<Item = Result<Vec<Step>, ParseError>> {
    let mut reader = Reader {
        text,
        at: 0,
        counted: 0,
        place: (1, 1),
    };
    let mut is_empty = true;
    std::iter::from_fn(move || {
        let was_empty = std::mem::replace(&mut is_empty, false);
        let Some(start) = text[reader.at..].find('(') else {
            let cause = ParseErrorKind::missing(Expected::Tree);
            return was_empty.then(|| Err(ParseError::at((1, 1), cause)));
        };
        reader.at += start;
        let begin = reader.at;
        let game = reader.game();
        if game.is_err() {
            let rest = &text[begin + 1..];
            let next = rest.find("(;GM[").or_else(|| rest.find("\n(;"));
            reader.at = next.map_or(text.len(), |next| begin + 1 + next);
        }
        Some(game)
    })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The offset up to which `place` has counted. Places are requested in order, so a large file
    /// is counted once.
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

    /// Parses one game.
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
            // Old files write names with lower-case letters in between.
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
                    // A soft line break.
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

/// Escapes a value.
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
