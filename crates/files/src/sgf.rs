//! SGF parser: the Smart Game Format FF[4] for Othello (`GM[2]`) and Gomoku (`GM[4]`), with
//! variations and comments.
//!
//! Points are two letters, column and row from the top left; `d3` is also accepted. Black is the
//! first player. Reference: <https://www.red-bean.com/sgf/>

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{GomokuRule, Move, Outcome, Player, Record};

use crate::replay::Replay;
use crate::sgf_tree::{Place, Property, Step, games};
use crate::{Expected, ParseError, ParseErrorKind, Parsed};

/// Parses the games of a file.
pub(crate) fn read(text: &str) -> impl Iterator<Item = Parsed> {
    games(text).map(|game| one(&game?))
}

fn one(steps: &[Step]) -> Result<Record, ParseError> {
    let empty = Vec::new();
    let root = steps.iter().find_map(|step| match step {
        Step::Node(properties) => Some(properties),
        _ => None,
    });
    let root = root.unwrap_or(&empty);
    let board = Board::of(root)?;
    let mut replay = board.start(root, first_mover(steps))?;
    describe(root, replay.record());
    walk(&board, steps, &mut replay)?;
    let (told, reason) = value(root, "RE").map_or((None, None), result);
    Ok(replay.finish(told, reason))
}

/// Returns the player of the first move, for positions without a side to move.
fn first_mover(steps: &[Step]) -> Option<Player> {
    steps.iter().find_map(|step| match step {
        Step::Node(properties) => properties.iter().find_map(mover),
        _ => None,
    })
}

fn mover(property: &Property) -> Option<Player> {
    match property.name.as_str() {
        "B" => Some(Player::First),
        "W" => Some(Player::Second),
        _ => None,
    }
}

fn value<'a>(properties: &'a [Property], name: &str) -> Option<&'a str> {
    let property = properties.iter().find(|property| property.name == name)?;
    property.values.first().map(String::as_str)
}

/// Reads the metadata of the root node.
fn describe(root: &[Property], record: &mut Record) {
    let text = |name| value(root, name).map(|text| text.replace('\n', " ").trim().to_owned());
    record.players = [
        text("PB").unwrap_or_default(),
        text("PW").unwrap_or_default(),
    ];
    let told = |name| text(name).filter(|text| !text.is_empty());
    record.date = told("DT");
    record.event = told("EV");
    record.clock = told("OT");
    // Other openings have names of their own.
    record.opening = told("ON").and_then(|text| text.parse().ok());
}

/// Parses a result and its reason.
fn result(text: &str) -> (Option<Outcome>, Option<&'static str>) {
    let outcome = match text.get(..2) {
        Some("B+") => Outcome::Win(Player::First),
        Some("W+") => Outcome::Win(Player::Second),
        _ if matches!(text, "0" | "Draw" | "draw") => Outcome::Draw,
        _ => return (None, None),
    };
    let reason = match text.get(2..3) {
        Some("R") => "resigned",
        Some("T") => "time",
        Some("F") => "forfeit",
        _ => return (Some(outcome), None),
    };
    (Some(outcome), Some(reason))
}

/// Plays through the tree: the first branch is the game, the others are variations.
fn walk(board: &Board, steps: &[Step], replay: &mut Replay) -> Result<(), ParseError> {
    let mut main: Option<Box<dyn AnyLine>> = None;
    let mut stack: Vec<Box<dyn AnyLine>> = Vec::new();
    let mut leaf = false;
    for step in steps {
        match step {
            Step::Open => stack.push(replay.line().clone_line()),
            Step::Node(properties) => {
                leaf = true;
                board.play_node(properties, replay)?;
            }
            Step::Close => {
                if leaf {
                    match &main {
                        None => main = Some(replay.line().clone_line()),
                        Some(_) => {
                            let moves = replay.line().text();
                            replay.record().variations.push(moves);
                        }
                    }
                }
                leaf = false;
                if let Some(before) = stack.pop() {
                    replay.go_to(before);
                }
            }
        }
    }
    if let Some(main) = main {
        replay.go_to(main);
    }
    Ok(())
}

/// A board of the format.
struct Board {
    game: AnyGame,
    columns: usize,
    rows: usize,
    othello: bool,
}

