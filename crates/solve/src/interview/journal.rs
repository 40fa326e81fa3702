//! Journal of an interview: the answers of a strategy from outside so far, so that a proof that was
//! killed continues where it was.
//!
//! ```text
//! papan interview 1
//! game tictactoe
//! strategy move:python3 student.py [student.py sha256 0123…]
//!
//! first asked --------- X 5
//! first again --------- X 5
//! ```
//!
//! Every answer is one write at the end of the file. A last line without its line break was torn and
//! is cut off when the journal is opened again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use papan_rules::{Line, Move, Notation, Player};
use rustc_hash::FxHashMap;

use crate::ProveError;

/// Maximum size of a journal in bytes: [`super::MAX_INTERVIEW`] positions of the largest board,
/// asked twice, from both seats.
const MAX_BYTES: u64 = 4 << 30;

/// Which time a position is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    First,
    Again,
}

impl Round {
    const fn word(self) -> &'static str {
        match self {
            Self::First => "asked",
            Self::Again => "again",
        }
    }
}

/// Why an interview cannot be resumed from a file.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        cause: io::Error,
    },
    /// Another process writes it.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// The file is something else.
    #[error("{} is not a journal of answers; name a new file", .0.display())]
    NotAJournal(PathBuf),
    /// The journal belongs to another game or to another version of the strategy.
    #[error("{} has the answers of {found}, not of {wanted}; name a new file", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// Game and strategy of the file.
        found: String,
        /// Game and strategy to prove.
        wanted: String,
    },
    /// A line is not an answer.
    #[error("{}, line {line}: expected an answer such as `first asked --------- X 5`", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its number.
        line: usize,
    },
}

/// Answers in a file.
#[derive(Debug)]
pub struct InterviewJournal {
    path: PathBuf,
    file: Mutex<File>,
    /// The answers that were in the file when it was opened, by the text before them.
    answers: FxHashMap<String, String>,
}

impl InterviewJournal {
    /// Opens or creates a journal. `identity` names this very version of the strategy.
    ///
    /// # Errors
    /// When the file is in use, inaccessible, damaged, or belongs to something else.
    pub fn open(path: &Path, game: &str, identity: &str) -> Result<Self, JournalError> {
        let io = |cause| JournalError::Io {
            path: path.into(),
            cause,
        };
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.into())),
            Err(TryLockError::Error(cause)) if cause.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(cause)) => return Err(io(cause)),
        }
        let mut bytes = Vec::new();
        let length = (&file).take(MAX_BYTES).read_to_end(&mut bytes);
        length.map_err(io)?;
        let not_a_journal = || JournalError::NotAJournal(path.into());
        let text = String::from_utf8(bytes).map_err(|_| not_a_journal())?;
        let header = Header {
            game,
            // One line, as every other part of the file.
            strategy: &identity.replace(['\n', '\r'], " "),
        };
        let header_text = header.to_string();
        let mut answers = FxHashMap::default();
        let whole = if header_text.starts_with(&text) {
            // New, or cut off within its header.
            file.set_len(0).map_err(io)?;
            file.rewind().map_err(io)?;
            file.write_all(header_text.as_bytes()).map_err(io)?;
            header_text.len()
        } else if let Some(body) = text.strip_prefix(&header_text) {
            let whole = body.rfind('\n').map_or(0, |end| end + 1);
            for (number, line) in (5..).zip(body[..whole].lines()) {
                let (asked, answer) = parse_line(line).ok_or_else(|| JournalError::Line {
                    path: path.into(),
                    line: number,
                })?;
                answers.insert(asked.to_owned(), answer.to_owned());
            }
            header_text.len() + whole
        } else {
            let found = Header::parse(&text).ok_or_else(not_a_journal)?;
            return Err(JournalError::Other {
                path: path.into(),
                found: found.subject(),
                wanted: header.subject(),
            });
        };
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(Self {
            path: path.into(),
            file: Mutex::new(file),
            answers,
        })
    }

    /// Returns the number of answers that the file had when it was opened.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Returns whether the file had no answers when it was opened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Returns the answer that is known from an earlier run.
    pub(super) fn known<G: Notation>(
        &self,
        game: &G,
        player: Player,
        round: Round,
        line: &Line<G>,
    ) -> Result<Option<Move>, ProveError> {
        let asked = question(game, player, round, line);
        let Some(answer) = self.answers.get(&asked) else {
            return Ok(None);
        };
        let mv = game.parse_move(answer).ok();
        match mv.filter(|mv| game.is_legal(line.position(), *mv)) {
            Some(mv) => Ok(Some(mv)),
            None => Err(self.failed(format!("`{asked} {answer}` is not a legal move"))),
        }
    }

    /// Appends an answer.
    pub(super) fn record<G: Notation>(
        &self,
        game: &G,
        player: Player,
        round: Round,
        line: &Line<G>,
        mv: Move,
    ) -> Result<(), ProveError> {
        let asked = question(game, player, round, line);
        let text = format!("{asked} {}\n", game.format_move(mv));
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.write_all(text.as_bytes());
        written.map_err(|cause| self.failed(cause))
    }

    fn failed(&self, why: impl std::fmt::Display) -> ProveError {
        ProveError::Journal(format!("{}: {why}", self.path.display()))
    }
}

/// The text of an answer before the move.
fn question<G: Notation>(game: &G, player: Player, round: Round, line: &Line<G>) -> String {
    let position = game.format_position(line.position());
    format!("{player} {} {position}", round.word())
}

/// Splits a line into the question and the answer.
fn parse_line(line: &str) -> Option<(&str, &str)> {
    let (asked, answer) = line.rsplit_once(' ')?;
    let mut words = asked.splitn(3, ' ');
    let is_seat = ["first", "second"].contains(&words.next()?);
    let is_round = ["asked", "again"].contains(&words.next()?);
    (is_seat && is_round && words.next().is_some() && !answer.is_empty()).then_some((asked, answer))
}

/// The lines before the answers.
struct Header<'a> {
    game: &'a str,
    strategy: &'a str,
}

impl<'a> Header<'a> {
    const KIND: &'static str = "papan interview 1\n";

    fn parse(text: &'a str) -> Option<Self> {
        let mut lines = text.strip_prefix(Self::KIND)?.lines();
        Some(Self {
            game: lines.next()?.strip_prefix("game ")?,
            strategy: lines.next()?.strip_prefix("strategy ")?,
        })
    }

    fn subject(&self) -> String {
        format!("{} on {}", self.strategy, self.game)
    }
}

impl std::fmt::Display for Header<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { game, strategy } = self;
        write!(f, "{}game {game}\nstrategy {strategy}\n\n", Self::KIND)
    }
}
