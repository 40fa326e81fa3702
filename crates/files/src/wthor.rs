//! WTHOR, the database of Othello tournaments: `.wtb` games, with the names of players (`.JOU`) and
//! tournaments (`.TRN`) in separate files.
//!
//! Reference: Fédération Française d'Othello, *Format de la base WTHOR*.

use std::sync::LazyLock;

use papan_catalog::AnyGame;
use papan_rules::{Move, Outcome, Player, Record};

use crate::replay::Replay;
use crate::{Expected, ParseError, ParseErrorKind, Parsed};

const HEADER: usize = 16;
const GAME: usize = 68;
/// Lengths of the names of players and tournaments.
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;

/// The games of a file, as bytes.
#[derive(Clone, Copy, Debug)]
pub struct Database<'a> {
    bytes: &'a [u8],
}

/// A game.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    bytes: &'a [u8],
}

/// Returns whether the file is such a database: its header contains a date and the number of games.
pub(crate) fn is_database(bytes: &[u8]) -> bool {
    let [century, year, month, day, ..] = *bytes else {
        return false;
    };
    bytes.len() >= HEADER
        && matches!(century, 19..=21)
        && year < 100
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && matches!(bytes[12], 0 | 8)
        && bytes.len() <= HEADER + GAME * number(&bytes[4..8])
}

/// Reads a little-endian number.
fn number(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rev()
        .fold(0, |sum, &byte| sum << 8 | usize::from(byte))
}

impl<'a> Database<'a> {
    /// Returns the database in a file; `None` if the file is something else.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        is_database(bytes).then_some(Self { bytes })
    }

    /// Returns the year of the games.
    #[must_use]
    pub fn year(&self) -> usize {
        number(&self.bytes[10..12])
    }

    /// Returns the number of empty squares at which the theoretical score was computed.
    #[must_use]
    pub fn solved_at(&self) -> u8 {
        self.bytes[14]
    }

    /// Returns the games. A truncated last game is skipped.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'a>> + use<'a> {
        let games = self.bytes[HEADER..].chunks_exact(GAME);
        games.map(|bytes| Entry { bytes })
    }

    /// Returns whether the last game is truncated.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.bytes.len() < HEADER + GAME * number(&self.bytes[4..8])
    }
}

impl<'a> Entry<'a> {
    /// Returns the number of the tournament.
    #[must_use]
    pub fn tournament(&self) -> usize {
        number(&self.bytes[..2])
    }

    /// Returns the numbers of the players, Black first.
    #[must_use]
    pub fn players(&self) -> [usize; 2] {
        [number(&self.bytes[2..4]), number(&self.bytes[4..6])]
    }

    /// Returns Black's discs at the end, with empty squares counted for the winner.
    #[must_use]
    pub fn black_discs(&self) -> u8 {
        self.bytes[6]
    }

    /// Returns the outcome.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self.black_discs() {
            32 => Outcome::Draw,
            33.. => Outcome::Win(Player::First),
            _ => Outcome::Win(Player::Second),
        }
    }

    /// Returns Black's discs with best play from the solved position.
    #[must_use]
    pub fn theoretical(&self) -> u8 {
        self.bytes[7]
    }

    /// Returns the squares in order, from 0, without passes; `None` for an invalid byte.
    pub fn squares(&self) -> impl Iterator<Item = Option<usize>> + use<'a> {
        let moves = self.bytes[8..].iter().take_while(|&&byte| byte != 0);
        moves.map(|&byte| {
            let (row, column) = (usize::from(byte / 10), usize::from(byte % 10));
            let on_board = (1..=8).contains(&row) && (1..=8).contains(&column);
            on_board.then(|| (row - 1) * 8 + column - 1)
        })
    }
}

/// Parses the names of a `.JOU` file.
#[must_use]
pub fn players(bytes: &[u8]) -> Vec<String> {
    names(bytes, PLAYER)
}

/// Parses the names of a `.TRN` file.
#[must_use]
pub fn tournaments(bytes: &[u8]) -> Vec<String> {
    names(bytes, TOURNAMENT)
}

fn names(bytes: &[u8], length: usize) -> Vec<String> {
    let Some(names) = bytes.get(HEADER..) else {
        return Vec::new();
    };
    let name = |bytes: &[u8]| {
        bytes
            .iter()
            .take_while(|&&byte| byte != 0)
            .map(|&byte| byte as char)
            .collect()
    };
    names.chunks_exact(length).map(name).collect()
}

/// Returns the games as records, with numbers instead of names.
pub(crate) fn records(bytes: &[u8]) -> impl Iterator<Item = Parsed> {
    let database = Database::new(bytes).into_iter();
    database.flat_map(|database| database.records(None, None))
}

impl<'a> Database<'a> {
    /// Returns the games as records. Without lists of names, players and tournaments have numbers.
    pub fn records<'b>(
        self,
        players: Option<&'b [String]>,
        tournaments: Option<&'b [String]>,
    ) -> impl Iterator<Item = Parsed> + use<'a, 'b> {
        let cut_off = self.is_cut_off().then(|| {
            let cause = ParseErrorKind::missing(Expected::WthorGame);
            Err(ParseError::at((self.entries().count() + 1, 1), cause))
        });
        let numbered = self.entries().enumerate();
        let records = numbered.map(move |(at, entry)| {
            let record = record(&self, &entry, players, tournaments);
            record.map_err(|fault| ParseError {
                line: at + 1,
                ..fault
            })
        });
        records.chain(cut_off)
    }
}

/// Returns a game as a record.
///
/// # Errors
/// When a move is illegal; the error's column is the number of the move.
pub fn record(
    database: &Database<'_>,
    entry: &Entry<'_>,
    players: Option<&[String]>,
    tournaments: Option<&[String]>,
) -> Result<Record, ParseError> {
    static OTHELLO: LazyLock<AnyGame> =
        LazyLock::new(|| "othello".parse().expect("the catalog knows Othello"));
    let name = |list: Option<&[String]>, at: usize| {
        let known = list.and_then(|list| list.get(at)).cloned();
        known.unwrap_or_else(|| format!("#{at}"))
    };
    let mut replay = Replay::new(&OTHELLO);
    for (ply, square) in entry.squares().enumerate() {
        let place = (1, ply + 1);
        let square = square.ok_or_else(|| {
            let byte = entry.bytes[8 + ply].to_string();
            ParseError::at(place, ParseErrorKind::expected(byte, Expected::WthorSquare))
        })?;
        let played = replay.play(None, Move::on(square));
        played.map_err(|cause| ParseError::at(place, cause))?;
    }
    let record = replay.record();
    record.players = entry.players().map(|player| name(players, player));
    record.event = Some(name(tournaments, entry.tournament()));
    record.date = Some(database.year().to_string());
    Ok(replay.finish(Some(entry.outcome()), None))
}
