//! Export of a tournament's games to files of other programs.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use papan_catalog::AnyGame;
use papan_rules::{Comment, Record, RecordResult};

use crate::game::game_result::GameResult;
use crate::results::{Results, ResultsError};
use crate::tournament::Tournament;
use crate::tournament::recorded_games::RecordedGames;
use crate::tournament::scoreboard::Scoreboard;

/// A form of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// papan's records, a file for each game.
    Records,
    /// The Smart Game Format, all games in one file.
    Sgf,
    /// The Generic Game Format of Othello, all games in one file.
    Ggf,
    /// Piskvork's own, a file for each game of five in a row.
    Psq,
}

impl ExportKind {
    const ALL: [Self; 4] = [Self::Records, Self::Sgf, Self::Ggf, Self::Psq];

    const fn word(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Sgf => "sgf",
            Self::Ggf => "ggf",
            Self::Psq => "psq",
        }
    }

    const fn format(self) -> papan_files::Format {
        match self {
            Self::Records => papan_files::Format::Record,
            Self::Sgf => papan_files::Format::Sgf,
            Self::Ggf => papan_files::Format::Ggf,
            Self::Psq => papan_files::Format::Psq,
        }
    }
}

/// Where games are written, and in which form: `sgf:games.sgf`, `psq:folder`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The form.
    pub kind: ExportKind,
    /// A file, or a folder where every game has its own.
    pub path: PathBuf,
}

/// A text that is no export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no export; write records:FOLDER, sgf:FILE, ggf:FILE or psq:FOLDER")]
pub struct NotAnExport(String);

/// Why games cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The game does not fit the form.
    #[error(transparent)]
    Form(#[from] papan_files::FileError),
    /// A file refuses.
    #[error("{}: {cause}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// The error of the operating system.
        cause: io::Error,
    },
    /// The results cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
}

impl FromStr for Export {
    type Err = NotAnExport;

    fn from_str(text: &str) -> Result<Self, NotAnExport> {
        let wrong = || NotAnExport(text.into());
        let (word, path) = text.split_once(':').ok_or_else(wrong)?;
        let mut kinds = ExportKind::ALL.into_iter();
        let kind = kinds.find(|kind| kind.word() == word).ok_or_else(wrong)?;
        if path.is_empty() {
            return Err(wrong());
        }
        Ok(Self {
            kind,
            path: path.into(),
        })
    }
}

impl fmt::Display for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.word(), self.path.display())
    }
}

impl Export {
    /// Whether games of this tournament can be written so, before the first is played.
    ///
    /// # Errors
    /// When they cannot, or the folder is not there.
    pub fn check(&self, tournament: &Tournament) -> Result<(), ExportError> {
        // A game without a move shows whether the form has words for the board.
        let record = tournament.game.line().record(Default::default());
        papan_files::write(&[record], self.kind.format())?;
        let made = match self.kind {
            ExportKind::Records | ExportKind::Psq => fs::create_dir_all(&self.path),
            ExportKind::Sgf | ExportKind::Ggf => papan_files::check_writable(&self.path),
        };
        made.map_err(|cause| self.io(&self.path, cause))
    }

    fn io(&self, path: &Path, cause: io::Error) -> ExportError {
        ExportError::Io {
            path: path.into(),
            cause,
        }
    }

    /// Writes every counted game.
    ///
    /// # Errors
    /// When the results cannot be read or a file cannot be written.
    pub fn write(
        &self,
        tournament: &Tournament,
        scoreboard: &Scoreboard,
        results: &mut dyn Results,
    ) -> Result<(), ExportError> {
        let names = tournament.names();
        let mut records = Vec::new();
        for (planned, finished) in RecordedGames::read(scoreboard, results)?.iter() {
            let players = finished.seats(&planned).map(|player| names[player].clone());
            let record = record(&tournament.game, players, &finished);
            match self.kind {
                ExportKind::Sgf | ExportKind::Ggf => records.push(record),
                ExportKind::Psq => self.write_one(finished.game + 1, "psq", record)?,
                ExportKind::Records => self.write_one(finished.game + 1, "papan", record)?,
            }
        }
        match self.kind {
            ExportKind::Sgf | ExportKind::Ggf => self.write_file(
                &self.path,
                &papan_files::write(&records, self.kind.format())?,
            ),
            ExportKind::Records | ExportKind::Psq => Ok(()),
        }
    }

    fn write_one(&self, number: u64, ending: &str, record: Record) -> Result<(), ExportError> {
        let text = papan_files::write(&[record], self.kind.format())?;
        self.write_file(&self.path.join(format!("{number:06}.{ending}")), &text)
    }

    fn write_file(&self, path: &Path, text: &str) -> Result<(), ExportError> {
        papan_files::write_atomic(path, text.as_bytes()).map_err(|cause| self.io(path, cause))
    }
}

/// Returns a game as a record, with the times and reported scores of its moves.
fn record(game: &AnyGame, players: [String; 2], finished: &GameResult) -> Record {
    let mut line = game.line();
    let mut comments = Vec::new();
    for (ply, &mv) in finished.moves.iter().enumerate() {
        if line.play(mv).is_err() {
            break;
        }
        if let Some(score) = finished.note(ply).and_then(|note| note.score) {
            comments.push(Comment {
                moves: line.text(),
                text: format!("score {score}"),
            });
        }
    }
    let mut record = line.record(players);
    record.result = RecordResult::Finished(finished.outcome);
    record.reason = finished.reason();
    record.opening = finished.opening;
    record.comments = comments;
    if !finished.notes.is_empty() {
        let plies = 0..line.moves().len();
        let time = |ply| finished.note(ply).map_or(0, |note| note.micros / 1000);
        record.times = plies.map(time).collect();
    }
    record
}