impl Board {
    fn of(root: &[Property]) -> Result<Self, ParseError> {
        let place = root.first().map_or((1, 1), |property| property.place);
        let kind = value(root, "GM").unwrap_or("1");
        let othello = match kind.trim() {
            "2" => true,
            "4" => false,
            other => {
                let cause = ParseErrorKind::expected(format!("GM[{other}]"), Expected::SgfGame);
                return Err(ParseError::at(place, cause));
            }
        };
        let size = value(root, "SZ").unwrap_or(if othello { "8" } else { "15" });
        let (columns, rows) = size.split_once(':').unwrap_or((size, size));
        let side = |text: &str| {
            text.trim()
                .parse::<usize>()
                .ok()
                .filter(|side| (1..=52).contains(side))
        };
        let (Some(columns), Some(rows)) = (side(columns), side(rows)) else {
            let cause = ParseErrorKind::expected(format!("SZ[{size}]"), Expected::SgfSize);
            return Err(ParseError::at(place, cause));
        };
        let rule = value(root, "RU").and_then(GomokuRule::parse);
        let name = match rule.filter(|_| rows == columns) {
            _ if othello => format!("othello:{rows}x{columns}"),
            Some(rule) => format!("gomoku:{rows}x{columns}:{}", rule.name()),
            None => format!("tictactoe:{rows}x{columns}:5"),
        };
        let game = name
            .parse()
            .map_err(|error: papan_catalog::GameError| ParseError::at(place, error))?;
        Ok(Self {
            game,
            columns,
            rows,
            othello,
        })
    }

    /// Returns the start position.
    fn start(&self, root: &[Property], first: Option<Player>) -> Result<Replay, ParseError> {
        let mut cells = vec!['-'; self.columns * self.rows];
        let mut place = None;
        for property in root {
            let piece = match property.name.as_str() {
                "AB" => 'X',
                "AW" => 'O',
                _ => continue,
            };
            place = Some(property.place);
            for value in &property.values {
                for cell in self.area(value, property.place)? {
                    cells[cell] = piece;
                }
            }
        }
        let Some(place) = place else {
            return Ok(Replay::new(&self.game));
        };
        let turn = match value(root, "PL").map(str::trim) {
            Some("B" | "b" | "black" | "1") => Some(Player::First),
            Some("W" | "w" | "white" | "2") => Some(Player::Second),
            _ => first,
        };
        let side = if turn == Some(Player::Second) {
            'O'
        } else {
            'X'
        };
        let position: String = cells.into_iter().collect();
        Replay::from_position(&self.game, &format!("{position} {side}"))
            .map_err(|cause| ParseError::at(place, cause))
    }

    /// Parses a point, or a rectangle `aa:cc`.
    fn area(&self, value: &str, place: Place) -> Result<Vec<usize>, ParseError> {
        let Some((from, to)) = value.split_once(':') else {
            return self
                .point(value)
                .map(|cell| vec![cell])
                .ok_or_else(|| self.no_point(value, place));
        };
        let corner = |text: &str| self.point(text).ok_or_else(|| self.no_point(text, place));
        let (from, to) = (corner(from)?, corner(to)?);
        let columns = from % self.columns..=to % self.columns;
        let rows = from / self.columns..=to / self.columns;
        Ok(rows
            .flat_map(|row| {
                columns
                    .clone()
                    .map(move |column| row * self.columns + column)
            })
            .collect())
    }

    fn no_point(&self, value: &str, place: Place) -> ParseError {
        let cause = ParseErrorKind::expected(value, Expected::SgfPoint);
        ParseError::at(place, cause)
    }

    /// Parses a point: two letters, or a letter and a row.
    fn point(&self, text: &str) -> Option<usize> {
        let mut letters = text.trim().chars();
        let index = |c: char| match c {
            'a'..='z' => Some(c as usize - 'a' as usize),
            'A'..='Z' => Some(26 + c as usize - 'A' as usize),
            _ => None,
        };
        let first = letters.next()?;
        let rest = letters.as_str();
        let (column, row) = if rest.starts_with(|c: char| c.is_ascii_digit()) {
            (
                index(first.to_ascii_lowercase())?,
                rest.parse::<usize>().ok()?.checked_sub(1)?,
            )
        } else {
            let row = letters.next().and_then(index)?;
            if letters.next().is_some() {
                return None;
            }
            (index(first)?, row)
        };
        (column < self.columns && row < self.rows).then(|| row * self.columns + column)
    }

    /// Plays the moves of a node and keeps its comment.
    fn play_node(&self, properties: &[Property], replay: &mut Replay) -> Result<(), ParseError> {
        for property in properties {
            let Some(player) = mover(property) else {
                continue;
            };
            let text = property.values[0].trim();
            let pass = text.is_empty()
                || text.eq_ignore_ascii_case("pass")
                || (text == "tt" && self.columns <= 19);
            let mv = match self.point(text) {
                Some(cell) => Move::on(cell),
                None if pass && self.othello => Move::PASS,
                None => return Err(self.no_point(text, property.place)),
            };
            replay
                .play(Some(player), mv)
                .map_err(|cause| ParseError::at(property.place, cause))?;
        }
        if let Some(words) = value(properties, "C") {
            replay.comment(words);
        }
        Ok(())
    }
}
